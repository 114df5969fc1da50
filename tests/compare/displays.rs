//! Displays: thousands of connections that hear the amounts of one link ten times a second.
//!
//! # Shape
//! A few tables play slowly, so that every batch changes what the signs show; [`Display`]s listen in this process, each
//! with a connection of its own. A message carries the moment at which the server made it: late is how long after that
//! a display has read it, the writing to all displays before it included. In the same round as many displays listen to
//! the [`anchor`], a loop that writes one encoded frame to all of them.
//!
//! # What bounds it
//! [`AT_ONCE`] displays open at a time; [`END_MAX`] for those that lag behind at the end. One thread listens for all.

mod anchor;
mod display;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use hdrhistogram::Histogram;
use meterhouse_engine::clock;
use meterhouse_load::{Pace, Plan};
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

pub(crate) use self::anchor::serve as write_loop;
use self::display::{Display, Heard, Window};
use crate::Failure;
use crate::figure::{Figure, Stage};
use crate::machine::{Load, Watch, memory_of};
use crate::ours::{Ours, streams};
use crate::table::{hundredths, thousandths};

/// How many displays, and the 99th percentile in µs that they are asked to hear within.
const ASKED: [(usize, u64); 2] = [(5_000, 60_000), (10_000, 100_000)];
/// KiB of the server that a display may cost.
const MEMORY_MAX_KIB: u64 = 10;
/// Messages a second that are asked for, tenths; what the kernel's timers and the commits' moments take off is allowed.
const RATE_MIN: u64 = 90;
/// Processor that the server may use, in hundredths of the anchor's.
const PROCESSOR_MAX: u64 = 130;
/// Of a thousand messages so many have to arrive; instead of the others a display heard newer ones.
const HEARD_MIN: u64 = 990;
/// Commands a second that change what the signs show, and the tables that send them.
const COMMANDS: u64 = 100;
const TABLES: u32 = 16;
/// Displays that open at a time.
const AT_ONCE: usize = 64;
/// How long the tables play before anybody listens, and how long everybody listens before it is measured.
const BEFORE: Duration = Duration::from_secs(2);
/// Seconds that it is measured.
const SECONDS: u64 = 20;
/// How long after the end a display may take to hear amounts that were made behind it.
const END_MAX: Duration = Duration::from_secs(10);
/// Longer than any measurement: the tables play until they are told to stop.
const FOR_LONG: Duration = Duration::from_hours(1);
/// All of a thousand.
const THOUSAND: u64 = 1_000;

/// The link of the anchor, which reads no path.
const NO_LINK: &str = "none";

/// What the displays heard in the window.
struct Crowd {
    count: usize,
    heard: Vec<Vec<Heard>>,
    length: Duration,
    load: Load,
    /// KiB of the server without displays, and with all of them.
    memory: [u64; 2],
}

/// What the displays listen to.
struct Feed<'a> {
    address: SocketAddr,
    link: &'a str,
    pid: u32,
}

/// Measures each number of displays on a server of its own, round after round, and the anchor after each.
pub(crate) async fn measure(stage: &Stage) -> Result<Vec<Figure>, Failure> {
    let mut figures = Vec::new();
    for (count, p99_max) in ASKED {
        for round in 1..=stage.options.rounds {
            let database = format!("displays_{count}_{round}");
            let crowd = async |ours: &mut Ours| crowd(stage, ours, count).await;
            let (crowd, alone) = stage.on_fresh(&database, crowd).await?;
            let anchor = of_anchor(stage, count, crowd.bytes()).await?;
            let figure = crowd.figure(round, p99_max, &anchor, alone)?;
            eprintln!("{}", figure.row());
            figures.push(figure);
        }
    }
    Ok(figures)
}

/// Lets so many displays listen while the tables play. Returns the load of the server without displays as well.
async fn crowd(stage: &Stage, ours: &Ours, count: usize) -> Result<(Crowd, u64), Failure> {
    let plan = Plan {
        tables: TABLES,
        transport: streams(1, 1),
        pace: Pace::Rate {
            a_second: COMMANDS,
            burst: Duration::ZERO,
        },
        ..ours.plan("signs", FOR_LONG)
    };
    let link = plan.link_names().into_iter().next().ok_or("no link")?;
    let tokens = ours.seated(&plan).await?;
    stage.settle().await?;
    let stop = CancellationToken::new();
    let _stops = stop.clone().drop_guard();
    let playing = tokio::spawn(meterhouse_load::run(plan, tokens, stop.clone()));
    sleep(BEFORE).await;
    let watch = Watch::start(stage.postgres.pid(), ours.pid())?;
    sleep(BEFORE).await;
    let alone = watch.read()?.server;
    let feed = Feed {
        address: ours.http().trim_start_matches("http://").parse()?,
        link: &link,
        pid: ours.pid().ok_or("the server is gone")?,
    };
    let crowd = listen(stage, &feed, count).await?;
    stop.cancel();
    let report = playing.await??;
    match report.checks.iter().find(|it| !it.agrees()) {
        Some(check) => Err(check.to_string().into()),
        None => Ok((crowd, alone)),
    }
}

/// Lets so many displays listen to the anchor.
async fn of_anchor(stage: &Stage, count: usize, bytes: usize) -> Result<Crowd, Failure> {
    let anchor = anchor::Running::start(bytes).await?;
    stage.settle().await?;
    let feed = Feed {
        address: anchor.address,
        link: NO_LINK,
        pid: anchor.pid().ok_or("the loop is gone")?,
    };
    let crowd = listen(stage, &feed, count).await?;
    anchor.stop().await?;
    Ok(crowd)
}

async fn listen(stage: &Stage, feed: &Feed<'_>, count: usize) -> Result<Crowd, Failure> {
    let (before, _) = memory_of(feed.pid)?;
    let window = Arc::new(Window::new());
    let length = stage.options.long(SECONDS);
    let (opened, all_open) = oneshot::channel();
    let hearing = {
        let (address, link) = (feed.address, feed.link.to_owned());
        let window = Arc::clone(&window);
        // One thread hears for less processor time than two that wake each other.
        spawn_blocking(move || {
            let runtime = Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let listening = open_all(address, &link, count, &window).await?;
                // The other side waits, or has failed and says why.
                let _: Result<(), ()> = opened.send(());
                hear_all(listening, length + END_MAX).await
            })
        })
    };
    if all_open.await.is_err() {
        hearing.await??;
        return Err("not all displays are open".into());
    }
    sleep(BEFORE).await;
    let from = clock::now().0;
    let until = from.saturating_add(i64::try_from(length.as_micros())?);
    window.set(from, until);
    let watch = Watch::start(stage.postgres.pid(), Some(feed.pid))?;
    sleep(length).await;
    let load = watch.read()?;
    let (after, _) = memory_of(feed.pid)?;
    Ok(Crowd {
        count,
        heard: hearing.await??,
        length,
        load,
        memory: [before, after],
    })
}

/// What the displays hear.
type Listening = JoinSet<Result<Vec<Heard>, Failure>>;

/// Opens all displays.
async fn open_all(
    address: SocketAddr,
    link: &str,
    count: usize,
    window: &Arc<Window>,
) -> Result<Listening, Failure> {
    let mut listening = JoinSet::new();
    let opening = stream::iter(0..count).map(|_| Display::open(address, link));
    let mut opening = pin!(opening.buffer_unordered(AT_ONCE));
    while let Some(display) = opening.next().await {
        listening.spawn(display?.listen(Arc::clone(window)));
    }
    Ok(listening)
}

/// Waits until all displays have heard everything, for so long at most.
async fn hear_all(mut listening: Listening, most: Duration) -> Result<Vec<Vec<Heard>>, Failure> {
    let mut heard = Vec::with_capacity(listening.len());
    let ending = async {
        while let Some(one) = listening.join_next().await {
            heard.push(one??);
        }
        Ok::<(), Failure>(())
    };
    let ended = timeout(BEFORE + most, ending).await;
    ended.map_err(|_| "a display does not hear the newest amounts")??;
    Ok(heard)
}

/// What a crowd heard, as numbers.
struct Outcome {
    /// Tenths of messages a second.
    rate: u64,
    /// µs.
    late: [u64; 3],
    /// Of a thousand messages.
    heard: u64,
    /// Tenths of KiB a display.
    memory: u64,
}

impl Crowd {
    /// Bytes of the longest text.
    fn bytes(&self) -> usize {
        let all = self.heard.iter().flatten();
        all.map(|it| it.bytes).max().unwrap_or_default()
    }

    fn result(&self) -> Result<Outcome, Failure> {
        let all = || self.heard.iter().flatten();
        let made: BTreeSet<u64> = all().map(|it| it.sequence).collect();
        let mut late = Histogram::<u64>::new(3)?;
        for one in all() {
            late.record(u64::try_from(one.late)?)?;
        }
        let expected = made.len() * self.count;
        let rate = u128::try_from(made.len() * 10_000)? / self.length.as_millis().max(1);
        let [before, after] = self.memory;
        let [p50, p99] = [0.5, 0.99].map(|it| late.value_at_quantile(it));
        Ok(Outcome {
            rate: u64::try_from(rate)?,
            late: [p50, p99, late.max()],
            heard: late.len() * THOUSAND / u64::try_from(expected)?.max(1),
            memory: after.saturating_sub(before) * 10 / u64::try_from(self.count)?,
        })
    }

    fn figure(
        &self,
        round: usize,
        p99_max: u64,
        anchor: &Self,
        alone: u64,
    ) -> Result<Figure, Failure> {
        let (ours, theirs) = (self.result()?, anchor.result()?);
        let processor = self.load.server * 100 / anchor.load.server.max(1);
        let met = ours.late[1] <= p99_max
            && ours.memory <= MEMORY_MAX_KIB * 10
            && ours.heard >= HEARD_MIN
            && ours.rate >= RATE_MIN
            && processor <= PROCESSOR_MAX;
        let what = format!(
            "{} displays of one link over WebSocket, texts of {} bytes, {} a second, {} s, round {round}",
            self.count,
            self.bytes(),
            tenths(ours.rate),
            self.length.as_secs()
        );
        let measured = format!(
            "{}, without displays {}; the loop: {}; processor {} times the loop's",
            ours.shown(&self.load),
            hundredths(alone),
            theirs.shown(&anchor.load),
            hundredths(processor),
        );
        let asked = format!(
            "p99 {} ms, {MEMORY_MAX_KIB} KiB a display, 10 a second, {} times the loop's processor",
            p99_max / THOUSAND,
            hundredths(PROCESSOR_MAX)
        );
        Ok(Figure::new(what, measured, asked, Some(met)))
    }
}

impl Outcome {
    fn shown(&self, load: &Load) -> String {
        let [p50, p99, max] = self.late.map(thousandths);
        format!(
            "p50 {p50} ms, p99 {p99} ms, max {max} ms; {}% of all messages heard; {} KiB a display; cores: displays {}, \
             Postgres {}, others {}, server {}",
            tenths(self.heard),
            tenths(self.memory),
            hundredths(load.own),
            hundredths(load.postgres),
            hundredths(load.others),
            hundredths(load.server),
        )
    }
}

/// A number of tenths.
fn tenths(number: u64) -> String {
    format!("{}.{}", number / 10, number % 10)
}

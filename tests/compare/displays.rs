//! Displays: thousands of connections that hear the amounts of one link ten times a second.
//!
//! # Shape
//! A few tables play slowly, so that every batch changes what the signs show; [`Display`]s listen in this process, each
//! with a connection of its own. A message carries the moment at which the server made it: late is how long after that
//! a display has read it, the writing to all displays before it included.
//!
//! # What bounds it
//! [`AT_ONCE`] displays open at a time; [`END_MAX`] for those that lag behind at the end.

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
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use self::display::{Display, Heard, Window};
use crate::Failure;
use crate::figure::{Figure, Stage};
use crate::machine::{Load, Watch};
use crate::ours::{Ours, streams};
use crate::table::{hundredths, thousandths};

/// How many displays, and the 99th percentile in µs that they are asked to hear within.
const ASKED: [(usize, u64); 2] = [(5_000, 60_000), (10_000, 100_000)];
/// KiB of the server that a display may cost.
const MEMORY_MAX_KIB: u64 = 10;
/// Messages a second that are asked for, tenths; what the kernel's timers and the commits' moments take off is allowed.
const RATE_MIN: u64 = 90;
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

/// What the displays heard in the window.
struct Crowd {
    count: usize,
    heard: Vec<Vec<Heard>>,
    length: Duration,
    load: Load,
    /// KiB of the server without displays, and with all of them.
    memory: [u64; 2],
}

/// Measures each number of displays on a server of its own.
pub(crate) async fn measure(stage: &Stage) -> Result<Vec<Figure>, Failure> {
    let mut figures = Vec::new();
    for (count, p99_max) in ASKED {
        let database = format!("displays_{count}");
        let crowd = async |ours: &mut Ours| crowd(stage, ours, count).await;
        let crowd = stage.on_fresh(&database, crowd).await?;
        figures.push(crowd.figure(p99_max)?);
    }
    Ok(figures)
}

/// Lets so many displays listen while the tables play.
async fn crowd(stage: &Stage, ours: &Ours, count: usize) -> Result<Crowd, Failure> {
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
    let crowd = listen(stage, ours, &link, count).await?;
    stop.cancel();
    let report = playing.await??;
    match report.checks.iter().find(|it| !it.agrees()) {
        Some(check) => Err(check.to_string().into()),
        None => Ok(crowd),
    }
}

async fn listen(stage: &Stage, ours: &Ours, link: &str, count: usize) -> Result<Crowd, Failure> {
    let address: SocketAddr = ours.http().trim_start_matches("http://").parse()?;
    let (before, _) = ours.memory()?;
    let window = Arc::new(Window::new());
    let length = stage.options.long(SECONDS);
    let listening = open_all(address, link, count, &window).await?;
    sleep(BEFORE).await;
    let from = clock::now().0;
    let until = from.saturating_add(i64::try_from(length.as_micros())?);
    window.set(from, until);
    let watch = Watch::start(stage.postgres.pid(), ours.pid())?;
    sleep(length).await;
    let load = watch.read()?;
    let (after, _) = ours.memory()?;
    Ok(Crowd {
        count,
        heard: hear_all(listening).await?,
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

/// Waits until all displays have heard everything.
async fn hear_all(mut listening: Listening) -> Result<Vec<Vec<Heard>>, Failure> {
    let mut heard = Vec::with_capacity(listening.len());
    let ending = async {
        while let Some(one) = listening.join_next().await {
            heard.push(one??);
        }
        Ok::<(), Failure>(())
    };
    let ended = timeout(END_MAX, ending).await;
    ended.map_err(|_| "a display does not hear the newest amounts")??;
    Ok(heard)
}

impl Crowd {
    fn figure(&self, p99_max: u64) -> Result<Figure, Failure> {
        let all = || self.heard.iter().flatten();
        let made: BTreeSet<u64> = all().map(|it| it.sequence).collect();
        let mut late = Histogram::<u64>::new(3)?;
        for one in all() {
            late.record(u64::try_from(one.late)?)?;
        }
        let bytes = all().map(|it| it.bytes).max().unwrap_or_default();
        let expected = made.len() * self.count;
        let heard = late.len() * THOUSAND / u64::try_from(expected)?.max(1);
        // Tenths of messages a second.
        let rate = u128::try_from(made.len() * 10_000)? / self.length.as_millis().max(1);
        let rate = u64::try_from(rate)?;
        let [before, after] = self.memory;
        // Tenths of KiB.
        let memory = after.saturating_sub(before) * 10 / u64::try_from(self.count)?;
        let [p50, p99] = [0.5, 0.99].map(|it| late.value_at_quantile(it));
        let met = p99 <= p99_max
            && memory <= MEMORY_MAX_KIB * 10
            && heard >= HEARD_MIN
            && rate >= RATE_MIN;
        let what = format!(
            "{} displays of one link over WebSocket, texts of {bytes} bytes, {} a second, {} s",
            self.count,
            tenths(rate),
            self.length.as_secs()
        );
        let measured = format!(
            "p50 {} ms, p99 {} ms, max {} ms; {}% of all messages heard; {} KiB a display; cores: server {}, displays {}",
            thousandths(p50),
            thousandths(p99),
            thousandths(late.max()),
            tenths(heard),
            tenths(memory),
            hundredths(self.load.server),
            hundredths(self.load.own),
        );
        let asked = format!(
            "p99 {} ms, {MEMORY_MAX_KIB} KiB a display, 10 a second",
            p99_max / THOUSAND
        );
        Ok(Figure::new(what, measured, asked, Some(met)))
    }
}

/// A number of tenths.
fn tenths(number: u64) -> String {
    format!("{}.{}", number / 10, number % 10)
}

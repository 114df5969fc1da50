//! A run: the tables are shared out, everybody begins together, and at the end the books are compared.
//!
//! # What order holds
//! The books are read before the first command and after the last outcome: what lies between is this run's.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_simulator::Client;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::books::{self, Before};
use crate::error::LoadError;
use crate::felt::Felt;
use crate::figures::CpuUsed;
use crate::floor;
use crate::house::House;
use crate::http;
use crate::machine::Watch;
use crate::moments;
use crate::pit::Pit;
use crate::plan::{End, Pace, Plan, Tokens, Way};
use crate::prepare::felts;
use crate::report::{Report, played};
use crate::stream;
use crate::tally::Tally;

/// Nanoseconds of a microsecond.
const NANOS_PER_MICRO: u64 = 1_000;
/// Microseconds of a second.
const MICROS: u64 = 1_000_000;

/// Plays a plan with links and tables that [`prepare`](crate::prepare()) made; when `stop` is cancelled, open rounds are
/// closed and the books compared all the same.
///
/// # Errors
/// A plan that can't be played, a server that stays away for longer than the plan's patience, an answer that breaks a
/// promise so that playing on would prove nothing. What is only counted wrong is in the report.
pub async fn run(plan: Plan, tokens: Tokens, stop: CancellationToken) -> Result<Report, LoadError> {
    plan.check()?;
    let client = Client::with_retry_max(plan.base(), plan.patience)?;
    let felts = felts(&plan, &tokens, &client).await?;
    let mut before = Before {
        books: books::read(&plan, &tokens.manager, &client).await?,
        moments: vec![moments::now(&plan, &tokens.manager, &client).await?],
    };
    let (winners, waiting) = mpsc::channel(floor::HITS_MAX);
    let house = Arc::new(House::new(plan, winners, stop)?);
    let mut shares: Vec<Vec<Felt>> = Vec::new();
    shares.resize_with(house.plan.pits() as usize, Vec::new);
    let count = shares.len().max(1);
    for (place, felt) in felts.into_iter().enumerate() {
        if let Some(share) = shares.get_mut(place % count) {
            share.push(felt);
        }
    }
    let mut tasks = JoinSet::new();
    let mut bells = Vec::new();
    for (place, felts) in shares.into_iter().enumerate() {
        // Each table has at most one hit that waits, so that nobody ever waits for room here.
        let (bell, settled) = mpsc::channel(felts.len().max(1));
        bells.push(bell);
        let pit = Pit::new(Arc::clone(&house), place, felts)?;
        match house.plan.way {
            Way::Streams { .. } => tasks.spawn(stream::play(pit, settled)),
            Way::Http { .. } => tasks.spawn(http::play(pit, settled)),
        };
    }
    let supervisor = tokens.supervisor.clone();
    let floor = tokio::spawn(floor::work(client.clone(), supervisor, waiting, bells));
    let ended = CancellationToken::new();
    let measuring = tokio::spawn(measure(Arc::clone(&house), ended.clone()));
    let (plan, manager) = (house.plan.clone(), tokens.manager.clone());
    let noting = tokio::spawn(moments::note(plan, manager, client.clone(), ended.clone()));
    let played = all(&mut tasks, floor).await;
    ended.cancel();
    let Played { felts, tally } = match played {
        Ok(played) => played,
        Err(error) => {
            measuring.abort();
            return Err(error);
        }
    };
    let cpu = measuring.await?;
    before.moments.extend(noting.await?);
    report(&house, &tokens, &client, &before, &felts, tally, cpu).await
}

/// What all pits did.
struct Played {
    felts: Vec<Felt>,
    tally: Tally,
}

/// Waits for all pits; the first failure of anybody ends everything.
async fn all(
    tasks: &mut JoinSet<Result<Pit, LoadError>>,
    mut floor: JoinHandle<Result<(), LoadError>>,
) -> Result<Played, LoadError> {
    let mut played = Played {
        felts: Vec::new(),
        tally: Tally::new()?,
    };
    loop {
        tokio::select! {
            ended = tasks.join_next() => match ended {
                Some(pit) => {
                    let pit = pit??;
                    played.felts.extend(pit.felts);
                    played.tally.add(pit.tally);
                }
                None => break,
            },
            // It never ends before the pits, unless it failed.
            ended = &mut floor => {
                ended??;
                return Err(LoadError::broken("the floor went home"));
            }
        }
    }
    floor.abort();
    Ok(played)
}

/// What the machine does while it is measured.
async fn measure(house: Arc<House>, ended: CancellationToken) -> CpuUsed {
    house.begin().await;
    tokio::select! {
        () = sleep(house.time_to(house.from)) => {}
        () = ended.cancelled() => {}
    }
    let watch = Watch::start(house.plan.processes);
    let length = match house.plan.end {
        End::After(length) => length,
        End::Commands(_) => Duration::MAX,
    };
    tokio::select! {
        () = sleep(length) => {}
        () = ended.cancelled() => {}
        () = house.stop.cancelled() => {}
    }
    watch.read()
}

async fn report(
    house: &House,
    tokens: &Tokens,
    client: &Client,
    before: &Before,
    felts: &[Felt],
    tally: Tally,
    cpu: CpuUsed,
) -> Result<Report, LoadError> {
    let plan = &house.plan;
    let checks = books::checks(plan, &tokens.manager, client, before, felts, &tally).await?;
    let until = house.until.min(tally.last_outcome);
    let measured_micros = until.saturating_sub(house.from) / NANOS_PER_MICRO;
    let all = u128::from(tally.measured) * u128::from(MICROS);
    let a_second = all / u128::from(measured_micros.max(1));
    let (latency, intervals) = house.timeline.finish();
    let is_planned = matches!(plan.pace, Pace::Rate { .. });
    Ok(Report {
        played: played(plan),
        commands: tally.commands,
        measured: tally.measured,
        measured_micros,
        a_second: u64::try_from(a_second).unwrap_or(u64::MAX),
        latency,
        hits: tally.hits.figures(),
        delay: is_planned.then(|| tally.delay.figures()),
        unsent: tally.unsent,
        refusals: tally.refusals,
        resent: tally.resent,
        reconnects: tally.reconnects,
        cuts: tally.cuts,
        repeats: tally.repeats,
        reorderings: tally.reorderings,
        cpu,
        intervals,
        checks,
    })
}

//! Quick links beside a bad neighbour: a link that is locked, moved by another node, or crowded.
//!
//! # Shape
//! Each round plays the quick links alone, then beside each [`Neighbour`], in another order than the round before. A ratio is
//! that of the 99th percentiles, beside the neighbour to alone, one a round.

use std::time::Duration;

use meterhouse_load::{End, Pace, Plan, Report};
use meterhouse_tests::comparison::rounds::{Spread, order};
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::grouped;
use crate::figure::{Figure, Stage};
use crate::ours::{COMMANDS_A_MESSAGE, Ours, streams};
use crate::rows::with_ends;
use crate::table::{hundredths, thousandths};
use crate::{Failure, abuse};

/// The quick links, their tables and streams, and their commands a second.
const LINKS: u32 = 39;
const TABLES: u32 = 195;
const STREAMS: u32 = 8;
const RATE: u64 = 1_950;
/// Seconds of one measurement.
const SECONDS: u64 = 10;
/// The time that a neighbour plays before the quick links are measured.
const BEFORE: Duration = Duration::from_secs(1);
/// Tables, streams and commands a second of a neighbour that is locked or moved.
const FEW_TABLES: u32 = 8;
const FEW_STREAMS: u32 = 2;
const FEW_RATE: u64 = 500;
/// Tables and commands in flight of a crowded link.
const CROWD_TABLES: u32 = 1_000;
const CROWD_IN_FLIGHT: u32 = 4_096;
/// Longer than any measurement: a neighbour plays until it is stopped, and waits as long for a lock.
const FOR_LONG: Duration = Duration::from_hours(1);
/// The ratio that is allowed, in hundredths.
const RATIO_MAX: u64 = 200;
/// Commands of a thousand that may be due and not sent. The end cuts off the last ones; more than these would hide a wait.
const UNSENT_MAX: u64 = 1;
/// Holds the row that each commit of a link moves.
const LOCK: &str =
    "SELECT FROM link_head JOIN link USING (link_id) WHERE name = $1 FOR UPDATE OF link_head";

/// A link that could hold its neighbours up.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Neighbour {
    /// There is no other link.
    None,
    /// A session of a person holds its head.
    Locked,
    /// Two nodes commit to it in turn.
    Moved,
    /// A thousand tables play on it as fast as they can.
    Crowded,
}

/// The first one is what the others are compared with.
const NEIGHBOURS: [Neighbour; 4] = [
    Neighbour::None,
    Neighbour::Locked,
    Neighbour::Moved,
    Neighbour::Crowded,
];

/// The quick links beside one neighbour.
#[derive(Clone, Debug, Default)]
struct Quick {
    /// The 99th percentiles, µs, one a round.
    p99: Vec<u64>,
    /// All commands.
    commands: u64,
    /// Commands that were refused or lost.
    lost: u64,
    /// Commands that were due, and not sent before the end.
    unsent: u64,
}

/// Measures the quick links on a server of their own.
pub(super) async fn measure(stage: &Stage) -> Result<Vec<Figure>, Failure> {
    let rounds = async |ours: &mut Ours| rounds(stage, ours).await;
    stage.on_fresh("neighbours", rounds).await
}

async fn rounds(stage: &Stage, ours: &Ours) -> Result<Vec<Figure>, Failure> {
    let quick = Plan {
        links: LINKS,
        tables: TABLES,
        transport: streams(STREAMS, COMMANDS_A_MESSAGE),
        pace: Pace::Rate {
            a_second: RATE,
            burst: Duration::ZERO,
        },
        ..ours.plan("quick", stage.options.long(SECONDS))
    };
    let mut other = ours.node().await?;
    let mut plans = NEIGHBOURS.map(|neighbour| neighbour.plan(ours));
    for plan in plans.iter_mut().flatten() {
        ours.seated(plan).await?;
        if plan.prefix == Neighbour::Moved.prefix() {
            plan.nodes.push(other.node());
        }
    }
    // The first play loads the links, and is not measured.
    drop(ours.play(quick.clone()).await?);
    let mut measured = [(); NEIGHBOURS.len()].map(|()| Quick::default());
    for round in 0..stage.options.rounds {
        for index in order(round, stage.options.rounds, NEIGHBOURS.len()) {
            let report = play(stage, ours, &quick, plans[index].clone()).await?;
            let name = NEIGHBOURS[index].prefix();
            eprintln!("round {}: {name}, p99 {} µs", round + 1, report.latency.p99);
            measured[index].p99.push(report.latency.p99);
            measured[index].commands += report.commands;
            measured[index].lost += abuse::lost(&report);
            measured[index].unsent += report.unsent;
        }
    }
    other.stop().await?;
    let figure = |(neighbour, quick): (Neighbour, &Quick)| quick.figure(neighbour, &measured[0]);
    Ok(NEIGHBOURS.into_iter().zip(&measured).map(figure).collect())
}

/// Plays the quick links while a neighbour plays.
async fn play(
    stage: &Stage,
    ours: &Ours,
    quick: &Plan,
    neighbour: Option<Plan>,
) -> Result<Report, Failure> {
    ours.seated(quick).await?;
    stage.settle().await?;
    let Some(plan) = neighbour else {
        return ours.play(quick.clone()).await;
    };
    let locked = (plan.prefix == Neighbour::Locked.prefix()).then(|| plan.link_names());
    let stop = CancellationToken::new();
    let _stops = stop.clone().drop_guard();
    let tokens = ours.seated(&plan).await?;
    let playing = tokio::spawn(meterhouse_load::run(plan, tokens, stop.clone()));
    sleep(BEFORE).await;
    let report = match locked.as_deref() {
        Some([link]) => {
            let database = stage.postgres.connect_options().database(ours.database());
            let mut session = PgConnection::connect_with(&database).await?;
            let mut holding = session.begin().await?;
            sqlx::query(LOCK).bind(link).execute(&mut *holding).await?;
            let report = ours.play(quick.clone()).await;
            holding.rollback().await?;
            session.close().await?;
            report?
        }
        _ => ours.play(quick.clone()).await?,
    };
    stop.cancel();
    let beside = playing.await??;
    match beside.checks.iter().find(|check| !check.agrees()) {
        Some(check) => Err(check.to_string().into()),
        None => Ok(report),
    }
}

impl Neighbour {
    const fn prefix(self) -> &'static str {
        match self {
            Self::None => "alone",
            Self::Locked => "locked",
            Self::Moved => "moved",
            Self::Crowded => "crowded",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::None => "alone",
            Self::Locked => "beside a link whose head a session holds locked",
            Self::Moved => "beside a link that two nodes commit to",
            Self::Crowded => "beside a link of 1,000 tables with 4,096 in flight",
        }
    }

    /// Returns the load of the neighbour, if there is one.
    fn plan(self, ours: &Ours) -> Option<Plan> {
        let plan = Plan {
            end: End::After(FOR_LONG),
            patience: FOR_LONG,
            ..ours.plan(self.prefix(), FOR_LONG)
        };
        match self {
            Self::None => None,
            Self::Crowded => Some(Plan {
                tables: CROWD_TABLES,
                pace: Pace::InFlight(CROWD_IN_FLIGHT),
                ..plan
            }),
            Self::Locked | Self::Moved => Some(Plan {
                tables: FEW_TABLES,
                transport: streams(FEW_STREAMS, COMMANDS_A_MESSAGE),
                pace: Pace::Rate {
                    a_second: FEW_RATE,
                    burst: Duration::ZERO,
                },
                ..plan
            }),
        }
    }
}

impl Quick {
    fn figure(&self, neighbour: Neighbour, alone: &Self) -> Figure {
        let what = format!(
            "{LINKS} quick links, {} commands/s, {}",
            grouped(RATE),
            neighbour.words()
        );
        let p99 = Spread::of(self.p99.iter().copied());
        let counted = |count: u64, how| match count {
            0 => String::new(),
            _ => format!("; {count} {how}"),
        };
        let mut measured = format!("p99 {} ms", with_ends(p99, thousandths));
        measured.push_str(&counted(self.lost, "refused or lost"));
        measured.push_str(&counted(self.unsent, "due and not sent before the end"));
        if neighbour == Neighbour::None {
            return Figure::new(what, measured, "", None);
        }
        let ratio = Spread::of_ratios(&self.p99, &alone.p99);
        let times = format!("; {} times that alone", with_ends(ratio, hundredths));
        measured.push_str(&times);
        let is_whole = self.lost == 0 && self.unsent * 1_000 <= self.commands * UNSENT_MAX;
        let met = ratio.median <= RATIO_MAX && is_whole;
        let asked = format!("{} times, none lost", hundredths(RATIO_MAX));
        Figure::new(what, measured, asked, Some(met))
    }
}

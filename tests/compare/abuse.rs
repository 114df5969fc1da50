//! A well-behaved set of tables beside one abuser after another, on one link of one server.
//!
//! # Shape
//! The tables play to a schedule over streams, first and last alone, between that beside each [`Kind`] of abuse; the load
//! generator compares their books each time. What the abuser was told stands in the row.
//!
//! # What bounds it
//! Each abuser's own numbers; the server's memory is looked at every [`LOOK_EVERY`].

mod connections;
mod requests;
mod streams;

use std::net::SocketAddr;
use std::time::Duration;

use meterhouse_load::{Latency, Pace, Plan, Report, Tokens};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use self::streams::{Abuser, Manner};
use crate::Failure;
use crate::figure::{Figure, Stage};
use crate::ours::{self, Ours};
use crate::table::thousandths;

/// The well-behaved: tables, streams, commands a second.
const TABLES: u32 = 16;
const STREAMS: u32 = 4;
const COMMANDS: u64 = 200;
/// Seconds that each case is measured.
const SECONDS: u64 = 10;
/// How long an abuser has to begin, and the server to come to rest after it.
const BETWEEN: Duration = Duration::from_secs(2);
/// How often the server's memory is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// µs within which 99 of a hundred outcomes come to whoever is undisturbed: what an open loop allows 999 of a thousand.
const P99_MAX: u64 = 25_000;
/// KiB that the server may have in use, whoever abuses it.
const MEMORY_MAX_KIB: u64 = 200 * 1_024;
/// µs of a ms.
const MICROS_OF_A_MILLI: u64 = 1_000;
/// KiB of a MiB.
const KIB_OF_A_MIB: u64 = 1_024;

/// What an abuser does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// Connections to the port for gRPC that say nothing.
    SilentGrpc,
    /// Connections to the port for HTTP that say nothing.
    SilentHttp,
    /// A stream of a table.
    Stream(Manner),
    /// Half frames, half requests and noise on both ports.
    Nonsense,
    /// A flood of one table over HTTP.
    Requests,
}

/// Every one, in the order of the rows.
const KINDS: [Kind; 8] = [
    Kind::SilentGrpc,
    Kind::SilentHttp,
    Kind::Stream(Manner::Unread),
    Kind::Stream(Manner::Repeats),
    Kind::Stream(Manner::Refused),
    Kind::Stream(Manner::Flood),
    Kind::Nonsense,
    Kind::Requests,
];

/// Where it is played.
struct Scene<'a> {
    ours: &'a Ours,
    plan: Plan,
    tokens: Tokens,
    /// One for each of [`KINDS`].
    abusers: Vec<Abuser>,
}

/// How the well-behaved fared.
struct Fared {
    latency: Latency,
    /// What they should not have met: refusals, lost connections, commands that were not sent.
    disturbed: u64,
    /// KiB of the server, the most that was seen.
    memory: u64,
}

/// Measures the well-behaved alone and beside each abuser.
pub(crate) async fn measure(stage: &Stage) -> Result<Vec<Figure>, Failure> {
    let figures = async |ours: &mut Ours| Scene::new(stage, ours).await?.figures(stage).await;
    stage.on_fresh("abuse", figures).await
}

impl<'a> Scene<'a> {
    async fn new(stage: &Stage, ours: &'a Ours) -> Result<Self, Failure> {
        let length = stage.options.long(SECONDS);
        let plan = Plan {
            tables: TABLES,
            transport: ours::streams(STREAMS, 1),
            pace: Pace::Rate {
                a_second: COMMANDS,
                burst: Duration::ZERO,
            },
            ..ours.plan("abuse", length)
        };
        // The abusers' tables come behind the others.
        let count = u32::try_from(KINDS.len())?;
        let all = Plan {
            tables: TABLES + count,
            ..plan.clone()
        };
        let tokens = ours.seated(&all).await?;
        let mut abusers = Vec::new();
        for (_, table) in all.tables().split_off(TABLES as usize) {
            let token = tokens.controllers.get(&table).ok_or("no token")?.clone();
            let abuser = Abuser {
                grpc: ours.grpc().to_owned(),
                http: address(ours.http())?,
                table,
                token,
            };
            streams::open_round(&abuser).await?;
            abusers.push(abuser);
        }
        Ok(Self {
            ours,
            plan,
            tokens,
            abusers,
        })
    }

    async fn figures(&self, stage: &Stage) -> Result<Vec<Figure>, Failure> {
        stage.settle().await?;
        let alone = self.play().await?;
        let mut figures = vec![alone.figure("alone", "")];
        for (kind, abuser) in KINDS.into_iter().zip(&self.abusers) {
            stage.settle().await?;
            let stop = CancellationToken::new();
            let _stops = stop.clone().drop_guard();
            let abusing = tokio::spawn(abuse(kind, abuser.clone(), stop.clone()));
            sleep(BETWEEN).await;
            let fared = self.play().await;
            stop.cancel();
            let came = abusing.await??;
            figures.push(fared?.figure(&kind.what(), &came));
            sleep(BETWEEN).await;
        }
        stage.settle().await?;
        let after = self.play().await?;
        figures.push(after.figure("alone again", ""));
        Ok(figures)
    }

    /// Lets the well-behaved play once, and looks at the server's memory meanwhile.
    async fn play(&self) -> Result<Fared, Failure> {
        let (plan, tokens) = (self.plan.clone(), self.tokens.clone());
        let playing = meterhouse_load::run(plan, tokens, CancellationToken::new());
        tokio::pin!(playing);
        let mut memory = 0;
        let report = loop {
            tokio::select! {
                report = &mut playing => break report?,
                () = sleep(LOOK_EVERY) => memory = memory.max(self.ours.memory()?.0),
            }
        };
        if let Some(check) = report.checks.iter().find(|it| !it.agrees()) {
            return Err(check.to_string().into());
        }
        Ok(Fared {
            latency: report.latency,
            disturbed: disturbed(&report),
            memory,
        })
    }
}

/// Counts what those who behave should not meet.
pub(crate) fn disturbed(report: &Report) -> u64 {
    lost(report) + report.unsent
}

/// Returns the number of commands that were refused or lost.
pub(crate) fn lost(report: &Report) -> u64 {
    report.refusals.values().sum::<u64>() + report.reconnects + report.resent
}

async fn abuse(kind: Kind, abuser: Abuser, stop: CancellationToken) -> Result<String, Failure> {
    let grpc = address(&abuser.grpc)?;
    match kind {
        Kind::SilentGrpc => connections::silent(grpc, stop).await,
        Kind::SilentHttp => connections::silent(abuser.http, stop).await,
        Kind::Stream(manner) => streams::abuse(abuser, manner, stop).await,
        Kind::Nonsense => connections::nonsense([grpc, abuser.http], stop).await,
        Kind::Requests => requests::flood(abuser, stop).await,
    }
}

fn address(url: &str) -> Result<SocketAddr, Failure> {
    Ok(url.trim_start_matches("http://").parse()?)
}

impl Kind {
    fn what(self) -> String {
        let silent = connections::SILENT;
        match self {
            Self::SilentGrpc => format!("beside {silent} silent connections, gRPC"),
            Self::SilentHttp => format!("beside {silent} silent connections, HTTP"),
            Self::Stream(Manner::Unread) => "beside a stream that reads no answers".to_owned(),
            Self::Stream(Manner::Repeats) => "beside a stream of repeats".to_owned(),
            Self::Stream(Manner::Refused) => "beside a stream of refused commands".to_owned(),
            Self::Stream(Manner::Flood) => "beside one table's flood over a stream".to_owned(),
            Self::Nonsense => {
                let each = connections::NONSENSE;
                format!("beside half frames and noise, {each} connections a port")
            }
            Self::Requests => {
                let count = requests::CONNECTIONS;
                format!("beside one table's flood over HTTP, {count} connections")
            }
        }
    }
}

impl Fared {
    fn figure(&self, beside: &str, came: &str) -> Figure {
        let what = format!("{TABLES} tables, {COMMANDS} commands/s over streams, {beside}");
        let Latency { p50, p99, max, .. } = self.latency;
        let mut measured = format!(
            "p50 {} ms, p99 {} ms, max {} ms; {} refused, lost or not sent, books agree; server {} MiB",
            thousandths(p50),
            thousandths(p99),
            thousandths(max),
            self.disturbed,
            self.memory / KIB_OF_A_MIB
        );
        if !came.is_empty() {
            measured.push_str("; the abuser: ");
            measured.push_str(came);
        }
        let asked = format!(
            "none refused, p99 {} ms, at most {} MiB",
            P99_MAX / MICROS_OF_A_MILLI,
            MEMORY_MAX_KIB / KIB_OF_A_MIB
        );
        let met = self.disturbed == 0 && p99 <= P99_MAX && self.memory <= MEMORY_MAX_KIB;
        Figure::new(what, measured, asked, Some(met))
    }
}

//! A run: the tables are shared out among the connections, all connections start together, and the books are compared
//! at the end.
//!
//! # Order
//! The books are read before the first command and after the last outcome. The difference is the work of this run.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_http_client::Client;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::book_windows;
use crate::books::{self, Baseline};
use crate::connection_group::ConnectionGroup;
use crate::counters::Counters;
use crate::error::LoadError;
use crate::figures::CpuUsed;
use crate::http;
use crate::machine::UsageWatch;
use crate::plan::{End, Pace, Plan, Tokens, Transport};
use crate::prepare::table_drivers;
use crate::report::{Report, describe};
use crate::run_context::RunContext;
use crate::stream;
use crate::supervisor;
use crate::table_driver::TableDriver;

/// Nanoseconds of a microsecond.
const NANOS_PER_MICRO: u64 = 1_000;
/// Microseconds of a second.
const MICROS: u64 = 1_000_000;

/// Plays a plan with links and tables that [`prepare`](crate::prepare()) made. If `stop` is cancelled, open rounds are
/// closed and the books are compared nevertheless.
///
/// # Errors
/// A plan that can't be played, or a server that stays away for longer than the plan's patience. Also an outcome that
/// violates the contract, so that playing on would prove nothing. Other violations are only counted in the report.
pub async fn run(plan: Plan, tokens: Tokens, stop: CancellationToken) -> Result<Report, LoadError> {
    plan.check()?;
    let client = plan.client()?.with_retry_max(plan.patience);
    let tables = table_drivers(&plan, &tokens, &client).await?;
    let mut baseline = Baseline {
        totals: books::read(&plan, &tokens.manager, &client).await?,
        window_starts: vec![book_windows::server_time(&plan, &tokens.manager, &client).await?],
    };
    let (pending_hits, queue) = mpsc::channel(supervisor::QUEUED_HITS_MAX);
    let context = Arc::new(RunContext::new(plan, pending_hits, stop)?);
    let mut tasks = JoinSet::new();
    let mut settled_senders = Vec::new();
    for (index, tables) in shares(tables, &context).into_iter().enumerate() {
        // Each table has at most one unsettled hit, so that the supervisor never waits for room here.
        let (sender, settled) = mpsc::channel(tables.len().max(1));
        settled_senders.push(sender);
        let group = ConnectionGroup::new(Arc::clone(&context), index, tables)?;
        match context.plan.transport {
            Transport::Streams { .. } => tasks.spawn(stream::play(group, settled)),
            Transport::Http { .. } => tasks.spawn(http::play(group, settled)),
        };
    }
    let token = tokens.supervisor.clone();
    let settling = supervisor::settle_hits(client.clone(), token, queue, settled_senders);
    let supervisor = tokio::spawn(settling);
    let ended = CancellationToken::new();
    let measuring = tokio::spawn(measure_cpu(Arc::clone(&context), ended.clone()));
    let (plan, manager) = (context.plan.clone(), tokens.manager.clone());
    let recording = tokio::spawn(book_windows::record_windows(
        plan,
        manager,
        client.clone(),
        ended.clone(),
    ));
    let joined = join_groups(&mut tasks, supervisor).await;
    ended.cancel();
    let Joined { tables, counters } = match joined {
        Ok(joined) => joined,
        Err(error) => {
            measuring.abort();
            return Err(error);
        }
    };
    let cpu = measuring.await?;
    baseline.window_starts.extend(recording.await?);
    report(
        &context, &tokens, &client, &baseline, &tables, counters, cpu,
    )
    .await
}

/// Returns the tables of each connection.
fn shares(tables: Vec<TableDriver>, context: &RunContext) -> Vec<Vec<TableDriver>> {
    let mut shares: Vec<Vec<TableDriver>> = Vec::new();
    shares.resize_with(context.plan.connections() as usize, Vec::new);
    let count = shares.len().max(1);
    for (index, table) in tables.into_iter().enumerate() {
        if let Some(share) = shares.get_mut(index % count) {
            share.push(table);
        }
    }
    shares
}

/// The tables and counters of all finished groups.
struct Joined {
    tables: Vec<TableDriver>,
    counters: Counters,
}

/// Waits for all groups. The first failure of a group or of the supervisor ends the run.
async fn join_groups(
    tasks: &mut JoinSet<Result<ConnectionGroup, LoadError>>,
    mut supervisor: JoinHandle<Result<(), LoadError>>,
) -> Result<Joined, LoadError> {
    let mut joined = Joined {
        tables: Vec::new(),
        counters: Counters::new()?,
    };
    loop {
        tokio::select! {
            ended = tasks.join_next() => match ended {
                Some(group) => {
                    let group = group??;
                    joined.tables.extend(group.tables);
                    joined.counters.add(group.counters);
                }
                None => break,
            },
            // The supervisor's task ends before the groups only if it failed.
            ended = &mut supervisor => {
                ended??;
                return Err(LoadError::broken("the supervisor's task ended before the tables"));
            }
        }
    }
    supervisor.abort();
    Ok(joined)
}

/// Measures processor time and memory during the measured time.
async fn measure_cpu(context: Arc<RunContext>, ended: CancellationToken) -> CpuUsed {
    context.wait_for_start().await;
    tokio::select! {
        () = sleep(context.time_to(context.measured_from)) => {}
        () = ended.cancelled() => {}
    }
    let watch = UsageWatch::start(context.plan.processes);
    let length = match context.plan.end {
        End::After(length) => length,
        End::Commands(_) => Duration::MAX,
    };
    tokio::select! {
        () = sleep(length) => {}
        () = ended.cancelled() => {}
        () = context.stop.cancelled() => {}
    }
    watch.read()
}

async fn report(
    context: &RunContext,
    tokens: &Tokens,
    client: &Client,
    baseline: &Baseline,
    tables: &[TableDriver],
    counters: Counters,
    cpu: CpuUsed,
) -> Result<Report, LoadError> {
    let plan = &context.plan;
    let checks = books::check(plan, &tokens.manager, client, baseline, tables, &counters).await?;
    let measured_until = context.measured_until.min(counters.last_outcome);
    let measured_micros = measured_until.saturating_sub(context.measured_from) / NANOS_PER_MICRO;
    let all = u128::from(counters.measured) * u128::from(MICROS);
    let a_second = all / u128::from(measured_micros.max(1));
    let (latency, intervals) = context.timeline.finish();
    let is_planned = matches!(plan.pace, Pace::Rate { .. });
    Ok(Report {
        played: describe(plan),
        commands: counters.commands,
        coin_ins: tables.iter().map(|table| table.acknowledged.rounds).sum(),
        wagers: tables.iter().map(|table| table.acknowledged.wagers).sum(),
        measured: counters.measured,
        measured_micros,
        a_second: u64::try_from(a_second).unwrap_or(u64::MAX),
        latency,
        hits: counters.hits.figures(),
        delay: is_planned.then(|| counters.delay.figures()),
        unsent: counters.unsent,
        refusals: counters.refusals,
        resent: counters.resent,
        reconnects: counters.reconnects,
        cuts: counters.cuts,
        repeats: counters.repeats,
        reorderings: counters.reorderings,
        cpu,
        intervals,
        checks,
    })
}

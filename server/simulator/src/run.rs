//! A run: starts the supervisors, plays all physical tables, and compares the sums with the server's at the end.
//!
//! # Order
//! Open rounds and unpaid hits of an earlier run are finished before the sums start. Supervisors and controllers run until
//! the last round is over.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join_all;
use meterhouse_api::hit::Payout;
use meterhouse_api::report::Reconciliation;
use meterhouse_journal::hit::HitState;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use crate::context::RunContext;
use crate::counters::{ComparedSum, read};
use crate::error::SimulatorError;
use crate::limits::WAIT_MAX;
use crate::manager;
use crate::physical_table::PhysicalTable;
use crate::plan::{Gateway, Plan, Tokens};
use crate::reconciliation::is_balanced;
use crate::stop::stopped;
use crate::supervisor::{Supervisor, hits_by_state};
use crate::table_controller::TableController;

/// Interval of the progress reports.
const PROGRESS_EVERY: Duration = Duration::from_secs(1);

/// The progress of a run.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Rounds played at all physical tables together.
    pub rounds: u64,
    /// Rounds to play. 0 means no limit.
    pub rounds_planned: u64,
    /// Accepted wagers.
    pub wagers: u64,
    /// Winning hands keyed.
    pub hits: u64,
    /// Time since the first round.
    pub elapsed: Duration,
    /// Rounds a second since the first round.
    pub rounds_per_second: u64,
    /// The latest displayed amounts of each link: link, then level and amount.
    pub meters: Vec<(String, Vec<(String, String)>)>,
}

/// The summary of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Rounds played at all physical tables together. The tables of a physical table play one round together.
    pub rounds: u64,
    /// Rounds played, by game.
    pub rounds_by_game: BTreeMap<String, u64>,
    /// Accepted wagers, including those of void rounds.
    pub wagers: u64,
    /// Winning hands keyed on all links, by hand.
    pub hits_by_hand: BTreeMap<String, u64>,
    /// Hits keyed by mistake and cancelled.
    pub cancelled: u64,
    /// Hits rejected by supervisors.
    pub rejected: u64,
    /// Hits with new amounts, because an earlier hit was rejected or withdrawn.
    pub resettled: u64,
    /// Hits withdrawn by two people.
    pub corrected: u64,
    /// Hits found after GAME OVER.
    pub late_hits: u64,
    /// Void rounds, counted once a table.
    pub voids: u64,
    /// Void rounds whose chip count differed from their accepted wagers.
    pub miscounts: u64,
    /// Rounds settled from all their cards, counted once a table.
    pub settles: u64,
    /// Magic Cards and Lucky Bonuses.
    pub bonuses: u64,
    /// Tables that were lost and came back.
    pub tables_lost: u64,
    /// Adjustments by two people.
    pub adjustments: u64,
    /// Reports of the staged incidents.
    pub incidents: Vec<String>,
    /// Commands sent again after their outcome, which got the same outcome.
    pub replays: u64,
    /// Commands whose response was dropped and that were sent again.
    pub dropped_responses: u64,
    /// Time from the first round until the supervisors have finished.
    pub elapsed: Duration,
    /// The simulation's own sums and the server's. They also differ if other tables play on the same links.
    pub compared: Vec<ComparedSum>,
    /// The server's reconciliations since each link was opened, in the plan's order.
    pub reconciliations: Vec<Reconciliation>,
}

impl Summary {
    /// Returns `true` if every level of every link has a difference of 0.00.
    pub fn is_balanced(&self) -> bool {
        self.reconciliations.iter().all(is_balanced)
    }
}

/// Plays a plan whose links and tables [`prepare`](crate::prepare()) opened. After `stop` is true, every physical table
/// finishes its round. `progress` is called once a second.
///
/// # Errors
/// The first unexpected result, such as an unreachable server, an unexpected response, or a hit that no supervisor
/// settles.
pub async fn run(
    plan: Plan,
    tokens: Tokens,
    gateway: Gateway,
    stop: watch::Receiver<bool>,
    progress: impl Fn(&Progress),
) -> Result<Summary, SimulatorError> {
    let context = Arc::new(RunContext::new(plan, tokens, gateway)?);
    let closed = watch::Sender::new(false);
    let mut supervisors = JoinSet::new();
    for supervisor in Supervisor::all(&context)? {
        supervisors.spawn(supervisor.run(closed.subscribe()));
    }
    let playing = async {
        manager::restore_links(&context).await?;
        let opening = context
            .plan
            .physical_tables()
            .into_iter()
            .map(|plan| PhysicalTable::open(Arc::clone(&context), plan));
        let mut physical_tables = try_join_all(opening).await?;
        PhysicalTable::connect_resettled_pair(&context, &mut physical_tables);
        wait_until_paid(&context).await?;
        context.counters.reset_links();
        let before = reconciliations(&context).await?;
        let started = Instant::now();
        let played = play(&context, physical_tables, started, stop, &progress).await?;
        try_join_all(played.into_iter().map(PhysicalTable::close)).await?;
        Ok::<_, SimulatorError>((before, started))
    };
    let (before, started) = tokio::select! {
        outcome = playing => outcome?,
        failed = first_failure(&mut supervisors) => return Err(failed),
    };
    closed.send_replace(true);
    while let Some(ended) = supervisors.join_next().await {
        ended??;
    }
    let elapsed = started.elapsed();
    let after = reconciliations(&context).await?;
    Ok(summary(&context, elapsed, &before, after))
}

/// Plays until the last round of every physical table, and returns the physical tables. The first error ends the run.
async fn play(
    context: &Arc<RunContext>,
    physical_tables: Vec<PhysicalTable>,
    started: Instant,
    stop: watch::Receiver<bool>,
    progress: &impl Fn(&Progress),
) -> Result<Vec<PhysicalTable>, SimulatorError> {
    let mut done = Vec::new();
    let count = physical_tables.len() as u64;
    let mut tasks = JoinSet::new();
    for physical_table in physical_tables {
        tasks.spawn(physical_table.play(started, count, stop.clone()));
    }
    let mut ticks = interval(PROGRESS_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            ended = tasks.join_next() => match ended {
                Some(ended) => done.push(ended??),
                None => break,
            },
            _ = ticks.tick() => progress(&current_progress(context, started.elapsed())),
        }
    }
    progress(&current_progress(context, started.elapsed()));
    Ok(done)
}

/// Keeps the controllers of all tables of a plan connected until `stop` is true, without playing. Otherwise the tables
/// would be lost.
///
/// # Errors
/// A controller that can't be opened, or that doesn't come online.
pub async fn keep_alive(
    plan: Plan,
    tokens: Tokens,
    gateway: Gateway,
    mut stop: watch::Receiver<bool>,
) -> Result<(), SimulatorError> {
    let context = Arc::new(RunContext::new(plan, tokens, gateway)?);
    let tables = context.plan.links.iter().flat_map(|link| &link.tables);
    let opening = tables.map(|table| TableController::open(&context, &table.table));
    let controllers = try_join_all(opening).await?;
    stopped(&mut stop).await;
    let closing = controllers
        .into_iter()
        .map(|(controller, _)| controller.close());
    try_join_all(closing).await?;
    Ok(())
}

/// Waits until the supervisors have paid the hits that an earlier run left validated, such as a late hit.
async fn wait_until_paid(context: &RunContext) -> Result<(), SimulatorError> {
    let started = Instant::now();
    loop {
        let hits = hits_by_state(context, &context.tokens.manager, HitState::Validated).await?;
        let unpaid = hits.iter().find(|hit| {
            let table = hit.hit.summary.table.as_str();
            context.tokens.controllers.contains_key(table)
                && hit.hit.payouts.iter().any(Payout::waits_for_document)
        });
        let Some(unpaid) = unpaid else {
            return Ok(());
        };
        let waited = started.elapsed();
        if waited > WAIT_MAX {
            let what = format!("hit {} was not paid", unpaid.hit.summary.hit);
            return Err(SimulatorError::NotInTime { what, waited });
        }
        sleep(context.poll_interval).await;
    }
}

/// Waits for the first error of a supervisor. Waits forever if all end without one.
async fn first_failure(supervisors: &mut JoinSet<Result<(), SimulatorError>>) -> SimulatorError {
    loop {
        match supervisors.join_next().await {
            Some(Ok(Ok(()))) => {}
            Some(Ok(Err(error))) => return error,
            Some(Err(error)) => return error.into(),
            None => std::future::pending().await,
        }
    }
}

/// Returns the server's reconciliation of every link.
async fn reconciliations(context: &RunContext) -> Result<Vec<Reconciliation>, SimulatorError> {
    let mut all = Vec::new();
    for link in &context.plan.links {
        let path = format!("/v1/links/{}/reconciliation", link.link);
        all.push(context.client.get(&context.tokens.manager, path).await?);
    }
    Ok(all)
}

fn current_progress(context: &RunContext, elapsed: Duration) -> Progress {
    let counters = &context.counters;
    let rounds = read(&counters.rounds);
    let millis = u64::try_from(elapsed.as_millis())
        .unwrap_or(u64::MAX)
        .max(1);
    let links = context.plan.links.iter().enumerate();
    Progress {
        rounds,
        rounds_planned: context.plan.rounds,
        wagers: read(&counters.wagers),
        hits: counters.hits_by_hand().values().sum(),
        elapsed,
        rounds_per_second: rounds.saturating_mul(1_000) / millis,
        meters: links
            .map(|(index, link)| (link.link.clone(), counters.meters(index)))
            .collect(),
    }
}

fn summary(
    context: &RunContext,
    elapsed: Duration,
    before: &[Reconciliation],
    after: Vec<Reconciliation>,
) -> Summary {
    let counters = &context.counters;
    Summary {
        rounds: read(&counters.rounds),
        rounds_by_game: counters.rounds_by_game(),
        wagers: read(&counters.wagers),
        hits_by_hand: counters.hits_by_hand(),
        cancelled: read(&counters.cancelled),
        rejected: read(&counters.rejected),
        resettled: read(&counters.resettled),
        corrected: read(&counters.corrected),
        late_hits: read(&counters.late_hits),
        voids: read(&counters.voids),
        miscounts: read(&counters.miscounts),
        settles: read(&counters.settles),
        bonuses: read(&counters.bonuses),
        tables_lost: read(&counters.tables_lost),
        adjustments: read(&counters.adjustments),
        incidents: context.incident_reports(),
        replays: read(&counters.replays),
        dropped_responses: read(&counters.dropped_responses),
        elapsed,
        compared: counters.compare(&context.plan, before, &after),
        reconciliations: after,
    }
}

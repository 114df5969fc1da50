//! A run: the floor comes to work, the felts open and play, and at the end the books are compared.
//!
//! # What order holds
//! What an earlier run left is finished before the books are opened; the floor works and the controllers are on until the
//! last round is over.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join_all;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use crate::books::{BookLine, read};
use crate::client::Request;
use crate::error::SimulatorError;
use crate::felt::Felt;
use crate::floor::{Supervisor, hits_in};
use crate::limits::WAIT_MAX;
use crate::office;
use crate::plan::{Gateway, Plan, Tokens};
use crate::report::is_balanced;
use crate::stop::stopped;
use crate::table::TableController;
use crate::world::World;

/// How often the progress is told.
const PROGRESS_EVERY: Duration = Duration::from_secs(1);

/// How far a run is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Rounds played, all felts together.
    pub rounds: u64,
    /// Rounds to play; 0: until stopped.
    pub rounds_planned: u64,
    /// Accepted wagers.
    pub wagers: u64,
    /// Winning hands keyed.
    pub hits: u64,
    /// How long it has been going.
    pub elapsed: Duration,
    /// Rounds a second since the beginning.
    pub rounds_per_second: u64,
    /// What the signs of each link showed last: link, then level and amount.
    pub meters: Vec<(String, Vec<(String, String)>)>,
}

/// What a run did.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Rounds played, all felts together; a felt's two tables play one round.
    pub rounds: u64,
    /// The same by game.
    pub rounds_by_game: BTreeMap<String, u64>,
    /// Accepted wagers, those of void rounds among them.
    pub wagers: u64,
    /// Winning hands keyed, by hand, over all links.
    pub hits_by_hand: BTreeMap<String, u64>,
    /// Buttons pressed by mistake and cancelled.
    pub cancelled: u64,
    /// Hits rejected by the floor.
    pub rejected: u64,
    /// Hits with new amounts, because an earlier one was rejected or withdrawn.
    pub resettled: u64,
    /// Hits withdrawn by two people.
    pub corrected: u64,
    /// Hits found after GAME OVER.
    pub late_hits: u64,
    /// Void rounds, counted a table.
    pub voids: u64,
    /// Those of them whose chips were counted otherwise than their wagers were accepted.
    pub miscounts: u64,
    /// Rounds settled from all their cards, counted a table.
    pub settles: u64,
    /// Magic Cards and Lucky Bonuses.
    pub bonuses: u64,
    /// Tables that were lost, and came back.
    pub tables_lost: u64,
    /// Adjustments by two people.
    pub adjustments: u64,
    /// What was staged, in words.
    pub staged: Vec<String>,
    /// Messages sent twice and answered the same.
    pub repeats: u64,
    /// Messages whose answer was lost and that were sent again.
    pub lost_answers: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// The simulation's own books beside the server's. They differ as well when somebody else plays on the
    /// same links meanwhile.
    pub books: Vec<BookLine>,
    /// The server's reconciliations since each link was opened, in the plan's order.
    pub reconciliations: Vec<Value>,
}

impl Summary {
    /// Whether every level of every link has a difference of 0.00.
    pub fn is_balanced(&self) -> bool {
        self.reconciliations.iter().all(is_balanced)
    }
}

/// Plays the plan with links and tables that [`prepare`](crate::prepare()) made. When `stop` becomes true, every felt
/// finishes its round; `progress` hears once a second how far it is.
///
/// # Errors
/// Everything that was not expected, the first of it: a server that stays away, an answer that should have been
/// another, a hit that nobody settles.
pub async fn run(
    plan: Plan,
    tokens: Tokens,
    gateway: Gateway,
    stop: watch::Receiver<bool>,
    progress: impl Fn(&Progress),
) -> Result<Summary, SimulatorError> {
    let world = Arc::new(World::new(plan, tokens, gateway)?);
    let closed = watch::Sender::new(false);
    let mut floor = JoinSet::new();
    for supervisor in Supervisor::all(&world)? {
        floor.spawn(supervisor.work(closed.subscribe()));
    }
    let played = async {
        office::reopen(&world).await?;
        let felts = world
            .plan
            .felts()
            .into_iter()
            .map(|felt| Felt::open(Arc::clone(&world), felt));
        let mut felts = try_join_all(felts).await?;
        Felt::introduce(&world, &mut felts);
        nothing_unpaid(&world).await?;
        world.books.begin();
        let before = reconciliations(&world).await?;
        let started = Instant::now();
        let felts = play(&world, felts, started, stop, &progress).await?;
        try_join_all(felts.into_iter().map(Felt::close)).await?;
        Ok::<_, SimulatorError>((before, started))
    };
    let (before, started) = tokio::select! {
        outcome = played => outcome?,
        failed = first_failure(&mut floor) => return Err(failed),
    };
    closed.send_replace(true);
    while let Some(ended) = floor.join_next().await {
        ended??;
    }
    let elapsed = started.elapsed();
    let after = reconciliations(&world).await?;
    Ok(summary(&world, elapsed, &before, after))
}

/// Plays until every felt is done, and returns them; the first failure ends it.
async fn play(
    world: &Arc<World>,
    felts: Vec<Felt>,
    started: Instant,
    stop: watch::Receiver<bool>,
    progress: &impl Fn(&Progress),
) -> Result<Vec<Felt>, SimulatorError> {
    let mut done = Vec::new();
    let count = felts.len() as u64;
    let mut tasks = JoinSet::new();
    for felt in felts {
        tasks.spawn(felt.play(started, count, stop.clone()));
    }
    let mut ticks = interval(PROGRESS_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            ended = tasks.join_next() => match ended {
                Some(ended) => done.push(ended??),
                None => break,
            },
            _ = ticks.tick() => progress(&so_far(world, started.elapsed())),
        }
    }
    progress(&so_far(world, started.elapsed()));
    Ok(done)
}

/// Keeps the controllers of all tables of a plan switched on until told to stop: tables that nobody plays at are there
/// all the same.
///
/// # Errors
/// A controller that can't be opened, or that does not come online.
pub async fn keep_alive(
    plan: Plan,
    tokens: Tokens,
    gateway: Gateway,
    mut stop: watch::Receiver<bool>,
) -> Result<(), SimulatorError> {
    let world = Arc::new(World::new(plan, tokens, gateway)?);
    let tables = world.plan.links.iter().flat_map(|link| &link.tables);
    let opening = tables.map(|table| TableController::open(&world, &table.table));
    let controllers = try_join_all(opening).await?;
    stopped(&mut stop).await;
    let closing = controllers
        .into_iter()
        .map(|(controller, _)| controller.close());
    try_join_all(closing).await?;
    Ok(())
}

/// Waits until the floor has paid what an earlier run left validated, as a late hit may be.
async fn nothing_unpaid(world: &World) -> Result<(), SimulatorError> {
    let started = Instant::now();
    loop {
        let hits = hits_in(world, &world.tokens.manager, "validated").await?;
        let unpaid = hits.iter().find(|it| {
            world.tokens.controllers.contains_key(&it.table) && it.undocumented().next().is_some()
        });
        let Some(unpaid) = unpaid else {
            return Ok(());
        };
        let waited = started.elapsed();
        if waited > WAIT_MAX {
            let what = format!("hit {} was not paid", unpaid.name);
            return Err(SimulatorError::NotInTime { what, waited });
        }
        sleep(world.look).await;
    }
}

/// The failure of a supervisor; for ever if all do their work.
async fn first_failure(floor: &mut JoinSet<Result<(), SimulatorError>>) -> SimulatorError {
    loop {
        match floor.join_next().await {
            Some(Ok(Ok(()))) => {}
            Some(Ok(Err(error))) => return error,
            Some(Err(error)) => return error.into(),
            None => std::future::pending().await,
        }
    }
}

/// The server's books of every link.
async fn reconciliations(world: &World) -> Result<Vec<Value>, SimulatorError> {
    let mut all = Vec::new();
    for link in &world.plan.links {
        let request = Request::get(format!("/v1/links/{}/reconciliation", link.link));
        let reply = world.client.ask(&world.tokens.manager, &request).await?;
        all.push(request.read(&reply, &[200])?);
    }
    Ok(all)
}

fn so_far(world: &World, elapsed: Duration) -> Progress {
    let books = &world.books;
    let rounds = read(&books.rounds);
    let millis = u64::try_from(elapsed.as_millis())
        .unwrap_or(u64::MAX)
        .max(1);
    let links = world.plan.links.iter().enumerate();
    Progress {
        rounds,
        rounds_planned: world.plan.rounds,
        wagers: read(&books.wagers),
        hits: books.hits_by_hand().values().sum(),
        elapsed,
        rounds_per_second: rounds.saturating_mul(1_000) / millis,
        meters: links
            .map(|(place, link)| (link.link.clone(), books.meters(place)))
            .collect(),
    }
}

fn summary(world: &World, elapsed: Duration, before: &[Value], after: Vec<Value>) -> Summary {
    let books = &world.books;
    Summary {
        rounds: read(&books.rounds),
        rounds_by_game: books.rounds_by_game(),
        wagers: read(&books.wagers),
        hits_by_hand: books.hits_by_hand(),
        cancelled: read(&books.cancelled),
        rejected: read(&books.rejected),
        resettled: read(&books.resettled),
        corrected: read(&books.corrected),
        late_hits: read(&books.late_hits),
        voids: read(&books.voids),
        miscounts: read(&books.miscounts),
        settles: read(&books.settles),
        bonuses: read(&books.bonuses),
        tables_lost: read(&books.tables_lost),
        adjustments: read(&books.adjustments),
        staged: world.notes(),
        repeats: read(&books.repeats),
        lost_answers: read(&books.lost_answers),
        elapsed,
        books: books.compare(&world.plan, before, &after),
        reconciliations: after,
    }
}

//! A run: the floor comes to work, the felts open and play, and at the end the books are compared.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join_all;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::books::{BookLine, read};
use crate::client::Request;
use crate::error::SimulatorError;
use crate::felt::Felt;
use crate::floor::Supervisor;
use crate::plan::{Plan, Tokens};
use crate::report::is_balanced;
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
    /// Accepted wagers, those of void rounds among them.
    pub wagers: u64,
    /// Winning hands keyed, by hand, over all links.
    pub hits_by_hand: BTreeMap<String, u64>,
    /// Buttons pressed by mistake and cancelled.
    pub cancelled: u64,
    /// Hits rejected by the floor.
    pub rejected: u64,
    /// Void rounds, counted a table.
    pub voids: u64,
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
    stop: watch::Receiver<bool>,
    progress: impl Fn(&Progress),
) -> Result<Summary, SimulatorError> {
    let world = Arc::new(World::new(plan, tokens)?);
    let closed = watch::Sender::new(false);
    let mut floor = JoinSet::new();
    for supervisor in Supervisor::all(&world)? {
        floor.spawn(supervisor.work(closed.subscribe()));
    }
    let played = async {
        let felts = world
            .plan
            .felts()
            .into_iter()
            .map(|felt| Felt::open(Arc::clone(&world), felt));
        let felts = try_join_all(felts).await?;
        let before = reconciliations(&world).await?;
        let started = Instant::now();
        play(&world, felts, started, stop, &progress).await?;
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

/// Plays until every felt is done; the first failure ends it.
async fn play(
    world: &Arc<World>,
    felts: Vec<Felt>,
    started: Instant,
    stop: watch::Receiver<bool>,
    progress: &impl Fn(&Progress),
) -> Result<(), SimulatorError> {
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
                Some(ended) => ended??,
                None => break,
            },
            _ = ticks.tick() => progress(&so_far(world, started.elapsed())),
        }
    }
    progress(&so_far(world, started.elapsed()));
    Ok(())
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
        wagers: read(&books.wagers),
        hits_by_hand: books.hits_by_hand(),
        cancelled: read(&books.cancelled),
        rejected: read(&books.rejected),
        voids: read(&books.voids),
        repeats: read(&books.repeats),
        lost_answers: read(&books.lost_answers),
        elapsed,
        books: books.compare(&world.plan, before, &after),
        reconciliations: after,
    }
}

//! Committers over a faulty journal: whatever the database returns or fails to return, each command is committed once. Its
//! sender gets the committed outcome, or a temporary denial.
//!
//! # Shape
//! A simulation is one link in a [`MemoryDatabase`], two nodes over [`FaultyJournal`]s, and three tables. Each table plays
//! rounds with hits, and sends each command to random nodes until it is acknowledged. Nodes are killed at any step and
//! started again. Afterwards the faults stop, and a new node must return every outcome again.
//!
//! # Failures
//! - an outcome that differs from an earlier reply, or from the journal as a new node reads it
//! - a denial as not executed of a command that is in the journal, or may still be committed
//! - a sequence gap reported to a table whose last command was acknowledged
//! - a sender without a reply within [`REPLY_MAX`]
//! - an inconsistent journal ([`crate::memory_database`]), or a faulted link
//!
//! # Nondeterminism
//! The pauses of a committer that resolves a commit, and the limit of refusals a second, use real time. The tasks of one
//! simulation share one thread.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use meterhouse_domain::command::{Command, Envelope, LevelValue, PersonCommand, TableCommand};
use meterhouse_domain::event::Recorded;
use meterhouse_domain::ids::{ActorId, HitId, Sequence, TableNo, Timestamp};
use meterhouse_engine::answer::{Answer, NotExecuted};
use meterhouse_engine::simulation::Simulated;
use meterhouse_tests::{first_values, in_time};
use rand::RngExt as _;
use rand::rngs::StdRng;
use tokio::time::timeout;

use crate::faulty_journal::{FAULTS, FaultInjector, FaultyJournal};
use crate::links::{join, terms};
use crate::memory_database::{LINK, MemoryDatabase, OPENED_AT};
use crate::pipelining::{REPLY_MAX, may_be_retried};
use crate::rounds::{TableDriver, round};
use crate::seed::{Seed, times};

/// Number of simulations.
const SIMULATIONS: u64 = 48;
/// Number of threads. Simulations wait most of the time.
const THREADS: u64 = 8;
const NODES: usize = 2;
const TABLES: u32 = 3;
const ROUNDS: u32 = 12;
/// Maximum step of the clock, forward or back: forty days.
const STEP_MAX: i64 = 40 * 86_400 * 1_000_000;
const DEALER: ActorId = ActorId(1);
const SUPERVISOR: ActorId = ActorId(7);

/// One link with its database, nodes and tables.
struct Simulation {
    database: MemoryDatabase,
    faults: Arc<FaultInjector>,
    clock: Arc<AtomicI64>,
    nodes: Mutex<Vec<Arc<Simulated>>>,
    answers: Mutex<BTreeMap<(u32, u64), (Envelope, Answer)>>,
}

impl Simulation {
    async fn open(seed: Seed) -> Arc<Self> {
        let simulation = Self {
            database: MemoryDatabase::open(terms("simulated")),
            faults: FaultInjector::new(seed.rng("faults")),
            clock: Arc::new(AtomicI64::new(OPENED_AT.0)),
            nodes: Mutex::default(),
            answers: Mutex::default(),
        };
        let first = simulation.start("first").await.expect("no fault");
        let values = (0_u8..).zip(first_values(&terms("simulated")));
        let values = values.map(|(level, (_, amount))| LevelValue { level, amount });
        let accept = PersonCommand::AcceptValues {
            values: values.collect(),
        };
        let join = |number| PersonCommand::JoinTable(Box::new(join(&format!("T{number}"))));
        for command in [accept].into_iter().chain((1..=TABLES).map(join)) {
            let done = first.submit(by_person(command)).await.expect("no fault");
            done.expect("a first outcome");
        }
        first.stop().await;
        for number in 0..NODES {
            let node = simulation.start(&format!("node-{number}")).await;
            let node = Arc::new(node.expect("no fault"));
            simulation.nodes().push(node);
        }
        simulation.faults.set_active(true);
        Arc::new(simulation)
    }

    async fn start(&self, name: &str) -> Result<Simulated, String> {
        let journal = FaultyJournal::new(self.database.clone(), Arc::clone(&self.faults));
        let clock = Arc::clone(&self.clock);
        // The clock advances, so two nodes never write an identical batch.
        let now = move || Timestamp(clock.fetch_add(1, Ordering::Relaxed));
        Simulated::start(LINK, name, journal, now).await
    }

    fn nodes(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Simulated>>> {
        self.nodes.lock().expect("not poisoned")
    }

    /// Kills a node at its current step, and starts another node, with retries until there is no fault.
    async fn kill(&self, rng: &mut StdRng) {
        let index = rng.random_range(0..NODES);
        self.nodes()[index].crash();
        loop {
            let started = in_time("a link is loaded", self.start("again")).await;
            match started {
                Ok(node) => return self.nodes()[index] = Arc::new(node),
                Err(error) => {
                    assert!(error.starts_with("the journal can't be read"), "{error}");
                }
            }
        }
    }

    /// Sends a command to a random node.
    async fn send(
        &self,
        rng: &mut StdRng,
        envelope: Envelope,
    ) -> Result<Option<Answer>, NotExecuted> {
        if rng.random_ratio(1, 40) {
            self.kill(rng).await;
        }
        if rng.random_ratio(1, 20) {
            self.clock
                .fetch_add(rng.random_range(-STEP_MAX..=STEP_MAX), Ordering::Relaxed);
        }
        let node = Arc::clone(&self.nodes()[rng.random_range(0..NODES)]);
        let what = format!("{:?}", envelope.command);
        let reply = timeout(REPLY_MAX, node.submit(envelope)).await;
        reply.unwrap_or_else(|_| panic!("no reply to {what}"))
    }

    /// Records an answer. An earlier answer to the same command must be equal.
    fn record(&self, table: TableNo, sequence: u64, envelope: &Envelope, answer: &Answer) {
        let mut answers = self.answers.lock().expect("not poisoned");
        let (_, first) = answers
            .entry((table.0, sequence))
            .or_insert_with(|| (envelope.clone(), answer.clone()));
        assert_same(first, answer);
    }

    /// Asserts that a new node returns every recorded answer.
    async fn assert_replays(&self) {
        self.faults.set_active(false);
        let fresh = self.start("fresh").await.expect("no fault");
        let answers = self.answers.lock().expect("not poisoned").clone();
        for (envelope, first) in answers.into_values() {
            let answer = fresh.submit(envelope).await.expect("no fault");
            let answer = answer.expect("a table's command has an outcome");
            assert!(answer.replayed);
            assert_same(&first, &answer);
        }
        fresh.stop().await;
    }
}

fn assert_same(first: &Answer, second: &Answer) {
    let at = |answer: &Answer| {
        let outcome = &answer.outcome;
        (outcome.batch, outcome.position, outcome.at)
    };
    assert_eq!(at(first), at(second));
    assert_eq!(first.outcome.recorded, second.outcome.recorded);
    assert_eq!(first.outcome.displayed, second.outcome.displayed);
}

fn by_person(command: PersonCommand) -> Envelope {
    let command = Command::Person(command);
    Envelope {
        actor: SUPERVISOR,
        by: None,
        device_time: None,
        command,
    }
}

/// A table of a simulation.
struct SimulatedTable {
    simulation: Arc<Simulation>,
    rng: StdRng,
    table: TableNo,
    last: u64,
}

impl SimulatedTable {
    fn envelope(&self, sequence: u64, command: TableCommand) -> Envelope {
        let table = self.table;
        let command = Command::Table {
            table,
            sequence: Sequence(sequence),
            command,
        };
        Envelope {
            actor: DEALER,
            by: None,
            device_time: None,
            command,
        }
    }

    /// Replays an old command on a random node. An answer must equal the recorded answer.
    async fn replay(&mut self) {
        let old = self.rng.random_range(1..=self.last);
        let key = (self.table.0, old);
        let known = self
            .simulation
            .answers
            .lock()
            .expect("not poisoned")
            .get(&key)
            .cloned();
        let (envelope, _) = known.expect("a recorded answer");
        if let Ok(Some(answer)) = self.simulation.send(&mut self.rng, envelope.clone()).await {
            assert!(answer.replayed);
            self.simulation.record(self.table, old, &envelope, &answer);
        }
    }

    /// Asserts that a command denied as not executed is not in the journal.
    fn check_denial(&self, sequence: u64, denied: &NotExecuted, is_unresolved: &mut bool) {
        assert!(may_be_retried(denied), "{denied}");
        assert!(
            !matches!(denied, NotExecuted::SequenceGap { .. }),
            "{denied} after {}",
            self.last
        );
        if matches!(denied, NotExecuted::OutcomeUnknown) {
            *is_unresolved = true;
        } else if !*is_unresolved {
            let may_hold = self
                .simulation
                .database
                .state()
                .may_hold(self.table.0, sequence);
            assert!(
                !may_hold,
                "{denied}, and {sequence} of table {} may be committed",
                self.table
            );
        }
    }
}

impl TableDriver for SimulatedTable {
    async fn command(&mut self, command: TableCommand) -> (u64, Arc<Recorded>) {
        let sequence = self.last + 1;
        let envelope = self.envelope(sequence, command);
        let mut is_unresolved = false;
        loop {
            match self.simulation.send(&mut self.rng, envelope.clone()).await {
                Ok(answer) => {
                    let answer = answer.expect("a table's command has an outcome");
                    self.last = sequence;
                    let recorded = Arc::clone(&answer.outcome.recorded);
                    self.simulation
                        .record(self.table, sequence, &envelope, &answer);
                    if self.rng.random_ratio(1, 6) {
                        self.replay().await;
                    }
                    return (sequence, recorded);
                }
                Err(denied) => self.check_denial(sequence, &denied, &mut is_unresolved),
            }
        }
    }

    async fn decide(&mut self, command: PersonCommand) {
        loop {
            match self
                .simulation
                .send(&mut self.rng, by_person(command.clone()))
                .await
            {
                Ok(_) => return,
                Err(denied) => assert!(may_be_retried(&denied), "{denied}"),
            }
        }
    }

    fn hit(&self, sequence: u64) -> HitId {
        HitId {
            table: self.table,
            sequence: Sequence(sequence),
            number: 0,
        }
    }
}

async fn play(seed: Seed) -> [u64; FAULTS] {
    let simulation = Simulation::open(seed).await;
    let tables = (1..=TABLES).map(|number| {
        let rng = seed.rng(number);
        let table = TableNo(number);
        let mut player = SimulatedTable {
            simulation: Arc::clone(&simulation),
            rng,
            table,
            last: 0,
        };
        async move {
            let mut rng = seed.rng((number, "rounds"));
            for _ in 0..ROUNDS {
                round(&mut rng, &mut player).await;
            }
        }
    });
    futures_util::future::join_all(tables).await;
    simulation.assert_replays().await;
    simulation.database.state().assert_consistent();
    simulation
        .faults
        .counts
        .each_ref()
        .map(|count| count.load(Ordering::Relaxed))
}

/// In every simulation the acknowledgements equal the journal.
#[test]
fn committers_on_a_faulty_journal_lose_and_double_no_command() {
    let seed = Seed::announce("journal faults");
    let threads = (0..THREADS).map(|first| {
        let numbers = (first..times(SIMULATIONS)).step_by(usize::try_from(THREADS).expect("few"));
        std::thread::spawn(move || {
            numbers
                .map(|number| run_one(Seed(seed.number(number))))
                .collect::<Vec<_>>()
        })
    });
    let threads: Vec<_> = threads.collect();
    let mut faults = [0; FAULTS];
    for occurred in threads
        .into_iter()
        .flat_map(|thread| thread.join().expect("no panic"))
    {
        faults
            .iter_mut()
            .zip(occurred)
            .for_each(|(sum, occurred)| *sum += occurred);
    }
    println!("journal faults: {faults:?}");
    assert!(
        faults.iter().all(|count| *count > 0),
        "a fault did not occur: {faults:?}"
    );
}

/// Runs one simulation on one thread.
fn run_one(seed: Seed) -> [u64; FAULTS] {
    println!("journal faults: a simulation of {seed:?}");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(play(seed))
}

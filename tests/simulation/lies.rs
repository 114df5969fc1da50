//! Committers over a journal that lies: whatever the database says or fails to say, each command is counted once,
//! where its sender was told, or its sender was told to send it again.
//!
//! # Shape
//! A world is one link on a [`Disk`], two nodes over [`Liar`]s, three tables. Each table plays rounds with hits: a
//! number is sent to any node until it is answered. Nodes are killed at any step and started again. Afterwards the
//! weather clears, and a fresh node is asked for every answer again.
//!
//! # What counts as failure
//! - an answer that differs from one that was given before, or from what a fresh node finds in the journal
//! - "nothing was counted" about a command that is in the journal or may still get there
//! - a gap reported to a table whose last number was acknowledged
//! - a sender who hears nothing within [`HEARD_WITHIN`]
//! - a journal that is not whole ([`crate::disk`]), a faulted link
//!
//! # Known sources of nondeterminism
//! The pauses of a committer that seeks a lost outcome, and the limit of refusals a second, are real time. The
//! tasks of one world share one thread.

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

use crate::chance::{Seed, times};
use crate::disk::{Disk, LINK, OPENED_AT};
use crate::felts::{join, terms};
use crate::liar::{FAULTS, Liar, Weather};
use crate::rounds::{Felt, round};
use crate::rush::{HEARD_WITHIN, may_be_sent_again};

const WORLDS: u64 = 48;
/// They wait more than they work.
const THREADS: u64 = 8;
const NODES: usize = 2;
const TABLES: u32 = 3;
const ROUNDS: u32 = 12;
/// The longest step of the clock, forth or back: forty days.
const STEP_MAX: i64 = 40 * 86_400 * 1_000_000;
const DEALER: ActorId = ActorId(1);
const SUPERVISOR: ActorId = ActorId(7);

/// One link and everybody around it.
struct World {
    disk: Disk,
    weather: Arc<Weather>,
    clock: Arc<AtomicI64>,
    nodes: Mutex<Vec<Arc<Simulated>>>,
    answers: Mutex<BTreeMap<(u32, u64), (Envelope, Answer)>>,
}

impl World {
    async fn open(seed: Seed) -> Arc<Self> {
        let world = Self {
            disk: Disk::open(terms("simulated")),
            weather: Weather::new(seed.rng("weather")),
            clock: Arc::new(AtomicI64::new(OPENED_AT.0)),
            nodes: Mutex::default(),
            answers: Mutex::default(),
        };
        let first = world.start("first").await.expect("the weather is good");
        let values = (0_u8..).zip(first_values(&terms("simulated")));
        let values = values.map(|(level, (_, amount))| LevelValue { level, amount });
        let accept = PersonCommand::AcceptValues {
            values: values.collect(),
        };
        let join = |number| PersonCommand::JoinTable(Box::new(join(&format!("T{number}"))));
        for command in [accept].into_iter().chain((1..=TABLES).map(join)) {
            let done = first
                .submit(by_person(command))
                .await
                .expect("the weather is good");
            done.expect("it is done for the first time");
        }
        first.stop().await;
        for number in 0..NODES {
            let node = world.start(&format!("node-{number}")).await;
            let node = Arc::new(node.expect("the weather is good"));
            world.nodes().push(node);
        }
        world.weather.set(true);
        Arc::new(world)
    }

    async fn start(&self, name: &str) -> Result<Simulated, String> {
        let journal = Liar::new(self.disk.clone(), Arc::clone(&self.weather));
        let clock = Arc::clone(&self.clock);
        // Time passes: two nodes never write the very same batch.
        let now = move || Timestamp(clock.fetch_add(1, Ordering::Relaxed));
        Simulated::start(LINK, name, journal, now).await
    }

    fn nodes(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Simulated>>> {
        self.nodes.lock().expect("nobody failed")
    }

    /// Kills a node at whatever it waits for and starts another, as often as the weather wants.
    async fn kill(&self, rng: &mut StdRng) {
        let position = rng.random_range(0..NODES);
        self.nodes()[position].crash();
        loop {
            let started = in_time("a link is loaded", self.start("again")).await;
            match started {
                Ok(node) => return self.nodes()[position] = Arc::new(node),
                Err(why) => assert!(why.starts_with("the journal can't be read"), "{why}"),
            }
        }
    }

    /// Sends something to any node.
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
        let heard = timeout(HEARD_WITHIN, node.submit(envelope)).await;
        heard.unwrap_or_else(|_| panic!("nothing was heard of {what}"))
    }

    /// Keeps an answer; one that was given before was the same.
    fn note(&self, table: TableNo, sequence: u64, envelope: &Envelope, answer: &Answer) {
        let mut answers = self.answers.lock().expect("nobody failed");
        let (_, first) = answers
            .entry((table.0, sequence))
            .or_insert_with(|| (envelope.clone(), answer.clone()));
        assert_same(first, answer);
    }

    /// A fresh node gives every answer again.
    async fn ask_again(&self) {
        self.weather.set(false);
        let fresh = self.start("fresh").await.expect("the weather is good");
        let answers = self.answers.lock().expect("nobody failed").clone();
        for (envelope, first) in answers.into_values() {
            let answer = fresh.submit(envelope).await.expect("the weather is good");
            let answer = answer.expect("a table's command has an outcome");
            assert!(answer.replayed);
            assert_same(&first, &answer);
        }
        fresh.stop().await;
    }
}

fn assert_same(first: &Answer, other: &Answer) {
    let of = |it: &Answer| (it.outcome.batch, it.outcome.position, it.outcome.at);
    assert_eq!(of(first), of(other));
    assert_eq!(first.outcome.recorded, other.outcome.recorded);
    assert_eq!(first.outcome.displayed, other.outcome.displayed);
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

/// A table of a world.
struct Player {
    world: Arc<World>,
    rng: StdRng,
    table: TableNo,
    last: u64,
}

impl Player {
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

    /// Sends an old command to any node: whatever is answered is what was answered.
    async fn repeat(&mut self) {
        let old = self.rng.random_range(1..=self.last);
        let key = (self.table.0, old);
        let known = self
            .world
            .answers
            .lock()
            .expect("nobody failed")
            .get(&key)
            .cloned();
        let (envelope, _) = known.expect("it was answered");
        if let Ok(Some(answer)) = self.world.send(&mut self.rng, envelope.clone()).await {
            assert!(answer.replayed);
            self.world.note(self.table, old, &envelope, &answer);
        }
    }

    /// "Nothing was counted" has to be true.
    fn check(&self, sequence: u64, denied: &NotExecuted, is_doubtful: &mut bool) {
        assert!(may_be_sent_again(denied), "{denied}");
        assert!(
            !matches!(denied, NotExecuted::SequenceGap { .. }),
            "{denied} after {}",
            self.last
        );
        if matches!(denied, NotExecuted::OutcomeUnknown) {
            *is_doubtful = true;
        } else if !*is_doubtful {
            let may_hold = self.world.disk.kept().may_hold(self.table.0, sequence);
            assert!(
                !may_hold,
                "{denied}, and {sequence} of table {} counts",
                self.table
            );
        }
    }
}

impl Felt for Player {
    async fn command(&mut self, command: TableCommand) -> (u64, Arc<Recorded>) {
        let sequence = self.last + 1;
        let envelope = self.envelope(sequence, command);
        let mut is_doubtful = false;
        loop {
            match self.world.send(&mut self.rng, envelope.clone()).await {
                Ok(answer) => {
                    let answer = answer.expect("a table's command has an outcome");
                    self.last = sequence;
                    let recorded = Arc::clone(&answer.outcome.recorded);
                    self.world.note(self.table, sequence, &envelope, &answer);
                    if self.rng.random_ratio(1, 6) {
                        self.repeat().await;
                    }
                    return (sequence, recorded);
                }
                Err(denied) => self.check(sequence, &denied, &mut is_doubtful),
            }
        }
    }

    async fn decide(&mut self, command: PersonCommand) {
        loop {
            match self
                .world
                .send(&mut self.rng, by_person(command.clone()))
                .await
            {
                Ok(_) => return,
                Err(denied) => assert!(may_be_sent_again(&denied), "{denied}"),
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
    let world = World::open(seed).await;
    let tables = (1..=TABLES).map(|number| {
        let rng = seed.rng(number);
        let table = TableNo(number);
        let mut player = Player {
            world: Arc::clone(&world),
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
    world.ask_again().await;
    world.disk.kept().assert_whole();
    world
        .weather
        .faults
        .each_ref()
        .map(|it| it.load(Ordering::Relaxed))
}

/// In every world the books of those who were told and the journal are the same, whatever happened to either.
#[test]
fn committers_over_a_lying_journal_lose_and_double_nothing() {
    let seed = Seed::announce("lies");
    let worlds = (0..THREADS).map(|first| {
        let worlds = (first..times(WORLDS)).step_by(usize::try_from(THREADS).expect("few"));
        std::thread::spawn(move || {
            worlds
                .map(|it| one(Seed(seed.number(it))))
                .collect::<Vec<_>>()
        })
    });
    let worlds: Vec<_> = worlds.collect();
    let mut faults = [0; FAULTS];
    for met in worlds
        .into_iter()
        .flat_map(|it| it.join().expect("these worlds are well"))
    {
        faults
            .iter_mut()
            .zip(met)
            .for_each(|(sum, met)| *sum += met);
    }
    println!("lies: {faults:?} faults");
    assert!(
        faults.iter().all(|it| *it > 0),
        "some fault never happened: {faults:?}"
    );
}

/// One world, on one thread.
fn one(seed: Seed) -> [u64; FAULTS] {
    println!("lies: a world of {seed:?}");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(play(seed))
}

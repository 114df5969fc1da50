//! Tables of one name join two links at the same time. The database refuses the batch of one link, whose commands are then
//! committed one by one while later ones arrive.
//!
//! # Failures
//! A command that is denied: a later command of its table was decided before it.
//!
//! # Nondeterminism
//! Which of the two links is refused, and which commands are in its batch.

use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::stream::{self, StreamExt as _};
use meterhouse_domain::command::TableCommand;
use meterhouse_domain::ids::{LinkName, Sequence, TableName};
use meterhouse_engine::Engine;
use meterhouse_engine::answer::NotExecuted;
use meterhouse_tests::{Database, in_time};

use crate::links::{controller, engine, join, open, person};
use crate::script::command;
use crate::seed::Seed;

/// Links that a table joins at the same time.
const LINKS: [&str; 2] = ["east", "west"];
/// Links beside them, for which batches wait.
const OTHERS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const TABLES: usize = 2;
/// Commands of a table in flight.
const IN_FLIGHT: usize = 8;
const JOINS: u64 = 60;

/// Sends coin-ins and closes of a table in their order, always some at once, until all have joined.
async fn play(seed: Seed, engine: &Engine, table: &TableName, have_joined: &AtomicBool) {
    let one = async |sequence| {
        let command = match sequence % 2 {
            1 => command(seed, table.as_str(), 1),
            _ => TableCommand::Close,
        };
        let sent = engine.table_command(table, controller(), Sequence(sequence), command);
        if let Err(denied) = sent.await {
            panic!("{table}.{sequence}: {denied}");
        }
    };
    let go_on = |_: &u64| !have_joined.load(Ordering::Relaxed);
    let sent = stream::iter((1..).take_while(go_on));
    sent.map(one).buffered(IN_FLIGHT).collect::<()>().await;
}

/// Lets a table join both links. Returns `true` if the database refused one of them, not a look before.
async fn join_both(engine: &Engine, number: u64) -> bool {
    let manager = person(1, "ana");
    let joined = LINKS.map(async |link| {
        let link: LinkName = link.parse().expect("a name");
        engine
            .join_table(&manager, &link, join(&format!("both-{number}")))
            .await
    });
    let joined = futures_util::future::join_all(joined).await;
    let denials: Vec<_> = joined.iter().filter_map(|one| one.as_ref().err()).collect();
    let [NotExecuted::RequestReused(differences)] = denials.as_slice() else {
        panic!("one of the two joins: {denials:?}");
    };
    differences[0].1 == "a table of this name is on another link"
}

/// Each command of a table is decided after the one before it, also beside a batch that is committed in parts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn later_commands_wait_for_all_parts_of_a_refused_batch() {
    let seed = Seed::announce("refused-batches");
    let database = Database::new().await;
    let engine = engine(&database.store().await, "one").await;
    let mut tables = Vec::new();
    for link in LINKS.iter().chain(&OTHERS) {
        tables.extend(open(&engine, link, TABLES).await);
    }
    let have_joined = AtomicBool::new(false);
    let plays = tables
        .iter()
        .map(|table| play(seed, &engine, table, &have_joined));
    let joins = async {
        let mut refused = 0;
        for number in 0..JOINS {
            refused += u64::from(join_both(&engine, number).await);
        }
        have_joined.store(true, Ordering::Relaxed);
        refused
    };
    let both = async { tokio::join!(joins, futures_util::future::join_all(plays)) };
    let (refused, _) = in_time("all commands", both).await;
    println!("refused batches: {refused}");
    assert!(refused > 0, "no batch was refused");
    engine.stop().await;
}

//! Law 5 (RULES §7.5): nothing acknowledged is ever lost; nothing unacknowledged is ever half there.
//!
//! # Shape
//! Nodes as processes ([`crate::worker`]) on one database and one link, tables that send number after number. After a
//! random count of acknowledgements all processes are killed at once, each with a command of every table on its
//! way; some tables send theirs again to a node that survived, the others leave it. Then all is compared, and the
//! next processes go on.
//!
//! # What counts as failure
//! What [`crate::ledger`] says: an acknowledged command that is not in the journal where it was said to be, a number twice
//! or missing, anything that `verify` finds; and meters that are not the sum of whole commands, those which the
//! journal has, acknowledged or not.
//!
//! # Known sources of nondeterminism
//! Where a process is when it is killed, and what its database still finishes: that is the point of it.

use std::sync::{Arc, Mutex};

use meterhouse_domain::ids::{Sequence, TableName};
use meterhouse_engine::Engine;
use meterhouse_tests::{Database, in_time};
use rand::RngExt as _;
use sqlx::ConnectOptions as _;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::chance::{Seed, times};
use crate::felts::{assert_meters, controller, engine, open};
use crate::killed::{Floor, Worker};
use crate::ledger::{Ledger, Places, stored};
use crate::script::{command, wagers};

const WORKERS: usize = 2;
const TABLES: usize = 4;
/// How often everything is killed.
const CUTS: u64 = 5;
/// Acknowledgements between two of those, at most.
const HEARD: u64 = 60;

/// One table: number after number, until everything is killed. Answers the number that nobody acknowledged.
async fn play(floor: Arc<Floor>, table: TableName, first: u64, cut: watch::Receiver<bool>) -> u64 {
    let mut rng = floor.seed.rng((table.as_str(), first));
    let mut sequence = first;
    loop {
        match floor.send(&mut rng, table.as_str(), sequence).await {
            Some(_) => sequence += 1,
            None if *cut.borrow() => return sequence,
            None => {}
        }
    }
}

/// Plays from these numbers and kills everything in the middle. Answers what was on the way.
async fn played_and_cut(
    floor: &Arc<Floor>,
    tables: &[TableName],
    firsts: &[u64],
    nth: u64,
) -> Vec<u64> {
    let mut rng = floor.seed.rng(("cut", nth));
    let workers = (0..WORKERS).map(|_| Worker::start(&floor.database, floor.seed));
    *floor.workers.lock().expect("nobody failed") = workers.collect();
    let (done, cut) = watch::channel(false);
    let mut playing = JoinSet::new();
    for (position, (table, first)) in tables.iter().zip(firsts).enumerate() {
        let play = play(Arc::clone(floor), table.clone(), *first, cut.clone());
        playing.spawn(async move { (position, play.await) });
    }
    let mut heard = floor.ledger.heard();
    let enough = heard.borrow().answers + rng.random_range(1..=HEARD);
    let until = heard.wait_for(|it| it.answers >= enough);
    in_time("enough is acknowledged", until)
        .await
        .expect("somebody is heard");
    done.send_replace(true);
    floor.workers.lock().expect("nobody failed").clear();
    let mut left = firsts.to_vec();
    while let Some(table) = in_time("everything is killed", playing.join_next()).await {
        let (position, sequence) = table.expect("a table ends well");
        left[position] = sequence;
    }
    left
}

/// Sends what was on the way again, at some tables; at the first one the next command too: after that commit
/// nothing of the dead can follow. Answers what is sent next.
async fn send_again(
    floor: &Floor,
    engine: &Engine,
    tables: &[TableName],
    on_the_way: &[u64],
    nth: u64,
) -> Vec<u64> {
    let mut rng = floor.seed.rng(("again", nth));
    let mut next = Vec::new();
    for (position, (table, first)) in tables.iter().zip(on_the_way).enumerate() {
        let count = if position == 0 {
            2
        } else {
            rng.random_range(0..2)
        };
        for sequence in *first..first + count {
            let command = command(floor.seed, table.as_str(), sequence);
            let sequence = Sequence(sequence);
            let answer = engine.table_command(table, controller(), sequence, command);
            let answer = answer.await.expect("the node that survived answers");
            floor.ledger.note_answer(table, sequence.0, &answer);
        }
        next.push(first + count);
    }
    next
}

/// The last number of a table in the journal.
fn last(stored: &Places, table: &TableName) -> u64 {
    let numbers = stored.keys().filter(|(name, _)| name == table.as_str());
    numbers.map(|(_, number)| *number).max().unwrap_or(0)
}

/// Everything is killed again and again: what was acknowledged is there, and of what was not, all or nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn law_5_nothing_acknowledged_is_ever_lost_and_nothing_unacknowledged_is_ever_half_there() {
    let seed = Seed::announce("law 5");
    let database = Database::new().await;
    let store = database.store().await;
    let survivor = engine(&store, "survivor").await;
    let tables = open(&survivor, "law5", TABLES).await;
    let floor = Arc::new(Floor {
        seed,
        database: database.application.to_url_lossy().to_string(),
        workers: Mutex::new(Vec::new()),
        ledger: Ledger::default(),
    });
    let mut next = vec![1; TABLES];
    let mut kept = 0;
    for nth in 0..times(CUTS) {
        let on_the_way = played_and_cut(&floor, &tables, &next, nth).await;
        next = send_again(&floor, &survivor, &tables, &on_the_way, nth).await;
        let stored = stored(&database.application).await;
        let mut expected = 0;
        for ((table, next), left) in tables.iter().zip(&next).zip(&on_the_way) {
            let last = last(&stored, table);
            assert!(
                (next - 1..=*next).contains(&last),
                "{table} has {last} commands, and {next} was not acknowledged"
            );
            kept += u64::from(next == left && last == *left);
            expected += wagers(seed, table.as_str(), last);
        }
        let view = survivor
            .table(&tables[0])
            .await
            .expect("the link can be read");
        assert_meters(&view.state, expected);
        floor
            .ledger
            .assert_kept(&database.application, &store)
            .await;
    }
    let acknowledged = floor.ledger.len();
    println!("law 5: {acknowledged} acknowledged, {kept} more were there that nobody was told of");
    survivor.stop().await;
}

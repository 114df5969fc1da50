//! Several committers and people: hits are keyed at one node, decided at two others at once, while nodes are stopped
//! and started from snapshots.
//!
//! # What counts as failure
//! What [`crate::ledger`] says; above all hits and payouts that people read other than the journal makes them; a
//! round that can't be ended.
//!
//! # Known sources of nondeterminism
//! Which of two supervisors is first.

use meterhouse_domain::hit_name::HitName;
use std::sync::Arc;

use meterhouse_domain::command::{PersonCommand, TableCommand};
use meterhouse_domain::event::Recorded;
use meterhouse_domain::ids::{HitId, Sequence, TableName, TableNo};
use meterhouse_engine::Engine;
use meterhouse_engine::answer::{Idempotent, NotExecuted};
use meterhouse_engine::view::HitView;
use meterhouse_store::Store;
use meterhouse_tests::Database;
use rand::RngExt as _;
use rand::rngs::StdRng;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::chance::{Seed, times};
use crate::felts::{controller, engine, open, person};
use crate::ledger::Ledger;
use crate::rounds::{Felt, round};
use crate::rush::{HEARD_WITHIN, Nodes, all_done, may_be_sent_again};

const NODES: usize = 3;
const TABLES: usize = 3;
const ROUNDS: u64 = 8;

/// A table on any node.
struct Player {
    nodes: Nodes,
    stores: Arc<Vec<Store>>,
    rng: StdRng,
    table: TableName,
    last: u64,
    ledger: Arc<Ledger>,
}

impl Felt for Player {
    async fn command(&mut self, command: TableCommand) -> (u64, Arc<Recorded>) {
        self.last += 1;
        loop {
            let engine = self.nodes.any(&mut self.rng);
            let sequence = Sequence(self.last);
            let sent = engine.table_command(&self.table, controller(), sequence, command.clone());
            match timeout(HEARD_WITHIN, sent)
                .await
                .expect("something is heard in time")
            {
                Ok(answer) => {
                    self.ledger.note_answer(&self.table, self.last, &answer);
                    return (self.last, answer.outcome.recorded);
                }
                Err(denied) => assert!(may_be_sent_again(&denied), "{denied}"),
            }
        }
    }

    async fn decide(&mut self, command: PersonCommand) {
        if self.rng.random_ratio(1, 10) {
            let position = self.rng.random_range(0..NODES);
            let fresh = engine(&self.stores[position], "fresh").await;
            self.nodes.replace(position, fresh).stop().await;
        }
        loop {
            let engines = [self.nodes.any(&mut self.rng), self.nodes.any(&mut self.rng)];
            let (one, other) = tokio::join!(
                self.ask(&engines[0], 7, &command),
                self.ask(&engines[1], 8, &command)
            );
            if is_done(&one) && is_done(&other) {
                return;
            }
        }
    }

    fn hit(&self, sequence: u64) -> HitId {
        // The engine takes names; the number is nobody's.
        HitId {
            table: TableNo(0),
            sequence: Sequence(sequence),
            number: 0,
        }
    }
}

impl Player {
    /// One of two supervisors.
    async fn ask(
        &self,
        engine: &Engine,
        actor: i32,
        command: &PersonCommand,
    ) -> Result<Idempotent<HitView>, NotExecuted> {
        let person = person(actor, &format!("supervisor-{actor}"));
        let name = |hit: &HitId| HitName {
            table: self.table.clone(),
            sequence: hit.sequence,
            number: hit.number,
        };
        match command.clone() {
            PersonCommand::ValidateHit { hit, cards, note } => {
                engine.validate_hit(&person, &name(&hit), cards, note).await
            }
            PersonCommand::RejectHit {
                hit,
                note,
                resettle,
            } => {
                let rejected = engine
                    .reject_hit(&person, &name(&hit), note, resettle)
                    .await;
                rejected.map(|done| done.map(|rejected| rejected.hit))
            }
            PersonCommand::PayPayout {
                hit,
                number,
                document,
            } => {
                engine
                    .pay_payout(&person, &name(&hit), number, document)
                    .await
            }
            other => panic!("nobody asks here for {other:?}"),
        }
    }
}

/// Whether it has not to be sent again.
fn is_done(heard: &Result<Idempotent<HitView>, NotExecuted>) -> bool {
    match heard {
        Ok(_) | Err(NotExecuted::Refused(_)) => true,
        Err(denied) => {
            assert!(may_be_sent_again(denied), "{denied}");
            false
        }
    }
}

/// Whoever decides where, hits stand as the journal says, and every round comes to its end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hits_are_decided_once_on_any_node() {
    let seed = Seed::announce("people");
    let database = Database::new().await;
    let mut stores = Vec::new();
    let mut engines = Vec::new();
    for number in 0..NODES {
        let store = database.store().await;
        engines.push(engine(&store, &format!("node-{number}")).await);
        stores.push(store);
    }
    let tables = open(&engines[0], "people", TABLES).await;
    let (nodes, stores) = (Nodes::new(engines), Arc::new(stores));
    let ledger = Arc::new(Ledger::default());
    let mut playing = JoinSet::new();
    for table in tables {
        let mut rng = seed.rng((table.as_str(), "rounds"));
        let mut player = Player {
            nodes: nodes.clone(),
            stores: Arc::clone(&stores),
            rng: seed.rng(table.as_str()),
            table,
            last: 0,
            ledger: Arc::clone(&ledger),
        };
        playing.spawn(async move {
            for _ in 0..times(ROUNDS) {
                round(&mut rng, &mut player).await;
            }
        });
    }
    all_done(playing).await;
    nodes.stop().await;
    ledger.assert_kept(&database.application, &stores[0]).await;
}

//! Several committers and supervisors: hits are keyed at one node and decided concurrently at two others. Meanwhile nodes
//! are stopped, and started from snapshots.
//!
//! # Failures
//! The failures of [`crate::acknowledgements`], above all hits and payouts that differ from the journal, and a round that
//! can't be ended.
//!
//! # Nondeterminism
//! The supervisor who is first.

use std::sync::Arc;

use meterhouse_domain::command::{PersonCommand, TableCommand};
use meterhouse_domain::event::Recorded;
use meterhouse_domain::hit_name::HitName;
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

use crate::acknowledgements::Acknowledgements;
use crate::links::{controller, engine, engines, open, person};
use crate::pipelining::{Nodes, REPLY_MAX, all_done, may_be_retried};
use crate::rounds::{TableDriver, round};
use crate::seed::{Seed, times};

const NODES: usize = 3;
const TABLES: usize = 3;
const ROUNDS: u64 = 8;

/// A table that sends to random nodes.
struct SimulatedTable {
    nodes: Nodes,
    stores: Arc<Vec<Store>>,
    rng: StdRng,
    table: TableName,
    last: u64,
    acknowledgements: Arc<Acknowledgements>,
}

impl TableDriver for SimulatedTable {
    async fn command(&mut self, command: TableCommand) -> (u64, Arc<Recorded>) {
        self.last += 1;
        loop {
            let engine = self.nodes.random(&mut self.rng);
            let sequence = Sequence(self.last);
            let sent = engine.table_command(&self.table, controller(), sequence, command.clone());
            match timeout(REPLY_MAX, sent).await.expect("a reply in time") {
                Ok(answer) => {
                    self.acknowledgements
                        .record_answer(&self.table, self.last, &answer);
                    return (self.last, answer.outcome.recorded);
                }
                Err(denied) => assert!(may_be_retried(&denied), "{denied}"),
            }
        }
    }

    async fn decide(&mut self, command: PersonCommand) {
        if self.rng.random_ratio(1, 10) {
            let index = self.rng.random_range(0..NODES);
            let fresh = engine(&self.stores[index], "fresh").await;
            self.nodes.replace(index, fresh).stop().await;
        }
        loop {
            let engines = [
                self.nodes.random(&mut self.rng),
                self.nodes.random(&mut self.rng),
            ];
            let (first, second) = tokio::join!(
                self.decide_as(&engines[0], 7, &command),
                self.decide_as(&engines[1], 8, &command)
            );
            if is_done(&first) && is_done(&second) {
                return;
            }
        }
    }

    fn hit(&self, sequence: u64) -> HitId {
        // The engine takes table names, so the table number is unused.
        HitId {
            table: TableNo(0),
            sequence: Sequence(sequence),
            number: 0,
        }
    }
}

impl SimulatedTable {
    /// Sends a decision as one of two supervisors.
    async fn decide_as(
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
                // A document belongs to one hit of the house, and each table draws its own.
                let document = format!("{document}-{}", name(&hit));
                let document = document.parse().expect("a document");
                engine
                    .pay_payout(&person, &name(&hit), number, document)
                    .await
            }
            other => panic!("{other:?} is no decision of a supervisor"),
        }
    }
}

/// Returns `true` unless the decision must be retried.
fn is_done(reply: &Result<Idempotent<HitView>, NotExecuted>) -> bool {
    match reply {
        Ok(_) | Err(NotExecuted::Refused(_)) => true,
        Err(denied) => {
            assert!(may_be_retried(denied), "{denied}");
            false
        }
    }
}

/// Hits match the journal whatever supervisor decides on whatever node, and every round ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hits_are_decided_once_on_any_node() {
    let seed = Seed::announce("supervisors");
    let database = Database::new().await;
    let (stores, engines) = engines(&database, NODES).await;
    let tables = open(&engines[0], "supervisors", TABLES).await;
    let (nodes, stores) = (Nodes::new(engines), Arc::new(stores));
    let acknowledgements = Arc::new(Acknowledgements::default());
    let mut playing = JoinSet::new();
    for table in tables {
        let mut rng = seed.rng((table.as_str(), "rounds"));
        let mut player = SimulatedTable {
            nodes: nodes.clone(),
            stores: Arc::clone(&stores),
            rng: seed.rng(table.as_str()),
            table,
            last: 0,
            acknowledgements: Arc::clone(&acknowledgements),
        };
        playing.spawn(async move {
            for _ in 0..times(ROUNDS) {
                round(&mut rng, &mut player).await;
            }
        });
    }
    all_done(playing).await;
    nodes.stop().await;
    acknowledgements
        .assert_stored(&database.application, &stores[0])
        .await;
}

//! Links with tables on a fresh database.

use std::sync::Arc;

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::command::JoinTable;
use meterhouse_domain::ids::{ActorId, LinkName, TableName};
use meterhouse_domain::link::{Account, Book, LinkSettings, LinkTerms, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{Paytable, TableLimits};
use meterhouse_domain::state::LinkState;
use meterhouse_engine::view::{Person, Sender};
use meterhouse_engine::{Engine, EngineOptions};
use meterhouse_store::Store;
use meterhouse_tests::{Database, FIVE_CARD_C, first_values};

use crate::script::{SEATS, wagers};
use crate::seed::Seed;

/// Returns the paytable of all simulated links, with three levels. A supervisor validates every hit.
pub(crate) fn paytable() -> Paytable {
    let catalogue = Catalogue::compiled_in().expect("valid paytables");
    let id = FIVE_CARD_C.parse().expect("an id");
    catalogue.find(&id).cloned().expect("a known paytable")
}

/// Returns the terms of a link with this name.
pub(crate) fn terms(link: &str) -> LinkTerms {
    LinkTerms {
        name: link.parse().expect("a name"),
        paytable: paytable(),
        wager: Money::DOLLAR,
        decks: 1,
        reserve_policy: ReservePolicy::Add,
        settings: LinkSettings::default(),
        limits: TableLimits::default(),
        counts_draws_and_envy: true,
        must_accept_values: true,
    }
}

/// Returns the command with which a table joins.
pub(crate) fn join(table: &str) -> JoinTable {
    JoinTable {
        name: table.parse().expect("a name"),
        game: "crazy-4-poker".parse().expect("a game"),
        seats: SEATS,
        paytable: paytable(),
        wager: Money::DOLLAR,
        decks: 1,
    }
}

/// Returns the sender of tables' commands.
pub(crate) fn controller() -> Sender {
    Sender {
        actor: ActorId(1),
        by: None,
        device_time: None,
    }
}

/// Returns a supervisor or manager. Two names are two people.
pub(crate) fn person(actor: i32, name: &str) -> Person {
    Person {
        actor: ActorId(actor),
        name: name.parse().expect("a name"),
        department: None,
    }
}

/// Starts an engine on a store.
pub(crate) async fn engine(store: &Store, node: &str) -> Engine {
    let engine = Engine::start(store.clone(), EngineOptions::new(node)).await;
    engine.expect("the engine starts")
}

/// Starts this many engines, each on a store of its own. Returns the stores and the engines.
pub(crate) async fn engines(database: &Database, count: usize) -> (Vec<Store>, Vec<Engine>) {
    let (mut stores, mut engines) = (Vec::new(), Vec::new());
    for number in 0..count {
        let store = database.store().await;
        engines.push(engine(&store, &format!("node-{number}")).await);
        stores.push(store);
    }
    (stores, engines)
}

/// Opens a link with this many tables.
pub(crate) async fn open(engine: &Engine, link: &str, count: usize) -> Vec<TableName> {
    let manager = person(1, "ana");
    let opened = engine.open_link(&manager, terms(link)).await;
    opened.expect("the link is opened");
    let link_name: LinkName = link.parse().expect("a name");
    let values = first_values(&terms(link));
    let accepted = engine.accept_values(&manager, &link_name, &values).await;
    accepted.expect("the values are accepted");
    let mut tables = Vec::new();
    for number in 1..=count {
        let join = join(&format!("{link}-{number}"));
        let table = join.name.clone();
        let joined = engine.join_table(&manager, &link_name, join).await;
        joined.expect("the table joins");
        tables.push(table);
    }
    tables
}

/// Asserts that every meter is its seed plus the shares of this many wagers.
pub(crate) fn assert_meters(state: &Arc<LinkState>, wagers: u64) {
    let levels = &state.terms.content().levels;
    for (index, level) in levels.iter().enumerate() {
        let book = Book::level(index);
        let shares = state
            .shares
            .iter()
            .filter(|share| share.book == book && share.account == Account::Meter);
        let share: i64 = shares.map(|share| share.amount.micros()).sum();
        let seed = state
            .terms
            .wager
            .for_one(level.seed)
            .expect("a seed")
            .micros();
        let expected = seed + share * i64::try_from(wagers).expect("few");
        let found = state.balance(book, Account::Meter).micros();
        assert_eq!(
            found, expected,
            "the meter of {} after {wagers} wagers",
            level.name
        );
    }
}

/// Asserts that the meters of these tables' link are the sum of all their wagers, of `count` commands each.
pub(crate) async fn assert_sums(seed: Seed, engine: &Engine, tables: &[TableName], count: u64) {
    let each = tables.iter();
    let expected = each.map(|table| wagers(seed, table.as_str(), count)).sum();
    let view = engine.table(&tables[0]).await;
    assert_meters(&view.expect("the link can be read").state, expected);
}

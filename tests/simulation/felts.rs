//! A link with its tables on a fresh database, opened as people do it.

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
use meterhouse_tests::{FIVE_CARD_C, first_values};

use crate::script::SEATS;

/// The paytable of all simulated links: three levels, every hit needs a supervisor.
pub(crate) fn paytable() -> Paytable {
    let catalogue = Catalogue::compiled_in().expect("our own paytables are well");
    let id = FIVE_CARD_C.parse().expect("an id");
    catalogue
        .find(&id)
        .cloned()
        .expect("it is in the catalogue")
}

/// What a link of this name is opened with.
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

/// What a table of this name joins with.
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

/// Who sends the commands of tables.
pub(crate) fn controller() -> Sender {
    Sender {
        actor: ActorId(1),
        by: None,
        device_time: None,
    }
}

/// A supervisor or manager; two names are two people.
pub(crate) fn person(actor: i32, name: &str) -> Person {
    Person {
        actor: ActorId(actor),
        name: name.parse().expect("a name"),
        department: None,
    }
}

/// An engine on this store.
pub(crate) async fn engine(store: &Store, node: &str) -> Engine {
    let engine = Engine::start(store.clone(), EngineOptions::new(node)).await;
    engine.expect("the engine starts")
}

/// Opens a link with tables.
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

/// Fails unless every meter is its seed and this many wagers' shares.
pub(crate) fn assert_meters(state: &Arc<LinkState>, wagers: u64) {
    let levels = &state.terms.content().levels;
    for (index, level) in levels.iter().enumerate() {
        let book = Book::level(index);
        let shares = state
            .shares
            .iter()
            .filter(|it| it.book == book && it.account == Account::Meter);
        let share: i64 = shares.map(|it| it.amount.micros()).sum();
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

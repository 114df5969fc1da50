//! What was acknowledged, kept by those who were told, and compared with the journal.
//!
//! # What counts as failure
//! - an acknowledged command that is not in the journal, or elsewhere than it was said to be
//! - a number of a table that the journal has twice, or a gap between numbers
//! - anything that `verify` finds: a broken chain, other balances, hits, marks or snapshots than the events make,
//!   an event that the rules decide differently

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use meterhouse_domain::ids::TableName;
use meterhouse_engine::answer::Answer;
use meterhouse_engine::verify::verify;
use meterhouse_store::{PgConnectOptions, Store};
use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Row as _};
use tokio::sync::watch;

/// Where a command stands: batch and position.
pub(crate) type Position = (u64, u32);

/// Where these commands stand in the journal.
pub(crate) type Places = BTreeMap<(String, u64), Position>;

const COMMANDS: &str = "
SELECT game_table.name, event.sequence, event.batch, event.position
FROM event JOIN game_table USING (link_id, table_no)
WHERE event.sequence IS NOT NULL";

/// The books of those who were told.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    places: Mutex<Places>,
    heard: watch::Sender<Heard>,
}

/// How many answers, and how many times "send it again", were heard.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Heard {
    pub(crate) answers: u64,
    pub(crate) denials: u64,
}

impl Ledger {
    /// Somebody was told that a command stands there. Whoever was told before was told the same.
    pub(crate) fn note(&self, table: &str, sequence: u64, position: Position) {
        let first = *self
            .lock()
            .entry((table.to_owned(), sequence))
            .or_insert(position);
        assert_eq!(
            first, position,
            "{table}.{sequence} was acknowledged at two places"
        );
        self.heard.send_modify(|it| it.answers += 1);
    }

    /// Somebody was told to send it again.
    pub(crate) fn note_denial(&self) {
        self.heard.send_modify(|it| it.denials += 1);
    }

    /// What was heard up to now, and news of it.
    pub(crate) fn heard(&self) -> watch::Receiver<Heard> {
        self.heard.subscribe()
    }

    /// The same, from an answer.
    pub(crate) fn note_answer(&self, table: &TableName, sequence: u64, answer: &Answer) {
        let position = (answer.outcome.batch, answer.outcome.position);
        self.note(table.as_str(), sequence, position);
    }

    /// How many commands were acknowledged.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().expect("nobody failed while writing")
    }

    /// Compares all with the journal of this database, and the journal with itself.
    pub(crate) async fn assert_kept(&self, database: &PgConnectOptions, store: &Store) {
        let reports = verify(store, None, true)
            .await
            .expect("the journal can be read");
        for report in reports {
            assert_eq!(
                report.findings,
                Vec::<String>::new(),
                "link {}",
                report.link
            );
        }
        let stored = stored(database).await;
        for (command, position) in self.lock().iter() {
            assert_eq!(
                stored.get(command),
                Some(position),
                "{command:?} was acknowledged there"
            );
        }
        let mut last = ("", 0);
        for (table, sequence) in stored.keys() {
            let expected = if last.0 == table { last.1 + 1 } else { 1 };
            assert_eq!(*sequence, expected, "the numbers of {table} have a gap");
            last = (table, *sequence);
        }
    }
}

/// All tables' commands in the journal; each is there once.
pub(crate) async fn stored(database: &PgConnectOptions) -> Places {
    let mut connection = PgConnection::connect_with(database)
        .await
        .expect("it can be reached");
    let rows = sqlx::query(COMMANDS).fetch_all(&mut connection).await;
    let mut places = Places::new();
    for row in rows.expect("the journal can be read") {
        let (table, sequence): (String, i64) = (row.get(0), row.get(1));
        let (batch, position): (i64, i32) = (row.get(2), row.get(3));
        let position = (batch.cast_unsigned(), position.cast_unsigned());
        let command = (table, sequence.cast_unsigned());
        let before = places.insert(command.clone(), position);
        assert_eq!(
            before, None,
            "{command:?} is in the journal again at {position:?}"
        );
    }
    places
}

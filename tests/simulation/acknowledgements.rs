//! The acknowledgements that callers received, compared with the journal.
//!
//! # Failures
//! - an acknowledged command that is not in the journal, or is at another position
//! - a sequence of a table that the journal has twice, or a gap between sequences
//! - any finding of `verify`: a broken chain, an event that the rules decide differently, or balances, hits, marks or
//!   snapshots that differ from the events

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use meterhouse_domain::ids::TableName;
use meterhouse_engine::answer::{Answer, NotExecuted};
use meterhouse_engine::verify::verify;
use meterhouse_store::{PgConnectOptions, Store};
use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Row as _};
use tokio::sync::watch;

/// The position of a command in the journal: batch and position in the batch.
pub(crate) type JournalPosition = (u64, u32);

/// The journal positions of commands, by table and sequence.
pub(crate) type JournalPositions = BTreeMap<(String, u64), JournalPosition>;

const COMMANDS: &str = "
SELECT game_table.name, event.sequence, event.batch, event.position
FROM event JOIN game_table USING (link_id, table_no)
WHERE event.sequence IS NOT NULL";

/// The acknowledgements that callers received.
#[derive(Debug, Default)]
pub(crate) struct Acknowledgements {
    positions: Mutex<JournalPositions>,
    counts: watch::Sender<ReplyCounts>,
}

/// The number of acknowledgements and of temporary denials.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReplyCounts {
    pub(crate) acknowledged: u64,
    pub(crate) denied: u64,
    /// Denials of commands that may have been committed.
    pub(crate) unknown: u64,
}

impl Acknowledgements {
    /// Records the acknowledged position of a command. An earlier acknowledgement must name the same position.
    pub(crate) fn record(&self, table: &str, sequence: u64, position: JournalPosition) {
        let first = *self
            .lock()
            .entry((table.to_owned(), sequence))
            .or_insert(position);
        assert_eq!(
            first, position,
            "{table}.{sequence} was acknowledged at two positions"
        );
        self.counts.send_modify(|counts| counts.acknowledged += 1);
    }

    /// Records a temporary denial.
    pub(crate) fn record_denial(&self, denied: &NotExecuted) {
        let is_unknown = matches!(denied, NotExecuted::OutcomeUnknown);
        self.counts.send_modify(|counts| {
            counts.denied += 1;
            counts.unknown += u64::from(is_unknown);
        });
    }

    /// Subscribes to the counts.
    pub(crate) fn counts(&self) -> watch::Receiver<ReplyCounts> {
        self.counts.subscribe()
    }

    /// Records the position that an answer acknowledges.
    pub(crate) fn record_answer(&self, table: &TableName, sequence: u64, answer: &Answer) {
        let position = (answer.outcome.batch, answer.outcome.position);
        self.record(table.as_str(), sequence, position);
    }

    /// Returns the number of acknowledged commands.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, JournalPositions> {
        self.positions.lock().expect("not poisoned")
    }

    /// Asserts that the journal of this database has all acknowledged commands, and that `verify` finds no difference.
    pub(crate) async fn assert_stored(&self, database: &PgConnectOptions, store: &Store) {
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

/// Returns the commands of all tables in the journal. Asserts that each is there once.
pub(crate) async fn stored(database: &PgConnectOptions) -> JournalPositions {
    let mut connection = PgConnection::connect_with(database)
        .await
        .expect("a connection");
    let rows = sqlx::query(COMMANDS).fetch_all(&mut connection).await;
    let mut positions = JournalPositions::new();
    for row in rows.expect("the journal can be read") {
        let (table, sequence): (String, i64) = (row.get(0), row.get(1));
        let (batch, position): (i64, i32) = (row.get(2), row.get(3));
        let at = (batch.cast_unsigned(), position.cast_unsigned());
        let command = (table, sequence.cast_unsigned());
        let before = positions.insert(command.clone(), at);
        assert_eq!(
            before, None,
            "{command:?} is in the journal again at {at:?}"
        );
    }
    positions
}

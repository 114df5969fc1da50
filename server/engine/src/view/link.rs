//! A link as people see it.

use std::sync::Arc;

use meterhouse_domain::ids::{LevelName, LinkName};
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_journal::batch::HASH_BYTES;

use super::link_status::LinkWord;
use super::table::{TableRow, TableStatus};

/// A link as of the journal's head.
#[derive(Clone, Debug)]
pub struct LinkView {
    /// What it was opened with, its name among it.
    pub terms: Arc<LinkTerms>,
    /// Its state.
    pub state: LinkWord,
    /// Why it is suspended or faulted.
    pub reason: Option<String>,
    /// Whether a manager accepted its first values, or nobody has to; nothing where that can't be known at present.
    pub values_accepted: Option<bool>,
    /// The levels that are off.
    pub disabled: Vec<LevelName>,
    /// The newest batch.
    pub batch: u64,
    /// What the signs show, in the order of the levels.
    pub displayed: Vec<Money>,
    /// Its tables, those that left it among them.
    pub tables: Vec<TableRow>,
}

impl LinkView {
    /// Returns the tables that are on the link.
    pub fn present_tables(&self) -> impl Iterator<Item = &TableRow> {
        let tables = self.tables.iter();
        tables.filter(|table| table.status != TableStatus::Left)
    }

    /// Returns the link as players see it.
    pub(crate) fn for_players(mut self) -> Self {
        for table in &mut self.tables {
            table.status = table.status.for_players();
        }
        self
    }
}

/// A link of a list.
#[derive(Clone, Debug)]
pub enum ListedLink {
    /// As its committer or its head shows it.
    Shown(Box<LinkView>),
    /// As its row alone shows it: what it was opened with can't be read.
    Unreadable(UnreadableLink),
}

/// A link whose first event can't be read.
#[derive(Clone, Debug)]
pub struct UnreadableLink {
    /// Its name.
    pub name: LinkName,
    /// The id of its paytable.
    pub paytable: String,
    /// SHA-256 of the paytable's content.
    pub content_hash: [u8; HASH_BYTES],
    /// The one wager amount.
    pub wager: Money,
    /// Decks in play in one round.
    pub decks: u8,
    /// Its state: faulted or unavailable.
    pub state: LinkWord,
    /// The cause.
    pub reason: String,
    /// The newest batch.
    pub batch: u64,
    /// Its tables.
    pub tables: Vec<TableRow>,
}

//! A link with its tables and its displayed amounts.

use std::sync::Arc;

use meterhouse_domain::adopted::AdoptedTable;
use meterhouse_domain::ids::{LevelName, LinkName, PaytableId};
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_domain::presentation::LinkPresentation;
use meterhouse_journal::batch::HASH_BYTES;

use super::link_status::LinkStatus;
use super::table::{TableRow, TableStatus};

/// A link as of the journal's head.
#[derive(Clone, Debug)]
pub struct LinkView {
    /// The terms with which the link was opened, including its name.
    pub terms: Arc<LinkTerms>,
    /// The state of the link.
    pub state: LinkStatus,
    /// The reason that the link is suspended or faulted.
    pub reason: Option<String>,
    /// Set if a manager accepted the opening values, or no acceptance is required. Empty if the state is unknown.
    pub values_accepted: Option<bool>,
    /// The tables of fixed wagers that two people adopted.
    pub adopted: Arc<Vec<AdoptedTable>>,
    /// The levels that are off.
    pub disabled: Vec<LevelName>,
    /// The newest batch.
    pub batch: u64,
    /// The amounts that the signs show, level by level.
    pub displayed: Vec<Money>,
    /// The tables, including those that left the link.
    pub tables: Vec<TableRow>,
    /// The presentation of the link on its signs.
    pub presentation: LinkPresentation,
}

impl LinkView {
    /// Returns the tables that are on the link.
    pub fn present_tables(&self) -> impl Iterator<Item = &TableRow> {
        let tables = self.tables.iter();
        tables.filter(|table| table.status != TableStatus::Left)
    }

    /// Returns the players' version of the link.
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
    /// A link from its committer or its head.
    Shown(Box<LinkView>),
    /// A link from its row alone: its terms can't be read.
    Unreadable(UnreadableLink),
}

/// A link whose first event can't be read.
#[derive(Clone, Debug)]
pub struct UnreadableLink {
    /// The name of the link.
    pub name: LinkName,
    /// The id of the paytable.
    pub paytable: PaytableId,
    /// SHA-256 of the paytable's content.
    pub content_hash: [u8; HASH_BYTES],
    /// The amount of a wager.
    pub wager: Money,
    /// The number of decks in play in one round.
    pub decks: u8,
    /// The state of the link: faulted or unavailable.
    pub state: LinkStatus,
    /// The reason for the state.
    pub reason: String,
    /// The newest batch.
    pub batch: u64,
    /// The tables of the link.
    pub tables: Vec<TableRow>,
}

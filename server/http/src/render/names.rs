//! Names instead of the numbers that the rules count with.

use std::collections::BTreeMap;

use meterhouse_api::text::Text;
use meterhouse_api::values::{HitName, LevelName, TableName};
use meterhouse_domain::ids::{HitId, Sequence, TableNo};
use meterhouse_domain::link::{Book, LinkTerms};
use meterhouse_domain::state::LinkState;
use meterhouse_domain::{hit_name, ids};
use meterhouse_engine::view::{LinkView, TableRow};

/// The names of one link.
#[derive(Copy, Clone)]
pub(crate) struct Names<'a> {
    terms: &'a LinkTerms,
    tables: Tables<'a>,
}

#[derive(Copy, Clone)]
enum Tables<'a> {
    State(&'a LinkState),
    Rows(&'a [TableRow]),
    Known(&'a BTreeMap<TableNo, ids::TableName>),
}

impl<'a> Names<'a> {
    /// Returns the names in a link's state.
    pub(crate) fn of_state(state: &'a LinkState) -> Self {
        Self {
            terms: &state.terms,
            tables: Tables::State(state),
        }
    }

    /// Returns the names in a link's view, whose tables have the order of their numbers.
    pub(crate) fn of_view(view: &'a LinkView) -> Self {
        Self {
            terms: &view.terms,
            tables: Tables::Rows(&view.tables),
        }
    }

    /// Returns the names of the tables that a caller knows.
    pub(crate) fn of_known(
        terms: &'a LinkTerms,
        tables: &'a BTreeMap<TableNo, ids::TableName>,
    ) -> Self {
        Self {
            terms,
            tables: Tables::Known(tables),
        }
    }

    /// Returns the terms.
    pub(crate) const fn terms(self) -> &'a LinkTerms {
        self.terms
    }

    /// Returns a level's name by its index; `fixed` for the book of pays that touch no meter.
    pub(crate) fn level(self, level: u8) -> LevelName {
        let levels = &self.terms.content().levels;
        let level = levels.get(usize::from(level));
        let name = level.map(|level| level.name.clone());
        Text(name.unwrap_or_else(ids::LevelName::fixed))
    }

    /// Returns a book's name: its level's, or `fixed`.
    pub(crate) fn book(self, book: Book) -> LevelName {
        self.level(book.0)
    }

    /// Returns a table's name, or its number if it has no name.
    pub(crate) fn table(self, table: TableNo) -> TableName {
        let index = usize::try_from(table.0)
            .ok()
            .and_then(|number| number.checked_sub(1));
        let name = match self.tables {
            Tables::State(state) => state.table(table).map(|table| &table.name),
            Tables::Known(tables) => tables.get(&table),
            Tables::Rows(rows) => index.and_then(|index| rows.get(index)).map(|row| &row.name),
        };
        Text(
            name.cloned()
                .unwrap_or_else(|| ids::TableName::of_number(table)),
        )
    }

    /// Returns a hit's name.
    pub(crate) fn hit(self, hit: HitId) -> HitName {
        let Text(table) = self.table(hit.table);
        Text(hit_name::HitName::of(&table, hit))
    }

    /// Returns the names of hits.
    pub(crate) fn hits(self, hits: &[HitId]) -> Vec<HitName> {
        hits.iter().map(|hit| self.hit(*hit)).collect()
    }

    /// Returns a round's name: its table and coin-in.
    pub(crate) fn round(self, table: TableNo, coin_in: Sequence) -> String {
        format!("{}.{coin_in}", self.table(table))
    }
}

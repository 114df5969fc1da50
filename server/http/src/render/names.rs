//! Names instead of the numbers that the rules count with.

use core::fmt;

use meterhouse_domain::ids::{HitId, TableNo};
use meterhouse_domain::link::{Book, LinkTerms};
use meterhouse_domain::state::LinkState;
use meterhouse_edge::value;
use meterhouse_engine::view::{LinkView, TableRow};

/// The book of pays that touch no meter: fixed odds and envy.
const FIXED: &str = "fixed";

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
}

impl<'a> Names<'a> {
    /// The names in a link's state.
    pub(crate) fn of_state(state: &'a LinkState) -> Self {
        Self {
            terms: &state.terms,
            tables: Tables::State(state),
        }
    }

    /// The names in a link as the engine shows it, whose tables stand in the order of their numbers.
    pub(crate) fn of_view(view: &'a LinkView) -> Self {
        Self {
            terms: &view.terms,
            tables: Tables::Rows(&view.tables),
        }
    }

    /// The terms.
    pub(crate) const fn terms(self) -> &'a LinkTerms {
        self.terms
    }

    /// A level by its index.
    pub(crate) fn level(self, level: u8) -> &'a str {
        let levels = &self.terms.content().levels;
        levels
            .get(usize::from(level))
            .map_or(FIXED, |it| it.name.as_str())
    }

    /// A book: its level's name, or `fixed`.
    pub(crate) fn book(self, book: Book) -> &'a str {
        self.level(book.0)
    }

    /// A table, or its number where it has no name.
    pub(crate) fn table(self, table: TableNo) -> String {
        let index = usize::try_from(table.0)
            .ok()
            .and_then(|it| it.checked_sub(1));
        let name = match self.tables {
            Tables::State(state) => state.table(table).map(|it| &it.name),
            Tables::Rows(rows) => index.and_then(|it| rows.get(it)).map(|it| &it.name),
        };
        name.map_or_else(|| table.to_string(), ToString::to_string)
    }

    /// A hit as people write it.
    pub(crate) fn hit(self, hit: HitId) -> String {
        value::hit_text(self.table(hit.table), hit.sequence, hit.number)
    }

    /// Hits as people write them.
    pub(crate) fn hits(self, hits: &[HitId]) -> Vec<String> {
        hits.iter().map(|it| self.hit(*it)).collect()
    }

    /// A round, named by its coin-in.
    pub(crate) fn numbered(self, table: TableNo, sequence: impl fmt::Display) -> String {
        value::round_text(self.table(table), sequence)
    }
}

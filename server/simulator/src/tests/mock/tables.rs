//! The tables: their contact, their list, and commands sent again.

use std::time::{Duration, Instant};

use meterhouse_api::command::{Command, CommandRequest};
use meterhouse_api::outcome::CommandResponse;
use meterhouse_api::table::{ListedTable, TablePage};
use meterhouse_api::text::Text;
use meterhouse_api::words::{LinkState, TableState};
use meterhouse_journal::position::Position;

use super::{Link, Misbehavior, Mock, MockResponse, Table};

impl Mock {
    /// Records the time of a table's contact.
    pub(super) fn record_contact(&mut self, table: &str, token: &str) {
        assert_eq!(token, format!("c-{table}"));
        let is_lost = self.is_lost(table);
        let entry = self.tables.get_mut(table).expect("a table");
        entry.is_lost = is_lost;
        entry.last_contact = Some(Instant::now());
    }

    pub(super) fn is_lost(&self, table: &str) -> bool {
        let entry = &self.tables[table];
        let limit = Duration::from_secs(self.link_of(table).silence_seconds().into());
        entry.is_lost
            || entry
                .last_contact
                .is_some_and(|contact| contact.elapsed() > limit)
    }

    /// Returns the link of a table.
    pub(super) fn link_of(&self, table: &str) -> &Link {
        &self.links[self.tables[table].request.link.as_str()]
    }

    pub(super) fn table_page(&self) -> TablePage {
        let listed = |(name, table): (&String, &Table)| ListedTable {
            table: name.parse().expect("a name"),
            link: table.request.link.clone(),
            link_state: LinkState::Open,
            game: table.request.game.clone(),
            seats: table.request.seats,
            state: if self.is_lost(name) {
                TableState::Lost
            } else {
                TableState::InService
            },
            heard_at: None,
            pit: None,
        };
        TablePage {
            tables: self.tables.iter().map(listed).collect(),
            more: false,
            next: None,
        }
    }

    pub(super) fn replay_or_decide(
        &mut self,
        table: &str,
        sequence: u64,
        request: &CommandRequest,
    ) -> MockResponse<CommandResponse> {
        let used = self.last_sequence(table);
        if sequence > used + 1 {
            return (409, false, Err("sequence_gap"));
        }
        if sequence <= used {
            return self.replay(table, sequence, request);
        }
        let decided = self.command(table, sequence, request);
        let entry = self.tables.get_mut(table).expect("a table");
        entry.commands.push((request.clone(), decided.clone()));
        (status(&decided, 201), false, decided)
    }

    fn replay(
        &mut self,
        table: &str,
        sequence: u64,
        request: &CommandRequest,
    ) -> MockResponse<CommandResponse> {
        let index = usize::try_from(sequence - 1).expect("small");
        let (first_request, first) = self.tables[table].commands[index].clone();
        if first_request != *request {
            return (409, false, Err("sequence_reused"));
        }
        let replay = (status(&first, 200), true, first);
        match self.misbehavior {
            Misbehavior::OtherReplay => {
                let position = Text(Position::behind(7));
                let other = |first| CommandResponse { position, ..first };
                (replay.0, true, replay.2.map(other).map_err(|_| "other"))
            }
            Misbehavior::UnmarkedReplay => (replay.0, false, replay.2),
            Misbehavior::CountsReplay if matches!(request.command, Command::CoinIn(_)) => {
                let link = self.tables[table].request.link.as_str();
                self.links.get_mut(link).expect("a link").wagers += 1;
                replay
            }
            _ => replay,
        }
    }
}

/// Returns the status of a command's outcome: `accepted`, unless the rules refused the command.
const fn status(decided: &Result<CommandResponse, &'static str>, accepted: u16) -> u16 {
    if decided.is_ok() { accepted } else { 422 }
}

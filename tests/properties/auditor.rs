//! The auditor: keeps books of its own from what is commanded and answered, and from nothing else.
//!
//! # Shape
//! It is written from the rules page, without the code under test: its own money (`i128` micro-dollars), its
//! own paytables ([`sheet`]), turn order, split, envy, restart, void and cancel. Of the rules' crate it uses
//! types, to read commands and answers with; never a function that decides or computes.
//!
//! # What it checks
//! For each command: that it was accepted exactly where the page gives no reason to refuse it, and refused
//! with a reason of the page otherwise ([`reasons`]); that the answer carries the right amounts, seats,
//! order and restart ([`effects`]); and then that every balance and every hit's state is the same
//! ([`Auditor::compare`]).
//!
//! # What it does differently
//! Time is its own clock, one tick an accepted command, where the rules compare hit orders; it remembers all
//! that ever took from a level, where the rules forget; it finds all reasons, where the rules stop at one.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{Command, Envelope, TableCommand};
use meterhouse_domain::refusal::RefusalCode;

use crate::same::{Same, same_content};
use crate::setup::{Restart, Setup};
use crate::world::Answer;

mod answers;
mod books;
mod effects;
mod people;
mod reasons;
pub(crate) mod round;
mod rounds;
pub(crate) mod sheet;

use books::{Account, Books, Entry};
use effects::dollars_of_cents;
use round::{Due, Felt, Person, Way};
use sheet::Sheet;

/// Whether the auditor agrees, and if not, about what.
pub(crate) type Verdict = Result<(), String>;
/// Refusals for which there is a reason.
type Reasons = Vec<RefusalCode>;

/// A hit that took from a level; kept for ever.
#[derive(Debug)]
struct Take {
    at: u64,
    level: usize,
    table: usize,
    number: u64,
    reserve: bool,
    stands: bool,
}

/// The books of one link.
#[derive(Debug)]
pub(crate) struct Auditor {
    /// The paytable.
    pub(crate) sheet: Sheet,
    /// The tables.
    pub(crate) felts: Vec<Felt>,
    /// Whether a void ever had to be charged to the house.
    pub(crate) charged_to_house: bool,
    wager: i128,
    decks: u8,
    restart: Restart,
    books: Books,
    clock: u64,
    order: u64,
    takes: Vec<Take>,
}

impl Auditor {
    /// The books of a link that opens: its levels at their seeds, paid by the house.
    pub(crate) fn open(setup: &Setup) -> Self {
        let sheet = Sheet::of(setup);
        let wager = dollars_of_cents(setup.cents);
        let mut books = Books::new(sheet.levels.len() + 1);
        for (book, level) in sheet.levels.iter().enumerate() {
            books.write(&[Entry {
                book,
                from: Account::House,
                to: Account::Meter,
                micros: level.seed * wager,
            }]);
        }
        Self {
            sheet,
            felts: Vec::new(),
            charged_to_house: false,
            wager,
            decks: setup.decks,
            restart: setup.restart,
            books,
            clock: 0,
            order: 0,
            takes: Vec::new(),
        }
    }

    /// Judges the answer to a command, and does in its own books what was accepted.
    pub(crate) fn judge(&mut self, envelope: &Envelope, answer: &Answer) -> Verdict {
        match &envelope.command {
            Command::Person(command) => self.judge_person(envelope, command, answer),
            Command::Table {
                table,
                sequence,
                command,
            } => {
                let table = usize::try_from(table.0).unwrap_or(0).wrapping_sub(1);
                let last = self.felts.get(table).ok_or("no such table")?.last;
                if sequence.0 > last + 1 {
                    return match answer {
                        Answer::Gap { expected } => agree("expected number", &(last + 1), expected),
                        other => Err(format!("a gap, not {other:?}")),
                    };
                }
                if sequence.0 <= last {
                    return self.judge_again(table, sequence.0, command, answer);
                }
                self.judge_next(table, sequence.0, person(envelope), command, answer)
            }
        }
    }

    /// A command under an old number: the first answer again, or told apart.
    fn judge_again(
        &self,
        table: usize,
        number: u64,
        command: &TableCommand,
        answer: &Answer,
    ) -> Verdict {
        let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
        let (first, accepted) = self.felts[table].said.get(index).ok_or("number 0")?;
        match (same_content(first, command, *accepted), answer) {
            (Same::Yes | Same::Unsaid, Answer::Repeated)
            | (Same::No | Same::Unsaid, Answer::Reused) => Ok(()),
            (same, answer) => Err(format!("{command:?} after {first:?}: {same:?}, {answer:?}")),
        }
    }

    fn judge_next(
        &mut self,
        table: usize,
        number: u64,
        by: Person,
        command: &TableCommand,
        answer: &Answer,
    ) -> Verdict {
        let reasons = self.reasons(table, number, command);
        match answer {
            Answer::Refused(refusal) if reasons.contains(&refusal.code) => {
                if refusal.code != RefusalCode::UnknownHit {
                    self.use_up(table, number, command, false);
                }
                Ok(())
            }
            Answer::Caused(event) if reasons.is_empty() => {
                self.use_up(table, number, command, true);
                self.clock += 1;
                self.accept(table, number, by, command, event)
            }
            other => Err(format!("{command:?}: expected {reasons:?}, got {other:?}")),
        }
    }

    fn use_up(&mut self, table: usize, number: u64, command: &TableCommand, accepted: bool) {
        let felt = &mut self.felts[table];
        felt.last = number;
        felt.said.push((command.clone(), accepted));
    }
}

/// Two values that must be equal, and what they are.
fn agree<T: PartialEq + std::fmt::Debug>(what: &str, ours: &T, theirs: &T) -> Verdict {
    if ours == theirs {
        Ok(())
    } else {
        Err(format!(
            "{what}: expected {ours:?}, the rules say {theirs:?}"
        ))
    }
}

/// Who sent a command.
fn person(envelope: &Envelope) -> Person {
    let badge = envelope.by.as_ref().map(|it| it.as_str().to_owned());
    (envelope.actor.0, badge)
}

/// Cards as people write them.
fn texts(cards: &[Card]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}

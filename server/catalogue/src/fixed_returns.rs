//! The value of a table of fixed wagers, with its second reading and the other tables of its game.

use meterhouse_domain::adopted::Returned;
use meterhouse_domain::fixed::chance::Chance;
use meterhouse_domain::fixed::field::{Goal, Team};
use meterhouse_domain::fixed::required::{crazy_4_poker, four_card_frenzy};
use meterhouse_domain::fixed::returns::{Depends, Lines, lines};
use meterhouse_domain::fixed::table::{FixedTable, Line};
use meterhouse_domain::fixed::worth::{Of, Worth, is_paid_on_all_raises, worth};
use meterhouse_domain::ids::{PaytableId, ReadingName};

use crate::catalogue::Catalogue;

/// Wager of the tables that pay a losing Odds Wager, § 684a.12(c).
const BAD_BEAT: &str = "odds-bad-beat";

/// The value of the wagers of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixedReturns {
    /// Values, those of the print first. There are several for wagers on dice, and for readings of a doubtful print.
    pub values: Vec<FixedValue>,
    /// Reason for which the wager alone has no value; the values are then those of several wagers under best play.
    pub depends: Option<Depends>,
}

/// The value of a wager of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixedValue {
    /// Wager or reading that the value is for, in words; `None` for the wager of the table.
    pub about: Option<String>,
    /// Lines that pay the wager; none for wagers under best play.
    pub lines: Lines,
    /// Hold, hits and variance.
    pub chance: Chance,
}

/// The work that a value is worth.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Counts of a few milliseconds: the Ante and Raise Wagers of Cajun Stud have no value.
    Quick,
    /// All counts: those of Cajun Stud take about a second.
    Whole,
}

impl Catalogue {
    /// Returns the value of the wagers of a table.
    pub fn fixed_returns(&self, table: &FixedTable, effort: Effort) -> FixedReturns {
        let has_raises = is_paid_on_all_raises(table);
        let mut values = if has_raises && effort == Effort::Quick {
            Vec::new()
        } else {
            values(table)
        };
        if values.is_empty() {
            values = self.required(table);
        } else if !has_raises {
            let depends = None;
            let read = read(table, &mut values);
            values.extend(read);
            return FixedReturns { values, depends };
        }
        let depends = Some(Depends::of(table));
        FixedReturns { values, depends }
    }

    /// Returns the return of a table's wager that returns the most, by the print or by a reading. `None` if the table has
    /// no such reading, is incomplete, or has no wager with a value of its own.
    ///
    /// The first call for a table counts its hands, which takes up to 0.7 s for seven cards; later ones look it up.
    pub fn returned(&self, id: &PaytableId, reading: Option<&ReadingName>) -> Option<Returned> {
        let entry = self.fixed_entry(id)?;
        let [printed, read] = entry.returned.as_ref();
        let table = entry.table.as_ref()?;
        match reading {
            None => *printed.get_or_init(|| most_returned(table)),
            Some(name) => {
                let table = table.read_as(name)?;
                *read.get_or_init(|| most_returned(&table))
            }
        }
    }

    /// Returns the value of the required wagers of a table's game, with each table for a bad beat or with this one.
    fn required(&self, table: &FixedTable) -> Vec<FixedValue> {
        let is_required = ["ante", "super-bonus", "odds", BAD_BEAT];
        if !is_required.iter().any(|wager| pays(table, wager)) {
            return Vec::new();
        }
        let tables = |wager: &'static str| {
            let of_game = self.fixed_tables().filter(move |other| {
                other.game == table.game && other.jurisdiction == table.jurisdiction
            });
            of_game.filter(move |other| pays(other, wager))
        };
        let value = |chance: Chance, with: &str| FixedValue {
            about: Some(format!("required wagers under best play{with}")),
            lines: Lines::default(),
            chance,
        };
        match table.game.as_str() {
            "crazy-4-poker" => {
                let bonus = tables("super-bonus").next();
                let chance = bonus.and_then(crazy_4_poker);
                chance.into_iter().map(|chance| value(chance, "")).collect()
            }
            "four-card-frenzy" => {
                let Some(odds) = tables("odds").next() else {
                    return Vec::new();
                };
                let is_bad_beat = pays(table, BAD_BEAT);
                let bad_beats = tables(BAD_BEAT);
                let bad_beats = bad_beats.filter(|other| !is_bad_beat || other.id == table.id);
                let values = bad_beats.filter_map(|bad_beat| {
                    let with = format!(", with {}", bad_beat.id);
                    Some(value(four_card_frenzy(odds, bad_beat)?, &with))
                });
                values.collect()
            }
            _ => Vec::new(),
        }
    }
}

fn most_returned(table: &FixedTable) -> Option<Returned> {
    if is_paid_on_all_raises(table) {
        return None;
    }
    let values = worth(table).into_iter();
    let least = values.map(|worth| worth.chance.hold).min()?;
    Returned::of_hold(least)
}

fn pays(table: &FixedTable, wager: &str) -> bool {
    table.wagers.iter().any(|other| other.as_str() == wager)
}

/// Returns the values of the lines that the table has.
fn values(table: &FixedTable) -> Vec<FixedValue> {
    let value = |worth: Worth| {
        let lines = lines(table, worth.of);
        FixedValue {
            about: about(worth.of, &lines),
            lines,
            chance: worth.chance,
        }
    };
    let mut values: Vec<FixedValue> = worth(table).into_iter().map(value).collect();
    // Wagers on dice in the order of the print.
    values.sort_by_key(|value| {
        let first = value.lines.lines.first();
        let is_first = |line: &Line| first.is_some_and(|first| first.prints == line.prints);
        table.lines.iter().position(is_first)
    });
    values
}

/// Returns the values of the second reading of a doubtful print, and names those of the print.
fn read(table: &FixedTable, printed: &mut [FixedValue]) -> Vec<FixedValue> {
    let name = table.reading.as_ref().map(|reading| &reading.name);
    let Some((name, read)) = name.and_then(|name| Some((name, table.read_as(name)?))) else {
        return Vec::new();
    };
    for value in printed {
        value.about = Some("as printed".to_owned());
    }
    let mut read = values(&read);
    for value in &mut read {
        value.about = Some(name.to_string());
    }
    read
}

/// Returns the words for a wager among those of its table.
fn about(of: Of, lines: &Lines) -> Option<String> {
    match of {
        Of::Only => None,
        Of::BestPlay => Some("all wagers under best play, in parts of the Ante Wager".to_owned()),
        Of::Dice(_) => match lines.lines.as_slice() {
            [line] => Some(line.prints.clone()),
            _ => None,
        },
        Of::Touchdown(team, goal) => {
            let team = match team {
                Team::Red => "on the red team",
                Team::Black => "on the black team",
            };
            let goal = match goal {
                Goal::EndsGame => "if an end zone ends the game",
                Goal::PlaysOn => "if all four downs are always played",
            };
            Some(format!("{team}, {goal}"))
        }
    }
}

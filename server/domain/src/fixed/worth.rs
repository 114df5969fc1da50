//! The value of the wagers of a table, from the counts of all results.
//!
//! # Shape
//! [`worth`] values the wagers that are settled by the player's own, the community's or the highest cards, by dice, or by
//! the field. Wagers of which some are decided against the dealer have one value together:
//! [`required`](crate::fixed::required). Of other wagers no value is known here: [`worth`] returns none.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::fixed::bad_beat;
use crate::fixed::cajun_stud::cajun_stud;
use crate::fixed::chance::{Chance, chance};
use crate::fixed::cover_all;
use crate::fixed::dice::DiceWager;
use crate::fixed::field::{Goal, Team};
use crate::fixed::frequencies::{Histogram, of_cards, of_dice, of_field};
use crate::fixed::odds::Pays;
use crate::fixed::seen::{Look, Seen};
use crate::fixed::shows::Shows;
use crate::fixed::table::FixedTable;
use crate::hand::Ranking;
use crate::ids::WagerName;

/// Counts that most tables share, so that they are counted once: the best five of six cards, and the best four of five.
static SIX_CARDS: LazyLock<Option<Histogram>> = LazyLock::new(|| of_cards(Look::SixCards, 6));
static FOUR_OF_FIVE: LazyLock<Option<Histogram>> =
    LazyLock::new(|| of_cards(Look::Hand(Ranking::FourCard), 5));

/// The value of a wager.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Worth {
    /// Wager, among those of the table.
    pub of: Of,
    /// Value, in parts of the wager; of the Ante if more is wagered after it.
    pub chance: Chance,
}

/// A wager of a table, and the play that its value supposes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Of {
    /// The only wager, with no decision; or with a fold of hands that can't win it, as of a bad beat.
    Only,
    /// All wagers that are made one after the other, each decided as returns most.
    BestPlay,
    /// A wager on dice.
    Dice(DiceWager),
    /// A wager on a team, in a reading of the end zones.
    Touchdown(Team, Goal),
}

/// Returns the values of the wagers of a table. Returns none if they depend on a dealer's hand, or on decisions that no
/// function here knows.
pub fn worth(table: &FixedTable) -> Vec<Worth> {
    match table.look {
        Look::Dice => dice(table),
        Look::Field => field(table),
        _ if is_paid_on_all_raises(table) => {
            let of_ante = cajun_stud(|seen| table.result(&seen));
            let best = of_ante.map(|chance| Worth {
                of: Of::BestPlay,
                chance,
            });
            best.into_iter().collect()
        }
        _ => {
            let value = cards(table).and_then(|counts| of_counts(table, &counts));
            let only = value.map(|chance| Worth {
                of: Of::Only,
                chance,
            });
            only.into_iter().collect()
        }
    }
}

fn of_counts(table: &FixedTable, counts: &Histogram) -> Option<Chance> {
    chance(counts, |seen| table.result(&seen))
}

/// Returns true for an Ante and three later wagers that are all paid at the odds of one five-card hand, after each of
/// two, three and four of its cards: §§ 683a.11(b) to (h) and 655a.11.
pub fn is_paid_on_all_raises(table: &FixedTable) -> bool {
    let names: Vec<&str> = table.wagers.iter().map(WagerName::as_str).collect();
    let streets = ["ante", "third-street", "fourth-street", "fifth-street"];
    let is_five_card = table.look == Look::Hand(Ranking::FiveCard);
    is_five_card && (names == ["ante", "raise"] || names == streets)
}

/// Returns the counts of the cards that settle the only wager of a table.
pub(super) fn cards(table: &FixedTable) -> Option<Cow<'static, Histogram>> {
    let [wager] = table.wagers.as_slice() else {
        return None;
    };
    let dealt = match (table.look, wager.as_str()) {
        (_, "cover-all") => return cover_all::highest(table.players?).map(Cow::Owned),
        (_, "bad-beat") if table.game.as_str() == "ultimate-texas-hold-em" => {
            return Some(Cow::Owned(bad_beat::losing()));
        }
        (Look::Pocket, _) => 2,
        (Look::Hand(Ranking::ThreeCard), "board-bonus" | "three-card-bonus") => 3,
        (Look::Hand(Ranking::FourCard), "aces-up" | "four-card-bonus" | "queens-up") => {
            return FOUR_OF_FIVE.as_ref().map(Cow::Borrowed);
        }
        (Look::Hand(Ranking::FiveCard), "five-card-bonus") | (Look::Low | Look::Colours, _) => 5,
        (Look::SixCards, _) => return SIX_CARDS.as_ref().map(Cow::Borrowed),
        (Look::Hand(Ranking::FiveCard), "trips") => 7,
        _ => return None,
    };
    of_cards(table.look, dealt).map(Cow::Owned)
}

/// Returns the value of each wager on dice that the table pays. All numbers that a player may choose are equal.
fn dice(table: &FixedTable) -> Vec<Worth> {
    let throws = of_dice();
    let value = |wager: DiceWager| {
        let numbers = &[1, 2][..wager.chosen()];
        let chance = chance(&throws, |seen| {
            let Seen::Dice(dice) = seen else {
                return Pays::Loses.result(table.basis);
            };
            let line = table.line_on(wager, numbers, dice);
            let pays = line.map_or(Pays::Loses, |(_, line)| line.pays);
            pays.result(table.basis)
        });
        Some(Worth {
            of: Of::Dice(wager),
            chance: chance?,
        })
    };
    let is_paid = |wager: &DiceWager| {
        table.lines.iter().any(|line| match line.shows {
            Shows::Dice(other) => other == *wager,
            Shows::Showing(_) => *wager == DiceWager::OneOfAKind,
            _ => false,
        })
    };
    DiceWager::all().filter(is_paid).filter_map(value).collect()
}

/// Returns the value of a Touchdown Roulette wager for each team and reading.
fn field(table: &FixedTable) -> Vec<Worth> {
    let teams = [Team::Red, Team::Black].into_iter();
    let games = teams.flat_map(|team| [Goal::EndsGame, Goal::PlaysOn].map(|goal| (team, goal)));
    let value = |(team, goal)| {
        let chance = of_counts(table, &of_field(team, goal))?;
        Some(Worth {
            of: Of::Touchdown(team, goal),
            chance,
        })
    };
    games.filter_map(value).collect()
}

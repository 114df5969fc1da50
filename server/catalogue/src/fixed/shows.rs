//! The words for the first column of a printed table: `shows`, and the keys that go with the word.

use core::ops::RangeInclusive;
use core::str::FromStr;

use meterhouse_domain::card::Rank;
use meterhouse_domain::fixed::field::MIDDLE;
use meterhouse_domain::fixed::ranks::Ranks;
use meterhouse_domain::fixed::seen::Look;
use meterhouse_domain::fixed::shows::{HandShown, Shows};
use meterhouse_domain::hand::{Hand, Ranking};

use crate::reader::{Section, Value};

/// Keys that go with some words.
const KEYS: [&str; 7] = [
    "ranks", "second", "except", "suits", "cards", "dice", "yards",
];
const SIX_CARD_ROYAL: &str = "six-card-royal-flush";
const RANKS_EXAMPLE: &str =
    "one rank, such as \"A\", or a range from the lower to the higher, such as \"6-10\"";
const EXCEPT_EXAMPLE: &str = "two pairs, the higher first, such as [\"A\", \"Q\"]";

/// Reads the condition of a line. Keys that don't go with its word stay unread, so that they are refused.
pub(super) fn read(section: &Section<'_>, look: Option<Look>) -> Option<Shows> {
    let shows = match look {
        Some(look) => {
            let example = words(look).first().map(|word| format!("\"{word}\""));
            let value = section.required("shows", &example.unwrap_or_default());
            value.and_then(|value| word(section, value, look))
        }
        None => section.optional("shows").and(None),
    };
    if shows.is_none() {
        // Without its word no key can be judged.
        for key in KEYS {
            section.optional(key);
        }
    }
    shows
}

fn word(section: &Section<'_>, value: Value<'_>, look: Look) -> Option<Shows> {
    if look == Look::Dice && value.as_str() != Some("showing") {
        let words = words(look).join("\", \"");
        let wager = value.parsed(format!(
            "one of \"{words}\", or \"total-4\" to \"total-17\""
        ));
        return wager.map(Shows::Dice);
    }
    let word = value.word(&words(look))?;
    match look {
        Look::Comparison => Some(Shows::Win),
        Look::SixCards if word == SIX_CARD_ROYAL => {
            let value = section.required("suits", "\"chs\"")?;
            let suits = value.parsed("letters of c, d, h and s in this order, such as \"chs\"");
            suits.map(Shows::SixCardRoyal)
        }
        Look::Hand(_) | Look::SixCards => hand(section, word.parse().ok()?),
        Look::Low => ranks(section.required("ranks", "\"7\"")?).map(Shows::High),
        Look::Pocket if word == "pair" => range(section, "ranks").map(Shows::PocketPair),
        Look::Pocket => {
            let (high, low) = (range(section, "ranks"), range(section, "second"));
            Some(Shows::Pocket {
                high: high?,
                low: low?,
                suited: word == "suited",
            })
        }
        Look::Colours => number(section, "cards", 3..=5).map(Shows::Colour),
        Look::Dice => number(section, "dice", 1..=3).map(Shows::Showing),
        Look::Field => field(section, word),
    }
}

/// Returns the words of a look; the totals of dice are not among them.
fn words(look: Look) -> Vec<&'static str> {
    let hands = |ranking: Ranking| ranking.order().iter().map(|hand| hand.name());
    match look {
        Look::Hand(Ranking::FourCard) => {
            let royal = core::iter::once(Hand::RoyalFlush.name());
            hands(Ranking::FourCard).chain(royal).collect()
        }
        Look::Hand(ranking) => hands(ranking).collect(),
        Look::SixCards => {
            let royal = core::iter::once(SIX_CARD_ROYAL);
            royal.chain(hands(Ranking::FiveCard)).collect()
        }
        Look::Pocket => vec!["pair", "suited", "unsuited"],
        Look::Low => vec![Hand::HighCard.name()],
        Look::Colours => vec!["colour"],
        Look::Dice => vec![
            "showing",
            "three-of-a-kind",
            "two-of-a-kind",
            "any-three-of-a-kind",
            "two-dice",
            "small",
            "big",
        ],
        Look::Field => vec!["touchdown", "yards", "losing-team"],
        Look::Comparison => vec!["win"],
    }
}

/// Reads a hand with its ranks. The special hands have one rank.
fn hand(section: &Section<'_>, hand: Hand) -> Option<Shows> {
    let is_special = matches!(hand, Hand::RoyalFlush | Hand::MiniRoyal | Hand::FourAces);
    let any = Some(Ranks::ANY);
    let first = if is_special {
        any
    } else {
        range(section, "ranks")
    };
    let has_second = matches!(hand, Hand::TwoPair | Hand::FullHouse);
    let second = if has_second {
        range(section, "second")
    } else {
        any
    };
    let except = match hand {
        Hand::TwoPair => section.optional("except").map(pairs),
        _ => None,
    };
    Some(Shows::Hand(HandShown {
        hand,
        first: first?,
        second: second?,
        except: except.map_or(Some(None), |pairs| pairs.map(Some))?,
    }))
}

/// Reads an optional range of ranks; without it any rank fits.
fn range(section: &Section<'_>, key: &'static str) -> Option<Ranks> {
    section.optional(key).map_or(Some(Ranks::ANY), ranks)
}

fn ranks(value: Value<'_>) -> Option<Ranks> {
    value.parsed(RANKS_EXAMPLE)
}

/// Reads the ranks of two pairs.
fn pairs(value: Value<'_>) -> Option<(Rank, Rank)> {
    let rank = |value: &Value<'_>| Ranks::from_str(value.as_str()?).ok()?.single();
    let list = value.list(2, EXCEPT_EXAMPLE)?;
    match list.iter().map(rank).collect::<Option<Vec<_>>>().as_deref() {
        Some([higher, lower]) if higher > lower => Some((*higher, *lower)),
        _ => value.wrong(EXCEPT_EXAMPLE),
    }
}

fn number(section: &Section<'_>, key: &'static str, range: RangeInclusive<u32>) -> Option<u8> {
    let value = section.required(key, &range.end().to_string())?;
    value.whole(range)?.try_into().ok()
}

fn field(section: &Section<'_>, word: &str) -> Option<Shows> {
    match word {
        "touchdown" => return Some(Shows::Touchdown),
        "losing-team" => return Some(Shows::LosingTeam),
        _ => {}
    }
    let value = section.required("yards", "\"11-20\"")?;
    let text = value.as_str().unwrap_or_default();
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from @ 1..), Ok(to)) if from <= to && to <= MIDDLE => Some(Shows::Yards(from, to)),
        _ => value.wrong(format!(
            "yard lines from 1 to {MIDDLE}, such as \"11-20\" or \"{MIDDLE}\""
        )),
    }
}

//! The differences between two paytables, in the words of their files.
//!
//! # Shape
//! A list of fields with both values. Only the content that tables have to share for common meters is compared, not
//! the names. Two paytables without a difference may therefore belong to different games and jurisdictions. The wager
//! on the dealer's hand is the game's own: a game without it shares meters with games that have it.
//!
//! # Equality
//! A level is found by its name and a line by its hand; their order makes no difference, since all tables of a link
//! use the link's own paytable.
//!
//! RULES §4.1: a table joins a link only if this list is empty.

use crate::paytable::{
    Charge, Content, HandedOver, Level, Line, Pays, Paytable, Settlement, Validation,
};

/// Text for a value that one of two paytables doesn't have.
const NONE: &str = "none";

/// A field in which two paytables differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Name of the field: `validation`, `level mega`, `line royal-flush`.
    pub field: String,
    /// Value of the first paytable, or `none`.
    pub first: String,
    /// Value of the second paytable, or `none`.
    pub second: String,
}

/// Returns every difference between the contents of two paytables, and between their permissions to share meters. The
/// order is that of the first paytable, followed by the fields that only the second has.
pub fn differences(first: &Paytable, second: &Paytable) -> Vec<Difference> {
    let (first, second) = (described(first), described(second));
    let is_new = |field: &String| first.iter().all(|(known, _)| known != field);
    let fields = first.iter().map(|(field, _)| field);
    let new = second.iter().map(|(field, _)| field);
    fields
        .chain(new.filter(|field| is_new(field)))
        .map(|field| Difference {
            field: field.clone(),
            first: value(&first, field),
            second: value(&second, field),
        })
        .filter(|difference| difference.first != difference.second)
        .collect()
}

fn value(fields: &[(String, String)], field: &str) -> String {
    let found = fields.iter().find(|(name, _)| name == field);
    found.map_or_else(|| NONE.to_owned(), |(_, value)| value.clone())
}

/// Describes a paytable's content, field by field, and its permission to share meters.
fn described(paytable: &Paytable) -> Vec<(String, String)> {
    let content = &paytable.content;
    let odds = |odds: Option<u32>| odds.map_or_else(|| NONE.to_owned(), for_one);
    let facts = [
        ("ranking", content.ranking.to_string()),
        ("validation", validated(content.validation)),
        ("settlement", settled(content.settlement)),
        ("envy_printed_for", wagers(&content.envy_printed_for)),
        ("magic_card", odds(content.magic_card)),
        ("lucky_bonus", odds(content.lucky_bonus)),
        ("linkable", paytable.linkable.to_string()),
    ];
    let facts = facts.map(|(field, value)| (field.to_owned(), value));
    let levels = content
        .levels
        .iter()
        .map(|listed| (format!("level {}", listed.name), level(listed)));
    let lines = content
        .lines
        .iter()
        .map(|listed| (format!("line {}", listed.hand), line(content, listed)));
    facts.into_iter().chain(levels).chain(lines).collect()
}

fn for_one(odds: u32) -> String {
    format!("{odds} for 1")
}

fn validated(validation: Validation) -> String {
    match validation {
        Validation::EveryHit => "every-hit".to_owned(),
        Validation::PercentAndForOneAtLeast(least) => {
            format!("percentages and fixed odds of at least {}", for_one(least))
        }
    }
}

fn settled(settlement: Settlement) -> String {
    format!(
        "percentage {}, fixed odds {}, envy {}",
        charged(settlement.percent),
        charged(settlement.for_one),
        charged(settlement.envy)
    )
}

/// Writes a charge: `house from rack`.
fn charged(charge: Charge) -> String {
    let way = match charge.handed_over {
        HandedOver::Slip => "by",
        HandedOver::Rack => "from",
        HandedOver::GameAccount => "to",
    };
    format!("{} {way} {}", charge.charged_to, charge.handed_over)
}

/// Writes wagers of whole dollars: `1.00, 5.00`.
fn wagers(dollars: &[u32]) -> String {
    if dollars.is_empty() {
        return NONE.to_owned();
    }
    let amounts: Vec<String> = dollars
        .iter()
        .map(|amount| format!("{amount}.00"))
        .collect();
    amounts.join(", ")
}

fn level(level: &Level) -> String {
    format!(
        "seed {} reseed {} primary {} reserve {}",
        level.seed, level.reseed, level.primary, level.reserve
    )
}

fn line(content: &Content, line: &Line) -> String {
    let pays = match line.pays {
        Pays::Percent { percent, level } => format!("{percent}% of {}", level_name(content, level)),
        Pays::ForOne(odds) => for_one(odds),
        Pays::ForOneOf { odds, level } => {
            format!("{} of {}", for_one(odds), level_name(content, level))
        }
    };
    match line.envy {
        Some(odds) => format!("{pays}, envy {}", for_one(odds)),
        None => pays,
    }
}

/// Returns the name of a paytable's level.
fn level_name(content: &Content, level: usize) -> &str {
    content
        .levels
        .get(level)
        .map_or(NONE, |level| level.name.as_str())
}

//! Joining: a table plays on a link only with what the link has (`rules` §4).

use crate::command::JoinTable;
use crate::event::{Event, TableJoined};
use crate::link::LinkTerms;
use crate::name::TableNo;
use crate::paytable::{Content, Pays, Paytable};
use crate::refusal::{Refusal, RefusalCode};
use crate::seat::SEATS_MAX;
use crate::state::LinkState;

use super::{Decision, Stop};

/// A table joins only with equal content, wager and decks; the refusal lists every difference (`rules` §4).
pub(super) fn join_table(state: &LinkState, join: &JoinTable) -> Result<Decision, Stop> {
    if let Some(known) = state.tables.iter().find(|table| table.name == join.name) {
        let same = known.game == join.game && known.seats == join.seats;
        if same && differences(&state.terms, join).fields.is_empty() {
            return Ok(Decision::AlreadyDone);
        }
    }
    let refusal = differences(&state.terms, join);
    if !refusal.fields.is_empty() {
        return Err(refusal.into());
    }
    let Some(game) = join
        .paytable
        .games
        .iter()
        .find(|game| game.name == join.game)
    else {
        return Err(Refusal::new(RefusalCode::TableDiffers)
            .with("game", &join.game)
            .into());
    };
    let seats_max = game.seats_max.min(SEATS_MAX);
    if join.seats == 0 || join.seats > seats_max {
        return Err(Refusal::new(RefusalCode::OutOfRange)
            .with("seats", join.seats)
            .with("seats_max", seats_max)
            .into());
    }
    if state.tables.iter().any(|table| table.name == join.name) {
        return Err(Refusal::new(RefusalCode::TableDiffers)
            .with("table", &join.name)
            .into());
    }
    if !state.terms.paytable.linkable
        && let Some(other) = state.tables.iter().find(|table| table.game != join.game)
    {
        return Err(Refusal::new(RefusalCode::TableDiffers)
            .with(
                "game",
                format_args!(
                    "link {}, table {}: this paytable is for tables of one game",
                    other.game, join.game
                ),
            )
            .into());
    }
    let number = u32::try_from(state.tables.len() + 1).map_err(|_| Stop::Broken("tables"))?;
    Ok(Decision::Event(Event::TableJoined(Box::new(TableJoined {
        table: TableNo(number),
        name: join.name.clone(),
        game: join.game.clone(),
        seats: join.seats,
        paytable: join.paytable.id.clone(),
        rules: join.paytable.rules,
    }))))
}

/// Every difference between what a table has and what its link has: the link's value, then the table's.
fn differences(terms: &LinkTerms, join: &JoinTable) -> Refusal {
    let mut refusal = Refusal::new(RefusalCode::TableDiffers);
    let mut compare = |field: &str, link: String, table: String| {
        if link != table {
            refusal
                .fields
                .push((field.to_owned(), format!("link {link}, table {table}")));
        }
    };
    compare("wager", terms.wager.to_string(), join.wager.to_string());
    compare("decks", terms.decks.to_string(), join.decks.to_string());
    let (ours, theirs) = (describe(&terms.paytable), describe(&join.paytable));
    let fields = ours.iter().map(|(field, _)| field);
    let new = theirs
        .iter()
        .map(|(field, _)| field)
        .filter(|it| value(&ours, it) == NONE);
    for field in fields.chain(new) {
        compare(field, value(&ours, field), value(&theirs, field));
    }
    refusal
}

/// What stands for a line or level that one of two paytables doesn't have.
const NONE: &str = "none";

fn value(fields: &[(String, String)], field: &str) -> String {
    let found = fields.iter().find(|(name, _)| name == field);
    found.map_or_else(|| NONE.to_owned(), |(_, value)| value.clone())
}

/// A paytable's content, field by field.
fn describe(paytable: &Paytable) -> Vec<(String, String)> {
    let content = &paytable.content;
    let mut fields = vec![
        ("ranking".to_owned(), format!("{:?}", content.ranking)),
        (
            "bet_on_dealer".to_owned(),
            content.bet_on_dealer.to_string(),
        ),
        ("validation".to_owned(), format!("{:?}", content.validation)),
        ("settlement".to_owned(), format!("{:?}", content.settlement)),
        (
            "envy_printed_for".to_owned(),
            format!("{:?}", content.envy_printed_for),
        ),
    ];
    for (field, odds) in [
        ("magic_card", content.magic_card),
        ("lucky_bonus", content.lucky_bonus),
    ] {
        let text = odds.map_or_else(|| NONE.to_owned(), |odds| format!("{odds} for 1"));
        fields.push((field.to_owned(), text));
    }
    for level in &content.levels {
        let text = format!(
            "seed {} reseed {} primary {} reserve {}",
            level.seed, level.reseed, level.primary, level.reserve
        );
        fields.push((format!("level {}", level.name), text));
    }
    for line in &content.lines {
        let pays = match line.pays {
            Pays::Percent { percent, level } => {
                format!("{percent}% of {}", level_name(content, level))
            }
            Pays::ForOne(odds) => format!("{odds} for 1"),
            Pays::ForOneOf { odds, level } => {
                format!("{odds} for 1 of {}", level_name(content, level))
            }
        };
        let envy = line
            .envy
            .map_or_else(String::new, |odds| format!(", envy {odds} for 1"));
        fields.push((format!("line {}", line.hand), format!("{pays}{envy}")));
    }
    fields
}

/// What a level of a paytable is called.
fn level_name(content: &Content, level: usize) -> &str {
    content
        .levels
        .get(level)
        .map_or(NONE, |it| it.name.as_str())
}

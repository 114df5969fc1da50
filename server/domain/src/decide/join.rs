//! Joining: a table plays on a link only with the link's own terms (RULES §4.1).

use crate::command::JoinTable;
use crate::difference::{Difference, differences};
use crate::event::{Event, TableJoined};
use crate::ids::{GameName, TableNo};
use crate::link::LinkTerms;
use crate::refusal::{Refusal, RefusalCode};
use crate::seat::SEATS_MAX;
use crate::state::LinkState;

use super::decision::{Decision, Stop};

/// The field that marks a paytable for tables of one game only.
const LINKABLE: &str = "linkable";

/// Decides a join. A table needs equal content, wager and decks, and a game that may share the meters; the refusal
/// lists every difference (RULES §4.1).
pub(super) fn join_table(state: &LinkState, join: &JoinTable) -> Result<Decision, Stop> {
    let mut refusal = differing(&state.terms, join);
    if let Some(known) = state.tables.iter().find(|table| table.name == join.name) {
        if known.left {
            let refusal = Refusal::new(RefusalCode::TableLeft);
            return Err(refusal.with("table", &known.name).into());
        }
        let same = known.game == join.game && known.seats == join.seats;
        if same && refusal.fields.is_empty() {
            return Ok(Decision::AlreadyDone);
        }
    }
    let mut games = join.paytable.games.iter();
    let game = games.find(|game| game.name == join.game);
    if game.is_none() {
        refusal = refusal.with("game", &join.game);
    }
    let is_said = refusal.fields.iter().any(|(field, _)| field == LINKABLE);
    if let Some(other) = other_game(state, join).filter(|_| !is_said) {
        let both = format_args!(
            "link {other}, table {}: this paytable is for tables of one game",
            join.game
        );
        refusal = refusal.with(LINKABLE, both);
    }
    let Some(game) = game.filter(|_| refusal.fields.is_empty()) else {
        return Err(refusal.into());
    };
    let seats_max = game.seats_max.min(SEATS_MAX).min(counted_for(state));
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
    let number = u32::try_from(state.tables.len() + 1).map_err(|_| Stop::Broken("tables"))?;
    Ok(Decision::Event(Event::TableJoined(Box::new(TableJoined {
        table: TableNo(number),
        name: join.name.clone(),
        game: join.game.clone(),
        seats: join.seats,
        paytable: join.paytable.id.clone(),
        rules: join.paytable.rules,
        bet_on_dealer: Some(join.paytable.content.bet_on_dealer),
    }))))
}

/// Returns the seats of the largest layout for which the link counted its envy when it opened.
fn counted_for(state: &LinkState) -> u8 {
    let terms = &state.terms;
    let gives_envy = terms.content().lines.iter().any(|line| line.envy.is_some());
    if terms.counts_draws_and_envy && gives_envy {
        terms.paytable.full_table()
    } else {
        SEATS_MAX
    }
}

/// Returns every difference between the link's terms and the table's: the link's value, then the table's.
fn differing(terms: &LinkTerms, join: &JoinTable) -> Refusal {
    let of_link = [
        ("wager", terms.wager.to_string(), join.wager.to_string()),
        ("decks", terms.decks.to_string(), join.decks.to_string()),
    ];
    let of_link = of_link.map(|(field, first, second)| Difference {
        field: field.to_owned(),
        first,
        second,
    });
    let of_link = of_link
        .into_iter()
        .filter(|difference| difference.first != difference.second);
    of_link
        .chain(differences(&terms.paytable, &join.paytable))
        .fold(
            Refusal::new(RefusalCode::TableDiffers),
            |refusal, difference| {
                let both = format_args!("link {}, table {}", difference.first, difference.second);
                refusal.with(&difference.field, both)
            },
        )
}

/// Returns the game of other tables that excludes this one, if the link's paytable is for tables of one game.
fn other_game<'a>(state: &'a LinkState, join: &JoinTable) -> Option<&'a GameName> {
    let others = state.tables.iter();
    let others = others.filter(|table| table.name != join.name && !table.left);
    let mut games = others.map(|table| &table.game);
    games.find(|game| !state.terms.paytable.linkable && **game != join.game)
}

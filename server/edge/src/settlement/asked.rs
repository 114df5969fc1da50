//! Rounds as the rules take them: with hands, or without; and the fields that belong to the other kind.

use meterhouse_api::request::List;
use meterhouse_api::round_settlement::{PlacedWager, SeatPlayed, SettlementRequest, TableTerms};
use meterhouse_api::round_wagers::RoundWagers;
use meterhouse_api::text::Text;
use meterhouse_domain::fixed::settle as rules;
use meterhouse_domain::fixed::settle::{PlayedRound, Rolled, RolledGame, RolledRound};
use meterhouse_domain::ids::GameName;
use meterhouse_domain::seat::Seat;

use super::findings::{OTHER_GAME, RoundFinding};

/// Returns the round of a game with cards.
pub(super) fn hands(request: &SettlementRequest) -> PlayedRound {
    PlayedRound {
        game: request.game.0.clone(),
        jurisdiction: request.jurisdiction.name().to_owned(),
        terms: terms(&request.terms),
        dealer: values(request.dealer.as_ref()),
        community: values(request.community.as_ref()),
        bonus: values(request.bonus.as_ref()),
        seats: request.seats.iter().map(seat).collect(),
        void: request.void.map(|void| void.0),
    }
}

/// Returns the round of a game without hands.
pub(super) fn rolled(request: &SettlementRequest, game: RolledGame) -> RolledRound {
    let seats = request.seats.iter();
    RolledRound {
        rolled: match game {
            RolledGame::SicBo => Rolled::Dice(numbers_of(request.dice.as_ref())),
            RolledGame::Roulette => Rolled::Spins {
                spins: values(request.spins.as_ref()),
                goal: request.terms.goal.map(|goal| goal.0),
            },
        },
        terms: terms(&request.terms),
        seats: seats
            .map(|sent| rules::SeatWagers {
                seat: Seat(sent.seat),
                wagers: sent.wagers.iter().map(chosen).collect(),
            })
            .collect(),
    }
}

/// Returns the terms of a table.
pub(crate) fn terms(sent: &TableTerms) -> rules::TableTerms {
    rules::TableTerms {
        minimum: sent.minimum.0.0,
        step: sent.step.0.0,
        limit: sent.limit.map(|limit| limit.0.0),
        reading: sent.reading.map(|reading| reading.0),
        most_at_minimum: sent.most_at_minimum.map(|most| most.0.0),
    }
}

fn seat(sent: &SeatPlayed) -> rules::SeatPlayed {
    rules::SeatPlayed {
        seat: Seat(sent.seat),
        player: sent.player.as_ref().map(|player| player.0.clone()),
        cards: values(sent.cards.as_ref()),
        wagers: placed(&sent.wagers),
        end: sent.end.map_or(rules::SeatEnd::Stayed, |end| end.0),
    }
}

/// Returns the wagers of a seat in a game with hands. The rules refuse a wager on dice by the name that tables have for it: no
/// game with cards has one.
pub(crate) fn placed(sent: &[PlacedWager]) -> Vec<rules::PlacedWager> {
    let wagers = sent.iter().map(|placed| rules::PlacedWager {
        wager: placed.wager.fixed(),
        amount: placed.amount.0.0,
    });
    wagers.collect()
}

fn chosen(placed: &PlacedWager) -> rules::ChosenWager {
    rules::ChosenWager {
        wager: placed.wager.0,
        amount: placed.amount.0.0,
        numbers: numbers(placed),
        team: placed.team.map(|team| team.0),
    }
}

/// Returns the numbers chosen with a wager.
pub(super) fn numbers(placed: &PlacedWager) -> Vec<u8> {
    numbers_of(placed.numbers.as_ref())
}

fn numbers_of<const MOST: usize>(sent: Option<&List<u8, MOST>>) -> Vec<u8> {
    sent.map(|list| list.0.clone()).unwrap_or_default()
}

/// Returns the values of a list, which may be left out.
pub(crate) fn values<T: Copy, const MOST: usize>(sent: Option<&List<Text<T>, MOST>>) -> Vec<T> {
    let values = sent.map(|list| list.iter());
    values
        .into_iter()
        .flatten()
        .map(|Text(value)| *value)
        .collect()
}

/// Returns the fields of a request that its game doesn't have, because they belong to another kind. An empty list is left
/// out.
pub(super) fn of_other_games(
    request: &SettlementRequest,
    rolled: Option<RolledGame>,
) -> Vec<RoundFinding> {
    let is = |game| rolled == Some(game);
    let (dice, wheel, cards) = (
        is(RolledGame::SicBo),
        is(RolledGame::Roulette),
        rolled.is_none(),
    );
    let terms = &request.terms;
    let mut fields = vec![
        ("terms.reading".to_owned(), terms.reading.is_some(), cards),
        (
            "terms.most_at_minimum".to_owned(),
            terms.most_at_minimum.is_some(),
            cards,
        ),
        ("terms.goal".to_owned(), terms.goal.is_some(), wheel),
        ("dealer".to_owned(), has(request.dealer.as_ref()), cards),
        (
            "community".to_owned(),
            has(request.community.as_ref()),
            cards,
        ),
        ("bonus".to_owned(), has(request.bonus.as_ref()), cards),
        ("dice".to_owned(), has(request.dice.as_ref()), dice),
        ("spins".to_owned(), has(request.spins.as_ref()), wheel),
        ("void".to_owned(), request.void.is_some(), cards),
    ];
    for (index, seat) in request.seats.iter().enumerate() {
        let path = format!("seats[{index}]");
        fields.push((format!("{path}.cards"), has(seat.cards.as_ref()), cards));
        fields.push((format!("{path}.end"), seat.end.is_some(), cards));
        fields.extend(chosen_fields(index, &seat.wagers, dice, wheel));
    }
    others(fields, &request.game)
}

/// Returns the fields beside the cards of a link's table that belong to a game without hands.
pub(crate) fn of_games_without_hands(game: &GameName, sent: &RoundWagers) -> Vec<RoundFinding> {
    let goal = sent.terms.goal.is_some();
    let mut fields = vec![("terms.goal".to_owned(), goal, false)];
    for (index, seat) in sent.seats.iter().enumerate() {
        fields.extend(chosen_fields(index, &seat.wagers, false, false));
    }
    others(fields, game)
}

/// A field: its path, if it is there, and if it belongs to the game.
type Field = (String, bool, bool);

/// Returns the fields of a seat's wagers that only a game without hands has.
fn chosen_fields(
    seat: usize,
    wagers: &[PlacedWager],
    dice: bool,
    wheel: bool,
) -> impl Iterator<Item = Field> {
    let wagers = wagers.iter().enumerate();
    wagers.flat_map(move |(place, placed)| {
        let path = format!("seats[{seat}].wagers[{place}]");
        let numbers = has(placed.numbers.as_ref());
        let team = placed.team.is_some();
        [
            (format!("{path}.numbers"), numbers, dice),
            (format!("{path}.team"), team, wheel),
        ]
    })
}

fn others(fields: Vec<Field>, game: &GameName) -> Vec<RoundFinding> {
    let fields = fields.into_iter();
    let others = fields.filter(|(_, is_there, belongs)| *is_there && !belongs);
    others
        .map(|(path, _, _)| RoundFinding {
            path,
            code: OTHER_GAME,
            detail: format!("a round of {game} has none: leave it out"),
        })
        .collect()
}

fn has<T, const MOST: usize>(sent: Option<&List<T, MOST>>) -> bool {
    sent.is_some_and(|list| !list.is_empty())
}

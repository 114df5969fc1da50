//! A command as the journal's page repeats it beside a refusal: in the form in which it was sent.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{Command, Holder, PersonCommand, TableCommand, Wager};
use meterhouse_domain::name::Note;
use meterhouse_domain::seat::Seat;
use serde_json::{Value, json};

use super::Names;

/// The command as it was sent, under its key.
pub(super) fn sent(command: &Command, names: Names<'_>) -> Value {
    match command {
        Command::Table { table, command, .. } => match command {
            TableCommand::CoinIn(it) => {
                let wagers: Vec<Value> = it.wagers.iter().map(wager).collect();
                json!({"coin_in": {"wagers": wagers, "dealt": seats(&it.dealt)}})
            }
            TableCommand::Count { chips } => json!({"count": {"chips": chips}}),
            TableCommand::Fold { seats: folded } => json!({"fold": {"seats": seats(folded)}}),
            TableCommand::Hit(it) => {
                let mut body = match it.holder {
                    Holder::Seat(seat) => json!({"seat": seat.0, "hand": it.hand.name()}),
                    Holder::Dealer => json!({"dealer": true, "hand": it.hand.name()}),
                };
                if let Some(found) = it.cards.as_deref() {
                    body["cards"] = cards(found);
                }
                json!({"hit": body})
            }
            TableCommand::Envy {
                seat,
                hand,
                cards: found,
            } => {
                let mut body = json!({"seat": seat.0, "hand": hand.name()});
                if let Some(found) = found.as_deref() {
                    body["cards"] = cards(found);
                }
                json!({"envy": body})
            }
            TableCommand::CancelHit { hit } => {
                json!({"cancel_hit": {"hit": names.numbered(*table, hit)}})
            }
            TableCommand::Close => json!({"close": {}}),
            TableCommand::Void { reason } => json!({"void": {"reason": reason.name()}}),
        },
        Command::Person(command) => by_person(command, names),
    }
}

fn by_person(command: &PersonCommand, names: Names<'_>) -> Value {
    match command {
        PersonCommand::JoinTable(it) => json!({"join_table": {
            "table": it.name.as_str(),
            "game": it.game.as_str(),
            "seats": it.seats,
            "paytable": it.paytable.id.as_str(),
            "wager": it.wager.to_string(),
            "decks": it.decks,
        }}),
        PersonCommand::ValidateHit {
            hit,
            cards: found,
            note,
        } => json!({"validate_hit": {
            "hit": names.hit(*hit),
            "cards": found.as_deref().map(cards),
            "note": note.as_ref().map(Note::as_str),
        }}),
        PersonCommand::RejectHit { hit, note } => json!({"reject_hit": {
            "hit": names.hit(*hit),
            "note": note.as_ref().map(Note::as_str),
        }}),
        PersonCommand::PayPayout {
            hit,
            number,
            document,
        } => json!({"pay_payout": {
            "hit": names.hit(*hit),
            "payout": number,
            "document": document.as_str(),
        }}),
    }
}

fn wager(wager: &Wager) -> Value {
    let mut body = json!({
        "seat": wager.seat.0,
        "amount": wager.amount.to_string(),
        "on": wager.on.name(),
    });
    if let Some(player) = &wager.player {
        body["player"] = json!(player.as_str());
    }
    body
}

fn seats(seats: &[Seat]) -> Vec<u8> {
    seats.iter().map(|it| it.0).collect()
}

fn cards(cards: &[Card]) -> Value {
    json!(cards.iter().map(ToString::to_string).collect::<Vec<_>>())
}

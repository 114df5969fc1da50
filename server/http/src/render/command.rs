//! A command as the journal's page repeats it beside a refusal: in the form in which it was sent.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{
    Command, Holder, JoinTable, LevelValue, PersonCommand, Settle, TableCommand, Wager,
};
use meterhouse_domain::ids::{HitId, Note, TableNo};
use meterhouse_domain::seat::Seat;
use meterhouse_edge::value;
use serde_json::{Value, json};

use super::{At, ChangeView, Names, card_texts};

/// The command as it was sent, under its key.
pub(super) fn sent(command: &Command, names: Names<'_>) -> Value {
    match command {
        Command::Table { table, command, .. } => by_table(*table, command, names),
        Command::Person(command) => by_person(command, names),
    }
}

fn by_table(table: TableNo, command: &TableCommand, names: Names<'_>) -> Value {
    match command {
        TableCommand::CoinIn(it) => {
            let wagers: Vec<Value> = it.wagers.iter().map(wager).collect();
            json!({"coin_in": {"wagers": wagers, "dealt": seats(&it.dealt)}})
        }
        TableCommand::Count { chips } => json!({"count": {"chips": chips}}),
        TableCommand::Fold { seats: folded } => json!({"fold": {"seats": seats(folded)}}),
        TableCommand::Hit(it) => {
            let hand = ("hand", it.hand.name());
            json!({"hit": held(it.holder, hand, it.cards.as_deref())})
        }
        TableCommand::Envy { seat, hand, cards } => {
            let holder = Holder::Seat(*seat);
            json!({"envy": held(holder, ("hand", hand.name()), cards.as_deref())})
        }
        TableCommand::Bonus(it) => {
            let kind = ("kind", it.kind.name());
            json!({"bonus": held(it.holder, kind, it.cards.as_deref())})
        }
        TableCommand::Settle(it) => json!({"settle": settle(it)}),
        TableCommand::CancelHit { hit, number } => {
            let id = HitId {
                table,
                sequence: *hit,
                number: *number,
            };
            json!({"cancel_hit": {"hit": names.hit(id)}})
        }
        TableCommand::Close => json!({"close": {}}),
        TableCommand::Void { reason } => json!({"void": {"reason": reason.name()}}),
    }
}

fn by_person(command: &PersonCommand, names: Names<'_>) -> Value {
    let text = |note: Option<&Note>| json!(note.map(Note::as_str));
    match command {
        PersonCommand::JoinTable(it) => join_table(it),
        PersonCommand::ValidateHit { hit, cards, note } => json!({"validate_hit": {
            "hit": names.hit(*hit),
            "cards": cards.as_deref().map(card_texts),
            "note": text(note.as_ref()),
        }}),
        PersonCommand::RejectHit {
            hit,
            note,
            resettle,
        } => json!({"reject_hit": {
            "hit": names.hit(*hit),
            "note": text(note.as_ref()),
            "resettle": resettle,
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
        PersonCommand::Propose(it) => json!({"propose": {
            "proposal": value::proposal_text(it.proposal),
            "department": it.department.as_str(),
            "reason": it.reason.as_str(),
            "change": ChangeView::journaled(names, &it.change),
        }}),
        PersonCommand::Approve {
            proposal,
            department,
        } => json!({"approve": {
            "proposal": value::proposal_text(*proposal),
            "department": department.as_str(),
        }}),
        PersonCommand::Decline {
            proposal,
            department,
            reason,
        } => json!({"decline": {
            "proposal": value::proposal_text(*proposal),
            "department": department.as_str(),
            "reason": reason.as_str(),
        }}),
        PersonCommand::AcceptValues { .. }
        | PersonCommand::SuspendLink { .. }
        | PersonCommand::ResumeLink
        | PersonCommand::DisableLevel { .. }
        | PersonCommand::EnableLevel { .. }
        | PersonCommand::LoseTable { .. }
        | PersonCommand::ResumeTable { .. }
        | PersonCommand::DisableTable { .. }
        | PersonCommand::EnableTable { .. }
        | PersonCommand::LeaveLink { .. }
        | PersonCommand::FaultLink { .. } => of_state(command, names),
    }
}

/// Changes of the state of a link, a level or a table.
fn of_state(command: &PersonCommand, names: Names<'_>) -> Value {
    match command {
        PersonCommand::AcceptValues { values } => {
            let value = |it: &LevelValue| json!({"level": names.level(it.level), "amount": it.amount.to_string()});
            let values: Vec<Value> = values.iter().map(value).collect();
            json!({"accept_values": {"values": values}})
        }
        PersonCommand::SuspendLink { reason } => {
            json!({"suspend_link": {"reason": reason.as_str()}})
        }
        PersonCommand::DisableLevel { level, reason } => json!({"disable_level": {
            "level": names.level(*level),
            "reason": reason.as_str(),
        }}),
        PersonCommand::EnableLevel { level } => {
            json!({"enable_level": {"level": names.level(*level)}})
        }
        PersonCommand::LoseTable {
            table,
            heard_at,
            must_resume,
        } => json!({"lose_table": {
            "table": names.table(*table),
            "heard_at": At(*heard_at),
            "must_resume": must_resume,
        }}),
        PersonCommand::ResumeTable { table } => {
            json!({"resume_table": {"table": names.table(*table)}})
        }
        PersonCommand::DisableTable { table, reason } => json!({"disable_table": {
            "table": names.table(*table),
            "reason": reason.as_str(),
        }}),
        PersonCommand::EnableTable { table } => {
            json!({"enable_table": {"table": names.table(*table)}})
        }
        PersonCommand::LeaveLink { table, reason } => json!({"leave_link": {
            "table": names.table(*table),
            "reason": reason.as_str(),
        }}),
        PersonCommand::FaultLink { reason } => json!({"fault_link": {"reason": reason}}),
        _ => json!({"resume_link": {}}),
    }
}

fn join_table(it: &JoinTable) -> Value {
    json!({"join_table": {
        "table": it.name.as_str(),
        "game": it.game.as_str(),
        "seats": it.seats,
        "paytable": it.paytable.id.as_str(),
        "wager": it.wager.to_string(),
        "decks": it.decks,
    }})
}

fn held(holder: Holder, (key, word): (&str, &str), cards: Option<&[Card]>) -> Value {
    let mut body = match holder {
        Holder::Seat(seat) => json!({"seat": seat.0}),
        Holder::Dealer => json!({"dealer": true}),
    };
    body[key] = json!(word);
    if let Some(cards) = cards {
        body["cards"] = json!(card_texts(cards));
    }
    body
}

fn settle(it: &Settle) -> Value {
    let seat =
        |(seat, cards): &(Seat, Vec<Card>)| json!({"seat": seat.0, "cards": card_texts(cards)});
    json!({
        "dealer": card_texts(&it.dealer),
        "community": card_texts(&it.community),
        "seats": it.seats.iter().map(seat).collect::<Vec<_>>(),
    })
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

//! The API's form of each kind of event.

use meterhouse_api::hit::Hit;
use meterhouse_api::journal::JournalEvent;
use meterhouse_api::level::LevelAmount;
use meterhouse_api::text::Text;
use meterhouse_domain::card::Card;
use meterhouse_domain::change::{Effect, Propose, Resettled};
use meterhouse_domain::command::{Command, Settle, VoidReason};
use meterhouse_domain::event::{CoinInAccepted, HitRecorded, TableJoined};
use meterhouse_domain::ids::{
    Department, Document, HitId, Note, ProposalId, Sequence, TableNo, Timestamp,
};
use meterhouse_domain::link::{Book, LinkTerms};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::Refusal;
use meterhouse_domain::round_wagers::RecordedWagers;
use meterhouse_domain::seat::SeatSet;
use meterhouse_edge::problem::merged;
use meterhouse_edge::round_wagers::recorded as settled_wagers;

use super::change::{journaled_change, journaled_effect, journaled_resettled};
use super::hit::recorded_hit;
use super::names::Names;
use super::refused_command::refused_command;
use super::value::{betting_position, cards as card_texts, seat_list};

pub(super) fn opened(terms: &LinkTerms) -> JournalEvent {
    let settings = &terms.settings;
    let levels = terms.content().levels.iter().enumerate();
    let ceilings = levels.filter_map(|(index, level)| {
        let ceiling = settings.ceiling(Book::level(index))?;
        Some((Text(level.name.clone()), Text(ceiling)))
    });
    JournalEvent::LinkOpened {
        paytable: Text(terms.paytable.id.clone()),
        wager: Text(terms.wager),
        decks: terms.decks,
        reserve_policy: Text(terms.reserve_policy),
        ceilings: ceilings.collect(),
        rounds_a_minute_max: settings.rounds_a_minute_max,
        silence_seconds_max: settings.silence_seconds_max,
        magic_card_one_in: settings.magic_card_one_in,
        lucky_bonus_one_in: settings.lucky_bonus_one_in,
        badge_required: settings.requires_badge(),
    }
}

pub(super) fn values_accepted(names: Names<'_>, values: &[Money]) -> JournalEvent {
    let values = (0_u8..).zip(values);
    let values = values.map(|(level, amount)| LevelAmount {
        level: names.level(level),
        amount: Text(*amount),
    });
    JournalEvent::ValuesAccepted {
        values: values.collect(),
    }
}

pub(super) fn joined(joined: &TableJoined) -> JournalEvent {
    JournalEvent::TableJoined {
        table: Text(joined.name.clone()),
        game: Text(joined.game.clone()),
        seats: joined.seats,
        paytable: Text(joined.paytable.clone()),
    }
}

pub(super) fn coin_in(accepted: &CoinInAccepted) -> JournalEvent {
    let players = accepted.players.iter();
    let players = players.map(|(seat, player)| (seat.to_string(), player.to_string()));
    JournalEvent::CoinInAccepted {
        seats: seat_list(accepted.own),
        dealer_seats: seat_list(accepted.dealer),
        dealt: seat_list(accepted.dealt),
        players: players.collect(),
        magic_card: accepted.draws.magic_card.map(Text),
        lucky_position: accepted.draws.lucky_position.map(betting_position),
    }
}

pub(super) const fn counted(chips: u32, accepted: u32) -> JournalEvent {
    JournalEvent::ChipsCounted { chips, accepted }
}

pub(super) fn folded(seats: SeatSet) -> JournalEvent {
    JournalEvent::SeatsFolded {
        seats: seat_list(seats),
    }
}

pub(super) fn recorded(names: Names<'_>, own: Option<HitId>, hit: &HitRecorded) -> JournalEvent {
    JournalEvent::HitRecorded {
        hit: Box::new(own_hit(names, own, 0, hit)),
    }
}

/// Returns a settled round. Its hits are numbered from 1 in their order.
pub(super) fn settled(
    names: Names<'_>,
    own: Option<HitId>,
    cards: &Settle,
    hits: &[HitRecorded],
    wagers: Option<&RecordedWagers>,
) -> JournalEvent {
    let seats = cards.seats.iter();
    let numbered = (1..).zip(hits);
    JournalEvent::RoundSettled {
        dealer: card_texts(&cards.dealer),
        community: card_texts(&cards.community),
        seats: seats
            .map(|(seat, cards)| (seat.to_string(), card_texts(cards)))
            .collect(),
        hits: numbered
            .map(|(number, hit)| own_hit(names, own, number, hit))
            .collect(),
        settlement: wagers.and_then(settled_wagers).map(Box::new),
    }
}

/// Returns a hit that the event's own command recorded. Every command that records hits is a table's.
fn own_hit(names: Names<'_>, own: Option<HitId>, number: u8, hit: &HitRecorded) -> Hit {
    let own = own.unwrap_or(HitId {
        table: TableNo(0),
        sequence: Sequence(0),
        number,
    });
    recorded_hit(names, names.hit(HitId { number, ..own }).0, hit)
}

pub(super) fn cancelled(names: Names<'_>, hit: HitId) -> JournalEvent {
    JournalEvent::HitCancelled {
        hit: names.hit(hit),
    }
}

pub(super) fn validated(
    names: Names<'_>,
    hit: HitId,
    cards: Option<&[Card]>,
    note: Option<&Note>,
) -> JournalEvent {
    JournalEvent::HitValidated {
        hit: names.hit(hit),
        cards: cards.map(card_texts),
        note: note.map(ToString::to_string),
    }
}

pub(super) fn rejected(
    names: Names<'_>,
    hit: HitId,
    note: Option<&Note>,
    resettle: bool,
    resettled: &[Resettled],
) -> JournalEvent {
    JournalEvent::HitRejected {
        hit: names.hit(hit),
        note: note.map(ToString::to_string),
        resettle,
        resettled: journaled_resettled(names, resettled),
    }
}

pub(super) fn paid(names: Names<'_>, hit: HitId, payout: u32, document: &Document) -> JournalEvent {
    JournalEvent::PayoutPaid {
        hit: names.hit(hit),
        payout,
        document: Text(document.clone()),
    }
}

pub(super) fn closed(names: Names<'_>, hits: &[HitId]) -> JournalEvent {
    JournalEvent::RoundClosed {
        hits: names.hits(hits),
    }
}

pub(super) fn voided(names: Names<'_>, reason: VoidReason, hits: &[HitId]) -> JournalEvent {
    JournalEvent::RoundVoided {
        reason: Text(reason),
        hits: names.hits(hits),
    }
}

pub(super) fn suspended(reason: &Note) -> JournalEvent {
    JournalEvent::LinkSuspended {
        reason: reason.to_string(),
    }
}

pub(super) fn disabled(names: Names<'_>, level: u8, reason: &Note) -> JournalEvent {
    JournalEvent::LevelDisabled {
        level: names.level(level),
        reason: reason.to_string(),
    }
}

pub(super) fn enabled(names: Names<'_>, level: u8) -> JournalEvent {
    JournalEvent::LevelEnabled {
        level: names.level(level),
    }
}

pub(super) fn lost(
    names: Names<'_>,
    table: TableNo,
    heard_at: Timestamp,
    must_resume: bool,
) -> JournalEvent {
    JournalEvent::TableLost {
        table: names.table(table),
        heard_at: Text(heard_at),
        must_resume,
    }
}

pub(super) fn back(names: Names<'_>, table: TableNo) -> JournalEvent {
    JournalEvent::TableBack {
        table: names.table(table),
    }
}

pub(super) fn table_disabled(names: Names<'_>, table: TableNo, reason: &Note) -> JournalEvent {
    JournalEvent::TableDisabled {
        table: names.table(table),
        reason: reason.to_string(),
    }
}

pub(super) fn table_enabled(names: Names<'_>, table: TableNo) -> JournalEvent {
    JournalEvent::TableEnabled {
        table: names.table(table),
    }
}

pub(super) fn left(names: Names<'_>, table: TableNo, reason: &Note) -> JournalEvent {
    JournalEvent::TableLeft {
        table: names.table(table),
        reason: reason.to_string(),
    }
}

pub(super) fn proposed(names: Names<'_>, propose: &Propose, expires_at: Timestamp) -> JournalEvent {
    JournalEvent::ChangeProposed {
        proposal: Text(propose.proposal),
        department: Text(propose.department.clone()),
        reason: propose.reason.to_string(),
        expires_at: Text(expires_at),
        change: journaled_change(names, &propose.change),
    }
}

pub(super) fn approved(
    names: Names<'_>,
    proposal: ProposalId,
    department: &Department,
    effect: &Effect,
) -> JournalEvent {
    JournalEvent::ChangeApproved {
        proposal: Text(proposal),
        department: Text(department.clone()),
        effect: journaled_effect(names, effect),
    }
}

pub(super) fn declined(
    proposal: ProposalId,
    department: &Department,
    reason: &Note,
) -> JournalEvent {
    JournalEvent::ChangeDeclined {
        proposal: Text(proposal),
        department: Text(department.clone()),
        reason: reason.to_string(),
    }
}

pub(super) fn faulted(reason: &str) -> JournalEvent {
    JournalEvent::LinkFaulted {
        reason: reason.to_owned(),
    }
}

pub(super) fn refused(names: Names<'_>, refusal: &Refusal, command: &Command) -> JournalEvent {
    JournalEvent::Refused {
        code: refusal.code.to_string(),
        fields: merged(&refusal.fields)
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        command: refused_command(names, command),
    }
}

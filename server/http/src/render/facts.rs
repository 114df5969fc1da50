//! What the journal's page says of each kind of event.

use meterhouse_domain::card::Card;
use meterhouse_domain::change::{Effect, Propose, Resettled};
use meterhouse_domain::command::{Command, Holder, Settle, VoidReason};
use meterhouse_domain::event::{CoinInAccepted, HitRecorded, TableJoined};
use meterhouse_domain::ids::{Department, Document, HitId, Note, ProposalId, TableNo, Timestamp};
use meterhouse_domain::link::{Book, LinkTerms};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::Refusal;
use meterhouse_domain::seat::SeatSet;
use meterhouse_edge::value;

use super::entry::{EventView, HitEntry};
use super::{
    Amount, At, ChangeView, Drawn, EffectNow, Names, PayoutView, ResettledHit, card_texts, command,
    listed,
};

pub(super) fn opened(terms: &LinkTerms) -> EventView {
    let settings = &terms.settings;
    let levels = terms.content().levels.iter().enumerate();
    let ceilings = levels.filter_map(|(index, level)| {
        let ceiling = settings.ceiling(Book::level(index))?;
        Some((level.name.to_string(), Amount(ceiling)))
    });
    EventView::LinkOpened {
        paytable: terms.paytable.id.to_string(),
        wager: Amount(terms.wager),
        decks: terms.decks,
        reserve_policy: terms.reserve_policy.to_string(),
        ceilings: ceilings.collect(),
        rounds_a_minute_max: settings.rounds_a_minute_max,
        silence_seconds_max: settings.silence_seconds_max,
        magic_card_one_in: settings.magic_card_one_in,
        lucky_bonus_one_in: settings.lucky_bonus_one_in,
        badge_required: settings.requires_badge(),
    }
}

pub(super) fn values_accepted(names: Names<'_>, values: &[Money]) -> EventView {
    let values = (0_u8..).zip(values);
    let values = values.map(|(level, amount)| (names.level(level).to_owned(), Amount(*amount)));
    EventView::ValuesAccepted {
        values: values.collect(),
    }
}

pub(super) fn joined(it: &TableJoined) -> EventView {
    EventView::TableJoined {
        table: it.name.to_string(),
        game: it.game.to_string(),
        seats: it.seats,
        paytable: it.paytable.to_string(),
    }
}

pub(super) fn coin_in(it: &CoinInAccepted) -> EventView {
    let players = it
        .players
        .iter()
        .map(|(seat, it)| (seat.to_string(), it.to_string()));
    EventView::CoinInAccepted {
        seats: listed(it.own),
        dealer_seats: listed(it.dealer),
        dealt: listed(it.dealt),
        players: players.collect(),
        drawn: Drawn::from(&it.draws),
    }
}

pub(super) const fn counted(chips: u32, accepted: u32) -> EventView {
    EventView::ChipsCounted { chips, accepted }
}

pub(super) fn folded(seats: SeatSet) -> EventView {
    EventView::SeatsFolded {
        seats: listed(seats),
    }
}

pub(super) fn recorded(names: Names<'_>, own: Option<HitId>, hit: &HitRecorded) -> EventView {
    EventView::HitRecorded(Box::new(hit_entry(names, own, hit)))
}

/// The hits of a settled round are numbered from 1 in the order in which they were made.
pub(super) fn settled(
    names: Names<'_>,
    own: Option<HitId>,
    cards: &Settle,
    hits: &[HitRecorded],
) -> EventView {
    let seats = cards.seats.iter();
    let numbered = (1..).zip(hits).map(|(number, hit)| {
        let id = own.map(|own| HitId { number, ..own });
        hit_entry(names, id, hit)
    });
    EventView::RoundSettled {
        dealer: card_texts(&cards.dealer),
        community: card_texts(&cards.community),
        seats: seats
            .map(|(seat, cards)| (seat.to_string(), card_texts(cards)))
            .collect(),
        hits: numbered.collect(),
    }
}

fn hit_entry(names: Names<'_>, id: Option<HitId>, hit: &HitRecorded) -> HitEntry {
    let round = id.map(|id| names.numbered(id.table, hit.round));
    HitEntry {
        hit: id.map(|id| names.hit(id)).unwrap_or_default(),
        round: round.unwrap_or_default(),
        order: hit.order.0,
        hit_kind: hit.kind.to_string(),
        seat: match hit.holder {
            Holder::Seat(seat) => Some(seat.0),
            Holder::Dealer => None,
        },
        hand: hit.hand.map(|it| it.to_string()),
        cards: hit.cards.as_deref().map(card_texts),
        level: hit.taken.map(|it| names.level(it.level).to_owned()),
        percent: hit.taken.and_then(|it| it.percent),
        before: hit.taken.map(|it| Amount(it.before)),
        after: hit.taken.map(|it| Amount(it.after)),
        needs_validation: hit.needs_validation,
        payouts: PayoutView::of_all(&hit.payouts),
    }
}

pub(super) fn cancelled(names: Names<'_>, hit: HitId) -> EventView {
    EventView::HitCancelled {
        hit: names.hit(hit),
    }
}

pub(super) fn validated(
    names: Names<'_>,
    hit: HitId,
    cards: Option<&[Card]>,
    note: Option<&Note>,
) -> EventView {
    EventView::HitValidated {
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
) -> EventView {
    EventView::HitRejected {
        hit: names.hit(hit),
        note: note.map(ToString::to_string),
        resettle,
        resettled: ResettledHit::all(names, resettled),
    }
}

pub(super) fn paid(names: Names<'_>, hit: HitId, payout: u32, document: &Document) -> EventView {
    EventView::PayoutPaid {
        hit: names.hit(hit),
        payout,
        document: document.to_string(),
    }
}

pub(super) fn closed(names: Names<'_>, hits: &[HitId]) -> EventView {
    EventView::RoundClosed {
        hits: names.hits(hits),
    }
}

pub(super) fn voided(names: Names<'_>, reason: VoidReason, hits: &[HitId]) -> EventView {
    EventView::RoundVoided {
        reason: reason.to_string(),
        hits: names.hits(hits),
    }
}

pub(super) fn suspended(reason: &Note) -> EventView {
    EventView::LinkSuspended {
        reason: reason.to_string(),
    }
}

pub(super) fn disabled(names: Names<'_>, level: u8, reason: &Note) -> EventView {
    EventView::LevelDisabled {
        level: names.level(level).to_owned(),
        reason: reason.to_string(),
    }
}

pub(super) fn enabled(names: Names<'_>, level: u8) -> EventView {
    EventView::LevelEnabled {
        level: names.level(level).to_owned(),
    }
}

pub(super) fn lost(
    names: Names<'_>,
    table: TableNo,
    heard_at: Timestamp,
    must_resume: bool,
) -> EventView {
    EventView::TableLost {
        table: names.table(table),
        heard_at: At(heard_at),
        must_resume,
    }
}

pub(super) fn back(names: Names<'_>, table: TableNo) -> EventView {
    EventView::TableBack {
        table: names.table(table),
    }
}

pub(super) fn table_disabled(names: Names<'_>, table: TableNo, reason: &Note) -> EventView {
    EventView::TableDisabled {
        table: names.table(table),
        reason: reason.to_string(),
    }
}

pub(super) fn table_enabled(names: Names<'_>, table: TableNo) -> EventView {
    EventView::TableEnabled {
        table: names.table(table),
    }
}

pub(super) fn left(names: Names<'_>, table: TableNo, reason: &Note) -> EventView {
    EventView::TableLeft {
        table: names.table(table),
        reason: reason.to_string(),
    }
}

pub(super) fn proposed(names: Names<'_>, propose: &Propose, expires_at: Timestamp) -> EventView {
    EventView::ChangeProposed {
        proposal: value::proposal_text(propose.proposal),
        department: propose.department.to_string(),
        reason: propose.reason.to_string(),
        expires_at: At(expires_at),
        change: ChangeView::journaled(names, &propose.change),
    }
}

pub(super) fn approved(
    names: Names<'_>,
    proposal: ProposalId,
    department: &Department,
    effect: &Effect,
) -> EventView {
    EventView::ChangeApproved {
        proposal: value::proposal_text(proposal),
        department: department.to_string(),
        effect: EffectNow::journaled(names, effect),
    }
}

pub(super) fn declined(proposal: ProposalId, department: &Department, reason: &Note) -> EventView {
    EventView::ChangeDeclined {
        proposal: value::proposal_text(proposal),
        department: department.to_string(),
        reason: reason.to_string(),
    }
}

pub(super) fn faulted(reason: &str) -> EventView {
    EventView::LinkFaulted {
        reason: reason.to_owned(),
    }
}

pub(super) fn refused(names: Names<'_>, refusal: &Refusal, command: &Command) -> EventView {
    EventView::Refused {
        code: refusal.code.to_string(),
        fields: refusal.fields.iter().cloned().collect(),
        command: command::sent(command, names),
    }
}

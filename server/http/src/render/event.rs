//! From an event of the journal to its entry.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{CoinInAccepted, Event, HitRecorded, Origin, TableJoined};
use meterhouse_domain::link::{Account, LinkTerms, Move};
use meterhouse_domain::name::{Sequence, TableNo};
use meterhouse_domain::seat::SeatSet;
use meterhouse_edge::value;
use meterhouse_engine::view::{JournalEntry, Page, Place};

use super::entry::{EntryView, EventView, HitEntry, JournalView, MoveView};
use super::{Amount, At, Names, PayoutView, command};

impl JournalView {
    pub(crate) fn new(names: Names<'_>, page: &Page<JournalEntry, Place>) -> Self {
        Self {
            link: names.terms().name.to_string(),
            entries: page
                .items
                .iter()
                .map(|it| EntryView::new(names, it))
                .collect(),
            more: page.next.is_some(),
            next: page.next.map(value::place_text),
        }
    }
}

impl EntryView {
    pub(crate) fn new(names: Names<'_>, entry: &JournalEntry) -> Self {
        let recorded = &entry.recorded;
        let by = match recorded.origin {
            Origin::Table { table, sequence } => Some((table, sequence)),
            Origin::Person => None,
        };
        let written = entry.table.as_ref().map(ToString::to_string);
        Self {
            place: value::place_text(entry.place),
            at: At(entry.at),
            actor: entry.actor.clone(),
            by: recorded.by.as_ref().map(ToString::to_string),
            table: written.or_else(|| by.map(|(number, _)| names.table(number))),
            sequence: by.map(|(_, sequence)| sequence.0),
            device_at: recorded.device_time.map(At),
            event: event(names, by, &recorded.event),
            moves: moves(names, &recorded.event),
        }
    }
}

/// Which table's command it was.
type By = Option<(TableNo, Sequence)>;

fn event(names: Names<'_>, by: By, event: &Event) -> EventView {
    match event {
        Event::CoinInAccepted(it) => coin_in(it),
        Event::ChipsCounted { chips, accepted } => EventView::ChipsCounted {
            chips: *chips,
            accepted: *accepted,
        },
        Event::SeatsFolded { seats: folded } => EventView::SeatsFolded {
            seats: seats(*folded),
        },
        Event::HitRecorded(hit) => EventView::HitRecorded(Box::new(hit_entry(names, by, hit))),
        Event::HitCancelled { hit, .. } => EventView::HitCancelled {
            hit: names.hit(*hit),
        },
        Event::RoundClosed { hits, .. } => EventView::RoundClosed {
            hits: named(names, by, hits),
        },
        Event::RoundVoided { reason, hits, .. } => EventView::RoundVoided {
            reason: reason.to_string(),
            hits: named(names, by, hits),
        },
        Event::Refused { refusal, command } => EventView::Refused {
            code: refusal.code.to_string(),
            fields: refusal.fields.iter().cloned().collect(),
            command: command::sent(command, names),
        },
        Event::LinkOpened { terms, .. } => opened(terms),
        Event::TableJoined(it) => joined(it),
        Event::HitValidated {
            hit,
            cards: seen,
            note,
        } => EventView::HitValidated {
            hit: names.hit(*hit),
            cards: seen.as_deref().map(cards),
            note: note.as_ref().map(ToString::to_string),
        },
        Event::HitRejected { hit, note, .. } => EventView::HitRejected {
            hit: names.hit(*hit),
            note: note.as_ref().map(ToString::to_string),
        },
        Event::PayoutPaid {
            hit,
            number,
            document,
            ..
        } => EventView::PayoutPaid {
            hit: names.hit(*hit),
            payout: *number,
            document: document.to_string(),
        },
        Event::LinkFaulted { reason } => EventView::LinkFaulted {
            reason: reason.clone(),
        },
    }
}

fn opened(terms: &LinkTerms) -> EventView {
    EventView::LinkOpened {
        paytable: terms.paytable.id.to_string(),
        wager: Amount(terms.wager),
        decks: terms.decks,
        reserve_policy: terms.reserve_policy.to_string(),
    }
}

fn joined(it: &TableJoined) -> EventView {
    EventView::TableJoined {
        table: it.name.to_string(),
        game: it.game.to_string(),
        seats: it.seats,
        paytable: it.paytable.to_string(),
    }
}

fn coin_in(it: &CoinInAccepted) -> EventView {
    let players = it
        .players
        .iter()
        .map(|(seat, it)| (seat.to_string(), it.to_string()));
    EventView::CoinInAccepted {
        seats: seats(it.own),
        dealer_seats: seats(it.dealer),
        dealt: seats(it.dealt),
        players: players.collect(),
    }
}

/// The hits of the round that a table's command ended.
fn named(names: Names<'_>, by: By, hits: &[Sequence]) -> Vec<String> {
    let Some((table, _)) = by else {
        return Vec::new();
    };
    hits.iter().map(|hit| names.numbered(table, hit)).collect()
}

fn hit_entry(names: Names<'_>, by: By, hit: &HitRecorded) -> HitEntry {
    let of_table = |sequence: Option<Sequence>| match (by, sequence) {
        (Some((table, own)), sequence) => names.numbered(table, sequence.unwrap_or(own)),
        (None, _) => String::new(),
    };
    HitEntry {
        hit: of_table(None),
        round: of_table(Some(hit.round)),
        order: hit.order.0,
        hit_kind: hit.kind.to_string(),
        seat: match hit.holder {
            Holder::Seat(seat) => Some(seat.0),
            Holder::Dealer => None,
        },
        hand: hit.hand.to_string(),
        cards: hit.cards.as_deref().map(cards),
        level: hit.taken.map(|it| names.level(it.level).to_owned()),
        percent: hit.taken.map(|it| it.percent),
        before: hit.taken.map(|it| Amount(it.before)),
        after: hit.taken.map(|it| Amount(it.after)),
        needs_validation: hit.needs_validation,
        payouts: (1..)
            .zip(&hit.payouts)
            .map(|(n, it)| PayoutView::of_event(n, it))
            .collect(),
    }
}

/// The entries of an event; a coin-in's follow from the link's shares.
fn moves(names: Names<'_>, event: &Event) -> Vec<MoveView> {
    match event {
        Event::LinkOpened { moves, .. }
        | Event::HitCancelled { moves, .. }
        | Event::HitRejected { moves, .. }
        | Event::PayoutPaid { moves, .. }
        | Event::RoundClosed { moves, .. }
        | Event::RoundVoided { moves, .. } => moves.iter().map(|it| moved(names, *it)).collect(),
        Event::HitRecorded(hit) => hit.moves.iter().map(|it| moved(names, *it)).collect(),
        Event::CoinInAccepted(it) => {
            let shares = names.terms().shares().unwrap_or_default();
            let added = shares
                .iter()
                .zip(it.added.amounts())
                .map(|(share, amount)| Move {
                    book: share.book,
                    from: Account::Players,
                    to: share.account,
                    amount: *amount,
                });
            added.map(|it| moved(names, it)).collect()
        }
        Event::TableJoined(_)
        | Event::ChipsCounted { .. }
        | Event::SeatsFolded { .. }
        | Event::HitValidated { .. }
        | Event::LinkFaulted { .. }
        | Event::Refused { .. } => Vec::new(),
    }
}

fn moved(names: Names<'_>, it: Move) -> MoveView {
    MoveView {
        book: names.book(it.book).to_owned(),
        from: it.from.name(),
        to: it.to.name(),
        amount: Amount(it.amount),
    }
}

fn seats(seats: SeatSet) -> Vec<u8> {
    seats.ascending().map(|it| it.0).collect()
}

fn cards(cards: &[Card]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}

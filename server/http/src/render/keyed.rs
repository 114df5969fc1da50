//! A hit as it was keyed: what the answer to its command says, and what stays true whatever became of it.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{Draws, HitRecorded};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::seat::SeatSet;
use meterhouse_edge::hit::split_due;
use meterhouse_journal::hit::HitState;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Amount, Names, PayoutView};

/// A hit whose amount is locked.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HitKeyed {
    /// The hit: its table and command, and its number among that command's hits where it keyed several.
    #[schema(examples("C4P-07.2"))]
    hit: String,
    /// The round.
    #[schema(examples("C4P-07.1"))]
    round: String,
    /// Its position among all hits of the link, from 1.
    #[schema(minimum = 1)]
    order: u64,
    /// `line`, `envy` for a holder without a wager, `magic_card` or `lucky_bonus`.
    #[schema(value_type = String)]
    kind: &'static str,
    /// `pending`, or `validated_by_rule` where no person has to look.
    #[schema(value_type = String)]
    state: &'static str,
    /// Whose hand; left out for the dealer's.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<u8>,
    /// `true` for the dealer's hand, else left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    dealer: Option<bool>,
    /// The hand; a bonus of the draw has none.
    #[schema(value_type = Option<String>, examples("royal-flush"))]
    hand: Option<&'static str>,
    /// The level that it was taken from.
    level: Option<String>,
    /// The percentage; null where fixed odds were taken from the level.
    percent: Option<u8>,
    /// That level's exact balance before.
    before: Option<Amount>,
    /// And after, restarted where it was won.
    after: Option<Amount>,
    /// What the line or the bonus pays.
    due: Amount,
    /// What the others get as envy bonus.
    envy_due: Amount,
    /// Whether a floorperson has to validate it.
    needs_validation: bool,
    /// What has to be paid to whom.
    payouts: Vec<PayoutView>,
}

impl HitKeyed {
    /// A hit with its own name and its round's.
    pub(crate) fn new(names: Names<'_>, hit: String, round: String, it: &HitRecorded) -> Self {
        let (due, envy_due) = split_due(&it.payouts);
        let state = if it.needs_validation {
            HitState::Pending
        } else {
            HitState::ValidatedByRule
        };
        let (seat, dealer) = match it.holder {
            Holder::Seat(seat) => (Some(seat.0), None),
            Holder::Dealer => (None, Some(true)),
        };
        Self {
            hit,
            round,
            order: it.order.0,
            kind: it.kind.name(),
            state: state.name(),
            seat,
            dealer,
            hand: it.hand.map(Hand::name),
            level: it.taken.map(|it| names.level(it.level).to_owned()),
            percent: it.taken.and_then(|it| it.percent),
            before: it.taken.map(|it| Amount(it.before)),
            after: it.taken.map(|it| Amount(it.after)),
            due: Amount(due),
            envy_due: Amount(envy_due),
            needs_validation: it.needs_validation,
            payouts: PayoutView::of_all(&it.payouts),
        }
    }
}

/// A position at a table: `{"seat": 3}` or `{"dealer": true}`.
#[derive(Copy, Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Position {
    /// A seat.
    Seat(u8),
    /// The dealer: always `true`.
    Dealer(bool),
}

impl Position {
    /// Where somebody or something is.
    pub(crate) const fn of(holder: Holder) -> Self {
        match holder {
            Holder::Seat(seat) => Self::Seat(seat.0),
            Holder::Dealer => Self::Dealer(true),
        }
    }
}

/// What the table game system drew for a round; both null where it drew nothing.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Drawn {
    /// The Magic Card.
    #[schema(examples("As"))]
    magic_card: Option<String>,
    /// The lucky position.
    lucky_position: Option<Position>,
}

impl From<&Draws> for Drawn {
    fn from(draws: &Draws) -> Self {
        Self {
            magic_card: draws.magic_card.map(|it| it.to_string()),
            lucky_position: draws.lucky_position.map(Position::of),
        }
    }
}

/// Seats, ascending.
pub(crate) fn listed(seats: SeatSet) -> Vec<u8> {
    seats.ascending().map(|it| it.0).collect()
}

/// Cards as people write them.
pub(crate) fn card_texts(cards: &[Card]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}

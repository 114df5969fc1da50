//! The kinds of events by number; a number is never reused.
//!
//! # Order
//! A table's routine is below [`NOTABLE_MIN`]. Every kind that the feed, the hits and the reports look for is at or
//! above it, so that one partial index finds them.

use meterhouse_domain::event::Event;

/// [`Event::CoinInAccepted`].
pub const COIN_IN_ACCEPTED: u8 = 1;
/// [`Event::ChipsCounted`].
pub const CHIPS_COUNTED: u8 = 2;
/// [`Event::SeatsFolded`].
pub const SEATS_FOLDED: u8 = 3;
/// [`Event::RoundClosed`] without hits.
pub const ROUND_CLOSED: u8 = 4;
/// [`Event::RoundSettled`] without hits.
pub const ROUND_SETTLED: u8 = 5;
/// [`Event::RoundSettled`] with fixed wagers, without hits.
pub const ROUND_SETTLED_WITH_WAGERS: u8 = 6;
/// [`Event::Refused`].
pub const REFUSED: u8 = 15;
/// The smallest kind that is not a table's routine.
pub const NOTABLE_MIN: u8 = 16;
/// [`Event::LinkOpened`].
pub const LINK_OPENED: u8 = 16;
/// [`Event::TableJoined`].
pub const TABLE_JOINED: u8 = 17;
/// [`Event::HitRecorded`].
pub const HIT_RECORDED: u8 = 18;
/// [`Event::HitCancelled`].
pub const HIT_CANCELLED: u8 = 19;
/// [`Event::HitValidated`].
pub const HIT_VALIDATED: u8 = 20;
/// [`Event::HitRejected`].
pub const HIT_REJECTED: u8 = 21;
/// [`Event::PayoutPaid`].
pub const PAYOUT_PAID: u8 = 22;
/// [`Event::RoundVoided`].
pub const ROUND_VOIDED: u8 = 23;
/// [`Event::RoundClosed`] with hits.
pub const ROUND_CLOSED_WITH_HITS: u8 = 24;
/// [`Event::LinkFaulted`].
pub const LINK_FAULTED: u8 = 25;
/// [`Event::RoundSettled`] with hits.
pub const ROUND_SETTLED_WITH_HITS: u8 = 26;
/// [`Event::LinkSuspended`].
pub const LINK_SUSPENDED: u8 = 27;
/// [`Event::LinkResumed`].
pub const LINK_RESUMED: u8 = 28;
/// [`Event::LevelDisabled`].
pub const LEVEL_DISABLED: u8 = 29;
/// [`Event::LevelEnabled`].
pub const LEVEL_ENABLED: u8 = 30;
/// [`Event::TableLost`].
pub const TABLE_LOST: u8 = 31;
/// [`Event::TableBack`].
pub const TABLE_BACK: u8 = 32;
/// [`Event::ChangeProposed`].
pub const CHANGE_PROPOSED: u8 = 33;
/// [`Event::ChangeApproved`].
pub const CHANGE_APPROVED: u8 = 34;
/// [`Event::ChangeDeclined`].
pub const CHANGE_DECLINED: u8 = 35;
/// [`Event::TableDisabled`].
pub const TABLE_DISABLED: u8 = 36;
/// [`Event::TableEnabled`].
pub const TABLE_ENABLED: u8 = 37;
/// [`Event::TableLeft`].
pub const TABLE_LEFT: u8 = 38;
/// [`Event::ValuesAccepted`].
pub const VALUES_ACCEPTED: u8 = 39;
/// [`Event::RoundSettled`] with fixed wagers and hits.
pub const ROUND_SETTLED_WITH_WAGERS_AND_HITS: u8 = 40;

/// Returns the kind of an event.
pub const fn of(event: &Event) -> u8 {
    match event {
        Event::CoinInAccepted(_) => COIN_IN_ACCEPTED,
        Event::ChipsCounted { .. } => CHIPS_COUNTED,
        Event::SeatsFolded { .. } => SEATS_FOLDED,
        Event::RoundClosed { hits, .. } if hits.is_empty() => ROUND_CLOSED,
        Event::RoundClosed { .. } => ROUND_CLOSED_WITH_HITS,
        Event::RoundSettled { hits, wagers, .. } => match (hits.is_empty(), wagers) {
            (true, None) => ROUND_SETTLED,
            (false, None) => ROUND_SETTLED_WITH_HITS,
            (true, Some(_)) => ROUND_SETTLED_WITH_WAGERS,
            (false, Some(_)) => ROUND_SETTLED_WITH_WAGERS_AND_HITS,
        },
        Event::Refused { .. } => REFUSED,
        Event::LinkOpened { .. } => LINK_OPENED,
        Event::TableJoined(_) => TABLE_JOINED,
        Event::HitRecorded(_) => HIT_RECORDED,
        Event::HitCancelled { .. } => HIT_CANCELLED,
        Event::HitValidated { .. } => HIT_VALIDATED,
        Event::HitRejected { .. } => HIT_REJECTED,
        Event::PayoutPaid { .. } => PAYOUT_PAID,
        Event::RoundVoided { .. } => ROUND_VOIDED,
        Event::LinkFaulted { .. } => LINK_FAULTED,
        Event::LinkSuspended { .. } => LINK_SUSPENDED,
        Event::LinkResumed => LINK_RESUMED,
        Event::LevelDisabled { .. } => LEVEL_DISABLED,
        Event::LevelEnabled { .. } => LEVEL_ENABLED,
        Event::TableLost { .. } => TABLE_LOST,
        Event::TableBack { .. } => TABLE_BACK,
        Event::TableDisabled { .. } => TABLE_DISABLED,
        Event::TableEnabled { .. } => TABLE_ENABLED,
        Event::TableLeft { .. } => TABLE_LEFT,
        Event::ValuesAccepted { .. } => VALUES_ACCEPTED,
        Event::ChangeProposed { .. } => CHANGE_PROPOSED,
        Event::ChangeApproved { .. } => CHANGE_APPROVED,
        Event::ChangeDeclined { .. } => CHANGE_DECLINED,
    }
}

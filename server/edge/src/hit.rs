//! Words for a hit, shared by HTTP, gRPC and the feeds.

use meterhouse_domain::event::{HitKind, Payout, PayoutKind};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::money::{Money, OutOfRange};
use meterhouse_engine::view::HitView;

/// Word for a code that this release doesn't know because a newer release wrote it.
pub const UNKNOWN: &str = "unknown";

/// Returns the hand's name; `None` for a bonus of a draw.
pub fn hand(hit: &HitView) -> Option<&'static str> {
    let name = |code| Hand::from_code(code).map_or(UNKNOWN, Hand::name);
    hit.row.hand.map(name)
}

/// Returns the name of the hit's kind.
pub fn kind(hit: &HitView) -> &'static str {
    HitKind::from_code(hit.row.kind).map_or(UNKNOWN, HitKind::name)
}

/// Returns the amounts due for the line and for envy.
pub fn due(hit: &HitView) -> (Money, Money) {
    let amounts = hit.row.payouts.iter().map(|payout| {
        (
            payout.kind == PayoutKind::Envy.code(),
            Money::from_micros(payout.amount),
        )
    });
    sums(amounts).unwrap_or((Money::from_micros(hit.row.due), Money::ZERO))
}

/// Returns the amounts due for the line and for envy, from payouts as they were decided.
pub fn split_due(payouts: &[Payout]) -> (Money, Money) {
    let amounts = payouts
        .iter()
        .map(|payout| (payout.kind == PayoutKind::Envy, payout.amount));
    // Deciding the hit checked that the sum of both is in range.
    sums(amounts).unwrap_or_default()
}

fn sums(amounts: impl Iterator<Item = (bool, Money)>) -> Result<(Money, Money), OutOfRange> {
    let (mut line, mut envy) = (Money::ZERO, Money::ZERO);
    for (is_envy, amount) in amounts {
        let sum = if is_envy { &mut envy } else { &mut line };
        *sum = sum.plus(amount)?;
    }
    Ok((line, envy))
}

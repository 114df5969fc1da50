//! A hit in words: what every way in says about it.

use meterhouse_domain::event::{HitKind, Payout, PayoutKind};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::money::{Money, OutOfRange};
use meterhouse_engine::view::HitView;

/// A word for a code that this release doesn't know: a newer one wrote it.
pub const UNKNOWN: &str = "unknown";

/// The hand's name; a bonus of the draw has none.
pub fn hand(hit: &HitView) -> Option<&'static str> {
    let name = |code| Hand::from_code(code).map_or(UNKNOWN, Hand::name);
    hit.row.hand.map(name)
}

/// The name of what the hit is for.
pub fn kind(hit: &HitView) -> &'static str {
    HitKind::from_code(hit.row.kind).map_or(UNKNOWN, HitKind::name)
}

/// What the line pays and what envy pays.
pub fn due(hit: &HitView) -> (Money, Money) {
    let amounts = hit.row.payouts.iter().map(|it| {
        (
            it.kind == PayoutKind::Envy.code(),
            Money::from_micros(it.amount),
        )
    });
    sums(amounts).unwrap_or((Money::from_micros(hit.row.due), Money::ZERO))
}

/// What the line pays and what envy pays, of payouts as they were decided.
pub fn split_due(payouts: &[Payout]) -> (Money, Money) {
    let amounts = payouts
        .iter()
        .map(|it| (it.kind == PayoutKind::Envy, it.amount));
    // The sum of both was checked when the hit was decided.
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

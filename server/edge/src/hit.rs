//! The amounts due for a hit, shared by HTTP, gRPC and the feeds.

use meterhouse_domain::event::{Payout, PayoutKind};
use meterhouse_domain::money::{Money, OutOfRange};
use meterhouse_engine::view::HitView;

/// Returns the amounts due for the line and for envy.
pub fn due(hit: &HitView) -> (Money, Money) {
    sums(&hit.payouts).unwrap_or((Money::from_micros(hit.row.due), Money::ZERO))
}

/// Returns the amounts due for the line and for envy, from payouts as they were decided.
pub fn split_due(payouts: &[Payout]) -> (Money, Money) {
    // Deciding the hit checked that the sum of both is in range.
    sums(payouts).unwrap_or_default()
}

fn sums(payouts: &[Payout]) -> Result<(Money, Money), OutOfRange> {
    let (mut line, mut envy) = (Money::ZERO, Money::ZERO);
    for payout in payouts {
        let is_envy = payout.kind == PayoutKind::Envy;
        let sum = if is_envy { &mut envy } else { &mut line };
        *sum = sum.plus(payout.amount)?;
    }
    Ok((line, envy))
}

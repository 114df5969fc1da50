//! The offer of a changed paytable to an operator whose paytable returns more than the wager.

use meterhouse_api::returns::PaytableOffer;
use meterhouse_api::text::Text;
use meterhouse_domain::returns::{Asked, returns};

use crate::link_returns::share;
use crate::paytables::Found;

/// Returns the offer. `None` if the paytable returns no more than the wager, or if no charge to a
/// level is enough.
pub(crate) fn offer(of: Found<'_>, asked: &Asked<'_>) -> Option<PaytableOffer> {
    let file = of.catalogue.charged(of.paytable)?;
    let worth = returns(&file.charged.content, asked)?;
    Some(PaytableOffer {
        paytable: Text(file.id),
        level: Text(file.level),
        hands: file.charged.hands.into_iter().map(Text).collect(),
        at_displayed: share(worth.at_displayed),
        long_run: share(worth.long_run),
        file: file.text,
    })
}

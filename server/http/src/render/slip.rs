//! A slip of a payout.

use meterhouse_api::slip::{PayoutSlip, Reprint};
use meterhouse_api::text::Text;
use meterhouse_domain::ids::Sequence;
use meterhouse_engine::view::{ReprintView, SlipView};

use super::value::{amount, cards};

/// Returns a slip.
pub(crate) fn payout_slip(view: &SlipView) -> PayoutSlip {
    let content = &view.slip.content;
    PayoutSlip {
        slip: view.slip.number,
        at: Text(view.slip.at),
        made_by: view.made_by.clone(),
        link: Text(view.link.clone()),
        title: view.title.clone(),
        table: Text(view.hit.table.clone()),
        hit: Text(view.hit.clone()),
        round: format!("{}.{}", view.hit.table, Sequence(content.round)),
        order: content.hit_order,
        hit_kind: Text(view.hit_kind),
        hand: view.hand.map(Text),
        cards: view.cards.as_deref().map(cards),
        level: view.level.clone().map(Text),
        percent: content.percent,
        payout: content.payout,
        payout_kind: Text(view.kind),
        seat: content.seat,
        player: view.player.clone().map(Text),
        amount: amount(content.amount),
        charged_to: Text(view.charged_to),
        keyed_by: content.keyed_by.clone(),
        keyed_at: Text(content.keyed_at),
        validated_by: content.decided_by.clone(),
        validated_at: content.decided_at.map(Text),
        replaces: view.slip.replaces,
        replaced_by: view.replaced_by,
        reprints: view.reprints.iter().map(reprint).collect(),
    }
}

fn reprint(view: &ReprintView) -> Reprint {
    Reprint {
        number: view.reprint,
        at: Text(view.at),
        by: view.by.clone(),
        reason: view.reason.clone(),
    }
}

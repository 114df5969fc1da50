//! A hit with names, and the filter of a list of hits.

use meterhouse_domain::event::{HitKind, Payout, PayoutKind};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{LevelName, LinkName, Sequence, TableName};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{ChargedTo, HandedOver};
use meterhouse_domain::seat::Seat;
use meterhouse_journal::hit::{HitRow, PayoutRow};

use super::proposal::ResettledView;
use crate::answer::NotExecuted;

/// A hit with the names that its row lacks, and the values of its codes.
#[derive(Clone, Debug)]
pub struct HitView {
    /// The link.
    pub link: LinkName,
    /// The table.
    pub table: TableName,
    /// The name of the level that a percentage was taken from.
    pub level: Option<LevelName>,
    /// The award that the hit is for.
    pub kind: HitKind,
    /// The hand. A bonus of the draw has none.
    pub hand: Option<Hand>,
    /// The payouts, in the order of the row's.
    pub payouts: Vec<Payout>,
    /// The stored row.
    pub row: HitRow,
    /// The names of the people who paid the payouts, in their order.
    pub paid_by: Vec<Option<String>>,
}

impl HitView {
    /// Returns a hit with its values decoded, without the names of the people who paid it.
    ///
    /// # Errors
    /// [`NotExecuted::HitDiffers`] if the row has a code that this release does not know.
    pub(crate) fn new(
        link: LinkName,
        table: TableName,
        level: Option<LevelName>,
        row: HitRow,
    ) -> Result<Self, NotExecuted> {
        let Some((kind, hand, payouts)) = decode(&row) else {
            return Err(NotExecuted::HitDiffers {
                hit: HitName::of(&table, row.id()).to_string(),
            });
        };
        Ok(Self {
            link,
            table,
            level,
            kind,
            hand,
            payouts,
            paid_by: vec![None; row.payouts.len()],
            row,
        })
    }

    /// Returns the name of the hit.
    pub fn name(&self) -> HitName {
        HitName {
            table: self.table.clone(),
            sequence: Sequence(self.row.sequence),
            number: self.row.number,
        }
    }
}

/// Returns the values of a row's codes. `None` if this release does not know one of the codes.
fn decode(row: &HitRow) -> Option<(HitKind, Option<Hand>, Vec<Payout>)> {
    let kind = HitKind::from_code(row.kind)?;
    let hand = match row.hand {
        Some(code) => Some(Hand::from_code(code)?),
        None => None,
    };
    let payouts = row.payouts.iter().map(payout).collect::<Option<_>>()?;
    Some((kind, hand, payouts))
}

fn payout(row: &PayoutRow) -> Option<Payout> {
    let player = match &row.player {
        Some(name) => Some(name.parse().ok()?),
        None => None,
    };
    Some(Payout {
        seat: Seat(row.seat),
        player,
        kind: PayoutKind::from_code(row.kind)?,
        amount: Money::from_micros(row.amount),
        charged_to: ChargedTo::from_code(row.charged_to)?,
        handed_over: HandedOver::from_code(row.handed_over)?,
    })
}

/// The result of a rejection.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The hit.
    pub hit: HitView,
    /// Later hits with new amounts, in their order.
    pub resettled: Vec<ResettledView>,
}

/// The filter of a list of hits.
#[derive(Clone, Debug, Default)]
pub struct HitFilter {
    /// The state of the hits, or any.
    pub state: Option<meterhouse_journal::hit::HitState>,
    /// The link of the hits, or any.
    pub link: Option<LinkName>,
    /// The level that the hits took from, or any. Requires a link.
    pub level: Option<LevelName>,
    /// Set to list the newest hits first. Requires a link.
    pub newest_first: bool,
    /// The cursor of the previous page.
    pub after: Option<HitCursor>,
    /// The maximum number of hits.
    pub limit: u32,
}

/// A position in the list of hits: by link, then by order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct HitCursor {
    /// The number of the link.
    pub link: i32,
    /// The order of the hit on its link.
    pub order: u64,
}

#[cfg(test)]
mod tests {
    use meterhouse_journal::hit::HitState;

    use super::*;

    fn row() -> HitRow {
        HitRow {
            table: 1,
            sequence: 2,
            number: 0,
            hit_order: 1,
            round: 1,
            state: HitState::Pending,
            kind: HitKind::Line.code(),
            hand: Some(Hand::RoyalFlush.code()),
            seat: Some(1),
            level: Some(0),
            percent: Some(100),
            before: Some(10_000_270_000),
            after: Some(10_000_000_000),
            reserve_before: Some(0),
            overflow_before: Some(0),
            due: 10_000_270_000,
            cards: None,
            validated_cards: None,
            keyed_by_actor: 1,
            keyed_by: None,
            keyed_at: 0,
            decided_by_actor: None,
            decided_by: None,
            decided_at: None,
            note: None,
            payouts: vec![PayoutRow {
                number: 1,
                seat: 1,
                player: Some("p-77".to_owned()),
                kind: PayoutKind::Line.code(),
                amount: 10_000_270_000,
                charged_to: ChargedTo::Meter.code(),
                handed_over: HandedOver::Slip.code(),
                paid_at: None,
                paid_by_actor: None,
                document: None,
            }],
        }
    }

    fn view(row: HitRow) -> Result<HitView, NotExecuted> {
        let link = "main".parse().expect("a link");
        HitView::new(link, "T1".parse().expect("a table"), None, row)
    }

    #[test]
    fn the_codes_of_a_row_are_decoded() {
        let hit = view(row()).expect("known codes");
        assert_eq!(
            (hit.kind, hit.hand),
            (HitKind::Line, Some(Hand::RoyalFlush))
        );
        let payout = Payout {
            seat: Seat(1),
            player: Some("p-77".parse().expect("a player")),
            kind: PayoutKind::Line,
            amount: Money::from_micros(10_000_270_000),
            charged_to: ChargedTo::Meter,
            handed_over: HandedOver::Slip,
        };
        assert_eq!((hit.payouts, hit.paid_by), (vec![payout], vec![None]));
    }

    #[test]
    fn a_row_with_an_unknown_code_is_refused() {
        type Damage = fn(&mut HitRow);
        let cases: [Damage; 6] = [
            |row| row.kind = 255,
            |row| row.hand = Some(255),
            |row| row.payouts[0].kind = 255,
            |row| row.payouts[0].charged_to = 255,
            |row| row.payouts[0].handed_over = 255,
            |row| row.payouts[0].player = Some("not a name".to_owned()),
        ];
        for damage in cases {
            let mut row = row();
            damage(&mut row);
            let refused = view(row).expect_err("an unknown code");
            let differs = matches!(&refused, NotExecuted::HitDiffers { hit } if hit == "T1.2");
            assert!(differs, "{refused}");
        }
    }
}

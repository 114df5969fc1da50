//! A hit with names, and the filter of a list of hits.

use core::str::FromStr;

use meterhouse_domain::card::Card;
use meterhouse_domain::event::{HitKind, Payout, PayoutKind};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{Document, LevelName, LinkName, Sequence, TableName, Timestamp};
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
    /// The cards that the table sent.
    pub cards: Option<Vec<Card>>,
    /// The cards that the supervisor saw.
    pub validated_cards: Option<Vec<Card>>,
    /// The payouts, in the order of the row's.
    pub payouts: Vec<Payout>,
    /// The documents of the payouts, in their order.
    pub documents: Vec<Option<Document>>,
    /// The stored row.
    pub row: HitRow,
    /// The names of the people who paid the payouts, in their order.
    pub paid_by: Vec<Option<String>>,
    /// The person who proposed a late hit. The row has the second person, whose approval recorded it.
    pub proposed_by: Option<String>,
}

impl HitView {
    /// Returns a hit with its values decoded, without the names of the people who paid it.
    ///
    /// # Errors
    /// [`NotExecuted::HitDiffers`] if the row has a code or a text that this release does not know.
    pub(crate) fn new(
        link: LinkName,
        table: TableName,
        level: Option<LevelName>,
        row: HitRow,
    ) -> Result<Self, NotExecuted> {
        let Ok(decoded) = decode(&row) else {
            return Err(NotExecuted::HitDiffers {
                hit: HitName::of(&table, row.id()).to_string(),
            });
        };
        Ok(Self {
            link,
            table,
            level,
            kind: decoded.kind,
            hand: decoded.hand,
            cards: decoded.cards,
            validated_cards: decoded.validated_cards,
            payouts: decoded.payouts,
            documents: decoded.documents,
            paid_by: vec![None; row.payouts.len()],
            proposed_by: None,
            row,
        })
    }

    /// Returns the person who entered the hit.
    pub fn keyed_by(&self) -> Option<&str> {
        let by = self.proposed_by.as_ref().or(self.row.keyed_by.as_ref());
        by.map(String::as_str)
    }

    /// Returns the cards of the hand as they lay on the felt: those that the supervisor saw, else those that the table
    /// sent.
    pub fn open_cards(&self) -> Option<&[Card]> {
        let seen = self.validated_cards.as_deref();
        seen.or(self.cards.as_deref())
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

/// The values of a row's codes and texts.
struct Decoded {
    kind: HitKind,
    hand: Option<Hand>,
    cards: Option<Vec<Card>>,
    validated_cards: Option<Vec<Card>>,
    payouts: Vec<Payout>,
    documents: Vec<Option<Document>>,
}

/// A code or a text that this release does not know.
struct Unknown;

/// Returns the values of a row.
///
/// # Errors
/// [`Unknown`] if a code or a text of the row is not known.
fn decode(row: &HitRow) -> Result<Decoded, Unknown> {
    let hand = row.hand.map(|code| Hand::from_code(code).ok_or(Unknown));
    let documents = row.payouts.iter();
    let documents = documents.map(|payout| payout.document.as_deref().map(parsed).transpose());
    Ok(Decoded {
        kind: HitKind::from_code(row.kind).ok_or(Unknown)?,
        hand: hand.transpose()?,
        cards: row.cards.as_deref().map(cards).transpose()?,
        validated_cards: row.validated_cards.as_deref().map(cards).transpose()?,
        payouts: row.payouts.iter().map(payout).collect::<Result<_, _>>()?,
        documents: documents.collect::<Result<_, _>>()?,
    })
}

fn parsed<T: FromStr>(text: &str) -> Result<T, Unknown> {
    text.parse().map_err(|_| Unknown)
}

/// Returns the cards of a stored text, such as `As Ks`.
fn cards(text: &str) -> Result<Vec<Card>, Unknown> {
    text.split_whitespace().map(parsed).collect()
}

fn payout(row: &PayoutRow) -> Result<Payout, Unknown> {
    Ok(Payout {
        seat: Seat(row.seat),
        player: row.player.as_deref().map(parsed).transpose()?,
        kind: PayoutKind::from_code(row.kind).ok_or(Unknown)?,
        amount: Money::from_micros(row.amount),
        charged_to: ChargedTo::from_code(row.charged_to).ok_or(Unknown)?,
        handed_over: HandedOver::from_code(row.handed_over).ok_or(Unknown)?,
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
    /// The start of the period in which the hits were entered, if it has one.
    pub from: Option<Timestamp>,
    /// The end of the period, if it has one. A hit at this time is not included.
    pub to: Option<Timestamp>,
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
        let cases: [Damage; 9] = [
            |row| row.kind = 255,
            |row| row.hand = Some(255),
            |row| row.payouts[0].kind = 255,
            |row| row.payouts[0].charged_to = 255,
            |row| row.payouts[0].handed_over = 255,
            |row| row.payouts[0].player = Some("not a name".to_owned()),
            |row| row.cards = Some("As 1x".to_owned()),
            |row| row.validated_cards = Some("As 1x".to_owned()),
            |row| row.payouts[0].document = Some("\n".to_owned()),
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

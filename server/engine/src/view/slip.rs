//! A slip with names.

use meterhouse_domain::card::Card;
use meterhouse_domain::event::{HitKind, PayoutKind};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{LevelName, LinkName, PlayerName, TableName, Timestamp};
use meterhouse_domain::paytable::ChargedTo;
use meterhouse_journal::slip::Slip;

/// A slip with the names that its row lacks, and the values of its codes.
#[derive(Clone, Debug)]
pub struct SlipView {
    /// The stored slip.
    pub slip: Slip,
    /// The link.
    pub link: LinkName,
    /// The title of the link's paytable.
    pub title: String,
    /// The hit.
    pub hit: HitName,
    /// The level that the hit took from.
    pub level: Option<LevelName>,
    /// The person who made the slip.
    pub made_by: String,
    /// The award that the hit is for.
    pub hit_kind: HitKind,
    /// The hand.
    pub hand: Option<Hand>,
    /// The cards.
    pub cards: Option<Vec<Card>>,
    /// The player.
    pub player: Option<PlayerName>,
    /// The kind of the payout.
    pub kind: PayoutKind,
    /// The payer.
    pub charged_to: ChargedTo,
    /// The further prints, in their order.
    pub reprints: Vec<ReprintView>,
    /// The newer slip of the same payout.
    pub replaced_by: Option<u64>,
}

/// A further print of a slip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReprintView {
    /// The number of the reprint.
    pub reprint: u32,
    /// The time.
    pub at: Timestamp,
    /// The person who printed it.
    pub by: String,
    /// The reason.
    pub reason: String,
}

impl SlipView {
    /// Returns a slip with its values decoded. Returns nothing if a code or a text is not known.
    pub(crate) fn new(
        link: LinkName,
        table: &TableName,
        level: Option<LevelName>,
        made_by: String,
        slip: Slip,
    ) -> Option<Self> {
        let content = &slip.content;
        let cards = match &content.cards {
            Some(text) => Some(cards(text)?),
            None => None,
        };
        let hand = match content.hand {
            Some(code) => Some(Hand::from_code(code)?),
            None => None,
        };
        let player = content.player.as_deref().map(str::parse);
        Some(Self {
            hit: HitName::of(table, content.hit()),
            hit_kind: HitKind::from_code(content.hit_kind)?,
            hand,
            cards,
            player: player.transpose().ok()?,
            kind: PayoutKind::from_code(content.kind)?,
            charged_to: ChargedTo::from_code(content.charged_to)?,
            link,
            title: String::new(),
            level,
            made_by,
            slip,
            reprints: Vec::new(),
            replaced_by: None,
        })
    }
}

fn cards(text: &str) -> Option<Vec<Card>> {
    let cards = text.split_whitespace();
    cards.map(|card| card.parse().ok()).collect()
}

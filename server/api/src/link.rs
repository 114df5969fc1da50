//! Links: opening, state, suspension, levels and opening values.

use std::fmt;

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::change::AdoptedTable;
use crate::level::{LevelAmount, LinkLevel};
use crate::presentation::LinkPresentation;
use crate::report::BookBalances;
use crate::request::{LIST_MAX, List, objects};
use crate::returns::LinkReturns;
use crate::values::{
    Amount, GameName, GivenNote, Hand, LevelName, LinkName, PaytableId, ReservePolicy, TableName,
    Time, UnsignedAmount,
};
use crate::words::{LinkState, TableState};

/// The terms that a link opens with; none of them changes while the link plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct OpenLinkRequest {
    /// Paytable.
    pub paytable: PaytableId,
    /// True to confirm that the operator filed the inferred values of the paytable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm_inferred: Option<bool>,
    /// Hands without a line in the source that pay nothing, by the operator's decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Hand>>, max_items = 64)]
    pub pays_nothing: Option<List<Hand>>,
    /// Progressive wager.
    pub wager: UnsignedAmount,
    /// Decks in play in one round; two that alternate count as one.
    #[schema(minimum = 1, maximum = 8)]
    pub decks: u8,
    /// Amount that a level with a reserve restarts with; `add` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserve_policy: Option<ReservePolicy>,
    /// Maximum displayed amounts by level; an excess waits for the next reset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, UnsignedAmount>>)]
    pub ceilings: Option<Ceilings>,
    /// Adjacent boxes on which one player may wager in one round, as filed. If left out: the number of the paytable's
    /// law, else the seats of the layout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 15)]
    pub boxes_max: Option<u8>,
    /// Rounds that one table may lock in a minute; no limit if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub rounds_a_minute_max: Option<u32>,
    /// Seconds of silence after which a table is lost; 5 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub silence_seconds_max: Option<u32>,
    /// Number of rounds per draw of a Magic Card; no draw if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub magic_card_one_in: Option<u32>,
    /// Number of rounds per draw of a lucky position; no draw if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub lucky_bonus_one_in: Option<u32>,
    /// True if a hit that a person has to validate needs `by`, the badge of the person who enters it; true if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub badge_required: Option<bool>,
}

/// Ceilings by level, each level once, in the order of the request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ceilings(pub Vec<(String, UnsignedAmount)>);

impl Serialize for Ceilings {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(level, amount)| (level, amount)))
    }
}

impl<'de> Deserialize<'de> for Ceilings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(CeilingsVisitor)
    }
}

struct CeilingsVisitor;

impl<'de> Visitor<'de> for CeilingsVisitor {
    type Value = Ceilings;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ceilings, A::Error> {
        let mut ceilings: Vec<(String, UnsignedAmount)> = Vec::new();
        while let Some((level, amount)) = map.next_entry()? {
            if ceilings.iter().any(|(known, _)| *known == level) {
                return Err(A::Error::custom(format_args!("duplicate field `{level}`")));
            }
            if ceilings.len() == LIST_MAX {
                return Err(A::Error::custom(format_args!(
                    "more than {LIST_MAX} fields"
                )));
            }
            ceilings.push((level, amount));
        }
        Ok(Ceilings(ceilings))
    }
}

/// A link as it was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OpenedLink {
    /// Link.
    pub link: LinkName,
    /// Title of the paytable.
    pub title: String,
    /// Paytable.
    pub paytable: PaytableId,
    /// Source of the paytable, with the values that the operator confirmed.
    pub citation: String,
    /// Progressive wager.
    pub wager: Amount,
    /// Decks in play in one round.
    pub decks: u8,
    /// Adjacent boxes on which one player may wager in one round; null if there is no limit.
    pub boxes_max: Option<u8>,
    /// Amount that a level with a reserve restarts with.
    pub reserve_policy: ReservePolicy,
    /// Settings of the operator.
    pub settings: LinkSettings,
    /// Long-run return of the wager.
    pub returns: LinkReturns,
    /// Levels, highest first.
    pub levels: Vec<OpenedLevel>,
}

/// A level as it was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OpenedLevel {
    /// Level.
    pub level: LevelName,
    /// Opening amount.
    pub opened_with: Amount,
    /// Amount that it restarts with after it paid 100%.
    pub restarts_with: Amount,
    /// Maximum of the displayed amount, if the level has a ceiling.
    pub ceiling: Option<Amount>,
    /// Share of each wager that the level takes.
    #[schema(examples("9%"))]
    pub incrementation: String,
}

/// The operator's settings of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkSettings {
    /// Rounds that one table may lock in a minute; null if there is no limit.
    pub rounds_a_minute_max: Option<u32>,
    /// Seconds of silence after which a table is lost.
    pub silence_seconds_max: u32,
    /// Number of rounds per draw of a Magic Card; null if there is no draw.
    pub magic_card_one_in: Option<u32>,
    /// Number of rounds per draw of a lucky position; null if there is no draw.
    pub lucky_bonus_one_in: Option<u32>,
    /// True if a hit that a person has to validate needs `by`, the badge of the person who enters it.
    pub badge_required: bool,
}

/// A page of links.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkPage {
    /// Links, in the order of their opening.
    pub links: Vec<Link>,
    /// True if more follow.
    pub more: bool,
    /// Value of `after` for the next page.
    pub next: Option<LinkName>,
}

/// A link with its displayed amounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Link {
    /// Link.
    pub link: LinkName,
    /// Title of the paytable; null if the link's terms can't be read.
    pub title: Option<String>,
    /// Paytable.
    pub paytable: PaytableId,
    /// Version of the paytable's content that the link was opened with.
    #[schema(examples("0f3a5b6c7d8e9f01"))]
    pub paytable_version: String,
    /// Progressive wager.
    pub wager: Amount,
    /// Decks in play in one round.
    pub decks: u8,
    /// Adjacent boxes on which one player may wager in one round; null if there is no limit.
    pub boxes_max: Option<u8>,
    /// State; `unavailable` in a list if the link did not answer in time.
    pub state: LinkState,
    /// Reason that the link is not open.
    pub reason: Option<String>,
    /// True if a manager accepted the opening values: the link takes no coin-in before. True for a link that was opened
    /// before they had to be accepted; null if it can't be read.
    pub values_accepted: Option<bool>,
    /// Settings of the operator; null if the link's terms can't be read.
    pub settings: Option<LinkSettings>,
    /// Long-run return of the wager; null if the link's terms can't be read.
    pub returns: Option<LinkReturns>,
    /// Tables of fixed wagers that two people adopted. Left out by a server of 0.1.0.
    #[serde(default)]
    pub adopted: Vec<AdoptedTable>,
    /// Presentation on signs. Left out if the link's terms can't be read, and by a server of 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presentation: Option<LinkPresentation>,
    /// Newest batch: amounts with a larger one are newer.
    pub batch: u64,
    /// Levels.
    pub levels: Vec<LinkLevel>,
    /// Tables, in the order of joining.
    pub tables: Vec<LinkedTable>,
}

/// A table of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkedTable {
    /// Table.
    pub table: TableName,
    /// Game.
    pub game: GameName,
    /// Seats on the layout.
    pub seats: u8,
    /// State: `in_service`, or `unavailable` if the progressive can't be played. The floor's feed has the reason: `lost`
    /// or `disabled`.
    pub state: TableState,
}

/// The displayed amounts of a link, now or at a past moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkMeters {
    /// Link.
    pub link: LinkName,
    /// State now, also for a past moment.
    pub state: LinkState,
    /// Newest batch, or the last one up to the moment: amounts with a larger one are newer.
    pub batch: u64,
    /// Server time, or the moment that was asked for.
    pub at: Time,
    /// Displayed amounts.
    pub levels: Vec<LevelAmount>,
    /// Time of the batch; only for a past moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch_at: Option<Time>,
    /// True if no batch can be added up to the moment any more; only for a past moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// Exact balances by level, then `fixed`; only for a past moment, with a token that may read the link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<Vec<BookBalances>>,
}

/// The reason of a suspension, a disabling or a departure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ReasonRequest {
    /// Reason, which displays show.
    pub reason: GivenNote,
}

/// The suspension of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Suspension {
    /// Link.
    pub link: LinkName,
    /// True if the link takes no coin-in.
    pub suspended: bool,
    /// Reason: the one sent, or that of an earlier suspension.
    pub reason: Option<String>,
}

/// A level that was switched off or on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SwitchedLevel {
    /// Link.
    pub link: LinkName,
    /// Level.
    pub level: LevelName,
    /// True if the level is off.
    pub disabled: bool,
}

/// The opening values of a link, as a manager accepts them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct AcceptValuesRequest {
    /// Every level once, in any order.
    #[schema(value_type = Vec<LevelValue>, max_items = 64)]
    pub values: List<LevelValue>,
}

/// A level with its opening value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct LevelValue {
    /// Level.
    pub level: LevelName,
    /// Exactly the opening amount.
    pub amount: UnsignedAmount,
}

/// The accepted values of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AcceptedValues {
    /// Link.
    pub link: LinkName,
    /// Opening values of the levels, highest first.
    pub values: Vec<LevelAmount>,
}

objects! { OpenLinkRequest ReasonRequest AcceptValuesRequest LevelValue }

//! Pairing of new screens, the screens of the house, and what they show.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::level::LevelAmount;
use crate::request::{List, objects};
use crate::values::{Badge, LevelName, LinkName, Time, UnsignedAmount};

/// Maximum number of links of a screen.
pub const SCREEN_LINKS_MAX: usize = 12;

/// The key of a screen.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct PairingRequest {
    /// Key: 32 random bytes in hexadecimal, which the screen draws and never shows.
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-f]+$")]
    pub key: String,
}

/// The state of a screen's pairing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PairingState {
    /// Code to show, of six letters and digits; null once the screen is paired.
    pub code: Option<String>,
    /// End of the code's validity; null once the screen is paired.
    pub expires_at: Option<Time>,
    /// Name of the screen, whose token the key is; null while no person has named it.
    pub screen: Option<String>,
    /// Links that the screen shows; empty while no person has named it.
    pub links: Vec<String>,
}

/// The screen that shows a code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ScreenRequest {
    /// Code that the screen shows; small letters do as well.
    #[schema(min_length = 6, max_length = 6)]
    pub code: String,
    /// Links that the screen shows, at most 12.
    #[schema(value_type = Vec<LinkName>, min_items = 1, max_items = 12)]
    pub links: List<LinkName>,
    /// True if the screen may take the place of the one that has this name, whose tokens end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<bool>,
}

/// A screen that was paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PairedScreen {
    /// Name.
    pub screen: Badge,
    /// Links that it shows.
    pub links: Vec<LinkName>,
    /// Address from which it asked for its code.
    pub address: String,
}

/// A screen that was unpaired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UnpairedScreen {
    /// Name.
    pub screen: Badge,
}

/// What a screen shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ShownRequest {
    /// Its links, each once.
    #[schema(value_type = Vec<ShownLink>, max_items = 12)]
    pub shown: List<ShownLink>,
}

/// What a screen shows of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ShownLink {
    /// Link.
    pub link: LinkName,
    /// Batch of the feed's message whose amounts are shown.
    pub batch: u64,
    /// Amounts as they are shown; none while the screen shows none.
    #[schema(value_type = Vec<ShownLevel>, max_items = 64)]
    pub levels: List<ShownLevel>,
}

/// A level with the amount that a screen shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ShownLevel {
    /// Level.
    pub level: LevelName,
    /// Amount as it is shown.
    pub amount: UnsignedAmount,
}

/// The comparison of what a screen shows with the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShownReceipt {
    /// Name of the screen.
    pub screen: Badge,
    /// Links, in the order of the request.
    pub shown: Vec<ComparedLink>,
}

/// The comparison of what a screen shows of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparedLink {
    /// Link.
    pub link: String,
    /// True if the link never displayed one of the amounts after that batch.
    pub difference: bool,
    /// True if newer amounts replaced them more than ten seconds ago.
    pub stale: bool,
}

/// A page of screens, in the order of their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScreenPage {
    /// Screens.
    pub screens: Vec<Screen>,
    /// True if more follow.
    pub more: bool,
    /// Value of `after` for the next page.
    pub next: Option<String>,
}

/// A screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Screen {
    /// Name.
    pub screen: String,
    /// Links that it was paired with.
    pub links: Vec<String>,
    /// Time of the pairing.
    pub paired_at: Time,
    /// Name of the person who paired it.
    pub paired_by: String,
    /// True if it has acknowledged nothing for 30 seconds.
    pub silent: bool,
    /// What it showed last, of each link of which it has said so.
    pub shown: Vec<Shown>,
}

/// What a screen showed of a link for some time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Shown {
    /// Link.
    pub link: String,
    /// Batch of the last acknowledgement.
    pub batch: u64,
    /// Amounts.
    pub levels: Vec<LevelAmount>,
    /// First acknowledgement of these amounts, by the server's clock.
    pub since: Time,
    /// Last acknowledgement of these amounts, by the server's clock.
    pub until: Time,
    /// True if the link never displayed one of the amounts after that batch.
    pub difference: bool,
    /// True if newer amounts had replaced them more than ten seconds before.
    pub stale: bool,
}

/// A page of what a screen showed, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShownPage {
    /// Name of the screen.
    pub screen: String,
    /// What it showed, newest first.
    pub shown: Vec<Shown>,
    /// True if older ones follow.
    pub more: bool,
    /// Value of `to` for the next page.
    pub next: Option<Time>,
}

objects! { PairingRequest ScreenRequest ShownRequest ShownLink ShownLevel }

//! How links and tables are presented: names for people, and settings of signs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::request::objects;
use crate::values::{Celebration, ChosenTheme, DisplayName, LinkName, Locale, TableName};

/// The presentation of a link, whole: what is left out is no longer chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct PresentLinkRequest {
    /// Name that a sign shows in place of the paytable's title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<DisplayName>,
    /// Time of the full celebration of a win; `validation` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub celebration: Option<Celebration>,
    /// Look of the signs; the sign's own choice if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<ChosenTheme>,
    /// Language of the signs; the sign's own choice if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<Locale>,
}

/// The presentation of a table, whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct PresentTableRequest {
    /// Pit in which the table stands; none if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pit: Option<DisplayName>,
}

objects! { PresentLinkRequest PresentTableRequest }

/// The presentation of a link on its signs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkPresentation {
    /// Name in place of the paytable's title; null for the title.
    pub name: Option<DisplayName>,
    /// Time of the full celebration of a win: at its `validation`, or at the `hit` itself.
    pub celebration: Celebration,
    /// Look of the signs; null for the sign's own choice.
    pub theme: Option<ChosenTheme>,
    /// Version of a theme of the house: with each change of it signs read it again. Left out for a shipped theme.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme_version: Option<String>,
    /// Language of the signs; null for the sign's own choice.
    pub locale: Option<Locale>,
}

/// A link with its new presentation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PresentedLink {
    /// Link.
    pub link: LinkName,
    /// Presentation.
    pub presentation: LinkPresentation,
}

/// A table with its new presentation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PresentedTable {
    /// Table.
    pub table: TableName,
    /// Pit in which the table stands.
    pub pit: Option<DisplayName>,
}

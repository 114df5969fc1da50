//! The manual: a page a game.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::values::GameName;

/// The games of the manual.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ManualGames {
    /// Games, by name.
    pub games: Vec<ManualGame>,
}

/// A game of the manual.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ManualGame {
    /// Name.
    pub game: GameName,
    /// Title.
    pub title: String,
}

/// A page of the manual.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ManualPage {
    /// Game.
    pub game: GameName,
    /// Title.
    pub title: String,
    /// Parts, in their order.
    pub parts: Vec<ManualPart>,
}

/// A part of a page: a heading, and a table or a text in columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ManualPart {
    /// Heading; of a paytable, its id.
    pub heading: String,
    /// Rows of a table, its head first; null if there is none. A row of one cell is the head of the rows below it, and the last cell
    /// of a shorter row is for all columns that are left. A cell that is a heading of the page is a link to it.
    pub table: Option<Vec<Vec<String>>>,
    /// Lines that are aligned in columns; null if there are none.
    pub columns: Option<String>,
}

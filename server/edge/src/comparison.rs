//! Two paytables side by side: whether their tables may share a link, and every difference.

use meterhouse_domain::difference::{Difference, differences};
use meterhouse_domain::ids::GameName;
use meterhouse_domain::paytable::Paytable;
use serde::Serialize;
use utoipa::ToSchema;

use crate::paytables::{Found, NotInSource, not_in_source};

/// Two paytables side by side. Equality of content decides, not of name (RULES §4.1).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ComparedView {
    /// The first.
    pub paytable: ComparedPaytable,
    /// The second.
    pub with: ComparedPaytable,
    /// Whether tables of both may share a link, at one wager and with the same decks.
    pub may_share: bool,
    /// Every difference of their contents; whether they are for tables of several games; and that both are for tables of
    /// one game only, where their games differ.
    pub differences: Vec<DifferenceView>,
}

/// One of two.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ComparedPaytable {
    /// Its id.
    pub paytable: String,
    /// Where it stands.
    pub citation: String,
    /// What the source doesn't print, and where it was taken from: the operator confirms it.
    pub not_in_source: Vec<NotInSource>,
}

/// A difference.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DifferenceView {
    /// In what they differ.
    #[schema(examples("line flush"))]
    pub field: String,
    /// What the first has.
    pub first: String,
    /// What the second has.
    pub second: String,
}

/// Compares two paytables.
pub fn view(first: Found<'_>, second: Found<'_>) -> ComparedView {
    let found = differences(first.paytable, second.paytable);
    let found = found.into_iter().map(DifferenceView::from);
    let differences: Vec<_> = found
        .chain(one_game(first.paytable, second.paytable))
        .collect();
    ComparedView {
        paytable: compared(first),
        with: compared(second),
        may_share: differences.is_empty(),
        differences,
    }
}

/// Returns a difference if both paytables are for tables of one game only, and their games differ.
fn one_game(first: &Paytable, second: &Paytable) -> Option<DifferenceView> {
    let games = |paytable: &Paytable| -> Vec<GameName> {
        let games = paytable.games.iter();
        games.map(|game| game.name.clone()).collect()
    };
    let shared = games(first).iter().any(|game| games(second).contains(game));
    // If only one of them is for tables of one game, `differences` already reports that.
    if shared || first.linkable || second.linkable {
        return None;
    }
    let says = |paytable: &Paytable| {
        let games: Vec<String> = games(paytable).iter().map(ToString::to_string).collect();
        format!("{}, for tables of one game", games.join(", "))
    };
    Some(DifferenceView {
        field: "game".to_owned(),
        first: says(first),
        second: says(second),
    })
}

fn compared(found: Found<'_>) -> ComparedPaytable {
    ComparedPaytable {
        paytable: found.paytable.id.to_string(),
        citation: found.paytable.citation.clone(),
        not_in_source: not_in_source(found.sheet),
    }
}

impl From<Difference> for DifferenceView {
    fn from(difference: Difference) -> Self {
        Self {
            field: difference.field,
            first: difference.first,
            second: difference.second,
        }
    }
}

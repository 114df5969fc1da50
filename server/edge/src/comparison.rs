//! Two paytables side by side: whether their tables may share a link, and every difference.

use meterhouse_api::paytable::{ComparedPaytable, PaytableComparison, PaytableDifference};
use meterhouse_api::text::Text;
use meterhouse_domain::difference::{Difference, differences};
use meterhouse_domain::ids::GameName;
use meterhouse_domain::paytable::Paytable;

use crate::paytables::{Found, not_in_source};

/// Returns the comparison of two paytables.
pub fn comparison(first: Found<'_>, second: Found<'_>) -> PaytableComparison {
    let found = differences(first.paytable, second.paytable);
    let found = found.into_iter().map(difference);
    let differences: Vec<_> = found
        .chain(one_game(first.paytable, second.paytable))
        .collect();
    PaytableComparison {
        paytable: compared(first),
        with: compared(second),
        may_share: differences.is_empty(),
        differences,
    }
}

fn difference(difference: Difference) -> PaytableDifference {
    PaytableDifference {
        field: difference.field,
        first: difference.first,
        second: difference.second,
    }
}

/// Returns a difference if both paytables are for tables of one game only, and their games differ.
fn one_game(first: &Paytable, second: &Paytable) -> Option<PaytableDifference> {
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
    Some(PaytableDifference {
        field: "game".to_owned(),
        first: says(first),
        second: says(second),
    })
}

fn compared(found: Found<'_>) -> ComparedPaytable {
    ComparedPaytable {
        paytable: Text(found.paytable.id.clone()),
        citation: found.paytable.citation.clone(),
        not_in_source: not_in_source(found.sheet),
    }
}

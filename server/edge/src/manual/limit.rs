//! The payout limit of a game, as a row of the manual.

use meterhouse_domain::fixed::limit::{LimitClause, LimitScope, clause_of};
use meterhouse_domain::fixed::wager::FixedWager;
use meterhouse_domain::ids::GameName;

use super::part::row;
use crate::fixed::capitalised;

/// Returns the row on the game's payout limit, if it has one.
pub(super) fn payout_limit(game: &GameName) -> Option<Vec<String>> {
    let clause = clause_of(game.as_str())?;
    let source = format!("58 Pa. Code {}", clause.citation);
    Some(row(["Payout limit", &limit_text(clause), &source]))
}

fn limit_text(clause: &LimitClause) -> String {
    let scope = match clause.scope {
        LimitScope::Hand => "a hand",
        LimitScope::PlayerRound => "a player in a round",
    };
    let may = if clause.fixed {
        "is limited to"
    } else {
        "may be limited by the certificate holder, to at least"
    };
    let wagers = names(clause.wagers);
    let doubt = if clause.doubtful.is_empty() {
        String::new()
    } else {
        let doubtful = names(clause.doubtful);
        format!(". The clause names the subsections of the {doubtful} Wager, but not the wager")
    };
    format!(
        "What {scope} is paid on {wagers} Wagers {may} $50,000, or the most that one patron can win in a round at the minimum \
         wager if that is more. All other pays are exempt, progressive ones among them{doubt}. No clause has an order: \
         payouts use the limit up as they are settled"
    )
}

/// Writes the names of wagers; several of one name are named once.
fn names(wagers: &[FixedWager]) -> String {
    let mut names: Vec<String> = wagers
        .iter()
        .map(|wager| {
            let words = wager.name().split('-');
            let words = words.filter(|word| word.parse::<u8>().is_err());
            let words: Vec<String> = words.map(capitalised).collect();
            words.join(" ")
        })
        .collect();
    names.dedup();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

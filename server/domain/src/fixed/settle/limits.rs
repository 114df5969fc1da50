//! The payout limit of a round: checked, and carried out on the payouts that share it.

use crate::fixed::limit::{FixedPayout, LimitClause, LimitReading, LimitScope};
use crate::fixed::settle::finding::{Finding, Mistake};
use crate::fixed::settle::round::{PlayedRound, SeatPlayed};
use crate::fixed::settle::rules::GameRules;
use crate::fixed::settle::settled::{SettledRound, SettledSeat, SettledWager};
use crate::ids::PlayerName;
use crate::money::Money;
use crate::seat::Seat;

/// A limit in force.
pub(super) struct InForce {
    clause: &'static LimitClause,
    limit: Money,
    reading: LimitReading,
}

/// Checks the limit of a round, and returns the one in force. `highest` returns the highest pay of the chosen table of
/// a name for one wager of an amount.
pub(super) fn in_force(
    rules: &GameRules,
    round: &PlayedRound,
    highest: impl Fn(&'static str, Money) -> Option<Money>,
) -> Result<Option<InForce>, Finding> {
    let terms = &round.terms;
    let Some(clause) = rules.limit else {
        let finding = Finding::new("terms.limit", Mistake::LimitUnknown);
        return terms.limit.map_or(Ok(None), |_| Err(finding));
    };
    if terms.limit.is_none() && !clause.fixed {
        return Ok(None);
    }
    let most = most(clause, round, highest)?;
    let limit = clause.check(terms.limit, most);
    let limit = limit.map_err(|refused| Finding::new("terms.limit", Mistake::Limit(refused)))?;
    let reading = match terms.reading {
        Some(reading) => reading,
        None if clause.doubtful.is_empty() => LimitReading::Named,
        None => {
            let clause = clause.citation;
            return Err(Finding::new(
                "terms.reading",
                Mistake::ReadingMissing { clause },
            ));
        }
    };
    Ok(limit.map(|limit| InForce {
        clause,
        limit,
        reading,
    }))
}

/// Returns the most that one patron can win at the table's minimum wager: by the tables, or as the round states it
/// where these don't give it.
fn most(
    clause: &LimitClause,
    round: &PlayedRound,
    highest: impl Fn(&'static str, Money) -> Option<Money>,
) -> Result<Money, Finding> {
    let at = |mistake| Finding::new("terms.most_at_minimum", mistake);
    let by_tables = clause.most_at(round.terms.minimum, highest);
    let by_tables = by_tables.map_err(|_| at(Mistake::Unpayable))?;
    match (by_tables, round.terms.most_at_minimum) {
        (Some(most), Some(stated)) if most != stated => Err(at(Mistake::MostDiffers { most })),
        (Some(most), _) | (None, Some(most)) => Ok(most),
        (None, None) => Err(at(Mistake::MostMissing {
            clause: clause.citation,
        })),
    }
}

/// Cuts the payouts of a settled round by the limit in force, and notes the limit.
pub(super) fn apply(settled: &mut SettledRound, limit: Option<InForce>, round: &PlayedRound) {
    let Some(limit) = limit else {
        return;
    };
    settled.limit = Some((limit.limit, limit.clause.citation.into()));
    let mut groups: Vec<(Seat, Option<&PlayerName>, Vec<&mut SettledWager>)> = Vec::new();
    for seat in &mut settled.seats {
        let player = match limit.clause.scope {
            LimitScope::Hand => None,
            LimitScope::PlayerRound => player_of(round, seat),
        };
        let same = groups
            .iter_mut()
            .find(|(_, other, _)| player.is_some() && *other == player);
        match same {
            Some((_, _, wagers)) => wagers.extend(&mut seat.wagers),
            None => groups.push((seat.seat, player, seat.wagers.iter_mut().collect())),
        }
    }
    for (_, _, wagers) in groups {
        let payouts: Vec<FixedPayout> = wagers
            .iter()
            .map(|wager| FixedPayout {
                wager: wager.wager,
                amount: wager.payout,
            })
            .collect();
        let paid = limit.clause.cut(limit.limit, limit.reading, &payouts);
        for (wager, paid) in wagers.into_iter().zip(paid) {
            wager.paid = paid;
        }
    }
}

fn player_of<'a>(round: &'a PlayedRound, settled: &SettledSeat) -> Option<&'a PlayerName> {
    let is_same = |played: &&SeatPlayed| played.seat == settled.seat;
    round.seats.iter().find(is_same)?.player.as_ref()
}

//! The round of a hit, from the commands of its table.

use std::collections::BTreeSet;

use meterhouse_domain::event::{CoinInAccepted, Event, Origin, Recorded};
use meterhouse_domain::ids::{Sequence, Timestamp};
use meterhouse_domain::seat::SeatSet;
use meterhouse_journal::hit::HitRow;
use meterhouse_journal::position::Position;

/// An event with its place.
pub(super) type Placed = (Position, Timestamp, Recorded);

/// The round of a hit.
#[derive(Clone, Debug)]
pub struct Round {
    /// Coin-in that locked the round.
    pub coin_in: CoinInAccepted,
    /// Sequence of the coin-in, which names the round.
    pub sequence: Sequence,
    /// Seats that folded.
    pub folded: SeatSet,
    /// Time of GAME OVER or of the void; `None` if neither is among the commands.
    pub closed_at: Option<Timestamp>,
}

/// Returns the round of a hit, with the places of its commands.
pub(super) fn round(
    events: &[Placed],
    row: &HitRow,
    gaps: &mut Vec<String>,
) -> Result<(Round, BTreeSet<Position>), String> {
    let own = |placed: &Placed| match placed.2.origin {
        Origin::Table { table, sequence } if table.0 == row.table => Some(sequence),
        Origin::Table { .. } | Origin::Person => None,
    };
    let mut found: Option<Round> = None;
    let mut of_round = BTreeSet::new();
    let mut expected = row.round;
    for placed in events {
        let Some(sequence) = own(placed).filter(|sequence| sequence.0 >= row.round) else {
            continue;
        };
        if sequence.0 != expected && found.is_some() {
            gaps.push(format!("command {expected} of the hit's table is missing"));
        }
        expected = sequence.0 + 1;
        match (&placed.2.event, &mut found) {
            (Event::CoinInAccepted(coin_in), None) if sequence.0 == row.round => {
                found = Some(Round {
                    coin_in: coin_in.clone(),
                    sequence,
                    folded: SeatSet::EMPTY,
                    closed_at: None,
                });
            }
            (_, None) => break,
            (Event::SeatsFolded { seats }, Some(round)) => {
                round.folded = round.folded.union(*seats);
            }
            (Event::RoundClosed { .. } | Event::RoundVoided { .. }, Some(round)) => {
                round.closed_at = Some(placed.1);
                of_round.insert(placed.0);
                break;
            }
            (_, Some(_)) => {}
        }
        of_round.insert(placed.0);
    }
    let round =
        found.ok_or_else(|| format!("the coin-in {} of the round is missing", row.round))?;
    Ok((round, of_round))
}

//! The history of one level in a period, for a plot.
//!
//! # Shape
//! A short period has each batch as a step. A longer one is cut into stretches of equal length. Their first and last amounts
//! are stored balances. Between its decreases a meter only grows, so that the least and the greatest amount of a stretch are
//! among its ends and the balances around the batches that may lower a meter. No amount is a mean.
//!
//! # Limits
//! The caller's number of points, and [`HISTORY_HITS_MAX`] hits.

use std::collections::HashMap;

use meterhouse_domain::entries::entries;
use meterhouse_domain::event::Origin;
use meterhouse_domain::ids::{LevelName, LinkId, LinkName, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::state::LinkState;
use meterhouse_journal::position::Position;
use meterhouse_journal::record::from_row;
use meterhouse_store::{LevelAt, LevelBalances, LevelExtremes, PositionedEvent};

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::clock::now;
use crate::context::Engine;
use crate::reports::displayed::on_meter;
use crate::reports::period::is_over;
use crate::reports::sums::too_much;
use crate::view::{HistoryBucket, HistoryCoinIn, HistoryPoints, HistoryView, HitView};

/// Maximum number of hits in one history.
const HISTORY_HITS_MAX: usize = 100;

/// The level of a history, and its link.
struct Asked<'a> {
    link: LinkId,
    state: &'a LinkState,
    level: usize,
}

impl Engine {
    /// Returns the history of a level from one time until before another, with at most `points` points.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link or level, the period is over before the opening, its events are archived,
    /// or the database can't be queried.
    pub async fn level_history(
        &self,
        link: &LinkName,
        level: &LevelName,
        (from, to): (Timestamp, Timestamp),
        points: u32,
    ) -> Result<HistoryView, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        let mut levels = known.state.terms.content().levels.iter();
        let index = levels.position(|known| known.name == *level);
        let no_level = || NotExecuted::Refused(Refusal::new(RefusalCode::NoSuchLevel));
        let asked = Asked {
            link: id,
            state: &known.state,
            level: index.ok_or_else(no_level)?,
        };
        let (from, to) = self.played_part(id, from, to).await?;
        let ends = self.balances_at_edges(&asked, &[from, to]).await?;
        let [first, last] = ends.as_slice() else {
            return Err(damaged(
                "a batch before a time after the opening is missing",
            ));
        };
        let (from_batch, to_batch) = (first.batch, last.batch.max(first.batch));
        let store = &self.context.store;
        let archived = store.refuse_archived(id, Position::behind(from_batch), None);
        archived.await.map_err(unavailable)?;
        let most = usize::try_from(points).unwrap_or(usize::MAX);
        let points = if to_batch - from_batch <= u64::from(points) {
            self.steps(&asked, (from_batch, to_batch), most).await?
        } else {
            self.buckets(&asked, (from, to), (from_batch, to_batch), most)
                .await?
        };
        let (hits, hits_missing) = self.hits_between(&asked, from, to).await?;
        Ok(HistoryView {
            link: link.clone(),
            level: level.clone(),
            from,
            to,
            complete: is_over(to),
            from_batch,
            to_batch,
            points,
            hits,
            hits_missing,
        })
    }

    /// Returns the part of a period after the link's opening and before now.
    async fn played_part(
        &self,
        link: LinkId,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<(Timestamp, Timestamp), NotExecuted> {
        let to = Timestamp(to.0.min(now().0.saturating_add(1)));
        let opening = self.context.store.batch(link, 1).await;
        let opening = opening.map_err(unavailable)?;
        let opened = opening.map_or(Timestamp(0), |opening| opening.batch.at);
        if to <= opened {
            return Err(NotExecuted::NotOpenYet { opened });
        }
        let from = Timestamp(from.0.clamp(opened.0.saturating_add(1), to.0));
        Ok((from, to))
    }

    async fn balances_at_edges(
        &self,
        asked: &Asked<'_>,
        edges: &[Timestamp],
    ) -> Result<Vec<LevelAt>, NotExecuted> {
        let store = &self.context.store;
        let found = store.level_at(asked.link, asked.level, edges).await;
        found.map_err(unavailable)
    }

    /// Returns each batch of a range as a step, and the coin-ins if there are not too many.
    async fn steps(
        &self,
        asked: &Asked<'_>,
        range: (u64, u64),
        most: usize,
    ) -> Result<HistoryPoints, NotExecuted> {
        let store = &self.context.store;
        let steps = store.level_steps(asked.link, asked.level, range, most);
        let steps = steps.await.map_err(unavailable)?;
        let found = store.coin_ins_between(asked.link, range, most.saturating_add(1));
        let found = found.await.map_err(unavailable)?;
        if found.len() > most {
            return Ok(HistoryPoints::Steps(steps, None));
        }
        let coin_ins: Result<_, _> = found.iter().map(|event| coin_in(asked, event)).collect();
        Ok(HistoryPoints::Steps(steps, Some(coin_ins?)))
    }

    /// Returns stretches of equal length.
    async fn buckets(
        &self,
        asked: &Asked<'_>,
        (from, to): (Timestamp, Timestamp),
        range: (u64, u64),
        most: usize,
    ) -> Result<HistoryPoints, NotExecuted> {
        let edges = edges(from, to, most);
        let at = self.balances_at_edges(asked, &edges).await?;
        let store = &self.context.store;
        let extremes = store.level_extremes(asked.link, asked.level, range, &edges);
        let extremes = extremes.await.map_err(unavailable)?;
        Ok(HistoryPoints::Buckets(buckets_of(&edges, &at, &extremes)))
    }

    /// Returns the hits of the level in a period, and `true` if there are more. They are compared with the journal.
    async fn hits_between(
        &self,
        asked: &Asked<'_>,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<(Vec<HitView>, bool), NotExecuted> {
        let level = u8::try_from(asked.level).map_err(|_| too_much())?;
        let store = &self.context.store;
        let found = store.level_hits(asked.link, level, (from, to), HISTORY_HITS_MAX + 1);
        let mut found = found.await.map_err(unavailable)?;
        let is_missing = found.len() > HISTORY_HITS_MAX;
        if is_missing {
            // The one too many is the oldest of those that come last.
            let rank = |hit: &meterhouse_store::FoundHit| {
                (hit.hit.percent == Some(100), hit.hit.hit_order)
            };
            let last = (0..found.len()).min_by_key(|index| found.get(*index).map(rank));
            if let Some(index) = last {
                drop(found.remove(index));
            }
        }
        let checked = self.hit_reader().check(found).await?;
        let mut hits = Vec::with_capacity(checked.len());
        for hit in checked {
            hits.push(self.link_reader().hit_view(hit).await?);
        }
        Ok((hits, is_missing))
    }
}

/// Returns the ends of at most `most` stretches of equal length, the start of the first one included. Each is later than the
/// one before.
fn edges(from: Timestamp, to: Timestamp, most: usize) -> Vec<Timestamp> {
    let length = i128::from(to.0) - i128::from(from.0);
    let most = i128::try_from(most).unwrap_or(i128::MAX);
    let count = most.clamp(1, length.max(1));
    let edge = |index: i128| {
        let offset = length * index / count;
        Timestamp(
            from.0
                .saturating_add(i64::try_from(offset).unwrap_or(i64::MAX)),
        )
    };
    (0..=count).map(edge).collect()
}

/// Returns the stretches between edges, from the balances at the edges and the extremes in between.
fn buckets_of(
    edges: &[Timestamp],
    at: &[LevelAt],
    extremes: &[LevelExtremes],
) -> Vec<HistoryBucket> {
    let extremes: HashMap<usize, &LevelExtremes> =
        extremes.iter().map(|found| (found.index, found)).collect();
    let ends = at.iter().zip(at.iter().skip(1));
    let bucket = |(first, last): (&LevelAt, &LevelAt)| {
        let (from, to) = (edges.get(first.index)?, edges.get(last.index)?);
        let mut least = both(first.after, last.after, i64::min);
        let mut greatest = both(first.after, last.after, i64::max);
        if let Some(found) = extremes.get(&first.index) {
            least = both(least, found.least, i64::min);
            greatest = both(greatest, found.greatest, i64::max);
        }
        Some(HistoryBucket {
            from: *from,
            to: *to,
            batch: last.batch,
            first: first.after,
            least,
            greatest,
            last: last.after,
        })
    };
    ends.filter_map(bucket).collect()
}

fn both(one: LevelBalances, other: LevelBalances, choose: fn(i64, i64) -> i64) -> LevelBalances {
    LevelBalances {
        meter: choose(one.meter, other.meter),
        reserve: choose(one.reserve, other.reserve),
    }
}

/// Returns a coin-in with its contribution to the meter.
fn coin_in(asked: &Asked<'_>, found: &PositionedEvent) -> Result<HistoryCoinIn, NotExecuted> {
    let batch = found.position.batch;
    let recorded = from_row(&found.event);
    let recorded = recorded.map_err(|error| damaged(&format!("batch {batch}: {error}")))?;
    let Origin::Table { table, sequence } = recorded.origin else {
        return Err(damaged(&format!("batch {batch}: a coin-in of no table")));
    };
    let named = asked.state.table(table);
    let named = named.map_or_else(|| table.to_string(), |known| known.name.to_string());
    let moved = on_meter(&entries(&asked.state.shares, &recorded.event), asked.level);
    Ok(HistoryCoinIn {
        at: found.at,
        batch,
        round: format!("{named}.{sequence}"),
        table: named,
        amount: Money::from_micros(i64::try_from(moved).map_err(|_| too_much())?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(index: usize, meter: i64) -> LevelAt {
        LevelAt {
            index,
            batch: u64::try_from(index).expect("a number"),
            at: Timestamp(0),
            after: LevelBalances { meter, reserve: 0 },
        }
    }

    fn meters(bucket: &HistoryBucket) -> [i64; 4] {
        [bucket.first, bucket.least, bucket.greatest, bucket.last].map(|all| all.meter)
    }

    /// A stretch without a decrease has its extremes at its ends; one with a decrease also has what was before and after.
    #[test]
    fn a_stretch_has_every_extreme() {
        let edges = edges(Timestamp(100), Timestamp(130), 3);
        assert_eq!(edges, [100, 110, 120, 130].map(Timestamp));
        let balances = |meter| LevelBalances { meter, reserve: 0 };
        let fell = LevelExtremes {
            index: 1,
            least: balances(5),
            greatest: balances(90),
        };
        let ends = [at(0, 10), at(1, 20), at(2, 30), at(3, 40)];
        let buckets = buckets_of(&edges, &ends, &[fell]);
        let found: Vec<_> = buckets.iter().map(meters).collect();
        assert_eq!(found, [[10, 10, 20, 20], [20, 5, 90, 30], [30, 30, 40, 40]]);
        let times = buckets.iter().map(|bucket| (bucket.from.0, bucket.to.0));
        assert!(times.eq([(100, 110), (110, 120), (120, 130)]));
    }

    /// The edges are whole microseconds, each later than the one before, and a period shorter than its points has fewer.
    #[test]
    fn edges_are_apart() {
        let found = edges(Timestamp(0), Timestamp(10), 4);
        assert_eq!(found, [0, 2, 5, 7, 10].map(Timestamp));
        assert_eq!(
            edges(Timestamp(7), Timestamp(9), 1_000),
            [7, 8, 9].map(Timestamp)
        );
        assert_eq!(edges(Timestamp(7), Timestamp(7), 10), [7, 7].map(Timestamp));
    }
}

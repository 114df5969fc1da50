//! Figures of rounds: the order in which a round plays its cells, and the ratios of two cells, one a round.

/// Hundredths of one.
const HUNDREDTHS: u64 = 100;

/// The median of the rounds, with the least and the most.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// The median; of an even number of rounds the mean of the two in the middle.
    pub median: u64,
    /// The least.
    pub least: u64,
    /// The most.
    pub most: u64,
}

impl Spread {
    /// Returns the spread of these values; all zero without a value.
    pub fn of(values: impl IntoIterator<Item = u64>) -> Self {
        let mut values: Vec<u64> = values.into_iter().collect();
        values.sort_unstable();
        let (Some(least), Some(most)) = (values.first(), values.last()) else {
            return Self::default();
        };
        let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
        Self {
            median: u64::midpoint(low, high),
            least: *least,
            most: *most,
        }
    }

    /// Returns the spread of the ratios to an anchor, in hundredths, one ratio a round. Both were measured in each round.
    pub fn of_ratios(values: &[u64], anchor: &[u64]) -> Self {
        let rounds = values.iter().zip(anchor);
        Self::of(rounds.map(|(value, anchor)| value * HUNDREDTHS / (*anchor).max(1)))
    }
}

/// Returns the order in which a round plays its cells. Each round begins elsewhere, and each second one runs backwards,
/// so that no cell always follows the same one.
pub fn order(round: usize, rounds: usize, cells: usize) -> Vec<usize> {
    let first = round * cells / rounds.max(1);
    let mut order: Vec<usize> = (0..cells)
        .map(|index| (first + index) % cells.max(1))
        .collect();
    if !round.is_multiple_of(2) {
        order.reverse();
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Spread, order};

    fn spread(median: u64, least: u64, most: u64) -> Spread {
        Spread {
            median,
            least,
            most,
        }
    }

    #[test]
    fn a_spread_has_median_least_and_most() {
        assert_eq!(Spread::of([]), spread(0, 0, 0));
        assert_eq!(Spread::of([7]), spread(7, 7, 7));
        assert_eq!(Spread::of([9, 1, 5]), spread(5, 1, 9));
        assert_eq!(Spread::of([4, 1, 9, 6]), spread(5, 1, 9));
    }

    /// The machine was half as fast in the second round. Each round's ratio is 4, and that of the medians is 3.33.
    #[test]
    fn ratios_are_taken_round_by_round() {
        let (values, anchor) = ([400, 200, 1_000], [100, 50, 250]);
        assert_eq!(Spread::of_ratios(&values, &anchor), spread(400, 400, 400));
        let (fast, slow) = ([800, 100], [100, 50]);
        assert_eq!(Spread::of_ratios(&fast, &slow), spread(500, 200, 800));
        assert_eq!(Spread::of_ratios(&[5], &[0]), spread(500, 500, 500));
    }

    /// Every round plays every cell once, and begins with another one.
    #[test]
    fn each_round_plays_all_cells_in_another_order() {
        let orders: BTreeSet<Vec<usize>> = (0..5).map(|round| order(round, 5, 25)).collect();
        assert_eq!(orders.len(), 5);
        for order in &orders {
            let cells: BTreeSet<usize> = order.iter().copied().collect();
            assert_eq!((cells.len(), order.len()), (25, 25));
        }
        let firsts: BTreeSet<usize> = orders.iter().map(|order| order[0]).collect();
        assert_eq!(firsts.len(), 5);
        assert_eq!(order(3, 5, 0), Vec::<usize>::new());
    }
}

//! The seed of a simulation: one printed number decides all random choices.
//!
//! # Reproduction
//! `METERHOUSE_SEED=<the printed number>` gives the same commands, faults and choices. The scheduling of tasks and
//! processes is not reproducible, as the headers of the tests describe, so a rare failure may need several runs.
//! `METERHOUSE_SOAK=<n>` makes a test n times as long.

use std::hash::{BuildHasher as _, DefaultHasher, Hash as _, Hasher as _, RandomState};

use rand::SeedableRng as _;
use rand::rngs::StdRng;

const SEED: &str = "METERHOUSE_SEED";
const SOAK: &str = "METERHOUSE_SOAK";

/// The seed of one test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seed(pub(crate) u64);

impl Seed {
    /// Returns the seed of this run, and prints it to the test's output.
    pub(crate) fn announce(test: &str) -> Self {
        let seed = number(SEED).unwrap_or_else(|| RandomState::new().hash_one(test));
        println!("{test}: {SEED}={seed}");
        Self(seed)
    }

    /// Returns a generator for one purpose, equal for the same seed.
    pub(crate) fn rng(self, purpose: impl std::hash::Hash) -> StdRng {
        StdRng::seed_from_u64(self.number(purpose))
    }

    /// Returns a number for one purpose, equal for the same seed in every process of this program.
    pub(crate) fn number(self, purpose: impl std::hash::Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        purpose.hash(&mut hasher);
        hasher.finish()
    }
}

/// Multiplies a count by `METERHOUSE_SOAK`, if set.
pub(crate) fn times(count: u64) -> u64 {
    count * number(SOAK).unwrap_or(1)
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var_os(name)?;
    let text = text.to_str().expect("a number is text");
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number, not {text:?}")),
    )
}

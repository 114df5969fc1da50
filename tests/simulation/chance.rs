//! Chance with a name: every random choice of a simulation comes from one number that is printed.
//!
//! # How to play one again
//! `METERHOUSE_SEED=<the printed number>` gives the same commands, faults and choices. What tasks and processes do
//! meanwhile is the machine's affair (the headers of the tests say what), so a rare failure may need several runs.
//! `METERHOUSE_SOAK=<n>` plays n times as much.

use std::hash::{BuildHasher as _, DefaultHasher, Hash as _, Hasher as _, RandomState};

use rand::SeedableRng as _;
use rand::rngs::StdRng;

const SEED: &str = "METERHOUSE_SEED";
const SOAK: &str = "METERHOUSE_SOAK";

/// Where all chance of one test comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seed(pub(crate) u64);

impl Seed {
    /// The seed of this run, told to whoever reads a failed test's output.
    pub(crate) fn announce(test: &str) -> Self {
        let seed = number(SEED).unwrap_or_else(|| RandomState::new().hash_one(test));
        println!("{test}: {SEED}={seed}");
        Self(seed)
    }

    /// Chance for one purpose, the same for the same seed.
    pub(crate) fn rng(self, purpose: impl std::hash::Hash) -> StdRng {
        StdRng::seed_from_u64(self.number(purpose))
    }

    /// A number for one purpose, the same for the same seed, in every process of this program.
    pub(crate) fn number(self, purpose: impl std::hash::Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        purpose.hash(&mut hasher);
        hasher.finish()
    }
}

/// This many, or as many times more as was asked for.
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

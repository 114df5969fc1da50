//! The evidence of a hit: the batches that have its events, each with its way to a signed head, and what follows from them.
//!
//! # Shape
//! [`gather`] reads the batches, and [`derived`] makes everything that people read from them. The verifier has the batches
//! alone, and makes the same again. [`check`] compares the batches with the signatures.
//!
//! # Limits
//! 256 commands of the round, and [`HISTORY`] batches on either side of the hit.

mod bundle;
pub mod check;
pub mod derived;
mod gather;
mod payoff;
mod proposals;
pub mod round;

use crate::view::PayoffView;

pub use self::bundle::{EvidenceProof, HISTORY, ProvenBatch, ProvenEntry};
pub use self::payoff::{PayoffFigures, payoff_findings};

/// The evidence of a hit.
#[derive(Clone, Debug)]
pub struct EvidenceView {
    /// Batches and signatures.
    pub proof: EvidenceProof,
    /// What follows from them.
    pub derived: derived::Derived,
    /// Origin of the amount; `None` for a hit that took nothing from a level.
    pub payoff: Option<PayoffView>,
}

//! Signed heads: a task that signs the newest state of each chain, and the proofs that its trees give.
//!
//! # Shape
//! Every node with a key signs, at an interval, each chain that has grown. The first head after midnight UTC is about the
//! last batch before it, so that every day ends with a head. The committers are not involved: a head is made from stored
//! hashes, and costs a command nothing.
//!
//! [`deposit`] is the other side: this house is the witness of another one, and keeps its heads.
//!
//! # Order
//! A node signs no head whose tree does not continue the one before. It then reports the chain and leaves it unsigned.

pub(crate) mod chain_tree;
pub mod deposit;
mod head_key;
pub mod proof;
pub(crate) mod signer;
pub mod status;

pub use self::head_key::{HeadKey, KeyFailed};
pub use self::signer::{SIGN_EVERY, SIGN_WAIT, Signing, introduce_first};

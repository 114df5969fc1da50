//! The tree checks itself: what a machine can decide of the rules of the house is decided here.
//!
//! # How
//! [`tree`] reads every text file that git tracks or would track; [`source`] blanks comments and texts out of
//! Rust, so that a rule about code is not misled by words. A rule is a function from files to [`finding`]s, one
//! test for the tree and one with bad snippets that it has to find.
//!
//! # What is left out
//! Exceptions are named in the rule's own file with their reason ([`finding::Exception`]). One that nothing needs
//! any more fails the rule too, so that the lists only shrink.
//!
//! # Adding a rule
//! Write what it finds and the advice that goes with it, show that it finds it, then clean the tree.
#![expect(clippy::unwrap_used, reason = "in tests the panic is the message")]

mod book;
mod circles;
mod citations;
mod commands;
mod conformance;
mod dependencies;
mod documents;
mod finding;
mod functions;
mod lengths;
mod limits;
mod manifest;
mod manifests;
mod migrations;
mod paths;
mod prose;
mod purity;
mod remains;
mod source;
mod sql;
mod tree;
mod visible;

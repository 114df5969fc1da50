//! The committer of a link: all commands of one link in this process, one batch after another.
//!
//! # Files
//! `run_loop` is the loop. A request enters by `intake`, is decided by `decider` on a `draft`, is written by `commit`,
//! and is answered by `replies`. `recovery` resolves a commit of unknown outcome. `replica` is the in-memory copy of
//! the link. `published_state` is the part of it that readers outside the committer see.

pub(crate) mod clock;
pub(crate) mod commit;
pub(crate) mod decided;
pub(crate) mod decider;
pub(crate) mod draft;
pub(crate) mod entropy;
pub(crate) mod growing;
pub(crate) mod intake;
pub(crate) mod old_replays;
pub(crate) mod published_state;
pub(crate) mod recent;
pub(crate) mod recovery;
pub(crate) mod refusal_limit;
pub(crate) mod replay;
pub(crate) mod replica;
pub(crate) mod replies;
pub(crate) mod request;
pub(crate) mod run_loop;
pub(crate) mod verdict;

//! The committer of a link: all commands of one link in this process, one batch after another.
//!
//! # Where to find what
//! The loop is `run_loop`. A request enters by `intake`, is decided by `decider` on a `draft`, is written by `commit`, and
//! is answered by `replies`. `recovery` resolves a commit of unknown outcome. `replica` is the link in memory;
//! `published_state` is what readers outside the committer see of it.

pub(crate) mod clock;
pub(crate) mod commit;
pub(crate) mod decided;
pub(crate) mod decider;
pub(crate) mod draft;
pub(crate) mod entropy;
pub(crate) mod intake;
pub(crate) mod old_repeats;
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

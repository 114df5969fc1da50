//! The committer of a link: all commands of one link in this process, one batch after another.

pub(crate) mod commit;
pub(crate) mod draft;
pub(crate) mod entropy;
pub(crate) mod intake;
pub(crate) mod old_repeats;
pub(crate) mod published_state;
pub(crate) mod recent;
pub(crate) mod refusal_limit;
pub(crate) mod replay;
pub(crate) mod replica;
pub(crate) mod replies;
pub(crate) mod run_loop;

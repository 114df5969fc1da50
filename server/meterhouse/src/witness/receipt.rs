//! What a witness answers to a head.

use meterhouse_http_client::ClientError;
use meterhouse_store::StoreError;

use crate::call_thread::NoResult;

/// The result of sending a head that the witness has read.
pub(super) enum Receipt {
    /// The witness keeps the head.
    Kept,
    /// The witness keeps it as evidence, because it contradicts another head of this house.
    Contradicts,
    /// The witness lacks heads before it.
    Lacks {
        /// Number of the head that it expects.
        expected: u64,
    },
}

/// A failure to send.
#[derive(Debug, thiserror::Error)]
pub(super) enum SendError {
    /// The database can't be queried.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file can't be written.
    #[error("the file can't be written")]
    File(#[from] std::io::Error),
    /// The disk of the file hangs.
    #[error("the file can't be reached")]
    NoAnswer(#[from] NoResult),
    /// The address gives no reply.
    #[error(transparent)]
    Unreachable(#[from] ClientError),
    /// The address refuses a head.
    #[error("head {number} of {chain} was answered {status} {code}")]
    Refused {
        /// Number of the head.
        number: u64,
        /// Name of its chain.
        chain: String,
        /// Status of the reply.
        status: u16,
        /// Code of the reply.
        code: String,
    },
}

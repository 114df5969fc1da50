//! The secret key of a node: in a file, or in a device that signs by itself.

use std::error::Error;
use std::time::Duration;

use meterhouse_journal::tree_head::{PublicKey, SIGNATURE_BYTES, SigningKey};

/// A secret key that signs bytes.
pub trait HeadKey: Send + Sync {
    /// Returns the public key.
    fn public(&self) -> PublicKey;

    /// Signs bytes. Blocks the calling thread, for the given time at most.
    ///
    /// # Errors
    /// [`KeyFailed`] if the key can't be used now, or a device does not sign in time.
    fn sign(&self, bytes: &[u8], wait: Duration) -> Result<[u8; SIGNATURE_BYTES], KeyFailed>;
}

/// A key that can't be used now.
#[derive(Debug, thiserror::Error)]
#[error("the signing key can't be used")]
pub struct KeyFailed(#[source] Box<dyn Error + Send + Sync>);

impl KeyFailed {
    /// Returns the failure with its cause.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(cause.into())
    }
}

impl HeadKey for SigningKey {
    fn public(&self) -> PublicKey {
        Self::public(self)
    }

    fn sign(&self, bytes: &[u8], _: Duration) -> Result<[u8; SIGNATURE_BYTES], KeyFailed> {
        Ok(Self::sign(self, bytes))
    }
}

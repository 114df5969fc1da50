//! The errors of web push.

/// An error of web push.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PushError {
    /// A contact that push services can't use.
    #[error(
        "write mailto:NAME@HOST or https://HOST/PATH, by which a push service reaches the operator"
    )]
    Subject,
    /// A host of the list that is no host.
    #[error("write a host, as in push.example, or .push.example for every host below it")]
    Host,
    /// A private key that can't be read.
    #[error("it is no private key of P-256 as PEM")]
    Key,
    /// Keys of a subscription that are none.
    #[error("p256dh has to be a point of P-256 and auth 16 bytes, both in base64url")]
    ReceiverKeys,
    /// A system without random bytes.
    #[error("the system gives no random bytes")]
    Random,
    /// A message that can't be encrypted or signed.
    #[error("the message can't be encrypted")]
    Encrypt,
}

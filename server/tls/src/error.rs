//! What keeps a file from being used, each with the remedy.

use std::io;
use std::path::PathBuf;

/// An error of a TLS file.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file can't be read.
    #[error(
        "{path} can't be read ({source}): correct its path, or let the user of the server read it"
    )]
    Unreadable {
        /// File.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// A file is too long.
    #[error("{path} is longer than {most} bytes: name a PEM file of certificates or keys")]
    TooLong {
        /// File.
        path: PathBuf,
        /// Maximum length in bytes.
        most: u64,
    },
    /// A file has no certificate.
    #[error("{path} has no certificate: name a PEM file with blocks BEGIN CERTIFICATE")]
    NoCertificate {
        /// File.
        path: PathBuf,
    },
    /// A certificate can't be read.
    #[error(
        "{path} has a certificate that can't be read ({what}): name a PEM file of X.509 certificates"
    )]
    NotACertificate {
        /// File.
        path: PathBuf,
        /// Cause.
        what: String,
    },
    /// A file has no private key.
    #[error("{path} has no private key: name a PEM file with a block BEGIN PRIVATE KEY")]
    NoKey {
        /// File.
        path: PathBuf,
    },
    /// The key is of another certificate.
    #[error(
        "{key} is not the key of the certificate in {certificate} ({what}): name the two files that belong together"
    )]
    OtherKey {
        /// File with the key.
        key: PathBuf,
        /// File with the certificate.
        certificate: PathBuf,
        /// Cause.
        what: String,
    },
    /// The certificate is not valid any more.
    #[error(
        "the certificate in {path} expired {days} days ago: renew it, or correct this machine's clock"
    )]
    Expired {
        /// File.
        path: PathBuf,
        /// Whole days since then.
        days: i64,
    },
    /// The certificate is not valid yet.
    #[error(
        "the certificate in {path} is valid only in {days} days: correct this machine's clock, or use another"
    )]
    NotYetValid {
        /// File.
        path: PathBuf,
        /// Whole days until then.
        days: i64,
    },
    /// The certificates of the signers of client certificates can't be used.
    #[error(
        "{path} can't be used for client certificates ({what}): name a PEM file with the certificate of their signer"
    )]
    ClientCa {
        /// File.
        path: PathBuf,
        /// Cause.
        what: String,
    },
}

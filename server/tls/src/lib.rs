//! TLS of the listeners: certificates from PEM files, checked before they are used, replaced while the server runs.
//!
//! # Shape
//! A [`Tls`] is shared by all listeners. Each has an [`Acceptor`] for its protocol. An accepted socket becomes a
//! [`Stream`], which is plain or shakes hands at its first read. [`Tls::reload`] reads the files again: new connections
//! get the new certificate, and open ones go on.
//!
//! # Limits
//! A file has at most [`FILE_BYTES_MAX`] bytes. The time of a handshake is limited by the listener, which waits for the
//! first bytes of a request.

mod client;
mod error;
mod files;
mod loaded;
mod stream;
mod tls;

pub use client::{CertificateNames, ClientCertificate};
pub use error::TlsError;
pub use files::TlsFiles;
pub use loaded::FILE_BYTES_MAX;
pub use stream::{Acceptor, Stream};
pub use tls::{Protocol, Tls};

/// Makes ring the provider of clients that ask for none, such as those of reqwest. A later call changes nothing.
pub fn install_provider() {
    drop(rustls::crypto::ring::default_provider().install_default());
}

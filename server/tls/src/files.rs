//! The files of a server's TLS.

use std::path::PathBuf;

/// The files of a server's TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// Certificate chain as PEM, the server's own certificate first.
    pub certificate: PathBuf,
    /// Private key of the certificate as PEM.
    pub key: PathBuf,
    /// Certificates of those who may sign client certificates, as PEM; `None` asks for no client certificate.
    pub client_ca: Option<PathBuf>,
    /// True if a table's controller needs a client certificate.
    pub tables_need_certificate: bool,
}

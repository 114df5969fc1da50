//! The files, read and checked, as configurations of the handshake.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::{RootCertStore, ServerConfig};
use x509_parser::prelude::{FromDer, X509Certificate};

use crate::error::TlsError;
use crate::files::TlsFiles;

/// Size of the longest file, in bytes.
pub const FILE_BYTES_MAX: u64 = 1_048_576;
/// Seconds of a day.
const DAY: i64 = 24 * 3_600;
/// Protocols that the handshake announces.
const HTTP: &[u8] = b"http/1.1";
const GRPC: &[u8] = b"h2";

/// The content of the files.
#[derive(PartialEq, Eq)]
struct Contents {
    certificate: Vec<u8>,
    key: Vec<u8>,
    client_ca: Option<Vec<u8>>,
}

/// The files, read and checked.
pub(crate) struct Loaded {
    /// Configuration of HTTP.
    pub(crate) http: Arc<ServerConfig>,
    /// Configuration of gRPC.
    pub(crate) grpc: Arc<ServerConfig>,
    /// End of the certificate's validity, in seconds since 1970.
    pub(crate) expires_at: i64,
    contents: Contents,
}

impl core::fmt::Debug for Loaded {
    /// Shows no key.
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut shown = out.debug_struct("Loaded");
        shown.field("expires_at", &self.expires_at);
        shown.finish_non_exhaustive()
    }
}

impl Loaded {
    /// Reads and checks the files at this time, in seconds since 1970.
    pub(crate) fn read(files: &TlsFiles, now: i64) -> Result<Self, TlsError> {
        let contents = Contents {
            certificate: read(&files.certificate)?,
            key: read(&files.key)?,
            client_ca: files.client_ca.as_deref().map(read).transpose()?,
        };
        let chain = chain(&files.certificate, &contents.certificate)?;
        let expires_at = check_validity(&files.certificate, &chain, now)?;
        let key = PrivateKeyDer::from_pem_slice(&contents.key).map_err(|_| TlsError::NoKey {
            path: files.key.clone(),
        })?;
        let provider = Arc::new(ring::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions();
        let unusable = |error: rustls::Error| TlsError::OtherKey {
            key: files.key.clone(),
            certificate: files.certificate.clone(),
            what: error.to_string(),
        };
        let builder = builder.map_err(unusable)?;
        let builder = match (&files.client_ca, &contents.client_ca) {
            (Some(path), Some(pem)) => {
                builder.with_client_cert_verifier(verifier(path, pem, provider)?)
            }
            _ => builder.with_no_client_auth(),
        };
        let mut http = builder.with_single_cert(chain, key).map_err(unusable)?;
        let mut grpc = http.clone();
        http.alpn_protocols = vec![HTTP.to_vec()];
        grpc.alpn_protocols = vec![GRPC.to_vec()];
        Ok(Self {
            http: Arc::new(http),
            grpc: Arc::new(grpc),
            expires_at,
            contents,
        })
    }

    /// Returns true if both were read from files of the same content.
    pub(crate) fn has_same_files(&self, other: &Self) -> bool {
        self.contents == other.contents
    }
}

fn read(path: &Path) -> Result<Vec<u8>, TlsError> {
    let mut content = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut content));
    let length = read.map_err(|source| TlsError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    if length as u64 > FILE_BYTES_MAX {
        return Err(TlsError::TooLong {
            path: path.to_owned(),
            most: FILE_BYTES_MAX,
        });
    }
    Ok(content)
}

/// Returns the certificates of a file, at least one.
fn chain(path: &Path, pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let chain = chain.map_err(|error| TlsError::NotACertificate {
        path: path.to_owned(),
        what: error.to_string(),
    })?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate {
            path: path.to_owned(),
        });
    }
    Ok(chain)
}

/// Checks that the server's certificate is valid now. Returns the end of its validity.
fn check_validity(path: &Path, chain: &[CertificateDer<'_>], now: i64) -> Result<i64, TlsError> {
    let path = || path.to_owned();
    let own = chain.first().map(AsRef::as_ref).unwrap_or_default();
    let (_, own) = X509Certificate::from_der(own).map_err(|error| TlsError::NotACertificate {
        path: path(),
        what: error.to_string(),
    })?;
    let validity = own.validity();
    let (from, until) = (
        validity.not_before.timestamp(),
        validity.not_after.timestamp(),
    );
    if now > until {
        let days = (now - until) / DAY;
        return Err(TlsError::Expired { path: path(), days });
    }
    if now < from {
        let days = (from - now) / DAY + 1;
        return Err(TlsError::NotYetValid { path: path(), days });
    }
    Ok(until)
}

/// Returns the verifier of client certificates. A client without one is let in: people have tokens only.
fn verifier(
    path: &Path,
    pem: &[u8],
    provider: Arc<rustls::crypto::CryptoProvider>,
) -> Result<Arc<dyn ClientCertVerifier>, TlsError> {
    let unusable = |what: String| TlsError::ClientCa {
        path: path.to_owned(),
        what,
    };
    let mut roots = RootCertStore::empty();
    for certificate in chain(path, pem)? {
        roots
            .add(certificate)
            .map_err(|error| unusable(error.to_string()))?;
    }
    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
        .allow_unauthenticated()
        .build()
        .map_err(|error| unusable(error.to_string()))
}

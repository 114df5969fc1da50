//! The client certificate of a connection.

use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::{FromDer, X509Certificate};

/// The names in a client certificate: its DNS names in `subjectAltName`.
pub type CertificateNames = Arc<[String]>;

/// The client certificate of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ClientCertificate {
    /// None was asked for, or the client sent none and needs none.
    #[default]
    Unchecked,
    /// The client sent none, and a table's controller needs one.
    Missing,
    /// A valid certificate with these names.
    Names(CertificateNames),
}

impl ClientCertificate {
    /// Returns the certificate of a finished handshake.
    pub(crate) fn of(chain: Option<&[CertificateDer<'_>]>, needed: bool) -> Self {
        match chain.and_then(<[_]>::first) {
            Some(certificate) => Self::Names(names(certificate).into()),
            None if needed => Self::Missing,
            None => Self::Unchecked,
        }
    }
}

/// Returns the DNS names of a certificate; none if it has none.
fn names(certificate: &CertificateDer<'_>) -> Vec<String> {
    let Ok((_, certificate)) = X509Certificate::from_der(certificate) else {
        return Vec::new();
    };
    let Ok(Some(alternative)) = certificate.subject_alternative_name() else {
        return Vec::new();
    };
    let names = alternative.value.general_names.iter();
    let names = names.filter_map(|name| match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        _ => None,
    });
    names.collect()
}

//! The signers of certificates that a client trusts.

use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};

use crate::error::ClientError;

/// The signers that a client trusts, instead of the system's.
#[derive(Clone, Debug)]
pub struct Trust {
    pem: Vec<u8>,
    config: Arc<ClientConfig>,
}

impl Trust {
    /// Returns the trust in the signers of a PEM file.
    ///
    /// # Errors
    /// A text without a certificate, or with one that can't be read.
    pub fn from_pem(pem: Vec<u8>) -> Result<Self, ClientError> {
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(&pem) {
            let certificate = certificate.map_err(|error| ClientError::Trust(error.to_string()))?;
            roots
                .add(certificate)
                .map_err(|error| ClientError::Trust(error.to_string()))?;
        }
        if roots.is_empty() {
            return Err(ClientError::Trust("there is none".to_owned()));
        }
        let config = ClientConfig::builder()
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self {
            pem,
            config: Arc::new(config),
        })
    }

    /// Returns the signers' certificates as PEM.
    pub fn pem(&self) -> &[u8] {
        &self.pem
    }

    /// Returns the settings of a connection.
    pub fn config(&self) -> Arc<ClientConfig> {
        Arc::clone(&self.config)
    }
}

//! Certificates of a signer of the tests, as PEM files.

use std::fs;
use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};

/// A signer of certificates.
pub struct Authority {
    /// Its own certificate as PEM.
    pub pem: String,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate with its key, as PEM.
#[derive(Clone, Debug)]
pub struct Signed {
    /// The certificate.
    pub certificate: String,
    /// The key.
    pub key: String,
}

/// The files of a certificate.
#[derive(Clone, Debug)]
pub struct Files {
    /// The certificate.
    pub certificate: PathBuf,
    /// The key.
    pub key: PathBuf,
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

impl Authority {
    /// Makes a signer.
    pub fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let name = "a signer of the tests";
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.self_signed(&key).expect("a certificate");
        Self {
            pem: certificate.pem(),
            issuer: Issuer::new(params, key),
        }
    }

    /// Signs a certificate with these names, or addresses, that is valid now.
    pub fn sign(&self, names: &[&str]) -> Signed {
        self.sign_until(names, (2020, 2100))
    }

    /// Signs a certificate that is valid from the first day of one year to the first day of another.
    pub fn sign_until(&self, names: &[&str], (from, until): (i32, i32)) -> Signed {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let mut params = CertificateParams::new(names).expect("names");
        params.not_before = date_time_ymd(from, 1, 1);
        params.not_after = date_time_ymd(until, 1, 1);
        params.extended_key_usages = vec![
            ExtendedKeyUsagePurpose::ServerAuth,
            ExtendedKeyUsagePurpose::ClientAuth,
        ];
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.issuer).expect("signed");
        Signed {
            certificate: certificate.pem(),
            key: key.serialize_pem(),
        }
    }
}

impl Signed {
    /// Writes both files into a folder, each at once, so that no reader sees half of one.
    pub fn write(&self, folder: &Path) -> Files {
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            let new = folder.join(format!("{name}.new"));
            fs::write(&new, text).expect("a file");
            fs::rename(&new, &path).expect("the file");
            path
        };
        Files {
            key: write("server.key", &self.key),
            certificate: write("server.crt", &self.certificate),
        }
    }
}

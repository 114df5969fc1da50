//! The certificates in use, shared by all listeners and replaced while they serve.

use std::sync::{Arc, PoisonError, RwLock};

use rustls::ServerConfig;

use crate::error::TlsError;
use crate::files::TlsFiles;
use crate::loaded::Loaded;

/// The protocol of a listener, which the handshake announces (ALPN).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.1 and WebSocket.
    Http,
    /// gRPC, which is HTTP/2.
    Grpc,
}

/// The certificates in use, shared by all listeners.
#[derive(Clone, Debug)]
pub struct Tls {
    files: TlsFiles,
    loaded: Arc<RwLock<Arc<Loaded>>>,
}

impl Tls {
    /// Reads and checks the files at this time, in seconds since 1970.
    ///
    /// # Errors
    /// [`TlsError`] if a file can't be used.
    pub fn load(files: TlsFiles, now: i64) -> Result<Self, TlsError> {
        let loaded = Loaded::read(&files, now)?;
        Ok(Self {
            files,
            loaded: Arc::new(RwLock::new(Arc::new(loaded))),
        })
    }

    /// Reads the files again. Returns true if they differ and are used for new connections from now on.
    ///
    /// # Errors
    /// [`TlsError`] if a file can't be used. The certificates in use stay.
    pub fn reload(&self, now: i64) -> Result<bool, TlsError> {
        let loaded = Loaded::read(&self.files, now)?;
        if loaded.has_same_files(&self.loaded()) {
            return Ok(false);
        }
        let mut current = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
        *current = Arc::new(loaded);
        Ok(true)
    }

    /// Returns the end of the certificate's validity, in seconds since 1970.
    pub fn expires_at(&self) -> i64 {
        self.loaded().expires_at
    }

    /// Returns the configuration for a new connection.
    pub(crate) fn config(&self, protocol: Protocol) -> Arc<ServerConfig> {
        let loaded = self.loaded();
        match protocol {
            Protocol::Http => Arc::clone(&loaded.http),
            Protocol::Grpc => Arc::clone(&loaded.grpc),
        }
    }

    /// Returns true if a table's controller needs a client certificate.
    pub(crate) const fn needs_certificate(&self) -> bool {
        self.files.client_ca.is_some() && self.files.tables_need_certificate
    }

    fn loaded(&self) -> Arc<Loaded> {
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&loaded)
    }
}

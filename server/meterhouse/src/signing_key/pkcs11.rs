//! A key in a device that is reached by PKCS#11, such as an HSM. The secret key never leaves it.
//!
//! # Shape
//! One thread owns the library and its session, and makes all calls.
//!
//! # Limits
//! One session, which is opened again after a failure. [`OPEN_WAIT`] for the device at the start. A signature that does not
//! come in its caller's time is refused, and so are the next ones until the device answers: nothing waits for it for longer.

use std::time::Duration;

use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error as DeviceError, RvError};
use cryptoki::mechanism::Mechanism;
use cryptoki::mechanism::eddsa::{EddsaParams, EddsaSignatureScheme};
use cryptoki::object::{Attribute, AttributeType, ObjectClass, ObjectHandle};
use cryptoki::session::{Session, UserType};
use cryptoki::slot::Slot;
use cryptoki::types::AuthPin;
use meterhouse_engine::signing::{HeadKey, KeyFailed};
use meterhouse_journal::tree_head::{KEY_BYTES, PublicKey, SIGNATURE_BYTES};

use crate::call_thread::{CallThread, NoResult};
use crate::settings::DeviceSettings;

/// First bytes of the DER form of a public key: an octet string of 32 bytes (PKCS#11 3.0, section 6.3.5).
const POINT_PREFIX: [u8; 2] = [0x04, 0x20];

/// Maximum time in which a device is ready: its library is loaded, its keys are found, and a signature is made.
const OPEN_WAIT: Duration = Duration::from_secs(30);
/// Statement whose signature proves that both keys of a label are a pair. No head and no voucher begins like it.
const TEST_STATEMENT: &[u8] = b"MHTEST\r\nthe keys of a label are a pair";

/// Why a device can't be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum DeviceFailed {
    /// The library or the device answers with an error.
    #[error("{what}")]
    Device {
        /// The attempt that failed.
        what: &'static str,
        /// Error of the library or the device.
        #[source]
        source: DeviceError,
    },
    /// No token, or several, have the label.
    #[error("{count} tokens have the label {label:?}")]
    Token {
        /// Label.
        label: String,
        /// Number of tokens.
        count: usize,
    },
    /// No key, or several, have the label.
    #[error("{count} {kind} keys on the token have the label {label:?}")]
    Key {
        /// Label.
        label: String,
        /// `public` or `private`.
        kind: &'static str,
        /// Number of keys.
        count: usize,
    },
    /// The key is of another kind.
    #[error("the key {label:?} is no Ed25519 key")]
    NotEd25519 {
        /// Label.
        label: String,
    },
    /// The private key is not that of the public key.
    #[error("the private key {label:?} does not sign for the public key of this label")]
    NoPair {
        /// Label.
        label: String,
    },
    /// A signature is of another length.
    #[error("the device gives a signature of {length} bytes")]
    Signature {
        /// Length in bytes.
        length: usize,
    },
    /// The device does not answer.
    #[error("the device does not answer: {0}")]
    NoAnswer(#[from] NoResult),
}

trait During<T> {
    fn during(self, what: &'static str) -> Result<T, DeviceFailed>;
}

impl<T> During<T> for Result<T, DeviceError> {
    fn during(self, what: &'static str) -> Result<T, DeviceFailed> {
        self.map_err(|source| DeviceFailed::Device { what, source })
    }
}

/// A key in a device.
pub(super) struct DeviceKey {
    public: PublicKey,
    thread: CallThread<Device>,
}

impl DeviceKey {
    /// Loads the module, finds the key on the token, and lets it sign once.
    pub(super) fn open(settings: DeviceSettings) -> Result<Self, DeviceFailed> {
        let open = move || Device::open(settings);
        let thread = CallThread::start("signing device", OPEN_WAIT, open)??;
        let public = thread.call(OPEN_WAIT, |device| device.public)?;
        Ok(Self { public, thread })
    }
}

impl HeadKey for DeviceKey {
    fn public(&self) -> PublicKey {
        self.public
    }

    fn sign(&self, bytes: &[u8], wait: Duration) -> Result<[u8; SIGNATURE_BYTES], KeyFailed> {
        let bytes = bytes.to_owned();
        let signature = self.thread.call(wait, move |device| device.sign(&bytes));
        let signature = signature.unwrap_or_else(|error| Err(error.into()));
        signature.map_err(KeyFailed::new)
    }
}

/// A device with its session.
struct Device {
    library: Pkcs11,
    token: String,
    label: String,
    pin: AuthPin,
    public: PublicKey,
    /// Session with the handle of the private key; `None` after a failure.
    session: Option<(Session, ObjectHandle)>,
}

impl Device {
    fn open(settings: DeviceSettings) -> Result<Self, DeviceFailed> {
        let DeviceSettings {
            module,
            token,
            key: label,
            pin,
        } = settings;
        let library = Pkcs11::new(module).during("the module can't be loaded")?;
        let threads = CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK);
        let begun = library.initialize(threads);
        begun.during("the module can't be initialized")?;
        let mut device = Self {
            library,
            token,
            label,
            pin: AuthPin::from(pin),
            public: PublicKey([0; KEY_BYTES]),
            session: None,
        };
        let session = device.log_in()?;
        let public = device.find(&session, ObjectClass::PUBLIC_KEY, "public")?;
        device.public = device.point(&session, public)?;
        let private = device.find(&session, ObjectClass::PRIVATE_KEY, "private")?;
        device.session = Some((session, private));
        let signature = device.try_sign(TEST_STATEMENT)?;
        if device.public.verifies(TEST_STATEMENT, &signature) {
            Ok(device)
        } else {
            let label = device.label;
            Err(DeviceFailed::NoPair { label })
        }
    }

    /// Opens a session of the token's user.
    fn log_in(&self) -> Result<Session, DeviceFailed> {
        let slots = self.library.get_slots_with_token();
        let slots = slots.during("the device lists no slots")?;
        let is_it = |slot: &Slot| {
            let info = self.library.get_token_info(*slot);
            info.is_ok_and(|info| info.label() == self.token)
        };
        let slots: Vec<Slot> = slots.into_iter().filter(is_it).collect();
        let [slot] = slots[..] else {
            return Err(DeviceFailed::Token {
                label: self.token.clone(),
                count: slots.len(),
            });
        };
        let session = self.library.open_ro_session(slot);
        let session = session.during("the device opens no session")?;
        match session.login(UserType::User, Some(&self.pin)) {
            // Another session of this process is logged in already.
            Err(DeviceError::Pkcs11(RvError::UserAlreadyLoggedIn, _)) | Ok(()) => Ok(session),
            Err(error) => Err(error).during("the token does not take the PIN"),
        }
    }

    fn find(
        &self,
        session: &Session,
        class: ObjectClass,
        kind: &'static str,
    ) -> Result<ObjectHandle, DeviceFailed> {
        let label = Attribute::Label(self.label.clone().into_bytes());
        let found = session.find_objects(&[Attribute::Class(class), label]);
        let found = found.during("the token lists no keys")?;
        let [key] = found[..] else {
            return Err(DeviceFailed::Key {
                label: self.label.clone(),
                kind,
                count: found.len(),
            });
        };
        Ok(key)
    }

    /// Returns the public key of an object. Some devices leave the DER form out.
    fn point(&self, session: &Session, key: ObjectHandle) -> Result<PublicKey, DeviceFailed> {
        let read = session.get_attributes(key, &[AttributeType::EcPoint]);
        let read = read.during("the device does not show the public key")?;
        let point = read.into_iter().find_map(|attribute| match attribute {
            Attribute::EcPoint(point) => Some(point),
            _ => None,
        });
        let point = point.unwrap_or_default();
        let bytes = point.strip_prefix(&POINT_PREFIX).unwrap_or(&point);
        let bytes = <[u8; KEY_BYTES]>::try_from(bytes);
        bytes.map(PublicKey).map_err(|_| DeviceFailed::NotEd25519 {
            label: self.label.clone(),
        })
    }

    /// Opens a session for signing.
    fn begin(&self) -> Result<(Session, ObjectHandle), DeviceFailed> {
        let session = self.log_in()?;
        let private = self.find(&session, ObjectClass::PRIVATE_KEY, "private")?;
        Ok((session, private))
    }

    /// Signs. A session ends with a restart of the device: the second attempt opens another one.
    fn sign(&mut self, bytes: &[u8]) -> Result<[u8; SIGNATURE_BYTES], DeviceFailed> {
        self.try_sign(bytes).or_else(|_| self.try_sign(bytes))
    }

    fn try_sign(&mut self, bytes: &[u8]) -> Result<[u8; SIGNATURE_BYTES], DeviceFailed> {
        let (session, private) = match self.session.take() {
            Some(open) => open,
            None => self.begin()?,
        };
        let mechanism = Mechanism::Eddsa(EddsaParams::new(EddsaSignatureScheme::Pure));
        let signature = session.sign(&mechanism, private, bytes);
        let signature = signature.during("the device does not sign")?;
        self.session = Some((session, private));
        <[u8; SIGNATURE_BYTES]>::try_from(signature.as_slice()).map_err(|_| {
            let length = signature.len();
            DeviceFailed::Signature { length }
        })
    }
}

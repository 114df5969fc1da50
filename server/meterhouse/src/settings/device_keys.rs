//! The settings of a key in a device.

use std::path::PathBuf;

use super::key::{Described, Form, Key, Preset, Scope, SecretFile};
use super::read::{bearer, path};

/// Maximum number of bytes of a label: those of a token have 32.
const LABEL_BYTES_MAX: usize = 64;

/// Returns all settings of the device.
pub(crate) fn all() -> [&'static Described; 4] {
    [
        &MODULE.described,
        &TOKEN.described,
        &KEY.described,
        &PIN.described,
    ]
}

/// The library of the device.
pub(crate) static MODULE: Key<PathBuf> = Key {
    described: Described {
        name: "pkcs11.module",
        flag: "pkcs11-module",
        variable: "METERHOUSE_PKCS11_MODULE",
        help: "Library by which the device with the signing key is reached (PKCS#11), instead of signing.key_file",
        placeholder: "FILE",
        form: Form::Path,
        preset: Preset::Unset {
            then: "the key is in a file",
            example: "/usr/lib/softhsm/libsofthsm2.so",
        },
        scope: Scope::All,
        secret_file: None,
    },
    read: path,
};

/// The label of the token.
pub(crate) static TOKEN: Key<String> = Key {
    described: Described {
        name: "pkcs11.token",
        flag: "pkcs11-token",
        variable: "METERHOUSE_PKCS11_TOKEN",
        help: "Label of the token in the device",
        placeholder: "LABEL",
        form: Form::Text,
        preset: Preset::Unset {
            then: "none",
            example: "meterhouse",
        },
        scope: Scope::All,
        secret_file: None,
    },
    read: label,
};

/// The label of the key.
pub(crate) static KEY: Key<String> = Key {
    described: Described {
        name: "pkcs11.key",
        flag: "pkcs11-key",
        variable: "METERHOUSE_PKCS11_KEY",
        help: "Label of the key on the token: an Ed25519 pair, public and private",
        placeholder: "LABEL",
        form: Form::Text,
        preset: Preset::Unset {
            then: "none",
            example: "heads",
        },
        scope: Scope::All,
        secret_file: None,
    },
    read: label,
};

/// The PIN of the user of the token.
pub(crate) static PIN: Key<String> = Key {
    described: Described {
        name: "pkcs11.pin",
        flag: "pkcs11-pin",
        variable: "METERHOUSE_PKCS11_PIN",
        help: "PIN of the user of the token",
        placeholder: "PIN",
        form: Form::Text,
        preset: Preset::Unset {
            then: "none",
            example: "0000",
        },
        scope: Scope::All,
        secret_file: Some(SecretFile {
            name: "pkcs11.pin_file",
            flag: "pkcs11-pin-file",
            variable: "METERHOUSE_PKCS11_PIN_FILE",
        }),
    },
    read: bearer,
};

/// Reads a label of the device.
fn label(text: &str) -> Result<String, String> {
    if text.is_empty() || text.len() > LABEL_BYTES_MAX {
        return Err(format!(
            "a label has 1 to {LABEL_BYTES_MAX} bytes, as the device lists it"
        ));
    }
    Ok(text.to_owned())
}

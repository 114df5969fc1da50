//! The settings of the key that signs heads and vouches for credentials.

use std::path::PathBuf;
use std::time::Duration;

use meterhouse_journal::tree_head::PublicKey;

use super::key::{Described, Form, Key, Preset, Scope};
use super::read::{list, path, public_key, signing_interval};

/// The key that signs heads.
pub(crate) static SIGNING_KEY_FILE: Key<PathBuf> = Key {
    described: Described {
        name: "signing.key_file",
        flag: "signing-key-file",
        variable: "METERHOUSE_SIGNING_KEY_FILE",
        help: "Ed25519 key as PEM that signs the heads of the journal and vouches for credentials; the same on every node; `meterhouse key create` makes one",
        placeholder: "FILE",
        form: Form::Path,
        preset: Preset::Unset {
            then: "one is made in database.data_dir; nothing is signed with database.url",
            example: "/etc/meterhouse/signing-key.pem",
        },
        scope: Scope::All,
        secret_file: None,
    },
    read: path,
};

/// Older keys whose vouchers for credentials still count.
pub(crate) static SIGNING_OLDER_KEYS: Key<Vec<PublicKey>> = Key {
    described: Described {
        name: "signing.older_keys",
        flag: "signing-older-keys",
        variable: "METERHOUSE_SIGNING_OLDER_KEYS",
        help: "Public keys of older signing keys: passwords and tokens that they vouch for still count",
        placeholder: "KEYS",
        form: Form::List,
        preset: Preset::Unset {
            then: "none",
            example: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        },
        scope: Scope::All,
        secret_file: None,
    },
    read: |text| list(text, public_key),
};

/// The interval of signing.
pub(crate) static SIGNING_EVERY: Key<Duration> = Key {
    described: Described {
        name: "signing.every",
        flag: "sign-every",
        variable: "METERHOUSE_SIGN_EVERY",
        help: "Interval between two signed heads of a link in play, from 1s to 12h",
        placeholder: "TIME",
        form: Form::Text,
        preset: Preset::Value("1m"),
        scope: Scope::Serve,
        secret_file: None,
    },
    read: signing_interval,
};

//! The settings of the address that accesses are announced to.

use super::key::{Described, Form, Key, Preset, Scope, SecretFile};
use super::read::{bearer, webhook};

/// The address.
pub(crate) static URL: Key<String> = Key {
    described: Described {
        name: "announcement.url",
        flag: "announcement-url",
        variable: "METERHOUSE_ANNOUNCEMENT_URL",
        help: "Address that each login and token that may configure is posted to before it is granted, such as the regulator's; not granted unless it answers 2xx",
        placeholder: "URL",
        form: Form::Text,
        preset: Preset::Unset {
            then: "none is announced",
            example: "https://regulator.example/meterhouse",
        },
        scope: Scope::All,
        secret_file: None,
    },
    read: webhook,
};

/// The token of the address.
pub(crate) static TOKEN: Key<String> = Key {
    described: Described {
        name: "announcement.token",
        flag: "announcement-token",
        variable: "METERHOUSE_ANNOUNCEMENT_TOKEN",
        help: "Bearer token for announcement.url",
        placeholder: "TOKEN",
        form: Form::Text,
        preset: Preset::Unset {
            then: "none is sent",
            example: "0000000000000000000000000000000000000000000000000000000000000000",
        },
        scope: Scope::All,
        secret_file: Some(SecretFile {
            name: "announcement.token_file",
            flag: "announcement-token-file",
            variable: "METERHOUSE_ANNOUNCEMENT_TOKEN_FILE",
        }),
    },
    read: bearer,
};

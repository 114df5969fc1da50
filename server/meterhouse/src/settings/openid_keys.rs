//! The settings of logins by OpenID Connect.

use super::key::{Described, Form, Key, Preset, Scope, SecretFile};
use super::read::{client_id, client_secret, issuer, public_url};

/// The provider.
pub(crate) static ISSUER: Key<String> = Key {
    described: Described {
        name: "openid.issuer",
        flag: "openid-issuer",
        variable: "METERHOUSE_OPENID_ISSUER",
        help: "Address of the provider by which people log in (OpenID Connect), exactly as the provider writes its issuer",
        placeholder: "URL",
        form: Form::Text,
        preset: Preset::Unset {
            then: "nobody logs in by OpenID Connect",
            example: "https://id.casino.example/realms/floor",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: issuer,
};

/// The name of this house at the provider.
pub(crate) static CLIENT_ID: Key<String> = Key {
    described: Described {
        name: "openid.client_id",
        flag: "openid-client-id",
        variable: "METERHOUSE_OPENID_CLIENT_ID",
        help: "Name of this house at the provider",
        placeholder: "NAME",
        form: Form::Text,
        preset: Preset::Unset {
            then: "none",
            example: "meterhouse",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: client_id,
};

/// The secret of this house at the provider.
pub(crate) static CLIENT_SECRET: Key<String> = Key {
    described: Described {
        name: "openid.client_secret",
        flag: "openid-client-secret",
        variable: "METERHOUSE_OPENID_CLIENT_SECRET",
        help: "Secret of this house at the provider, the same on every node",
        placeholder: "SECRET",
        form: Form::Text,
        preset: Preset::Unset {
            then: "none",
            example: "0000000000000000000000000000000000000000000000000000000000000000",
        },
        scope: Scope::Serve,
        secret_file: Some(SecretFile {
            name: "openid.client_secret_file",
            flag: "openid-client-secret-file",
            variable: "METERHOUSE_OPENID_CLIENT_SECRET_FILE",
        }),
    },
    read: client_secret,
};

/// The address to which the provider sends people back.
pub(crate) static PUBLIC_URL: Key<String> = Key {
    described: Described {
        name: "openid.public_url",
        flag: "openid-public-url",
        variable: "METERHOUSE_OPENID_PUBLIC_URL",
        help: "Address of this server as browsers see it; the provider sends people back to its path /v1/login/openid/callback",
        placeholder: "URL",
        form: Form::Text,
        preset: Preset::Unset {
            then: "none",
            example: "https://meterhouse.casino.example",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: public_url,
};

/// Returns the descriptions of settings that need each other.
pub(crate) fn all() -> [&'static Described; 4] {
    [
        &ISSUER.described,
        &CLIENT_ID.described,
        &CLIENT_SECRET.described,
        &PUBLIC_URL.described,
    ]
}

//! The settings of notices of waiting hits by web push.

use std::path::PathBuf;

use meterhouse_push::{Host, Subject};

use super::key::{Described, Form, Key, Preset, Scope};
use super::read::{contact, list, path, push_host};

/// The contact of the operator, which turns notices on.
pub(crate) static SUBJECT: Key<Subject> = Key {
    described: Described {
        name: "push.subject",
        flag: "push-subject",
        variable: "METERHOUSE_PUSH_SUBJECT",
        help: "Contact of the operator for push services, as mailto:NAME@HOST or https://HOST/PATH; turns notices of waiting hits on",
        placeholder: "CONTACT",
        form: Form::Text,
        preset: Preset::Unset {
            then: "no notices",
            example: "mailto:floor@casino.example",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: contact,
};

/// The hosts of push services.
pub(crate) static HOSTS: Key<Vec<Host>> = Key {
    described: Described {
        name: "push.hosts",
        flag: "push-hosts",
        variable: "METERHOUSE_PUSH_HOSTS",
        help: "Hosts of push services that browsers may name; with a leading dot every host below it",
        placeholder: "HOSTS",
        form: Form::List,
        preset: Preset::Value(
            "fcm.googleapis.com,updates.push.services.mozilla.com,web.push.apple.com,.notify.windows.com",
        ),
        scope: Scope::Serve,
        secret_file: None,
    },
    read: |text| list(text, push_host),
};

/// The key of the house.
pub(crate) static KEY_FILE: Key<PathBuf> = Key {
    described: Described {
        name: "push.key_file",
        flag: "push-key-file",
        variable: "METERHOUSE_PUSH_KEY_FILE",
        help: "P-256 key as PEM by which push services know this house; the same on every node; made if it is not there",
        placeholder: "FILE",
        form: Form::Path,
        preset: Preset::Unset {
            then: "push-key.pem in database.data_dir; needed with database.url",
            example: "/var/lib/meterhouse/push-key.pem",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: path,
};

//! The settings of the database.

use std::path::PathBuf;

use meterhouse_store::Servers;

use super::key::{Described, Form, Key, Preset, Scope, SecretFile};
use super::read::path;
use crate::database_url;

/// An existing database.
pub(crate) static DATABASE_URL: Key<Servers> = Key {
    described: Described {
        name: "database.url",
        flag: "database-url",
        variable: "DATABASE_URL",
        help: "Use this Postgres instead of a private one; of several hosts (h1:5432,h2:5432), the one that takes writes",
        placeholder: "URL",
        form: Form::Text,
        preset: Preset::Unset {
            then: "a private Postgres",
            example: "postgres://meterhouse_app@127.0.0.1:5432/meterhouse",
        },
        scope: Scope::All,
        secret_file: Some(SecretFile {
            name: "database.url_file",
            flag: "database-url-file",
            variable: "DATABASE_URL_FILE",
        }),
    },
    read: database_url::parse,
};

/// The folder of the private Postgres.
pub(crate) static DATABASE_DATA_DIR: Key<PathBuf> = Key {
    described: Described {
        name: "database.data_dir",
        flag: "data-dir",
        variable: "METERHOUSE_DATA_DIR",
        help: "Folder of the private Postgres",
        placeholder: "DIR",
        form: Form::Path,
        preset: Preset::Unset {
            then: "`$XDG_DATA_HOME/meterhouse`, as root /var/lib/meterhouse",
            example: "/var/lib/meterhouse",
        },
        scope: Scope::All,
        secret_file: None,
    },
    read: path,
};

/// The folder with the last known heads of a database by URL.
pub(crate) static DATABASE_STATE_DIR: Key<PathBuf> = Key {
    described: Described {
        name: "database.state_dir",
        flag: "state-dir",
        variable: "METERHOUSE_STATE_DIR",
        help: "Folder that keeps the last known heads of the database by URL, to notice a restore",
        placeholder: "DIR",
        form: Form::Path,
        preset: Preset::Unset {
            then: "none",
            example: "/var/lib/meterhouse",
        },
        scope: Scope::All,
        secret_file: None,
    },
    read: path,
};

/// The folder with Postgres' programs.
pub(crate) static DATABASE_PROGRAMS: Key<PathBuf> = Key {
    described: Described {
        name: "database.programs",
        flag: "pg-bin",
        variable: "METERHOUSE_PG_BIN",
        help: "Folder with the programs `postgres` and `initdb`",
        placeholder: "DIR",
        form: Form::Path,
        preset: Preset::Unset {
            then: "searched",
            example: "/usr/lib/postgresql/15/bin",
        },
        scope: Scope::All,
        secret_file: None,
    },
    read: path,
};

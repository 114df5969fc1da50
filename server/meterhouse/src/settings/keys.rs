//! All settings, in the order of the example file.

use std::path::PathBuf;

use axum::http::HeaderValue;
use ipnet::IpNet;

use super::database_keys::{
    DATABASE_DATA_DIR, DATABASE_PROGRAMS, DATABASE_STATE_DIR, DATABASE_URL,
};
use super::device_keys;
use super::key::{Described, Form, Key, Preset, Scope, SecretFile, Setting};
use super::read::{address, bearer, boolean, list, network, origin, path, webhook};
use super::{announcement_keys, openid_keys, push_keys, signing_keys};
use crate::log_format::{LogFormat, check_filter};
use crate::program::ProgramHash;

/// All settings.
pub(crate) static ALL: [&dyn Setting; 37] = [
    &&HTTP_LISTEN,
    &&HTTP_TRUSTED_PROXIES,
    &&HTTP_ALLOWED_ORIGINS,
    &&GRPC_LISTEN,
    &&TLS_CERTIFICATE,
    &&TLS_KEY,
    &&TLS_CLIENT_CA,
    &&TLS_TABLES_NEED_CERTIFICATE,
    &&TLS_INSECURE,
    &&DATABASE_URL,
    &&DATABASE_DATA_DIR,
    &&DATABASE_STATE_DIR,
    &&DATABASE_PROGRAMS,
    &&PAYTABLES_FOLDER,
    &&openid_keys::ISSUER,
    &&openid_keys::CLIENT_ID,
    &&openid_keys::CLIENT_SECRET,
    &&openid_keys::PUBLIC_URL,
    &&signing_keys::SIGNING_KEY_FILE,
    &&signing_keys::SIGNING_OLDER_KEYS,
    &&signing_keys::SIGNING_EVERY,
    &&device_keys::MODULE,
    &&device_keys::TOKEN,
    &&device_keys::KEY,
    &&device_keys::PIN,
    &&WITNESS_FILE,
    &&WITNESS_URL,
    &&WITNESS_TOKEN,
    &&announcement_keys::URL,
    &&announcement_keys::TOKEN,
    &&push_keys::SUBJECT,
    &&push_keys::HOSTS,
    &&push_keys::KEY_FILE,
    &&PROGRAM_HASH,
    &&METRICS_LISTEN,
    &&LOG_FILTER,
    &&LOG_FORMAT,
];

/// Address of page, API and feed.
pub(crate) static HTTP_LISTEN: Key<String> = Key {
    described: Described {
        name: "http.listen",
        flag: "listen",
        variable: "METERHOUSE_HTTP_LISTEN",
        help: "Address of page and API; port 0 takes any free port",
        placeholder: "ADDR",
        form: Form::Text,
        preset: Preset::Value("127.0.0.1:8080"),
        scope: Scope::Serve,
        secret_file: None,
    },
    read: address,
};

/// Proxies in front of the server.
pub(crate) static HTTP_TRUSTED_PROXIES: Key<Vec<IpNet>> = Key {
    described: Described {
        name: "http.trusted_proxies",
        flag: "trusted-proxies",
        variable: "METERHOUSE_TRUSTED_PROXIES",
        help: "Networks of proxies whose header X-Forwarded-For counts",
        placeholder: "NETS",
        form: Form::List,
        preset: Preset::Unset {
            then: "none",
            example: "10.0.0.0/8",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: |text| list(text, network),
};

/// Origins of pages that call the API.
pub(crate) static HTTP_ALLOWED_ORIGINS: Key<Vec<HeaderValue>> = Key {
    described: Described {
        name: "http.allowed_origins",
        flag: "allowed-origins",
        variable: "METERHOUSE_ALLOWED_ORIGINS",
        help: "Origins whose pages may call the API from a browser (CORS)",
        placeholder: "ORIGINS",
        form: Form::List,
        preset: Preset::Unset {
            then: "none",
            example: "https://floor.casino.example",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: |text| list(text, origin),
};

/// Address of gRPC.
pub(crate) static GRPC_LISTEN: Key<String> = Key {
    described: Described {
        name: "grpc.listen",
        flag: "grpc-listen",
        variable: "METERHOUSE_GRPC_LISTEN",
        help: "Address of the gRPC API: streams of table controllers, and feeds",
        placeholder: "ADDR",
        form: Form::Text,
        preset: Preset::Value("127.0.0.1:8081"),
        scope: Scope::Serve,
        secret_file: None,
    },
    read: address,
};

/// The server's certificate.
pub(crate) static TLS_CERTIFICATE: Key<PathBuf> = Key {
    described: Described {
        name: "tls.certificate",
        flag: "tls-certificate",
        variable: "METERHOUSE_TLS_CERTIFICATE",
        help: "Certificate chain of HTTP and gRPC as PEM, the server's own first; read again when it changes",
        placeholder: "FILE",
        form: Form::Path,
        preset: Preset::Unset {
            then: "plain text",
            example: "/etc/meterhouse/server.crt",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: path,
};

/// The key of the certificate.
pub(crate) static TLS_KEY: Key<PathBuf> = Key {
    described: Described {
        name: "tls.key",
        flag: "tls-key",
        variable: "METERHOUSE_TLS_KEY",
        help: "Private key of the certificate as PEM",
        placeholder: "FILE",
        form: Form::Path,
        preset: Preset::Unset {
            then: "none",
            example: "/etc/meterhouse/server.key",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: path,
};

/// The signers of client certificates.
pub(crate) static TLS_CLIENT_CA: Key<PathBuf> = Key {
    described: Described {
        name: "tls.client_ca",
        flag: "tls-client-ca",
        variable: "METERHOUSE_TLS_CLIENT_CA",
        help: "Certificates of those who sign client certificates, as PEM; a table's certificate has the table's name as a DNS name",
        placeholder: "FILE",
        form: Form::Path,
        preset: Preset::Unset {
            then: "no client is asked for a certificate",
            example: "/etc/meterhouse/clients.crt",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: path,
};

/// Whether tables need a certificate.
pub(crate) static TLS_TABLES_NEED_CERTIFICATE: Key<bool> = Key {
    described: Described {
        name: "tls.tables_need_certificate",
        flag: "tables-need-certificate",
        variable: "METERHOUSE_TABLES_NEED_CERTIFICATE",
        help: "With a client CA: refuse the token of a table on a connection without a client certificate",
        placeholder: "BOOL",
        form: Form::Boolean,
        preset: Preset::Value("true"),
        scope: Scope::Serve,
        secret_file: None,
    },
    read: boolean,
};

/// Plain text to other machines.
pub(crate) static TLS_INSECURE: Key<bool> = Key {
    described: Described {
        name: "tls.insecure",
        flag: "insecure",
        variable: "METERHOUSE_INSECURE",
        help: "Serve plain text to other machines: tokens and commands can be read and changed on the way",
        placeholder: "BOOL",
        form: Form::Boolean,
        preset: Preset::Value("false"),
        scope: Scope::Serve,
        secret_file: None,
    },
    read: boolean,
};

/// The operator's paytables.
pub(crate) static PAYTABLES_FOLDER: Key<PathBuf> = Key {
    described: Described {
        name: "paytables.folder",
        flag: "paytables",
        variable: "METERHOUSE_PAYTABLES",
        help: "Folder with the operator's own paytable files",
        placeholder: "DIR",
        form: Form::Path,
        preset: Preset::Unset {
            then: "none",
            example: "/etc/meterhouse/paytables",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: path,
};

/// The witness in a file.
pub(crate) static WITNESS_FILE: Key<PathBuf> = Key {
    described: Described {
        name: "witness.file",
        flag: "witness-file",
        variable: "METERHOUSE_WITNESS_FILE",
        help: "File that every signed head is appended to, best on a disk that the house does not administer",
        placeholder: "FILE",
        form: Form::Path,
        preset: Preset::Unset {
            then: "none",
            example: "/mnt/witness/heads.jsonl",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: path,
};

/// The witness at an address.
pub(crate) static WITNESS_URL: Key<String> = Key {
    described: Described {
        name: "witness.url",
        flag: "witness-url",
        variable: "METERHOUSE_WITNESS_URL",
        help: "Address that every signed head is posted to: a webhook, or /v1/witness/heads of a Meterhouse elsewhere",
        placeholder: "URL",
        form: Form::Text,
        preset: Preset::Unset {
            then: "none",
            example: "https://witness.example/v1/witness/heads",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: webhook,
};

/// The token of the address.
pub(crate) static WITNESS_TOKEN: Key<String> = Key {
    described: Described {
        name: "witness.token",
        flag: "witness-token",
        variable: "METERHOUSE_WITNESS_TOKEN",
        help: "Bearer token for witness.url",
        placeholder: "TOKEN",
        form: Form::Text,
        preset: Preset::Unset {
            then: "none is sent",
            example: "0000000000000000000000000000000000000000000000000000000000000000",
        },
        scope: Scope::Serve,
        secret_file: Some(SecretFile {
            name: "witness.token_file",
            flag: "witness-token-file",
            variable: "METERHOUSE_WITNESS_TOKEN_FILE",
        }),
    },
    read: bearer,
};

/// The approved program.
pub(crate) static PROGRAM_HASH: Key<ProgramHash> = Key {
    described: Described {
        name: "program.hash",
        flag: "program-hash",
        variable: "METERHOUSE_PROGRAM_HASH",
        help: "SHA-256 of the approved program; any other program does not start",
        placeholder: "SHA256",
        form: Form::Text,
        preset: Preset::Unset {
            then: "it is only logged",
            example: "0000000000000000000000000000000000000000000000000000000000000000",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: |text| {
        text.parse()
            .map_err(|error| format!("{text:?} is no hash: {error}"))
    },
};

/// Address of the metrics.
pub(crate) static METRICS_LISTEN: Key<String> = Key {
    described: Described {
        name: "metrics.listen",
        flag: "metrics-listen",
        variable: "METERHOUSE_METRICS_LISTEN",
        help: "Address of the page /metrics for Prometheus, in plain text; port 0 takes any free port",
        placeholder: "ADDR",
        form: Form::Text,
        preset: Preset::Unset {
            then: "no page",
            example: "127.0.0.1:9464",
        },
        scope: Scope::Serve,
        secret_file: None,
    },
    read: address,
};

/// The filter of the log.
pub(crate) static LOG_FILTER: Key<String> = Key {
    described: Described {
        name: "log.filter",
        flag: "log",
        variable: "METERHOUSE_LOG",
        help: "Filter of the log on stderr: a level, or filters such as `meterhouse_engine=debug,info`",
        placeholder: "FILTER",
        form: Form::Text,
        preset: Preset::Unset {
            then: "info",
            example: "info",
        },
        scope: Scope::All,
        secret_file: None,
    },
    read: check_filter,
};

/// The form of the log.
pub(crate) static LOG_FORMAT: Key<LogFormat> = Key {
    described: Described {
        name: "log.format",
        flag: "log-format",
        variable: "METERHOUSE_LOG_FORMAT",
        help: "Form of the log: `text` for people, or `json`, one object per line",
        placeholder: "FORM",
        form: Form::Text,
        preset: Preset::Value("text"),
        scope: Scope::All,
        secret_file: None,
    },
    read: LogFormat::read,
};

//! The commands of the program, and the access that each needs.

use super::operation::Access::{Database, DatabaseAndAdministrator, Public};
use super::operation::{Operation, row};

const PROGRAM: &str = "it reads only the program and files that are named to it";
const PLAY_MONEY: &str = "it plays in a database of play money, and refuses a casino's";
const SETTINGS: &str = "it reads only the settings of this machine, and masks secrets";
const JOURNAL: &str = "it reads the whole journal past every token";
const PLACES: &str = "it moves the journal's oldest events between the database and a file";

const ADMITS: &str =
    "who may come in is an administrator's decision; the first one is admitted without";

const KEYS: &str =
    "it says in the house's chain which key signs, and nothing else checks who says so";

/// The commands of the program. The operating system and the database decide who may use one, and an administrator who
/// comes in.
pub const COMMANDS: &[Operation] = &[
    row(
        "serve",
        Database,
        "the server is the one that checks tokens",
    ),
    row("ready", Public, "it asks the address of the metrics"),
    row(
        "migrate",
        Database,
        "it changes the schema, as the owner of the tables",
    ),
    row("verify", Database, JOURNAL),
    row("export", Database, JOURNAL),
    row(
        "key create",
        Public,
        "a key means nothing until the database introduces it",
    ),
    row("key list", Database, "it shows public keys only"),
    row("key introduce", Database, KEYS),
    row("key end", Database, KEYS),
    row("archive list", Database, JOURNAL),
    row("archive write", Database, JOURNAL),
    row("archive detach", Database, PLACES),
    row("archive attach", Database, PLACES),
    row("archive drop", Database, PLACES),
    row("token create", DatabaseAndAdministrator, ADMITS),
    row("token list", Database, "it shows names, never a token"),
    row("token revoke", DatabaseAndAdministrator, ADMITS),
    row("token vouch", DatabaseAndAdministrator, ADMITS),
    row("user create", DatabaseAndAdministrator, ADMITS),
    row(
        "user password",
        Database,
        "it needs the person's code or old password",
    ),
    row("user list", Database, "it shows names, never a password"),
    row("user end", DatabaseAndAdministrator, ADMITS),
    row("user restore", DatabaseAndAdministrator, ADMITS),
    row("user end-sessions", DatabaseAndAdministrator, ADMITS),
    row(
        "user remove-second-factor",
        DatabaseAndAdministrator,
        ADMITS,
    ),
    row("user remove-openid", DatabaseAndAdministrator, ADMITS),
    row("demo", Public, PLAY_MONEY),
    row("load", Public, PLAY_MONEY),
    row("paytable list", Public, PROGRAM),
    row("paytable show", Public, PROGRAM),
    row("paytable compare", Public, PROGRAM),
    row("paytable charge", Public, PROGRAM),
    row("paytable check", Public, PROGRAM),
    row("evaluate", Public, PROGRAM),
    row("settle", Public, PROGRAM),
    row("returns", Public, PROGRAM),
    row("manual", Public, PROGRAM),
    row("policy", Public, PROGRAM),
    row("config check", Public, SETTINGS),
    row("config print", Public, SETTINGS),
    row("config example", Public, PROGRAM),
    row("openapi", Public, PROGRAM),
    row("completions", Public, PROGRAM),
    row("man-pages", Public, PROGRAM),
    row("version", Public, PROGRAM),
];

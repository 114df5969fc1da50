//! The command line: what `meterhouse --help` shows.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use meterhouse_simulator::Stage;

use crate::program::ProgramHash;

/// A linked progressive jackpot server for casino table games.
#[derive(Debug, Parser)]
#[command(name = "meterhouse", version, about, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// What is logged to stderr: a level, or filters such as `meterhouse_engine=debug,info`
    #[arg(long, global = true, value_name = "FILTER", default_value = "info")]
    pub(crate) log: String,
    /// Log as JSON lines
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Where the data is
    #[command(flatten)]
    pub(crate) database: DatabaseArgs,
    /// What to do
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Where the data is: somebody's Postgres, or a private one in a folder.
#[derive(Clone, Debug, Args)]
pub(crate) struct DatabaseArgs {
    /// Use this Postgres instead of a private one
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "DATABASE_URL",
        hide_env_values = true
    )]
    pub(crate) database_url: Option<String>,
    /// Folder of the private Postgres [default: `$XDG_DATA_HOME/meterhouse`, as root /var/lib/meterhouse]
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        conflicts_with = "database_url"
    )]
    pub(crate) data_dir: Option<PathBuf>,
    /// Folder with the programs `postgres` and `initdb` [default: searched]
    #[arg(long, global = true, value_name = "DIR", env = "METERHOUSE_PG_BIN")]
    pub(crate) pg_bin: Option<PathBuf>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play real rounds at simulated tables and show the meters moving
    Demo(DemoArgs),
    /// Serve tables, floor and displays
    Serve(ServeArgs),
    /// Bring the database's schema up to date
    Migrate {
        /// Only say whether it is; exit 4 if it is not
        #[arg(long)]
        check: bool,
    },
    /// Replay the whole journal and compare balances, hits, outcomes and the hash chain
    Verify {
        /// Only this link
        #[arg(long, value_name = "NAME")]
        link: Option<String>,
        /// Only carry events out; don't decide the commands again
        #[arg(long)]
        apply_only: bool,
    },
    /// Give programs and people their keys
    Token {
        /// What to do with them
        #[command(subcommand)]
        command: TokenCommand,
    },
    /// Look at paytables
    Paytable {
        /// What to do with them
        #[command(subcommand)]
        command: PaytableCommand,
    },
    /// Say which program this is
    Version {
        /// Also the SHA-256 of its file, the versions of rules and journal, the Postgres that it would start
        #[arg(long)]
        full: bool,
    },
}

/// `meterhouse demo`
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Seed of decks and players; the same seed deals the same [default: random, printed]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Rounds of all tables together; 0 plays until Ctrl-C
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    pub(crate) rounds: u64,
    /// Rounds a second of all tables together; 0 is as fast as it goes
    #[arg(long, value_name = "R", default_value_t = 50)]
    pub(crate) speed: u64,
    /// Deal this hand in that round, as in royal-flush@200; announced as staged (repeatable)
    #[arg(long, value_name = "HAND@ROUND")]
    pub(crate) stage: Vec<Stage>,
    /// Address of page and API; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
    pub(crate) listen: String,
    /// Serve on after the last round, until Ctrl-C
    #[arg(long)]
    pub(crate) keep_open: bool,
}

/// `meterhouse serve`
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Address of page and API; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    pub(crate) listen: String,
    /// Folder with the operator's own paytable files
    #[arg(long, value_name = "DIR")]
    pub(crate) paytables: Option<PathBuf>,
    /// SHA-256 of the approved program: any other one does not start [default: it is only logged]
    #[arg(long, value_name = "SHA256", env = "METERHOUSE_PROGRAM_HASH")]
    pub(crate) program_hash: Option<ProgramHash>,
}

/// `meterhouse token`
#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Make a token and print it; it is shown only this once
    Create {
        /// Whose it is: a person's or a controller's name
        #[arg(long, value_name = "N")]
        name: String,
        /// controller, display, supervisor, manager or auditor
        #[arg(long, value_name = "ROLE")]
        role: String,
        /// The table that a controller commands
        #[arg(long, value_name = "T")]
        table: Option<String>,
        /// The link that a display shows
        #[arg(long, value_name = "L", conflicts_with = "table")]
        link: Option<String>,
        /// The department of a supervisor or manager: changes that need two people need two departments
        #[arg(long, value_name = "D")]
        department: Option<String>,
        /// For how long it is good, as in 90d or 12h [default: until it is revoked]
        #[arg(long, value_name = "TIME")]
        expires: Option<String>,
    },
    /// List who has tokens; never shows one
    List,
    /// Make all tokens of a name worthless
    Revoke {
        /// Whose
        name: String,
    },
}

/// `meterhouse paytable`
#[derive(Debug, Subcommand)]
pub(crate) enum PaytableCommand {
    /// List all paytables
    List,
    /// Show one with its citation
    Show {
        /// Its id, as in pa-657a-five-card-c
        id: String,
    },
    /// Check files of your own: every mistake, with file and line
    Check {
        /// The files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

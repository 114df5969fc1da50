//! The command line: what `meterhouse --help` shows.

mod load;

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use meterhouse_domain::seat::SEATS_MAX;
use meterhouse_simulator::Stage;

pub(crate) use self::load::LoadArgs;
use crate::program::ProgramHash;

/// Headings of the options that every command has; a command's own options stand before them.
const DATABASE: &str = "Database";
const LOG: &str = "Log";

/// A linked progressive jackpot server for casino table games.
#[derive(Debug, Parser)]
#[command(name = "meterhouse", version, about, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// What is logged to stderr: a level, or filters such as `meterhouse_engine=debug,info`
    #[arg(
        long,
        global = true,
        value_name = "FILTER",
        default_value = "info",
        help_heading = LOG
    )]
    pub(crate) log: String,
    /// Form of the log
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "FORM",
        default_value_t = LogFormat::Text,
        help_heading = LOG
    )]
    pub(crate) log_format: LogFormat,
    /// Where the data is
    #[command(flatten)]
    pub(crate) database: DatabaseArgs,
    /// What to do
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people
    Text,
    /// JSON, an object a line
    Json,
}

/// Where the data is: somebody's Postgres, or a private one in a folder.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = DATABASE)]
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
    /// Folder that keeps the last known heads of the database by URL, to notice a restore [default: none]
    #[arg(long, global = true, value_name = "DIR", requires = "database_url")]
    pub(crate) state_dir: Option<PathBuf>,
    /// Folder with the programs `postgres` and `initdb` [default: searched]
    #[arg(long, global = true, value_name = "DIR", env = "METERHOUSE_PG_BIN")]
    pub(crate) pg_bin: Option<PathBuf>,
}

const VERIFY_HELP: &str = "\
Events that this program's rules decided are decided again; those of another rule version are only carried out, and the
result names their batches.

Exit codes: 0 everything agrees, 1 something differs or is missing, 2 no such link, 4 the database or a table of it is
not there, 6 the database has no links";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play real rounds at simulated tables and show the meters moving
    Demo(DemoArgs),
    /// Serve tables, floor and displays
    Serve(ServeArgs),
    /// Play many tables as fast as they are answered, or to a schedule, and check the books at the end
    Load(LoadArgs),
    /// Bring the database's schema up to date
    Migrate {
        /// Only say whether it is; exit 4 if it is not
        #[arg(long)]
        check: bool,
    },
    /// Replay the whole journal and compare balances, hits, outcomes and the hash chain
    #[command(after_help = VERIFY_HELP)]
    Verify {
        /// Only this link
        #[arg(long, value_name = "NAME")]
        link: Option<String>,
        /// Only carry events out; don't decide the commands again
        #[arg(long)]
        apply_only: bool,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Give programs and people their keys
    Token {
        /// What to do with them
        #[command(subcommand)]
        command: TokenCommand,
    },
    /// Look at paytables
    Paytable {
        /// Print the result as JSON
        #[arg(long, global = true)]
        json: bool,
        /// What to do with them
        #[command(subcommand)]
        command: PaytableCommand,
    },
    /// Say what a hand pays, from where, and who validates it
    Evaluate(EvaluateArgs),
    /// Say what a wager on a paytable is worth: exactly, from how often each hand is dealt
    Returns(ReturnsArgs),
    /// Print the manual's page of a game: all its paytables, what they pay and what they are worth
    Manual(ManualArgs),
    /// Say which program this is
    Version {
        /// Also the SHA-256 of its file, the versions of rules and journal, the Postgres that it would start
        #[arg(long)]
        full: bool,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
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
    /// Address of the gRPC API: streams of table controllers, and feeds
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8081")]
    pub(crate) grpc_listen: String,
    /// Folder with the operator's own paytable files
    #[arg(long, value_name = "DIR")]
    pub(crate) paytables: Option<PathBuf>,
    /// SHA-256 of the approved program: any other one does not start [default: it is only logged]
    #[arg(long, value_name = "SHA256", env = "METERHOUSE_PROGRAM_HASH")]
    pub(crate) program_hash: Option<ProgramHash>,
    /// Serve a database that is not the one the data folder knew, or an empty one where it is gone: after a restore
    #[arg(long)]
    pub(crate) restored: bool,
}

/// `meterhouse evaluate`
#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    /// The paytable, as in pa-657a-five-card-c
    pub(crate) paytable: String,
    /// The cards of the hand, as in As Ks Qs Js Ts
    #[arg(required = true, value_name = "CARD")]
    pub(crate) cards: Vec<String>,
    /// The wager on it
    #[arg(long, value_name = "AMOUNT", default_value = "1.00")]
    pub(crate) wager: String,
    /// Whose hand was wagered on: own or dealer
    #[arg(long, value_name = "HAND", default_value = "own")]
    pub(crate) on: String,
    /// What the level displays of which the hand wins a percentage
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) displayed: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Folder with the operator's own paytable files
    #[arg(long, value_name = "DIR")]
    pub(crate) paytables: Option<PathBuf>,
}

/// `meterhouse returns`
#[derive(Debug, Args)]
pub(crate) struct ReturnsArgs {
    /// The paytable, as in pa-657a-five-card-c
    pub(crate) paytable: String,
    /// The link's wager
    #[arg(long, value_name = "AMOUNT", default_value = "1.00")]
    pub(crate) wager: String,
    /// What levels display, as in mega:12345.67,major:1000.00, or one amount [default: their seeds]
    #[arg(long, value_name = "LEVEL:AMOUNT")]
    pub(crate) meter: Option<String>,
    /// Betting positions of the layout [default: the most that a game of the paytable has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=i64::from(SEATS_MAX)))]
    pub(crate) seats: Option<u8>,
    /// A Magic Card is drawn in one of so many rounds [default: never]
    #[arg(long, value_name = "N")]
    pub(crate) magic_card_one_in: Option<NonZeroU32>,
    /// A lucky position is drawn in one of so many rounds [default: never]
    #[arg(long, value_name = "N")]
    pub(crate) lucky_bonus_one_in: Option<NonZeroU32>,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Folder with the operator's own paytable files
    #[arg(long, value_name = "DIR")]
    pub(crate) paytables: Option<PathBuf>,
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
        /// For how long it is good, as in 90d, 12h or 1h30m [default: until it is revoked]
        #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
        expires: Option<Duration>,
    },
    /// List who has tokens; never shows one
    List,
    /// Make all tokens of a name worthless
    Revoke {
        /// Whose
        name: String,
    },
}

/// `meterhouse manual`
#[derive(Debug, Args)]
pub(crate) struct ManualArgs {
    /// The game, as in crazy-4-poker [default: list the games]
    pub(crate) game: Option<String>,
    /// Write all pages into this folder instead
    #[arg(long, value_name = "FOLDER", conflicts_with = "game")]
    pub(crate) write: Option<PathBuf>,
    /// Folder with the operator's own paytable files
    #[arg(long, value_name = "FOLDER")]
    pub(crate) paytables: Option<PathBuf>,
}

/// `meterhouse paytable`
#[derive(Debug, Subcommand)]
pub(crate) enum PaytableCommand {
    /// List all paytables
    List {
        /// Folder with the operator's own paytable files
        #[arg(long, value_name = "FOLDER")]
        paytables: Option<PathBuf>,
    },
    /// Show one with its citation
    Show {
        /// Its id, as in pa-657a-five-card-c
        id: String,
        /// Folder with the operator's own paytable files
        #[arg(long, value_name = "FOLDER")]
        paytables: Option<PathBuf>,
    },
    /// Compare two: whether their tables may share a link, and every difference
    Compare {
        /// The one, as in pa-639a-f
        first: String,
        /// The other, as in pa-657a-five-card-b
        second: String,
        /// Folder with the operator's own paytable files
        #[arg(long, value_name = "FOLDER")]
        paytables: Option<PathBuf>,
    },
    /// Print one that returns more than the wager with its upper fixed pays charged to a level, for a file of your own
    Charge {
        /// Its id, as in pa-639a-a
        id: String,
        /// Write the file into this folder instead; one that is there already is left alone
        #[arg(long, value_name = "FOLDER")]
        write: Option<PathBuf>,
        /// Folder with the operator's own paytable files
        #[arg(long, value_name = "FOLDER")]
        paytables: Option<PathBuf>,
    },
    /// Check files of your own: every mistake, with file and line
    Check {
        /// The files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

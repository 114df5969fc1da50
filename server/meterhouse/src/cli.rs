//! The command line, as `meterhouse --help` shows it.

mod load;

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use meterhouse_domain::seat::SEATS_MAX;
use meterhouse_simulator::Stage;

pub(crate) use self::load::LoadArgs;
use crate::program::ProgramHash;

/// Headings of the options that every command has. A command's own options precede them.
const DATABASE: &str = "Database";
const LOG: &str = "Log";

/// A linked progressive jackpot server for casino table games.
#[derive(Debug, Parser)]
#[command(name = "meterhouse", version, about, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// Filter of the log on stderr: a level, or filters such as `meterhouse_engine=debug,info` [default: info]
    #[arg(long, global = true, value_name = "FILTER", help_heading = LOG)]
    pub(crate) log: Option<String>,
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
    /// Location of the data
    #[command(flatten)]
    pub(crate) database: DatabaseArgs,
    /// Command to run
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Returns the filter of the log. The demo's cables fail so often that the reports of its controllers would hide the
    /// rest.
    pub(crate) fn log_filter(&self) -> &str {
        match (&self.log, &self.command) {
            (Some(filter), _) => filter,
            (None, Command::Demo(_)) => "info,meterhouse_client=error",
            (None, _) => "info",
        }
    }
}

/// The form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people
    Text,
    /// JSON, one object per line
    Json,
}

/// The location of the data: an existing Postgres, or a private one in a folder.
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
        /// Only check the schema; exit 4 if it is not current
        #[arg(long)]
        check: bool,
    },
    /// Replay the whole journal and compare balances, hits, outcomes and the hash chain
    #[command(after_help = VERIFY_HELP)]
    Verify {
        /// Verify this link only
        #[arg(long, value_name = "NAME")]
        link: Option<String>,
        /// Only apply the events; don't decide the commands again
        #[arg(long)]
        apply_only: bool,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Create, list and revoke the tokens of programs and people
    Token {
        /// Action on tokens
        #[command(subcommand)]
        command: TokenCommand,
    },
    /// Show, compare and check paytables
    Paytable {
        /// Print the result as JSON
        #[arg(long, global = true)]
        json: bool,
        /// Action on paytables
        #[command(subcommand)]
        command: PaytableCommand,
    },
    /// Evaluate a hand: its pay, the source of the pay, and who validates it
    Evaluate(EvaluateArgs),
    /// Compute the exact return of a wager on a paytable, from the probability of each hand
    Returns(ReturnsArgs),
    /// Print a game's page of the manual: all its paytables with their pays and returns
    Manual(ManualArgs),
    /// Print `openapi.json`: the document of the HTTP API from which generators make clients
    Openapi,
    /// Show the version of this program
    Version {
        /// Add the SHA-256 of its file, the versions of rules and journal, and the Postgres that it
        /// would start
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
    /// Seed of decks and players; an equal seed deals equal cards [default: random, printed]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Rounds of all tables in total; 0 plays until Ctrl-C
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    pub(crate) rounds: u64,
    /// Rounds per second of all tables in total; 0 for no limit
    #[arg(long, value_name = "R", default_value_t = 50)]
    pub(crate) speed: u64,
    /// Deal this hand in that round, as in royal-flush@200; announced as staged (repeatable)
    #[arg(long, value_name = "HAND@ROUND")]
    pub(crate) stage: Vec<Stage>,
    /// Address of page and API; port 0 takes any free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
    pub(crate) listen: String,
    /// Serve until Ctrl-C after the last round
    #[arg(long)]
    pub(crate) keep_open: bool,
}

/// `meterhouse serve`
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Address of page and API; port 0 takes any free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    pub(crate) listen: String,
    /// Address of the gRPC API: streams of table controllers, and feeds
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8081")]
    pub(crate) grpc_listen: String,
    /// Folder with the operator's own paytable files
    #[arg(long, value_name = "DIR")]
    pub(crate) paytables: Option<PathBuf>,
    /// SHA-256 of the approved program; any other program does not start [default: it is only
    /// logged]
    #[arg(long, value_name = "SHA256", env = "METERHOUSE_PROGRAM_HASH")]
    pub(crate) program_hash: Option<ProgramHash>,
    /// Serve a database other than the one that the data folder knew, or an empty one in its place:
    /// after a restore
    #[arg(long)]
    pub(crate) restored: bool,
}

/// `meterhouse evaluate`
#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    /// Paytable, as in pa-657a-five-card-c
    pub(crate) paytable: String,
    /// Cards of the hand, as in As Ks Qs Js Ts
    #[arg(required = true, value_name = "CARD")]
    pub(crate) cards: Vec<String>,
    /// Wager on the hand
    #[arg(long, value_name = "AMOUNT", default_value = "1.00")]
    pub(crate) wager: String,
    /// Owner of the wagered hand: own or dealer
    #[arg(long, value_name = "HAND", default_value = "own")]
    pub(crate) on: String,
    /// Displayed amount of the level of which the hand wins a percentage
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
    /// Paytable, as in pa-657a-five-card-c
    pub(crate) paytable: String,
    /// Wager of the link
    #[arg(long, value_name = "AMOUNT", default_value = "1.00")]
    pub(crate) wager: String,
    /// Displayed amounts of levels, as in mega:12345.67,major:1000.00, or one amount [default: the
    /// seeds]
    #[arg(long, value_name = "LEVEL:AMOUNT")]
    pub(crate) meter: Option<String>,
    /// Betting positions of the layout [default: the most that a game of the paytable has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=i64::from(SEATS_MAX)))]
    pub(crate) seats: Option<u8>,
    /// Number of rounds per draw of a Magic Card [default: never drawn]
    #[arg(long, value_name = "N")]
    pub(crate) magic_card_one_in: Option<NonZeroU32>,
    /// Number of rounds per draw of a lucky position [default: never drawn]
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
    /// Create a token and print it, once only
    Create {
        /// Owner of the token: the name of a person or a controller
        #[arg(long, value_name = "N")]
        name: String,
        /// Role: controller, display, supervisor, manager or auditor
        #[arg(long, value_name = "ROLE")]
        role: String,
        /// Table that a controller commands
        #[arg(long, value_name = "T")]
        table: Option<String>,
        /// Link that a display shows
        #[arg(long, value_name = "L", conflicts_with = "table")]
        link: Option<String>,
        /// Department of a supervisor or manager: changes by two people need two departments
        #[arg(long, value_name = "D")]
        department: Option<String>,
        /// Validity, as in 90d, 12h or 1h30m [default: until it is revoked]
        #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
        expires: Option<Duration>,
    },
    /// List the owners of tokens; never shows a token
    List,
    /// Revoke all tokens of a name
    Revoke {
        /// Owner of the tokens
        name: String,
    },
}

/// `meterhouse manual`
#[derive(Debug, Args)]
pub(crate) struct ManualArgs {
    /// Game, as in crazy-4-poker [default: list the games]
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
    /// Show a paytable with its citation
    Show {
        /// Id of the paytable, as in pa-657a-five-card-c
        id: String,
        /// Folder with the operator's own paytable files
        #[arg(long, value_name = "FOLDER")]
        paytables: Option<PathBuf>,
    },
    /// Compare two paytables: if their tables may share a link, and every difference
    Compare {
        /// First paytable, as in pa-639a-f
        first: String,
        /// Second paytable, as in pa-657a-five-card-b
        second: String,
        /// Folder with the operator's own paytable files
        #[arg(long, value_name = "FOLDER")]
        paytables: Option<PathBuf>,
    },
    /// For a paytable that returns more than the wager: print a file of your own that charges its
    /// upper fixed pays to a level
    Charge {
        /// Id of the paytable, as in pa-639a-a
        id: String,
        /// Write the file into this folder instead, unless it exists
        #[arg(long, value_name = "FOLDER")]
        write: Option<PathBuf>,
        /// Folder with the operator's own paytable files
        #[arg(long, value_name = "FOLDER")]
        paytables: Option<PathBuf>,
    },
    /// Check files of your own: every mistake, with file and line
    Check {
        /// Files to check
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

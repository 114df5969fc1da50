//! The command line, as `meterhouse --help` shows it.

mod archive;
mod key;
mod load;
mod people;
mod proof;

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use meterhouse_domain::seat::SEATS_MAX;
use meterhouse_simulator::Stage;

pub(crate) use self::archive::ArchiveCommand;
pub(crate) use self::key::KeyCommand;
pub(crate) use self::load::LoadArgs;
pub(crate) use self::people::{AdministratorArgs, TokenCommand, UserCommand};
pub(crate) use self::proof::{ExportArgs, VerifyArgs};
use crate::failure::Failure;
use crate::settings::{FILE_VARIABLE, FileChoice, GlobalFlags, ServeFlags, Sources};

/// A linked progressive jackpot server for casino table games.
#[derive(Debug, Parser)]
#[command(name = "meterhouse", version, about, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// File of settings [default: /etc/meterhouse/meterhouse.toml as root, else
    /// `$XDG_CONFIG_HOME/meterhouse/meterhouse.toml`]
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = FILE_VARIABLE,
        help_heading = "Settings"
    )]
    pub(crate) config: Option<PathBuf>,
    /// Settings of all commands
    #[command(flatten)]
    pub(crate) flags: GlobalFlags,
    /// Command to run
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Returns the filter of the log, if no setting has one. The demo's cables fail so often that the reports of its
    /// controllers would hide the rest.
    pub(crate) fn log_filter(&self) -> &'static str {
        match &self.command {
            Command::Demo(_) => "info,meterhouse_client=error",
            _ => "info",
        }
    }

    /// Reads the settings of the command.
    pub(crate) fn sources(&self) -> Result<Sources, Failure> {
        let mut flags = self.flags.0.clone();
        if let Command::Serve(serve) = &self.command {
            flags.extend(serve.flags.0.clone());
        }
        let file = match &self.command {
            Command::Serve(_)
            | Command::Ready
            | Command::Migrate { .. }
            | Command::Verify(_)
            | Command::Archive { .. }
            | Command::Export(_)
            | Command::Key { .. }
            | Command::Token { .. }
            | Command::User { .. }
            | Command::Version { .. }
            | Command::Config {
                command: ConfigCommand::Check | ConfigCommand::Print,
            } => FileChoice::Read(self.config.clone()),
            // The others need no database, or play in one of their own: the file of the casino on this machine is
            // none of their business.
            _ => FileChoice::None,
        };
        Sources::read(file, flags)
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play real rounds at simulated tables and show the meters moving
    Demo(DemoArgs),
    /// Serve tables, floor and displays
    Serve(ServeArgs),
    /// Ask the server that runs with these settings if it is ready, on the address of its metrics; exit 1 if it is not
    Ready,
    /// Play many tables as fast as they are answered, or to a schedule, and check the books at the end
    Load(LoadArgs),
    /// Bring the database's schema up to date
    Migrate {
        /// Only check the schema; exit 4 if this program doesn't run on it
        #[arg(long)]
        check: bool,
        /// Only show the pending migrations: their work, the time that was measured, and who waits
        #[arg(long, conflicts_with = "check")]
        plan: bool,
        /// Print the plan as JSON
        #[arg(long, requires = "plan")]
        json: bool,
        /// Only make all links compact, so that batches take less space: after the last server of 0.1.0 has stopped
        #[arg(long, conflicts_with_all = ["check", "plan"])]
        compact: bool,
    },
    /// Replay the whole journal and compare balances, hits, outcomes and the hash chain; or check the file of an export,
    /// without a database
    #[command(after_help = proof::VERIFY_HELP)]
    Verify(VerifyArgs),
    /// Move the events of a past month into a file, while tables play
    Archive {
        /// Action on months
        #[command(subcommand)]
        command: ArchiveCommand,
    },
    /// Write the journal of a link into a file that anyone can check
    Export(ExportArgs),
    /// Create, list and replace the keys that sign the heads of the journal
    Key {
        /// Action on keys
        #[command(subcommand)]
        command: KeyCommand,
    },
    /// Admit people, set passwords, and end access
    User {
        /// Action on people
        #[command(subcommand)]
        command: UserCommand,
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
    /// Settle a whole round of wagers at fixed odds: result, pay, clause and chips of each
    Settle(SettleArgs),
    /// Compute the return of a wager on a paytable, or of a fixed wager, from the probability of each hand
    Returns(ReturnsArgs),
    /// Print a game's page of the manual: all its paytables and tables of fixed wagers with their pays and returns
    Manual(ManualArgs),
    /// Check and show the settings
    Config {
        /// Action on settings
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Print the rights: every operation and command with the right that it needs, and every role with its rights
    Policy {
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print `openapi.json`: the document of the HTTP API from which generators make clients
    Openapi,
    /// Print the completions of a shell
    Completions {
        /// Shell
        shell: Shell,
    },
    /// Write the man pages of all commands
    ManPages {
        /// Folder to write into
        folder: PathBuf,
    },
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
    #[arg(long, value_name = "N", default_value_t = 0)]
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
    /// Serve plain text to other machines, as on a screen of the floor
    #[arg(long)]
    pub(crate) insecure: bool,
    /// Serve until Ctrl-C after the last round
    #[arg(long)]
    pub(crate) keep_open: bool,
}

/// `meterhouse serve`
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Settings of the server
    #[command(flatten)]
    pub(crate) flags: ServeFlags,
    /// Serve a database other than the one that the data folder knew, or an empty one in its place:
    /// after a restore
    #[arg(long)]
    pub(crate) restored: bool,
}

/// `meterhouse config`
#[derive(Copy, Clone, Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Find every mistake in the settings, with its line
    Check,
    /// Print the settings in force and where each comes from; secrets are masked
    Print,
    /// Print a file with every key, its default and its meaning
    Example,
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

/// `meterhouse settle`
#[derive(Debug, Args)]
pub(crate) struct SettleArgs {
    /// File with the round, as the body of POST /v1/rounds/settlements; - for standard input
    pub(crate) file: PathBuf,
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
    /// List all paytables and tables of fixed wagers
    List {
        /// Folder with the operator's own paytable files
        #[arg(long, value_name = "FOLDER")]
        paytables: Option<PathBuf>,
    },
    /// Show a paytable or a table of fixed wagers with its citation
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

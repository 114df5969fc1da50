//! The options of `meterhouse load`.

use std::path::PathBuf;

use clap::Args;

/// `meterhouse load`
#[derive(Debug, Args)]
pub(crate) struct LoadArgs {
    /// The server's HTTP API; repeated for several nodes on one database, which share the
    /// connections [default: a private server, started for this]
    #[arg(long, value_name = "URL")]
    pub(crate) url: Vec<String>,
    /// The server's gRPC API, required for streams; one for each `--url`
    #[arg(long, value_name = "URL", requires = "url")]
    pub(crate) grpc_url: Vec<String>,
    /// Certificates (PEM) of the signers of the servers' certificates, for addresses of `https`
    #[arg(long, value_name = "FILE", requires = "url")]
    pub(crate) ca: Option<PathBuf>,
    /// Prefix of the names of links and tables; existing ones are reused
    #[arg(long, value_name = "NAME", default_value = "load")]
    pub(crate) prefix: String,
    /// Number of links
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) links: u32,
    /// Number of tables on all links
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub(crate) tables: u32,
    /// Number of gRPC streams, each with its share of the tables
    #[arg(long, value_name = "N", default_value_t = 8, conflicts_with = "http")]
    pub(crate) streams: u32,
    /// Maximum number of commands in one message of a stream
    #[arg(long, value_name = "N", default_value_t = 16, conflicts_with = "http")]
    pub(crate) commands_a_message: u32,
    /// HTTP instead of streams: as many connections as there are commands in flight
    #[arg(long)]
    pub(crate) http: bool,
    /// Closed loop: number of commands in flight
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub(crate) in_flight: u32,
    /// Open loop instead: commands due per second, independent of the answers
    #[arg(long, value_name = "N")]
    pub(crate) rate: Option<u64>,
    /// Microseconds from one burst of the open loop to the next [default: none, evenly spread]
    #[arg(long, value_name = "N", requires = "rate")]
    pub(crate) burst_micros: Option<u64>,
    /// Seconds to measure
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) seconds: u64,
    /// Number of commands to send instead of a time
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    pub(crate) commands: Option<u64>,
    /// Seconds to play before the measurement
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) warm_up: u64,
    /// Rounds per million with a winning hand, which the load's own supervisor validates and pays
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) hits_per_million: u32,
    /// Percentage of commands that are sent twice
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) repeat_percent: u8,
    /// Percentage of commands that are sent after the table's next one
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) reorder_percent: u8,
    /// Cut each connection after this many commands [default: never]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) cut_every: u64,
    /// Threads of the generator; on a machine shared with the server, one thread costs least
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) threads: u8,
    /// Seconds without an answer on a connection before the load gives up
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) patience: u64,
    /// Seconds per interval of the report
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) interval: u64,
    /// Seed of wagers, hits and faults
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write all figures into this file, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
}

//! The plan of a load: servers, links, tables, pace, duration and injected faults.

use std::collections::BTreeMap;
use std::time::Duration;

use meterhouse_http_client::{Client, ClientError, Trust};

use crate::machine::Processes;

/// Maximum number of commands in flight in an open loop, for all tables together. Commands due beyond the limit wait,
/// and their latency is still measured from the scheduled time.
pub(crate) const IN_FLIGHT_MAX: u32 = 65_536;
/// Maximum number of links in a plan.
const LINKS_MAX: u32 = 1_000;
/// Maximum number of tables in a plan.
const TABLES_MAX: u32 = 20_000;
/// Maximum number of connections in a plan.
const CONNECTIONS_MAX: u32 = 10_000;
/// Maximum number of tables on one stream and of commands in one message: the server's own limits.
const ON_A_STREAM_MAX: u32 = 1_024;
/// Maximum rate of an open loop, in commands a second.
const RATE_MAX: u64 = 10_000_000;
/// Maximum length of a prefix, so that the names of tables stay within 32 characters.
const PREFIX_MAX: usize = 16;
/// Maximum percentage.
const PERCENT_MAX: u8 = 100;
/// Maximum of hits per million.
const MILLION: u32 = 1_000_000;

/// The plan of a load.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The servers, at least one, all on one database. The connections are spread over the servers in turn. Links are
    /// opened and books are read at the first.
    pub nodes: Vec<Node>,
    /// The signers of the servers' certificates. Addresses of `https` need them.
    pub trust: Option<Trust>,
    /// The prefix of the names of links and tables. Existing ones are played on.
    pub prefix: String,
    /// The number of links.
    pub links: u32,
    /// The number of tables, for all links together.
    pub tables: u32,
    /// The seed from which wagers, hits and faults are drawn.
    pub seed: u64,
    /// The transport of commands.
    pub transport: Transport,
    /// The pace of commands.
    pub pace: Pace,
    /// The time before the measurement starts.
    pub warm_up: Duration,
    /// The end of the run.
    pub end: End,
    /// Rounds of a million that have a winning hand.
    pub hits_per_million: u32,
    /// The faults that are injected on purpose.
    pub faults: FaultInjection,
    /// Maximum time without progress of a connection. It has to be longer than a restart of the server.
    pub patience: Duration,
    /// The length of an interval of the report.
    pub interval: Duration,
    /// The processes whose processor time is measured in addition to the generator's own.
    pub processes: Processes,
}

/// A server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The address of the HTTP API: `http://127.0.0.1:8080`.
    pub base: String,
    /// The address of the gRPC API. Only streams need it.
    pub grpc: Option<String>,
}

/// The transport of commands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// gRPC streams, each on a connection of its own and shared by many tables.
    Streams {
        /// The number of streams.
        streams: u32,
        /// Maximum number of commands in one message.
        commands_a_message: u32,
    },
    /// HTTP connections that are kept alive, with one command in flight on each.
    Http {
        /// The number of connections.
        connections: u32,
    },
}

/// The pace of commands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pace {
    /// A closed loop with this number of commands in flight. Over HTTP, the number of connections applies instead.
    InFlight(u32),
    /// An open loop: commands are sent to a schedule, independently of the outcomes.
    Rate {
        /// The rate, in commands a second.
        a_second: u64,
        /// The time between two bursts. If zero, each command has its own time.
        burst: Duration,
    },
}

/// The end of a run. Rounds that are open then are closed without being measured.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The end after this time, without the warm-up.
    After(Duration),
    /// The end after this number of commands, for all tables together.
    Commands(u64),
}

/// Faults that are injected on purpose.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultInjection {
    /// Percentage of commands that are sent twice.
    pub repeat_percent: u8,
    /// Percentage of commands before which the table's next command is sent.
    pub reorder_percent: u8,
    /// Number of commands after which a connection is cut. 0 means never.
    pub cut_every: u64,
}

/// The tokens that the generator uses. Its caller creates them.
#[derive(Clone)]
pub struct Tokens {
    /// The manager's token: opens links and tables, reads the books.
    pub manager: String,
    /// The supervisor's token: validates and pays hits.
    pub supervisor: String,
    /// The token of each table's controller, by the table's name.
    pub controllers: BTreeMap<String, String>,
}

/// The reason that a plan can't be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanImpossible {
    /// A number is out of its range.
    #[error("{what} is {found}: give {least} to {most}")]
    OutOfRange {
        /// The name of the number.
        what: &'static str,
        /// The number.
        found: u64,
        /// The smallest valid number.
        least: u64,
        /// The largest valid number.
        most: u64,
    },
    /// The prefix is not part of a valid name.
    #[error("the prefix {0:?} is invalid: give 1 to {PREFIX_MAX} letters, digits or hyphens")]
    Prefix(String),
    /// An HTTP connection without a table would have nothing to send.
    #[error(
        "{connections} connections, but {tables} tables: over HTTP a table sends one command at a time; give at least as many tables"
    )]
    TooFewTables {
        /// The number of connections.
        connections: u32,
        /// The number of tables.
        tables: u32,
    },
    /// The plan names no server.
    #[error("the plan names no server")]
    NoServer,
    /// Streams need the server's gRPC address.
    #[error("streams need the server's gRPC address; without the address, play over HTTP")]
    NoGrpc,
}

impl Plan {
    /// Checks that the plan can be played.
    ///
    /// # Errors
    /// The reason that the plan can't be played.
    pub fn check(&self) -> Result<(), PlanImpossible> {
        if self.nodes.is_empty() {
            return Err(PlanImpossible::NoServer);
        }
        let is_allowed = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
        let length = self.prefix.len();
        if length == 0 || length > PREFIX_MAX || !self.prefix.bytes().all(is_allowed) {
            return Err(PlanImpossible::Prefix(self.prefix.clone()));
        }
        let tables = u64::from(self.tables);
        within("the number of links", self.links, LINKS_MAX)?;
        within("the number of tables", self.tables, TABLES_MAX)?;
        within(
            "the number of connections",
            self.connections(),
            CONNECTIONS_MAX,
        )?;
        range(
            "the number of links",
            u64::from(self.links),
            1,
            tables.min(u64::from(LINKS_MAX)),
        )?;
        let percents = [self.faults.repeat_percent, self.faults.reorder_percent];
        for percent in percents {
            let most = u64::from(PERCENT_MAX);
            range("a percentage of faults", u64::from(percent), 0, most)?;
        }
        let hits = u64::from(self.hits_per_million);
        range("hits per million", hits, 0, u64::from(MILLION))?;
        match self.pace {
            Pace::InFlight(count) => within("commands in flight", count, IN_FLIGHT_MAX)?,
            Pace::Rate { a_second, .. } => {
                range("commands a second", a_second, 1, RATE_MAX)?;
            }
        }
        match self.transport {
            Transport::Streams {
                commands_a_message, ..
            } => {
                if self.nodes.iter().any(|node| node.grpc.is_none()) {
                    return Err(PlanImpossible::NoGrpc);
                }
                within("commands a message", commands_a_message, ON_A_STREAM_MAX)?;
                let tables_per_stream = self.tables.div_ceil(self.connections().max(1));
                within(
                    "the number of tables on a stream",
                    tables_per_stream,
                    ON_A_STREAM_MAX,
                )
            }
            Transport::Http { connections } if connections > self.tables => {
                Err(PlanImpossible::TooFewTables {
                    connections,
                    tables: self.tables,
                })
            }
            Transport::Http { .. } => Ok(()),
        }
    }

    /// Returns the names of the links, from the first on.
    pub fn link_names(&self) -> Vec<String> {
        let links = 1..=self.links;
        links
            .map(|number| format!("{}-{number}", self.prefix))
            .collect()
    }

    /// Returns the link's index and the name of each table. The tables are spread over the links in turn.
    pub fn tables(&self) -> Vec<(usize, String)> {
        let links = self.link_names();
        let tables = 0..self.tables as usize;
        let count = links.len().max(1);
        let table = |index: usize| {
            let link = index % count;
            let name = links.get(link)?;
            Some((link, format!("{name}-{}", index / count + 1)))
        };
        tables.filter_map(table).collect()
    }

    /// Returns the address of the server where links are opened and books are read.
    pub(crate) fn base(&self) -> &str {
        self.nodes.first().map_or("", |node| &node.base)
    }

    /// Returns a client of that server.
    pub(crate) fn client(&self) -> Result<Client, ClientError> {
        Client::new(self.base(), self.trust.as_ref())
    }

    /// Returns the server of the connection with this index.
    pub(crate) fn node(&self, index: usize) -> Option<&Node> {
        self.nodes.get(index % self.nodes.len().max(1))
    }

    /// Returns the number of connections. Each has a share of the tables, and there are never more than tables.
    pub(crate) fn connections(&self) -> u32 {
        match self.transport {
            Transport::Streams { streams, .. } => match self.pace {
                // With fewer commands in flight, some streams would be idle.
                Pace::InFlight(count) => streams.min(self.tables).min(count),
                Pace::Rate { .. } => streams.min(self.tables),
            },
            Transport::Http { connections } => connections,
        }
    }
}

fn within(what: &'static str, found: u32, most: u32) -> Result<(), PlanImpossible> {
    range(what, u64::from(found), 1, u64::from(most))
}

fn range(what: &'static str, found: u64, least: u64, most: u64) -> Result<(), PlanImpossible> {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    Err(PlanImpossible::OutOfRange {
        what,
        found,
        least,
        most,
    })
}

#[cfg(test)]
pub(crate) mod tests;

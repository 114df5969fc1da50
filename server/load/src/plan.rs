//! What is played: where, on how many links and tables, how fast, for how long, and what goes wrong on purpose.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::machine::Processes;

/// Commands that may be under way in an open loop, all tables together: what is due beyond them waits, and its
/// latency counts from its planned instant all the same.
pub(crate) const UNDER_WAY_MAX: u32 = 65_536;
/// Links of one plan.
const LINKS_MAX: u32 = 1_000;
/// Tables of one plan.
const TABLES_MAX: u32 = 20_000;
/// Connections of one plan.
const CONNECTIONS_MAX: u32 = 10_000;
/// Tables on one stream, and commands in one message: what the server takes.
const ON_A_STREAM_MAX: u32 = 1_024;
/// Commands a second of an open loop.
const RATE_MAX: u64 = 10_000_000;
/// Characters of a prefix, so that the names of tables stay within 32.
const PREFIX_MAX: usize = 16;
/// All of a hundred.
const PERCENT_MAX: u8 = 100;
/// All of a million.
const MILLION: u32 = 1_000_000;

/// What is played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where is played, one at least: the connections are spread over all in turn; links are opened and books read at
    /// the first. All of them serve one database.
    pub nodes: Vec<Node>,
    /// What the names of links and tables begin with. Those that exist are gone on with.
    pub prefix: String,
    /// How many links.
    pub links: u32,
    /// How many tables, all links together.
    pub tables: u32,
    /// What wagers, hits and mishaps are drawn from.
    pub seed: u64,
    /// How commands travel.
    pub way: Way,
    /// How fast.
    pub pace: Pace,
    /// For how long nothing is measured at first.
    pub warm_up: Duration,
    /// When it ends.
    pub end: End,
    /// Rounds of a million that have a winning hand.
    pub hits_per_million: u32,
    /// What goes wrong on purpose.
    pub mishaps: Mishaps,
    /// For how long anything may go without progress: longer than a server takes that is started again.
    pub patience: Duration,
    /// How long an interval of the report is.
    pub interval: Duration,
    /// Whose processor time is taken beside the generator's own.
    pub processes: Processes,
}

/// A server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its HTTP API: `http://127.0.0.1:8080`.
    pub base: String,
    /// Its gRPC API; only streams need it.
    pub grpc: Option<String>,
}

/// How commands travel.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// gRPC streams, each on a connection of its own and shared by many tables.
    Streams {
        /// How many.
        streams: u32,
        /// Commands in one message at most.
        commands_a_message: u32,
    },
    /// HTTP connections that are kept open; one command under way on each.
    Http {
        /// How many.
        connections: u32,
    },
}

/// How fast.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Closed loop: as many are always under way. HTTP has as many as it has connections.
    InFlight(u32),
    /// Open loop: by a schedule, whatever the answers do.
    Rate {
        /// Commands a second.
        a_second: u64,
        /// How far apart bursts are; nothing: each command has its own instant.
        burst: Duration,
    },
}

/// When it ends. Rounds that are open then are closed, unmeasured.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// After so long, the warm-up not counted.
    After(Duration),
    /// After so many commands, all tables together.
    Commands(u64),
}

/// What goes wrong on purpose.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Mishaps {
    /// Commands of a hundred that are sent twice.
    pub repeat_percent: u8,
    /// Commands of a hundred before which the table's next one is sent.
    pub reorder_percent: u8,
    /// After how many commands of a connection it is cut; 0: never.
    pub cut_every: u64,
}

/// The secrets with which the generator speaks; whoever runs it makes them.
#[derive(Clone)]
pub struct Tokens {
    /// A manager's: opens links and tables, reads the books.
    pub manager: String,
    /// A supervisor's: validates and pays hits.
    pub supervisor: String,
    /// One controller's a table, by the table's name.
    pub controllers: BTreeMap<String, String>,
}

/// The plan can't be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanImpossible {
    /// A number is out of its range.
    #[error("{what} is {found}: give {least} to {most}")]
    OutOfRange {
        /// Which.
        what: &'static str,
        /// What it is.
        found: u64,
        /// The smallest possible.
        least: u64,
        /// The largest possible.
        most: u64,
    },
    /// The prefix makes no names.
    #[error("the prefix {0:?} makes no names: give 1 to {PREFIX_MAX} letters, digits or hyphens")]
    Prefix(String),
    /// HTTP can't keep a connection busy that has no table.
    #[error(
        "{connections} connections, but {tables} tables: over HTTP a table sends one command at a time, give at least as many tables"
    )]
    TooFewTables {
        /// Connections.
        connections: u32,
        /// Tables.
        tables: u32,
    },
    /// Nobody to play against.
    #[error("no server is named")]
    NoServer,
    /// Streams need the server's other address.
    #[error("streams need the server's gRPC address, or play over HTTP")]
    NoGrpc,
}

impl Plan {
    /// Whether it can be played.
    ///
    /// # Errors
    /// What stands in the way, for whoever wrote the plan.
    pub fn check(&self) -> Result<(), PlanImpossible> {
        if self.nodes.is_empty() {
            return Err(PlanImpossible::NoServer);
        }
        let named = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
        let length = self.prefix.len();
        if length == 0 || length > PREFIX_MAX || !self.prefix.bytes().all(named) {
            return Err(PlanImpossible::Prefix(self.prefix.clone()));
        }
        let tables = u64::from(self.tables);
        within("the number of links", self.links, LINKS_MAX)?;
        within("the number of tables", self.tables, TABLES_MAX)?;
        within("the number of connections", self.pits(), CONNECTIONS_MAX)?;
        range(
            "the number of links",
            u64::from(self.links),
            1,
            tables.min(u64::from(LINKS_MAX)),
        )?;
        let percents = [self.mishaps.repeat_percent, self.mishaps.reorder_percent];
        for percent in percents {
            let most = u64::from(PERCENT_MAX);
            range("a percentage of mishaps", u64::from(percent), 0, most)?;
        }
        let hits = u64::from(self.hits_per_million);
        range("hits per million", hits, 0, u64::from(MILLION))?;
        match self.pace {
            Pace::InFlight(count) => within("commands in flight", count, UNDER_WAY_MAX)?,
            Pace::Rate { a_second, .. } => {
                range("commands a second", a_second, 1, RATE_MAX)?;
            }
        }
        match self.way {
            Way::Streams {
                commands_a_message, ..
            } => {
                if self.nodes.iter().any(|it| it.grpc.is_none()) {
                    return Err(PlanImpossible::NoGrpc);
                }
                within("commands a message", commands_a_message, ON_A_STREAM_MAX)?;
                let on_one = self.tables.div_ceil(self.pits().max(1));
                within("the number of tables on a stream", on_one, ON_A_STREAM_MAX)
            }
            Way::Http { connections } if connections > self.tables => {
                Err(PlanImpossible::TooFewTables {
                    connections,
                    tables: self.tables,
                })
            }
            Way::Http { .. } => Ok(()),
        }
    }

    /// The links: their names, from the first on.
    pub fn link_names(&self) -> Vec<String> {
        let links = 1..=self.links;
        links.map(|it| format!("{}-{it}", self.prefix)).collect()
    }

    /// The tables: the place of the link and the table's name; one after the other on another link.
    pub fn tables(&self) -> Vec<(usize, String)> {
        let links = self.link_names();
        let tables = 0..self.tables as usize;
        let count = links.len().max(1);
        let table = |place: usize| {
            let link = place % count;
            let name = links.get(link)?;
            Some((link, format!("{name}-{}", place / count + 1)))
        };
        tables.filter_map(table).collect()
    }

    /// The server where links are opened and books are read.
    pub(crate) fn base(&self) -> &str {
        self.nodes.first().map_or("", |it| &it.base)
    }

    /// The server of a connection, by the connection's place among all.
    pub(crate) fn node(&self, place: usize) -> Option<&Node> {
        self.nodes.get(place % self.nodes.len().max(1))
    }

    /// Connections, each with its share of the tables; never more than there are tables.
    pub(crate) fn pits(&self) -> u32 {
        match self.way {
            Way::Streams { streams, .. } => match self.pace {
                // Where less is in flight some would have nothing to do.
                Pace::InFlight(count) => streams.min(self.tables).min(count),
                Pace::Rate { .. } => streams.min(self.tables),
            },
            Way::Http { connections } => connections,
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
pub(crate) mod tests {
    use std::time::Duration;

    use super::{End, Mishaps, Node, Pace, Plan, PlanImpossible, Way};
    use crate::machine::Processes;

    /// A plan that can be played.
    pub(crate) fn plan() -> Plan {
        Plan {
            nodes: vec![Node {
                base: "http://127.0.0.1:1".to_owned(),
                grpc: Some("http://127.0.0.1:2".to_owned()),
            }],
            prefix: "load".to_owned(),
            links: 2,
            tables: 5,
            seed: 1,
            way: Way::Streams {
                streams: 2,
                commands_a_message: 1,
            },
            pace: Pace::InFlight(8),
            warm_up: Duration::ZERO,
            end: End::Commands(100),
            hits_per_million: 0,
            mishaps: Mishaps::default(),
            patience: Duration::from_secs(1),
            interval: Duration::from_secs(1),
            processes: Processes::default(),
        }
    }

    /// Tables are shared out among the links, each with a name of its own.
    #[test]
    fn tables_have_names() {
        let tables = plan().tables();
        let names: Vec<&str> = tables.iter().map(|it| it.1.as_str()).collect();
        assert_eq!(
            names,
            ["load-1-1", "load-2-1", "load-1-2", "load-2-2", "load-1-3"]
        );
        assert_eq!(tables[3].0, 1);
    }

    /// Connections are spread over all servers in turn.
    #[test]
    fn connections_have_a_server() {
        let mut plan = plan();
        plan.nodes.push(Node {
            base: "http://127.0.0.1:3".to_owned(),
            grpc: None,
        });
        let bases: Vec<&str> = (0..3)
            .filter_map(|it| plan.node(it))
            .map(|it| it.base.as_str())
            .collect();
        assert_eq!(
            bases,
            [
                "http://127.0.0.1:1",
                "http://127.0.0.1:3",
                "http://127.0.0.1:1"
            ]
        );
        assert_eq!(plan.base(), "http://127.0.0.1:1");
    }

    /// What can't be played is refused before anything is opened.
    #[test]
    fn impossible_plans_are_refused() {
        assert_eq!(plan().check(), Ok(()));
        let refused = |change: fn(&mut Plan)| {
            let mut plan = plan();
            change(&mut plan);
            plan.check().expect_err("must be refused")
        };
        let too_few = refused(|it| it.way = Way::Http { connections: 6 });
        assert!(matches!(too_few, PlanImpossible::TooFewTables { .. }));
        let no_grpc = refused(|it| {
            it.nodes.push(Node {
                base: "http://127.0.0.1:3".to_owned(),
                grpc: None,
            });
        });
        assert_eq!(no_grpc, PlanImpossible::NoGrpc);
        assert_eq!(refused(|it| it.nodes.clear()), PlanImpossible::NoServer);
        let prefix = refused(|it| it.prefix = "a b".to_owned());
        assert!(matches!(prefix, PlanImpossible::Prefix(_)));
        let changes: [fn(&mut Plan); 6] = [
            |it| it.tables = 2_049,
            |it| it.links = 6,
            |it| it.tables = 0,
            |it| it.mishaps.repeat_percent = 101,
            |it| it.pace = Pace::InFlight(0),
            |it| it.hits_per_million = 1_000_001,
        ];
        for change in changes {
            assert!(matches!(refused(change), PlanImpossible::OutOfRange { .. }));
        }
    }
}

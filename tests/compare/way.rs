//! The ways that are compared, and the cells of their table.

use meterhouse_tests::comparison::rounds::Spread;

use crate::machine::Load;
use crate::options::Options;
use crate::tigerbeetle::BATCH;

/// Amounts that a coin-in moves, each of them a transfer in ledgers that move one amount at a time.
pub(crate) const MOVES: u64 = 4;
/// Clients that a server with a connection for each is asked to serve.
pub(crate) const CLIENTS_MAX: usize = 512;

/// A way of counting coin-ins.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// A transaction a coin-in, statement by statement.
    Naive,
    /// A transaction a coin-in, in one function.
    Function,
    /// The SQL of pgledger, a transfer a transaction.
    Pgledger,
    /// The benchmark of `TigerBeetle`, in batches.
    TigerBeetle,
    /// Meterhouse with one request a command, and a connection for each that is in flight.
    Http,
    /// Meterhouse with streams of many tables.
    Stream,
    /// Meterhouse with one command in flight on each stream.
    Single,
}

/// A row of the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct What {
    pub(crate) way: Way,
    pub(crate) in_flight: usize,
    pub(crate) links: usize,
}

/// The one cell of `TigerBeetle`.
const TIGERBEETLE: What = What {
    way: Way::TigerBeetle,
    #[expect(clippy::cast_possible_truncation, reason = "it is a small constant")]
    in_flight: BATCH as usize,
    links: 1,
};

/// One measurement of one cell.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// Transactions or commands a second.
    pub(crate) rate: u64,
    /// Coin-ins a second.
    pub(crate) coin_ins: u64,
    /// Accepted wagers a second; none where they are not counted.
    pub(crate) wagers: Option<u64>,
    /// Median and 99th percentile, µs.
    pub(crate) latency: [u64; 2],
    /// The processors meanwhile.
    pub(crate) load: Load,
    /// Bytes of WAL a transaction or command, all included.
    pub(crate) wal: u64,
}

/// A row and its measurements, one a round.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) what: What,
    pub(crate) rounds: Vec<Measured>,
}

/// The measured cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells(pub(crate) Vec<Cell>);

impl Way {
    /// All ways, in the order of the table.
    pub(crate) const ALL: [Self; 7] = [
        Self::Naive,
        Self::Function,
        Self::Pgledger,
        Self::TigerBeetle,
        Self::Http,
        Self::Stream,
        Self::Single,
    ];
    /// The ways that others are compared with.
    pub(crate) const ANCHORS: [Self; 4] = [
        Self::Naive,
        Self::Function,
        Self::Pgledger,
        Self::TigerBeetle,
    ];

    /// Returns the word for the way in options.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Function => "function",
            Self::Pgledger => "pgledger",
            Self::TigerBeetle => "tigerbeetle",
            Self::Http => "http",
            Self::Stream => "stream",
            Self::Single => "single",
        }
    }

    /// Returns the name of the way in the table.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Function => "one function",
            Self::Pgledger => "pgledger",
            Self::TigerBeetle => "TigerBeetle",
            Self::Http => "Meterhouse, HTTP",
            Self::Stream => "Meterhouse, streams",
            Self::Single => "Meterhouse, one command a stream",
        }
    }

    const fn in_flight_max(self) -> usize {
        match self {
            Self::Stream => usize::MAX,
            // It has its own cell.
            Self::TigerBeetle => 0,
            _ => CLIENTS_MAX,
        }
    }
}

impl Cells {
    /// Returns the cells that are asked for, and those that figures need in addition.
    pub(crate) fn of(options: &Options, needed: &[What]) -> Self {
        let mut all = Vec::new();
        if options.ways().any(|way| way == Way::TigerBeetle) {
            all.push(TIGERBEETLE);
        }
        for links in &options.links {
            for in_flight in &options.in_flight {
                let ways = options.ways();
                let played = ways.filter(|way| *in_flight <= way.in_flight_max());
                all.extend(played.map(|way| What {
                    way,
                    in_flight: *in_flight,
                    links: *links,
                }));
            }
        }
        let missing: Vec<What> = needed
            .iter()
            .copied()
            .filter(|what| !all.contains(what))
            .collect();
        all.extend(missing);
        let cell = |what| Cell {
            what,
            rounds: Vec::new(),
        };
        Self(all.into_iter().map(cell).collect())
    }

    /// Returns the cell that measured this.
    pub(crate) fn cell(&self, what: What) -> Option<&Cell> {
        self.0.iter().find(|cell| cell.what == what)
    }

    /// Returns the anchors that were measured.
    pub(crate) fn anchors(&self) -> impl Iterator<Item = Way> {
        let is_measured = |way: &Way| self.0.iter().any(|cell| cell.what.way == *way);
        Way::ANCHORS.into_iter().filter(is_measured)
    }

    /// Returns the cell of an anchor that a row is compared with: on as many links, with as many clients or, of more than
    /// it has, the most. `TigerBeetle` has one cell.
    pub(crate) fn anchor(&self, way: Way, what: What) -> Option<&Cell> {
        let fits = |cell: &&Cell| {
            let anchor = cell.what;
            let is_alike = anchor.links == what.links && anchor.in_flight <= what.in_flight;
            anchor.way == way && (is_alike || way == Way::TigerBeetle)
        };
        let fitting = self.0.iter().filter(fits);
        fitting.max_by_key(|cell| cell.what.in_flight)
    }
}

impl Cell {
    /// Returns the rate.
    pub(crate) fn rate(&self) -> Spread {
        self.spread(|measured| measured.rate)
    }

    /// Returns the spread of a figure.
    pub(crate) fn spread(&self, of: fn(&Measured) -> u64) -> Spread {
        Spread::of(self.values(of))
    }

    /// Returns the coin-ins as a ratio to those of an anchor, in hundredths, round by round.
    pub(crate) fn ratio_to(&self, anchor: &Self) -> Spread {
        let coin_ins = |measured: &Measured| measured.coin_ins;
        Spread::of_ratios(&self.values(coin_ins), &anchor.values(coin_ins))
    }

    /// Returns the wagers as a ratio to the coin-ins of an anchor, in hundredths, round by round.
    pub(crate) fn wagers_to(&self, anchor: &Self) -> Option<Spread> {
        let wagers = self.rounds.iter().map(|measured| measured.wagers);
        let wagers: Vec<u64> = wagers.collect::<Option<_>>()?;
        let coin_ins = anchor.values(|measured| measured.coin_ins);
        Some(Spread::of_ratios(&wagers, &coin_ins))
    }

    fn values(&self, of: fn(&Measured) -> u64) -> Vec<u64> {
        self.rounds.iter().map(of).collect()
    }
}

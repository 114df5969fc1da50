//! What the caller chooses.

use std::time::Duration;

use crate::Failure;

/// What `--help` says.
const HELP: &str = "\
cargo bench -p meterhouse-tests --bench compare -- [options]

  --ways LIST             of naive,locked,function,http,stream, or none (default: all)
  --in-flight LIST        clients, or commands in flight (default 1,16,64,512,4096)
  --links LIST            links that they are spread over (default 1,40)
  --figures LIST          of hot,stream64,http64,open5000,open20000,hits,nodes,tables,wal,memory,displays,abuse,strangers,
                          repeats,history,soak; or all, or none (default: all but history and soak, which take long)
  --rounds N              rounds of which the median counts (default 5)
  --seconds N             length of one measurement (default 4)
  --figure-seconds N      length of each figure that has its own, of 20 or 60 s: open loops, WAL, memory, others
  --history-millions LIST events of history at which the rate is measured again (default 10,100)
  --soak-minutes N        length of the soak (default 30)
  --quiet N               seconds to wait for a quiet machine before each measurement (default 20)
";

/// Every way, in the order of the table.
pub(crate) const WAYS: [&str; 5] = ["naive", "locked", "function", "http", "stream"];

/// Every section of figures, in the order of their table; the last ones, [`LONG`], take long.
const FIGURES: [&str; 16] = [
    "hot",
    "stream64",
    "http64",
    "open5000",
    "open20000",
    "hits",
    "nodes",
    "tables",
    "wal",
    "memory",
    "displays",
    "abuse",
    "strangers",
    "repeats",
    "history",
    "soak",
];
/// Those that are only made when they are named.
const LONG: [&str; 2] = ["history", "soak"];

/// What the caller chooses.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    ways: Vec<String>,
    figures: Vec<String>,
    pub(crate) in_flight: Vec<usize>,
    pub(crate) links: Vec<usize>,
    pub(crate) rounds: usize,
    pub(crate) length: Duration,
    /// Of figures that have their own length, instead of it.
    figure_length: Option<Duration>,
    /// Millions of events.
    pub(crate) history: Vec<usize>,
    /// Minutes.
    pub(crate) soak: u64,
    pub(crate) quiet: Duration,
}

/// What this program is asked to do.
pub(crate) enum Asked {
    /// It has said how it is used.
    Help,
    /// Measure.
    Compare(Options),
    /// Be the server, on the database of this name behind this socket.
    Serve {
        /// The folder of the socket.
        socket: String,
        /// The database.
        database: String,
    },
}

impl Options {
    /// Reads the command line.
    pub(crate) fn read(mut words: impl Iterator<Item = String>) -> Result<Asked, Failure> {
        let mut options = Self {
            ways: WAYS.map(str::to_owned).to_vec(),
            in_flight: vec![1, 16, 64, 512, 4096],
            links: vec![1, 40],
            rounds: 5,
            length: Duration::from_secs(4),
            figures: Vec::new(),
            figure_length: None,
            history: vec![10, 100],
            soak: 30,
            quiet: Duration::from_secs(20),
        };
        options.figures = figures("")?;
        while let Some(word) = words.next() {
            match word.as_str() {
                // What cargo itself adds, and the one without a value.
                "--bench" => continue,
                "--help" | "-h" => {
                    println!("{HELP}");
                    return Ok(Asked::Help);
                }
                _ => {}
            }
            let value = words
                .next()
                .ok_or_else(|| format!("{word} needs a value"))?;
            match word.as_str() {
                "--serve" => {
                    let database = words.next().ok_or("--serve needs a database")?;
                    return Ok(Asked::Serve {
                        socket: value,
                        database,
                    });
                }
                "--ways" => options.ways = listed(&value, &WAYS)?,
                "--figures" => options.figures = figures(&value)?,
                "--figure-seconds" => {
                    options.figure_length = Some(Duration::from_secs(value.parse()?));
                }
                "--history-millions" => options.history = numbers(&value)?,
                "--soak-minutes" => options.soak = value.parse()?,
                "--in-flight" => options.in_flight = numbers(&value)?,
                "--links" => options.links = numbers(&value)?,
                "--rounds" => options.rounds = value.parse()?,
                "--seconds" => options.length = Duration::from_secs(value.parse()?),
                "--quiet" => options.quiet = Duration::from_secs(value.parse()?),
                _ => return Err(format!("unknown option {word}; see --help").into()),
            }
        }
        Ok(Asked::Compare(options))
    }

    /// Whether a way is asked for.
    pub(crate) fn has(&self, way: &str) -> bool {
        self.ways.iter().any(|it| it == way)
    }

    /// Whether a section of figures is asked for.
    pub(crate) fn has_figure(&self, section: &str) -> bool {
        self.figures.iter().any(|it| it == section)
    }

    /// The sections of figures that are asked for, in the order of their table.
    pub(crate) fn sections(&self) -> impl Iterator<Item = &'static str> {
        FIGURES.into_iter().filter(|it| self.has_figure(it))
    }

    /// How long a figure is measured whose own length is so many seconds.
    pub(crate) fn long(&self, seconds: u64) -> Duration {
        self.figure_length.unwrap_or(Duration::from_secs(seconds))
    }
}

/// The sections of a list; of none at all those that don't take long.
fn figures(list: &str) -> Result<Vec<String>, Failure> {
    let chosen: Vec<&str> = match list {
        "" => FIGURES
            .into_iter()
            .filter(|it| !LONG.contains(it))
            .collect(),
        "all" => FIGURES.to_vec(),
        list => return listed(list, &FIGURES),
    };
    Ok(chosen.into_iter().map(str::to_owned).collect())
}

/// The words of a list, each of which has to be a known one; `none`: none.
fn listed(list: &str, known: &[&str]) -> Result<Vec<String>, Failure> {
    if list == "none" {
        return Ok(Vec::new());
    }
    let words: Vec<String> = list.split(',').map(str::to_owned).collect();
    match words.iter().find(|it| !known.contains(&it.as_str())) {
        Some(unknown) => Err(format!("unknown {unknown:?}; see --help").into()),
        None => Ok(words),
    }
}

fn numbers(list: &str) -> Result<Vec<usize>, Failure> {
    let numbers: Result<Vec<usize>, _> = list.split(',').map(str::parse).collect();
    let numbers = numbers?;
    if numbers.contains(&0) {
        return Err("0 is no number of clients or links".into());
    }
    Ok(numbers)
}

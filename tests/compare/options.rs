//! What the caller chooses.

use std::time::Duration;

use crate::Failure;

/// What `--help` says.
const HELP: &str = "\
cargo bench -p meterhouse-tests --bench compare -- [options]

  --ways LIST       of naive,locked,function,http,stream (default: all)
  --in-flight LIST  clients, or commands in flight (default 1,16,64,512,4096)
  --links LIST      links that they are spread over (default 1,40)
  --rounds N        rounds of which the median counts (default 5)
  --seconds N       length of one measurement (default 4)
  --quiet N         seconds to wait for a quiet machine before each measurement (default 20)
";

/// Every way, in the order of the table.
pub(crate) const WAYS: [&str; 5] = ["naive", "locked", "function", "http", "stream"];

/// What the caller chooses.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    ways: Vec<String>,
    pub(crate) in_flight: Vec<usize>,
    pub(crate) links: Vec<usize>,
    pub(crate) rounds: usize,
    pub(crate) length: Duration,
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
            quiet: Duration::from_secs(20),
        };
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
                "--ways" => options.ways = ways(&value)?,
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
}

fn ways(list: &str) -> Result<Vec<String>, Failure> {
    let ways: Vec<String> = list.split(',').map(str::to_owned).collect();
    match ways.iter().find(|it| !WAYS.contains(&it.as_str())) {
        Some(unknown) => Err(format!("unknown way {unknown}; see --help").into()),
        None => Ok(ways),
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

//! The options of the benchmark.

use std::path::PathBuf;
use std::time::Duration;

use crate::Failure;
use crate::way::Way;

/// The text of `--help`.
const HELP: &str = "\
cargo bench -p meterhouse-tests --bench compare -- [options]

  --ways LIST             of naive,function,pgledger,tigerbeetle,http,stream,single, or none (default: all)
  --links LIST            links that they are spread over (default 1,8,40,200)
  --in-flight LIST        clients, or commands in flight (default 64,4096); above 512 only `stream` is played
  --program FILE          the server's program (default: the release program, which cargo builds first)
  --pgledger FOLDER       a checkout of github.com/pgr0ss/pgledger, whose SQL is played (default: it is left out)
  --tigerbeetle FILE      the program tigerbeetle, whose own benchmark is played (default: it is left out)
  --figures LIST          of hot,stream64,http64,open5000,open20000,hits,nodes,tables,neighbours,wal,memory,displays,abuse,
                          strangers,repeats,history,soak; or all, or none (default: all but history and soak, which take long)
  --rounds N              rounds of which the median counts; of displays each is a row (default 5)
  --seconds N             length of one measurement (default 4)
  --figure-seconds N      length of each figure that has its own, of 10 to 60 s: open loops, WAL, memory, others
  --history-millions LIST events of history at which the rate is measured again (default 10,100)
  --soak-minutes N        length of the soak (default 30)
  --quiet N               seconds to wait for a quiet machine before each measurement (default 20)
";

/// All sections of figures, in the order of their table.
const FIGURES: [&str; 17] = [
    "hot",
    "stream64",
    "http64",
    "open5000",
    "open20000",
    "hits",
    "nodes",
    "tables",
    "neighbours",
    "wal",
    "memory",
    "displays",
    "abuse",
    "strangers",
    "repeats",
    "history",
    "soak",
];
/// The sections that take long, and are only measured if they are named.
const LONG: [&str; 2] = ["history", "soak"];

/// The options of a run.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    ways: Vec<String>,
    figures: Vec<String>,
    pub(crate) in_flight: Vec<usize>,
    pub(crate) links: Vec<usize>,
    pub(crate) rounds: usize,
    pub(crate) length: Duration,
    /// The length of figures that have their own, if it is not theirs.
    figure_length: Option<Duration>,
    /// Millions of events.
    pub(crate) history: Vec<usize>,
    /// Minutes.
    pub(crate) soak: u64,
    pub(crate) quiet: Duration,
    /// The server's program, if it is not the release program.
    pub(crate) program: Option<PathBuf>,
    /// The folder of pgledger's SQL.
    pub(crate) pgledger: Option<PathBuf>,
    /// The program of `TigerBeetle`.
    pub(crate) tigerbeetle: Option<PathBuf>,
}

/// What this program is asked to do.
pub(crate) enum Asked {
    /// It has said how it is used.
    Help,
    /// Measure.
    Compare(Box<Options>),
    /// Be the loop that displays are compared with, and write texts of so many bytes.
    WriteLoop(usize),
}

impl Options {
    /// Reads the command line.
    pub(crate) fn read(mut words: impl Iterator<Item = String>) -> Result<Asked, Failure> {
        let mut options = Self {
            ways: Way::ALL.map(|way| way.word().to_owned()).to_vec(),
            in_flight: vec![64, 4_096],
            links: vec![1, 8, 40, 200],
            rounds: 5,
            length: Duration::from_secs(4),
            figures: figures("")?,
            figure_length: None,
            history: vec![10, 100],
            soak: 30,
            quiet: Duration::from_secs(20),
            program: None,
            pgledger: None,
            tigerbeetle: None,
        };
        while let Some(word) = words.next() {
            match word.as_str() {
                // cargo adds this word.
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
            if word == "--write-loop" {
                return Ok(Asked::WriteLoop(value.parse()?));
            }
            options.set(&word, &value)?;
        }
        Ok(Asked::Compare(Box::new(options)))
    }

    fn set(&mut self, word: &str, value: &str) -> Result<(), Failure> {
        match word {
            "--ways" => self.ways = listed(value, &Way::ALL.map(Way::word))?,
            "--figures" => self.figures = figures(value)?,
            "--figure-seconds" => self.figure_length = Some(Duration::from_secs(value.parse()?)),
            "--history-millions" => self.history = numbers(value)?,
            "--soak-minutes" => self.soak = value.parse()?,
            "--in-flight" => self.in_flight = numbers(value)?,
            "--links" => self.links = numbers(value)?,
            "--rounds" => self.rounds = value.parse()?,
            "--seconds" => self.length = Duration::from_secs(value.parse()?),
            "--quiet" => self.quiet = Duration::from_secs(value.parse()?),
            "--program" => self.program = Some(value.into()),
            "--pgledger" => self.pgledger = Some(value.into()),
            "--tigerbeetle" => self.tigerbeetle = Some(value.into()),
            _ => return Err(format!("unknown option {word}; see --help").into()),
        }
        Ok(())
    }

    /// Returns the ways that are asked for and can be played, in the order of the table.
    pub(crate) fn ways(&self) -> impl Iterator<Item = Way> {
        self.asked_ways().filter(|way| self.missing(*way).is_none())
    }

    /// Returns the ways that are asked for and left out, each with the option that is missing.
    pub(crate) fn left_out(&self) -> impl Iterator<Item = (Way, &'static str)> {
        self.asked_ways()
            .filter_map(|way| Some((way, self.missing(way)?)))
    }

    fn asked_ways(&self) -> impl Iterator<Item = Way> {
        let is_asked = |way: &Way| self.ways.iter().any(|word| word == way.word());
        Way::ALL.into_iter().filter(is_asked)
    }

    /// Returns the option that a way needs and that is not given.
    fn missing(&self, way: Way) -> Option<&'static str> {
        let (given, option) = match way {
            Way::Pgledger => (&self.pgledger, "--pgledger FOLDER"),
            Way::TigerBeetle => (&self.tigerbeetle, "--tigerbeetle FILE"),
            _ => return None,
        };
        given.is_none().then_some(option)
    }

    /// Returns `true` if `pgbench` is needed.
    pub(crate) fn needs_pgbench(&self) -> bool {
        let is_sql = |way| matches!(way, Way::Naive | Way::Function | Way::Pgledger);
        self.ways().any(is_sql) || self.has_figure("hot")
    }

    /// Returns `true` if a section of figures is asked for.
    pub(crate) fn has_figure(&self, section: &str) -> bool {
        self.figures.iter().any(|name| name == section)
    }

    /// Returns the sections of figures that are asked for, in the order of their table.
    pub(crate) fn sections(&self) -> impl Iterator<Item = &'static str> {
        FIGURES.into_iter().filter(|name| self.has_figure(name))
    }

    /// Returns the length of a figure whose own length is this number of seconds.
    pub(crate) fn long(&self, seconds: u64) -> Duration {
        self.figure_length.unwrap_or(Duration::from_secs(seconds))
    }
}

/// Returns the sections of a list; of an empty list those that don't take long.
fn figures(list: &str) -> Result<Vec<String>, Failure> {
    let chosen: Vec<&str> = match list {
        "" => FIGURES
            .into_iter()
            .filter(|name| !LONG.contains(name))
            .collect(),
        "all" => FIGURES.to_vec(),
        list => return listed(list, &FIGURES),
    };
    Ok(chosen.into_iter().map(str::to_owned).collect())
}

/// Returns the words of a list, each of which has to be a known one; `none` is the empty list.
fn listed(list: &str, known: &[&str]) -> Result<Vec<String>, Failure> {
    if list == "none" {
        return Ok(Vec::new());
    }
    let words: Vec<String> = list.split(',').map(str::to_owned).collect();
    match words.iter().find(|word| !known.contains(&word.as_str())) {
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

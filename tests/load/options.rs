//! The options of the benchmark.

use std::time::Duration;

use crate::Failure;

/// The text of `--help`.
const HELP: &str = "\
cargo bench -p meterhouse-tests --bench committer -- [options]

  --sections LIST   of memory,rates,naive,verify,start (default: all)
  --rounds N        rounds of the rates, of which the median counts (default 3)
  --seconds N       length of one measurement (default 5)
  --in-flight LIST  commands in flight (default 64,512,4096)
  --links N         links that the commands are spread over (default 1: one hot link)
  --history N       events of history before the start is timed (default 10000000)
  --played N        rounds played before the memory is read (default 1000000)
  --quiet N         seconds to wait for a quiet machine before each measurement (default 30)
  --set NAME=VALUE  another setting of Postgres; may be given several times
  --data DIR        where the private Postgres is made (default: a temporary folder)
";

/// All sections.
pub(crate) const SECTIONS: [&str; 5] = ["memory", "rates", "naive", "verify", "start"];

/// The options of the benchmark.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    sections: Vec<String>,
    pub(crate) rounds: usize,
    pub(crate) length: Duration,
    pub(crate) in_flight: Vec<usize>,
    pub(crate) links: usize,
    pub(crate) history: u64,
    pub(crate) played: u64,
    pub(crate) quiet: Duration,
    pub(crate) settings: Vec<(String, String)>,
    pub(crate) data: Option<String>,
}

impl Options {
    /// Reads the command line. Returns `None` if it asked for help.
    pub(crate) fn read(mut words: impl Iterator<Item = String>) -> Result<Option<Self>, Failure> {
        let mut options = Self {
            sections: SECTIONS.map(str::to_owned).to_vec(),
            rounds: 3,
            length: Duration::from_secs(5),
            in_flight: vec![64, 512, 4096],
            links: 1,
            history: 10_000_000,
            played: 1_000_000,
            quiet: Duration::from_secs(30),
            settings: Vec::new(),
            data: None,
        };
        while let Some(word) = words.next() {
            // Options without a value; cargo itself adds the first.
            match word.as_str() {
                "--bench" => continue,
                "--help" | "-h" => {
                    println!("{HELP}");
                    return Ok(None);
                }
                _ => {}
            }
            let value = words
                .next()
                .ok_or_else(|| format!("{word} needs a value; see --help"))?;
            match word.as_str() {
                "--sections" => options.sections = sections(&value)?,
                "--rounds" => options.rounds = value.parse()?,
                "--seconds" => options.length = Duration::from_secs(value.parse()?),
                "--in-flight" => {
                    options.in_flight =
                        value.split(',').map(str::parse).collect::<Result<_, _>>()?;
                }
                "--links" => options.links = value.parse()?,
                "--history" => options.history = value.parse()?,
                "--played" => options.played = value.parse()?,
                "--quiet" => options.quiet = Duration::from_secs(value.parse()?),
                "--set" => {
                    let (name, value) = value.split_once('=').ok_or("--set NAME=VALUE")?;
                    options.settings.push((name.to_owned(), value.to_owned()));
                }
                "--data" => options.data = Some(value),
                _ => return Err(format!("unknown option {word}; see --help").into()),
            }
        }
        Ok(Some(options))
    }

    /// Returns `true` if this section is to be measured.
    pub(crate) fn has(&self, section: &str) -> bool {
        self.sections.iter().any(|named| named == section)
    }
}

fn sections(list: &str) -> Result<Vec<String>, Failure> {
    let sections: Vec<String> = list.split(',').map(str::to_owned).collect();
    match sections
        .iter()
        .find(|section| !SECTIONS.contains(&section.as_str()))
    {
        Some(unknown) => {
            Err(format!("there is no section {unknown}; there are {SECTIONS:?}").into())
        }
        None => Ok(sections),
    }
}

//! The printed table of the ways: medians of the rounds, and of the rounds' ratios.

use std::time::Duration;

use meterhouse_tests::comparison::rounds::Spread;

use crate::options::Options;
use crate::table::{hundredths, thousandths};
use crate::way::{Cell, Cells, Measured, Way};

/// What the figures of the table mean.
const FOOT: &str = "\
A rate is transactions or commands a second; coin-ins/s are what is compared. Meterhouse plays coin-ins and closes in turn, so
half of its commands are coin-ins. × is the ratio of the coin-ins to those of that way, on as many links, with as many clients
or, above 512, with the most: the median of one ratio a round, with the least and the most.
books: after each measurement what was acknowledged was stored, and meters were the sums
";

/// Prints the table.
pub(crate) fn print(cells: &Cells, options: &Options) {
    println!(
        "The ways, {} rounds of all of them in turn, {} s each: medians, of rates and ratios with the least and the most\n",
        options.rounds,
        options.length.as_secs()
    );
    println!("{}", head(cells));
    for cell in &cells.0 {
        println!("{}", row(cells, cell));
    }
    println!("\n{FOOT}");
}

/// Returns the row of one measurement, for the progress of a run.
pub(crate) fn progress(cell: &Cell, measured: &Measured, taken: Duration) -> String {
    let what = cell.what;
    format!(
        "{}, {} links, {} in flight: {} coin-ins/s, {} s",
        what.way.name(),
        what.links,
        what.in_flight,
        measured.coin_ins,
        taken.as_secs()
    )
}

/// The head, with a column for each anchor.
fn head(cells: &Cells) -> String {
    let ratios = cells.anchors().map(|way| format!(" × {} |", way.word()));
    let columns = [
        "way",
        "links",
        "in flight",
        "rate/s",
        "coin-ins/s",
        "p50 ms",
        "p99 ms",
        "load",
        "server",
        "Postgres",
        "WAL bytes each",
    ];
    let names = format!("| {} |{}", columns.join(" | "), ratios.collect::<String>());
    let rule = "---|".repeat(columns.len() + cells.anchors().count());
    format!("{names}\n|{rule}")
}

fn row(cells: &Cells, cell: &Cell) -> String {
    let what = cell.what;
    let median = |of: fn(&Measured) -> u64| cell.spread(of).median;
    let ratios = cells.anchors().map(|way| match ratio(cells, cell, way) {
        Some(ratio) => format!(" {} |", with_ends(ratio, hundredths)),
        None => " |".to_owned(),
    });
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |{}",
        what.way.name(),
        what.links,
        what.in_flight,
        with_ends(cell.rate(), |rate| rate.to_string()),
        median(|measured| measured.coin_ins),
        thousandths(median(|measured| measured.latency[0])),
        thousandths(median(|measured| measured.latency[1])),
        hundredths(median(|measured| measured.load.own)),
        hundredths(median(|measured| measured.load.server)),
        hundredths(median(|measured| measured.load.postgres)),
        median(|measured| measured.wal),
        ratios.collect::<String>()
    )
}

fn ratio(cells: &Cells, cell: &Cell, way: Way) -> Option<Spread> {
    let anchor = cells.anchor(way, cell.what)?;
    (anchor.what != cell.what).then(|| cell.ratio_to(anchor))
}

/// Writes a median with the least and the most.
pub(crate) fn with_ends(spread: Spread, text: impl Fn(u64) -> String) -> String {
    let [median, least, most] = [spread.median, spread.least, spread.most].map(text);
    format!("{median} [{least}-{most}]")
}

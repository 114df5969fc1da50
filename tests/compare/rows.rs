//! The printed table of the ways: medians of the rounds, and of the rounds' ratios.

use std::time::Duration;

use meterhouse_tests::comparison::rounds::Spread;

use crate::options::Options;
use crate::table::{hundredths, thousandths};
use crate::way::{Cell, Cells, Measured, Way, What};

/// The meaning of the figures.
const FOOT: &str = "\
A rate is transactions, transfers or commands a second; coin-ins/s are compared. Meterhouse plays coin-ins and closes in turn,
so half of its commands are coin-ins. × is the ratio of the coin-ins to those of that way, on as many links, with as many clients
or, above 512, with the most: the median of one ratio a round, with the least and the most.
books: after each measurement what was acknowledged was stored, and meters were the sums";
const PGLEDGER_FOOT: &str = "\
pgledger: its create_transfer from one of 500 accounts to one account a link. A transfer moves one amount and a coin-in four, so four
transfers count as one coin-in. Four in one transaction were not measured.";
const TIGERBEETLE_FOOT: &str = "\
TigerBeetle: its own benchmark, one replica, one client, all transfers with one hot account; latencies are of a batch, in whole ms. Four
transfers count as one coin-in, however many wagers it has. In the last column four transfers count as one accepted wager instead: a
coin-in of Meterhouse has three to six wagers, and a ledger that books each wager moves four amounts for each. Its books are its own
check that each transfer was accepted.";

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
    for anchor in cells.anchors() {
        match anchor {
            Way::Pgledger => println!("{PGLEDGER_FOOT}"),
            Way::TigerBeetle => println!("{TIGERBEETLE_FOOT}"),
            _ => {}
        }
    }
    for (way, option) in options.left_out() {
        println!("left out: {}, without {option}", way.name());
    }
    println!();
}

/// Returns a line on one measurement, for the progress of a run.
pub(crate) fn progress(what: What, measured: &Measured, taken: Duration) -> String {
    format!(
        "{}, links {}, in flight {}: {} coin-ins/s, others used {} cores, {} s",
        what.way.name(),
        what.links,
        what.in_flight,
        measured.coin_ins,
        hundredths(measured.load.others),
        taken.as_secs()
    )
}

/// The head, with a column for each anchor.
fn head(cells: &Cells) -> String {
    let mut ratios: Vec<String> = cells
        .anchors()
        .map(|way| format!("× {}", way.word()))
        .collect();
    if has_wagers(cells) {
        ratios.push(format!("wagers × {}", Way::TigerBeetle.word()));
    }
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
    let names: Vec<&str> = columns
        .into_iter()
        .chain(ratios.iter().map(String::as_str))
        .collect();
    let rule = "---|".repeat(names.len());
    format!("| {} |\n|{rule}", names.join(" | "))
}

fn row(cells: &Cells, cell: &Cell) -> String {
    let what = cell.what;
    let median = |of: fn(&Measured) -> u64| cell.spread(of).median;
    let mut columns = vec![
        what.way.name().to_owned(),
        what.links.to_string(),
        what.in_flight.to_string(),
        with_ends(cell.rate(), |rate| rate.to_string()),
        median(|measured| measured.coin_ins).to_string(),
        thousandths(median(|measured| measured.latency[0])),
        thousandths(median(|measured| measured.latency[1])),
        hundredths(median(|measured| measured.load.own)),
        hundredths(median(|measured| measured.load.server)),
        hundredths(median(|measured| measured.load.postgres)),
        median(|measured| measured.wal).to_string(),
    ];
    let shown = |ratio: Option<Spread>| {
        ratio.map_or_else(String::new, |ratio| with_ends(ratio, hundredths))
    };
    columns.extend(cells.anchors().map(|way| shown(ratio(cells, cell, way))));
    if has_wagers(cells) {
        let anchor = cells.anchor(Way::TigerBeetle, what);
        columns.push(shown(anchor.and_then(|anchor| cell.wagers_to(anchor))));
    }
    format!("| {} |", columns.join(" | "))
}

fn ratio(cells: &Cells, cell: &Cell, way: Way) -> Option<Spread> {
    let anchor = cells.anchor(way, cell.what)?;
    (anchor.what != cell.what).then(|| cell.ratio_to(anchor))
}

/// Returns `true` if wagers are compared as well.
fn has_wagers(cells: &Cells) -> bool {
    cells.anchors().any(|way| way == Way::TigerBeetle)
}

/// Writes a median with the least and the most.
pub(crate) fn with_ends(spread: Spread, text: impl Fn(u64) -> String) -> String {
    let [median, least, most] = [spread.median, spread.least, spread.most].map(text);
    format!("{median} [{least}-{most}]")
}

//! `meterhouse settle`

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use meterhouse_api::round_settlement::{
    ChosenTable, RoundSettlement, SettledSeat, SettledWager, SettlementRequest,
};
use meterhouse_edge::problem::Problem;
use meterhouse_edge::settlement::{RoundRefused, settlement};
use meterhouse_edge::wire_error::WireError;
use meterhouse_http::{BODY_BYTES_MAX, parse};

use super::serve::catalogue;
use crate::cli::SettleArgs;
use crate::failure::Failure;
use crate::output::{self, out, outln};

pub(crate) fn run(args: &SettleArgs) -> Result<(), Failure> {
    let catalogue = catalogue(args.paytables.as_deref())?;
    let file = args.file.display();
    let bytes = read(&args.file)
        .map_err(|error| Failure::Configuration(format!("{file} can't be read: {error}")))?;
    let request: SettlementRequest = match parse("the file", &bytes) {
        Ok(request) => request,
        Err(error) => {
            let failure = Failure::Configuration(format!("{file}: {error}"));
            if args.json {
                output::json(&Problem::from(WireError::from(error)).body())?;
            }
            return Err(failure);
        }
    };
    match settlement(&catalogue, &request) {
        Ok(settled) if args.json => output::json(&settled),
        Ok(settled) => {
            out!("{}", page(&settled));
            Ok(())
        }
        Err(refused) => Err(mistakes(refused, args.json)?),
    }
}

/// Reads the file, or standard input for `-`; at most the body of a request.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path)?)
    };
    let most = u64::try_from(BODY_BYTES_MAX).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    source
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() > BODY_BYTES_MAX {
        let message = format!("it has more than {BODY_BYTES_MAX} bytes");
        return Err(io::Error::other(message));
    }
    Ok(bytes)
}

/// Prints the mistakes in a round, and returns the failure of the command.
fn mistakes(refused: RoundRefused, json: bool) -> Result<Failure, Failure> {
    let count = refused.0.len();
    if json {
        output::json(&Problem::from(WireError::from(refused)).body())?;
    } else {
        for finding in refused.0 {
            outln!("{}: {}", finding.path, finding.detail);
        }
    }
    Ok(Failure::Configuration(match count {
        1 => "one mistake was found".to_owned(),
        count => format!("{count} mistakes were found"),
    }))
}

fn page(settled: &RoundSettlement) -> String {
    let tables: String = settled.tables.iter().map(table).collect();
    let limit = settled.limit.as_ref().map(|limit| {
        let (amount, clause) = (&limit.amount, &limit.clause);
        format!("Payout limit: {amount} ({clause})\n\n")
    });
    let seats: String = settled.seats.iter().map(seat).collect();
    let totals = &settled.totals;
    format!(
        "{} ({})\n\n{tables}\n{}{seats}All wagers: {} placed; {} collected, {} returned, {} paid\n{}",
        settled.game,
        settled.jurisdiction.name(),
        limit.unwrap_or_default(),
        totals.wagered,
        totals.collected,
        totals.returned,
        totals.paid,
        to_confirm(&settled.tables)
    )
}

fn table(table: &ChosenTable) -> String {
    let id = table.table.to_string();
    format!("{id:<32}{} ({})\n", table.title, table.citation)
}

fn seat(seat: &SettledSeat) -> String {
    let player = seat.player.as_ref();
    let player = player.map(|player| format!(" ({player})"));
    let head = row(["Wager", "placed", "result", "paid", "chips", "by"]);
    let wagers: String = seat.wagers.iter().map(wager).collect();
    format!(
        "Seat {}{}\n{head}{wagers}{}\n",
        seat.seat,
        player.unwrap_or_default(),
        row(["together", "", "", "", &seat.chips.to_string(), ""])
    )
}

fn wager(wager: &SettledWager) -> String {
    let line = wager.line.as_ref();
    let line = line.map(|line| format!(", {}: {} ({})", line.prints, line.pays, line.table));
    let cut = wager
        .cut
        .then(|| format!(", cut by the limit from {}", wager.payout));
    let by = [
        wager.clause.clone(),
        line.unwrap_or_default(),
        cut.unwrap_or_default(),
    ];
    row([
        &placed_on(wager),
        &wager.amount.to_string(),
        &wager.result.to_string(),
        &wager.paid.to_string(),
        &wager.chips.to_string(),
        &by.concat(),
    ])
}

/// Returns a wager with what the player chose, such as `two-dice 2 5` or `touchdown red`.
fn placed_on(wager: &SettledWager) -> String {
    let numbers = wager.numbers.iter().map(ToString::to_string);
    let team = wager.team.iter().map(ToString::to_string);
    let words = [wager.wager.to_string()].into_iter();
    let words: Vec<String> = words.chain(numbers).chain(team).collect();
    words.join(" ")
}

fn row([wager, placed, result, paid, chips, by]: [&str; 6]) -> String {
    let row = format!("{wager:<20}{placed:>12}  {result:<10}{paid:>14}{chips:>14}  {by}");
    row.trim_end().to_owned() + "\n"
}

/// Returns a sentence on the inferred values of the chosen tables, if any.
fn to_confirm(tables: &[ChosenTable]) -> String {
    let inferred = tables.iter().flat_map(|table| {
        let gaps = table.not_in_source.iter();
        gaps.filter_map(move |gap| {
            let from = gap.inferred_from.as_ref()?;
            Some(format!("{} of {} as in {from}", gap.what, table.table))
        })
    });
    let inferred: Vec<String> = inferred.collect();
    if inferred.is_empty() {
        return String::new();
    }
    let inferred = inferred.join("; ");
    format!("\nNot in the source, for the operator to confirm: {inferred}.\n")
}

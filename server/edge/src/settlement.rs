//! Settlement of a whole round without a table: the result, the pay and the chips of every wager.
//!
//! # Shape
//! HTTP and the program read a [`SettlementRequest`], gRPC makes one of a message. [`settlement`] turns it into a
//! [`RoundSettlement`]: `asked` has the round as the rules take it, with hands or without. Nothing is counted, and no account
//! is read or moved.
//!
//! # Errors
//! [`RoundRefused`] has all mistakes together: those of the chosen tables, fields of another kind of game, and those that the
//! rules find in the round.

mod asked;
mod findings;

use meterhouse_api::paytable::NotInSource;
use meterhouse_api::round_settlement::{
    ChosenTable, LimitInForce, LinePaid, PlacedWager, RoundSettlement, RoundTotals, SettledSeat,
    SettledWager, SettlementRequest,
};
use meterhouse_api::text::Text;
use meterhouse_catalogue::{Catalogue, FixedSheet};
use meterhouse_domain::fixed::settle as rules;
use meterhouse_domain::fixed::settle::{Mistake, RolledGame, SettledRound, settle, settle_rolled};
use meterhouse_domain::fixed::table::FixedTable;
use meterhouse_domain::fixed::wager::RoundWager;
use meterhouse_domain::ids::PaytableId;
use meterhouse_domain::money::{Money, OutOfRange};

pub use findings::{FINDING_CODES, RoundFinding, RoundRefused};

/// Returns the settlement of a round by the catalogue's tables.
///
/// # Errors
/// All mistakes in the round and its tables, if there are any.
pub fn settlement(
    catalogue: &Catalogue,
    request: &SettlementRequest,
) -> Result<RoundSettlement, RoundRefused> {
    let mut findings = Vec::new();
    let mut chosen: Vec<(&FixedSheet, &FixedTable)> = Vec::with_capacity(request.tables.len());
    for (index, id) in request.tables.iter().enumerate() {
        match table(catalogue, id) {
            Ok(found) => chosen.push(found),
            Err((code, detail)) => findings.push(RoundFinding {
                path: format!("tables[{index}]"),
                code,
                detail,
            }),
        }
    }
    let tables: Vec<&FixedTable> = chosen.iter().map(|(_, table)| *table).collect();
    let rolled = rolled_game(request);
    let settled = match rolled {
        Some(game) => settle_rolled(&asked::rolled(request, game), &tables),
        None => settle(&asked::hands(request), &tables),
    };
    // Without a chosen table its wagers and its part of the limit can't be computed: these are no mistakes of their own.
    let is_whole = findings.is_empty();
    let follows = |mistake: &Mistake| {
        matches!(
            mistake,
            Mistake::TableMissing { .. } | Mistake::MostMissing { .. }
        )
    };
    let found = settled.as_ref().err().into_iter().flatten();
    let is_unknown = |mistake: &Mistake| matches!(mistake, Mistake::GameUnknown { .. });
    if !found.clone().any(|finding| is_unknown(&finding.mistake)) {
        findings.extend(asked::of_other_games(request, rolled));
    }
    let found = found.filter(|finding| is_whole || !follows(&finding.mistake));
    findings.extend(found.map(RoundFinding::of));
    match settled {
        Ok(settled) if findings.is_empty() => {
            shown(request, &chosen, &settled).map_err(|_| RoundRefused::beyond_range())
        }
        Ok(_) | Err(_) => Err(RoundRefused(findings)),
    }
}

/// Returns the game of a request, if it has no hands.
fn rolled_game(request: &SettlementRequest) -> Option<RolledGame> {
    RolledGame::named(request.game.as_str(), request.jurisdiction.name())
}

/// Returns the complete table of fixed wagers with this id; else the code and the sentence of the mistake.
fn table<'a>(
    catalogue: &'a Catalogue,
    id: &PaytableId,
) -> Result<(&'a FixedSheet, &'a FixedTable), (&'static str, String)> {
    let Some(sheet) = catalogue.fixed_sheet(id) else {
        let detail = if catalogue.sheet(id).is_some() {
            format!("{id} pays a progressive wager: write the id of a table of fixed wagers")
        } else {
            format!("there is no table {id}: write the id of a table of fixed wagers")
        };
        return Err((findings::TABLE_UNKNOWN, detail));
    };
    let table = catalogue.fixed(id).map(|table| (sheet, table));
    table.ok_or_else(|| {
        let missing = sheet.missing();
        let missing: Vec<String> = missing
            .map(|gap| format!("{} not in {}", gap.what, gap.place))
            .collect();
        let detail = format!(
            "{id} is incomplete ({}): put a file with this id that says the rest into the folder of own paytables",
            missing.join(", ")
        );
        (findings::TABLE_INCOMPLETE, detail)
    })
}

fn shown(
    request: &SettlementRequest,
    chosen: &[(&FixedSheet, &FixedTable)],
    settled: &SettledRound,
) -> Result<RoundSettlement, OutOfRange> {
    let totals = settled.totals()?;
    let limit = settled.limit.map(|(amount, clause)| LimitInForce {
        amount: Text(amount),
        clause: clause.to_owned(),
    });
    let seats = settled.seats.iter();
    let seats = seats.map(|seat| settled_seat(request, chosen, seat));
    Ok(RoundSettlement {
        game: request.game.clone(),
        jurisdiction: request.jurisdiction,
        tables: chosen
            .iter()
            .map(|(sheet, _)| chosen_table(sheet))
            .collect(),
        limit,
        seats: seats.collect::<Result<_, _>>()?,
        totals: RoundTotals {
            wagered: Text(totals.wagered),
            collected: Text(totals.collected),
            returned: Text(totals.returned),
            paid: Text(totals.paid),
        },
    })
}

fn chosen_table(sheet: &FixedSheet) -> ChosenTable {
    let gaps = sheet.gaps.iter();
    ChosenTable {
        table: Text(sheet.id.clone()),
        title: sheet.title.clone(),
        citation: sheet.citation.clone(),
        not_in_source: gaps
            .map(|gap| NotInSource {
                what: gap.what.name().to_owned(),
                place: gap.place.clone(),
                inferred_from: gap.inferred_from.clone(),
            })
            .collect(),
    }
}

fn settled_seat(
    request: &SettlementRequest,
    chosen: &[(&FixedSheet, &FixedTable)],
    settled: &rules::SettledSeat,
) -> Result<SettledSeat, OutOfRange> {
    let mut seats = request.seats.iter();
    let seat = seats.find(|sent| sent.seat == settled.seat.0);
    // Without hands, wagers stay in the order of the request, and one is told from another by what the player chose.
    let placed = seat.filter(|_| rolled_game(request).is_some());
    let placed = placed.map(|sent| &*sent.wagers).unwrap_or_default();
    let mut wagers = settled.wagers.iter();
    let chips = wagers.try_fold(Money::ZERO, |sum, wager| sum.plus(wager.chips()?))?;
    let wagers = settled.wagers.iter().enumerate();
    let wagers = wagers.map(|(place, wager)| settled_wager(chosen, wager, placed.get(place)));
    Ok(SettledSeat {
        seat: settled.seat.0,
        player: seat.and_then(|sent| sent.player.clone()),
        wagers: wagers.collect::<Result<_, _>>()?,
        chips: Text(chips),
    })
}

fn settled_wager(
    chosen: &[(&FixedSheet, &FixedTable)],
    settled: &rules::SettledWager,
    sent: Option<&PlacedWager>,
) -> Result<SettledWager, OutOfRange> {
    let line = settled.line.as_ref();
    Ok(SettledWager {
        wager: sent.map_or(Text(RoundWager::Fixed(settled.wager)), |sent| sent.wager),
        numbers: sent.map(asked::numbers).unwrap_or_default(),
        team: sent.and_then(|sent| sent.team),
        amount: Text(settled.amount),
        result: Text(settled.result),
        clause: settled.clause.to_owned(),
        line: line.map(|line| line_paid(chosen, line)),
        payout: Text(settled.payout),
        paid: Text(settled.paid),
        cut: settled.is_cut(),
        returned: Text(settled.returned),
        collected: Text(settled.collected),
        chips: Text(settled.chips()?),
    })
}

fn line_paid(chosen: &[(&FixedSheet, &FixedTable)], paid: &rules::LinePaid) -> LinePaid {
    let mut tables = chosen.iter().map(|(_, table)| *table);
    let table = tables.find(|table| table.id == paid.table);
    let pays = table.and_then(|table| {
        let line = table.lines.get(paid.index)?;
        Some(line.pays.text(table.basis))
    });
    LinePaid {
        table: Text(paid.table.clone()),
        citation: paid.citation.clone(),
        index: u32::try_from(paid.index).unwrap_or(u32::MAX),
        prints: paid.prints.clone(),
        pays: pays.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;

//! Settlement of a whole round without a table: the result, the pay and the chips of every wager.
//!
//! # Shape
//! HTTP and the program make a [`RoundAsked`] of a request by [`asked`], gRPC makes one of a message. [`settlement`] turns
//! it into a [`RoundSettlement`]. Nothing is counted, and no account is read or moved.
//!
//! # Errors
//! [`RoundRefused`] has all mistakes together: those of the chosen tables, and those that the rules find in the round.

mod findings;

use meterhouse_api::paytable::NotInSource;
use meterhouse_api::request::List;
use meterhouse_api::round_settlement::{
    ChosenTable, LimitInForce, LinePaid, RoundSettlement, RoundTotals, SeatPlayed, SettledSeat,
    SettledWager, SettlementRequest, TableTerms,
};
use meterhouse_api::text::Text;
use meterhouse_api::values::Card;
use meterhouse_api::words::Jurisdiction;
use meterhouse_catalogue::{Catalogue, FixedSheet};
use meterhouse_domain::card;
use meterhouse_domain::fixed::settle as rules;
use meterhouse_domain::fixed::settle::{Mistake, PlayedRound, SettledRound, settle};
use meterhouse_domain::fixed::table::FixedTable;
use meterhouse_domain::ids::PaytableId;
use meterhouse_domain::money::{Money, OutOfRange};
use meterhouse_domain::seat::Seat;

pub use findings::{FINDING_CODES, RoundFinding, RoundRefused};

/// A round to settle, with the tables that pay its wagers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundAsked {
    /// Jurisdiction of the round.
    pub jurisdiction: Jurisdiction,
    /// Round.
    pub round: PlayedRound,
    /// Ids of the chosen tables.
    pub tables: Vec<PaytableId>,
}

/// Returns the round of a request.
pub fn asked(request: SettlementRequest) -> RoundAsked {
    RoundAsked {
        jurisdiction: request.jurisdiction,
        tables: request.tables.0.into_iter().map(|id| id.0).collect(),
        round: PlayedRound {
            game: request.game.0,
            jurisdiction: request.jurisdiction.name().to_owned(),
            terms: terms(&request.terms),
            dealer: cards(request.dealer),
            community: cards(request.community),
            bonus: cards(request.bonus),
            seats: request.seats.0.into_iter().map(seat).collect(),
            void: request.void.map(|void| void.0),
        },
    }
}

fn terms(sent: &TableTerms) -> rules::TableTerms {
    rules::TableTerms {
        minimum: sent.minimum.0.0,
        step: sent.step.0.0,
        limit: sent.limit.map(|limit| limit.0.0),
        reading: sent.reading.map(|reading| reading.0),
        most_at_minimum: sent.most_at_minimum.map(|most| most.0.0),
    }
}

fn seat(sent: SeatPlayed) -> rules::SeatPlayed {
    let wagers = sent.wagers.0.into_iter();
    rules::SeatPlayed {
        seat: Seat(sent.seat),
        player: sent.player.map(|player| player.0),
        cards: cards(sent.cards),
        wagers: wagers
            .map(|placed| rules::PlacedWager {
                wager: placed.wager.0,
                amount: placed.amount.0.0,
            })
            .collect(),
        end: sent.end.map_or(rules::SeatEnd::Stayed, |end| end.0),
    }
}

fn cards<const MOST: usize>(sent: Option<List<Card, MOST>>) -> Vec<card::Card> {
    let cards = sent.unwrap_or_else(|| List(Vec::new())).0;
    cards.into_iter().map(|Text(card)| card).collect()
}

/// Returns the settlement of a round by the catalogue's tables.
///
/// # Errors
/// All mistakes in the round and its tables, if there are any.
pub fn settlement(
    catalogue: &Catalogue,
    asked: &RoundAsked,
) -> Result<RoundSettlement, RoundRefused> {
    let mut findings = Vec::new();
    let mut chosen: Vec<(&FixedSheet, &FixedTable)> = Vec::with_capacity(asked.tables.len());
    for (index, id) in asked.tables.iter().enumerate() {
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
    let settled = settle(&asked.round, &tables);
    // Without a chosen table its wagers and its part of the limit can't be computed: these are no mistakes of their own.
    let is_whole = findings.is_empty();
    let follows = |mistake: &Mistake| {
        matches!(
            mistake,
            Mistake::TableMissing { .. } | Mistake::MostMissing { .. }
        )
    };
    let found = settled.as_ref().err().into_iter().flatten();
    let found = found.filter(|finding| is_whole || !follows(&finding.mistake));
    findings.extend(found.map(RoundFinding::of));
    match settled {
        Ok(settled) if findings.is_empty() => {
            shown(asked, &chosen, &settled).map_err(|_| RoundRefused::beyond_range())
        }
        Ok(_) | Err(_) => Err(RoundRefused(findings)),
    }
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
    asked: &RoundAsked,
    chosen: &[(&FixedSheet, &FixedTable)],
    settled: &SettledRound,
) -> Result<RoundSettlement, OutOfRange> {
    let totals = settled.totals()?;
    let limit = settled.limit.map(|(amount, clause)| LimitInForce {
        amount: Text(amount),
        clause: clause.to_owned(),
    });
    let seats = settled.seats.iter();
    let seats = seats.map(|seat| settled_seat(asked, chosen, seat));
    Ok(RoundSettlement {
        game: Text(asked.round.game.clone()),
        jurisdiction: asked.jurisdiction,
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
    asked: &RoundAsked,
    chosen: &[(&FixedSheet, &FixedTable)],
    settled: &rules::SettledSeat,
) -> Result<SettledSeat, OutOfRange> {
    let mut seats = asked.round.seats.iter();
    let of_request = seats.find(|sent| sent.seat == settled.seat);
    let player = of_request.and_then(|sent| sent.player.clone());
    let mut wagers = settled.wagers.iter();
    let chips = wagers.try_fold(Money::ZERO, |sum, wager| sum.plus(wager.chips()?))?;
    let wagers = settled.wagers.iter();
    let wagers = wagers.map(|wager| settled_wager(chosen, wager));
    Ok(SettledSeat {
        seat: settled.seat.0,
        player: player.map(Text),
        wagers: wagers.collect::<Result<_, _>>()?,
        chips: Text(chips),
    })
}

fn settled_wager(
    chosen: &[(&FixedSheet, &FixedTable)],
    settled: &rules::SettledWager,
) -> Result<SettledWager, OutOfRange> {
    let line = settled.line.as_ref();
    Ok(SettledWager {
        wager: Text(settled.wager),
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

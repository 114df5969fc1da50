//! Settlement of a whole round: the result, the pay and the chips of every wager.
//!
//! # Shape
//! HTTP and the program read a [`SettlementRequest`], gRPC makes one of a message. [`settlement`] turns it into a
//! [`RoundSettlement`]: `asked` has the round as the rules take it, with hands or without. Nothing is counted, and no account
//! is read or moved.
//!
//! # Errors
//! [`RoundRefused`] has all mistakes together: those of the chosen tables, fields of another kind of game, and those that the
//! rules find in the round.

pub(crate) mod asked;
mod findings;

use std::borrow::Cow;

use meterhouse_api::paytable::NotInSource;
use meterhouse_api::round_settlement::{
    ChosenTable, LimitInForce, LinePaid, PlacedWager, RoundSettlement, RoundTotals, SettledSeat,
    SettledWager, SettlementRequest,
};
use meterhouse_api::text::Text;
use meterhouse_api::words::Jurisdiction;
use meterhouse_catalogue::{Catalogue, FixedSheet};
use meterhouse_domain::fixed::settle as rules;
use meterhouse_domain::fixed::settle::{
    Finding, Mistake, PlayedRound, RolledGame, SettledRound, settle, settle_rolled,
};
use meterhouse_domain::fixed::table::FixedTable;
use meterhouse_domain::fixed::wager::RoundWager;
use meterhouse_domain::ids::{GameName, PaytableId, PlayerName, ReadingName};
use meterhouse_domain::money::{Money, OutOfRange};
use meterhouse_domain::round_wagers::{Omission, PayingTable, SettledWagers};
use meterhouse_domain::seat::Seat;

pub use findings::{FINDING_CODES, RoundFinding, RoundRefused};

/// A seat of a round as its request has it.
pub(crate) struct SentSeat<'a> {
    /// Seat.
    pub(crate) seat: Seat,
    /// Player, if one was named.
    pub(crate) player: Option<&'a PlayerName>,
    /// Wagers in the order of the settled ones; none for a game with hands, whose wagers have an order of their own.
    pub(crate) placed: &'a [PlacedWager],
}

/// The game of a round, and the tables chosen for it.
struct Game<'a> {
    name: &'a GameName,
    jurisdiction: &'a str,
    players: usize,
    tables: Vec<&'a PaytableId>,
    /// True if the second readings of doubtful prints pay.
    is_read: bool,
}

/// Returns the settlement of a round by the catalogue's tables.
///
/// # Errors
/// All mistakes in the round and its tables, if there are any.
pub fn settlement(
    catalogue: &Catalogue,
    request: &SettlementRequest,
) -> Result<RoundSettlement, RoundRefused> {
    let rolled = RolledGame::named(request.game.as_str(), request.jurisdiction.name());
    let game = Game {
        name: &request.game.0,
        jurisdiction: request.jurisdiction.name(),
        players: request.seats.len(),
        tables: request.tables.iter().map(|id| &id.0).collect(),
        is_read: false,
    };
    let others = asked::of_other_games(request, rolled);
    let settled = settled(catalogue, &game, others, |tables| match rolled {
        Some(game) => settle_rolled(&asked::rolled(request, game), tables),
        None => settle(&asked::hands(request), tables),
    })?;
    let seats = request.seats.iter().map(|sent| SentSeat {
        seat: Seat(sent.seat),
        player: sent.player.as_ref().map(|player| &player.0),
        placed: if rolled.is_some() { &sent.wagers } else { &[] },
    });
    let seats: Vec<SentSeat<'_>> = seats.collect();
    shown(request.jurisdiction, &seats, &settled).map_err(|_| RoundRefused::beyond_range())
}

/// Returns the settled wagers of a round with hands, by the print or by the second readings of doubtful prints.
pub(crate) fn settled_hands(
    catalogue: &Catalogue,
    round: &PlayedRound,
    tables: &[PaytableId],
    is_read: bool,
    others: Vec<RoundFinding>,
) -> Result<SettledWagers, RoundRefused> {
    let game = Game {
        name: &round.game,
        jurisdiction: &round.jurisdiction,
        players: round.seats.len(),
        tables: tables.iter().collect(),
        is_read,
    };
    settled(catalogue, &game, others, |tables| settle(round, tables))
}

/// Returns the settled wagers of a round by the catalogue's tables. Their sums are in the range of money. `others` are the
/// fields of another kind of game; they are mistakes if the round's game is known.
fn settled(
    catalogue: &Catalogue,
    game: &Game<'_>,
    others: Vec<RoundFinding>,
    settle: impl FnOnce(&[&FixedTable]) -> Result<SettledRound, Vec<Finding>>,
) -> Result<SettledWagers, RoundRefused> {
    let mut findings = Vec::new();
    let mut chosen: Vec<Chosen<'_>> = Vec::with_capacity(game.tables.len());
    for (index, id) in game.tables.iter().enumerate() {
        match table(catalogue, game, id) {
            Ok(found) => chosen.push(found.of(game)),
            Err((code, detail)) => findings.push(RoundFinding {
                path: format!("tables[{index}]"),
                code,
                detail,
            }),
        }
    }
    let tables: Vec<&FixedTable> = chosen.iter().map(|one| one.table.as_ref()).collect();
    let settled = settle(&tables);
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
        findings.extend(others);
    }
    let found = found.filter(|finding| is_whole || !follows(&finding.mistake));
    findings.extend(found.map(RoundFinding::of));
    match settled {
        Ok(settled) if findings.is_empty() => {
            settled.totals().map_err(|_| RoundRefused::beyond_range())?;
            let pays = |one: &&Chosen<'_>| {
                let table = &one.table;
                table.is_for(game.name.as_str(), game.jurisdiction, game.players)
            };
            let paying_tables = chosen.iter().filter(pays);
            Ok(SettledWagers {
                game: game.name.clone(),
                tables: paying_tables.map(paying).collect(),
                round: settled,
            })
        }
        Ok(_) | Err(_) => Err(RoundRefused(findings)),
    }
}

/// A chosen table, with the lines that pay.
struct Chosen<'a> {
    sheet: &'a FixedSheet,
    table: Cow<'a, FixedTable>,
    reading: Option<&'a ReadingName>,
}

impl Chosen<'_> {
    /// Returns the table as it pays in this game: by its second reading, if readings pay and it has one.
    fn of(self, game: &Game<'_>) -> Self {
        let name = self.sheet.reading.as_ref().map(|reading| &reading.name);
        let name = name.filter(|_| game.is_read);
        match name.and_then(|name| Some((name, self.table.read_as(name)?))) {
            Some((name, read)) => Self {
                table: Cow::Owned(read),
                reading: Some(name),
                ..self
            },
            None => self,
        }
    }
}

fn paying(chosen: &Chosen<'_>) -> PayingTable {
    let sheet = chosen.sheet;
    let gaps = sheet.gaps.iter();
    PayingTable {
        id: sheet.id.clone(),
        title: sheet.title.clone(),
        citation: sheet.citation.clone(),
        omissions: gaps
            .map(|gap| Omission {
                what: gap.what.name().to_owned(),
                place: gap.place.clone(),
                inferred_from: gap.inferred_from.clone(),
            })
            .collect(),
        reading: chosen.reading.cloned(),
        returns: None,
    }
}

/// Returns the complete table of fixed wagers with this id; else the code and the sentence of the mistake. A table of the
/// round's game has to be of its jurisdiction.
fn table<'a>(
    catalogue: &'a Catalogue,
    game: &Game<'_>,
    id: &PaytableId,
) -> Result<Chosen<'a>, (&'static str, String)> {
    let Some(sheet) = catalogue.fixed_sheet(id) else {
        let what = if catalogue.sheet(id).is_some() {
            "pays a progressive wager"
        } else {
            "is no table"
        };
        let detail = format!(
            "{id} {what}: write the id of a table of fixed wagers (meterhouse paytable list has them)"
        );
        return Err((findings::TABLE_UNKNOWN, detail));
    };
    let (of_table, of_round) = (sheet.jurisdiction.as_str(), game.jurisdiction);
    if sheet.game == *game.name && of_table != of_round {
        let detail = format!(
            "{id} is a table of {of_table}: write one of {of_round}, where the round is played"
        );
        return Err((findings::TABLE_ELSEWHERE, detail));
    }
    let table = catalogue.fixed(id).map(|table| Chosen {
        sheet,
        table: Cow::Borrowed(table),
        reading: None,
    });
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

/// Returns settled wagers as clients receive them.
pub(crate) fn shown(
    jurisdiction: Jurisdiction,
    sent: &[SentSeat<'_>],
    wagers: &SettledWagers,
) -> Result<RoundSettlement, OutOfRange> {
    let settled = &wagers.round;
    let totals = settled.totals()?;
    let limit = settled.limit.as_ref();
    let limit = limit.map(|(amount, clause)| LimitInForce {
        amount: Text(*amount),
        clause: clause.to_string(),
    });
    let seats = settled.seats.iter();
    let seats = seats.map(|seat| settled_seat(sent, seat));
    Ok(RoundSettlement {
        game: Text(wagers.game.clone()),
        jurisdiction,
        tables: wagers.tables.iter().map(chosen_table).collect(),
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

fn chosen_table(table: &PayingTable) -> ChosenTable {
    let omissions = table.omissions.iter();
    ChosenTable {
        table: Text(table.id.clone()),
        title: table.title.clone(),
        citation: table.citation.clone(),
        not_in_source: omissions
            .map(|omission| NotInSource {
                what: omission.what.clone(),
                place: omission.place.clone(),
                inferred_from: omission.inferred_from.clone(),
            })
            .collect(),
        reading: table.reading.clone().map(Text),
    }
}

fn settled_seat(
    sent: &[SentSeat<'_>],
    settled: &rules::SettledSeat,
) -> Result<SettledSeat, OutOfRange> {
    let sent = sent.iter().find(|sent| sent.seat == settled.seat);
    let placed = sent.map(|sent| sent.placed).unwrap_or_default();
    let mut wagers = settled.wagers.iter();
    let chips = wagers.try_fold(Money::ZERO, |sum, wager| sum.plus(wager.chips()?))?;
    let wagers = settled.wagers.iter().enumerate();
    let wagers = wagers.map(|(place, wager)| settled_wager(wager, placed.get(place)));
    Ok(SettledSeat {
        seat: settled.seat.0,
        player: sent.and_then(|sent| sent.player.cloned()).map(Text),
        wagers: wagers.collect::<Result<_, _>>()?,
        chips: Text(chips),
    })
}

/// Returns a settled wager. `sent` has what the player chose with it, in a game without hands.
fn settled_wager(
    settled: &rules::SettledWager,
    sent: Option<&PlacedWager>,
) -> Result<SettledWager, OutOfRange> {
    Ok(SettledWager {
        wager: sent.map_or(Text(RoundWager::Fixed(settled.wager)), |sent| sent.wager),
        numbers: sent.map(asked::numbers).unwrap_or_default(),
        team: sent.and_then(|sent| sent.team),
        amount: Text(settled.amount),
        result: Text(settled.result),
        clause: settled.clause.to_string(),
        line: settled.line.as_ref().map(line_paid),
        payout: Text(settled.payout),
        paid: Text(settled.paid),
        cut: settled.is_cut(),
        returned: Text(settled.returned),
        collected: Text(settled.collected),
        chips: Text(settled.chips()?),
    })
}

fn line_paid(paid: &rules::LinePaid) -> LinePaid {
    LinePaid {
        table: Text(paid.table.clone()),
        citation: paid.citation.clone(),
        index: u32::try_from(paid.index).unwrap_or(u32::MAX),
        prints: paid.prints.clone(),
        pays: paid.pays.clone(),
    }
}

#[cfg(test)]
mod tests;

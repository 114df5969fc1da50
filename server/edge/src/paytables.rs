//! Lookup of paytables: complete ones, and those that an operator has to complete or confirm.

use std::collections::BTreeMap;

use meterhouse_api::paytable::NotInSource;
use meterhouse_catalogue::{Catalogue, Gap, Sheet};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::PaytableId;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::Paytable;

use crate::codes::EdgeCode;
use crate::wire_error::EdgeError;

/// A complete paytable with its source.
#[derive(Copy, Clone)]
pub struct Found<'a> {
    /// Paytable.
    pub paytable: &'a Paytable,
    /// Content of the paytable's file.
    pub sheet: &'a Sheet,
    /// Catalogue in which the paytable was found.
    pub catalogue: &'a Catalogue,
}

/// Returns the values that a sheet's source omits.
pub fn not_in_source(sheet: &Sheet) -> Vec<NotInSource> {
    let omitted = |gap: &Gap| NotInSource {
        what: gap.what.name().to_owned(),
        place: gap.place.clone(),
        inferred_from: gap.inferred_from.clone(),
    };
    sheet.gaps.iter().map(omitted).collect()
}

/// Returns the content of the file with this id.
///
/// # Errors
/// `unknown_paytable`; for a table of fixed wagers with the places that show it.
pub fn sheet<'a>(catalogue: &'a Catalogue, id: &PaytableId) -> Result<&'a Sheet, EdgeError> {
    let unknown = || match catalogue.fixed_sheet(id) {
        Some(fixed) => {
            let detail = format!(
                "{id} is a table of fixed wagers, without a meter: /v1/manual/{} has its lines and what it holds, and \
                 `meterhouse returns {id}` every figure",
                fixed.game
            );
            EdgeError::because(EdgeCode::UnknownPaytable, detail)
        }
        None => EdgeError::new(EdgeCode::UnknownPaytable),
    };
    catalogue
        .sheet(id)
        .ok_or_else(|| unknown().with("paytable", id))
}

/// Returns the paytable with this id.
///
/// # Errors
/// `unknown_paytable`; `incomplete_paytable` with every missing value.
pub fn whole<'a>(catalogue: &'a Catalogue, id: &PaytableId) -> Result<Found<'a>, EdgeError> {
    let sheet = sheet(catalogue, id)?;
    let found = catalogue.find(id).map(|paytable| Found {
        paytable,
        sheet,
        catalogue,
    });
    found.ok_or_else(|| incomplete(sheet))
}

/// Returns the error for an incomplete paytable.
pub(crate) fn incomplete(sheet: &Sheet) -> EdgeError {
    let missing = sheet.missing();
    incomplete_file(&sheet.id, missing.map(|gap| (gap.what.name(), &*gap.place)))
}

/// Returns the error for an incomplete file with these missing values, each with the clause that should have it.
pub(crate) fn incomplete_file<'a>(
    id: &PaytableId,
    missing: impl Iterator<Item = (&'static str, &'a str)>,
) -> EdgeError {
    let error = EdgeError::new(EdgeCode::IncompletePaytable).with("paytable", id);
    missing.fold(error, |error, (what, place)| {
        error.with(what, format_args!("not in {place}"))
    })
}

/// Returns the paytable with this id for a link or table. If its source omits values, the operator
/// must have confirmed them, and the citation then records the confirmation.
///
/// # Errors
/// As [`whole`]; `inferred_not_confirmed` with every inferred value.
pub fn confirmed(
    catalogue: &Catalogue,
    id: &PaytableId,
    confirms: bool,
) -> Result<Paytable, EdgeError> {
    let Found {
        paytable, sheet, ..
    } = whole(catalogue, id)?;
    let mut paytable = paytable.clone();
    if sheet.inferred().next().is_none() {
        return Ok(paytable);
    }
    if !confirms {
        let mut error = EdgeError::new(EdgeCode::InferredNotConfirmed).with("paytable", id);
        for gap in sheet.inferred() {
            let from = gap.inferred_from.as_deref().unwrap_or_default();
            error = error.with(
                gap.what.name(),
                format_args!("not in {}, as in {from}", gap.place),
            );
        }
        return Err(error);
    }
    paytable.citation = format!(
        "{}; confirmed by the operator: {}",
        paytable.citation,
        inferred(sheet)
    );
    Ok(paytable)
}

/// Decides the pay of a hand above the highest line if the source has no line for it: nothing, if
/// the operator states so. The citation then records the decision.
///
/// # Errors
/// `line_not_decided` with the hand; `invalid_value` for a hand that needs no decision.
pub fn decide_lines(
    sheet: &Sheet,
    pays_nothing: &[Hand],
    paytable: &mut Paytable,
) -> Result<(), EdgeError> {
    let undecided = sheet.undecided();
    let known = |hand: &&Hand| undecided.is_some() && **hand == Hand::RoyalFlush;
    if let Some(hand) = pays_nothing.iter().find(|hand| !known(hand)) {
        let detail = "pays_nothing names only hands that the paytable leaves to be decided";
        return Err(EdgeError::because(EdgeCode::InvalidValue, detail).with("pays_nothing", hand));
    }
    let Some(gap) = undecided else { return Ok(()) };
    if pays_nothing.is_empty() {
        return Err(EdgeError::new(EdgeCode::LineNotDecided)
            .with("paytable", &sheet.id)
            .with(gap.what.name(), format_args!("not in {}", gap.place)));
    }
    let citation = &mut paytable.citation;
    citation.push_str("; decided by the operator: royal-flush pays nothing");
    Ok(())
}

/// Returns the inferred values of a paytable as a list, source by source; empty if there are none.
pub fn inferred(sheet: &Sheet) -> String {
    let mut sources: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for gap in sheet.inferred() {
        let from = gap.inferred_from.as_deref().unwrap_or_default();
        sources.entry(from).or_default().push(gap.what.name());
    }
    let sources: Vec<String> = sources
        .into_iter()
        .map(|(from, parts)| format!("{} as in {from}", parts.join(", ")))
        .collect();
    sources.join("; ")
}

/// Refuses a wager at which a level would open or restart below its jurisdiction's minimum.
///
/// # Errors
/// `seed_below_minimum`.
pub fn seeds_suffice(sheet: &Sheet, wager: Money) -> Result<(), EdgeError> {
    for level in &sheet.outline.levels {
        let (Some(least), Some((seed, reseed))) = (level.seed_least, level.seeds) else {
            continue;
        };
        let too_much = |_| EdgeError::new(EdgeCode::InvalidAmount).with("wager", wager);
        let opens = wager.for_one(seed.min(reseed)).map_err(too_much)?;
        let least = Money::DOLLAR.for_one(least).map_err(too_much)?;
        if opens < least {
            return Err(EdgeError::new(EdgeCode::SeedBelowMinimum)
                .with("level", &level.name)
                .with("seed", opens)
                .with("least", least));
        }
    }
    Ok(())
}

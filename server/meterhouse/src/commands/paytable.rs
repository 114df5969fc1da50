//! `meterhouse paytable list | show | charge | check`

use std::path::Path;

use meterhouse_catalogue::{Catalogue, Sheet, describe};
use meterhouse_domain::name::PaytableId;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::paytables::{Found, whole};
use meterhouse_edge::returns::{Question, view};

use super::serve::catalogue;
use crate::cli::PaytableCommand;
use crate::failure::Failure;

pub(crate) fn run(command: PaytableCommand) -> Result<(), Failure> {
    match command {
        PaytableCommand::List { paytables } => list(paytables.as_deref()),
        PaytableCommand::Show { id, paytables } => show(&id, paytables.as_deref()),
        PaytableCommand::Charge { id, paytables } => charge(&id, paytables.as_deref()),
        PaytableCommand::Check { files } => check_files(&files),
    }
}

/// An id as it was written.
fn known(id: &str) -> Result<PaytableId, Failure> {
    id.parse().map_err(|_| unknown(id))
}

fn unknown(id: &str) -> Failure {
    Failure::Usage(format!(
        "there is no paytable {id:?}: `meterhouse paytable list` shows them all"
    ))
}

/// What the file of a paytable says.
pub(super) fn sheet<'a>(catalogue: &'a Catalogue, id: &str) -> Result<&'a Sheet, Failure> {
    catalogue.sheet(&known(id)?).ok_or_else(|| unknown(id))
}

/// A paytable by its id.
pub(super) fn find<'a>(catalogue: &'a Catalogue, id: &str) -> Result<Found<'a>, Failure> {
    match whole(catalogue, &known(id)?) {
        Ok(found) => Ok(found),
        Err(error) if error.code == EdgeCode::UnknownPaytable => Err(unknown(id)),
        Err(error) => Err(super::evaluate::usage(&error)),
    }
}

fn list(folder: Option<&Path>) -> Result<(), Failure> {
    for sheet in catalogue(folder)?.sheets() {
        let lacking: Vec<&str> = sheet.lacking().map(|it| it.what.name()).collect();
        let lacking = if lacking.is_empty() {
            String::new()
        } else {
            format!("; incomplete: {} not in the source", lacking.join(", "))
        };
        println!(
            "{:<32} {}  ({}{lacking})",
            sheet.id, sheet.title, sheet.citation
        );
    }
    Ok(())
}

fn show(id: &str, folder: Option<&Path>) -> Result<(), Failure> {
    let catalogue = catalogue(folder)?;
    print!("{}", describe(sheet(&catalogue, id)?));
    Ok(())
}

fn charge(id: &str, folder: Option<&Path>) -> Result<(), Failure> {
    let catalogue = catalogue(folder)?;
    let found = find(&catalogue, id)?;
    let worth =
        view(found, &Question::default()).map_err(|error| super::evaluate::usage(&error))?;
    match (worth.offer, worth.warning) {
        (Some(offer), _) => {
            print!("{}", offer.file);
            eprintln!(
                "{} returns {} in the long run; this returns {}: keep it as {}.toml in the folder that --paytables names",
                id, worth.long_run.percent, offer.long_run.percent, offer.paytable
            );
            Ok(())
        }
        (None, Some(warning)) => Err(Failure::Usage(format!("{id}: {warning}"))),
        (None, None) => Err(Failure::Usage(format!(
            "{id} returns {} in the long run, no more than the wager: there is nothing to charge to a meter",
            worth.long_run.percent
        ))),
    }
}

fn check_files(files: &[impl AsRef<Path>]) -> Result<(), Failure> {
    let ours = catalogue(None)?;
    let mut mistakes = 0;
    for file in files {
        let name = file.as_ref().display().to_string();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => {
                mistakes += 1;
                println!("{name}: can't be read: {error}");
                continue;
            }
        };
        match ours.check(&name, &text) {
            Ok(sheet) => println!("{name}: {} is well: {}", sheet.id, sheet.title),
            Err(errors) => {
                mistakes += errors.iter().count();
                println!("{errors}");
            }
        }
    }
    match mistakes {
        0 => Ok(()),
        1 => Err(Failure::Configuration("one mistake was found".into())),
        _ => Err(Failure::Configuration(format!(
            "{mistakes} mistakes were found"
        ))),
    }
}

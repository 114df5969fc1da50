//! `meterhouse paytable list | show | check`

use std::path::Path;

use meterhouse_catalogue::{Catalogue, check, describe};
use meterhouse_domain::name::PaytableId;
use meterhouse_domain::paytable::Paytable;

use super::serve::catalogue;
use crate::cli::PaytableCommand;
use crate::failure::Failure;

pub(crate) fn run(command: PaytableCommand) -> Result<(), Failure> {
    match command {
        PaytableCommand::List => list(),
        PaytableCommand::Show { id } => show(&id),
        PaytableCommand::Check { files } => check_files(&files),
    }
}

/// A paytable by its id.
pub(super) fn find<'a>(catalogue: &'a Catalogue, id: &str) -> Result<&'a Paytable, Failure> {
    let id_known = id.parse::<PaytableId>().ok();
    let found = id_known.and_then(|it| catalogue.find(&it));
    found.ok_or_else(|| {
        Failure::Usage(format!(
            "there is no paytable {id:?}: `meterhouse paytable list` shows them all"
        ))
    })
}

fn list() -> Result<(), Failure> {
    for paytable in catalogue(None)?.iter() {
        println!(
            "{:<32} {}  ({})",
            paytable.id, paytable.title, paytable.citation
        );
    }
    Ok(())
}

fn show(id: &str) -> Result<(), Failure> {
    let catalogue = catalogue(None)?;
    print!("{}", describe(find(&catalogue, id)?));
    Ok(())
}

fn check_files(files: &[impl AsRef<Path>]) -> Result<(), Failure> {
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
        match check(&name, &text) {
            Ok(paytable) => println!("{name}: {} is well: {}", paytable.id, paytable.title),
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

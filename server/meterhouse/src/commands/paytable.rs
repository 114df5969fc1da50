//! `meterhouse paytable list | show | compare | charge | check`

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use meterhouse_api::fixed::FixedTable;
use meterhouse_api::paytable::PaytablePage;
use meterhouse_catalogue::{Catalogue, FixedSheet, Sheet, describe, describe_fixed};
use meterhouse_domain::ids::PaytableId;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::comparison::comparison;
use meterhouse_edge::fixed::fixed_table;
use meterhouse_edge::paytables::{Found, inferred, whole};
use meterhouse_edge::returns::{Question, paytable_returns};
use meterhouse_http::paytable_list;
use meterhouse_journal::terms::content_version;
use serde::Serialize;

use super::serve::catalogue;
use crate::cli::PaytableCommand;
use crate::failure::Failure;
use crate::output::{self, out, outln};

/// A file that was checked, as JSON.
#[derive(Serialize)]
struct CheckedFile {
    /// Name of the file, as given.
    file: String,
    /// Id of the file's paytable; absent if the file has mistakes.
    paytable: Option<String>,
    /// Mistakes, each with its line.
    mistakes: Vec<String>,
}

/// All files of the catalogue, as JSON.
#[derive(Serialize)]
struct Listed {
    /// Paytables of progressive wagers.
    #[serde(flatten)]
    paytables: PaytablePage,
    /// Tables of fixed wagers.
    fixed: Vec<FixedTable>,
}

pub(crate) fn run(command: PaytableCommand, json: bool) -> Result<(), Failure> {
    match command {
        PaytableCommand::List { paytables } => list(paytables.as_deref(), json),
        PaytableCommand::Show { id, paytables } => show(&id, paytables.as_deref(), json),
        PaytableCommand::Compare {
            first,
            second,
            paytables,
        } => compare(&first, &second, paytables.as_deref(), json),
        PaytableCommand::Charge {
            id,
            write,
            paytables,
        } => charge(&id, write.as_deref(), paytables.as_deref(), json),
        PaytableCommand::Check { files } => check_files(&files, json),
    }
}

/// Parses an id.
fn parse_id(id: &str) -> Result<PaytableId, Failure> {
    id.parse().map_err(|_| unknown(id))
}

fn unknown(id: &str) -> Failure {
    Failure::Usage(format!(
        "there is no paytable {id:?}: `meterhouse paytable list` shows them all"
    ))
}

/// Returns the content of a paytable's file.
pub(super) fn sheet<'a>(catalogue: &'a Catalogue, id: &str) -> Result<&'a Sheet, Failure> {
    let sheet = catalogue.sheet(&parse_id(id)?);
    sheet.ok_or_else(|| no_paytable(catalogue, id))
}

/// Returns the content of the file of fixed wagers with this id, if it is one.
pub(super) fn fixed_sheet<'a>(catalogue: &'a Catalogue, id: &str) -> Option<&'a FixedSheet> {
    catalogue.fixed_sheet(&id.parse().ok()?)
}

/// Returns the failure for an id without a paytable of a progressive wager.
fn no_paytable(catalogue: &Catalogue, id: &str) -> Failure {
    if fixed_sheet(catalogue, id).is_none() {
        return unknown(id);
    }
    Failure::Usage(format!(
        "{id} is a table of fixed wagers, without a meter: `meterhouse paytable show {id}` shows it, and \
         `meterhouse returns {id}` what it holds"
    ))
}

/// Returns a paytable by its id.
pub(super) fn find<'a>(catalogue: &'a Catalogue, id: &str) -> Result<Found<'a>, Failure> {
    match whole(catalogue, &parse_id(id)?) {
        Ok(found) => Ok(found),
        Err(error) if error.code == EdgeCode::UnknownPaytable => Err(no_paytable(catalogue, id)),
        Err(error) => Err(Failure::asked(&error)),
    }
}

fn list(folder: Option<&Path>, json: bool) -> Result<(), Failure> {
    let catalogue = catalogue(folder)?;
    if json {
        return output::json(&Listed {
            paytables: paytable_list(&catalogue),
            fixed: catalogue.fixed_sheets().map(fixed_table).collect(),
        });
    }
    for sheet in catalogue.sheets() {
        let missing = incomplete(sheet.missing().map(|gap| gap.what.name()));
        listed(&sheet.id, &sheet.title, &sheet.citation, &missing);
    }
    for sheet in catalogue.fixed_sheets() {
        let missing = incomplete(sheet.missing().map(|gap| gap.what.name()));
        let notes = format!("; fixed odds{missing}");
        listed(&sheet.id, &sheet.title, &sheet.citation, &notes);
    }
    Ok(())
}

fn listed(id: &PaytableId, title: &str, citation: &str, notes: &str) {
    outln!("{id:<32} {title}  ({citation}{notes})");
}

fn incomplete<'a>(missing: impl Iterator<Item = &'a str>) -> String {
    let missing: Vec<&str> = missing.collect();
    if missing.is_empty() {
        return String::new();
    }
    format!("; incomplete: {} not in the source", missing.join(", "))
}

fn show(id: &str, folder: Option<&Path>, json: bool) -> Result<(), Failure> {
    let catalogue = catalogue(folder)?;
    if let Some(sheet) = fixed_sheet(&catalogue, id) {
        if json {
            return output::json(&fixed_table(sheet));
        }
        out!("{}", describe_fixed(sheet));
        return Ok(());
    }
    let sheet = sheet(&catalogue, id)?;
    if json {
        return output::json(&meterhouse_http::paytable(sheet));
    }
    out!("{}", describe(sheet));
    if let Some(paytable) = sheet.paytable() {
        outln!(
            "\nVersion of the content: {}",
            content_version(&paytable.content)
        );
    }
    Ok(())
}

fn compare(first: &str, second: &str, folder: Option<&Path>, json: bool) -> Result<(), Failure> {
    let catalogue = catalogue(folder)?;
    let (one, other) = (find(&catalogue, first)?, find(&catalogue, second)?);
    let compared = comparison(one, other);
    if json {
        return output::json(&compared);
    }
    let verdict = if compared.may_share {
        "may share a link, at one wager and with the same decks"
    } else {
        "may not share a link"
    };
    outln!(
        "{first} ({}) and {second} ({}) {verdict}",
        compared.paytable.citation,
        compared.with.citation
    );
    for difference in &compared.differences {
        outln!(
            "{}: {first} has {}; {second} has {}",
            difference.field,
            difference.first,
            difference.second
        );
    }
    for (id, found) in [(first, one), (second, other)] {
        let inferred = inferred(found.sheet);
        if !inferred.is_empty() {
            outln!("{id}: not in the source, for the operator to confirm: {inferred}");
        }
    }
    Ok(())
}

fn charge(
    id: &str,
    write: Option<&Path>,
    folder: Option<&Path>,
    json: bool,
) -> Result<(), Failure> {
    let catalogue = catalogue(folder)?;
    let found = find(&catalogue, id)?;
    let worth = paytable_returns(found, &Question::default());
    let worth = worth.map_err(|error| Failure::asked(&error))?;
    let long_run = worth.long_run.percent;
    let Some(offer) = worth.offer else {
        let why = worth.warning.unwrap_or_else(|| {
            format!("it returns {long_run} in the long run, no more than the wager: nothing has to be charged to a level")
        });
        return Err(Failure::Usage(format!("{id}: {why}")));
    };
    let file = format!("{}.toml", offer.paytable);
    let kept = if let Some(folder) = write {
        let path = folder.join(&file);
        write_new(&path, &offer.file)?;
        format!("written to {}", path.display())
    } else {
        if !json {
            out!("{}", offer.file);
        }
        format!("keep it as {file} in the folder that --paytables names")
    };
    if json {
        return output::json(&offer);
    }
    eprintln!(
        "{id} returns {long_run} in the long run; this returns {}: {kept}",
        offer.long_run.percent
    );
    Ok(())
}

fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let file = File::options().write(true).create_new(true).open(path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| {
        let path = path.display();
        Failure::Configuration(format!(
            "can't write {path}: {error}; a file that is there is left alone"
        ))
    })
}

fn check_files(files: &[impl AsRef<Path>], json: bool) -> Result<(), Failure> {
    let ours = catalogue(None)?;
    let mut checked = Vec::new();
    for file in files {
        let name = file.as_ref().display().to_string();
        let found = match std::fs::read_to_string(file) {
            Err(error) if error.kind() == ErrorKind::IsADirectory => Err(vec![format!(
                "{name}: a folder: name its files, as {name}/*.toml does"
            )]),
            Err(error) => Err(vec![format!(
                "{name}: can't be read ({error}): name a file of UTF-8 text"
            )]),
            Ok(text) => match ours.check_either(&name, &text) {
                Ok(checked) => Ok((checked.id().to_string(), checked.title().to_owned())),
                Err(errors) => Err(errors.iter().map(ToString::to_string).collect()),
            },
        };
        if !json {
            match &found {
                Ok((id, title)) => outln!("{name}: {id} is well: {title}"),
                Err(mistakes) => outln!("{}", mistakes.join("\n")),
            }
        }
        let (paytable, mistakes) = match found {
            Ok((id, _)) => (Some(id), Vec::new()),
            Err(mistakes) => (None, mistakes),
        };
        checked.push(CheckedFile {
            file: name,
            paytable,
            mistakes,
        });
    }
    if json {
        output::json(&checked)?;
    }
    match checked.iter().map(|file| file.mistakes.len()).sum() {
        0 => Ok(()),
        1 => Err(Failure::Configuration("one mistake was found".into())),
        mistakes => Err(Failure::Configuration(format!(
            "{mistakes} mistakes were found"
        ))),
    }
}

//! Reading the text of one file: its size, its syntax, and the facts that all kinds of files have.

use meterhouse_domain::ids::PaytableId;
use toml::Spanned;
use toml::de::{DeTable, Error as SyntaxError};

use crate::error::{CatalogueError, CatalogueErrors};
use crate::reader::{Section, Value};
use crate::report::Report;

/// Version of the file format that is read.
pub const FORMAT: u32 = 1;
/// Size of the longest file, bytes.
pub const FILE_BYTES_MAX: usize = 64 * 1024;

/// Reads one file. `content` reads its sections; it receives the file's name without the ending.
pub(crate) fn read<T>(
    file: &str,
    text: &str,
    content: impl FnOnce(&Section<'_>, &str) -> Option<T>,
) -> Result<T, CatalogueErrors> {
    if text.len() > FILE_BYTES_MAX {
        let message = format!("{} bytes: write at most {FILE_BYTES_MAX}", text.len());
        return Err(CatalogueErrors(vec![CatalogueError::whole_file(
            file, message,
        )]));
    }
    let (root, mut syntax) = DeTable::parse_recoverable(text);
    forgive_day(root.get_ref(), &mut syntax);
    if root.get_ref().is_empty() && syntax.is_empty() {
        let message =
            "the file is empty: write a paytable, or a table of fixed wagers with kind = \"fixed\"";
        return Err(CatalogueErrors(vec![CatalogueError::whole_file(
            file,
            message.to_owned(),
        )]));
    }
    let report = Report::new(file, text, root.get_ref(), &syntax);
    let read = of_known_format(&Section::root(&report, root.get_ref()), |root| {
        content(root, stem(file))
    });
    let errors = report.into_errors();
    match read {
        Some(read) if errors.is_empty() => Ok(read),
        _ => Err(CatalogueErrors(errors)),
    }
}

/// Reads the content of a file of the known format. A file of another one can't be judged any further.
fn of_known_format<T>(
    root: &Section<'_>,
    content: impl FnOnce(&Section<'_>) -> Option<T>,
) -> Option<T> {
    let format = root.required("format", "1");
    if let Some(format) = format.filter(|format| !format.is_whole(FORMAT)) {
        return format.wrong(format!("{FORMAT}, the only format there is"));
    }
    content(root)
}

/// Removes the parser's error about an impossible day. [`Value::day`] has a better message, and the rest of the file
/// is whole.
fn forgive_day(root: &DeTable<'_>, syntax: &mut Vec<SyntaxError>) {
    let day = root
        .get("effective")
        .filter(|day| day.get_ref().is_datetime())
        .map(Spanned::span);
    syntax.retain(|error| day.is_none() || error.span() != day);
}

/// Returns the name of a file without its folder and ending.
pub(crate) fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.strip_suffix(".toml").unwrap_or(name)
}

/// Reads a required text.
pub(crate) fn text(root: &Section<'_>, key: &'static str, example: &str) -> Option<String> {
    root.required(key, example)
        .and_then(Value::text)
        .map(str::to_owned)
}

/// Reads an id, which has to be the file's name.
pub(crate) fn id(value: Value<'_>, stem: &str) -> Option<PaytableId> {
    let id: PaytableId = value.name()?;
    if id.as_str() != stem {
        return value.wrong(format!(
            "\"{stem}\", as the file is called, or rename the file"
        ));
    }
    Some(id)
}

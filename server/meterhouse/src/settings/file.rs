//! The file of settings: strict TOML, with the place of every mistake.
//!
//! # Limits
//! A file has at most [`FILE_BYTES_MAX`] bytes.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::key::{Form, Setting};
use super::layer::{Found, Layer};
use super::mistake::{Mistake, Origin};

/// Size of the longest file, in bytes.
pub(crate) const FILE_BYTES_MAX: usize = 1_048_576;
/// Most edits from a mistyped key to the key that a message suggests.
const EDITS_MAX: usize = 4;

/// Separator of a list in a flag or variable.
pub(crate) const LIST_SEPARATOR: &str = ",";
const LIST_INSTEAD: &str = "a list of texts without commas, as in [\"one\", \"two\"]";

/// The text of a file.
#[derive(Clone, Debug)]
pub(crate) struct FileText {
    /// Path, for messages.
    pub(crate) path: PathBuf,
    /// Content.
    pub(crate) text: String,
}

/// A reader of one file, which finds all mistakes.
struct Reader<'a> {
    file: &'a FileText,
    all: &'a [&'a dyn Setting],
    layer: Layer,
    mistakes: &'a mut Vec<Mistake>,
}

/// Reads a file. Values that are wrong only for their setting are found later.
pub(crate) fn read(file: &FileText, all: &[&dyn Setting], mistakes: &mut Vec<Mistake>) -> Layer {
    let mut reader = Reader {
        file,
        all,
        layer: Layer::new(),
        mistakes,
    };
    if file.text.len() > FILE_BYTES_MAX {
        reader.wrong(0, format!("the file is longer than {FILE_BYTES_MAX} bytes"));
        return reader.layer;
    }
    let (root, errors) = DeTable::parse_recoverable(&file.text);
    for error in &errors {
        let at = error.span().map_or(file.text.len(), |span| span.start);
        reader.wrong(at, format!("not TOML: {}", error.message()));
    }
    // A broken line can hide the rest of its table, and make up keys.
    if errors.is_empty() {
        reader.sections(root.get_ref());
    }
    reader.layer
}

impl Reader<'_> {
    fn sections(&mut self, root: &DeTable<'_>) {
        for (section, value) in root {
            let name = section.get_ref();
            match value.get_ref() {
                DeValue::Table(table) if self.has_section(name) => {
                    for (key, value) in table {
                        self.value(&format!("{name}.{}", key.get_ref()), key, value);
                    }
                }
                _ => self.unknown(name, section),
            }
        }
    }

    fn has_section(&self, name: &str) -> bool {
        let mut all = self.all.iter();
        all.any(|setting| setting.described().section() == name)
    }

    fn value(&mut self, name: &str, key: &Spanned<impl Sized>, value: &Spanned<DeValue<'_>>) {
        let mut named = None;
        for setting in self.all {
            let described = setting.described();
            let secret = described.secret_file.as_ref().map(|secret| secret.name);
            if described.name == name {
                named = Some((described.name, described.form));
            } else if secret == Some(name) {
                named = secret.map(|secret| (secret, Form::Path));
            }
        }
        let Some((name, form)) = named else {
            return self.unknown(name, key);
        };
        let at = value.span().start;
        match text(value.get_ref(), form) {
            Ok(text) => {
                let origin = self.origin(at);
                self.layer.insert(name, Found { text, origin });
            }
            Err(instead) => self.wrong(at, format!("{name}: write {instead}")),
        }
    }

    /// Records an unknown name, with the most similar known one.
    fn unknown(&mut self, name: &str, key: &Spanned<impl Sized>) {
        let all = self.all.iter().map(|setting| setting.described());
        let known = all.flat_map(|described| {
            let secret = described.secret_file.as_ref().map(|secret| secret.name);
            [Some(described.name), secret, Some(described.section())]
        });
        let edits = known
            .flatten()
            .map(|known| (strsim::osa_distance(name, known), known));
        let message = match edits.min() {
            Some((edits, known)) if edits <= EDITS_MAX => {
                format!("unknown key `{name}`: is it `{known}`?")
            }
            _ => format!("unknown key `{name}`: `meterhouse config example` prints all keys"),
        };
        self.wrong(key.span().start, message);
    }

    fn wrong(&mut self, at: usize, message: String) {
        let origin = self.origin(at);
        self.mistakes.push(Mistake { origin, message });
    }

    /// Returns the line and column of a byte.
    fn origin(&self, at: usize) -> Origin {
        let before = self.file.text.get(..at).unwrap_or(&self.file.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let in_line = before.get(line_start..).unwrap_or_default();
        Origin::File {
            path: self.file.path.clone(),
            line: before.matches('\n').count() + 1,
            column: in_line.chars().count() + 1,
        }
    }
}

/// Returns the text of a value, or what to write instead.
fn text(value: &DeValue<'_>, form: Form) -> Result<String, &'static str> {
    match (form, value) {
        (Form::Text, DeValue::String(text)) => Ok(text.to_string()),
        (Form::Text, _) => Err("a text in quotes"),
        (Form::Path, DeValue::String(path)) if Path::new(path.as_ref()).is_absolute() => {
            Ok(path.to_string())
        }
        (Form::Path, _) => Err("an absolute path in quotes"),
        (Form::Boolean, DeValue::Boolean(value)) => Ok(value.to_string()),
        (Form::Boolean, _) => Err("true or false"),
        (Form::List, DeValue::Array(list)) => {
            let texts = list.iter().map(|item| item.get_ref().as_str());
            let texts: Option<Vec<&str>> = texts.collect();
            texts
                .filter(|texts| !texts.iter().any(|text| text.contains(LIST_SEPARATOR)))
                .map(|texts| texts.join(LIST_SEPARATOR))
                .ok_or(LIST_INSTEAD)
        }
        (Form::List, _) => Err(LIST_INSTEAD),
    }
}

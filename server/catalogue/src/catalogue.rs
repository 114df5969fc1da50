//! The catalogue of paytables by id and of games, from the binary and from an operator's folder.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use meterhouse_domain::fixed::table::FixedTable;
use meterhouse_domain::ids::{GameName, PaytableId};
use meterhouse_domain::paytable::Paytable;

use crate::check::{self, Known};
use crate::compiled;
use crate::entry::{Entry, FixedEntry};
use crate::error::{CatalogueError, CatalogueErrors};
use crate::file::{self, FILE_BYTES_MAX};
use crate::fixed::{self, FixedSheet};
use crate::game::{self, GameSheet};
use crate::sheet::Sheet;

/// Number of files that an operator's folder may hold.
pub const FILES_MAX: usize = 1_000;

/// Checked paytables by id, and the games.
#[derive(Clone, Debug)]
pub struct Catalogue {
    by_id: BTreeMap<PaytableId, Entry>,
    /// Sheets of the compiled-in files, without an operator's completions.
    ours: Arc<[Sheet]>,
    fixed_by_id: BTreeMap<PaytableId, FixedEntry>,
    /// Sheets of the compiled-in files of fixed wagers, without an operator's completions.
    our_fixed: Arc<[FixedSheet]>,
    games: Vec<GameSheet>,
}

impl Catalogue {
    /// Returns the paytables that are part of the binary.
    ///
    /// # Errors
    /// The mistakes in the compiled-in files; a test proves that there are none.
    pub fn compiled_in() -> Result<Self, CatalogueErrors> {
        let files = compiled::FILES.iter().chain(compiled::FIXED);
        let files = files.map(|(file, text)| {
            let text: io::Result<Cow<'static, str>> = Ok(Cow::Borrowed(*text));
            ((*file).to_owned(), text)
        });
        let nothing = Self {
            by_id: BTreeMap::new(),
            ours: Arc::new([]),
            fixed_by_id: BTreeMap::new(),
            our_fixed: Arc::new([]),
            games: game::compiled_in()?,
        };
        let (catalogue, refused) = nothing.with_files(files);
        let ours = catalogue.sheets().cloned().collect();
        let our_fixed = catalogue.fixed_sheets().cloned().collect();
        let catalogue = Self {
            ours,
            our_fixed,
            ..catalogue
        };
        none_refused(catalogue, refused)
    }

    /// Adds the operator's files: every `*.toml` of this folder, without its subfolders.
    ///
    /// # Errors
    /// All mistakes in all files, such as an id that is already taken; the folder or a file that can't be read.
    pub fn with_folder(self, folder: &Path) -> Result<Self, CatalogueErrors> {
        let (catalogue, refused) = self.with_usable_of(folder)?;
        none_refused(catalogue, refused)
    }

    /// Adds the operator's usable files, and returns the refused ones.
    ///
    /// # Errors
    /// The folder that can't be read, or that is no folder of paytables.
    pub fn with_usable_of(self, folder: &Path) -> Result<(Self, Vec<Refused>), CatalogueErrors> {
        let name = folder.display().to_string();
        let refused = |message| CatalogueErrors(vec![CatalogueError::whole_file(&name, message)]);
        let paths = toml_files(folder).map_err(|error| {
            refused(format!(
                "the folder can't be read ({error}): name a folder that can"
            ))
        })?;
        if paths.len() > FILES_MAX {
            let count = paths.len();
            return Err(refused(format!(
                "{count} files: keep at most {FILES_MAX} in the folder"
            )));
        }
        let files = paths.into_iter().map(|path| {
            let text = text_of(&path).map(Cow::Owned);
            (path.display().to_string(), text)
        });
        Ok(self.with_files(files))
    }

    /// Adds a file that the program contains.
    ///
    /// # Errors
    /// All mistakes in the file, such as an id that is already taken.
    pub fn with_file(self, file: &str, text: &'static str) -> Result<Self, CatalogueErrors> {
        let file = (file.to_owned(), Ok(Cow::Borrowed(text)));
        let (catalogue, refused) = self.with_files(std::iter::once(file));
        none_refused(catalogue, refused)
    }

    /// Returns the paytable with this id, if it is complete.
    pub fn find(&self, id: &PaytableId) -> Option<&Paytable> {
        self.by_id.get(id).and_then(|entry| entry.paytable.as_ref())
    }

    /// Returns the sheet of the file with this id.
    pub fn sheet(&self, id: &PaytableId) -> Option<&Sheet> {
        self.by_id.get(id).map(|entry| &entry.sheet)
    }

    /// Returns all complete paytables in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Paytable> {
        self.by_id
            .values()
            .filter_map(|entry| entry.paytable.as_ref())
    }

    /// Returns the compiled-in sheet of a game; nothing for a game of the operator's own.
    pub fn game(&self, name: &GameName) -> Option<&GameSheet> {
        self.games.iter().find(|game| game.name == name.as_str())
    }

    /// Returns the sheets of all files in the order of their ids.
    pub fn sheets(&self) -> impl Iterator<Item = &Sheet> {
        self.by_id.values().map(|entry| &entry.sheet)
    }

    /// Returns the table of fixed wagers with this id, if it is complete.
    pub fn fixed(&self, id: &PaytableId) -> Option<&FixedTable> {
        let entry = self.fixed_entry(id);
        entry.and_then(|entry| entry.table.as_ref())
    }

    /// Returns all complete tables of fixed wagers in the order of their ids.
    pub fn fixed_tables(&self) -> impl Iterator<Item = &FixedTable> {
        let entries = self.fixed_by_id.values();
        entries.filter_map(|entry| entry.table.as_ref())
    }

    /// Returns the sheet of the file of fixed wagers with this id.
    pub fn fixed_sheet(&self, id: &PaytableId) -> Option<&FixedSheet> {
        self.fixed_entry(id).map(|entry| &entry.sheet)
    }

    pub(crate) fn fixed_entry(&self, id: &PaytableId) -> Option<&FixedEntry> {
        self.fixed_by_id.get(id)
    }

    /// Returns the sheets of all files of fixed wagers in the order of their ids.
    pub fn fixed_sheets(&self) -> impl Iterator<Item = &FixedSheet> {
        self.fixed_by_id.values().map(|entry| &entry.sheet)
    }

    /// Returns the text of the file with this id, of either kind.
    pub fn source(&self, id: &PaytableId) -> Option<&str> {
        let paytable = self.by_id.get(id).map(|entry| &entry.source);
        let fixed = self.fixed_by_id.get(id).map(|entry| &entry.source);
        paytable.or(fixed).map(AsRef::as_ref)
    }

    /// Reads and checks the text of one paytable file of the operator's against the files that are loaded.
    ///
    /// # Errors
    /// All mistakes in the file, such as an id that is already taken, or that it is a file of fixed wagers.
    pub fn check(&self, file_name: &str, text: &str) -> Result<Sheet, CatalogueErrors> {
        match self.check_either(file_name, text)? {
            Checked::Paytable(sheet) => Ok(*sheet),
            Checked::Fixed(_) => {
                let message =
                    "a table of fixed wagers: write a paytable of a progressive wager here";
                Err(CatalogueErrors(vec![CatalogueError::whole_file(
                    file_name,
                    message.to_owned(),
                )]))
            }
        }
    }

    /// Reads and checks the text of one file of the operator's, of either kind, against the files that are loaded.
    ///
    /// # Errors
    /// All mistakes in the file, such as an id that is already taken.
    pub fn check_either(&self, file_name: &str, text: &str) -> Result<Checked, CatalogueErrors> {
        let paytables = Known {
            sheets: &self.by_id,
            ours: &self.ours,
            is_fixed: &|id| self.fixed_by_id.contains_key(id),
        };
        let fixed = fixed::Known {
            find: &|id| self.fixed_sheet(id),
            ours: &self.our_fixed,
            is_paytable: &|id| self.by_id.contains_key(id),
        };
        read_either(file_name, text, paytables, fixed)
    }

    fn with_files(
        mut self,
        files: impl Iterator<Item = (String, io::Result<Cow<'static, str>>)>,
    ) -> (Self, Vec<Refused>) {
        let mut refused = Vec::new();
        for (file, text) in files {
            let read = match &text {
                Ok(source) => self.check_either(&file, source),
                Err(error) => {
                    let message =
                        format!("the file can't be read ({error}): write a short UTF-8 text");
                    Err(CatalogueErrors(vec![CatalogueError::whole_file(
                        &file, message,
                    )]))
                }
            };
            match (read, text) {
                (Ok(checked), Ok(source)) => self.insert(checked, source),
                (Err(errors), _) => refused.push(Refused {
                    id: file::stem(&file).to_owned(),
                    errors,
                }),
                // A file that can't be read has errors.
                (Ok(_), Err(_)) => {}
            }
        }
        (self, refused)
    }

    fn insert(&mut self, checked: Checked, source: Cow<'static, str>) {
        match checked {
            Checked::Paytable(sheet) => {
                let entry = Entry {
                    paytable: sheet.paytable(),
                    sheet: *sheet,
                    source,
                };
                self.by_id.insert(entry.sheet.id.clone(), entry);
            }
            Checked::Fixed(sheet) => {
                let entry = FixedEntry {
                    table: sheet.table(),
                    returned: Arc::default(),
                    sheet: *sheet,
                    source,
                };
                self.fixed_by_id.insert(entry.sheet.id.clone(), entry);
            }
        }
    }
}

/// The content of a file, by its kind.
#[derive(Clone, Debug)]
pub enum Checked {
    /// A paytable of a progressive wager.
    Paytable(Box<Sheet>),
    /// A table of fixed wagers.
    Fixed(Box<FixedSheet>),
}

impl Checked {
    /// Returns the id of the file.
    pub fn id(&self) -> &PaytableId {
        match self {
            Self::Paytable(sheet) => &sheet.id,
            Self::Fixed(sheet) => &sheet.id,
        }
    }

    /// Returns the title for people.
    pub fn title(&self) -> &str {
        match self {
            Self::Paytable(sheet) => &sheet.title,
            Self::Fixed(sheet) => &sheet.title,
        }
    }
}

fn read_either(
    file: &str,
    text: &str,
    paytables: Known<'_>,
    fixed: fixed::Known<'_>,
) -> Result<Checked, CatalogueErrors> {
    file::read(file, text, |root, stem| {
        if root.has("kind") {
            let sheet = fixed::sheet(root, stem, fixed)?;
            return Some(Checked::Fixed(Box::new(sheet)));
        }
        let sheet = check::sheet(root, stem, paytables)?;
        Some(Checked::Paytable(Box::new(sheet)))
    })
}

/// A file that can't be used.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Id of the file: its name without the ending.
    pub id: String,
    /// All mistakes in the file.
    pub errors: CatalogueErrors,
}

fn none_refused(catalogue: Catalogue, refused: Vec<Refused>) -> Result<Catalogue, CatalogueErrors> {
    if refused.is_empty() {
        return Ok(catalogue);
    }
    let errors = refused.into_iter().flat_map(|file| file.errors.0);
    Err(CatalogueErrors(errors.collect()))
}

/// Reads and checks the text of one paytable file, whose name must be its id.
///
/// # Errors
/// All mistakes in the file.
pub fn check(file_name: &str, text: &str) -> Result<Sheet, CatalogueErrors> {
    let nothing = Catalogue {
        by_id: BTreeMap::new(),
        ours: Arc::new([]),
        fixed_by_id: BTreeMap::new(),
        our_fixed: Arc::new([]),
        games: Vec::new(),
    };
    nothing.check(file_name, text)
}

/// Returns the paytable files of a folder in the order of their names.
fn toml_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
            && !path.is_dir()
        {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Reads the text of a file, at most one byte beyond the longest permitted file.
fn text_of(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    let most = u64::try_from(FILE_BYTES_MAX).unwrap_or(u64::MAX);
    fs::File::open(path)?
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() > FILE_BYTES_MAX {
        return Err(io::Error::other(format!(
            "more than {FILE_BYTES_MAX} bytes"
        )));
    }
    String::from_utf8(bytes).map_err(io::Error::other)
}

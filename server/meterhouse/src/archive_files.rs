//! The files of archived months in a folder: written, proven, and read by `verify`.
//!
//! # Order
//! A file is written under another name, synced, renamed, and its folder is synced. A file with its final name is whole.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use meterhouse_domain::ids::LinkId;
use meterhouse_engine::archive::{ArchiveError, copy_month, prove};
use meterhouse_journal::batch::Batch;
use meterhouse_journal::file_parts::FileError;
use meterhouse_journal::month::{IDENTITY_BYTES, MonthHeader, MonthTotals, MonthWriter};
use meterhouse_journal::month_reader::{MonthItem, MonthReader};
use meterhouse_store::verify::pieces::ArchivedBatches;
use meterhouse_store::{ArchiveRecord, KnownMonth, Month, RecordedState, Store, StoreError};

use crate::failure::Failure;

/// Identity of a database, as the header of a file has it.
pub(crate) type Identity = [u8; IDENTITY_BYTES];

/// Returns the path of a month's file.
pub(crate) fn path_of(folder: &Path, month: Month) -> PathBuf {
    folder.join(format!("meterhouse-{month}.archive"))
}

/// Returns the failure of a query about archived months.
pub(crate) fn unread(error: StoreError) -> Failure {
    Failure::database("could not read the archived months", error)
}

/// Writes the file of a month. Returns the states of its links after the month.
pub(crate) async fn write(
    store: &Store,
    month: Month,
    identity: Identity,
    path: &Path,
) -> Result<Vec<RecordedState>, ArchiveError> {
    let part = path.with_extension("part");
    let header = MonthHeader {
        identity,
        period: month.0,
    };
    let mut file = MonthWriter::new(BufWriter::new(File::create(&part)?), &header)?;
    let mut add = |item| match item {
        MonthItem::Link(link, _) => file.link(&link),
        MonthItem::Batch(batch, hash) => file.batch(&batch, hash),
        MonthItem::End(_) => Ok(()),
    };
    let states = copy_month(store, month, &mut add).await?;
    let (out, _) = file.finish()?;
    place_whole(out, &part, path)?;
    Ok(states)
}

/// Gives a written file its final name, once all of it is on the disk.
pub(crate) fn place_whole(out: BufWriter<File>, part: &Path, path: &Path) -> io::Result<()> {
    let out = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    out.sync_all()?;
    fs::rename(part, path)?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Reads a month's file and compares it with the database.
pub(crate) async fn prove_file(
    store: &Store,
    month: Month,
    identity: Identity,
    path: &Path,
) -> Result<MonthTotals, ArchiveError> {
    prove(store, month, identity, BufReader::new(File::open(path)?)).await
}

/// The files of a folder, for `verify`.
#[derive(Default)]
pub(crate) struct ArchiveFiles {
    months: BTreeMap<Month, MonthFile>,
    /// A sentence for each file that is not the one that was recorded.
    pub(crate) differences: Vec<String>,
}

/// A file with the offsets of its links.
struct MonthFile {
    path: PathBuf,
    header: MonthHeader,
    links: BTreeMap<LinkId, u64>,
    /// First defect of the file.
    defect: Option<FileError>,
    /// Link that is being read.
    current: Option<(LinkId, MonthReader<BufReader<File>>)>,
}

impl ArchiveFiles {
    /// Reads the files of the recorded months that are in the folder, each to its end.
    ///
    /// # Errors
    /// If a file can't be opened.
    pub(crate) fn open(
        folder: &Path,
        known: &[KnownMonth],
        identity: Identity,
    ) -> io::Result<Self> {
        // A folder that is not there must not look like one without files.
        fs::read_dir(folder)?;
        let mut files = Self::default();
        for month in known {
            let Some(record) = month.record else { continue };
            let path = path_of(folder, month.month);
            if path.try_exists()? {
                files.add(month.month, &record, identity, path)?;
            }
        }
        Ok(files)
    }

    fn add(
        &mut self,
        month: Month,
        record: &ArchiveRecord,
        identity: Identity,
        path: PathBuf,
    ) -> io::Result<()> {
        let header = MonthHeader {
            identity,
            period: month.0,
        };
        let mut file = MonthFile {
            path,
            header,
            links: BTreeMap::new(),
            defect: None,
            current: None,
        };
        let name = file.path.display().to_string();
        match file.index() {
            Ok((found, totals)) if found == header => {
                if totals.file_hash != record.file_hash {
                    self.differences.push(format!(
                        "{name}: its SHA-256 is another one than was recorded with {month}"
                    ));
                }
            }
            Ok(_) => {
                self.differences
                    .push(format!("{name}: it is of another database or month"));
            }
            Err(IndexError::File(error)) => return Err(error),
            Err(IndexError::Damaged(error)) => {
                self.differences.push(format!("{name}: {error}"));
                file.defect = Some(error);
            }
        }
        self.months.insert(month, file);
        Ok(())
    }
}

enum IndexError {
    File(io::Error),
    Damaged(FileError),
}

impl MonthFile {
    /// Reads the whole file. Keeps the offsets of the links up to the first defect.
    fn index(&mut self) -> Result<(MonthHeader, MonthTotals), IndexError> {
        let input = File::open(&self.path).map_err(IndexError::File)?;
        let mut file = MonthReader::open(BufReader::new(input)).map_err(IndexError::Damaged)?;
        loop {
            match file.next_item().map_err(IndexError::Damaged)? {
                MonthItem::Link(link, offset) => drop(self.links.insert(link.link, offset)),
                MonthItem::Batch(..) => {}
                MonthItem::End(totals) => return Ok((*file.header(), totals)),
            }
        }
    }

    fn batch(&mut self, link: LinkId, number: u64) -> Result<Batch, String> {
        let is_open = self.current.as_ref().is_some_and(|(of, _)| *of == link);
        if !is_open {
            self.current = Some((link, self.begin(link)?));
        }
        let Some((_, file)) = &mut self.current else {
            return Err("no link is being read".to_owned());
        };
        match file.next_item().map_err(|error| error.to_string())? {
            MonthItem::Batch(batch, _) if batch.number == number => Ok(batch),
            MonthItem::Batch(..) | MonthItem::Link(..) | MonthItem::End(_) => {
                Err("the file does not have it at its place".to_owned())
            }
        }
    }

    fn begin(&self, link: LinkId) -> Result<MonthReader<BufReader<File>>, String> {
        let Some(offset) = self.links.get(&link) else {
            return Err(match &self.defect {
                Some(defect) => defect.to_string(),
                None => "the file has no such link".to_owned(),
            });
        };
        let mut input = File::open(&self.path).map_err(|error| error.to_string())?;
        let sought = input.seek(SeekFrom::Start(*offset));
        sought.map_err(|error| error.to_string())?;
        let mut file = MonthReader::at_link(BufReader::new(input), self.header, *offset);
        file.next_item().map_err(|error| error.to_string())?;
        Ok(file)
    }
}

impl ArchivedBatches for ArchiveFiles {
    fn has(&self, month: Month) -> bool {
        self.months.contains_key(&month)
    }

    fn batch(&mut self, link: LinkId, month: Month, number: u64) -> Result<Batch, String> {
        let Some(file) = self.months.get_mut(&month) else {
            return Err(format!("there is no file of {month}"));
        };
        let path = file.path.display().to_string();
        file.batch(link, number)
            .map_err(|what| format!("{path}: {what}"))
    }
}

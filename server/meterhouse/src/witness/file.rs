//! A witness in a file: one JSON object a line, as section 12 of JOURNAL has it.
//!
//! # Shape
//! A thread of its own opens, reads and appends, because a remote disk may hang. What could not be opened is opened at the
//! next attempt, and after a failure the file is opened and read again.
//!
//! # Limits
//! [`FILE_WAIT`] for each call to the thread. Reading a long file may take longer, and goes on meanwhile.
//!
//! # Order and locking
//! The open file is locked, so that one process writes to it. A line is synced before the next one is written. A line whose
//! end is missing, because the machine stopped in the middle, is removed, and its head is written again.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{
    BufRead as _, BufReader, Error, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _,
};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use meterhouse_api::witness::DepositHeadRequest;
use meterhouse_domain::ids::LinkId;
use meterhouse_journal::tree_head::TreeHead;
use meterhouse_store::{Store, StoreError, WitnessChain};
use tokio::task::spawn_blocking;

use super::receipt::SendError;
use crate::call_thread::{CallThread, NoResult};
use crate::witness_lines::witnessed_heads;

/// Maximum time of a call to the file.
const FILE_WAIT: Duration = Duration::from_secs(10);
/// Rights of a new file: its owner writes, its group reads.
const MODE: u32 = 0o640;
/// Maximum number of bytes of a line whose end is missing.
const TAIL_BYTES_MAX: u64 = 65_536;
/// First bytes of a line.
const LINE: &[u8] = b"{\"bytes\":\"";

/// A file with the newest head of each chain in it.
pub(super) struct FileWitness {
    thread: Arc<CallThread<HeadFile>>,
    /// Newest heads in the file, as far as they are known.
    heads: BTreeMap<LinkId, TreeHead>,
    /// `false` until the file was read, and after a failure.
    is_open: bool,
    /// Chains whose newest head was found in the database since the start.
    compared: BTreeMap<LinkId, u64>,
}

impl FileWitness {
    /// Returns the witness in a file, which is not opened yet.
    pub(super) fn new(path: PathBuf) -> Result<Self, NoResult> {
        let make = move || Ok::<_, Infallible>(HeadFile { path, open: None });
        let Ok(thread) = CallThread::start("witness file", FILE_WAIT, make)?;
        Ok(Self {
            thread: Arc::new(thread),
            heads: BTreeMap::new(),
            is_open: false,
            compared: BTreeMap::new(),
        })
    }

    /// Opens the file, or makes an empty one, and reads how far it has come, unless that is known.
    pub(super) async fn open(&mut self) -> Result<(), SendError> {
        if !self.is_open {
            self.heads = self.call(HeadFile::heads).await?;
            self.is_open = true;
        }
        Ok(())
    }

    /// Returns the number of the newest head of a chain; 0 without one.
    pub(super) fn last(&self, link: LinkId) -> u64 {
        self.heads.get(&link).map_or(0, |head| head.number)
    }

    /// Returns `true` if the database does not have the file's newest head of a chain, and forgets that head.
    pub(super) async fn is_another_history(
        &mut self,
        store: &Store,
        chain: &WitnessChain,
    ) -> Result<bool, StoreError> {
        let link = chain.chain.link;
        let Some(head) = self.heads.get(&link) else {
            return Ok(false);
        };
        if !self.is_open || self.compared.get(&link) == Some(&chain.newest) {
            return Ok(false);
        }
        let stored = store.signed_head(&chain.chain, head.number).await?;
        let differs = stored.is_none_or(|stored| stored.head != *head);
        if differs {
            self.heads.remove(&link);
        } else {
            self.compared.insert(link, chain.newest);
        }
        Ok(differs)
    }

    /// Appends a head.
    pub(super) async fn append(
        &mut self,
        head: &TreeHead,
        request: &DepositHeadRequest,
    ) -> Result<(), SendError> {
        let mut line = serde_json::to_vec(request).map_err(Error::from)?;
        line.push(b'\n');
        let appended = head.clone();
        let appending = self.call(move |file| file.append(appended, &line)).await;
        if let Err(error) = appending {
            // How much was written is unknown.
            self.is_open = false;
            return Err(error);
        }
        self.heads.insert(head.link, head.clone());
        Ok(())
    }

    /// Calls the thread of the file.
    async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut HeadFile) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, SendError> {
        let thread = Arc::clone(&self.thread);
        let done = spawn_blocking(move || thread.call(FILE_WAIT, work)).await;
        Ok(done.map_err(Error::other)???)
    }
}

/// A file of heads.
struct HeadFile {
    path: PathBuf,
    /// Locked file with its newest heads.
    open: Option<(File, BTreeMap<LinkId, TreeHead>)>,
}

impl HeadFile {
    /// Returns the newest heads of the file, which is opened if it is not open.
    fn heads(&mut self) -> Result<BTreeMap<LinkId, TreeHead>, Error> {
        if let Some((_, heads)) = &self.open {
            return Ok(heads.clone());
        }
        let file = open(&self.path)?;
        let heads = read(&file)?;
        self.open = Some((file, heads.clone()));
        Ok(heads)
    }

    /// Appends the line of a head. After a failure the file has to be opened again.
    fn append(&mut self, head: TreeHead, line: &[u8]) -> Result<(), Error> {
        let (mut file, mut heads) = self
            .open
            .take()
            .ok_or_else(|| Error::other("it is not open"))?;
        if !is_at(&file, &self.path) {
            return Err(Error::other("it was moved away, and is begun again"));
        }
        file.write_all(line)?;
        file.sync_data()?;
        heads.insert(head.link, head);
        self.open = Some((file, heads));
        Ok(())
    }
}

/// Returns `true` if an open file is still the one at a path.
fn is_at(file: &File, path: &Path) -> bool {
    let place = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    let now = path.metadata().map(place).ok();
    now.is_some() && now == file.metadata().map(place).ok()
}

/// Locks a file. A disk without locks has none.
fn lock(file: &File) -> Result<(), Error> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::other(
            "another process writes to it: each node needs a file of its own",
        )),
        Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Unsupported => Err(error),
        _ => Ok(()),
    }
}

/// Opens and locks the file, without a line whose end is missing.
fn open(path: &Path) -> Result<File, Error> {
    let is_new = !path.try_exists()?;
    let mut file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .mode(MODE)
        .open(path)?;
    lock(&file)?;
    if is_new {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    let length = file.metadata()?.len();
    let window = length.min(TAIL_BYTES_MAX);
    file.seek(SeekFrom::Start(length - window))?;
    let mut tail = Vec::new();
    std::io::Read::by_ref(&mut file)
        .take(window)
        .read_to_end(&mut tail)?;
    let end = tail.iter().rposition(|byte| *byte == b'\n');
    let torn = tail.get(end.map_or(0, |end| end + 1)..).unwrap_or_default();
    if torn.is_empty() {
        return Ok(file);
    }
    // Another program's file is left as it is.
    let is_ours = torn.starts_with(LINE) || LINE.starts_with(torn);
    if !is_ours || (end.is_none() && window < length) {
        return Err(not_ours("its end is no line of a witness"));
    }
    file.set_len(length - u64::try_from(torn.len()).unwrap_or(length))?;
    file.sync_all()?;
    Ok(file)
}

/// Returns the failure of a file that another program wrote.
fn not_ours(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidData, what.into())
}

/// Returns the newest head of each chain in the file.
fn read(mut file: &File) -> Result<BTreeMap<LinkId, TreeHead>, Error> {
    file.seek(SeekFrom::Start(0))?;
    let mut newest = BTreeMap::new();
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let heads = witnessed_heads(&line?)
            .ok_or_else(|| not_ours(format!("line {number} is no signed head")))?;
        for signed in heads {
            // Of a history that was written again, the last line counts.
            newest.insert(signed.head.link, signed.head);
        }
    }
    Ok(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &Path) -> HeadFile {
        let path = path.to_owned();
        HeadFile { path, open: None }
    }

    fn head(number: u64) -> TreeHead {
        TreeHead {
            identity: [1; 16],
            link: LinkId(1),
            name: "main".to_owned(),
            number,
            previous: [0; 32],
            batch: number,
            chain_hash: meterhouse_journal::batch::ChainHash::GENESIS,
            root: meterhouse_journal::tree::TreeHash([0; 32]),
            at: meterhouse_domain::ids::Timestamp(0),
        }
    }

    /// A second writer is told so, and is the next one once the first has gone.
    #[test]
    fn a_file_has_one_writer() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("heads.jsonl");
        let mut first = file(&path);
        drop(first.heads().expect("an empty file"));
        let refused = file(&path).heads().expect_err("a second writer");
        assert!(
            refused.to_string().contains("another process writes to it"),
            "{refused}"
        );
        drop(first);
        drop(file(&path).heads().expect("no other writer"));
    }

    /// A file that was moved away is begun again, at the next attempt.
    #[test]
    fn a_file_that_was_moved_away_is_begun_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("heads.jsonl");
        let mut writer = file(&path);
        drop(writer.append(head(1), b"").expect_err("it is not open"));
        drop(writer.heads().expect("an empty file"));
        writer.append(head(1), b"").expect("it is written");
        assert_eq!(writer.heads().expect("it is open").len(), 1);
        std::fs::rename(&path, folder.path().join("old")).expect("it is moved");
        let refused = writer.append(head(2), b"").expect_err("it is gone");
        assert!(refused.to_string().contains("moved away"), "{refused}");
        assert_eq!(writer.heads().expect("a new file").len(), 0);
    }

    /// A file whose folder is missing is opened once there is one.
    #[test]
    fn a_missing_folder_is_no_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("later").join("heads.jsonl");
        let mut writer = file(&path);
        let missing = writer.heads().expect_err("no folder");
        assert_eq!(missing.kind(), ErrorKind::NotFound);
        std::fs::create_dir(folder.path().join("later")).expect("a folder");
        drop(writer.heads().expect("an empty file"));
    }
}

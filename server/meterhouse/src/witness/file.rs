//! A witness in a file: one JSON object a line, as section 12 of JOURNAL has it.
//!
//! # Order
//! A line is synced before the next one is written. A line whose end is missing, because the machine stopped in the middle,
//! is removed, and its head is written again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use meterhouse_api::witness::DepositHeadRequest;
use meterhouse_domain::ids::LinkId;
use meterhouse_journal::tree_head::TreeHead;
use meterhouse_store::{Store, StoreError, WitnessChain};
use tokio::task::spawn_blocking;

use crate::failure::Failure;
use crate::witness_lines::witnessed_heads;

/// Rights of a new file: its owner writes, its group reads.
const MODE: u32 = 0o640;
/// Maximum number of bytes of a line whose end is missing.
const TAIL_BYTES_MAX: u64 = 65_536;
/// First bytes of a line.
const LINE: &[u8] = b"{\"bytes\":\"";

/// A file with the newest head of each chain in it.
pub(super) struct FileWitness {
    path: PathBuf,
    heads: BTreeMap<LinkId, TreeHead>,
    /// Chains whose newest head was found in the database since the start.
    compared: BTreeMap<LinkId, u64>,
}

impl FileWitness {
    /// Opens the file, or makes an empty one, and reads how far it has come.
    pub(super) async fn open(path: PathBuf) -> Result<Self, Failure> {
        let shown = path.display().to_string();
        let unusable = |what: String| {
            Failure::Configuration(format!(
                "the witness's file {shown} can't be used ({what}): correct witness.file, or move the file away"
            ))
        };
        let read = spawn_blocking({
            let path = path.clone();
            move || read(&path)
        });
        let read = read.await.map_err(|error| unusable(error.to_string()))?;
        Ok(Self {
            path,
            heads: read.map_err(|error| unusable(error.to_string()))?,
            compared: BTreeMap::new(),
        })
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
        if self.compared.get(&link) == Some(&chain.newest) {
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
    ) -> Result<(), std::io::Error> {
        let mut line = serde_json::to_vec(request)?;
        line.push(b'\n');
        let path = self.path.clone();
        let written = spawn_blocking(move || append(&path, &line)).await;
        written.map_err(std::io::Error::other)??;
        self.heads.insert(head.link, head.clone());
        Ok(())
    }
}

/// Opens the file without a line whose end is missing.
fn open(path: &Path) -> Result<File, std::io::Error> {
    let is_new = !path.try_exists()?;
    let mut file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .mode(MODE)
        .open(path)?;
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
        return Err(std::io::Error::other("its end is no line of a witness"));
    }
    file.set_len(length - u64::try_from(torn.len()).unwrap_or(length))?;
    file.sync_all()?;
    Ok(file)
}

fn append(path: &Path, line: &[u8]) -> Result<(), std::io::Error> {
    let mut file = open(path)?;
    file.write_all(line)?;
    file.sync_data()
}

/// Returns the newest head of each chain in the file.
fn read(path: &Path) -> Result<BTreeMap<LinkId, TreeHead>, std::io::Error> {
    let mut file = open(path)?;
    file.seek(SeekFrom::Start(0))?;
    let mut newest = BTreeMap::new();
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let heads = witnessed_heads(&line?)
            .ok_or_else(|| std::io::Error::other(format!("line {number} is no signed head")))?;
        for signed in heads {
            // Of a history that was written again, the last line counts.
            newest.insert(signed.head.link, signed.head);
        }
    }
    Ok(newest)
}

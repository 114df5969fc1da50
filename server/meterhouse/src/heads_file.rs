//! The file of last known heads in a data folder, outside the cluster.
//!
//! # Shape
//! The file is text: the database's identity, then a line per link with its last batch and the
//! batch's hash. The last line is the SHA-256 of the lines before. The file is replaced as a whole:
//! written under another name, synced and renamed, and the folder is synced.
//!
//! # Limits
//! At most [`FILE_BYTES_MAX`] are read.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use meterhouse_journal::batch::{ChainHash, HASH_BYTES};
use meterhouse_store::KnownHead;
use sha2::{Digest as _, Sha256};

use crate::failure::Failure;

/// Name of the file in the data folder. A file that was set aside has a suffix.
pub(crate) const FILE: &str = "known-heads";
/// First line of the file.
const FORM: &str = "meterhouse known heads 1";
/// Maximum size in bytes of the file: a hundred thousand links.
const FILE_BYTES_MAX: u64 = 16 << 20;

/// The heads that a data folder knows of its database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heads {
    /// Identity of the database.
    pub(crate) identity: String,
    /// Heads by link.
    pub(crate) links: BTreeMap<String, KnownHead>,
}

impl Heads {
    /// Reads a data folder's file; `None` if there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>, Failure> {
        let path = path(folder);
        let mut text = String::new();
        let read =
            File::open(&path).and_then(|file| file.take(FILE_BYTES_MAX).read_to_string(&mut text));
        match read {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Failure::database(unreadable(&path), error)),
        }
        let parsed = Self::parse(&text);
        parsed.map(Some).ok_or_else(|| Failure::Database {
            what: unreadable(&path),
            source: None,
        })
    }

    /// Replaces a data folder's file.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        let path = path(folder);
        let next = path.with_extension("new");
        let mut file = File::create(&next)?;
        file.write_all(self.text().as_bytes())?;
        file.sync_all()?;
        fs::rename(&next, &path)?;
        File::open(folder)?.sync_all()
    }

    /// Renames a data folder's file to a name with the time in seconds since 1970. Returns the new
    /// path.
    pub(crate) fn set_aside(folder: &Path, seconds: i64) -> io::Result<PathBuf> {
        let aside = folder.join(format!("{FILE}.{seconds}"));
        fs::rename(path(folder), &aside)?;
        File::open(folder)?.sync_all()?;
        Ok(aside)
    }

    fn text(&self) -> String {
        let identity = format!("{FORM}\nidentity {}\n", self.identity);
        let links = self.links.iter().map(|(link, head)| {
            let hash = hex::encode(head.chain_hash.0);
            format!("link {link} {} {hash}\n", head.batch)
        });
        let text: String = std::iter::once(identity).chain(links).collect();
        let sum = hex::encode(Sha256::digest(text.as_bytes()));
        text + "sha256 " + &sum + "\n"
    }

    fn parse(text: &str) -> Option<Self> {
        let (body, sum) = text.strip_suffix('\n')?.rsplit_once("sha256 ")?;
        if sum != hex::encode(Sha256::digest(body.as_bytes())) {
            return None;
        }
        let mut rows = body.lines();
        if rows.next()? != FORM {
            return None;
        }
        let identity = rows.next()?.strip_prefix("identity ")?.to_owned();
        let mut links = BTreeMap::new();
        for row in rows {
            let mut words = row.strip_prefix("link ")?.split(' ');
            let link = words.next()?.to_owned();
            let batch = words.next()?.parse().ok()?;
            let mut hash = [0; HASH_BYTES];
            hex::decode_to_slice(words.next()?, &mut hash).ok()?;
            let chain_hash = ChainHash(hash);
            links.insert(link, KnownHead { batch, chain_hash });
        }
        Some(Self { identity, links })
    }
}

/// Checks if a data folder has the file.
pub(crate) fn are_kept(folder: &Path) -> bool {
    path(folder).exists()
}

fn path(folder: &Path) -> PathBuf {
    folder.join(FILE)
}

fn unreadable(path: &Path) -> String {
    format!(
        "{} is damaged, so that nothing tells if the database lost something: restore it from a backup, or run \
         `meterhouse verify`, move the file away and start again",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heads() -> Heads {
        let head = |batch, byte| KnownHead {
            batch,
            chain_hash: ChainHash([byte; HASH_BYTES]),
        };
        let links = [("main", head(57, 7)), ("other", head(1, 9))];
        Heads {
            identity: "6f9619ff-8b86-4011-b42d-00c04fc964ff".to_owned(),
            links: links.map(|(name, head)| (name.to_owned(), head)).into(),
        }
    }

    #[test]
    fn known_heads_are_read_back_and_a_changed_byte_is_detected() {
        let text = heads().text();
        assert_eq!(Heads::parse(&text), Some(heads()));
        for place in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            let changed = String::from_utf8(bytes).unwrap_or_default();
            assert_eq!(Heads::parse(&changed), None, "byte {place}");
            assert_eq!(Heads::parse(&text[..place]), None, "cut off at {place}");
        }
    }
}

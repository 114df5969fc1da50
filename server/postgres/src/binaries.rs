//! Search for an installed Postgres. Nothing is downloaded.
//!
//! # Order
//! A folder named by the caller is the only one searched. Otherwise: `pg_config --bindir`, the distributions' folders
//! newest first, Homebrew, Postgres.app, `PATH`. The first folder with `postgres` and `initdb` of an accepted version
//! wins. If a cluster exists, only its major version is accepted.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::account::Account;
use crate::command::{answer, command};
use crate::error::PostgresError;

/// The oldest major version that the project is tested with.
const MAJOR_MIN: u32 = 15;
/// Time limit for `--version` and `--bindir`, which take milliseconds unless the disk sleeps.
const ANSWER_WAIT: Duration = Duration::from_secs(10);

/// Parent folders with one installation per version: parent, prefix before the version, folder of the programs.
const VERSIONED: [(&str, &str, &str); 6] = [
    ("/usr/lib/postgresql", "", "bin"),
    ("/usr", "pgsql-", "bin"),
    // Alpine.
    ("/usr/libexec", "postgresql", ""),
    ("/opt/homebrew/opt", "postgresql@", "bin"),
    ("/usr/local/opt", "postgresql@", "bin"),
    ("/Applications/Postgres.app/Contents/Versions", "", "bin"),
];

/// An installed Postgres.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binaries {
    /// Folder with `postgres` and `initdb`.
    pub folder: PathBuf,
    /// Major version, such as 15.
    pub major: u32,
}

impl Binaries {
    pub(crate) fn postgres(&self) -> PathBuf {
        self.folder.join("postgres")
    }

    pub(crate) fn initdb(&self) -> PathBuf {
        self.folder.join("initdb")
    }
}

/// Finds an installed Postgres. If `explicit` is given, only that folder is searched.
///
/// # Errors
/// If there is none, or only too old ones; the message lists the remedies.
pub fn find_binaries(explicit: Option<&Path>) -> Result<Binaries, PostgresError> {
    find_for(explicit, None, &Account::of_process())
}

/// Finds programs that can run `cluster` (its folder and major version), or a new cluster.
pub(crate) fn find_for(
    explicit: Option<&Path>,
    cluster: Option<(&Path, u32)>,
    account: &Account,
) -> Result<Binaries, PostgresError> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = match explicit {
        Some(folder) if !is_complete(folder) => {
            return Err(PostgresError::FolderWithoutBinaries {
                folder: folder.to_owned(),
            });
        }
        // The programs run in another working directory, so the path must be absolute.
        Some(folder) => {
            vec![fs::canonicalize(folder).map_err(PostgresError::io("find the folder", folder))?]
        }
        None => candidates(&path, account),
    };
    choose(folders, cluster, account)
}

/// Chooses the first folder that can run `cluster`, or a new cluster.
fn choose(
    folders: Vec<PathBuf>,
    cluster: Option<(&Path, u32)>,
    account: &Account,
) -> Result<Binaries, PostgresError> {
    let mut failure = None;
    let mut other_majors = Vec::new();
    for folder in folders {
        match ask_version(&folder, account) {
            Err(error) => {
                tracing::debug!(?folder, %error, "a Postgres that cannot be used");
                failure = failure.or(Some(error));
            }
            Ok(major) if major < MAJOR_MIN => {
                failure = failure.or(Some(PostgresError::TooOld {
                    folder,
                    major,
                    least: MAJOR_MIN,
                }));
            }
            Ok(major) if cluster.is_some_and(|(_, wanted)| wanted != major) => {
                other_majors.push(major.to_string());
            }
            Ok(major) => return Ok(Binaries { folder, major }),
        }
    }
    other_majors.dedup();
    match cluster {
        Some((cluster, cluster_major)) if !other_majors.is_empty() => {
            Err(PostgresError::OtherMajor {
                cluster: cluster.to_owned(),
                cluster_major,
                installed: other_majors.join(", "),
            })
        }
        _ => Err(failure.unwrap_or(PostgresError::NoBinaries)),
    }
}

/// Returns every folder with both programs, best first.
fn candidates(path: &OsStr, account: &Account) -> Vec<PathBuf> {
    let in_path = || std::env::split_paths(path).filter(|folder| folder.is_absolute());
    let configured = in_path()
        .map(|folder| folder.join("pg_config"))
        .find(|program| program.is_file())
        .and_then(|program| {
            let mut ask = command(&program, account);
            ask.arg("--bindir");
            answer(ask, ANSWER_WAIT).ok().flatten()
        })
        .filter(|(status, _)| status.success())
        .map(|(_, folder)| PathBuf::from(folder));
    let versioned = VERSIONED
        .iter()
        .flat_map(|(parent, prefix, programs)| versions_in(Path::new(parent), prefix, programs));
    // `pg_config` may come from a package without the server.
    configured
        .into_iter()
        .chain(versioned)
        .chain(in_path())
        .filter(|folder| is_complete(folder))
        .collect()
}

/// Returns the installations below `parent`, newest first.
fn versions_in(parent: &Path, prefix: &str, programs: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else {
        return Vec::new();
    };
    let mut found: Vec<(u32, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name();
            let major = leading_number(name.to_str()?.strip_prefix(prefix)?)?;
            Some((major, entry.path().join(programs)))
        })
        .collect();
    found.sort_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, folder)| folder).collect()
}

fn is_complete(folder: &Path) -> bool {
    folder.join("postgres").is_file() && folder.join("initdb").is_file()
}

/// Runs `postgres --version`, as the user that will run the server.
fn ask_version(folder: &Path, account: &Account) -> Result<u32, PostgresError> {
    let program = folder.join("postgres");
    let mut ask = command(&program, account);
    ask.arg("--version");
    match answer(ask, ANSWER_WAIT) {
        Ok(Some((_, text))) => major_of(&text).ok_or(PostgresError::NoVersion {
            program,
            answer: text,
            user: account.name.clone(),
        }),
        Ok(None) => Err(PostgresError::TooSlow {
            program,
            limit_seconds: ANSWER_WAIT.as_secs(),
        }),
        Err(source) => Err(PostgresError::Run {
            program,
            user: account.name.clone(),
            source,
        }),
    }
}

/// Parses the major version: `postgres (PostgreSQL) 15.18 (Debian …)` is 15, `17beta1` is 17.
fn major_of(version: &str) -> Option<u32> {
    let (_, number) = version.split_once("(PostgreSQL) ")?;
    leading_number(number)
}

pub(crate) fn leading_number(text: &str) -> Option<u32> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::{Path, PathBuf};

    use super::{choose, leading_number, major_of, versions_in};
    use crate::account::Account;
    use crate::error::PostgresError;

    #[test]
    fn versions_are_read_as_postgres_writes_them() {
        assert_eq!(
            major_of("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"),
            Some(15)
        );
        assert_eq!(major_of("postgres (PostgreSQL) 18beta1"), Some(18));
        assert_eq!(major_of("something else"), None);
        assert_eq!(leading_number("16\n"), Some(16));
        assert_eq!(leading_number("latest"), None);
    }

    #[test]
    fn the_newest_installation_comes_first() {
        let parent = tempfile::tempdir().unwrap();
        for name in [
            "pgsql-9.6",
            "pgsql-16",
            "pgsql-15",
            "other-99",
            "pgsql-latest",
        ] {
            fs::create_dir_all(parent.path().join(name).join("bin")).unwrap();
        }
        let found = versions_in(parent.path(), "pgsql-", "bin");
        let expected: Vec<_> = ["pgsql-16/bin", "pgsql-15/bin", "pgsql-9.6/bin"]
            .map(|name| parent.path().join(name))
            .into();
        assert_eq!(found, expected);
    }

    /// Creates programs that only print a version.
    fn pretend(parent: &Path, major: u32) -> PathBuf {
        let folder = parent.join(major.to_string());
        fs::create_dir(&folder).unwrap();
        let program = folder.join("postgres");
        fs::write(
            &program,
            format!("#!/bin/sh\necho 'postgres (PostgreSQL) {major}.1'\n"),
        )
        .unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        folder
    }

    #[test]
    fn the_first_folder_that_fits_wins_and_every_refusal_says_the_way_out() {
        let parent = tempfile::tempdir().unwrap();
        fs::set_permissions(parent.path(), Permissions::from_mode(0o755)).unwrap();
        let [old, older, newer] = [14, 16, 17].map(|major| pretend(parent.path(), major));
        let account = Account::of_process();
        let cluster = Path::new("/cluster");
        let choose = |folders: &[&PathBuf], major: Option<u32>| {
            let folders = folders.iter().map(|folder| (*folder).clone()).collect();
            choose(folders, major.map(|major| (cluster, major)), &account)
        };

        assert_eq!(choose(&[&old, &newer, &older], None).unwrap().folder, newer);
        assert_eq!(choose(&[&newer, &older], Some(16)).unwrap().folder, older);
        assert!(matches!(
            choose(&[&old], None),
            Err(PostgresError::TooOld { major: 14, .. })
        ));
        let other = choose(&[&newer, &older], Some(15)).unwrap_err().to_string();
        assert!(
            other.contains("Postgres 15")
                && other.contains("17, 16")
                && other.contains("docs/operating/postgres.md"),
            "{other}"
        );
        let none = choose(&[], None).unwrap_err().to_string();
        for way_out in [
            "install it with `",
            "--database-url (DATABASE_URL)",
            "METERHOUSE_PG_BIN",
        ] {
            assert!(none.contains(way_out), "{none}");
        }
    }
}

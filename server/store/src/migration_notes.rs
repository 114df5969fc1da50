//! The migrations of this release, and the declaration of each: the work it does, the callers it blocks, the programs that run on
//! its result, and the indexes that are built before it.
//!
//! # Shape
//! A migration up to [`BASELINE`] needs no note: release 0.1.0 has all of them, so that they are
//! pending on a new, empty database only. A test requires a note for each later one.

use sqlx::migrate::Migrator;

/// The files of `migrations/`.
pub(crate) static MIGRATOR: Migrator = sqlx::migrate!("../../migrations");

/// Newest migration of release 0.1.0.
pub(crate) const BASELINE: i64 = 20_261_123_124_500;

/// The work that a migration does, which says how its time grows.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// Changes of the catalogue only. The time does not depend on the number of rows.
    Instant,
    /// A read of every row of a table.
    ScansTable,
    /// Indexes on existing rows, built concurrently with play.
    BuildsIndex,
}

impl Work {
    /// Returns the stable word of the JSON form.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Instant => "instant",
            Self::ScansTable => "scans_table",
            Self::BuildsIndex => "builds_index",
        }
    }
}

/// The callers that wait while a migration runs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// None.
    Nothing,
    /// Writers of the named tables.
    Writes,
    /// Writers and readers of the named tables.
    ReadsAndWrites,
}

impl Blocks {
    /// Returns the stable word of the JSON form.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Writes => "writes",
            Self::ReadsAndWrites => "reads_and_writes",
        }
    }
}

/// An index that is built concurrently before its migration. The migration then creates the same index with
/// `CREATE INDEX IF NOT EXISTS`, or on the partitioned parent, which takes over the indexes of the
/// partitions without reading a row.
#[derive(Copy, Clone, Debug)]
pub(crate) struct IndexNote {
    /// Name of the index.
    pub(crate) name: &'static str,
    /// Table, partitioned or not.
    pub(crate) table: &'static str,
    /// Columns and predicate, as in `(link_id, kind) WHERE kind >= 16`.
    pub(crate) definition: &'static str,
}

/// The declaration of one migration.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Note {
    /// Version of the migration.
    pub(crate) version: i64,
    /// Its work.
    pub(crate) work: Work,
    /// The time that was measured, on a named number of rows.
    pub(crate) measured: &'static str,
    /// The callers that wait.
    pub(crate) blocks: Blocks,
    /// Existing tables that are read or locked.
    pub(crate) tables: &'static [&'static str],
    /// Oldest schema whose programs run on the result. The migration's own version if none does: the
    /// migration contracts.
    pub(crate) compatible_from: i64,
    /// Indexes that are built before.
    pub(crate) indexes: &'static [IndexNote],
}

const NOTES: &[Note] = &[
    Note {
        version: 20_261_122_100_000,
        work: Work::BuildsIndex,
        measured: "0.9 s for 5 million events, of which 500,000 are in the index",
        blocks: Blocks::Nothing,
        tables: &["event"],
        compatible_from: 20_261_121_160_300,
        indexes: &[IndexNote {
            name: "event_kind_idx",
            table: "event",
            definition: "(link_id, kind, batch, position) WHERE kind >= 16",
        }],
    },
    Note {
        version: 20_261_124_133_000,
        work: Work::Instant,
        measured: "17 ms",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_124_163_000,
        work: Work::Instant,
        measured: "91 ms",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_124_170_000,
        work: Work::Instant,
        measured: "7 ms",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_125_090_000,
        work: Work::Instant,
        measured: "20 ms",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_125_100_000,
        work: Work::Instant,
        measured: "2 ms",
        blocks: Blocks::ReadsAndWrites,
        tables: &["actor"],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_125_130_000,
        work: Work::Instant,
        measured: "30 ms",
        blocks: Blocks::ReadsAndWrites,
        tables: &["actor", "token"],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_125_160_000,
        work: Work::Instant,
        measured: "24 ms",
        blocks: Blocks::ReadsAndWrites,
        tables: &["actor"],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_125_163_000,
        work: Work::Instant,
        measured: "5 ms",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_125_140_000,
        work: Work::BuildsIndex,
        measured: "1.2 s for 5 million events, of which 1,250 are in the index",
        blocks: Blocks::Nothing,
        tables: &["event"],
        compatible_from: BASELINE,
        indexes: &[IndexNote {
            name: "event_miscount_idx",
            table: "event",
            definition: "(link_id, batch, position) WHERE kind = 2 AND i1 <> i2",
        }],
    },
    Note {
        version: 20_261_125_150_000,
        work: Work::Instant,
        measured: "20 ms",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_125_173_000,
        work: Work::Instant,
        measured: "20 ms",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_126_095_000,
        work: Work::Instant,
        measured: "20 ms",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_126_150_000,
        work: Work::Instant,
        measured: "0.3 s, with the start of the client",
        blocks: Blocks::ReadsAndWrites,
        tables: &["session"],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_126_151_000,
        work: Work::BuildsIndex,
        measured: "1.5 s for 2 million payouts, of which 400,000 are in the index",
        blocks: Blocks::Nothing,
        tables: &["payout"],
        compatible_from: BASELINE,
        indexes: &[IndexNote {
            name: "payout_document_idx",
            table: "payout",
            definition: "(document) WHERE document IS NOT NULL",
        }],
    },
    Note {
        version: 20_261_126_152_000,
        work: Work::Instant,
        measured: "20 ms",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_126_180_000,
        work: Work::Instant,
        measured: "10 ms",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_126_181_000,
        work: Work::Instant,
        measured: "0.3 s, with the start of the client",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_126_182_000,
        work: Work::Instant,
        measured: "20 ms",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_126_183_000,
        work: Work::Instant,
        measured: "5 ms",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_127_030_000,
        work: Work::Instant,
        measured: "30 ms",
        blocks: Blocks::ReadsAndWrites,
        tables: &["batch"],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_127_130_000,
        work: Work::Instant,
        measured: "14 ms",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: BASELINE,
        indexes: &[],
    },
    Note {
        version: 20_261_128_013_000,
        work: Work::Instant,
        measured: "14 ms",
        blocks: Blocks::ReadsAndWrites,
        tables: &["link_head"],
        compatible_from: BASELINE,
        indexes: &[],
    },
];

/// Returns the note of a migration. A migration without one allows no older program.
pub(crate) fn note_of(version: i64) -> Note {
    let found = NOTES.iter().find(|note| note.version == version);
    found.copied().unwrap_or(Note {
        version,
        work: Work::Instant,
        measured: "0.4 s for all migrations of a new database",
        blocks: Blocks::Nothing,
        tables: &[],
        compatible_from: version,
        indexes: &[],
    })
}

#[cfg(test)]
mod tests {
    use super::{BASELINE, MIGRATOR, NOTES};

    /// Each migration after the first release has a note, and each note has its migration.
    #[test]
    fn every_later_migration_has_a_note() {
        let is_noted = |version| NOTES.iter().any(|note| note.version == version);
        for migration in MIGRATOR.iter().filter(|one| one.version > BASELINE) {
            let version = migration.version;
            assert!(is_noted(version), "{version}: add it to NOTES");
        }
        for note in NOTES {
            let version = note.version;
            assert!(
                MIGRATOR.version_exists(version),
                "{version} is no migration"
            );
            assert!(MIGRATOR.version_exists(note.compatible_from), "{version}");
            assert!(note.compatible_from <= version, "{version}");
        }
    }
}

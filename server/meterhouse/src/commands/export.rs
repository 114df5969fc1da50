//! `meterhouse export`

use std::fs::File;
use std::io::BufWriter;

use meterhouse_api::time;
use meterhouse_domain::ids::{LinkName, Timestamp};
use meterhouse_engine::export::{ExportError, Span, export};
use meterhouse_journal::export::ExportTotals;

use crate::archive_files::{ArchiveFiles, place_whole, unread};
use crate::cli::ExportArgs;
use crate::database::{Access, Database};
use crate::failure::Failure;
use crate::output::outln;
use crate::settings::DatabaseSettings;

/// Length of a day in microseconds.
const DAY_MICROS: i64 = 86_400_000_000;

pub(crate) async fn run(args: &DatabaseSettings, asked: &ExportArgs) -> Result<(), Failure> {
    let link: LinkName = asked
        .link
        .parse()
        .map_err(|error| Failure::Usage(format!("--link: {error}")))?;
    let span = match &asked.day {
        Some(day) => span_of(day)?,
        None => Span {
            from: None,
            until: None,
        },
    };
    let database = Database::open(args, Access::Existing).await?;
    let written = write(&database, &link, span, asked).await;
    database.close().await;
    let totals = written?;
    let ExportTotals {
        house_entries,
        heads,
        batches,
        events,
        bytes,
        file_hash,
    } = totals;
    let path = asked.to.display();
    outln!(
        "{path}: {batches} batches, {events} events, {house_entries} entries of the house, {heads} signed heads"
    );
    outln!("{bytes} bytes, SHA-256 {}", hex::encode(file_hash));
    outln!("anyone checks it with: meterhouse verify {path} --key PUBLIC-KEY");
    Ok(())
}

async fn write(
    database: &Database,
    link: &LinkName,
    span: Span,
    asked: &ExportArgs,
) -> Result<ExportTotals, Failure> {
    let store = &database.store;
    let path = &asked.to;
    let shown = path.display();
    if path.try_exists().unwrap_or(false) {
        return Err(Failure::Usage(format!(
            "{shown} exists already: name another file"
        )));
    }
    let mut files = match &asked.archive {
        Some(folder) => {
            let known = store.known_months().await.map_err(unread)?;
            let identity = store.identity_bytes().await.map_err(unread)?;
            ArchiveFiles::open(folder, &known, identity).map_err(|error| {
                let folder = folder.display();
                Failure::Configuration(format!("the files in {folder} can't be read: {error}"))
            })?
        }
        None => ArchiveFiles::default(),
    };
    let part = path.with_extension("part");
    let unwritable = |error| {
        Failure::Configuration(format!(
            "{shown} can't be written: {error}; name a file in a folder with room that this user may write to"
        ))
    };
    let out = BufWriter::new(File::create(&part).map_err(unwritable)?);
    let program = format!("meterhouse {}", env!("CARGO_PKG_VERSION"));
    let written = export(store, link, span, &mut files, out, &program).await;
    let placed = match written {
        Ok((out, totals)) => place_whole(out, &part, path)
            .map(|()| totals)
            .map_err(unwritable),
        Err(ExportError::File(error)) => Err(unwritable(error)),
        Err(ExportError::Store(error)) => {
            Err(Failure::database("could not read the journal", error))
        }
        Err(error @ (ExportError::UnknownLink(_) | ExportError::Nothing)) => {
            Err(Failure::Usage(format!("{error}: see --link and --day")))
        }
        Err(ExportError::Archived(month)) => Err(Failure::Unread(format!(
            "events of {month} are archived: name the folder of their files with --archive"
        ))),
        Err(error @ ExportError::Differs { .. }) => Err(Failure::Configuration(format!(
            "{error}; `meterhouse verify` names every difference"
        ))),
    };
    if placed.is_err() {
        // The part is useless, and the failure is what counts.
        drop(std::fs::remove_file(&part));
    }
    placed
}

/// Returns the span of a day in UTC.
fn span_of(day: &str) -> Result<Span, Failure> {
    let begin: Option<Timestamp> = time::parse(&format!("{day}T00:00:00Z"));
    let begin = begin.filter(|_| day.len() == "2026-11-24".len());
    let begin = begin.ok_or_else(|| {
        Failure::Usage(format!(
            "--day: {day:?} is no day: write it as 2026-11-24 (UTC)"
        ))
    })?;
    Ok(Span {
        from: Some(begin),
        until: Some(Timestamp(begin.0 + DAY_MICROS)),
    })
}

//! `meterhouse archive list`

use meterhouse_engine::archive::why_not;
use meterhouse_store::{KnownMonth, MonthPlace, Store};
use serde::Serialize;

use crate::archive_files::unread;
use crate::failure::Failure;
use crate::output::{self, outln};

/// A month as JSON.
#[derive(Serialize)]
struct MonthForm {
    month: String,
    /// Place of the events: `live`, `detaching`, `detached`, `set_aside` or `dropped`.
    place: &'static str,
    /// Bytes in the database.
    bytes: u64,
    file: Option<FileForm>,
    /// Reason why the month may not be archived; missing if it may or was.
    why_not: Option<String>,
}

/// The file of a month as JSON.
#[derive(Serialize)]
struct FileForm {
    sha256: String,
    bytes: u64,
    batches: u64,
    events: u64,
}

/// Prints the months that have or had events.
pub(super) async fn list(store: &Store, json: bool) -> Result<(), Failure> {
    let known = store.known_months().await.map_err(unread)?;
    let mut forms = Vec::new();
    for month in known
        .iter()
        .filter(|one| one.has_events || one.record.is_some())
    {
        let why = match month.record {
            Some(_) => None,
            None => why_not(store, month.month, &known).await.map_err(unread)?,
        };
        forms.push(form(month, why));
    }
    if json {
        return output::json(&forms);
    }
    if forms.is_empty() {
        outln!("no month has events");
    }
    for form in &forms {
        outln!(
            "{}  {:<9}  {} bytes in the database",
            form.month,
            form.place,
            form.bytes
        );
        match (&form.file, &form.why_not) {
            (Some(file), _) => outln!(
                "  archived: {} events of {} batches, {} bytes, SHA-256 {}",
                file.events,
                file.batches,
                file.bytes,
                file.sha256
            ),
            (None, Some(why)) => outln!("  may not be archived: {why}"),
            (None, None) => outln!("  may be archived"),
        }
    }
    Ok(())
}

fn form(month: &KnownMonth, why_not: Option<String>) -> MonthForm {
    let file = month.record.map(|record| FileForm {
        sha256: hex::encode(record.file_hash),
        bytes: record.bytes,
        batches: record.batches,
        events: record.events,
    });
    MonthForm {
        month: month.month.to_string(),
        place: match month.place {
            MonthPlace::Live => "live",
            MonthPlace::Detaching => "detaching",
            MonthPlace::Detached => "detached",
            MonthPlace::SetAside => "set_aside",
            MonthPlace::Dropped => "dropped",
        },
        bytes: month.size,
        file,
        why_not,
    }
}

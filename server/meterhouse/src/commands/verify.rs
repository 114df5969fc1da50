//! `meterhouse verify`

mod report;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use meterhouse_domain::RULE_VERSION;
use meterhouse_domain::ids::LinkName;
use meterhouse_engine::verify::{
    LinkReport, unnamed_links, verify_closings, verify_house, verify_with,
};
use meterhouse_http::closing_bytes;
use meterhouse_store::{Month, StoreError};

use self::report::{OnlyApplied, Verified, VerifiedHouse, VerifiedLink};
use crate::archive_files::ArchiveFiles;
use crate::cli::VerifyArgs;
use crate::commands::verify_file::{self, print_unproven};
use crate::database::{Access, Database};
use crate::failure::Failure;
use crate::output::{self, outln};
use crate::settings::DatabaseSettings;

pub(crate) async fn run(args: &DatabaseSettings, asked: &VerifyArgs) -> Result<(), Failure> {
    match &asked.file {
        Some(file) => verify_file::run(file, asked),
        None => verify_database(args, asked).await,
    }
}

async fn verify_database(args: &DatabaseSettings, asked: &VerifyArgs) -> Result<(), Failure> {
    let VerifyArgs {
        link,
        archive,
        apply_only,
        json,
        ..
    } = asked;
    let (apply_only, json) = (*apply_only, *json);
    let link: Option<LinkName> = match link {
        Some(name) => Some(
            name.parse()
                .map_err(|error| Failure::Usage(format!("--link: {error}")))?,
        ),
        None => None,
    };
    let database = Database::open(args, Access::Existing).await?;
    let started = Instant::now();
    let mut files = match open_files(&database, archive.as_deref()).await {
        Ok(files) => files,
        Err(failure) => {
            database.close().await;
            return Err(failure);
        }
    };
    let reports = verify_with(&database.store, link.as_ref(), !apply_only, &mut files).await;
    let reports = with_closings(&database, reports).await;
    let house = verify_house(&database.store).await;
    let elapsed = started.elapsed();
    let unnamed = unnamed_links(&database.store).await;
    let differences = database.differences(args, link.as_ref()).await;
    database.close().await;
    let unread = |error| Failure::database("could not read the journal", error);
    let (reports, unnamed) = (reports?, unnamed.map_err(unread)?);
    let house =
        house.map_err(|error| Failure::database("could not read the house's chain", error))?;
    let mut differences = differences?;
    differences.append(&mut files.differences);
    let unnamed = unnamed.iter();
    differences.extend(
        unnamed.map(|link| format!("link: number {link} has a journal and no row that names it")),
    );
    if reports.is_empty() && differences.is_empty() && house.findings.is_empty() {
        return Err(match link {
            Some(link) => Failure::Usage(format!("there is no link {link}")),
            None => Failure::Empty(
                "this database has no links, so nothing was verified: say where the links are with --data-dir or --database-url".to_owned(),
            ),
        });
    }
    let verified = Verified::new(&house, &reports, differences, elapsed);
    if json {
        output::json(&verified)?;
    } else {
        print(&verified, apply_only);
    }
    if !verified.agrees {
        return Err(Failure::Difference);
    }
    match unread_months(&reports) {
        months if months.is_empty() => Ok(()),
        months => Err(Failure::Unread(unread_sentence(
            &months,
            archive.as_deref(),
        ))),
    }
}

/// Makes the reports of signed days again, and adds the differences to the reports of their links.
async fn with_closings(
    database: &Database,
    reports: Result<Vec<LinkReport>, StoreError>,
) -> Result<Vec<LinkReport>, Failure> {
    let unread = |error| Failure::database("could not read the journal", error);
    let mut reports = reports.map_err(unread)?;
    for report in &mut reports {
        let verified = verify_closings(&database.store, report, closing_bytes).await;
        verified.map_err(|error| Failure::database("could not read the signed days", error))?;
    }
    Ok(reports)
}

/// Opens the files of archived months in a folder.
async fn open_files(database: &Database, folder: Option<&Path>) -> Result<ArchiveFiles, Failure> {
    let Some(folder) = folder else {
        return Ok(ArchiveFiles::default());
    };
    let unread = |error| Failure::database("could not read the archived months", error);
    let known = database.store.known_months().await.map_err(unread)?;
    let identity = database.store.identity_bytes().await.map_err(unread)?;
    ArchiveFiles::open(folder, &known, identity).map_err(|error| {
        let folder = folder.display();
        Failure::Configuration(format!("the files in {folder} can't be read: {error}"))
    })
}

/// Returns the archived months whose files were not given, in their order.
fn unread_months(reports: &[LinkReport]) -> Vec<Month> {
    let months: BTreeSet<Month> = reports
        .iter()
        .flat_map(|report| report.unread.clone())
        .collect();
    months.into_iter().collect()
}

/// Returns the sentence on links that were not replayed.
fn unread_sentence(months: &[Month], folder: Option<&Path>) -> String {
    let names: Vec<String> = months.iter().map(ToString::to_string).collect();
    let names = names.join(", ");
    match folder {
        Some(folder) => {
            let folder = folder.display();
            format!(
                "links with events of the archived months {names} were not verified: {folder} has no files of these months"
            )
        }
        None => format!(
            "links with events of the archived months {names} were not verified: name the folder of their files with              --archive"
        ),
    }
}

/// Prints the comparison with the house's chain and its differences.
fn print_house(house: &VerifiedHouse) {
    outln!(
        "house: {} entries, {} people and devices, {} tokens, {} paytables, {} acts, {} slips, chain {}",
        house.entries,
        house.people_and_devices,
        house.tokens,
        house.paytables,
        house.acts,
        house.slips,
        house.chain_hash
    );
    let (cleared, days) = (house.cleared_exceptions, house.signed_days);
    if cleared + days > 0 {
        outln!("  {cleared} cleared exceptions, {days} signed days");
    }
    print_unproven(&house.unproven_heads);
    for difference in &house.differences {
        outln!("  DIFFERS {difference}");
    }
    if house.more_differences > 0 {
        outln!("  and {} more", house.more_differences);
    }
}

/// Prints the result for people.
fn print(verified: &Verified, apply_only: bool) {
    print_house(&verified.house);
    for difference in &verified.differences {
        outln!("  DIFFERS {difference}");
    }
    for report in &verified.links {
        if !report.unread_months.is_empty() {
            let months = report.unread_months.join(", ");
            outln!(
                "link {}: NOT VERIFIED, its events of {months} are archived",
                report.link
            );
            continue;
        }
        let applied = report.only_applied.iter().map(|applied| applied.events);
        outln!(
            "link {}: {} batches, {} events ({} refusals, {} decided again, {} only applied), {} hits, chain {}",
            report.link,
            report.batches,
            report.events,
            report.refusals,
            report.decided_again,
            applied.sum::<u64>(),
            report.hits,
            report.chain_hash
        );
        if let Some(batch) = report.signed_through {
            outln!("  signed through batch {batch}");
        }
        print_unproven(&report.unproven_heads);
        if !report.archived_months.is_empty() {
            outln!("  from the files of {}", report.archived_months.join(", "));
        }
        for applied in &report.only_applied {
            outln!("  {}", only_applied(applied, apply_only));
        }
        for difference in &report.differences {
            outln!("  DIFFERS {difference}");
        }
        if report.more_differences > 0 {
            outln!(
                "  and {} more, which may only follow from these",
                report.more_differences
            );
        }
    }
    let Verified { events, millis, .. } = *verified;
    let a_second = u128::from(events) * 1_000 / u128::from(millis);
    outln!("{events} events in {millis} ms, {a_second} a second");
    let is_unread = |link: &VerifiedLink| !link.unread_months.is_empty();
    if verified.agrees && verified.links.iter().any(is_unread) {
        outln!("what was verified agrees; some links were not verified");
    } else if verified.agrees {
        outln!("everything agrees, difference 0.00");
    } else {
        outln!("differences were found");
    }
}

/// Returns a sentence on the events that were only applied, with the reason.
fn only_applied(applied: &OnlyApplied, apply_only: bool) -> String {
    let OnlyApplied {
        rule_version,
        first_batch,
        last_batch,
        events,
    } = applied;
    let why = if apply_only {
        "as --apply-only asks".to_owned()
    } else {
        format!("decided by rule version {rule_version}, and this program has {RULE_VERSION}")
    };
    format!("only applied: {events} events of batches {first_batch} to {last_batch}, {why}")
}

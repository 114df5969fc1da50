//! `meterhouse verify`

use std::time::{Duration, Instant};

use meterhouse_domain::RULE_VERSION;
use meterhouse_domain::name::LinkName;
use meterhouse_engine::verify::{
    Applied, HouseReport, LinkReport, unnamed_links, verify, verify_house,
};

use crate::cli::DatabaseArgs;
use crate::database::Database;
use crate::failure::Failure;

pub(crate) async fn run(
    args: &DatabaseArgs,
    link: Option<String>,
    apply_only: bool,
) -> Result<(), Failure> {
    let link: Option<LinkName> = match link {
        Some(name) => Some(
            name.parse()
                .map_err(|error| Failure::Usage(format!("--link: {error}")))?,
        ),
        None => None,
    };
    let database = Database::open(args).await?;
    let started = Instant::now();
    let reports = verify(&database.store, link.as_ref(), !apply_only).await;
    let house = verify_house(&database.store).await;
    let elapsed = started.elapsed();
    let unnamed = unnamed_links(&database.store).await;
    let differences = database.differences(args, link.as_ref()).await;
    database.close().await;
    let unread = |error| Failure::database("could not read the journal", error);
    let (reports, unnamed) = (reports.map_err(unread)?, unnamed.map_err(unread)?);
    let house =
        house.map_err(|error| Failure::database("could not read the house's chain", error))?;
    print_house(&house);
    let mut differences = differences?;
    differences.extend(
        unnamed
            .iter()
            .map(|link| format!("link: number {link} has a journal and no row that names it")),
    );
    for difference in &differences {
        println!("  DIFFERS {difference}");
    }
    if reports.is_empty() && differences.is_empty() {
        return Err(match link {
            Some(link) => Failure::Usage(format!("there is no link {link}")),
            None => Failure::Empty(
                "this database has no links, so nothing was verified: say where the links are with --data-dir or --database-url".to_owned(),
            ),
        });
    }
    let differs = !differences.is_empty() || !house.findings.is_empty();
    print_reports(&reports, elapsed, apply_only, differs)
}

/// Prints what was compared with the house's chain, and the differences.
fn print_house(house: &HouseReport) {
    println!(
        "house: {} entries, {} people and devices, {} tokens, {} paytables, chain {}",
        house.entries, house.actors, house.tokens, house.paytables, house.chain_hash
    );
    for finding in &house.findings {
        println!("  DIFFERS {finding}");
    }
    if house.more_findings > 0 {
        println!("  and {} more", house.more_findings);
    }
}

/// Prints the links; `differs` where something else was found to differ before.
fn print_reports(
    reports: &[LinkReport],
    elapsed: Duration,
    apply_only: bool,
    differs: bool,
) -> Result<(), Failure> {
    for report in reports {
        println!(
            "link {}: {} batches, {} events ({} refusals, {} decided again, {} only applied), {} hits, chain {}",
            report.link,
            report.batches,
            report.events,
            report.refusals,
            report.decided,
            report
                .applied
                .iter()
                .map(|applied| applied.events)
                .sum::<u64>(),
            report.hits,
            report.chain_hash
        );
        for applied in &report.applied {
            println!("  {}", only_applied(applied, apply_only));
        }
        for finding in &report.findings {
            println!("  DIFFERS {finding}");
        }
        if report.more_findings > 0 {
            println!(
                "  and {} more, which may only follow from these",
                report.more_findings
            );
        }
    }
    let events: u64 = reports.iter().map(|report| report.events).sum();
    let millis = elapsed.as_millis().max(1);
    println!(
        "{events} events in {millis} ms, {} a second",
        u128::from(events) * 1_000 / millis
    );
    let differ = |report: &LinkReport| report.more_findings > 0 || !report.findings.is_empty();
    if differs || reports.iter().any(differ) {
        println!("differences were found");
        return Err(Failure::Difference);
    }
    println!("everything agrees, difference 0.00");
    Ok(())
}

/// Returns which events were only applied, and why.
fn only_applied(applied: &Applied, apply_only: bool) -> String {
    let Applied {
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

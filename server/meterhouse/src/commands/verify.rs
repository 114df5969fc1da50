//! `meterhouse verify`

use std::time::{Duration, Instant};

use meterhouse_domain::name::LinkName;
use meterhouse_engine::verify::{LinkReport, verify};

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
    let elapsed = started.elapsed();
    database.close().await;
    let reports =
        reports.map_err(|error| Failure::database("could not read the journal", error))?;
    if reports.is_empty()
        && let Some(link) = link
    {
        return Err(Failure::Usage(format!("there is no link {link}")));
    }
    print_reports(&reports, elapsed)
}

fn print_reports(reports: &[LinkReport], elapsed: Duration) -> Result<(), Failure> {
    for report in reports {
        println!(
            "link {}: {} batches, {} events ({} refusals, {} decided again), {} hits, chain {}",
            report.link,
            report.batches,
            report.events,
            report.refusals,
            report.decided,
            report.hits,
            report.chain_hash
        );
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
    if reports.iter().any(differ) {
        println!("differences were found");
        return Err(Failure::Difference);
    }
    println!("everything agrees, difference 0.00");
    Ok(())
}

//! `meterhouse demo`: three links, nineteen tables, real rounds over the real API, and the reconciliation at the end.

mod people;
mod visitor;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _, stderr};
use std::sync::Arc;
use std::time::Duration;

use meterhouse_catalogue::Catalogue;
use meterhouse_engine::access::AccessControl;
use meterhouse_simulator::{
    Gateway, Plan, Progress, Summary, TablePlan, Tokens, default_links, keep_alive, prepare,
    render_reconciliation, run as play,
};
use meterhouse_store::Purpose;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::cli::DemoArgs;
use crate::commands::serve::unusable;
use crate::database::{Access, Database};
use crate::failure::Failure;
use crate::listen::{Addresses, BoundAddresses};
use crate::output::outln;
use crate::running::{Front, Outward, Running};
use crate::settings::{DatabaseSettings, SigningSettings};
use crate::{privileges, signal, signing_key};

use people::{Person, controllers_token, failed, persons_token, random_seed};
pub(crate) use visitor::Visitor;

/// Address at which the demo's tables reach the server: this machine alone, on a free port.
const GATEWAY: &str = "127.0.0.1:0";
/// People of the demo with their roles and departments. Their names are in the journal, so that
/// they stay the same over restarts.
const MANAGER: Person = ("demo-slots", "manager", "slots");
const ACCOUNTANT: Person = ("demo-accounting", "manager", "accounting");
const SUPERVISORS: [Person; 2] = [
    ("demo-tables-1", "supervisor", "table-games"),
    ("demo-tables-2", "supervisor", "table-games"),
];
/// Interval between two signed heads: short, so that a short demo has some.
const SIGN_EVERY: Duration = Duration::from_secs(5);
/// Number of progress reports per printed one, if stderr is not a terminal.
const QUIET_REPORTS: u32 = 5;

/// Paytable of the demo's own link, without a jurisdiction. No other server has it.
const EXAMPLE: (&str, &str) = (
    "example-three-reserves.toml",
    include_str!("../../paytables/example-three-reserves.toml"),
);

pub(crate) async fn run(args: &DatabaseSettings, demo: DemoArgs) -> Result<(), Failure> {
    let stop = signal::stop_requested()?;
    let addresses = Addresses {
        http: demo.listen.clone(),
        grpc: Some(GATEWAY.to_owned()),
        is_remote_allowed: demo.insecure,
    };
    let bound = addresses.bind().await?;
    let access = Access::Play(Purpose::Demo);
    let args = privileges::drop_root(args, access, false)?;
    let database = Database::open(&args, access).await?;
    if let Some(folder) = database.data_dir() {
        outln!("data   {}", folder.display());
    }
    let ended = in_database(&database, demo, bound, stop).await;
    database.close().await;
    ended
}

async fn in_database(
    database: &Database,
    demo: DemoArgs,
    bound: BoundAddresses,
    stop: CancellationToken,
) -> Result<(), Failure> {
    let signing = SigningSettings {
        key_file: None,
        older_keys: Vec::new(),
        every: Some(SIGN_EVERY),
        ..SigningSettings::default()
    };
    let visitor = Visitor::default();
    let front = Front {
        pages: visitor.routes(),
        ..Front::default()
    };
    let running = Running::start(
        database,
        with_example()?,
        bound,
        front,
        Vec::new(),
        signing_key::of_server(&signing, database)?,
        Outward::default(),
    )
    .await?;
    let ended = tokio::select! {
        ended = in_server(&running, &visitor, demo, stop) => ended,
        failure = database.given_up() => Err(failure),
    };
    running.stop().await;
    ended
}

async fn in_server(
    running: &Running,
    visitor: &Visitor,
    demo: DemoArgs,
    stop: CancellationToken,
) -> Result<(), Failure> {
    let seed = match demo.seed {
        Some(seed) => seed,
        None => random_seed()?,
    };
    let base = format!("http://{}", running.address());
    let plan = Plan {
        base: base.clone(),
        seed,
        rounds: demo.rounds,
        speed: demo.speed,
        stages: demo.stage,
        links: default_links(),
    };
    plan.check()
        .map_err(|error| Failure::Usage(error.to_string()))?;
    outln!("page   {base}/\nseed   {seed}");
    for stage in &plan.stages {
        outln!("staged {stage}: this hand is dealt on purpose, it does not come by chance");
    }
    let access = running.engine.access();
    let tokens = prepared(access, &plan).await?;
    visitor.prepare(access, &plan, &tokens.manager).await?;
    let outboxes = tempfile::Builder::new()
        .prefix("meterhouse-demo-")
        .tempdir();
    let outboxes =
        outboxes.map_err(|error| Failure::internal("no folder for the tables' outboxes", error))?;
    let listens = running.grpc_address().ok_or_else(|| Failure::Internal {
        what: "the demo's server takes no streams of tables".to_owned(),
        source: None,
    });
    let gateway = Gateway {
        grpc: listens?,
        outboxes: outboxes.path().to_owned(),
    };
    let (asked, stopped) = watch::channel(false);
    let stopping = stop.clone();
    let forward = tokio::spawn(async move {
        stopping.cancelled().await;
        asked.send_replace(true);
    });
    let reports = Cell::new(0);
    let told = |progress: &Progress| report(progress, &reports);
    let playing = play(
        plan.clone(),
        tokens.clone(),
        gateway.clone(),
        stopped.clone(),
        told,
    );
    let summary = playing.await.map_err(failed)?;
    print_summary(&summary);
    if demo.keep_open && !stop.is_cancelled() {
        outln!("still serving on {base}/ until Ctrl-C");
        // The rounds are over, but the tables stay connected.
        keep_alive(plan, tokens, gateway, stopped)
            .await
            .map_err(failed)?;
    }
    forward.abort();
    if summary.is_balanced() {
        Ok(())
    } else {
        Err(Failure::Difference)
    }
}

/// Returns the built-in paytables and the example.
fn with_example() -> Result<Arc<Catalogue>, Failure> {
    let ours = Catalogue::compiled_in();
    let all = ours.and_then(|ours| ours.with_file(EXAMPLE.0, EXAMPLE.1));
    all.map(Arc::new).map_err(|errors| unusable(&errors))
}

/// Opens the links, lets the tables join and creates every token of the demo.
async fn prepared(access: &AccessControl, plan: &Plan) -> Result<Tokens, Failure> {
    let manager = persons_token(access, MANAGER).await?;
    prepare(plan, &manager).await.map_err(failed)?;
    let mut supervisors = Vec::new();
    for person in SUPERVISORS {
        let (name, ..) = person;
        supervisors.push((name.to_owned(), persons_token(access, person).await?));
    }
    let mut controllers = BTreeMap::new();
    for TablePlan { table, .. } in plan.links.iter().flat_map(|link| &link.tables) {
        controllers.insert(table.clone(), controllers_token(access, table).await?);
    }
    Ok(Tokens {
        manager,
        accountant: persons_token(access, ACCOUNTANT).await?,
        supervisors,
        controllers,
    })
}

/// Prints the progress: a line that is rewritten on a terminal, otherwise a line from time to time.
fn report(progress: &Progress, reports: &Cell<u32>) {
    let count = reports.replace(reports.get() + 1);
    let terminal = stderr().is_terminal();
    if !terminal && !count.is_multiple_of(QUIET_REPORTS) {
        return;
    }
    let planned = match progress.rounds_planned {
        0 => String::new(),
        planned => format!(" of {planned}"),
    };
    let meters: Vec<String> = progress
        .meters
        .iter()
        .map(|(link, levels)| {
            let levels: Vec<String> = levels
                .iter()
                .map(|(level, amount)| format!("{level} {amount}"))
                .collect();
            format!("{link}: {}", levels.join(", "))
        })
        .collect();
    let line = format!(
        "round {}{planned}, {} hits, {}/s  {}",
        progress.rounds,
        progress.hits,
        progress.rounds_per_second,
        meters.join("  ")
    );
    let mut out = stderr();
    // A closed terminal does not end the demo.
    drop(if terminal {
        write!(out, "\r\x1b[K{line}")
    } else {
        writeln!(out, "{line}")
    });
}

fn print_summary(summary: &Summary) {
    if stderr().is_terminal() {
        eprintln!();
    }
    outln!(
        "\n{} rounds in {} s, {} wagers; {} replays, {} dropped responses",
        summary.rounds,
        summary.elapsed.as_secs(),
        summary.wagers,
        summary.replays,
        summary.dropped_responses,
    );
    outln!("{}\n", happened(summary));
    outln!("games: {}", counted(&summary.rounds_by_game));
    outln!("hits: {}\n", counted(&summary.hits_by_hand));
    if !summary.incidents.is_empty() {
        outln!("staged incidents:\n  {}\n", summary.incidents.join("\n  "));
    }
    for reconciliation in &summary.reconciliations {
        outln!("{}\n", render_reconciliation(reconciliation));
    }
    for sum in summary.compared.iter().filter(|sum| !sum.agrees()) {
        outln!(
            "{} of link {}: {} by the tables, {} by the server; do other tables play on the link?",
            sum.name,
            sum.link,
            sum.simulated,
            sum.served
        );
    }
}

/// Returns the numbers of unusual events.
fn happened(summary: &Summary) -> String {
    listed(
        [
            (summary.voids, "void"),
            (summary.miscounts, "miscounted"),
            (summary.cancelled, "cancelled"),
            (summary.rejected, "rejected"),
            (summary.resettled, "resettled"),
            (summary.corrected, "corrected by two people"),
            (summary.late_hits, "found after GAME OVER"),
            (summary.adjustments, "adjusted by two people"),
            (summary.tables_lost, "lost and back"),
            (summary.settles, "settled by their cards"),
            (summary.bonuses, "drawn and paid"),
        ]
        .into_iter(),
    )
}

/// Returns the numbers by name, see [`listed`].
fn counted(counts: &BTreeMap<String, u64>) -> String {
    listed(counts.iter().map(|(what, count)| (*count, what.as_str())))
}

/// Returns a list such as `3 void, 12 cancelled`, or `none`.
fn listed<'a>(counts: impl Iterator<Item = (u64, &'a str)>) -> String {
    let some: Vec<String> = counts
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if some.is_empty() {
        "none".to_owned()
    } else {
        some.join(", ")
    }
}

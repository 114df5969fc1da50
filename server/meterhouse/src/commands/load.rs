//! `meterhouse load`: many tables on a private or an existing server, and the reconciliation at the
//! end.
//!
//! # Shape
//! The tokens are created in the database, as `meterhouse token` creates them. Afterwards, the
//! generator uses the public API only. The generator has a runtime of its own, so that its
//! processor time is separate from that of a server in this process.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use crate::administrator::{KeyUse, open};
use meterhouse_api::operation::Readiness;
use meterhouse_domain::ids::Timestamp;
use meterhouse_engine::access::AccessControl;
use meterhouse_engine::clock::now;
use meterhouse_engine::error_chain::ErrorChain;
use meterhouse_http_client::{Client, Trust};
use meterhouse_load::{
    End, FaultInjection, GENERATOR_THREADS, LoadError, Node, Pace, Plan, Processes, Report, Tokens,
    Transport, prepare, run as play,
};
use meterhouse_store::{NewActor, Purpose};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::cli::LoadArgs;
use crate::commands::serve::catalogue;
use crate::commands::token::token_of;
use crate::database::{Access, Database, refuse_other_purpose};
use crate::failure::Failure;
use crate::listen::Addresses;
use crate::output::{out, outln};
use crate::running::{Front, Outward, Running};
use crate::settings::{Settings, SigningSettings};
use crate::{privileges, signal, signing_key};

/// Name of the manager, who opens the links and reads the books, and of the supervisor, who
/// validates the hits.
const MANAGER: &str = "load-manager";
const SUPERVISOR: &str = "load-supervisor";
/// Validity of a load's tokens beyond its own time, in microseconds: a day.
const TOKENS_VALID: i64 = 24 * 3_600_000_000;
/// Longest wait for an existing server to be ready.
const REACH_MAX: Duration = Duration::from_secs(5);
/// Address of the private server.
const ANY_PORT: &str = "127.0.0.1:0";

pub(crate) async fn run(settings: &Settings, load: LoadArgs) -> Result<(), Failure> {
    let args = &settings.database;
    let stop = signal::stop_requested()?;
    let plan = plan(&load)?;
    let file = load.report.as_deref().map(open_report).transpose()?;
    let is_existing = !load.url.is_empty();
    if is_existing {
        plan.check()
            .map_err(|error| Failure::Usage(error.to_string()))?;
    }
    let (access, args) = if is_existing {
        (Access::Existing, args.clone())
    } else {
        let access = Access::Play(Purpose::Load);
        (access, privileges::drop_root(args, access, false)?)
    };
    let database = Database::open(&args, access).await?;
    let played = if is_existing {
        load_existing_server(database, settings, plan, load.threads, stop).await
    } else {
        let played = load_private_server(&database, plan, load.threads, stop).await;
        database.close().await;
        played
    };
    finish(&played?, file)
}

/// Loads an existing server on this database.
async fn load_existing_server(
    database: Database,
    settings: &Settings,
    mut plan: Plan,
    threads: u8,
    stop: CancellationToken,
) -> Result<Report, Failure> {
    plan.processes.postgres = database.postmaster();
    let tokens = async {
        refuse_other_purpose(&database.store, Purpose::Load).await?;
        for node in &plan.nodes {
            refuse_other_server(&node.base, plan.trust.as_ref()).await?;
        }
        let (access, _) = open(&database, settings, KeyUse::Vouches).await?;
        prepared(&access, &plan).await
    };
    let tokens = tokens.await;
    // From here on, only the server uses the database.
    database.close().await;
    generate(plan, tokens?, threads, stop).await
}

/// Refuses a server whose database was not made for the load generator. Such a server may use
/// another database than the tokens.
async fn refuse_other_server(base: &str, trust: Option<&Trust>) -> Result<(), Failure> {
    let failed = |error| Failure::Usage(format!("--url {base}: {}", ErrorChain(&error)));
    let client = Client::new(base, trust).map_err(failed)?;
    let client = client.with_retry_max(REACH_MAX);
    let readiness: Readiness = client.get("", "/readyz").await.map_err(failed)?;
    let purpose = readiness.purpose.unwrap_or_else(|| "unknown".to_owned());
    if purpose == Purpose::Load.name() {
        return Ok(());
    }
    Err(Failure::Configuration(format!(
        "the server at {base} serves a database of `{purpose}`, and `meterhouse load` plays only against one of `load`: start \
         it on an empty database of its own"
    )))
}

/// Loads a private server.
async fn load_private_server(
    database: &Database,
    mut plan: Plan,
    threads: u8,
    stop: CancellationToken,
) -> Result<Report, Failure> {
    let addresses = Addresses {
        http: ANY_PORT.to_owned(),
        grpc: Some(ANY_PORT.to_owned()),
        is_remote_allowed: false,
    };
    let bound = addresses.bind().await?;
    let running = Running::start(
        database,
        catalogue(None)?,
        bound,
        Front::default(),
        Vec::new(),
        signing_key::of_server(&SigningSettings::default(), database)?,
        Outward::default(),
    )
    .await?;
    plan.nodes = vec![Node {
        base: format!("http://{}", running.address()),
        grpc: running
            .grpc_address()
            .map(|address| format!("http://{address}")),
    }];
    plan.processes = Processes {
        server: i32::try_from(std::process::id()).ok(),
        postgres: database.postmaster(),
    };
    let playing = async {
        let tokens = prepared(running.engine.access(), &plan).await?;
        generate(plan, tokens, threads, stop).await
    };
    let played = tokio::select! {
        played = playing => played,
        failure = database.given_up() => Err(failure),
    };
    running.stop().await;
    played
}

/// Returns the plan of the command line.
fn plan(load: &LoadArgs) -> Result<Plan, Failure> {
    let transport = if load.http {
        Transport::Http {
            connections: load.in_flight,
        }
    } else {
        Transport::Streams {
            streams: load.streams,
            commands_a_message: load.commands_a_message,
        }
    };
    let pace = match load.rate {
        Some(a_second) => Pace::Rate {
            a_second,
            burst: Duration::from_micros(load.burst_micros.unwrap_or_default()),
        },
        None => Pace::InFlight(load.in_flight),
    };
    let end = match load.commands {
        Some(count) => End::Commands(count),
        None => End::After(Duration::from_secs(load.seconds)),
    };
    let node = |(index, base): (usize, &String)| Node {
        base: base.clone(),
        grpc: load.grpc_url.get(index).cloned(),
    };
    let trust = load.ca.as_deref().map(trust).transpose()?;
    Ok(Plan {
        nodes: load.url.iter().enumerate().map(node).collect(),
        prefix: load.prefix.clone(),
        links: load.links,
        tables: load.tables,
        seed: load.seed,
        transport,
        pace,
        warm_up: Duration::from_secs(load.warm_up),
        end,
        hits_per_million: load.hits_per_million,
        faults: FaultInjection {
            repeat_percent: load.repeat_percent,
            reorder_percent: load.reorder_percent,
            cut_every: load.cut_every,
        },
        patience: Duration::from_secs(load.patience),
        interval: Duration::from_secs(load.interval),
        processes: Processes::default(),
        trust,
    })
}

/// Reads the certificates of the servers' signers.
fn trust(file: &Path) -> Result<Trust, Failure> {
    let refused = |reason: String| Failure::Usage(format!("--ca {}: {reason}", file.display()));
    let pem = fs::read(file).map_err(|error| refused(error.to_string()))?;
    Trust::from_pem(pem).map_err(|error| refused(error.to_string()))
}

/// Opens the links, lets the tables join and creates every token of the load.
async fn prepared(access: &AccessControl, plan: &Plan) -> Result<Tokens, Failure> {
    plan.check()
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let length = match plan.end {
        End::After(length) => i64::try_from(length.as_micros()).unwrap_or(i64::MAX),
        End::Commands(_) => 0,
    };
    let until = Some(Timestamp(
        now().0.saturating_add(TOKENS_VALID).saturating_add(length),
    ));
    let who = |name: &str, role: &str, table: Option<&str>| NewActor {
        name: name.to_owned(),
        role: role.to_owned(),
        table_name: table.map(str::to_owned),
        link_name: None,
        department: None,
        rights: None,
    };
    let manager = token_of(access, &who(MANAGER, "manager", None), until).await?;
    prepare(plan, &manager).await.map_err(failed)?;
    let supervisor = token_of(access, &who(SUPERVISOR, "supervisor", None), until).await?;
    let mut controllers = BTreeMap::new();
    for (_, table) in plan.tables() {
        let token = token_of(access, &who(&table, "controller", Some(&table)), until).await?;
        controllers.insert(table, token);
    }
    Ok(Tokens {
        manager,
        supervisor,
        controllers,
    })
}

/// Runs the load on threads of its own.
async fn generate(
    plan: Plan,
    tokens: Tokens,
    threads: u8,
    stop: CancellationToken,
) -> Result<Report, Failure> {
    let (done, played) = oneshot::channel();
    let thread = std::thread::Builder::new().name(GENERATOR_THREADS.to_owned());
    let spawned = thread.spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .thread_name(GENERATOR_THREADS)
            .worker_threads(usize::from(threads))
            .enable_all()
            .build();
        let played = match runtime {
            Ok(runtime) => runtime.block_on(play(plan, tokens, stop)),
            Err(error) => Err(error.into()),
        };
        // If the receiver is gone, the command received a second request to stop.
        drop(done.send(played));
    });
    spawned.map_err(|error| Failure::internal("could not start the generator", error))?;
    match played.await {
        Ok(played) => played.map_err(failed),
        Err(error) => Err(Failure::internal("the generator died", error)),
    }
}

fn failed(error: LoadError) -> Failure {
    match error {
        LoadError::Plan(error) => Failure::Usage(error.to_string()),
        LoadError::Address { .. } => Failure::Usage(error.to_string()),
        LoadError::Broken { what } => {
            outln!("DIFFERS  {what}");
            Failure::Difference
        }
        error => Failure::internal("the load did not go as it should", error),
    }
}

/// Opens the file of the report before anything is played, and before root's rights are dropped.
/// What it holds stays until there is a report.
fn open_report(path: &Path) -> Result<File, Failure> {
    let mut options = OpenOptions::new();
    let file = options.create(true).write(true).truncate(false).open(path);
    file.map_err(|error| Failure::Usage(format!("could not write {}: {error}", path.display())))
}

/// Prints the result, and writes it to the file for tools.
fn finish(report: &Report, file: Option<File>) -> Result<(), Failure> {
    out!("{report}");
    if let Some(mut file) = file {
        let failed = |error| Failure::internal("could not write the report", error);
        let json = report.to_json();
        let json = json.map_err(|error| Failure::internal("could not write the report", error))?;
        file.set_len(0).map_err(failed)?;
        file.write_all(json.as_bytes()).map_err(failed)?;
    }
    if report.agrees() {
        Ok(())
    } else {
        Err(Failure::Difference)
    }
}

//! The sections of the benchmark, in order.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use meterhouse_domain::link::{Account, Book};
use meterhouse_domain::money::Money;
use meterhouse_engine::verify::verify;
use meterhouse_engine::{Engine, EngineOptions};

use crate::load::{self, CommandExtras, Throughput, Until};
use crate::machine::{self, Watch};
use crate::options::Options;
use crate::setup::{Bench, BenchTable, NAIVE};
use crate::table::{self, Measured};
use crate::{Failure, naive};

/// Tables of the bench. With more commands in flight, each table pipelines several.
const TABLES: usize = 512;
/// Clients of the naive baseline.
const NAIVE_CLIENTS: u64 = 64;
/// Usage of other processes, in hundredths of a core, above which a measurement is repeated; and the maximum number of
/// attempts.
const DISTURBED_MIN: u64 = 30;
const ATTEMPTS_MAX: usize = 3;
/// Commands between two checks of the newest snapshot.
const CHECK_INTERVAL: u64 = 8;
/// Minimum number of events behind the newest snapshot when a start is timed: nearly the maximum.
const TAIL: i64 = 90_000;
/// Number of times that verification and start are timed.
const REPETITIONS: usize = 3;

const EVENTS: &str = "SELECT count(*) FROM event";
/// Commands of tables, which have numbers. A table without play for some seconds also has an event of its loss.
const COMMANDS: &str = "SELECT count(*) FROM event WHERE sequence IS NOT NULL";
const BATCHES: &str = "SELECT sum(batch)::bigint FROM link_head";
const BEHIND: &str = "SELECT coalesce(sum(events), 0)::bigint FROM batch
  WHERE batch > (SELECT coalesce(max(batch), 0) FROM snapshot WHERE snapshot.link_id = batch.link_id)";
const ADDED: &str = "SELECT coalesce(sum(i1), 0)::bigint FROM event WHERE kind = 1";

/// Measures the sections of the options.
pub(crate) async fn run(options: &Options) -> Result<(), Failure> {
    println!("machine: {}", machine::describe()?);
    let bench = Bench::open(options, TABLES).await?;
    let version = bench
        .number("SELECT current_setting('server_version_num')::bigint")
        .await?;
    println!(
        "Postgres {version}, {} links, {TABLES} tables, {} s a measurement, {} rounds",
        bench.links.len(),
        options.length.as_secs(),
        options.rounds
    );
    memory(&bench, options).await?;
    if options.has("rates") || options.has("naive") {
        rates(&bench, options).await?;
    }
    check_books(&bench).await?;
    if options.has("verify") {
        verified(&bench, options).await?;
    }
    let bench = if options.has("start") {
        started(bench, options).await?
    } else {
        bench
    };
    bench.close().await
}

/// Measures the memory of the process after a million rounds, which also warm it up.
async fn memory(bench: &Bench, options: &Options) -> Result<(), Failure> {
    let tables = u64::try_from(TABLES)?;
    let rounds = if options.has("memory") {
        options.played
    } else {
        options.played / 4
    };
    let (before, _) = machine::memory()?;
    let until = Until::Commands(2 * rounds.div_ceil(tables));
    let bench_tables = bench.tables(TABLES);
    let played = load::play(
        &bench.engine,
        &bench_tables,
        1,
        until,
        &CommandExtras::default(),
    )
    .await?;
    let (after, most) = machine::memory()?;
    println!(
        "memory: {} commands ({} rounds) at {}/s: {} MiB before, {} MiB after, {} MiB at most, load generator and all",
        played.commands,
        played.commands / 2,
        table::rate(played.commands, played.elapsed),
        before / 1_024,
        after / 1_024,
        most / 1_024
    );
    Ok(())
}

/// Measures the cases in turn, round after round.
async fn rates(bench: &Bench, options: &Options) -> Result<(), Failure> {
    let naive_options = bench.superuser(NAIVE);
    naive::prepare(&naive_options).await?;
    let badge = CommandExtras {
        badge: Some("dealer-0042".parse()?),
    };
    let mut cases: Vec<(String, Vec<Measured>)> = Vec::new();
    let mut naively = 0;
    for _ in 0..options.rounds.max(1) {
        let mut index = 0;
        let mut keep = |case: String, measured: Measured| {
            if index == cases.len() {
                cases.push((case, Vec::new()));
            }
            cases[index].1.push(measured);
            index += 1;
        };
        if options.has("rates") {
            for in_flight in &options.in_flight {
                let measured =
                    committer(bench, options, *in_flight, &CommandExtras::default()).await?;
                keep(format!("committer, {in_flight} in flight"), measured);
            }
            let measured = committer(bench, options, TABLES, &badge).await?;
            keep(format!("committer, {TABLES}, badge and time"), measured);
        }
        if options.has("naive") {
            let (measured, played) = naive_round(bench, options).await?;
            naively += played;
            keep(format!("naive way, {NAIVE_CLIENTS} clients"), measured);
        }
    }
    naive::check(&naive_options, naively).await?;
    table::head();
    for (case, rounds) in &cases {
        table::row(case, rounds);
    }
    println!();
    Ok(())
}

/// Measures the committer. Returns the least disturbed of several attempts.
async fn committer(
    bench: &Bench,
    options: &Options,
    in_flight: usize,
    extras: &CommandExtras,
) -> Result<Measured, Failure> {
    let tables = in_flight.min(TABLES);
    let bench_tables = bench.tables(tables);
    let mut best: Option<Measured> = None;
    for _ in 0..ATTEMPTS_MAX {
        bench.checkpoint().await?;
        machine::quiet(bench.server.pid(), options.quiet).await?;
        let batches = bench.number(BATCHES).await?;
        let watch = Watch::start(bench.server.pid(), None)?;
        let until = Until::Time(Instant::now() + options.length);
        let played = load::play(
            &bench.engine,
            &bench_tables,
            in_flight / tables,
            until,
            extras,
        )
        .await?;
        let load = watch.read()?;
        let batches = u64::try_from(bench.number(BATCHES).await? - batches)?.max(1);
        let measured = Measured {
            batch: Some(played.commands * 10 / batches),
            ..measured(&played, load)
        };
        if best
            .as_ref()
            .is_none_or(|best| measured.load.others < best.load.others)
        {
            best = Some(measured);
        }
        if load.others <= DISTURBED_MIN {
            break;
        }
    }
    best.ok_or_else(|| "nothing was measured".into())
}

/// Measures the naive baseline. Returns the least disturbed attempt, and the commands of all attempts.
async fn naive_round(bench: &Bench, options: &Options) -> Result<(Measured, u64), Failure> {
    let naive_options = bench.superuser(NAIVE);
    let mut best: Option<Measured> = None;
    let mut done = 0;
    for _ in 0..ATTEMPTS_MAX {
        bench.checkpoint().await?;
        machine::quiet(bench.server.pid(), options.quiet).await?;
        let watch = Watch::start(bench.server.pid(), None)?;
        let played = naive::play(&naive_options, NAIVE_CLIENTS, options.length).await?;
        let load = watch.read()?;
        done += played.commands;
        let measured = measured(&played, load);
        if best
            .as_ref()
            .is_none_or(|best| measured.load.others < best.load.others)
        {
            best = Some(measured);
        }
        if load.others <= DISTURBED_MIN {
            break;
        }
    }
    Ok((best.ok_or("nothing was measured")?, done))
}

fn measured(played: &Throughput, load: machine::Load) -> Measured {
    Measured {
        rate: table::rate(played.commands, played.elapsed),
        latency: Some(table::percentiles(&played.latency)),
        batch: None,
        load,
    }
}

/// Checks the books: every acknowledged command is stored, and the meters are the sum of the wagers.
async fn check_books(bench: &Bench) -> Result<(), Failure> {
    let mut commands = 0;
    let mut added = 0;
    for link in &bench.links {
        let Some(first) = link.tables.first() else {
            continue;
        };
        let state = bench.engine.table(&first.name).await?.state;
        let of = |bench_table: &Arc<BenchTable>| {
            (
                bench_table.last.load(Ordering::Relaxed),
                bench_table.wagers.load(Ordering::Relaxed),
            )
        };
        for (bench_table, stored) in link.tables.iter().zip(&state.tables) {
            if stored.name != bench_table.name || stored.last_sequence.0 != of(bench_table).0 {
                return Err(format!(
                    "{}: {:?} acknowledged, {:?} in the state",
                    bench_table.name,
                    of(bench_table),
                    stored
                )
                .into());
            }
        }
        commands += link.tables.iter().map(|table| of(table).0).sum::<u64>();
        let wagers = link.tables.iter().map(|table| of(table).1).sum::<u64>();
        let levels = state.terms.content().levels.iter().enumerate();
        for (index, level) in levels {
            let shares = state
                .shares
                .iter()
                .filter(|share| share.book == Book::level(index));
            let share = shares.map(|share| share.amount.micros()).sum::<i64>();
            let seed = state.terms.wager.for_one(level.seed)?;
            let expected = Money::from_micros(share).times(wagers)?.plus(seed)?;
            let found = state.balance(Book::level(index), Account::Meter);
            if found != expected {
                return Err(
                    format!("{} {}: {found}, expected {expected}", link.name, level.name).into(),
                );
            }
            if index == 0 {
                added += share * i64::try_from(wagers)?;
            }
        }
    }
    let stored = u64::try_from(bench.number(COMMANDS).await?)?;
    if stored != commands || bench.number(ADDED).await? != added {
        return Err(format!("{commands} commands acknowledged, {stored} stored").into());
    }
    println!(
        "books: {commands} commands acknowledged and stored, meters equal the sum of the wagers"
    );
    Ok(())
}

/// Times the replay of the journal, with and without deciding again, in turn.
async fn verified(bench: &Bench, options: &Options) -> Result<(), Failure> {
    let mut runs: [Vec<(u64, u64)>; 2] = Default::default();
    let mut counts = [(0, 0); 2];
    for _ in 0..REPETITIONS {
        for (index, decide) in [false, true].into_iter().enumerate() {
            machine::quiet(bench.server.pid(), options.quiet).await?;
            let watch = Watch::start(bench.server.pid(), None)?;
            let start = Instant::now();
            let reports = verify(&bench.store, None, decide).await?;
            let elapsed = start.elapsed();
            if let Some(finding) = reports.iter().flat_map(|report| &report.findings).next() {
                return Err(format!("verify found: {finding}").into());
            }
            let events = reports.iter().map(|report| report.events).sum();
            counts[index] = (
                events,
                reports.iter().map(|report| report.decided).sum::<u64>(),
            );
            runs[index].push((table::rate(events, elapsed), watch.read()?.others));
        }
    }
    for (runs, (events, decided)) in runs.iter().zip(counts) {
        println!(
            "verify: {events} events, {decided} of them decided again: {}/s (median of {REPETITIONS}: rate and others {runs:?})",
            table::median(runs.iter().map(|(rate, _)| *rate)).unwrap_or_default(),
        );
    }
    Ok(())
}

/// Plays millions of events of history, and times the start until a table is answered.
async fn started(bench: Bench, options: &Options) -> Result<Bench, Failure> {
    let bench_tables = bench.tables(TABLES);
    let tables = u64::try_from(TABLES)?;
    let stored = u64::try_from(bench.number(EVENTS).await?)?;
    if let Some(missing) = options.history.checked_sub(stored) {
        let until = Until::Commands(2 * (missing / 2).div_ceil(tables));
        let ahead = 2;
        load::play(
            &bench.engine,
            &bench_tables,
            ahead,
            until,
            &CommandExtras::default(),
        )
        .await?;
    }
    while bench.number(BEHIND).await? < TAIL {
        let until = Until::Commands(CHECK_INTERVAL);
        load::play(
            &bench.engine,
            &bench_tables,
            1,
            until,
            &CommandExtras::default(),
        )
        .await?;
    }
    let (events, behind) = (bench.number(EVENTS).await?, bench.number(BEHIND).await?);
    for warm in [false, true] {
        let mut times = Vec::new();
        for _ in 0..REPETITIONS {
            machine::quiet(bench.server.pid(), options.quiet).await?;
            times.push(start_once(&bench, &bench_tables).await?);
        }
        let median = table::median(
            times
                .iter()
                .map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        );
        println!(
            "start: {events} events, {behind} behind the newest snapshot: {} s to the first answer{}",
            table::thousandths(median.unwrap_or_default()),
            if warm { " (again)" } else { "" }
        );
    }
    let start = Instant::now();
    let bench = bench.restart().await?;
    let restarted = start.elapsed();
    let start = Instant::now();
    let first = bench_tables.first().ok_or("no table")?;
    bench.engine.table(&first.name).await?;
    println!(
        "start after a stop in order: {} s for stopping and starting Postgres and the engine, {} s for the first table",
        table::thousandths(u64::try_from(restarted.as_millis())?),
        table::thousandths(u64::try_from(start.elapsed().as_millis())?)
    );
    check_books(&bench).await?;
    Ok(bench)
}

/// Times the start of another node on the journal, from connecting to the first table's answer.
async fn start_once(bench: &Bench, bench_tables: &[Arc<BenchTable>]) -> Result<Duration, Failure> {
    let start = Instant::now();
    let store = bench.another_store().await?;
    let engine = Engine::start(store.clone(), EngineOptions::new("second")).await?;
    let first = bench_tables.first().ok_or("no table")?;
    engine.table(&first.name).await?;
    let elapsed = start.elapsed();
    engine.stop().await;
    store.close().await;
    bench.forget_snapshots_at_end().await?;
    Ok(elapsed)
}

//! What is measured, in its order.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use meterhouse_domain::link::{Account, Book};
use meterhouse_domain::money::Money;
use meterhouse_engine::verify::verify;
use meterhouse_engine::{Engine, EngineOptions};

use crate::drive::{self, Manner, Played, Until};
use crate::house::{Felt, House, NAIVE};
use crate::machine::{self, Watch};
use crate::options::Options;
use crate::table::{self, Measured};
use crate::{Failure, naive};

/// Tables of the house; more commands in flight are sent ahead by the same tables.
const TABLES: usize = 512;
/// Clients of the naive way.
const NAIVE_CLIENTS: u64 = 64;
/// A measurement that others disturbed by more hundredths of a core is made again, so often.
const DISTURBED: u64 = 30;
const AGAIN: usize = 3;
/// Commands after which it is looked how far the newest snapshot is.
const LOOK_EVERY: u64 = 8;
/// Events behind the newest snapshot that a start is timed with, at least: nearly all there can be.
const TAIL: i64 = 90_000;
/// How often verification and start are timed.
const TIMES: usize = 3;

const EVENTS: &str = "SELECT count(*) FROM event";
/// Commands of tables, which have numbers: a table that isn't played for some seconds is also reported lost.
const COMMANDS: &str = "SELECT count(*) FROM event WHERE sequence IS NOT NULL";
const BATCHES: &str = "SELECT sum(batch)::bigint FROM link_head";
const BEHIND: &str = "SELECT coalesce(sum(events), 0)::bigint FROM batch
  WHERE batch > (SELECT coalesce(max(batch), 0) FROM snapshot WHERE snapshot.link_id = batch.link_id)";
const ADDED: &str = "SELECT coalesce(sum(i1), 0)::bigint FROM event WHERE kind = 1";

/// Measures what was asked for.
pub(crate) async fn run(options: &Options) -> Result<(), Failure> {
    println!("machine: {}", machine::describe()?);
    let house = House::open(options, TABLES).await?;
    let version = house
        .number("SELECT current_setting('server_version_num')::bigint")
        .await?;
    println!(
        "Postgres {version}, {} links, {TABLES} tables, {} s a measurement, {} rounds",
        house.links.len(),
        options.length.as_secs(),
        options.rounds
    );
    memory(&house, options).await?;
    if options.has("rates") || options.has("naive") {
        rates(&house, options).await?;
    }
    check_books(&house).await?;
    if options.has("verify") {
        verified(&house, options).await?;
    }
    let house = if options.has("start") {
        started(house, options).await?
    } else {
        house
    };
    house.close().await
}

/// A million rounds, and what the process holds after them. Also the warming up of everything else.
async fn memory(house: &House, options: &Options) -> Result<(), Failure> {
    let tables = u64::try_from(TABLES)?;
    let rounds = if options.has("memory") {
        options.played
    } else {
        options.played / 4
    };
    let (before, _) = machine::memory()?;
    let until = Until::Commands(2 * rounds.div_ceil(tables));
    let felts = house.felts(TABLES);
    let played = drive::play(&house.engine, &felts, 1, until, &Manner::default()).await?;
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

/// The cases in turn, round after round.
async fn rates(house: &House, options: &Options) -> Result<(), Failure> {
    let naive_options = house.superuser(NAIVE);
    naive::prepare(&naive_options).await?;
    let badge = Manner {
        badge: Some("dealer-0042".parse()?),
    };
    let mut cases: Vec<(String, Vec<Measured>)> = Vec::new();
    let mut naively = 0;
    for _ in 0..options.rounds.max(1) {
        let mut place = 0;
        let mut keep = |case: String, measured: Measured| {
            if place == cases.len() {
                cases.push((case, Vec::new()));
            }
            cases[place].1.push(measured);
            place += 1;
        };
        if options.has("rates") {
            for in_flight in &options.in_flight {
                let measured = committer(house, options, *in_flight, &Manner::default()).await?;
                keep(format!("committer, {in_flight} in flight"), measured);
            }
            let measured = committer(house, options, TABLES, &badge).await?;
            keep(format!("committer, {TABLES}, badge and time"), measured);
        }
        if options.has("naive") {
            let (measured, played) = naive_round(house, options).await?;
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

/// One measurement of the committer, the least disturbed of a few.
async fn committer(
    house: &House,
    options: &Options,
    in_flight: usize,
    manner: &Manner,
) -> Result<Measured, Failure> {
    let tables = in_flight.min(TABLES);
    let felts = house.felts(tables);
    let mut best: Option<Measured> = None;
    for _ in 0..AGAIN {
        house.checkpoint().await?;
        machine::quiet(house.server.pid(), options.quiet).await?;
        let batches = house.number(BATCHES).await?;
        let watch = Watch::start(house.server.pid(), None)?;
        let until = Until::Time(Instant::now() + options.length);
        let played = drive::play(&house.engine, &felts, in_flight / tables, until, manner).await?;
        let load = watch.read()?;
        let batches = u64::try_from(house.number(BATCHES).await? - batches)?.max(1);
        let measured = Measured {
            batch: Some(played.commands * 10 / batches),
            ..measured(&played, load)
        };
        if best
            .as_ref()
            .is_none_or(|it| measured.load.others < it.load.others)
        {
            best = Some(measured);
        }
        if load.others <= DISTURBED {
            break;
        }
    }
    best.ok_or_else(|| "nothing was measured".into())
}

/// One measurement of the naive way, and how much all of them did.
async fn naive_round(house: &House, options: &Options) -> Result<(Measured, u64), Failure> {
    let naive_options = house.superuser(NAIVE);
    let mut best: Option<Measured> = None;
    let mut done = 0;
    for _ in 0..AGAIN {
        house.checkpoint().await?;
        machine::quiet(house.server.pid(), options.quiet).await?;
        let watch = Watch::start(house.server.pid(), None)?;
        let played = naive::play(&naive_options, NAIVE_CLIENTS, options.length).await?;
        let load = watch.read()?;
        done += played.commands;
        let measured = measured(&played, load);
        if best
            .as_ref()
            .is_none_or(|it| measured.load.others < it.load.others)
        {
            best = Some(measured);
        }
        if load.others <= DISTURBED {
            break;
        }
    }
    Ok((best.ok_or("nothing was measured")?, done))
}

fn measured(played: &Played, load: machine::Load) -> Measured {
    Measured {
        rate: table::rate(played.commands, played.elapsed),
        latency: Some(table::percentiles(&played.latency)),
        batch: None,
        load,
    }
}

/// Acknowledged is stored, and the meters are the sum of what was wagered.
async fn check_books(house: &House) -> Result<(), Failure> {
    let mut commands = 0;
    let mut added = 0;
    for link in &house.links {
        let Some(first) = link.felts.first() else {
            continue;
        };
        let state = house.engine.table(&first.name).await?.state;
        let of = |felt: &Arc<Felt>| {
            (
                felt.last.load(Ordering::Relaxed),
                felt.wagers.load(Ordering::Relaxed),
            )
        };
        for (felt, stored) in link.felts.iter().zip(&state.tables) {
            if stored.name != felt.name || stored.last_sequence.0 != of(felt).0 {
                return Err(format!(
                    "{}: {:?} acknowledged, {:?} in the state",
                    felt.name,
                    of(felt),
                    stored
                )
                .into());
            }
        }
        commands += link.felts.iter().map(|it| of(it).0).sum::<u64>();
        let wagers = link.felts.iter().map(|it| of(it).1).sum::<u64>();
        let levels = state.terms.content().levels.iter().enumerate();
        for (index, level) in levels {
            let shares = state
                .shares
                .iter()
                .filter(|it| it.book == Book::level(index));
            let share = shares.map(|it| it.amount.micros()).sum::<i64>();
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
    let stored = u64::try_from(house.number(COMMANDS).await?)?;
    if stored != commands || house.number(ADDED).await? != added {
        return Err(format!("{commands} commands acknowledged, {stored} stored").into());
    }
    println!(
        "books: {commands} commands acknowledged and stored, meters equal the sum of the wagers"
    );
    Ok(())
}

/// The journal replayed, with and without deciding again, in turn.
async fn verified(house: &House, options: &Options) -> Result<(), Failure> {
    let mut runs: [Vec<(u64, u64)>; 2] = Default::default();
    let mut counts = [(0, 0); 2];
    for _ in 0..TIMES {
        for (place, decide) in [false, true].into_iter().enumerate() {
            machine::quiet(house.server.pid(), options.quiet).await?;
            let watch = Watch::start(house.server.pid(), None)?;
            let start = Instant::now();
            let reports = verify(&house.store, None, decide).await?;
            let elapsed = start.elapsed();
            if let Some(finding) = reports.iter().flat_map(|it| &it.findings).next() {
                return Err(format!("verify found: {finding}").into());
            }
            let events = reports.iter().map(|it| it.events).sum();
            counts[place] = (events, reports.iter().map(|it| it.decided).sum::<u64>());
            runs[place].push((table::rate(events, elapsed), watch.read()?.others));
        }
    }
    for (runs, (events, decided)) in runs.iter().zip(counts) {
        println!(
            "verify: {events} events, {decided} of them decided again: {}/s (median of {TIMES}: rate and others {runs:?})",
            table::median(runs.iter().map(|it| it.0)).unwrap_or_default(),
        );
    }
    Ok(())
}

/// Millions of events of history; then how long it takes until a table is answered.
async fn started(house: House, options: &Options) -> Result<House, Failure> {
    let felts = house.felts(TABLES);
    let tables = u64::try_from(TABLES)?;
    let stored = u64::try_from(house.number(EVENTS).await?)?;
    if let Some(missing) = options.history.checked_sub(stored) {
        let until = Until::Commands(2 * (missing / 2).div_ceil(tables));
        let ahead = 2;
        drive::play(&house.engine, &felts, ahead, until, &Manner::default()).await?;
    }
    while house.number(BEHIND).await? < TAIL {
        let until = Until::Commands(LOOK_EVERY);
        drive::play(&house.engine, &felts, 1, until, &Manner::default()).await?;
    }
    let (events, behind) = (house.number(EVENTS).await?, house.number(BEHIND).await?);
    for warm in [false, true] {
        let mut times = Vec::new();
        for _ in 0..TIMES {
            machine::quiet(house.server.pid(), options.quiet).await?;
            times.push(start_once(&house, &felts).await?);
        }
        let median = table::median(
            times
                .iter()
                .map(|it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX)),
        );
        println!(
            "start: {events} events, {behind} behind the newest snapshot: {} s to the first answer{}",
            table::thousandths(median.unwrap_or_default()),
            if warm { " (again)" } else { "" }
        );
    }
    let start = Instant::now();
    let house = house.restart().await?;
    let restarted = start.elapsed();
    let start = Instant::now();
    let first = felts.first().ok_or("no table")?;
    house.engine.table(&first.name).await?;
    println!(
        "start after a stop in order: {} s for stopping and starting Postgres and the engine, {} s for the first table",
        table::thousandths(u64::try_from(restarted.as_millis())?),
        table::thousandths(u64::try_from(start.elapsed().as_millis())?)
    );
    check_books(&house).await?;
    Ok(house)
}

/// Another node on the same journal: from connecting to the first table's answer.
async fn start_once(house: &House, felts: &[Arc<Felt>]) -> Result<Duration, Failure> {
    let start = Instant::now();
    let store = house.another_store().await?;
    let engine = Engine::start(store.clone(), EngineOptions::new("second")).await?;
    let first = felts.first().ok_or("no table")?;
    engine.table(&first.name).await?;
    let elapsed = start.elapsed();
    engine.stop().await;
    store.close().await;
    house.forget_snapshots_at_end().await?;
    Ok(elapsed)
}

//! The load: every table sends a coin-in and a close in turn, each as soon as the pipeline has room.
//!
//! # Shape
//! One task a table. A table's commands are sent in the order of their numbers. If more are in flight than there are
//! tables, each table pipelines several.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use meterhouse_domain::command::{CoinIn, TableCommand, Wager, WageredHand};
use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{ActorId, Badge, Sequence, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_domain::seat::Seat;
use meterhouse_engine::Engine;
use meterhouse_engine::answer::{Answer, NotExecuted};
use meterhouse_engine::view::Sender;

use crate::Failure;
use crate::setup::BenchTable;

/// Significant digits of a latency.
const DIGITS: u8 = 3;
/// Minimum number of wagers in a round. The maximum is the number of seats.
const WAGERS_MIN: u8 = 3;
/// Number of different rounds: three to six wagers.
const ROUNDS: u64 = 4;

/// The end of a measurement.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Until {
    /// The end at this time.
    Time(Instant),
    /// The end after this number of commands of each table.
    Commands(u64),
}

/// The optional fields of a command.
#[derive(Clone, Debug, Default)]
pub(crate) struct CommandExtras {
    /// The dealer's badge. With a badge, the command has the device's time as well.
    pub(crate) badge: Option<Badge>,
}

/// The result of a measurement.
pub(crate) struct Throughput {
    pub(crate) commands: u64,
    pub(crate) elapsed: Duration,
    /// Microseconds from the request to the answer.
    pub(crate) latency: Histogram<u64>,
}

type PendingAnswer<'a> = Pin<Box<dyn Future<Output = Result<Answer, NotExecuted>> + Send + 'a>>;

/// Plays on these tables, with `ahead` commands of each in flight.
pub(crate) async fn play(
    engine: &Engine,
    bench_tables: &[Arc<BenchTable>],
    ahead: usize,
    until: Until,
    extras: &CommandExtras,
) -> Result<Throughput, Failure> {
    let start = Instant::now();
    let tables: Vec<_> = bench_tables
        .iter()
        .map(|bench_table| {
            let (engine, bench_table, extras) =
                (engine.clone(), Arc::clone(bench_table), extras.clone());
            tokio::spawn(async move { table(&engine, &bench_table, ahead, until, &extras).await })
        })
        .collect();
    let tables = futures_util::future::try_join_all(tables).await?;
    let elapsed = start.elapsed();
    let mut commands = 0;
    let mut latency = Histogram::new(DIGITS)?;
    for table in tables {
        let own = table?;
        commands += u64::try_from(own.len())?;
        for micros in own {
            latency.record(u64::from(micros))?;
        }
    }
    Ok(Throughput {
        commands,
        elapsed,
        latency,
    })
}

/// Plays on one table. Returns the latency of each command: a histogram of each table would cost more cache than the
/// measured code.
async fn table(
    engine: &Engine,
    bench_table: &BenchTable,
    ahead: usize,
    until: Until,
    extras: &CommandExtras,
) -> Result<Vec<u32>, Failure> {
    let mut latency = Vec::new();
    let mut in_flight: VecDeque<(Instant, u64, PendingAnswer<'_>)> = VecDeque::with_capacity(ahead);
    let first = bench_table.last.load(Ordering::Relaxed) + 1;
    let mut next = first;
    loop {
        // A table stops with its round closed, so that the next run starts with a coin-in.
        let is_over = !next.is_multiple_of(2)
            && match until {
                Until::Time(end) => Instant::now() >= end,
                Until::Commands(count) => next >= first + count,
            };
        if is_over && in_flight.is_empty() {
            return Ok(latency);
        }
        if !is_over && in_flight.len() < ahead {
            let sender = Sender {
                actor: ActorId(1),
                by: extras.badge.clone(),
                device_time: extras.badge.as_ref().map(|_| Timestamp(i64::MAX)),
            };
            let asked =
                engine.table_command(&bench_table.name, sender, Sequence(next), command(next));
            let mut asked: PendingAnswer<'_> = Box::pin(asked);
            // The first poll queues the command, so that a table's numbers are queued in order.
            let sent = Instant::now();
            if let Some(answer) = first_poll(&mut asked).await {
                count(bench_table, next, answer)?;
                latency.push(micros(sent));
            } else {
                in_flight.push_back((sent, next, asked));
            }
            next += 1;
            continue;
        }
        if let Some((sent, number, asked)) = in_flight.pop_front() {
            count(bench_table, number, asked.await)?;
            latency.push(micros(sent));
        }
    }
}

fn micros(since: Instant) -> u32 {
    u32::try_from(since.elapsed().as_micros()).unwrap_or(u32::MAX)
}

/// Returns the answer, if it is available immediately.
async fn first_poll(asked: &mut PendingAnswer<'_>) -> Option<Result<Answer, NotExecuted>> {
    std::future::poll_fn(|context| {
        let poll = asked.as_mut().poll(context);
        std::task::Poll::Ready(match poll {
            std::task::Poll::Ready(answer) => Some(answer),
            std::task::Poll::Pending => None,
        })
    })
    .await
}

/// Books an answer. An unexpected answer ends the measurement.
fn count(
    bench_table: &BenchTable,
    number: u64,
    answer: Result<Answer, NotExecuted>,
) -> Result<(), Failure> {
    let answer = answer.map_err(|denied| format!("{}.{number}: {denied}", bench_table.name))?;
    match &answer.outcome.recorded.event {
        Event::CoinInAccepted(coin_in) => {
            let wagers = u64::from(coin_in.own.len());
            bench_table.wagers.fetch_add(wagers, Ordering::Relaxed);
        }
        Event::RoundClosed { .. } => {}
        other => {
            return Err(format!("{}.{number} was answered {other:?}", bench_table.name).into());
        }
    }
    bench_table.last.store(number, Ordering::Relaxed);
    Ok(())
}

/// Returns the table's command of this number. Odd numbers are a coin-in of three to six wagers, even numbers a close.
fn command(number: u64) -> TableCommand {
    if number.is_multiple_of(2) {
        return TableCommand::Close;
    }
    let more = u8::try_from(number / 2 % ROUNDS).unwrap_or_default();
    let seats = (1..=WAGERS_MIN + more).map(Seat);
    let wager = |seat| Wager {
        seat,
        on: WageredHand::Own,
        amount: Money::DOLLAR,
        player: None,
    };
    TableCommand::CoinIn(CoinIn {
        wagers: seats.clone().map(wager).collect(),
        dealt: seats.collect(),
    })
}

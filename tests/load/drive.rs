//! The load: every table locks a round of bets and ends it, as fast as it is answered.
//!
//! # Shape
//! A task a table. Its commands are sent in the order of their numbers, a few before the first is answered where
//! more are in flight than there are tables.

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
use crate::house::Felt;

/// Significant digits of a latency.
const DIGITS: u8 = 3;
/// Fewest wagers of a round; the most are the seats.
const WAGERS_MIN: u8 = 3;
/// Different rounds: three to six wagers.
const ROUNDS: u64 = 4;

/// When the tables stop.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Until {
    /// At this moment.
    Time(Instant),
    /// After so many commands each.
    Commands(u64),
}

/// What a table sends beside its commands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manner {
    /// The dealer's badge and the device's time.
    pub(crate) badge: Option<Badge>,
}

/// What came of it.
pub(crate) struct Played {
    pub(crate) commands: u64,
    pub(crate) elapsed: Duration,
    /// Microseconds from asking to being answered.
    pub(crate) latency: Histogram<u64>,
}

type Asked<'a> = Pin<Box<dyn Future<Output = Result<Answer, NotExecuted>> + Send + 'a>>;

/// Lets these tables play with `ahead` commands each on the way.
pub(crate) async fn play(
    engine: &Engine,
    felts: &[Arc<Felt>],
    ahead: usize,
    until: Until,
    manner: &Manner,
) -> Result<Played, Failure> {
    let start = Instant::now();
    let tables: Vec<_> = felts
        .iter()
        .map(|felt| {
            let (engine, felt, manner) = (engine.clone(), Arc::clone(felt), manner.clone());
            tokio::spawn(async move { table(&engine, &felt, ahead, until, &manner).await })
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
    Ok(Played {
        commands,
        elapsed,
        latency,
    })
}

/// One table; answers the latency of each of its commands, as it came: a histogram a table would cost more cache
/// than what is measured.
async fn table(
    engine: &Engine,
    felt: &Felt,
    ahead: usize,
    until: Until,
    manner: &Manner,
) -> Result<Vec<u32>, Failure> {
    let mut latency = Vec::new();
    let mut under_way: VecDeque<(Instant, u64, Asked<'_>)> = VecDeque::with_capacity(ahead);
    let first = felt.last.load(Ordering::Relaxed) + 1;
    let mut next = first;
    loop {
        // A table ends with its round closed, so that the next run begins with a coin-in.
        let is_over = !next.is_multiple_of(2)
            && match until {
                Until::Time(end) => Instant::now() >= end,
                Until::Commands(count) => next >= first + count,
            };
        if is_over && under_way.is_empty() {
            return Ok(latency);
        }
        if !is_over && under_way.len() < ahead {
            let sender = Sender {
                actor: ActorId(1),
                by: manner.badge.clone(),
                device_time: manner.badge.as_ref().map(|_| Timestamp(i64::MAX)),
            };
            let asked = engine.table_command(&felt.name, sender, Sequence(next), command(next));
            let mut asked: Asked<'_> = Box::pin(asked);
            // Polled once it stands in the queue; so the table's numbers stand there in their order.
            let sent = Instant::now();
            if let Some(answer) = first_poll(&mut asked).await {
                count(felt, next, answer)?;
                latency.push(micros(sent));
            } else {
                under_way.push_back((sent, next, asked));
            }
            next += 1;
            continue;
        }
        if let Some((sent, number, asked)) = under_way.pop_front() {
            count(felt, number, asked.await)?;
            latency.push(micros(sent));
        }
    }
}

fn micros(since: Instant) -> u32 {
    u32::try_from(since.elapsed().as_micros()).unwrap_or(u32::MAX)
}

/// The answer, if it is there at once.
async fn first_poll(asked: &mut Asked<'_>) -> Option<Result<Answer, NotExecuted>> {
    std::future::poll_fn(|context| {
        let poll = asked.as_mut().poll(context);
        std::task::Poll::Ready(match poll {
            std::task::Poll::Ready(answer) => Some(answer),
            std::task::Poll::Pending => None,
        })
    })
    .await
}

/// Books an answer; anything but what was asked for ends the measurement.
fn count(felt: &Felt, number: u64, answer: Result<Answer, NotExecuted>) -> Result<(), Failure> {
    let answer = answer.map_err(|denied| format!("{}.{number}: {denied}", felt.name))?;
    match &answer.outcome.recorded.event {
        Event::CoinInAccepted(coin_in) => {
            let wagers = u64::from(coin_in.own.len());
            felt.wagers.fetch_add(wagers, Ordering::Relaxed);
        }
        Event::RoundClosed { .. } => {}
        other => return Err(format!("{}.{number} was answered {other:?}", felt.name).into()),
    }
    felt.last.store(number, Ordering::Relaxed);
    Ok(())
}

/// The table's command of this number: odd ones lock a round of three to six wagers, even ones end it.
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

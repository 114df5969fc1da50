//! The commands of a batch, counted by kind and answer.

use meterhouse_domain::command::{Command, TableCommand};
use meterhouse_domain::event::Event;
use opentelemetry::KeyValue;
use tokio::time::Instant;

use super::instruments;
use crate::answer::Outcome;
use crate::committer::decided::DecidedRequest;
use crate::committer::verdict::Verdict;

/// Kinds of commands: those of tables, and all of people.
const KINDS: [&str; 11] = [
    "coin_in",
    "count",
    "fold",
    "hit",
    "envy",
    "bonus",
    "settle",
    "cancel_hit",
    "close",
    "void",
    "person",
];
/// Kinds of answers.
const ANSWERS: [&str; 4] = ["accepted", "refused", "replayed", "denied"];

/// The number of commands of each kind with each answer.
#[derive(Default)]
struct Counts([[u64; ANSWERS.len()]; KINDS.len()]);

/// Records the commands of a batch that is answered now.
pub(crate) fn record(requests: &[DecidedRequest], outcomes: &[Outcome]) {
    let instruments = instruments();
    let mut counts = Counts::default();
    let mut oldest: Option<Instant> = None;
    let mut commands = 0;
    for request in requests {
        let DecidedRequest::Command(request, verdict) = request else {
            continue;
        };
        commands += 1;
        oldest = Some(oldest.map_or(request.received, |oldest| oldest.min(request.received)));
        let kind = kind_of(&request.envelope.command);
        let answer = match verdict {
            Verdict::Committed(index) => match refusal_of(outcomes.get(*index)) {
                Some(code) => {
                    instruments.record_refusal(code);
                    1
                }
                None => 0,
            },
            Verdict::CommittedAgain(_)
            | Verdict::Again(_)
            | Verdict::Find(..)
            | Verdict::DoneBefore => 2,
            Verdict::Now(_) | Verdict::Confirmed(_) => 3,
        };
        if let Some(count) = counts.0.get_mut(kind).and_then(|row| row.get_mut(answer)) {
            *count += 1;
        }
    }
    if let Some(oldest) = oldest {
        instruments.record_batch(commands, oldest.elapsed());
    }
    for (kind, row) in KINDS.iter().zip(&counts.0) {
        for (answer, count) in ANSWERS.iter().zip(row) {
            if *count > 0 {
                let labels = [
                    KeyValue::new("command", *kind),
                    KeyValue::new("answer", *answer),
                ];
                instruments.commands.add(*count, &labels);
            }
        }
    }
}

/// Returns the code of a refusal by the rules.
fn refusal_of(outcome: Option<&Outcome>) -> Option<&'static str> {
    match &outcome?.recorded.event {
        Event::Refused { refusal, .. } => Some(refusal.code.name()),
        _ => None,
    }
}

/// Returns the index of a command's kind.
const fn kind_of(command: &Command) -> usize {
    match command {
        Command::Table { command, .. } => match command {
            TableCommand::CoinIn(_) => 0,
            TableCommand::Count { .. } => 1,
            TableCommand::Fold { .. } => 2,
            TableCommand::Hit(_) => 3,
            TableCommand::Envy { .. } => 4,
            TableCommand::Bonus(_) => 5,
            TableCommand::Settle(_) | TableCommand::SettleWagers(_) => 6,
            TableCommand::CancelHit { .. } => 7,
            TableCommand::Close => 8,
            TableCommand::Void { .. } => 9,
        },
        Command::Person(_) => 10,
    }
}

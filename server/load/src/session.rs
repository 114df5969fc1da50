//! One open stream: filled as the plan says, read as fast as it comes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use meterhouse_client::table_stream::TableStream;
use meterhouse_proto::table::Attached;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tonic::Status;

use crate::ask::{Answer, Ask, Given, Repeat};
use crate::error::LoadError;
use crate::house::House;
use crate::pace::Pacer;
use crate::pit::Pit;
use crate::plan::Way;
use crate::status::{self, Ended};
use crate::wire::{CommandSent, CommandsSent, OutcomeReceived, RequestSent, ResponseReceived};

/// How long a server may say nothing while commands are under way.
const SILENCE_MAX: Duration = Duration::from_secs(10);
/// How often is looked whether it does.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Messages that are read before new commands are sent.
const READS_MAX: usize = 16;

/// A stream that carries only what a generator needs.
pub(crate) type Stream = TableStream<RequestSent, ResponseReceived>;

/// A stream with all tables of a pit on it.
pub(crate) struct Opened {
    pub(crate) stream: Stream,
    pub(crate) attached: Vec<Attached>,
}

/// One open stream.
pub(crate) struct Session<'a> {
    /// Commands under way, in the order of sending.
    pub(crate) sent: VecDeque<Ask>,
    pit: &'a mut Pit,
    pacer: &'a mut Pacer,
    house: Arc<House>,
    stream: Stream,
    /// What the server calls each table.
    handles: Vec<u32>,
    a_message: usize,
    /// Nothing more is sent: a number was left out, and the stream will end.
    is_holding: bool,
    /// No message fits into the queue.
    is_full: bool,
    last_received_at: Instant,
}

impl<'a> Session<'a> {
    /// A stream to which all tables are attached.
    pub(crate) fn new(pit: &'a mut Pit, pacer: &'a mut Pacer, opened: Opened) -> Self {
        let house = Arc::clone(&pit.house);
        let a_message = match house.plan.way {
            Way::Streams {
                commands_a_message, ..
            } => commands_a_message as usize,
            Way::Http { .. } => 1,
        };
        Self {
            sent: VecDeque::new(),
            pit,
            pacer,
            house,
            stream: opened.stream,
            handles: opened.attached.iter().map(|it| it.handle).collect(),
            a_message,
            is_holding: false,
            is_full: false,
            last_received_at: Instant::now(),
        }
    }

    /// Plays until the stream ends, one way or the other.
    pub(crate) async fn run(
        &mut self,
        settled: &mut mpsc::Receiver<usize>,
    ) -> Result<Ended, LoadError> {
        let house = Arc::clone(&self.house);
        let mut looks = interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut is_stopping = house.stop.is_cancelled();
        loop {
            for winner in self.pit.winners.drain(..) {
                if house.floor.capacity() == 0 {
                    self.pacer.blocked();
                }
                // A floor that went home ends the whole run.
                drop(house.floor.send(winner).await);
            }
            if self.fill() {
                return Ok(Ended::Cut);
            }
            if self.sent.is_empty() && self.pit.is_over() {
                return Ok(Ended::Over);
            }
            self.pacer.set_alarm(self.pit, house.now())?;
            tokio::select! {
                response = self.stream.responses.message() => {
                    if let Some(ended) = self.received(response)? {
                        return Ok(ended);
                    }
                }
                Some(felt) = settled.recv() => self.pit.settled(felt),
                () = self.stream.requests.reserve().map(drop), if self.is_full => self.is_full = false,
                rung = self.pacer.rings() => rung?,
                _ = looks.tick() => {
                    if !self.sent.is_empty() && self.last_received_at.elapsed() > SILENCE_MAX {
                        return Ok(Ended::Away("no outcome came for too long".to_owned()));
                    }
                }
                () = house.stop.cancelled(), if !is_stopping => is_stopping = true,
            }
        }
    }

    /// Sends what may be sent now; answers whether the connection is to be cut.
    fn fill(&mut self) -> bool {
        while !self.is_holding {
            let Ok(room) = self.stream.requests.try_reserve() else {
                // A closed queue shows as the end of the stream.
                self.is_full = !self.stream.requests.is_closed();
                self.pacer.blocked();
                return false;
            };
            let now = self.house.now();
            if self.sent.is_empty() {
                self.last_received_at = Instant::now();
            }
            let mut commands = Vec::new();
            while commands.len() < self.a_message && !self.is_holding {
                let Some(ask) = self.pacer.next(self.pit, now, self.sent.len()) else {
                    break;
                };
                self.is_holding = ask.early;
                push(&mut commands, &self.house, &self.handles, &ask);
                let second = (ask.repeat == Repeat::AtOnce).then(|| ask.again());
                self.sent.push_back(ask);
                // A number that is left out has to be the last one of its message.
                if let Some(second) = second.filter(|_| !self.is_holding) {
                    push(&mut commands, &self.house, &self.handles, &second);
                    self.sent.push_back(second);
                }
            }
            if commands.is_empty() {
                return false;
            }
            let commands = Some(CommandsSent { commands });
            room.send(RequestSent {
                commands,
                ..RequestSent::default()
            });
            if self.pit.is_cut() {
                return true;
            }
        }
        false
    }

    /// Books a response, and those that have arrived behind it.
    fn received(
        &mut self,
        response: Result<Option<ResponseReceived>, Status>,
    ) -> Result<Option<Ended>, LoadError> {
        let mut response = response;
        for more in (0..READS_MAX).rev() {
            match response {
                Ok(Some(received)) => {
                    let outcomes = received.outcomes.map(|it| it.outcomes).unwrap_or_default();
                    let now = self.house.now();
                    for outcome in outcomes {
                        self.outcome(outcome, now)?;
                    }
                    self.last_received_at = Instant::now();
                }
                Ok(None) => return Ok(Some(Ended::Away("the stream ended".to_owned()))),
                Err(status) => return judge(self.pit, &status).map(Some),
            }
            if more == 0 {
                break;
            }
            match self.stream.responses.message().now_or_never() {
                Some(next) => response = next,
                None => break,
            }
        }
        Ok(None)
    }

    fn outcome(&mut self, mut outcome: OutcomeReceived, now: u64) -> Result<(), LoadError> {
        let ask = self.sent.pop_front();
        let is_next = |ask: &Ask| {
            self.handles.get(ask.felt) == Some(&outcome.handle) && ask.sequence == outcome.sequence
        };
        let Some(ask) = ask.filter(is_next) else {
            return Err(LoadError::broken(format!(
                "an outcome came that was not next: table {} on this stream, number {}",
                outcome.handle, outcome.sequence
            )));
        };
        let answer = Answer {
            replayed: outcome.replayed,
            refused: outcome.refused.as_ref().map(|it| it.code.clone()),
        };
        let given = || {
            outcome.replayed = false;
            // Its own name of the table may be another one on the next stream.
            outcome.handle = 0;
            Given::Outcome(Box::new(outcome))
        };
        self.pit.answered(ask, answer, given, now)
    }
}

fn push(commands: &mut Vec<CommandSent>, house: &House, handles: &[u32], ask: &Ask) {
    let handle = handles.get(ask.felt).copied().unwrap_or_default();
    commands.push(house.encoded.command(handle, ask.sequence, ask.kind));
}

/// What the end of a stream means to a pit.
pub(crate) fn judge(pit: &mut Pit, status: &Status) -> Result<Ended, LoadError> {
    match status::of_stream(status) {
        status::Said::Away(last) => Ok(Ended::Away(last)),
        status::Said::Gap { table, expected } if pit.is_expected(&table, expected) => {
            Ok(Ended::Gap)
        }
        status::Said::Gap { table, expected } => Err(LoadError::broken(format!(
            "the server expects {table}.{expected}, which was not held back"
        ))),
        status::Said::Broken(what) => Err(LoadError::broken(format!("a stream was ended: {what}"))),
    }
}

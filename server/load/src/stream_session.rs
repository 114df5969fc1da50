//! One open stream: filled to the plan, and read as outcomes arrive.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use meterhouse_client::table_stream::TableStream;
use meterhouse_proto::table::Attached;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tonic::Status;

use crate::connection_end::{ConnectionEnd, Failure, classify_status};
use crate::connection_group::ConnectionGroup;
use crate::error::LoadError;
use crate::in_flight::{InFlight, ReceivedOutcome, Repeat, Reply};
use crate::pace::Pacer;
use crate::plan::Transport;
use crate::run_context::RunContext;
use crate::wire::{CommandSent, CommandsSent, OutcomeReceived, RequestSent, ResponseReceived};

/// Maximum silence of a server while commands are in flight.
const SILENCE_MAX: Duration = Duration::from_secs(10);
/// Interval of the check for silence.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of messages that are read before new commands are sent.
const READS_MAX: usize = 16;

/// A stream with only the fields that the generator needs.
pub(crate) type Stream = TableStream<RequestSent, ResponseReceived>;

/// A stream to which all tables of a group are attached.
pub(crate) struct OpenedStream {
    pub(crate) stream: Stream,
    pub(crate) attached: Vec<Attached>,
}

/// One open stream.
pub(crate) struct StreamSession<'a> {
    /// Commands in flight, in the order of sending.
    pub(crate) in_flight: VecDeque<InFlight>,
    group: &'a mut ConnectionGroup,
    pacer: &'a mut Pacer,
    context: Arc<RunContext>,
    stream: Stream,
    /// The server's handle of each table.
    handles: Vec<u32>,
    commands_per_message: usize,
    /// `true` after a number was left out on purpose. Nothing more is sent, and the server will end the stream.
    awaits_gap_reply: bool,
    /// `true` if no message fits into the queue.
    is_full: bool,
    last_received_at: Instant,
}

impl<'a> StreamSession<'a> {
    /// Creates the session of a stream to which all tables are attached.
    pub(crate) fn new(
        group: &'a mut ConnectionGroup,
        pacer: &'a mut Pacer,
        opened: OpenedStream,
    ) -> Self {
        let context = Arc::clone(&group.context);
        let commands_per_message = match context.plan.transport {
            Transport::Streams {
                commands_a_message, ..
            } => commands_a_message as usize,
            Transport::Http { .. } => 1,
        };
        Self {
            in_flight: VecDeque::new(),
            group,
            pacer,
            context,
            stream: opened.stream,
            handles: opened.attached.iter().map(|table| table.handle).collect(),
            commands_per_message,
            awaits_gap_reply: false,
            is_full: false,
            last_received_at: Instant::now(),
        }
    }

    /// Plays until the stream ends.
    pub(crate) async fn run(
        &mut self,
        settled: &mut mpsc::Receiver<usize>,
    ) -> Result<ConnectionEnd, LoadError> {
        let context = Arc::clone(&self.context);
        let mut checks = interval(CHECK_INTERVAL);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut is_stopping = context.stop.is_cancelled();
        loop {
            for hit in self.group.pending_hits.drain(..) {
                if context.pending_hits.capacity() == 0 {
                    self.pacer.mark_blocked();
                }
                // A failed supervisor ends the whole run.
                drop(context.pending_hits.send(hit).await);
            }
            if self.send_ready() {
                return Ok(ConnectionEnd::Cut);
            }
            if self.in_flight.is_empty() && self.group.is_finished() {
                return Ok(ConnectionEnd::Finished);
            }
            self.pacer.set_timer(self.group, context.now())?;
            tokio::select! {
                response = self.stream.responses.message() => {
                    if let Some(ended) = self.book_responses(response)? {
                        return Ok(ended);
                    }
                }
                Some(table) = settled.recv() => self.group.mark_settled(table),
                () = self.stream.requests.reserve().map(drop), if self.is_full => self.is_full = false,
                expired = self.pacer.timer_expired() => expired?,
                _ = checks.tick() => {
                    if !self.in_flight.is_empty() && self.last_received_at.elapsed() > SILENCE_MAX {
                        return Ok(ConnectionEnd::Disconnected("no outcome arrived for too long".to_owned()));
                    }
                }
                () = context.stop.cancelled(), if !is_stopping => is_stopping = true,
            }
        }
    }

    /// Sends all commands that may be sent now. Returns `true` if the connection has to be cut.
    fn send_ready(&mut self) -> bool {
        while !self.awaits_gap_reply {
            let Ok(permit) = self.stream.requests.try_reserve() else {
                // A closed queue is reported by the end of the stream.
                self.is_full = !self.stream.requests.is_closed();
                self.pacer.mark_blocked();
                return false;
            };
            let now = self.context.now();
            if self.in_flight.is_empty() {
                self.last_received_at = Instant::now();
            }
            let mut commands = Vec::new();
            while commands.len() < self.commands_per_message && !self.awaits_gap_reply {
                let Some(command) = self.pacer.next(self.group, now, self.in_flight.len()) else {
                    break;
                };
                self.awaits_gap_reply = command.is_reordered;
                push_command(&mut commands, &self.context, &self.handles, &command);
                let repeat =
                    (command.repeat == Repeat::Immediately).then(|| command.immediate_repeat());
                self.in_flight.push_back(command);
                // A gap has to be at the end of its message.
                if let Some(repeat) = repeat.filter(|_| !self.awaits_gap_reply) {
                    push_command(&mut commands, &self.context, &self.handles, &repeat);
                    self.in_flight.push_back(repeat);
                }
            }
            if commands.is_empty() {
                return false;
            }
            let commands = Some(CommandsSent { commands });
            permit.send(RequestSent {
                commands,
                ..RequestSent::default()
            });
            if self.group.cut_is_due() {
                return true;
            }
        }
        false
    }

    /// Books a response, and those that have arrived after it.
    fn book_responses(
        &mut self,
        response: Result<Option<ResponseReceived>, Status>,
    ) -> Result<Option<ConnectionEnd>, LoadError> {
        let mut response = response;
        for more in (0..READS_MAX).rev() {
            match response {
                Ok(Some(received)) => {
                    let outcomes = received
                        .outcomes
                        .map(|outcomes| outcomes.outcomes)
                        .unwrap_or_default();
                    let now = self.context.now();
                    for outcome in outcomes {
                        self.book(outcome, now)?;
                    }
                    self.last_received_at = Instant::now();
                }
                Ok(None) => {
                    return Ok(Some(ConnectionEnd::Disconnected(
                        "the stream ended".to_owned(),
                    )));
                }
                Err(status) => return stream_end(self.group, &status).map(Some),
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

    fn book(&mut self, mut outcome: OutcomeReceived, now: u64) -> Result<(), LoadError> {
        let command = self.in_flight.pop_front();
        let is_next = |command: &InFlight| {
            self.handles.get(command.table_index) == Some(&outcome.handle)
                && command.sequence == outcome.sequence
        };
        let Some(command) = command.filter(is_next) else {
            return Err(LoadError::broken(format!(
                "an outcome arrived out of order: handle {}, number {}",
                outcome.handle, outcome.sequence
            )));
        };
        let reply = Reply {
            is_replay: outcome.replayed,
            refusal: outcome.refused.as_ref().map(|refused| refused.code.clone()),
        };
        let received = || {
            outcome.replayed = false;
            // The handle of the table may differ on the next stream.
            outcome.handle = 0;
            ReceivedOutcome::Outcome(Box::new(outcome))
        };
        self.group.acknowledge(command, reply, received, now)
    }
}

fn push_command(
    commands: &mut Vec<CommandSent>,
    context: &RunContext,
    handles: &[u32],
    command: &InFlight,
) {
    let handle = handles
        .get(command.table_index)
        .copied()
        .unwrap_or_default();
    commands.push(
        context
            .encoded
            .command(handle, command.sequence, command.kind),
    );
}

/// Classifies the status that ended a stream.
pub(crate) fn stream_end(
    group: &mut ConnectionGroup,
    status: &Status,
) -> Result<ConnectionEnd, LoadError> {
    match classify_status(status) {
        Failure::Retryable(last) => Ok(ConnectionEnd::Disconnected(last)),
        Failure::SequenceGap { table, expected } if group.is_provoked_gap(&table, expected) => {
            Ok(ConnectionEnd::SequenceGap)
        }
        Failure::SequenceGap { table, expected } => Err(LoadError::broken(format!(
            "the server expects {table}.{expected}, which was not held back"
        ))),
        Failure::Fatal(what) => Err(LoadError::broken(format!(
            "the server ended a stream: {what}"
        ))),
    }
}

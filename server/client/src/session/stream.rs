//! One stream: attaches the table, sends commands without an outcome, receives outcomes, and sends heartbeats.
//!
//! # Order
//! The server answers in the order of the requests. Every outcome has to be that of the oldest command in flight.
//! Otherwise the stream ends and the outcome is ignored.
//!
//! # Limits
//! The server's window limits the commands in flight. A message has at most [`MESSAGE_COMMANDS_MAX`] commands and
//! [`MESSAGE_BYTES_MAX`], and [`MESSAGES_MAX`] messages wait for the network. Reading never waits for writing, so
//! neither side can block the other. A silent stream ends after the silence that the link allows its tables,
//! [`SILENCE_MAX`] at most.
//!
//! # Commands held back
//! No new command is sent before the first heartbeat was answered. A table that was silent for too long is lost, and
//! its coin-in would be refused. No new command is sent while a heartbeat is unanswered and the next one is due. To a
//! server that stalls, every table is silent, and lost when it continues. No new command is sent on a faulted link,
//! until people have cleared the fault. Commands that the server has counted are always sent, for their outcomes.

use std::collections::VecDeque;
use std::time::Duration;

use meterhouse_proto::table::play_request::Request;
use meterhouse_proto::table::play_response::Response;
use meterhouse_proto::table::{self as wire, PlayRequest, PlayResponse};
use tokio::sync::mpsc::Permit;
use tokio::sync::oneshot;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until, timeout};

use super::{PAUSE_MAX, StreamEnd, TableSession, Target, stream_end};
use crate::error::{Stopped, Unreadable};
use crate::money::Money;
use crate::outbox_writer::Job;
use crate::outcome::Outcome;
use crate::outcome::read::{all, text};
use crate::status::{LinkState, Offline, Online, Standing, Status};
use crate::table_stream::{TableStream, connect, request};
use crate::values::{HitName, Sequence};

/// The longest silence of a server with a pending reply, unless the link allows its tables less.
pub(super) const SILENCE_MAX: Duration = Duration::from_secs(5);
/// The interval of heartbeats, unless the link needs a shorter one. Each reply has the standing of the table.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
/// Heartbeats within the silence after which the server counts the table as lost. One may be late, and one may be lost.
const HEARTBEATS_PER_SILENCE: u32 = 3;
/// Maximum number of commands in one message.
const MESSAGE_COMMANDS_MAX: usize = 128;
/// Maximum size of a message with several commands. A single command is never larger than a server reads.
const MESSAGE_BYTES_MAX: usize = 64 * 1_024;
/// Maximum number of messages that wait for the network.
const MESSAGES_MAX: usize = 4;

/// An attached table on its stream.
struct AttachedTable {
    handle: u32,
    window: usize,
    /// The next number of the server when the table was attached. Every command below it is a replay.
    counted_before: Sequence,
    /// `true` while no new command may be sent.
    holds_new: bool,
    /// The newest command that was sent.
    last_sent: Option<Sequence>,
    /// Commands that were sent and have no outcome.
    unanswered: VecDeque<Sequence>,
    heartbeat_interval: Duration,
    is_heartbeat_due: bool,
    /// `true` while a heartbeat, due or sent, has no reply.
    is_heartbeat_open: bool,
    /// The time at which the table was attached.
    attached_at: Instant,
    /// Maximum silence of the server.
    silence_limit: Duration,
    /// The end of the permitted silence, moved by each message.
    silence_deadline: Instant,
}

impl TableSession {
    /// Opens one stream and runs until it ends.
    pub(super) async fn run_stream(&mut self) -> StreamEnd {
        match self.open().await {
            Ok((stream, attached)) => self.exchange(stream, attached).await,
            Err(ended) => ended,
        }
    }

    async fn open(&mut self) -> Result<(TableStream, AttachedTable), StreamEnd> {
        let refused = |status| stream_end::classify(&status);
        let Target {
            endpoint,
            table,
            token,
        } = &self.target;
        let channel = timeout(super::CONNECT_TIMEOUT, connect(endpoint)).await;
        let channel = channel.map_err(|_| unreachable("the connection did not open in time"))?;
        let first = wire::Attach {
            table: table.to_string(),
            token: token.0.clone(),
            follow_hits: true,
            seal: self.in_flight.seal(),
        };
        let first = vec![request(Request::Attach(first))];
        let opening = TableStream::open(channel.map_err(refused)?, first, MESSAGES_MAX);
        let stream = timeout(SILENCE_MAX, opening).await.map_err(|_| silent())?;
        let mut stream = stream.map_err(refused)?;
        let first = timeout(SILENCE_MAX, stream.receive()).await;
        let first = first.map_err(|_| silent())?.map_err(refused)?;
        let Response::Attached(message) = first else {
            return Err(StreamEnd::retry(Offline::OutOfOrder));
        };
        self.last_received_at = Some(Instant::now());
        let attached = self.attached(message).await?;
        Ok((stream, attached))
    }

    /// Checks that the server's next number fits the outbox, and sets the status to online.
    async fn attached(&mut self, message: wire::Attached) -> Result<AttachedTable, StreamEnd> {
        let next = Sequence::new(message.next_sequence);
        let next = next.ok_or_else(|| unreadable(Unreadable("the table's next number"), None))?;
        match self.in_flight.next() {
            None => self.set_next(next).await?,
            Some(own) if next > own => {
                return Err(StreamEnd::Stopped(Stopped::ServerAhead {
                    table: self.target.table.clone(),
                    server_next: next.get(),
                    last_assigned: own.get() - 1,
                }));
            }
            Some(own) => {
                let oldest = self.in_flight.oldest().unwrap_or(own);
                // A sealed command was counted, even if the outbox still stores it because its outcome was not taken.
                let oldest = oldest.max(self.in_flight.behind_seal().unwrap_or(oldest));
                if next < oldest {
                    return Err(StreamEnd::Stopped(Stopped::ServerBehind {
                        table: self.target.table.clone(),
                        server_next: next.get(),
                        oldest: oldest.get(),
                    }));
                }
            }
        }
        self.record_seal(&message.seal);
        let attached = AttachedTable::new(&message, next, Instant::now());
        let standing = read_standing(message.standing)?;
        self.recorder.record(&standing, &[]);
        let wager = Money::from_micros(message.wager_micros).ok_or(Unreadable("the link's wager"));
        let online = Online {
            link: message.link,
            wager: wager.map_err(|what| unreadable(what, None))?,
            levels: message.levels,
            silence_max: silence_max(message.silence_seconds_max),
            standing,
        };
        tracing::info!(table = %self.target.table, link = %online.link, "online");
        self.status.send_replace(Status::Online(online));
        Ok(attached)
    }

    /// Sets the first number of a new outbox, as the server reported it.
    async fn set_next(&self, next: Sequence) -> Result<(), StreamEnd> {
        let (done, result) = oneshot::channel();
        // Without its thread, the outbox is closing, and the lifecycle has ended.
        drop(self.outbox.send(Job::SetNext(next, done)).await);
        match result.await {
            Ok(Err(error)) => Err(StreamEnd::Stopped(Stopped::Outbox(error))),
            Ok(Ok(())) => Ok(()),
            Err(_) => Err(StreamEnd::retry(Offline::Ended)),
        }
    }

    async fn exchange(&mut self, stream: TableStream, mut attached: AttachedTable) -> StreamEnd {
        let TableStream {
            requests,
            mut responses,
        } = stream;
        let every = attached.heartbeat_interval;
        let mut heartbeats = interval_at(Instant::now() + every, every);
        heartbeats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut is_writable = true;
        loop {
            let commands = self.to_send(&attached);
            let has_work = attached.is_heartbeat_due || !commands.is_empty();
            tokio::select! {
                // Messages that have arrived are read first, so that a slow client does not count as a silent server.
                biased;
                message = responses.message() => match message {
                    Ok(Some(message)) => {
                        self.mark_received(&mut attached, Instant::now());
                        if let Err(ended) = self.handle(message, &mut attached) {
                            return ended;
                        }
                    }
                    Ok(None) => return StreamEnd::retry(Offline::Ended),
                    Err(status) => return stream_end::classify(&status),
                },
                () = sleep_until(attached.silence_deadline) => return silent(),
                _ = heartbeats.tick() => {
                    attached.heartbeat_due();
                    if self.in_flight.has_taken() {
                        // A busy queue is no problem: the next transaction deletes taken commands as well.
                        drop(self.outbox.try_send(Job::Forget));
                    }
                }
                permit = requests.reserve(), if has_work && is_writable => match permit {
                    Ok(permit) => attached.send(permit, commands),
                    // The server reads no more. The reason may still have to be read.
                    Err(_) => is_writable = false,
                },
                () = self.in_flight.wait_for_new(), if !has_work => {}
            }
        }
    }

    /// Records the seal of the last counted command, and has it stored if it is newer.
    fn record_seal(&self, seal: &str) {
        if self.in_flight.record_seal(seal) {
            // A busy queue is no problem: the next newer seal is stored as well.
            drop(self.outbox.try_send(Job::StoreSeal(seal.to_owned())));
        }
    }

    /// Records that a message arrived at this time.
    fn mark_received(&mut self, attached: &mut AttachedTable, now: Instant) {
        self.last_received_at = Some(now);
        attached.silence_deadline = now + attached.silence_limit;
        self.has_progressed |= now.duration_since(attached.attached_at) > PAUSE_MAX;
    }

    /// Returns the commands that may be sent now.
    fn to_send(&self, attached: &AttachedTable) -> Vec<wire::Command> {
        let room = attached.window.saturating_sub(attached.unanswered.len());
        let most = room.min(MESSAGE_COMMANDS_MAX);
        if most == 0 {
            return Vec::new();
        }
        let before = attached.holds_new.then_some(attached.counted_before);
        let commands = self
            .in_flight
            .to_send(attached.last_sent, before, most, MESSAGE_BYTES_MAX);
        let commands = commands.iter().map(|command| wire::Command {
            handle: attached.handle,
            ..(**command).clone()
        });
        commands.collect()
    }

    fn handle(
        &mut self,
        message: PlayResponse,
        attached: &mut AttachedTable,
    ) -> Result<(), StreamEnd> {
        match message.response {
            Some(Response::Outcomes(message)) => {
                for outcome in message.outcomes {
                    self.complete(outcome, attached)?;
                }
                Ok(())
            }
            Some(Response::Alive(message)) => {
                self.record_seal(&message.seal);
                let standing = read_standing(message.standing)?;
                attached.is_heartbeat_open = false;
                attached.holds_new = standing.link_state == LinkState::Faulted;
                self.update_standing(standing, &[]);
                Ok(())
            }
            Some(Response::HitsChanged(message)) => {
                let void_hits = all(message.void_hits, |hit| text(&hit));
                let void_hits = void_hits.map_err(|what| unreadable(what, None))?;
                self.update_standing(read_standing(message.standing)?, &void_hits);
                Ok(())
            }
            Some(Response::Attached(_)) | None => Err(StreamEnd::retry(Offline::OutOfOrder)),
        }
    }

    fn complete(
        &mut self,
        mut message: wire::Outcome,
        attached: &mut AttachedTable,
    ) -> Result<(), StreamEnd> {
        let sequence = Sequence::new(message.sequence);
        let is_expected = message.handle == attached.handle && sequence.is_some();
        if !is_expected || attached.unanswered.front().copied() != sequence {
            return Err(StreamEnd::retry(Offline::OutOfOrder));
        }
        if message.standing.is_some() {
            // The standing precedes the outcome, so that a caller with the outcome of a hit can wait for its decision.
            self.update_standing(read_standing(message.standing.take())?, &[]);
        }
        let outcome = Outcome::try_from(message).map_err(|what| unreadable(what, sequence))?;
        attached.unanswered.pop_front();
        self.has_progressed = true;
        self.in_flight.complete(outcome);
        Ok(())
    }

    /// Updates the standing of the table, unless the current one is newer.
    fn update_standing(&self, standing: Standing, void_hits: &[HitName]) {
        self.recorder.record(&standing, void_hits);
        self.status.send_if_modified(|status| match status {
            Status::Online(online)
                if online.standing != standing && online.standing.batch <= standing.batch =>
            {
                online.standing = standing;
                true
            }
            Status::Online(_)
            | Status::Connecting
            | Status::Offline { .. }
            | Status::Stopped(_) => false,
        });
    }
}

impl AttachedTable {
    /// Creates the state of a table that was just attached. Its first heartbeat is due.
    fn new(message: &wire::Attached, counted_before: Sequence, now: Instant) -> Self {
        let silence_max = silence_max(message.silence_seconds_max);
        let silence_limit = silence_limit(silence_max);
        Self {
            handle: message.handle,
            window: usize::try_from(message.window).unwrap_or(usize::MAX).max(1),
            counted_before,
            holds_new: true,
            last_sent: None,
            unanswered: VecDeque::new(),
            heartbeat_interval: heartbeat_interval(silence_max),
            is_heartbeat_due: true,
            is_heartbeat_open: true,
            attached_at: now,
            silence_limit,
            silence_deadline: now + silence_limit,
        }
    }

    /// Marks the next heartbeat as due. If the last one is unanswered, the server may be stalled.
    fn heartbeat_due(&mut self) {
        self.holds_new |= self.is_heartbeat_open;
        self.is_heartbeat_open = true;
        self.is_heartbeat_due = true;
    }

    /// Sends a heartbeat or commands. A heartbeat goes first: it is small and rare.
    fn send(&mut self, permit: Permit<'_, PlayRequest>, commands: Vec<wire::Command>) {
        if self.is_heartbeat_due {
            self.is_heartbeat_due = false;
            let handle = self.handle;
            return permit.send(request(Request::Heartbeat(wire::Heartbeat { handle })));
        }
        let numbers = commands
            .iter()
            .filter_map(|command| Sequence::new(command.sequence));
        self.unanswered.extend(numbers);
        self.last_sent = self.unanswered.back().copied().or(self.last_sent);
        permit.send(request(Request::Commands(wire::Commands { commands })));
    }
}

fn read_standing(message: Option<wire::Standing>) -> Result<Standing, StreamEnd> {
    let standing = message.ok_or(Unreadable("the standing of the table"));
    let standing = standing.and_then(Standing::read);
    standing.map_err(|what| unreadable(what, None))
}

/// Returns the silence that the link allows. Zero seconds mean that there is no limit.
fn silence_max(seconds: u32) -> Option<Duration> {
    (seconds > 0).then(|| Duration::from_secs(seconds.into()))
}

/// Returns the maximum silence of the server, which is never longer than that of the table.
fn silence_limit(silence_max: Option<Duration>) -> Duration {
    silence_max.map_or(SILENCE_MAX, |silence_max| silence_max.min(SILENCE_MAX))
}

/// Returns the interval of heartbeats.
fn heartbeat_interval(silence_max: Option<Duration>) -> Duration {
    let interval = silence_max.map(|silence_max| silence_max / HEARTBEATS_PER_SILENCE);
    interval.map_or(HEARTBEAT_INTERVAL, |interval| {
        interval.min(HEARTBEAT_INTERVAL)
    })
}

fn unreachable(what: &str) -> StreamEnd {
    StreamEnd::retry(Offline::Unreachable {
        what: what.to_owned(),
    })
}

const fn silent() -> StreamEnd {
    StreamEnd::retry(Offline::Silent)
}

const fn unreadable(Unreadable(what): Unreadable, sequence: Option<Sequence>) -> StreamEnd {
    StreamEnd::Stopped(Stopped::Unreadable { what, sequence })
}

#[cfg(test)]
mod tests;

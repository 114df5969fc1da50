//! One stream: attach, send what has no outcome, hear outcomes, say again and again that the table is there.
//!
//! # Order
//! The server answers in the order of the requests. An outcome is that of the oldest command under way, or the
//! stream ends and nothing is believed.
//!
//! # What bounds it
//! As many commands are under way as the server's window says, at most [`MESSAGE_COMMANDS_MAX`] and
//! [`MESSAGE_BYTES_MAX`] a message, and [`MESSAGES_MAX`] messages wait for the network. Reading never waits for
//! writing, so neither side can hold up the other. A stream on which nothing is heard ends after the silence that the
//! link allows its tables, [`SILENCE_MAX`] at most.
//!
//! # What is held
//! Nothing new is sent before the first heartbeat was answered: a table that was silent for too long is lost, and its
//! coin-in would be refused. Nor while a heartbeat has no answer though the next one is due: for a server that stalls
//! every table is silent, and lost when it goes on. Nor on a faulted link, until people have cleared the fault. What
//! the server already counted is sent in any case, for its outcome.

use std::collections::VecDeque;
use std::time::Duration;

use meterhouse_proto::table::play_request::Request as Asked;
use meterhouse_proto::table::play_response::Response as Told;
use meterhouse_proto::table::{self as wire, PlayRequest, PlayResponse};
use tokio::sync::mpsc::Permit;
use tokio::sync::oneshot;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until, timeout};

use super::{Ended, PAUSE_MAX, Session, Target, verdict};
use crate::error::{Stopped, Unreadable};
use crate::money::Money;
use crate::outbox_writer::Job;
use crate::outcome::Outcome;
use crate::outcome::read::{all, text};
use crate::status::{LinkState, Offline, Online, Standing, Status};
use crate::table_stream::{TableStream, attach, connect, request};
use crate::values::{HitName, Sequence};

/// The longest silence of a server that has something to answer, unless the link allows its tables less.
pub(super) const SILENCE_MAX: Duration = Duration::from_secs(5);
/// How often the table says that it is there, and hears how it stands, unless its link wants that more often.
const BEAT_EVERY: Duration = Duration::from_secs(1);
/// Heartbeats within the silence after which the server counts the table as lost: one may come late, and one be lost.
const BEATS_IN_SILENCE: u32 = 3;
/// Commands of one message.
const MESSAGE_COMMANDS_MAX: usize = 128;
/// Bytes of one message of several commands; one command alone may have no more than a server reads.
const MESSAGE_BYTES_MAX: usize = 64 * 1_024;
/// Messages that wait for the network.
const MESSAGES_MAX: usize = 4;

/// An attached stream.
struct Attached {
    handle: u32,
    window: usize,
    /// What the server had counted when the table came onto the stream: below it everything is a repeat.
    counted_before: Sequence,
    /// Whether nothing new is sent.
    is_held: bool,
    /// The newest command that was sent.
    sent: Option<Sequence>,
    /// Sent and without an outcome.
    under_way: VecDeque<Sequence>,
    beat_every: Duration,
    is_beat_due: bool,
    /// Whether a heartbeat, due or sent, has no answer yet.
    is_beat_open: bool,
    /// Since when it is attached.
    since: Instant,
    /// How long nothing may be heard.
    silence_limit: Duration,
    /// When that is over, unless something is heard before.
    silent_at: Instant,
}

impl Session {
    /// Opens one stream and plays on it until it ends.
    pub(super) async fn stream(&mut self) -> Ended {
        match self.open().await {
            Ok((stream, attached)) => self.exchange(stream, attached).await,
            Err(ended) => ended,
        }
    }

    async fn open(&mut self) -> Result<(TableStream, Attached), Ended> {
        let refused = |status| verdict::of(&status);
        let Target {
            endpoint,
            table,
            token,
        } = &self.target;
        let channel = timeout(super::CONNECT_WITHIN, connect(endpoint)).await;
        let channel = channel.map_err(|_| unreachable("no connection in time"))?;
        let first = vec![attach(table.to_string(), &token.0, true)];
        let opening = TableStream::open(channel.map_err(refused)?, first, MESSAGES_MAX);
        let stream = timeout(SILENCE_MAX, opening).await.map_err(|_| silent())?;
        let mut stream = stream.map_err(refused)?;
        let first = timeout(SILENCE_MAX, stream.receive()).await;
        let first = first.map_err(|_| silent())?.map_err(refused)?;
        let Told::Attached(told) = first else {
            return Err(Ended::because(Offline::OutOfOrder));
        };
        self.heard_at = Some(Instant::now());
        let attached = self.attached(told).await?;
        Ok((stream, attached))
    }

    /// The table is on the stream: its numbers have to fit ours.
    async fn attached(&mut self, told: wire::Attached) -> Result<Attached, Ended> {
        let next = Sequence::new(told.next_sequence);
        let next = next.ok_or_else(|| unreadable(Unreadable("the table's next number"), None))?;
        match self.board.next() {
            None => self.begin(next).await?,
            Some(ours) if next > ours => {
                return Err(Ended::Stopped(Stopped::ServerAhead {
                    table: self.target.table.clone(),
                    server_next: next.get(),
                    given: ours.get() - 1,
                }));
            }
            Some(ours) => {
                let oldest = self.board.oldest().unwrap_or(ours);
                if next < oldest {
                    return Err(Ended::Stopped(Stopped::ServerBehind {
                        table: self.target.table.clone(),
                        server_next: next.get(),
                        oldest: oldest.get(),
                    }));
                }
            }
        }
        let attached = Attached::new(&told, next, Instant::now());
        let standing = stands(told.standing)?;
        self.noted.note(&standing, &[]);
        let wager = Money::from_micros(told.wager_micros).ok_or(Unreadable("the link's wager"));
        let online = Online {
            link: told.link,
            wager: wager.map_err(|what| unreadable(what, None))?,
            levels: told.levels,
            silence_max: silence_max(told.silence_seconds_max),
            standing,
        };
        tracing::info!(table = %self.target.table, link = %online.link, "online");
        self.status.send_replace(Status::Online(online));
        Ok(attached)
    }

    /// A new outbox begins where the server says.
    async fn begin(&self, next: Sequence) -> Result<(), Ended> {
        let (done, begun) = oneshot::channel();
        // Without its thread the outbox is closing, and the board has ended.
        drop(self.outbox.send(Job::Begin(next, done)).await);
        match begun.await {
            Ok(Err(error)) => Err(Ended::Stopped(Stopped::Outbox(error))),
            Ok(Ok(())) => Ok(()),
            Err(_) => Err(Ended::because(Offline::Ended)),
        }
    }

    async fn exchange(&mut self, stream: TableStream, mut attached: Attached) -> Ended {
        let TableStream {
            requests,
            mut responses,
        } = stream;
        let every = attached.beat_every;
        let mut beats = interval_at(Instant::now() + every, every);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut is_writable = true;
        loop {
            let commands = self.to_send(&attached);
            let has_work = attached.is_beat_due || !commands.is_empty();
            tokio::select! {
                // What is there is read first: an answer that only waits for us is no silence.
                biased;
                told = responses.message() => match told {
                    Ok(Some(told)) => {
                        self.heard(&mut attached, Instant::now());
                        if let Err(ended) = self.hear(told, &mut attached) {
                            return ended;
                        }
                    }
                    Ok(None) => return Ended::because(Offline::Ended),
                    Err(status) => return verdict::of(&status),
                },
                () = sleep_until(attached.silent_at) => return silent(),
                _ = beats.tick() => {
                    attached.beat();
                    if self.board.is_untidy() {
                        // Where it is busy it tidies up by itself.
                        drop(self.outbox.try_send(Job::Tidy));
                    }
                }
                room = requests.reserve(), if has_work && is_writable => match room {
                    Ok(room) => attached.send(room, commands),
                    // The server takes no more. It may have said why: that is still to be read.
                    Err(_) => is_writable = false,
                },
                () = self.board.kept(), if !has_work => {}
            }
        }
    }

    /// Something was heard at this moment.
    fn heard(&mut self, attached: &mut Attached, now: Instant) {
        self.heard_at = Some(now);
        attached.silent_at = now + attached.silence_limit;
        self.has_progressed |= now.duration_since(attached.since) > PAUSE_MAX;
    }

    /// What may be sent now.
    fn to_send(&self, attached: &Attached) -> Vec<wire::Command> {
        let room = attached.window.saturating_sub(attached.under_way.len());
        let most = room.min(MESSAGE_COMMANDS_MAX);
        if most == 0 {
            return Vec::new();
        }
        let before = attached.is_held.then_some(attached.counted_before);
        let commands = self
            .board
            .to_send(attached.sent, before, most, MESSAGE_BYTES_MAX);
        let commands = commands.iter().map(|it| wire::Command {
            handle: attached.handle,
            ..(**it).clone()
        });
        commands.collect()
    }

    fn hear(&mut self, told: PlayResponse, attached: &mut Attached) -> Result<(), Ended> {
        match told.response {
            Some(Told::Outcomes(told)) => {
                for outcome in told.outcomes {
                    self.tell(outcome, attached)?;
                }
                Ok(())
            }
            Some(Told::Alive(told)) => {
                let standing = stands(told.standing)?;
                attached.is_beat_open = false;
                attached.is_held = standing.link_state == LinkState::Faulted;
                self.stand(standing, &[]);
                Ok(())
            }
            Some(Told::HitsChanged(told)) => {
                let void_hits = all(told.void_hits, |hit| text(&hit));
                let void_hits = void_hits.map_err(|what| unreadable(what, None))?;
                self.stand(stands(told.standing)?, &void_hits);
                Ok(())
            }
            Some(Told::Attached(_)) | None => Err(Ended::because(Offline::OutOfOrder)),
        }
    }

    fn tell(&mut self, mut told: wire::Outcome, attached: &mut Attached) -> Result<(), Ended> {
        let sequence = Sequence::new(told.sequence);
        let is_expected = told.handle == attached.handle && sequence.is_some();
        if !is_expected || attached.under_way.front().copied() != sequence {
            return Err(Ended::because(Offline::OutOfOrder));
        }
        if told.standing.is_some() {
            // Before the outcome: whoever hears of a hit can then wait for its decision.
            self.stand(stands(told.standing.take())?, &[]);
        }
        let outcome = Outcome::try_from(told).map_err(|what| unreadable(what, sequence))?;
        attached.under_way.pop_front();
        self.has_progressed = true;
        self.board.tell(outcome);
        Ok(())
    }

    /// Takes how the table stands, unless something newer was told.
    fn stand(&self, standing: Standing, void_hits: &[HitName]) {
        self.noted.note(&standing, void_hits);
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

impl Attached {
    /// The table has just come onto the stream: its first heartbeat is due.
    fn new(told: &wire::Attached, counted_before: Sequence, now: Instant) -> Self {
        let silence_max = silence_max(told.silence_seconds_max);
        let silence_limit = silence_limit(silence_max);
        Self {
            handle: told.handle,
            window: usize::try_from(told.window).unwrap_or(usize::MAX).max(1),
            counted_before,
            is_held: true,
            sent: None,
            under_way: VecDeque::new(),
            beat_every: beat_every(silence_max),
            is_beat_due: true,
            is_beat_open: true,
            since: now,
            silence_limit,
            silent_at: now + silence_limit,
        }
    }

    /// The next heartbeat is due. Where the last one has no answer yet, the server may stall.
    fn beat(&mut self) {
        self.is_held |= self.is_beat_open;
        self.is_beat_open = true;
        self.is_beat_due = true;
    }

    /// A heartbeat goes before commands: it is a small message now and then.
    fn send(&mut self, room: Permit<'_, PlayRequest>, commands: Vec<wire::Command>) {
        if self.is_beat_due {
            self.is_beat_due = false;
            let handle = self.handle;
            return room.send(request(Asked::Heartbeat(wire::Heartbeat { handle })));
        }
        let numbers = commands.iter().filter_map(|it| Sequence::new(it.sequence));
        self.under_way.extend(numbers);
        self.sent = self.under_way.back().copied().or(self.sent);
        room.send(request(Asked::Commands(wire::Commands { commands })));
    }
}

fn stands(told: Option<wire::Standing>) -> Result<Standing, Ended> {
    let standing = told.ok_or(Unreadable("how the table stands"));
    let standing = standing.and_then(Standing::read);
    standing.map_err(|what| unreadable(what, None))
}

/// The silence that the link allows; none has zero seconds.
fn silence_max(seconds: u32) -> Option<Duration> {
    (seconds > 0).then(|| Duration::from_secs(seconds.into()))
}

/// How long nothing may be heard: the table is silent for the server as long as the server is for the table.
fn silence_limit(silence_max: Option<Duration>) -> Duration {
    silence_max.map_or(SILENCE_MAX, |it| it.min(SILENCE_MAX))
}

/// How often the table says that it is there.
fn beat_every(silence_max: Option<Duration>) -> Duration {
    let often_enough = silence_max.map(|it| it / BEATS_IN_SILENCE);
    often_enough.map_or(BEAT_EVERY, |it| it.min(BEAT_EVERY))
}

fn unreachable(what: &str) -> Ended {
    Ended::because(Offline::Unreachable {
        what: what.to_owned(),
    })
}

const fn silent() -> Ended {
    Ended::because(Offline::Silent)
}

const fn unreadable(Unreadable(what): Unreadable, sequence: Option<Sequence>) -> Ended {
    Ended::Stopped(Stopped::Unreadable { what, sequence })
}

#[cfg(test)]
mod tests;

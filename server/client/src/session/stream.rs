//! One stream: attach, send what has no outcome, hear outcomes, say again and again that the table is there.
//!
//! # Order
//! The server answers in the order of the requests. An outcome is that of the oldest command under way, or the
//! stream ends and nothing is believed.
//!
//! # What bounds it
//! As many commands are under way as the server's window says, at most [`MESSAGE_COMMANDS_MAX`] and
//! [`MESSAGE_BYTES_MAX`] a message, and [`MESSAGES_MAX`] messages wait for the network. Reading never waits for writing, so neither side can hold up the
//! other.
//!
//! # What is held
//! Nothing new is sent before the first heartbeat was answered: a table that was silent for too long is lost, and its
//! coin-in would be refused. Nor on a faulted link, until people have cleared the fault. What the server already counted
//! is sent in any case, for its outcome.

use std::collections::VecDeque;
use std::time::Duration;

use meterhouse_proto::table::play_request::Request as Asked;
use meterhouse_proto::table::play_response::Response as Told;
use meterhouse_proto::table::table_gateway_client::TableGatewayClient;
use meterhouse_proto::table::{self as wire, PlayRequest, PlayResponse};
use tokio::sync::mpsc::{self, Permit};
use tokio::sync::oneshot;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};
use tokio_stream::wrappers::ReceiverStream;
use tonic::Streaming;

use super::{Ended, Session, verdict};
use crate::error::{Stopped, Unreadable};
use crate::money::Money;
use crate::outbox::Job;
use crate::outcome::Outcome;
use crate::status::{LinkState, Offline, Online, Standing, Status};
use crate::values::Sequence;

/// The longest silence of a server that has something to answer.
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
}

impl Session {
    /// Opens one stream and plays on it until it ends.
    pub(super) async fn stream(&mut self) -> Ended {
        match self.open().await {
            Ok((requests, responses, attached)) => {
                self.exchange(requests, responses, attached).await
            }
            Err(ended) => ended,
        }
    }

    async fn open(
        &mut self,
    ) -> Result<(mpsc::Sender<PlayRequest>, Streaming<PlayResponse>, Attached), Ended> {
        let channel = timeout(super::CONNECT_WITHIN, self.target.endpoint.connect());
        let channel = channel
            .await
            .map_err(|_| unreachable("no connection in time"))?;
        let channel = channel.map_err(|error| unreachable(&verdict::chain(&error)))?;
        let (requests, waiting) = mpsc::channel(MESSAGES_MAX);
        let attach = Asked::Attach(wire::Attach {
            table: self.target.table.to_string(),
            token: self.target.token.0.clone(),
        });
        // There is room: it is the first.
        drop(requests.try_send(request(attach)));
        let mut gateway = TableGatewayClient::new(channel);
        let playing = gateway.play(ReceiverStream::new(waiting));
        let answer = timeout(SILENCE_MAX, playing).await.map_err(|_| silent())?;
        let mut responses = answer.map_err(|status| verdict::of(&status))?.into_inner();
        let first = timeout(SILENCE_MAX, responses.message()).await;
        let first = first.map_err(|_| silent())?;
        let first = first.map_err(|status| verdict::of(&status))?;
        let Some(Told::Attached(told)) = first.and_then(|it| it.response) else {
            return Err(Ended::because(Offline::OutOfOrder));
        };
        self.heard_at = Some(Instant::now());
        let attached = self.attached(told).await?;
        Ok((requests, responses, attached))
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
        let standing = told.standing.ok_or(Unreadable("how the table stands"));
        let standing = standing.and_then(Standing::read);
        let standing = standing.map_err(|what| unreadable(what, None))?;
        let wager = Money::from_micros(told.wager_micros).ok_or(Unreadable("the link's wager"));
        let online = Online {
            link: told.link,
            wager: wager.map_err(|what| unreadable(what, None))?,
            levels: told.levels,
            silence_max: silence_max(told.silence_seconds_max),
            standing,
        };
        let beat_every = beat_every(online.silence_max);
        tracing::info!(table = %self.target.table, link = %online.link, "online");
        self.status.send_replace(Status::Online(online));
        Ok(Attached {
            handle: told.handle,
            window: usize::try_from(told.window).unwrap_or(usize::MAX).max(1),
            counted_before: next,
            is_held: true,
            sent: None,
            under_way: VecDeque::new(),
            beat_every,
            is_beat_due: true,
        })
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

    async fn exchange(
        &mut self,
        requests: mpsc::Sender<PlayRequest>,
        mut responses: Streaming<PlayResponse>,
        mut attached: Attached,
    ) -> Ended {
        let every = attached.beat_every;
        let mut beats = interval_at(Instant::now() + every, every);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let commands = self.to_send(&attached);
            let has_work = attached.is_beat_due || !commands.is_empty();
            tokio::select! {
                told = responses.message() => match told {
                    Ok(Some(told)) => {
                        self.heard_at = Some(Instant::now());
                        if let Err(ended) = self.hear(told, &mut attached) {
                            return ended;
                        }
                    }
                    Ok(None) => return Ended::because(Offline::Ended),
                    Err(status) => return verdict::of(&status),
                },
                room = requests.reserve(), if has_work => match room {
                    Ok(room) => attached.send(room, commands),
                    Err(_) => return Ended::because(Offline::Ended),
                },
                _ = beats.tick() => {
                    if self.heard_at.is_none_or(|it| it.elapsed() > SILENCE_MAX) {
                        return silent();
                    }
                    attached.is_beat_due = true;
                    if self.board.is_untidy() {
                        // Where it is busy it tidies up by itself.
                        drop(self.outbox.try_send(Job::Tidy));
                    }
                }
                () = self.board.kept(), if !has_work => {}
            }
        }
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
                let standing = told.standing.ok_or(Unreadable("how the table stands"));
                let standing = standing.and_then(Standing::read);
                let standing = standing.map_err(|what| unreadable(what, None))?;
                attached.is_held = standing.link_state == LinkState::Faulted;
                self.stand(standing);
                Ok(())
            }
            Some(Told::Attached(_)) | None => Err(Ended::because(Offline::OutOfOrder)),
        }
    }

    fn tell(&mut self, told: wire::Outcome, attached: &mut Attached) -> Result<(), Ended> {
        let sequence = Sequence::new(told.sequence);
        let is_expected = told.handle == attached.handle && sequence.is_some();
        if !is_expected || attached.under_way.front().copied() != sequence {
            return Err(Ended::because(Offline::OutOfOrder));
        }
        let outcome = Outcome::read(told).map_err(|what| unreadable(what, sequence))?;
        attached.under_way.pop_front();
        self.has_progressed = true;
        self.board.tell(outcome);
        Ok(())
    }

    fn stand(&self, standing: Standing) {
        self.status.send_if_modified(|status| match status {
            Status::Online(online) if online.standing != standing => {
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

/// The silence that the link allows; none has zero seconds.
fn silence_max(seconds: u32) -> Option<Duration> {
    (seconds > 0).then(|| Duration::from_secs(seconds.into()))
}

/// How often the table says that it is there.
fn beat_every(silence_max: Option<Duration>) -> Duration {
    let often_enough = silence_max.map(|it| it / BEATS_IN_SILENCE);
    often_enough.map_or(BEAT_EVERY, |it| it.min(BEAT_EVERY))
}

const fn request(asked: Asked) -> PlayRequest {
    PlayRequest {
        request: Some(asked),
    }
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
mod tests {
    use super::*;

    #[test]
    fn heartbeats_are_often_enough_for_the_link() {
        let every = |seconds| beat_every(silence_max(seconds));
        assert_eq!(every(1), Duration::from_secs(1) / 3);
        assert_eq!(every(2), Duration::from_secs(2) / 3);
        // The link's state is to be seen soon, whatever silence it allows.
        assert_eq!([every(3), every(5), every(3_600)], [BEAT_EVERY; 3]);
        assert_eq!(silence_max(0), None, "it was not said");
        assert_eq!(every(0), BEAT_EVERY);
    }
}

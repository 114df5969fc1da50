//! The controller of one table, as a maker of table controllers builds it: over `meterhouse-client`, whose cable now
//! and then loses an answer.
//!
//! # What order holds
//! One command at a time, each waited for. Numbers, repeats and resuming are the client's.
//!
//! # What is reproducible
//! Mishaps begin anew with each round: what the server draws, or has a table wait for, moves no later ones.

use std::fmt::Display;
use std::sync::Arc;

use meterhouse_client::table_stream::{TableStream, attach, connect, request};
use meterhouse_client::{
    Command, Controller, Effect, Money, Online, Options, Outcome, Standing, Status as TableStatus,
    Stopped, TableName,
};
use meterhouse_proto::table as proto;
use meterhouse_proto::table::play_request::Request as Requested;
use meterhouse_proto::table::play_response::Response as Responded;
use rand::rngs::StdRng;
use tokio::time::sleep;
use tonic::transport::Endpoint;
use tonic::{Code, Status};

use crate::books::add;
use crate::cable::{Cable, Faults};
use crate::chances::{LOST_ANSWER, REPEAT, generator};
use crate::error::SimulatorError;
use crate::limits::in_time;
use crate::world::World;

/// Statuses of a stream that was lost, or of a server that can't answer now.
const NOT_NOW: [Code; 4] = [
    Code::Unavailable,
    Code::Unknown,
    Code::Cancelled,
    Code::Internal,
];

/// The controller of one table.
pub(crate) struct TableController {
    world: Arc<World>,
    name: TableName,
    token: String,
    controller: Controller,
    cable: Cable,
    wager: Money,
    levels: Vec<String>,
    mishaps: StdRng,
}

/// A command and its outcome.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    table: TableName,
    command: Command,
    outcome: Outcome,
}

impl Answer {
    /// Returns the outcome of a command that can only be accepted.
    pub(crate) fn accepted(self) -> Result<Outcome, SimulatorError> {
        match self.refusal() {
            None => Ok(self.outcome),
            Some(_) => Err(self.unexpected("an acceptance")),
        }
    }

    /// Returns the outcome, whatever it is.
    pub(crate) const fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Tells whether the command was accepted, where these refusals may come as well.
    pub(crate) fn accepted_unless(self, codes: &[&str]) -> Result<bool, SimulatorError> {
        match self.refusal() {
            None => Ok(true),
            Some(code) if codes.contains(&code) => Ok(false),
            Some(_) => Err(self.unexpected("an acceptance")),
        }
    }

    /// Returns the stable code of a refusal.
    pub(crate) fn refusal(&self) -> Option<&str> {
        match &self.outcome.effect {
            Effect::Refused { code, .. } => Some(code),
            _ => None,
        }
    }

    /// Returns the error of an outcome that should have been another.
    pub(crate) fn unexpected(&self, expected: &str) -> SimulatorError {
        SimulatorError::Unexpected {
            request: format!(
                "command {}.{} {:?}",
                self.table, self.outcome.sequence, self.command
            ),
            answer: format!("{:?}", self.outcome),
            expected: expected.to_owned(),
        }
    }
}

impl TableController {
    /// Switches a controller on; returns it with how the table stands.
    pub(crate) async fn open(
        world: &Arc<World>,
        table: &str,
    ) -> Result<(Self, Standing), SimulatorError> {
        let Some(token) = world.tokens.controllers.get(table) else {
            return Err(SimulatorError::NoToken {
                whom: format!("table {table:?}"),
            });
        };
        let name: TableName = table.parse()?;
        let cable = Cable::to(world.gateway.grpc).await;
        let cable = cable.map_err(SimulatorError::Cable)?;
        let address = format!("http://{}", cable.address());
        let outbox = world.gateway.outboxes.join(format!("{table}.outbox"));
        let options = Options::new(address, name.clone(), token, outbox);
        // Every command is waited for: no outcome is left to be taken otherwise.
        let (controller, _) = Controller::open(options).await?;
        let what = || format!("{table} did not come online");
        let online: Online = in_time(what, controller.online()).await??;
        let opened = Self {
            world: Arc::clone(world),
            name,
            token: token.clone(),
            controller,
            cable,
            wager: online.wager,
            levels: online.levels,
            mishaps: generator(world.plan.seed, table),
        };
        Ok((opened, online.standing))
    }

    /// Switches the controller off.
    pub(crate) async fn close(self) -> Result<(), SimulatorError> {
        Ok(self.controller.close().await?)
    }

    /// Begins a round, with mishaps of its own.
    pub(crate) fn begin(&mut self, round: u64) {
        self.mishaps = generator(self.world.plan.seed, &format!("{} {round}", self.name));
    }

    /// Returns the table's name.
    pub(crate) fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Returns the wager of the table's link.
    pub(crate) const fn wager(&self) -> Money {
        self.wager
    }

    /// Returns the levels of the table's link, in the order of all amounts.
    pub(crate) fn levels(&self) -> &[String] {
        &self.levels
    }

    /// Returns what makes the table's cable fail.
    pub(crate) const fn faults(&self) -> &Faults {
        self.cable.faults()
    }

    /// Returns what the house shares.
    pub(crate) const fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Returns the number of the last command.
    pub(crate) fn last_sequence(&self) -> u64 {
        let next = self.controller.next_sequence();
        next.map_or(0, |next| next.get() - 1)
    }

    /// Returns the name that the next command gives to a hit.
    pub(crate) fn next_hit(&self) -> String {
        format!("{}.{}", self.name, self.last_sequence() + 1)
    }

    /// Waits until the table stands so, as its controller shows it.
    pub(crate) async fn until<T>(
        &self,
        what: &str,
        found: impl Fn(&Standing) -> Option<T>,
    ) -> Result<T, SimulatorError> {
        let mut statuses = self.controller.statuses();
        let waiting = async {
            let mut status = statuses.now();
            loop {
                match &status {
                    TableStatus::Online(online) => {
                        if let Some(found) = found(&online.standing) {
                            return Ok(found);
                        }
                    }
                    TableStatus::Stopped(why) => return Err(why.clone()),
                    TableStatus::Connecting | TableStatus::Offline { .. } => {}
                }
                status = statuses.changed().await.ok_or(Stopped::Fault)?;
            }
        };
        Ok(in_time(|| format!("{} {what}", self.name), waiting).await??)
    }

    /// Sends the next command and waits for its outcome, with the mishaps of real networks.
    pub(crate) async fn send(
        &mut self,
        command: impl Into<Command>,
        by: &str,
    ) -> Result<Answer, SimulatorError> {
        let command = command.into().by(by.parse()?);
        if LOST_ANSWER.happens(&mut self.mishaps) {
            self.cable.faults().lose_answer();
        }
        let kept = self.controller.send(command.clone()).await?;
        let sequence = kept.sequence();
        let what = || format!("command {}.{sequence} had no outcome", self.name);
        let outcome = in_time(what, kept.outcome()).await??;
        // Only the client knows why it sent a command again: the answer did not arrive.
        add(&self.world.books.lost_answers, outcome.is_replayed.into());
        let answer = Answer {
            table: self.name.clone(),
            command,
            outcome,
        };
        if REPEAT.happens(&mut self.mishaps) {
            // Rare, and large: on the heap.
            Box::pin(self.repeat(&answer)).await?;
        }
        Ok(answer)
    }

    /// Sends a command again although it was answered: the same has to come back, marked as a repeat. A controller of
    /// the client's never does that, so it goes over a raw stream, as from a maker that does without the client.
    async fn repeat(&self, answer: &Answer) -> Result<(), SimulatorError> {
        let repeating = async {
            loop {
                match self.resend(answer).await {
                    Err(status) if NOT_NOW.contains(&status.code()) => {
                        sleep(self.world.look).await;
                    }
                    ended => return ended,
                }
            }
        };
        let sequence = answer.outcome.sequence;
        let what = || format!("the repeat of {}.{sequence} had no outcome", self.name);
        let again = in_time(what, repeating).await?;
        let expected = Outcome {
            is_replayed: true,
            ..answer.outcome.clone()
        };
        let found = match again {
            Ok(outcome) => Outcome::try_from(outcome).map_err(|error| error.to_string()),
            Err(status) => Err(status.to_string()),
        };
        if found.as_ref() != Ok(&expected) {
            return Err(SimulatorError::Unexpected {
                request: format!("the repeat of {}.{sequence}", self.name),
                answer: format!("{found:?}"),
                expected: format!("{expected:?}"),
            });
        }
        add(&self.world.books.repeats, 1);
        Ok(())
    }

    /// Sends a command over a stream of its own.
    async fn resend(&self, answer: &Answer) -> Result<proto::Outcome, Status> {
        let address = format!("http://{}", self.world.gateway.grpc);
        let endpoint = Endpoint::from_shared(address).map_err(no_request)?;
        let first = vec![attach(self.name.as_str(), &self.token, false)];
        let mut stream = TableStream::open(connect(&endpoint).await?, first, 1).await?;
        let handle = stream.attached().await?.handle;
        let command = answer.command.clone();
        let command = command.numbered(handle, answer.outcome.sequence);
        let commands = vec![command.map_err(no_request)?];
        let commands = Requested::Commands(proto::Commands { commands });
        // A stream that has ended says so with its next response.
        drop(stream.requests.send(request(commands)).await);
        match stream.receive().await? {
            Responded::Outcomes(mut all) if all.outcomes.len() == 1 => Ok(all.outcomes.remove(0)),
            other => Err(Status::failed_precondition(format!(
                "no outcome: {other:?}"
            ))),
        }
    }
}

fn no_request(error: impl Display) -> Status {
    Status::invalid_argument(error.to_string())
}

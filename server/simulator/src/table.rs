//! The controller of one table: it numbers its commands, and now and then loses an answer or sends a message
//! twice, as real ones do.
//!
//! # What order holds
//! One command at a time. A number is used up when the server answered 200, 201 or 422 for it.
//!
//! # What is reproducible
//! Mishaps begin anew with each round: what the server draws, or has a table wait for, moves no later ones.

use std::sync::Arc;

use rand::RngExt;
use rand::rngs::StdRng;
use serde_json::Value;

use crate::books::add;
use crate::chances::{LOST_ANSWER, REPEAT, generator};
use crate::client::{Reply, Request};
use crate::error::SimulatorError;
use crate::heart::heartbeat;
use crate::lost::{self, Dropped};
use crate::sent::{Command, Message};
use crate::wire::Table;
use crate::world::World;

/// The first time that a command is answered.
const FIRST: u16 = 201;
/// The same answer again.
const AGAIN: u16 = 200;
/// The rules refuse it.
const REFUSED: u16 = 422;

/// The controller of one table.
pub(crate) struct Controller {
    world: Arc<World>,
    table: String,
    token: String,
    last_sequence: u64,
    mishaps: StdRng,
    /// The table's own time, where what it sends happened long ago.
    device_time: Option<String>,
}

/// What the server said to a command.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// It is done.
    Accepted(Value),
    /// The rules refuse it; its number is used up.
    Refused(Refusal),
}

/// A refusal, with what a failure would tell about it.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// The stable code.
    pub(crate) code: String,
    request: Request,
    reply: Reply,
}

impl Answer {
    /// The answer, where only one is expected.
    pub(crate) fn accepted(self) -> Result<Value, SimulatorError> {
        match self {
            Self::Accepted(value) => Ok(value),
            Self::Refused(refusal) => Err(refusal.unexpected()),
        }
    }

    /// Whether it was accepted, where these refusals may come as well.
    pub(crate) fn accepted_unless(self, codes: &[&str]) -> Result<bool, SimulatorError> {
        match self {
            Self::Accepted(_) => Ok(true),
            Self::Refused(refusal) if codes.contains(&refusal.code.as_str()) => Ok(false),
            Self::Refused(refusal) => Err(refusal.unexpected()),
        }
    }
}

impl Refusal {
    /// The error of a refusal that should not have come.
    pub(crate) fn unexpected(&self) -> SimulatorError {
        self.request
            .unexpected(&self.reply, "201, or 200 if it was sent before")
    }
}

impl Controller {
    /// A controller that has just been switched on; it says that it is there, and is told where it left off.
    pub(crate) async fn resume(
        world: &Arc<World>,
        table: &str,
    ) -> Result<(Self, Table), SimulatorError> {
        let Some(token) = world.tokens.controllers.get(table) else {
            return Err(SimulatorError::NoToken {
                whom: format!("table {table:?}"),
            });
        };
        let mut controller = Self {
            world: Arc::clone(world),
            table: table.to_owned(),
            token: token.clone(),
            last_sequence: 0,
            mishaps: generator(world.plan.seed, table),
            device_time: None,
        };
        let found = heartbeat(world, table).await?;
        controller.last_sequence = found.last_sequence;
        Ok((controller, found))
    }

    /// A controller that was cut off says that it is there again; it can only go on where it left off.
    pub(crate) async fn go_on(&self) -> Result<Table, SimulatorError> {
        let found = heartbeat(&self.world, &self.table).await?;
        if found.last_sequence == self.last_sequence && found.round.is_some() {
            return Ok(found);
        }
        Err(SimulatorError::Unexpected {
            request: format!("PUT /v1/tables/{}/heartbeat", self.table),
            answer: format!("last_sequence {}", found.last_sequence),
            expected: format!("last_sequence {} and its open round", self.last_sequence),
        })
    }

    /// A round begins, with mishaps of its own.
    pub(crate) fn begin(&mut self, round: u64) {
        self.mishaps = generator(self.world.plan.seed, &format!("{} {round}", self.table));
    }

    /// From here on, what is sent happened at this time of the table's own; none: it happens now.
    pub(crate) fn tell_time(&mut self, at: Option<String>) {
        self.device_time = at;
    }

    /// The table's name.
    pub(crate) fn name(&self) -> &str {
        &self.table
    }

    /// The number of the last command.
    pub(crate) const fn last_sequence(&self) -> u64 {
        self.last_sequence
    }

    /// How the server sees a table that says that it is there.
    pub(crate) async fn report(&self) -> Result<Table, SimulatorError> {
        heartbeat(&self.world, &self.table).await
    }

    /// What the house shares.
    pub(crate) const fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// The name that the next command gives to a hit.
    pub(crate) fn next_hit(&self) -> String {
        format!("{}.{}", self.table, self.last_sequence + 1)
    }

    /// The table as it stands.
    pub(crate) async fn look(&self) -> Result<Table, SimulatorError> {
        let request = Request::get(format!("/v1/tables/{}", self.table));
        let reply = self.world.client.ask(&self.token, &request).await?;
        request.read(&reply, &[200])
    }

    /// Sends the next command until it is answered, with the mishaps of real networks.
    pub(crate) async fn send(
        &mut self,
        command: &Command,
        by: &str,
    ) -> Result<Answer, SimulatorError> {
        let sequence = self.last_sequence + 1;
        let path = format!("/v1/tables/{}/commands/{sequence}", self.table);
        let at = self.device_time.as_deref();
        let message = Message { command, by, at };
        let body =
            serde_json::to_string(&message).map_err(|source| SimulatorError::Unreadable {
                request: path.clone(),
                answer: "nothing yet".to_owned(),
                source,
            })?;
        let request = Request::put(path, body);
        let lost = LOST_ANSWER.happens(&mut self.mishaps);
        if lost {
            self.lose(&request).await;
        }
        let reply = self.world.client.ask(&self.token, &request).await?;
        let sent_before = lost || reply.asked_again;
        let answer = judge(&request, &reply, sent_before)?;
        self.last_sequence = sequence;
        if REPEAT.happens(&mut self.mishaps) {
            self.repeat(&request, &reply).await?;
        }
        Ok(answer)
    }

    /// The message goes out, its answer is lost.
    async fn lose(&mut self, request: &Request) {
        let dropped = if self.mishaps.random() {
            Dropped::AtOnce
        } else {
            Dropped::WithTheAnswer
        };
        lost::send(self.world.client.base(), &self.token, request, dropped).await;
        add(&self.world.books.lost_answers, 1);
    }

    /// The message is sent again although it was answered: the same has to come back, marked as a repeat.
    async fn repeat(&self, request: &Request, first: &Reply) -> Result<(), SimulatorError> {
        let reply = self.world.client.ask(&self.token, request).await?;
        let status = if first.status == REFUSED {
            REFUSED
        } else {
            AGAIN
        };
        if reply.status != status || !reply.replayed || reply.body != first.body {
            let expected = format!("{status}, replayed, with the first answer {first}");
            return Err(request.unexpected(&reply, &expected));
        }
        add(&self.world.books.repeats, 1);
        Ok(())
    }
}

/// What an answer to a numbered command says.
fn judge(request: &Request, reply: &Reply, sent_before: bool) -> Result<Answer, SimulatorError> {
    match reply.status {
        FIRST => Ok(Answer::Accepted(request.read(reply, &[FIRST])?)),
        AGAIN if sent_before && reply.replayed => {
            Ok(Answer::Accepted(request.read(reply, &[AGAIN])?))
        }
        REFUSED => Ok(Answer::Refused(Refusal {
            code: reply.code().unwrap_or_default(),
            request: request.clone(),
            reply: reply.clone(),
        })),
        _ => Err(request.unexpected(reply, "201, or 200 replayed if it was sent before")),
    }
}

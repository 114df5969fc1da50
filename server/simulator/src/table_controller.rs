//! The controller of one table, built on `meterhouse-client` as by any maker of controllers. The network proxy of the table
//! sometimes drops a response.
//!
//! # Order
//! One command is in flight at a time. The client numbers commands, sends replays and resumes after a disconnect.
//!
//! # Reproducibility
//! Each round has its own generator of network faults. A draw of the server or a wait doesn't shift later faults.

use std::fmt::Display;
use std::sync::Arc;

use meterhouse_client::table_stream::{TableStream, attach, connect, request};
use meterhouse_client::{
    Command, Controller, Effect, Money, Online, Options, Outcome, Standing, Status as TableStatus,
    Stopped, TableName,
};
use meterhouse_proto::table as proto;
use meterhouse_proto::table::play_request::Request as RequestKind;
use meterhouse_proto::table::play_response::Response as ResponseKind;
use rand::rngs::StdRng;
use tokio::time::sleep;
use tonic::transport::Endpoint;
use tonic::{Code, Status};

use crate::context::RunContext;
use crate::counters::add;
use crate::error::SimulatorError;
use crate::limits::within_wait_max;
use crate::probabilities::{DROPPED_RESPONSE, REPLAY, generator};
use crate::proxy::{FaultProxy, ProxyFaults};

/// Statuses of a lost stream, or of a temporarily unavailable server.
const TEMPORARY: [Code; 4] = [
    Code::Unavailable,
    Code::Unknown,
    Code::Cancelled,
    Code::Internal,
];

/// The controller of one table.
pub(crate) struct TableController {
    context: Arc<RunContext>,
    name: TableName,
    token: String,
    controller: Controller,
    proxy: FaultProxy,
    wager: Money,
    levels: Vec<String>,
    /// The generator of this round's network faults.
    fault_rng: StdRng,
}

/// A command and its outcome.
#[derive(Clone, Debug)]
pub(crate) struct CommandOutcome {
    table: TableName,
    command: Command,
    outcome: Outcome,
}

impl CommandOutcome {
    /// Returns the outcome of an accepted command.
    ///
    /// # Errors
    /// [`SimulatorError::Unexpected`] for a refusal.
    pub(crate) fn accepted(self) -> Result<Outcome, SimulatorError> {
        match self.refusal() {
            None => Ok(self.outcome),
            Some(_) => Err(self.unexpected("an acceptance")),
        }
    }

    /// Returns the outcome, accepted or refused.
    pub(crate) const fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Returns `true` if the command was accepted, and `false` if it was refused with one of these codes.
    ///
    /// # Errors
    /// [`SimulatorError::Unexpected`] for another refusal.
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

    /// Returns the error for an unexpected outcome.
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
    /// Opens a controller and waits until it is online. Returns the controller and the table's standing.
    pub(crate) async fn open(
        context: &Arc<RunContext>,
        table: &str,
    ) -> Result<(Self, Standing), SimulatorError> {
        let Some(token) = context.tokens.controllers.get(table) else {
            return Err(SimulatorError::NoToken {
                actor: format!("table {table:?}"),
            });
        };
        let name: TableName = table.parse()?;
        let proxy = FaultProxy::to(context.gateway.grpc).await;
        let proxy = proxy.map_err(SimulatorError::Proxy)?;
        let address = format!("http://{}", proxy.address());
        let outbox = context.gateway.outboxes.join(format!("{table}.outbox"));
        let options = Options::new(address, name.clone(), token, outbox);
        // Each command waits for its outcome, so the queue of other outcomes stays empty.
        let (controller, _) = Controller::open(options).await?;
        let what = || format!("{table} did not come online");
        let online: Online = within_wait_max(what, controller.online()).await??;
        let opened = Self {
            context: Arc::clone(context),
            name,
            token: token.clone(),
            controller,
            proxy,
            wager: online.wager,
            levels: online.levels,
            fault_rng: generator(context.plan.seed, table),
        };
        Ok((opened, online.standing))
    }

    /// Closes the controller.
    pub(crate) async fn close(self) -> Result<(), SimulatorError> {
        Ok(self.controller.close().await?)
    }

    /// Begins a round, with its own generator of network faults.
    pub(crate) fn begin_round(&mut self, round: u64) {
        self.fault_rng = generator(self.context.plan.seed, &format!("{} {round}", self.name));
    }

    pub(crate) fn name(&self) -> &str {
        self.name.as_str()
    }

    pub(crate) const fn wager(&self) -> Money {
        self.wager
    }

    /// Returns the names of the link's levels, in the order of displayed amounts.
    pub(crate) fn levels(&self) -> &[String] {
        &self.levels
    }

    /// Returns the faults of the table's network proxy.
    pub(crate) const fn faults(&self) -> &ProxyFaults {
        self.proxy.faults()
    }

    pub(crate) const fn context(&self) -> &Arc<RunContext> {
        &self.context
    }

    /// Returns the sequence of the last command, or 0.
    pub(crate) fn last_sequence(&self) -> u64 {
        let next = self.controller.next_sequence();
        next.map_or(0, |next| next.get() - 1)
    }

    /// Returns the name of the hit that the next command would key.
    pub(crate) fn next_hit(&self) -> String {
        format!("{}.{}", self.name, self.last_sequence() + 1)
    }

    /// Waits until `found` returns a value for the table's standing. `what` describes the state until then.
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
        Ok(within_wait_max(|| format!("{} {what}", self.name), waiting).await??)
    }

    /// Sends the next command and waits for its outcome, sometimes with a dropped response or a replay.
    pub(crate) async fn send(
        &mut self,
        command: impl Into<Command>,
        by: &str,
    ) -> Result<CommandOutcome, SimulatorError> {
        let command = command.into().by(by.parse()?);
        if DROPPED_RESPONSE.happens(&mut self.fault_rng) {
            self.proxy.faults().drop_next_response();
        }
        let kept = self.controller.send(command.clone()).await?;
        let sequence = kept.sequence();
        let what = || format!("command {}.{sequence} had no outcome", self.name);
        let outcome = within_wait_max(what, kept.outcome()).await??;
        // The client sends a command again only if its response was dropped.
        add(
            &self.context.counters.dropped_responses,
            outcome.is_replayed.into(),
        );
        let result = CommandOutcome {
            table: self.name.clone(),
            command,
            outcome,
        };
        if REPLAY.happens(&mut self.fault_rng) {
            // Boxed because the future is rare and large.
            Box::pin(self.check_replay(&result)).await?;
        }
        Ok(result)
    }

    /// Sends a command again after its outcome. The server must return the same outcome, marked as a replay. The client
    /// never does this, so the replay uses a raw stream, like a controller built without the client.
    async fn check_replay(&self, first: &CommandOutcome) -> Result<(), SimulatorError> {
        let replaying = async {
            loop {
                match self.resend(first).await {
                    Err(status) if TEMPORARY.contains(&status.code()) => {
                        sleep(self.context.poll_interval).await;
                    }
                    result => return result,
                }
            }
        };
        let sequence = first.outcome.sequence;
        let what = || format!("the replay of {}.{sequence} had no outcome", self.name);
        let replayed = within_wait_max(what, replaying).await?;
        let expected = Outcome {
            is_replayed: true,
            ..first.outcome.clone()
        };
        let found = match replayed {
            Ok(outcome) => Outcome::try_from(outcome).map_err(|error| error.to_string()),
            Err(status) => Err(status.to_string()),
        };
        if found.as_ref() != Ok(&expected) {
            return Err(SimulatorError::Unexpected {
                request: format!("the replay of {}.{sequence}", self.name),
                answer: format!("{found:?}"),
                expected: format!("{expected:?}"),
            });
        }
        add(&self.context.counters.replays, 1);
        Ok(())
    }

    /// Sends a command over its own stream.
    async fn resend(&self, first: &CommandOutcome) -> Result<proto::Outcome, Status> {
        let address = format!("http://{}", self.context.gateway.grpc);
        let endpoint = Endpoint::from_shared(address).map_err(invalid_argument)?;
        let attach = vec![attach(self.name.as_str(), &self.token, false)];
        let mut stream = TableStream::open(connect(&endpoint).await?, attach, 1).await?;
        let handle = stream.attached().await?.handle;
        let command = first.command.clone();
        let command = command.numbered(handle, first.outcome.sequence);
        let commands = vec![command.map_err(invalid_argument)?];
        let commands = RequestKind::Commands(proto::Commands { commands });
        // If the stream has ended, the next response returns the error.
        drop(stream.requests.send(request(commands)).await);
        match stream.receive().await? {
            ResponseKind::Outcomes(mut all) if all.outcomes.len() == 1 => {
                Ok(all.outcomes.remove(0))
            }
            other => Err(Status::failed_precondition(format!(
                "no outcome: {other:?}"
            ))),
        }
    }
}

fn invalid_argument(error: impl Display) -> Status {
    Status::invalid_argument(error.to_string())
}

//! The task that answers the requests of a stream in order and sends the newest state of tables
//! whose hits changed.
//!
//! # Limits
//! A client that doesn't read is awaited for [`ANSWER_WAIT_MAX`]. The commands in flight are then
//! given up, and their status is offered for as long again. Then the connection is closed.

use meterhouse_edge::codes::EdgeCode;
use meterhouse_engine::Engine;
use meterhouse_engine::answer::NotExecuted;
use meterhouse_proto::encoded::{Encoded, EncodedOutcomes};
use meterhouse_proto::table::play_response::Response;
use meterhouse_proto::table::{HitsChanged, PlayResponse};
use tokio::select;
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::yield_now;
use tokio::time::timeout;
use tonic::Status;

use super::follow::{ChangedTable, ChangedTables};
use super::limits::{ANSWER_WAIT_MAX, OUTCOME_BYTES_MAX, OUTCOME_WAIT_MAX, OUTCOMES_MAX};
use super::pending::{Pending, Query, QueryKind, SubmittedCommand, TableNames};
use crate::connection::{Closer, end_stream};
use crate::standing;
use crate::status::{About, End, status};

/// The writing side of a stream.
pub(super) struct Writer {
    engine: Engine,
    changed: ChangedTables,
    queue: Receiver<Pending>,
    answers: Sender<Result<Encoded, Status>>,
    connection: Option<Closer>,
    names: TableNames,
}

/// The content of one response.
struct ResponseContent {
    outcomes: EncodedOutcomes,
    /// Request after it, which has no outcome yet.
    next: Option<Pending>,
    ended: Result<(), Status>,
}

/// An error: the client has gone.
struct ClientGone;

impl Writer {
    /// Creates the writing side of a new stream.
    pub(super) fn new(
        engine: Engine,
        queue: Receiver<Pending>,
        changed: ChangedTables,
        answers: Sender<Result<Encoded, Status>>,
        connection: Option<Closer>,
    ) -> Self {
        Self {
            engine,
            changed,
            queue,
            answers,
            connection,
            names: TableNames::default(),
        }
    }

    /// Answers requests until the stream ends.
    pub(super) async fn run(mut self) {
        match self.answer_all().await {
            Ok(Ok(())) | Err(ClientGone) => {}
            Ok(Err(why)) => self.end(why).await,
        }
    }

    /// Answers every request and returns the status that ends the stream.
    async fn answer_all(&mut self) -> Result<Result<(), Status>, ClientGone> {
        let mut next = None;
        loop {
            let pending = self.upcoming(&mut next).await;
            let ended = match pending {
                Some(Pending::Command(command)) => {
                    let gathered = self.gather(command).await?;
                    next = gathered.next;
                    let sent = self.send_outcomes(gathered.outcomes).await?;
                    sent.and(gathered.ended)
                }
                Some(Pending::Query(mut query)) => match answered(&mut query).await {
                    Ok(response) => {
                        let sent = self.send(response).await?;
                        if query.kind == QueryKind::Attach {
                            self.names.attach(query.handle, &query.table);
                            self.changed.open(query.handle);
                        }
                        sent
                    }
                    Err(why) => Err(why),
                },
                Some(Pending::Changed(changed)) => match self.hits_changed(changed).await {
                    Ok(response) => self.send(response).await?,
                    Err(why) => Err(why),
                },
                Some(Pending::End(ended)) => return Ok(ended),
                // The reader always queues an end, unless its task failed.
                None => Err(status(EdgeCode::Internal, About::default())),
            };
            if ended.is_err() {
                return Ok(ended);
            }
        }
    }

    /// Waits for the next request to answer. Changed hits go first, so that many commands don't
    /// delay them.
    async fn upcoming(&mut self, next: &mut Option<Pending>) -> Option<Pending> {
        if let Some(changed) = self.changed.now() {
            return Some(Pending::Changed(changed));
        }
        if next.is_some() {
            return next.take();
        }
        select! {
            pending = self.queue.recv() => pending,
            changed = self.changed.next() => Some(Pending::Changed(changed)),
        }
    }

    /// Returns the state of a table whose hits changed. The state is read now, so that a slow
    /// client receives the newest one.
    async fn hits_changed(&self, changed: ChangedTable) -> Result<Response, Status> {
        let about = About {
            table: Some(changed.table.as_str()),
            sequence: None,
        };
        let view = self.engine.table_at(&changed.attached, changed.batch);
        let view = timeout(OUTCOME_WAIT_MAX, view).await;
        let view = view.unwrap_or(Err(NotExecuted::Busy));
        let view = view.map_err(|denied| status(denied, about))?;
        Ok(Response::HitsChanged(HitsChanged {
            handle: changed.handle,
            standing: Some(standing::whole(&view)),
            void_hits: changed.void_hits,
        }))
    }

    /// Awaits a command's outcome and adds every further outcome that is there.
    async fn gather(&mut self, first: SubmittedCommand) -> Result<ResponseContent, ClientGone> {
        let mut outcomes = EncodedOutcomes::with_capacity(OUTCOMES_MAX.min(self.queue.len() + 1));
        let mut command = first;
        let awaited = select! {
            biased;
            awaited = timeout(OUTCOME_WAIT_MAX, command.outcome.arrived(&self.engine)) => awaited,
            // The last commands of a client that has gone are not submitted.
            () = self.answers.closed() => return Err(ClientGone),
        };
        let mut answer = awaited.unwrap_or(Err(NotExecuted::OutcomeUnknown));
        let link = command.outcome.link();
        let mut may_yield = true;
        loop {
            if let Err(why) = command.add_to(&mut outcomes, answer, &self.names) {
                return Ok(ResponseContent::new(outcomes, None, Err(why)));
            }
            if outcomes.len() == OUTCOMES_MAX || outcomes.bytes() >= OUTCOME_BYTES_MAX {
                return Ok(ResponseContent::new(outcomes, None, Ok(())));
            }
            command = match self.queue.try_recv() {
                Ok(Pending::Command(command)) => command,
                Ok(other) => return Ok(ResponseContent::new(outcomes, Some(other), Ok(()))),
                Err(_) => return Ok(ResponseContent::new(outcomes, None, Ok(()))),
            };
            let mut arrived = command.outcome.now(&self.engine);
            // One statement commits batches of several links, and their committers answer one after another. After the
            // yield most of these outcomes are here, and go into the same message.
            if arrived.is_none() && may_yield && command.outcome.link() != link {
                may_yield = false;
                yield_now().await;
                arrived = command.outcome.now(&self.engine);
            }
            answer = match arrived {
                Some(answer) => answer,
                None => {
                    return Ok(ResponseContent::new(
                        outcomes,
                        Some(Pending::Command(command)),
                        Ok(()),
                    ));
                }
            };
        }
    }

    async fn send_outcomes(
        &self,
        outcomes: EncodedOutcomes,
    ) -> Result<Result<(), Status>, ClientGone> {
        if outcomes.is_empty() {
            return Ok(Ok(()));
        }
        self.send_encoded(outcomes.response()).await
    }

    /// Sends a response. Returns the status that ends the stream if the client doesn't read.
    async fn send(&self, response: Response) -> Result<Result<(), Status>, ClientGone> {
        let response = PlayResponse {
            response: Some(response),
        };
        self.send_encoded(Encoded::from(&response)).await
    }

    async fn send_encoded(&self, response: Encoded) -> Result<Result<(), Status>, ClientGone> {
        let sending = self.answers.send_timeout(Ok(response), ANSWER_WAIT_MAX);
        match sending.await {
            Ok(()) => Ok(Ok(())),
            Err(SendTimeoutError::Closed(_)) => Err(ClientGone),
            Err(SendTimeoutError::Timeout(_)) => Ok(Err(End::AnswersNotRead.into())),
        }
    }

    /// Ends the stream with a status. The commands in flight are given up without waiting, and each
    /// may still count.
    async fn end(self, why: Status) {
        let Self {
            queue,
            answers,
            connection,
            ..
        } = self;
        drop(queue);
        end_stream(answers, why, ANSWER_WAIT_MAX, connection).await;
    }
}

impl ResponseContent {
    const fn new(
        outcomes: EncodedOutcomes,
        next: Option<Pending>,
        ended: Result<(), Status>,
    ) -> Self {
        Self {
            outcomes,
            next,
            ended,
        }
    }
}

/// Returns the response to a query.
async fn answered(query: &mut Query) -> Result<Response, Status> {
    let view = timeout(OUTCOME_WAIT_MAX, &mut query.view).await;
    let view = match view {
        Ok(Ok(view)) => view,
        // The task failed, or was ended with the server.
        Ok(Err(_)) => return Err(status(EdgeCode::Internal, About::default())),
        Err(_) => Err(NotExecuted::Busy),
    };
    query.response(view)
}

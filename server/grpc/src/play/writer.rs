//! Answers the requests of a stream in their order, and sends the newest state of tables whose hits changed.
//!
//! # What bounds it
//! A client that doesn't read is waited for [`ANSWER_WAIT_MAX`]; what was under way is then given up, its status waits
//! as long again, and then the connection is closed.

use meterhouse_edge::codes::EdgeCode;
use meterhouse_engine::Engine;
use meterhouse_engine::answer::Denied;
use meterhouse_proto::table::play_response::Response;
use meterhouse_proto::table::{HitsChanged, Outcome, Outcomes, PlayResponse};
use tokio::select;
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::timeout;
use tonic::Status;

use super::follow::{Moved, News};
use super::limits::{ANSWER_WAIT_MAX, OUTCOME_WAIT_MAX, OUTCOMES_MAX};
use super::pending::{Asked, Handed, Pending, Question};
use crate::connection::{Closer, end_stream};
use crate::standing;
use crate::status::{About, End, status};

/// The writing side of a stream.
pub(super) struct Writer {
    engine: Engine,
    news: News,
    queue: Receiver<Pending>,
    answers: Sender<Result<PlayResponse, Status>>,
    connection: Option<Closer>,
}

/// What was gathered for one response.
struct Gathered {
    outcomes: Vec<Outcome>,
    /// What comes behind it and has no outcome yet.
    next: Option<Pending>,
    ended: Result<(), Status>,
}

/// The client has gone.
struct Gone;

impl Writer {
    /// The writing side of a stream that begins.
    pub(super) const fn new(
        engine: Engine,
        queue: Receiver<Pending>,
        news: News,
        answers: Sender<Result<PlayResponse, Status>>,
        connection: Option<Closer>,
    ) -> Self {
        Self {
            engine,
            news,
            queue,
            answers,
            connection,
        }
    }

    /// Answers until the stream ends.
    pub(super) async fn run(mut self) {
        match self.answer_all().await {
            Ok(Ok(())) | Err(Gone) => {}
            Ok(Err(why)) => self.end(why).await,
        }
    }

    /// Answers everything; then says how the stream ended.
    async fn answer_all(&mut self) -> Result<Result<(), Status>, Gone> {
        let mut next = None;
        loop {
            let pending = self.upcoming(&mut next).await;
            let ended = match pending {
                Some(Pending::Command(handed)) => {
                    let gathered = self.gather(handed).await?;
                    next = gathered.next;
                    let sent = self.send_outcomes(gathered.outcomes).await?;
                    sent.and(gathered.ended)
                }
                Some(Pending::Question(mut question)) => match answered(&mut question).await {
                    Ok(response) => {
                        let sent = self.send(response).await?;
                        if question.what == Asked::Attach {
                            self.news.open(question.handle);
                        }
                        sent
                    }
                    Err(why) => Err(why),
                },
                Some(Pending::Moved(moved)) => match self.hits_changed(moved).await {
                    Ok(response) => self.send(response).await?,
                    Err(why) => Err(why),
                },
                Some(Pending::End(ended)) => return Ok(ended),
                // The reader always says how it ended, unless it broke.
                None => Err(status(EdgeCode::Internal, About::default())),
            };
            if ended.is_err() {
                return Ok(ended);
            }
        }
    }

    /// Waits for what is to be answered next. Changed hits go first, so that no crowd of commands holds them up.
    async fn upcoming(&mut self, next: &mut Option<Pending>) -> Option<Pending> {
        if let Some(moved) = self.news.now() {
            return Some(Pending::Moved(moved));
        }
        if next.is_some() {
            return next.take();
        }
        select! {
            pending = self.queue.recv() => pending,
            moved = self.news.next() => Some(Pending::Moved(moved)),
        }
    }

    /// Returns how a table stands whose hits changed: read now, so that a client that reads slowly gets the newest.
    async fn hits_changed(&self, moved: Moved) -> Result<Response, Status> {
        let about = About {
            table: Some(moved.table.as_str()),
            sequence: None,
        };
        let view = self.engine.table_at(&moved.seated, moved.batch);
        let view = timeout(OUTCOME_WAIT_MAX, view).await;
        let view = view.unwrap_or(Err(Denied::Busy));
        let view = view.map_err(|denied| status(denied, about))?;
        Ok(Response::HitsChanged(HitsChanged {
            handle: moved.handle,
            standing: Some(standing::whole(&view)),
            void_hits: moved.void_hits,
        }))
    }

    /// Awaits a command's outcome, and takes with it every further one that is there.
    async fn gather(&mut self, first: Handed) -> Result<Gathered, Gone> {
        let mut outcomes = Vec::with_capacity(OUTCOMES_MAX.min(self.queue.len() + 1));
        let mut handed = first;
        let awaited = select! {
            biased;
            awaited = timeout(OUTCOME_WAIT_MAX, &mut handed.coming) => awaited,
            // What a client that has gone sent last is not handed over any more.
            () = self.answers.closed() => return Err(Gone),
        };
        let mut answer = awaited.unwrap_or(Err(Denied::OutcomeUnknown));
        loop {
            match handed.outcome(answer) {
                Ok(outcome) => outcomes.push(outcome),
                Err(why) => return Ok(Gathered::new(outcomes, None, Err(why))),
            }
            if outcomes.len() == OUTCOMES_MAX {
                return Ok(Gathered::new(outcomes, None, Ok(())));
            }
            handed = match self.queue.try_recv() {
                Ok(Pending::Command(handed)) => handed,
                Ok(other) => return Ok(Gathered::new(outcomes, Some(other), Ok(()))),
                Err(_) => return Ok(Gathered::new(outcomes, None, Ok(()))),
            };
            answer = match handed.coming.now() {
                Some(answer) => answer,
                None => {
                    return Ok(Gathered::new(
                        outcomes,
                        Some(Pending::Command(handed)),
                        Ok(()),
                    ));
                }
            };
        }
    }

    async fn send_outcomes(&self, outcomes: Vec<Outcome>) -> Result<Result<(), Status>, Gone> {
        if outcomes.is_empty() {
            return Ok(Ok(()));
        }
        self.send(Response::Outcomes(Outcomes { outcomes })).await
    }

    /// Sends a response, or says how a stream ends whose client doesn't read.
    async fn send(&self, response: Response) -> Result<Result<(), Status>, Gone> {
        let response = PlayResponse {
            response: Some(response),
        };
        match self
            .answers
            .send_timeout(Ok(response), ANSWER_WAIT_MAX)
            .await
        {
            Ok(()) => Ok(Ok(())),
            Err(SendTimeoutError::Closed(_)) => Err(Gone),
            Err(SendTimeoutError::Timeout(_)) => Ok(Err(End::AnswersNotRead.into())),
        }
    }

    /// Says why the stream ends; what is under way is given up, which counts or not as if it were waited for.
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

impl Gathered {
    const fn new(outcomes: Vec<Outcome>, next: Option<Pending>, ended: Result<(), Status>) -> Self {
        Self {
            outcomes,
            next,
            ended,
        }
    }
}

/// The answer to a question.
async fn answered(question: &mut Question) -> Result<Response, Status> {
    let view = timeout(OUTCOME_WAIT_MAX, &mut question.view).await;
    let view = match view {
        Ok(Ok(view)) => view,
        // The task broke, or was ended with the server.
        Ok(Err(_)) => return Err(status(EdgeCode::Internal, About::default())),
        Err(_) => Err(Denied::Busy),
    };
    question.response(view)
}

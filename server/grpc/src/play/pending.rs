//! What is under way on a stream, in the order of its requests.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::FutureExt as _;
use meterhouse_domain::ids::{Sequence, TableName};
use meterhouse_domain::link::SILENCE_SECONDS_DEFAULT;
use meterhouse_engine::answer::{Answer, Denied};
use meterhouse_engine::operations::pipelined::PendingOutcome;
use meterhouse_engine::view::TableView;
use meterhouse_proto::table as proto;
use meterhouse_proto::table::play_response::Response;
use tokio_util::task::AbortOnDropHandle;
use tonic::Status;

use super::follow::Moved;
use super::limits::WINDOW;
use crate::status::{About, status};
use crate::{standing, write};

/// Something that is to be answered.
pub(super) enum Pending {
    /// A command that was handed over.
    Command(Handed),
    /// A question about a table.
    Question(Question),
    /// The hits of a table changed.
    Moved(Moved),
    /// Nothing more comes: the client ended the stream, or this did.
    End(Result<(), Status>),
}

/// A command that was handed over.
pub(super) struct Handed {
    /// Its table, as it was attached.
    pub(super) handle: u32,
    /// The table's name, for whoever has no outcome.
    pub(super) table: TableName,
    /// Whether the table follows its hits.
    pub(super) follows: bool,
    /// Its number.
    pub(super) sequence: Sequence,
    /// Its outcome.
    pub(super) coming: Coming,
}

/// An outcome that comes.
pub(super) enum Coming {
    /// Of a command that was handed over.
    Once(PendingOutcome),
    /// Of one that was sent again: looked up, as often as it takes.
    Again(AbortOnDropHandle<Result<Answer, Denied>>),
}

/// A question about a table.
pub(super) struct Question {
    /// The table, as it was attached.
    pub(super) handle: u32,
    /// Its name.
    pub(super) table: TableName,
    /// Whether the table follows its hits.
    pub(super) follows: bool,
    /// What was asked.
    pub(super) what: Asked,
    /// How it stands.
    pub(super) view: AbortOnDropHandle<Result<TableView, Denied>>,
}

/// What asked how a table stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// It came onto the stream.
    Attach,
    /// It is there.
    Heartbeat,
}

impl Coming {
    /// The outcome, if it is there already.
    pub(super) fn now(&mut self) -> Option<Result<Answer, Denied>> {
        match self {
            Self::Once(waiting) => waiting.now(),
            Self::Again(_) => self.now_or_never(),
        }
    }
}

impl Future for Coming {
    type Output = Result<Answer, Denied>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            Self::Once(waiting) => Pin::new(waiting).poll(context),
            Self::Again(looked_up) => {
                let looked_up = Pin::new(looked_up).poll(context);
                // Where its task broke, or was ended with the server, sending it again tells.
                looked_up.map(|it| it.unwrap_or(Err(Denied::OutcomeUnknown)))
            }
        }
    }
}

impl Handed {
    /// What became of it, or how the stream ends.
    pub(super) fn outcome(&self, answer: Result<Answer, Denied>) -> Result<proto::Outcome, Status> {
        let about = About {
            table: Some(self.table.as_str()),
            sequence: Some(self.sequence.0),
        };
        let answer = answer.map_err(|denied| status(denied, about))?;
        write::outcome(&answer, self.handle, self.follows).map_err(|error| status(error, about))
    }
}

impl Question {
    /// The answer.
    pub(super) fn response(&self, view: Result<TableView, Denied>) -> Result<Response, Status> {
        let about = About {
            table: Some(self.table.as_str()),
            sequence: None,
        };
        let view = view.map_err(|denied| status(denied, about))?;
        Ok(match self.what {
            Asked::Attach => Response::Attached(self.attached(&view)),
            Asked::Heartbeat => Response::Alive(proto::Alive {
                handle: self.handle,
                standing: Some(if self.follows {
                    standing::whole(&view)
                } else {
                    standing::brief(&view)
                }),
            }),
        })
    }

    fn attached(&self, view: &TableView) -> proto::Attached {
        let terms = &view.state.terms;
        let table = view.state.table(view.number);
        let last = table.map_or(0, |it| it.last_sequence.0);
        let levels = terms.content().levels.iter();
        let silence = terms.settings.silence_seconds_max;
        proto::Attached {
            table: self.table.to_string(),
            handle: self.handle,
            next_sequence: last.saturating_add(1),
            window: u32::try_from(WINDOW).unwrap_or(u32::MAX),
            standing: Some(standing::whole(view)),
            link: terms.name.to_string(),
            wager_micros: terms.wager.micros(),
            levels: levels.map(|it| it.name.to_string()).collect(),
            silence_seconds_max: silence.unwrap_or(SILENCE_SECONDS_DEFAULT),
        }
    }
}

//! Requests in flight on a stream, in their order.

use futures_util::FutureExt as _;
use meterhouse_domain::ids::{LinkId, Sequence, TableName};
use meterhouse_domain::link::SILENCE_SECONDS_DEFAULT;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_engine::Engine;
use meterhouse_engine::answer::{Answer, NotExecuted};
use meterhouse_engine::operations::pipelined::PendingOutcome;
use meterhouse_engine::view::TableView;
use meterhouse_proto::encoded::EncodedOutcomes;
use meterhouse_proto::table as proto;
use meterhouse_proto::table::play_response::Response;
use opentelemetry::Context as TraceContext;
use opentelemetry::trace::TraceContextExt as _;
use tokio::task::JoinError;
use tokio_util::task::AbortOnDropHandle;
use tonic::Status;

use super::follow::ChangedTable;
use super::limits::WINDOW;
use crate::status::{About, status};
use crate::{standing, write};

/// A request in flight, or a change to report.
pub(super) enum Pending {
    /// A submitted command.
    Command(SubmittedCommand),
    /// A query about a table.
    Query(Query),
    /// A table whose hits changed.
    Changed(ChangedTable),
    /// The end of the stream, by the client or by the server.
    End(Result<(), Status>),
}

/// A submitted command.
pub(super) struct SubmittedCommand {
    /// Handle of the table on the stream.
    pub(super) handle: u32,
    /// `true` if the table follows its hits.
    pub(super) follows: bool,
    /// Sequence number of the command.
    pub(super) sequence: Sequence,
    /// Outcome that is awaited.
    pub(super) outcome: AwaitedOutcome,
    /// Span of a traced command, which ends with the response.
    pub(super) span: Option<TraceContext>,
}

/// An outcome that is awaited.
pub(super) enum AwaitedOutcome {
    /// Outcome of a command that was submitted once.
    Submitted(PendingOutcome),
    /// Outcome of a repeated command, which a task looks up.
    Repeated(AbortOnDropHandle<Result<Answer, NotExecuted>>),
}

/// The names of a stream's tables, for errors. A command carries none, because commands of thousands of tables would
/// share their counters between two tasks.
#[derive(Default)]
pub(super) struct TableNames(Vec<TableName>);

/// A query about a table.
pub(super) struct Query {
    /// Handle of the table on the stream.
    pub(super) handle: u32,
    /// Name of the table.
    pub(super) table: TableName,
    /// `true` if the table follows its hits.
    pub(super) follows: bool,
    /// Kind of the query.
    pub(super) kind: QueryKind,
    /// State of the table.
    pub(super) view: AbortOnDropHandle<Result<TableView, NotExecuted>>,
}

/// The kind of a query about a table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum QueryKind {
    /// The table was attached to the stream.
    Attach,
    /// The table sent a heartbeat.
    Heartbeat,
}

impl TableNames {
    /// Records the name of an attached table. Handles count the tables in the order of their attaches.
    pub(super) fn attach(&mut self, handle: u32, name: &TableName) {
        if index_of(handle) == Some(self.0.len()) {
            self.0.push(name.clone());
        }
    }

    fn of(&self, handle: u32) -> Option<&str> {
        self.0.get(index_of(handle)?).map(TableName::as_str)
    }
}

/// Returns the index of a handle.
fn index_of(handle: u32) -> Option<usize> {
    usize::try_from(handle).ok()?.checked_sub(1)
}

impl AwaitedOutcome {
    /// Returns the link of the command, unless a task looks its outcome up.
    pub(super) const fn link(&self) -> Option<LinkId> {
        match self {
            Self::Submitted(waiting) => Some(waiting.link()),
            Self::Repeated(_) => None,
        }
    }

    /// Returns the outcome, if it is there.
    pub(super) fn now(&mut self, engine: &Engine) -> Option<Result<Answer, NotExecuted>> {
        match self {
            Self::Submitted(waiting) => waiting.now(engine),
            Self::Repeated(looked_up) => looked_up.now_or_never().map(found),
        }
    }

    /// Waits for the outcome. The future may be dropped and created again.
    pub(super) async fn arrived(&mut self, engine: &Engine) -> Result<Answer, NotExecuted> {
        match self {
            Self::Submitted(waiting) => waiting.arrived(engine).await,
            Self::Repeated(looked_up) => found(looked_up.await),
        }
    }
}

/// Returns the outcome of a lookup. If the lookup failed or was ended with the server, the client resolves that by
/// sending the command again.
fn found(looked_up: Result<Result<Answer, NotExecuted>, JoinError>) -> Result<Answer, NotExecuted> {
    looked_up.unwrap_or(Err(NotExecuted::OutcomeUnknown))
}

impl SubmittedCommand {
    /// Adds the outcome to a response, or returns the status that ends the stream.
    pub(super) fn add_to(
        &self,
        outcomes: &mut EncodedOutcomes,
        answer: Result<Answer, NotExecuted>,
        names: &TableNames,
    ) -> Result<(), Status> {
        let about = About {
            table: names.of(self.handle),
            sequence: Some(self.sequence.0),
        };
        if let Some(context) = &self.span {
            context.span().end();
        }
        let answer = answer.map_err(|denied| status(denied, about))?;
        let outcome = write::outcome(&answer, self.handle, self.follows);
        let outcome = outcome.map_err(|error| status(error, about))?;
        let encoded = outcomes.push(&outcome);
        encoded.map_err(|_| status(EdgeCode::Internal, about))
    }
}

impl Query {
    /// Returns the response to the query.
    pub(super) fn response(
        &self,
        view: Result<TableView, NotExecuted>,
    ) -> Result<Response, Status> {
        let about = About {
            table: Some(self.table.as_str()),
            sequence: None,
        };
        let view = view.map_err(|denied| status(denied, about))?;
        Ok(match self.kind {
            QueryKind::Attach => Response::Attached(self.attached(&view)),
            QueryKind::Heartbeat => Response::Alive(proto::Alive {
                handle: self.handle,
                standing: Some(if self.follows {
                    standing::whole(&view)
                } else {
                    standing::brief(&view)
                }),
                seal: seal_of(&view),
            }),
        })
    }

    fn attached(&self, view: &TableView) -> proto::Attached {
        let terms = &view.state.terms;
        let table = view.state.table(view.number);
        let last = table.map_or(0, |table| table.last_sequence.0);
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
            levels: levels.map(|level| level.name.to_string()).collect(),
            silence_seconds_max: silence.unwrap_or(SILENCE_SECONDS_DEFAULT),
            seal: seal_of(view),
        }
    }
}

/// Returns the seal of a table's last command.
fn seal_of(view: &TableView) -> String {
    view.seal.map_or_else(String::new, |seal| seal.to_string())
}

//! A stream of table controllers over gRPC.

use std::net::SocketAddr;
use std::ops::Deref;

use meterhouse_client::table_stream::{TableStream, attach, connect, request};
use meterhouse_proto::table as proto;
use meterhouse_proto::table::play_request::Request;
use meterhouse_proto::table::play_response::Response;
use tokio::sync::mpsc;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Endpoint};
use tonic::{Status, Streaming};
use tonic_types::{ErrorInfo, StatusExt as _};

use crate::client::Dealer;
use crate::wait::in_time;

/// Requests that wait to be sent.
const REQUESTS_MAX: usize = 16;
/// Bytes of a stream that the client takes before somebody reads them: some hundred outcomes.
const UNREAD_BYTES_MAX: u32 = 65_535;

/// What is heard on a stream: an answer, or how it ended (`None`: as the client wanted).
pub type Heard = Result<Response, Option<Status>>;

/// A stream of table controllers, on a connection of its own.
#[derive(Debug)]
pub struct Stream {
    requests: Requests,
    answers: Answers,
}

/// What is sent on a stream.
#[derive(Debug)]
pub struct Requests {
    sender: mpsc::Sender<proto::PlayRequest>,
}

/// What is heard on a stream.
#[derive(Debug)]
pub struct Answers {
    answers: Streaming<proto::PlayResponse>,
}

impl Stream {
    /// Begins one.
    pub async fn open(address: SocketAddr) -> Self {
        Self::begin(address, None).await
    }

    /// Begins one with a token for all its tables.
    pub async fn open_as(address: SocketAddr, token: &str) -> Self {
        let bearer = format!("Bearer {token}");
        let bearer = bearer.parse().expect("a header");
        Self::begin(address, Some(bearer)).await
    }

    /// Begins one that takes so few bytes before they are read.
    pub async fn open_narrow(address: SocketAddr, unread_bytes_max: u32) -> Self {
        Self::over(connected(address, unread_bytes_max).await, None).await
    }

    /// Begins one beside others on a connection.
    pub async fn on(connection: &Channel) -> Self {
        Self::over(connection.clone(), None).await
    }

    async fn begin(address: SocketAddr, bearer: Option<MetadataValue<Ascii>>) -> Self {
        Self::over(connected(address, UNREAD_BYTES_MAX).await, bearer).await
    }

    async fn over(channel: Channel, bearer: Option<MetadataValue<Ascii>>) -> Self {
        let mut first = tonic::Request::new(Vec::new());
        if let Some(bearer) = bearer {
            first.metadata_mut().insert("authorization", bearer);
        }
        let opening = TableStream::open(channel, first, REQUESTS_MAX);
        let opened = in_time("the stream begins", opening).await;
        let TableStream {
            requests,
            responses,
        } = opened.expect("a stream");
        Self {
            requests: Requests { sender: requests },
            answers: Answers { answers: responses },
        }
    }

    /// Both sides, for who sends and listens at once.
    pub fn split(self) -> (Requests, Answers) {
        (self.requests, self.answers)
    }

    /// Says that nothing more comes.
    pub fn sends_no_more(&mut self) {
        self.requests.sender = mpsc::channel(1).0;
    }

    /// What comes next.
    ///
    /// # Errors
    /// How the stream ended.
    pub async fn hear(&mut self) -> Heard {
        self.answers.hear().await
    }

    /// The next outcomes, as many as these or until the stream ended.
    pub async fn outcomes(&mut self, count: usize) -> (Vec<proto::Outcome>, Option<Status>) {
        self.answers.outcomes(count).await
    }

    /// How the stream ends; only outcomes come before it.
    pub async fn ends(&mut self) -> (Vec<proto::Outcome>, Status) {
        self.answers.ends().await
    }

    /// Lets a table onto the stream that follows its hits.
    pub async fn follow(&mut self, dealer: &Dealer) -> proto::Attached {
        let (table, token) = (dealer.table.clone(), dealer.caller.token().to_owned());
        self.attach_as(table, token, true).await;
        match self.hear().await {
            Ok(Response::Attached(attached)) => attached,
            other => panic!("{}: {other:?}", dealer.table),
        }
    }

    /// Reads until the hits of a table changed so; outcomes before that are left out.
    pub async fn hits_change(
        &mut self,
        what: &str,
        is_it: impl Fn(&proto::HitsChanged) -> bool,
    ) -> proto::HitsChanged {
        loop {
            match self.hear().await {
                Ok(Response::HitsChanged(changed)) if is_it(&changed) => return changed,
                Ok(Response::HitsChanged(_) | Response::Outcomes(_)) => {}
                other => panic!("not heard: {what}; {other:?}"),
            }
        }
    }

    /// Lets a table onto the stream.
    pub async fn attach(&mut self, dealer: &Dealer) -> proto::Attached {
        self.ask_to_attach(&dealer.table, dealer.caller.token())
            .await;
        match self.hear().await {
            Ok(Response::Attached(attached)) => attached,
            other => panic!("{}: {other:?}", dealer.table),
        }
    }
}

impl Deref for Stream {
    type Target = Requests;

    fn deref(&self) -> &Requests {
        &self.requests
    }
}

impl Requests {
    /// Sends a request; where the stream has ended it goes nowhere.
    pub async fn send(&self, asked: Request) {
        self.send_raw(request(asked)).await;
    }

    /// Sends a request that may be none.
    pub async fn send_raw(&self, request: proto::PlayRequest) {
        drop(self.sender.send(request).await);
    }

    /// Whether the server takes no more.
    pub fn has_ended(&self) -> bool {
        self.sender.is_closed()
    }

    /// Asks to let a table onto the stream.
    pub async fn ask_to_attach(&self, table: &str, token: &str) {
        let (table, token) = (table.to_owned(), token.to_owned());
        self.attach_as(table, token, false).await;
    }

    /// Asks to let a table onto the stream; says whether it follows its hits.
    pub async fn attach_as(&self, table: String, token: String, follow_hits: bool) {
        self.send_raw(attach(table, token, follow_hits)).await;
    }

    /// Sends commands.
    pub async fn commands(&self, commands: Vec<proto::Command>) {
        self.send(Request::Commands(proto::Commands { commands }))
            .await;
    }

    /// Says that a table is there.
    pub async fn heartbeat(&self, handle: u32) {
        self.send(Request::Heartbeat(proto::Heartbeat { handle }))
            .await;
    }
}

impl Answers {
    /// What comes next.
    ///
    /// # Errors
    /// How the stream ended.
    pub async fn hear(&mut self) -> Heard {
        let heard = in_time("the stream says something", self.answers.message()).await;
        match heard {
            Ok(Some(answer)) => Ok(answer.response.expect("an answer says something")),
            Ok(None) => Err(None),
            Err(status) => Err(Some(status)),
        }
    }

    /// The next outcomes, as many as these or until the stream ended.
    pub async fn outcomes(&mut self, count: usize) -> (Vec<proto::Outcome>, Option<Status>) {
        let mut outcomes = Vec::new();
        while outcomes.len() < count {
            match self.hear().await {
                Ok(Response::Outcomes(more)) => outcomes.extend(more.outcomes),
                Ok(other) => panic!("no outcomes: {other:?}"),
                Err(ended) => return (outcomes, ended),
            }
        }
        (outcomes, None)
    }

    /// How the stream ends; only outcomes come before it.
    pub async fn ends(&mut self) -> (Vec<proto::Outcome>, Status) {
        let (outcomes, ended) = self.outcomes(usize::MAX).await;
        (outcomes, ended.expect("a status that says why"))
    }
}

/// A connection for many streams.
pub async fn connection(address: SocketAddr) -> Channel {
    connected(address, UNREAD_BYTES_MAX).await
}

/// A connection.
async fn connected(address: SocketAddr, unread_bytes_max: u32) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
    let endpoint = endpoint.initial_stream_window_size(unread_bytes_max);
    let connecting = connect(&endpoint);
    let connected = in_time("the server accepts", connecting).await;
    connected.expect("a connection")
}

/// Why a stream ended, as programs read it.
pub fn reason(status: &Status) -> ErrorInfo {
    let info = status.get_details_error_info();
    info.unwrap_or_else(|| panic!("no details: {status:?}"))
}

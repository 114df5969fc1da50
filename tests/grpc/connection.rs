//! Many streams of tables on one connection.

use std::net::SocketAddr;

use meterhouse_proto::table as proto;
use meterhouse_proto::table::play_request::Request;
use meterhouse_proto::table::table_gateway_client::TableGatewayClient;
use meterhouse_tests::{Dealer, in_time};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Channel;
use tonic::{Status, Streaming};

/// Requests that wait to be sent.
const REQUESTS_MAX: usize = 4;

/// A connection.
#[derive(Clone)]
pub(crate) struct Connection(TableGatewayClient<Channel>);

/// One of its streams, both sides open.
pub(crate) struct Open {
    requests: mpsc::Sender<proto::PlayRequest>,
    answers: Streaming<proto::PlayResponse>,
}

impl Connection {
    /// A new one.
    pub(crate) async fn to(address: SocketAddr) -> Self {
        let connecting = TableGatewayClient::connect(format!("http://{address}"));
        let connected = in_time("a connection", connecting).await;
        Self(connected.expect("it listens"))
    }

    /// Opens a stream and says nothing on it.
    pub(crate) async fn open(&self) -> Open {
        let (requests, sent) = mpsc::channel(REQUESTS_MAX);
        let mut client = self.0.clone();
        let playing = client.play(ReceiverStream::new(sent));
        let answers = in_time("the stream opens", playing).await;
        Open {
            requests,
            answers: answers.expect("a stream").into_inner(),
        }
    }
}

impl Open {
    /// Sends a request.
    pub(crate) async fn send(&self, request: Request) {
        let request = Some(request);
        drop(self.requests.send(proto::PlayRequest { request }).await);
    }

    /// Asks to let a table onto the stream, and sends these commands of it at once.
    pub(crate) async fn play(&self, dealer: &Dealer, commands: Vec<proto::Command>) {
        let (table, token) = (dealer.table.clone(), dealer.caller.token().to_owned());
        let follow_hits = false;
        self.send(Request::Attach(proto::Attach {
            table,
            token,
            follow_hits,
        }))
        .await;
        self.send(Request::Commands(proto::Commands { commands }))
            .await;
    }

    /// How the stream ends; its own side stays open.
    pub(crate) async fn ends(&mut self) -> Status {
        let ending = async {
            loop {
                match self.answers.message().await {
                    Ok(Some(_)) => {}
                    Ok(None) => panic!("it ended well"),
                    Err(status) => return status,
                }
            }
        };
        in_time("the stream ends", ending).await
    }
}

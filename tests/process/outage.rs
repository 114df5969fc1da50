//! A database that goes while tables play, and returns: nothing is lost, and readiness says what is missing.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use meterhouse_tests::{Caller, Dealer, FIVE_CARD_C, House, eventually};
use nix::sys::signal::Signal;
use sqlx::ConnectOptions as _;
use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncRead, AsyncWrite, copy_bidirectional};
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio::task::{JoinHandle, JoinSet};

use crate::program::{Running, folder, serve_command};

/// A connection to Postgres.
trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Connection for T {}

/// Connects to a Postgres.
async fn connect(to: &PgConnectOptions) -> Box<dyn Connection> {
    if let Some(folder) = to.get_socket() {
        let socket = folder.join(format!(".s.PGSQL.{}", to.get_port()));
        let connected = UnixStream::connect(socket).await;
        return Box::new(connected.expect("a connection"));
    }
    let connected = TcpStream::connect((to.get_host(), to.get_port())).await;
    Box::new(connected.expect("a connection"))
}

/// Opens the way to a Postgres through a socket in this folder. Aborted, it closes every connection.
fn open_way(folder: &Path, to: PgConnectOptions) -> JoinHandle<()> {
    let socket = folder.join(format!(".s.PGSQL.{}", to.get_port()));
    drop(fs::remove_file(&socket));
    let listener = UnixListener::bind(&socket).expect("a socket");
    // A server that root started runs as another user.
    fs::set_permissions(&socket, Permissions::from_mode(0o777)).expect("its rights");
    tokio::spawn(async move {
        let mut open = JoinSet::new();
        while let Ok((mut here, _)) = listener.accept().await {
            let to = to.clone();
            open.spawn(async move {
                let mut there = connect(&to).await;
                drop(copy_bidirectional(&mut here, &mut there).await);
            });
        }
    })
}

#[tokio::test]
async fn a_database_that_goes_and_returns() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let way = folder();
    let to = house.database.application.clone();
    let opened = open_way(way.path(), to.clone());
    let url = to.clone().socket(way.path()).to_url_lossy().to_string();
    let mut program = serve_command();
    program.env("DATABASE_URL", url);
    let mut server = Running::spawn(program);
    let base = server.line_after("listening on ").await;
    let anonymous = Caller::nobody(base.clone());
    let dealer = Dealer::new(dealers[0].caller.at(base), "T1");
    drop(dealer.coin_in(&[1]).await.created());
    assert_eq!(anonymous.get("/readyz").await.is(200)["status"], "ready");

    opened.abort();
    drop(opened.await);
    let ready = eventually("it is not ready", async || {
        let ready = anonymous.get("/readyz").await;
        (ready.status == 503).then_some(ready)
    })
    .await;
    assert!(
        ready.text.contains(r#""name":"database""#),
        "{}",
        ready.text
    );
    let sentence = "start it, or look at its network and load";
    assert!(ready.text.contains(sentence), "{}", ready.text);
    let refused = dealer.close().await;
    assert!([503, 504].contains(&refused.status), "{}", refused.text);

    let opened = open_way(way.path(), to);
    eventually("it is ready again", async || {
        (anonymous.get("/readyz").await.status == 200).then_some(())
    })
    .await;
    // The number that got no outcome is sent again.
    let closed = dealer
        .send_as(2, &serde_json::json!({"command": "close"}))
        .await;
    assert!([200, 201].contains(&closed.status), "{}", closed.text);
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    opened.abort();
    house.end().await;
}

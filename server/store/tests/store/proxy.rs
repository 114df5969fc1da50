//! A bad network between the store and its server: slow, cut, or holding bytes back.

use std::path::Path;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::common::folder;

const SOCKET: &str = ".s.PGSQL.5432";

/// What the network does; connections are numbered from 1 in the order of their making.
#[derive(Clone, Copy, Default)]
struct Weather {
    latency: Duration,
    /// Up to this one, nothing reaches the server until it is 0 again.
    held: u32,
    /// Up to this one, the client is cut off; the server doesn't hear of it.
    cut: u32,
    /// Up to this one, nothing comes back from the server until it is 0 again.
    muted: u32,
    made: u32,
    /// Messages that are held back now.
    waiting: u32,
}

/// How long a message to be held back is waited for.
const HOLD_MAX: Duration = Duration::from_secs(10);

pub(crate) struct Proxy {
    folder: TempDir,
    weather: watch::Sender<Weather>,
}

impl Proxy {
    pub(crate) fn new(server: &Path, latency: Duration) -> Self {
        let folder = folder();
        let listener = UnixListener::bind(folder.path().join(SOCKET)).unwrap();
        let weather = watch::Sender::new(Weather {
            latency,
            ..Weather::default()
        });
        tokio::spawn(listen(listener, server.join(SOCKET), weather.clone()));
        Self { folder, weather }
    }

    pub(crate) fn through(&self, options: &PgConnectOptions) -> PgConnectOptions {
        options.clone().socket(self.folder.path())
    }

    /// Holds back what present connections send.
    pub(crate) fn hold(&self) {
        self.weather.send_modify(|it| it.held = it.made);
    }

    /// Lets it through.
    pub(crate) fn release(&self) {
        self.weather.send_modify(|it| it.held = 0);
    }

    /// Waits until a message is held back.
    pub(crate) async fn holds_one(&self) {
        let mut weather = self.weather.subscribe();
        let held = weather.wait_for(|it| it.waiting > 0);
        tokio::time::timeout(HOLD_MAX, held)
            .await
            .expect("a message comes")
            .unwrap();
    }

    /// Lets no answer to present connections through: nobody hears of it.
    pub(crate) fn mute(&self) {
        self.weather.send_modify(|it| it.muted = it.made);
    }

    /// Cuts the clients of present connections off.
    pub(crate) fn cut(&self) {
        self.weather.send_modify(|it| it.cut = it.made);
    }
}

async fn listen(
    listener: UnixListener,
    server: std::path::PathBuf,
    weather: watch::Sender<Weather>,
) {
    while let Ok((client, _)) = listener.accept().await {
        let server = UnixStream::connect(&server).await.unwrap();
        weather.send_modify(|it| it.made += 1);
        let number = weather.borrow().made;
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        tokio::spawn(up(number, from_client, to_server, weather.clone()));
        tokio::spawn(down(number, from_server, to_client, weather.subscribe()));
    }
}

async fn up(
    number: u32,
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    counted: watch::Sender<Weather>,
) {
    let mut bytes = vec![0; 65_536];
    let mut weather = counted.subscribe();
    let mut is_cut = counted.subscribe();
    loop {
        let read = tokio::select! {
            read = from.read(&mut bytes) => read.unwrap_or(0),
            _ = is_cut.wait_for(|it| it.cut >= number) => break,
        };
        if read == 0 {
            break;
        }
        let latency = weather.borrow().latency;
        sleep(latency).await;
        if weather.borrow().held >= number {
            counted.send_modify(|it| it.waiting += 1);
        }
        if weather.wait_for(|it| it.held < number).await.is_err()
            || to.write_all(&bytes[..read]).await.is_err()
        {
            return;
        }
    }
    drop(from);
    // The server hears nothing of a lost client as long as the test lasts.
    let _ = weather.wait_for(|_| false).await;
}

async fn down(
    number: u32,
    mut from: OwnedReadHalf,
    to: OwnedWriteHalf,
    mut weather: watch::Receiver<Weather>,
) {
    let mut bytes = vec![0; 65_536];
    let mut to = Some(to);
    loop {
        let read = tokio::select! {
            read = from.read(&mut bytes) => read.unwrap_or(0),
            _ = weather.wait_for(|it| it.cut >= number), if to.is_some() => {
                to = None;
                continue;
            }
        };
        if read == 0 {
            return;
        }
        let latency = weather.borrow().latency;
        sleep(latency).await;
        if weather.wait_for(|it| it.muted < number).await.is_err() {
            return;
        }
        if let Some(client) = &mut to
            && client.write_all(&bytes[..read]).await.is_err()
        {
            to = None;
        }
    }
}

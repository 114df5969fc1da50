//! A push service of the test, and a browser that reads its messages.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64ct::{Base64UrlUnpadded, Encoding as _};
use hkdf::Hkdf;
use meterhouse_tests::in_time;
use p256::{PublicKey, SecretKey};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use serde_json::Value;
use sha2::Sha256;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// Keys of the browser: those of RFC 8291, appendix A.
const BROWSER_SECRET: &str = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
pub(super) const BROWSER_KEY: &str =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
pub(super) const BROWSER_AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";
/// Messages that the test has not taken.
const QUEUE_MAX: usize = 100;

/// A message as it came.
pub(super) struct Message {
    pub(super) browser: String,
    pub(super) headers: HeaderMap,
    body: Bytes,
}

/// A push service. The name of a browser says how it answers: `gone`, `busy` at first, `silent`, or well.
pub(super) struct PushService {
    address: SocketAddr,
    messages: mpsc::Receiver<Message>,
}

#[derive(Clone)]
struct Desk {
    messages: mpsc::Sender<Message>,
    asked: Arc<Mutex<HashMap<String, usize>>>,
}

impl PushService {
    pub(super) async fn start() -> Self {
        let (sender, messages) = mpsc::channel(QUEUE_MAX);
        let desk = Desk {
            messages: sender,
            asked: Arc::default(),
        };
        let router = Router::new()
            .route("/push/{browser}", post(take))
            .with_state(desk);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a port");
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, messages }
    }

    pub(super) fn host(&self) -> String {
        self.address.to_string()
    }

    pub(super) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(super) fn endpoint(&self, browser: &str) -> String {
        format!("{}/push/{browser}", self.origin())
    }

    /// Takes the next message.
    pub(super) async fn next(&mut self) -> Message {
        in_time("a message", self.messages.recv())
            .await
            .expect("a service")
    }

    /// Takes the next message to a browser, without those to others.
    pub(super) async fn next_of(&mut self, browser: &str) -> Message {
        loop {
            let message = self.next().await;
            if message.browser == browser {
                return message;
            }
        }
    }
}

async fn take(
    State(desk): State<Desk>,
    Path(browser): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let asked = {
        let mut asked = desk.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = asked.entry(browser.clone()).or_default();
        *asked += 1;
        *asked
    };
    let message = Message {
        browser: browser.clone(),
        headers,
        body,
    };
    let sent = desk.messages.try_send(message);
    assert!(sent.is_ok(), "room in the queue");
    match browser.as_str() {
        "silent" => std::future::pending().await,
        "gone" => StatusCode::GONE.into_response(),
        "busy" if asked == 1 => {
            (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "1")]).into_response()
        }
        _ => StatusCode::CREATED.into_response(),
    }
}

pub(super) fn decoded(text: &str) -> Vec<u8> {
    Base64UrlUnpadded::decode_vec(text).expect("base64url")
}

/// The browser: what it does with a message (RFC 8188, RFC 8291).
pub(super) struct Browser;

impl Browser {
    /// Reads a message with the browser's keys.
    #[track_caller]
    pub(super) fn read(message: &Message) -> Value {
        let secret = SecretKey::from_slice(&decoded(BROWSER_SECRET)).expect("a key");
        let text = Self::opens(message, &secret).expect("a message for this browser");
        serde_json::from_slice(&text).expect("JSON")
    }

    /// Decrypts a message with a key, if it is for this key.
    pub(super) fn opens(message: &Message, secret: &SecretKey) -> Option<Vec<u8>> {
        let (salt, rest) = message.body.split_at(16);
        let (record_size, rest) = rest.split_at(4);
        assert_eq!(record_size, 4_096_u32.to_be_bytes());
        let (length, rest) = rest.split_first().expect("the length of the key");
        let (sender, sealed) = rest.split_at(usize::from(*length));
        let own = decoded(BROWSER_KEY);
        let shared = secret.diffie_hellman(&PublicKey::from_sec1_bytes(sender).expect("a key"));
        let info = [b"WebPush: info\0".as_slice(), &own, sender].concat();
        let auth = decoded(BROWSER_AUTH);
        let secret = expanded(&auth, shared.raw_secret_bytes(), &info, 32);
        let key = expanded(salt, &secret, b"Content-Encoding: aes128gcm\0", 16);
        let nonce = expanded(salt, &secret, b"Content-Encoding: nonce\0", 12);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).expect("a key"));
        let nonce = Nonce::try_assume_unique_for_key(&nonce).expect("a nonce");
        let mut record = sealed.to_vec();
        let text = key.open_in_place(nonce, Aad::empty(), &mut record).ok()?;
        let (last, text) = text.split_last().expect("the end of the record");
        assert_eq!(*last, 2, "the last record");
        Some(text.to_vec())
    }
}

fn expanded(salt: &[u8], secret: &[u8], info: &[u8], length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    let expanded = Hkdf::<Sha256>::new(Some(salt), secret).expand(info, &mut bytes);
    expanded.expect("a short key");
    bytes
}

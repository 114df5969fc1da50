//! A provider of OpenID Connect that a test makes lie, hang or break.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::{Form, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use meterhouse_engine::clock::now;
use meterhouse_journal::tree_head::SigningKey;
use meterhouse_openid::{OpenIdSettings, Provider as Configured};
use reqwest::Url;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;

/// Name of the house at the provider.
pub(super) const CLIENT: &str = "meterhouse";
/// Secret of the house at the provider.
const SECRET: &str = "of-the-house";
/// Address of the house; the tests call the callback themselves.
const PUBLIC_URL: &str = "https://meterhouse.example";
/// Bytes of an answer that is much too long.
const LONG: usize = 10 * 1_024 * 1_024;

/// What the provider does instead of its work.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    /// Its work.
    Well,
    /// It never answers.
    Hangs,
    /// It answers ten megabytes.
    Long,
    /// It answers that it is broken.
    Broken,
}

/// A provider.
#[derive(Clone)]
pub(super) struct Provider {
    pub(super) issuer: String,
    at: Arc<Mutex<Inside>>,
}

/// The inside of a provider.
struct Inside {
    mood: Mood,
    /// Logins that wait for their code to be exchanged.
    codes: BTreeMap<String, Login>,
    /// Secret of the key that signs.
    secret: [u8; 32],
    /// True if a code is good more than once.
    forgets_nothing: bool,
    /// Requests so far, by path.
    requests: BTreeMap<&'static str, usize>,
}

/// A login at the provider.
#[derive(Clone, Debug)]
pub(super) struct Login {
    challenge: String,
    /// Header of the ID token.
    pub(super) header: Value,
    /// Claims of the ID token.
    pub(super) claims: Value,
    /// Secret of another key that signs, if the signature shall be wrong.
    pub(super) signed_by: Option<[u8; 32]>,
}

impl Provider {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let provider = Self {
            issuer: format!("http://{address}"),
            at: Arc::new(Mutex::new(Inside {
                mood: Mood::Well,
                codes: BTreeMap::new(),
                secret: [1; 32],
                forgets_nothing: false,
                requests: BTreeMap::new(),
            })),
        };
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(configuration))
            .route("/jwks", get(keys))
            .route("/token", post(token))
            .with_state(provider.clone());
        tokio::spawn(async { axum::serve(listener, router).await });
        provider
    }

    /// Returns the provider as a server is told of it.
    pub(super) fn configured(&self) -> Arc<Configured> {
        let configured = Configured::new(&OpenIdSettings {
            issuer: self.issuer.clone(),
            client_id: CLIENT.to_owned(),
            client_secret: SECRET.to_owned(),
            public_url: PUBLIC_URL.to_owned(),
        });
        Arc::new(configured.expect("settings"))
    }

    fn inside<T>(&self, look: impl FnOnce(&mut Inside) -> T) -> T {
        look(&mut self.at.lock().expect("no panic"))
    }

    pub(super) fn set_mood(&self, mood: Mood) {
        self.inside(|at| at.mood = mood);
    }

    /// Signs with another key from now on.
    pub(super) fn rotate(&self, secret: [u8; 32]) {
        self.inside(|at| at.secret = secret);
    }

    /// Takes each code any number of times from now on.
    pub(super) fn forget_nothing(&self) {
        self.inside(|at| at.forgets_nothing = true);
    }

    /// Returns the number of requests to a path.
    pub(super) fn requests(&self, path: &str) -> usize {
        self.inside(|at| at.requests.get(path).copied().unwrap_or(0))
    }

    /// Logs somebody in whom the house sent to this address, and returns what the browser goes back with.
    pub(super) fn authorize(
        &self,
        location: &str,
        subject: &str,
        change: impl FnOnce(&mut Login),
    ) -> String {
        let url: Url = location.parse().expect("an address");
        let asked: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
        assert_eq!(
            format!("{}authorize", url.join("/").expect("a root")),
            format!("{}/authorize", self.issuer)
        );
        assert_eq!(asked["client_id"], CLIENT);
        assert_eq!(asked["response_type"], "code");
        assert_eq!(asked["scope"], "openid");
        assert_eq!(asked["code_challenge_method"], "S256");
        assert_eq!(
            asked["redirect_uri"],
            format!("{PUBLIC_URL}/v1/login/openid/callback")
        );
        let second = now().0 / 1_000_000;
        let mut login = Login {
            challenge: asked["code_challenge"].clone(),
            header: json!({"alg": "EdDSA", "kid": self.inside(|at| key_id(&at.secret))}),
            claims: json!({
                "iss": self.issuer, "sub": subject, "aud": CLIENT, "nonce": asked["nonce"],
                "iat": second, "exp": second + 60,
            }),
            signed_by: None,
        };
        change(&mut login);
        let state = &asked["state"];
        let code = format!("code-{}", base64url(&Sha256::digest(state.as_bytes())));
        self.inside(|at| at.codes.insert(code.clone(), login));
        format!("code={code}&state={state}&iss={}", self.issuer)
    }

    /// Counts a request, and answers it instead of the provider's work if its mood is bad.
    async fn instead(&self, path: &'static str) -> Option<Response> {
        let mood = self.inside(|at| {
            *at.requests.entry(path).or_default() += 1;
            at.mood
        });
        match mood {
            Mood::Well => None,
            Mood::Hangs => {
                std::future::pending::<()>().await;
                None
            }
            Mood::Long => Some(vec![b' '; LONG].into_response()),
            Mood::Broken => Some(StatusCode::INTERNAL_SERVER_ERROR.into_response()),
        }
    }
}

async fn configuration(State(provider): State<Provider>) -> Response {
    if let Some(instead) = provider.instead("configuration").await {
        return instead;
    }
    let issuer = &provider.issuer;
    let documents = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["EdDSA"],
    });
    Json(documents).into_response()
}

async fn keys(State(provider): State<Provider>) -> Response {
    if let Some(instead) = provider.instead("jwks").await {
        return instead;
    }
    let secret = provider.inside(|at| at.secret);
    let public = base64url(&SigningKey::new(&secret).public().0);
    let key = json!({"kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA",
        "kid": key_id(&secret), "x": public});
    Json(json!({"keys": [key]})).into_response()
}

async fn token(
    State(provider): State<Provider>,
    headers: HeaderMap,
    Form(sent): Form<BTreeMap<String, String>>,
) -> Response {
    if let Some(instead) = provider.instead("token").await {
        return instead;
    }
    let who = format!("Basic {}", base64(format!("{CLIENT}:{SECRET}").as_bytes()));
    assert_eq!(headers[AUTHORIZATION], who);
    let login = provider.inside(|at| {
        if at.forgets_nothing {
            at.codes.get(&sent["code"]).cloned()
        } else {
            at.codes.remove(&sent["code"])
        }
    });
    let proof = base64url(&Sha256::digest(sent["code_verifier"].as_bytes()));
    let Some(login) = login.filter(|login| login.challenge == proof) else {
        let refused = Json(json!({"error": "invalid_grant"}));
        return (StatusCode::BAD_REQUEST, refused).into_response();
    };
    let secret = login.signed_by.unwrap_or(provider.inside(|at| at.secret));
    let text = |value: &Value| base64url(value.to_string().as_bytes());
    let signed = format!("{}.{}", text(&login.header), text(&login.claims));
    let signature = SigningKey::new(&secret).sign(signed.as_bytes());
    let id_token = format!("{signed}.{}", base64url(&signature));
    let answer = json!({"access_token": "a", "token_type": "Bearer", "id_token": id_token});
    Json(answer).into_response()
}

/// Returns the id of the key with a secret.
pub(super) fn key_id(secret: &[u8; 32]) -> String {
    format!("key-{}", secret[0])
}

/// Returns bytes as base 64 for addresses, without padding (RFC 4648, section 5).
fn base64url(bytes: &[u8]) -> String {
    let text = base64(bytes).replace('+', "-").replace('/', "_");
    text.trim_end_matches('=').to_owned()
}

/// Returns bytes as base 64 (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut group = [0_u8; 4];
        group[1..=chunk.len()].copy_from_slice(chunk);
        let number = u32::from_be_bytes(group);
        for place in 0..4 {
            let letter = (number >> (18 - 6 * place)) & 63;
            let is_there = place <= chunk.len();
            text.push(if is_there {
                char::from(LETTERS[letter as usize])
            } else {
                '='
            });
        }
    }
    text
}

//! The engine's way to push services.

use core::time::Duration;

use base64ct::{Base64UrlUnpadded, Encoding as _};
use meterhouse_engine::push::{
    Push, PushOutcome, PushSender, PushSubscription, Pushing, SubscriptionRefused, WaitingHit,
};
use meterhouse_http_client::{PushAddress, PushClient, PushReply, causes};
use rand::TryRng as _;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::encrypt::{ReceiverKeys, SALT_BYTES, encrypted};
use crate::error::PushError;
use crate::hosts::Hosts;
use crate::vapid::{Subject, VapidKey, new_secret};

/// Characters of a topic: RFC 8030 allows 32.
const TOPIC_LENGTH: usize = 32;

/// The way to push services of a house.
pub struct WebPush {
    key: VapidKey,
    public_key: String,
    subject: Subject,
    hosts: Hosts,
    client: PushClient,
}

/// The headers of a message.
type Headers = Vec<(&'static str, String)>;

/// The text of a message.
#[derive(Serialize)]
struct Text<'a> {
    link: &'a str,
    table: &'a str,
    level: Option<String>,
    hit: &'a str,
}

impl WebPush {
    /// Returns the way by this key, to these hosts.
    pub fn new(key: VapidKey, subject: Subject, hosts: Hosts, client: PushClient) -> Self {
        Self {
            public_key: key.public(),
            key,
            subject,
            hosts,
            client,
        }
    }

    async fn attempt(&self, push: &Push) -> PushOutcome {
        let Ok(address) = push.to.endpoint.parse::<PushAddress>() else {
            return PushOutcome::Refused("its endpoint is no address".to_owned());
        };
        if !self.hosts.allow(&address) {
            let why = format!("{} is not among push.hosts", address.authority());
            return PushOutcome::Refused(why);
        }
        let made = self.made(push, &address);
        let (headers, body) = match made {
            Ok(made) => made,
            Err(error) => return PushOutcome::Refused(error.to_string()),
        };
        let headers: Vec<(&str, &str)> = headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        match self.client.post(&address, &headers, body).await {
            Ok(reply) => outcome(&reply),
            Err(error) => PushOutcome::Later {
                after: None,
                why: causes(&error),
            },
        }
    }

    /// Returns the headers and the body of a message.
    fn made(&self, push: &Push, address: &PushAddress) -> Result<(Headers, Vec<u8>), PushError> {
        let keys = ReceiverKeys::read(&push.to.p256dh, &push.to.auth)?;
        let mut salt = [0; SALT_BYTES];
        let drawn = rand::rngs::SysRng.try_fill_bytes(&mut salt);
        drawn.map_err(|_| PushError::Random)?;
        let body = encrypted(&keys, &new_secret()?, &salt, &text(&push.hit)?)?;
        let seconds = push.at.0.div_euclid(1_000_000);
        let authorization = self
            .key
            .authorization(&address.origin(), &self.subject, seconds)?;
        let headers = vec![
            ("authorization", authorization),
            ("content-encoding", "aes128gcm".to_owned()),
            ("content-type", "application/octet-stream".to_owned()),
            ("ttl", push.ttl.as_secs().to_string()),
            ("topic", topic(&push.hit)),
            ("urgency", "high".to_owned()),
        ];
        Ok((headers, body))
    }
}

impl std::fmt::Debug for WebPush {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("WebPush")
            .field("public_key", &self.public_key)
            .field("hosts", &self.hosts)
            .finish_non_exhaustive()
    }
}

impl PushSender for WebPush {
    fn public_key(&self) -> &str {
        &self.public_key
    }

    fn check(&self, subscription: &PushSubscription) -> Result<(), SubscriptionRefused> {
        let address = subscription.endpoint.parse::<PushAddress>();
        let is_allowed = address.is_ok_and(|address| self.hosts.allow(&address));
        if !is_allowed {
            return Err(SubscriptionRefused::Endpoint);
        }
        let keys = ReceiverKeys::read(&subscription.p256dh, &subscription.auth);
        keys.map(drop).map_err(|_| SubscriptionRefused::Keys)
    }

    fn push<'a>(&'a self, push: &'a Push) -> Pushing<'a> {
        Box::pin(self.attempt(push))
    }
}

fn text(hit: &WaitingHit) -> Result<Vec<u8>, PushError> {
    let text = Text {
        link: hit.link.as_str(),
        table: hit.table.as_str(),
        level: hit.level.as_ref().map(ToString::to_string),
        hit: &hit.hit.to_string(),
    };
    serde_json::to_vec(&text).map_err(|_| PushError::Encrypt)
}

/// Returns the topic of a link's messages: a newer one takes the place of one that the push service still keeps.
fn topic(hit: &WaitingHit) -> String {
    let mut topic = Base64UrlUnpadded::encode_string(&Sha256::digest(hit.link.as_str()));
    topic.truncate(TOPIC_LENGTH);
    topic
}

/// Returns the outcome of a reply.
fn outcome(reply: &PushReply) -> PushOutcome {
    let why = || format!("the push service answered {}", reply.status);
    match reply.status {
        200..=299 => PushOutcome::Sent,
        404 | 410 => PushOutcome::Gone,
        408 | 425 | 429 | 500.. => PushOutcome::Later {
            after: reply.retry_after_seconds.map(Duration::from_secs),
            why: why(),
        },
        _ => PushOutcome::Refused(why()),
    }
}

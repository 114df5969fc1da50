//! Web push: people's browsers are told of hits that wait, by way of their push services.
//!
//! # Shape
//! [`Pushes`] knows the subscriptions. `telling` takes each waiting hit once, on one node, and `delivery` sends it to the
//! subscriptions. The way to push services is a [`PushSender`], which this crate does not know.
//!
//! # Limits
//! A person has [`SUBSCRIPTIONS_A_PERSON_MAX`] subscriptions. `delivery` names the limits of queues and retries. Nothing else
//! of the engine waits for any of it.

mod delivery;
pub(crate) mod telling;

use std::fmt::Debug;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{ActorId, LevelName, LinkName, TableName, Timestamp};
use meterhouse_store::{PushRow, Store};
use sha2::{Digest as _, Sha256};

use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;

/// Maximum number of subscriptions of a person. The newest one takes the place of the oldest.
pub const SUBSCRIPTIONS_A_PERSON_MAX: usize = 8;
/// Maximum number of bytes of an endpoint.
pub const ENDPOINT_BYTES_MAX: usize = 2_048;

/// A hit that waits, as a message names it: no amount and no player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingHit {
    /// Link.
    pub link: LinkName,
    /// Table.
    pub table: TableName,
    /// Level; `None` for fixed odds, envy and bonuses.
    pub level: Option<LevelName>,
    /// Name of the hit.
    pub hit: HitName,
}

/// A subscription as a browser gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushSubscription {
    /// Address at the push service.
    pub endpoint: String,
    /// Public key of the browser, in base64url.
    pub p256dh: String,
    /// Secret of the browser for its senders, in base64url.
    pub auth: String,
}

/// A message to one subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Push {
    /// Subscription.
    pub to: PushSubscription,
    /// Hit that waits.
    pub hit: WaitingHit,
    /// Time of the attempt.
    pub at: Timestamp,
    /// Time for which the push service keeps the message.
    pub ttl: Duration,
}

/// The outcome of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PushOutcome {
    /// The push service took the message.
    Sent,
    /// The push service no longer knows the subscription.
    Gone,
    /// The push service can't take it now.
    Later {
        /// Wait that the push service asks for.
        after: Option<Duration>,
        /// Cause.
        why: String,
    },
    /// No attempt can succeed.
    Refused(String),
}

/// The running of an attempt.
pub type Pushing<'a> = Pin<Box<dyn Future<Output = PushOutcome> + Send + 'a>>;

/// The way to push services.
pub trait PushSender: Debug + Send + Sync {
    /// Returns the public key of the house, in base64url.
    fn public_key(&self) -> &str;

    /// Checks a subscription: its address and its keys.
    ///
    /// # Errors
    /// [`SubscriptionRefused`] if the house sends nothing there.
    fn check(&self, subscription: &PushSubscription) -> Result<(), SubscriptionRefused>;

    /// Sends a message, by one attempt. The caller limits the time, and drops what takes longer.
    fn push<'a>(&'a self, push: &'a Push) -> Pushing<'a>;
}

/// The reason that a subscription is not taken.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubscriptionRefused {
    /// Its address is none, or not one of a listed push service.
    #[error("the endpoint is not at a push service of the setting push.hosts")]
    Endpoint,
    /// Its keys are none.
    #[error("p256dh has to be a point of P-256 and auth 16 bytes, both in base64url")]
    Keys,
}

/// An error of a subscription.
#[derive(Debug, thiserror::Error)]
pub enum PushError {
    /// The house sends no messages.
    #[error("this house sends no notices")]
    NotConfigured,
    /// The subscription is not taken.
    #[error(transparent)]
    Refused(#[from] SubscriptionRefused),
    /// The database did not do it.
    #[error(transparent)]
    NotExecuted(#[from] NotExecuted),
}

/// The subscriptions of a person, and whether the house sends messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushState {
    /// Public key of the house; `None` if it sends no messages.
    pub public_key: Option<String>,
    /// Hash of each endpoint with the time of the subscription, newest first.
    pub subscriptions: Vec<([u8; 32], Timestamp)>,
}

/// The subscriptions of a house, and the way to push services if the house has one.
#[derive(Clone)]
pub struct Pushes {
    pub(crate) store: Store,
    pub(crate) sender: Option<Arc<dyn PushSender>>,
}

impl Pushes {
    /// Returns the state of a person.
    ///
    /// # Errors
    /// If the database can't be queried.
    pub async fn state(&self, actor: ActorId) -> Result<PushState, NotExecuted> {
        let rows = self.store.pushes_of(actor).await.map_err(unavailable)?;
        let known = |row: PushRow| (row.endpoint_hash, row.created_at);
        Ok(PushState {
            public_key: self
                .sender
                .as_ref()
                .map(|sender| sender.public_key().to_owned()),
            subscriptions: rows.into_iter().map(known).collect(),
        })
    }

    /// Adds a subscription of a person.
    ///
    /// # Errors
    /// [`PushError`] if the house sends no messages, or none to this address.
    pub async fn subscribe(
        &self,
        actor: ActorId,
        subscription: PushSubscription,
    ) -> Result<(), PushError> {
        let sender = self.sender.as_ref().ok_or(PushError::NotConfigured)?;
        if subscription.endpoint.len() > ENDPOINT_BYTES_MAX {
            return Err(SubscriptionRefused::Endpoint.into());
        }
        sender.check(&subscription)?;
        let row = PushRow {
            endpoint_hash: Sha256::digest(&subscription.endpoint).into(),
            endpoint: subscription.endpoint,
            p256dh: subscription.p256dh,
            auth: subscription.auth,
            created_at: now(),
        };
        let added = self
            .store
            .subscribe_push(actor, &row, SUBSCRIPTIONS_A_PERSON_MAX);
        Ok(added.await.map_err(unavailable)?)
    }

    /// Removes a subscription of a person, if there is one with this hash of its endpoint.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn unsubscribe(
        &self,
        actor: ActorId,
        endpoint_hash: [u8; 32],
    ) -> Result<(), NotExecuted> {
        let removed = self.store.unsubscribe_push(actor, endpoint_hash).await;
        removed.map_err(unavailable)
    }
}

//! Notices of waiting hits, by web push.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::request::objects;
use crate::values::Time;

/// A subscription of a browser at its push service, as `PushSubscription.toJSON()` has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct PushRequest {
    /// Address at the push service.
    #[schema(max_length = 2048, examples("https://push.example/wpush/v2/abc"))]
    pub endpoint: String,
    /// Public key of the browser, in base64url.
    #[schema(max_length = 128)]
    pub p256dh: String,
    /// Secret of the browser for its senders, in base64url.
    #[schema(max_length = 64)]
    pub auth: String,
}

/// The browsers of the session's person that are told of waiting hits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PushState {
    /// Public key of the house for `PushManager.subscribe`, in base64url; null if the house sends no notices.
    pub public_key: Option<String>,
    /// Subscriptions, newest first.
    pub subscriptions: Vec<PushSubscription>,
}

/// A subscription of a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PushSubscription {
    /// SHA-256 of the endpoint in hexadecimal: its name in the path.
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-f]+$")]
    pub subscription: String,
    /// Time of the subscription.
    pub since: Time,
}

objects! { PushRequest }

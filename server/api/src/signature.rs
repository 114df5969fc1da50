//! PINs, and signatures by PIN on a device that several people share.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::request::objects;
use crate::values::{Badge, Time};
use crate::words::Role;

/// A new PIN, with the proof that the person may set it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct PinRequest {
    /// PIN: 4 to 8 digits, not one digit again and again, and no row up or down.
    #[schema(min_length = 4, max_length = 8, pattern = "^[0-9]+$", examples("4711"))]
    pub pin: String,
    /// Password. A person without one leaves it out, within five minutes of the login.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
}

/// The state of a person's PIN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PinState {
    /// Name.
    pub name: String,
    /// True if the person has a PIN.
    pub set: bool,
    /// Time at which the PIN was set; null without one.
    pub set_at: Option<Time>,
    /// True after five wrong PINs in a row: the name signs nothing before it has a new PIN.
    pub blocked: bool,
}

/// The name and PIN of a person who signs.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SignatureRequest {
    /// Name.
    pub name: Badge,
    /// PIN.
    #[schema(min_length = 1, max_length = 64, examples("4711"))]
    pub pin: String,
}

/// A signature: a token for what the person does on the shared device.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MadeSignature {
    /// Token for the header `Authorization`, shown once.
    pub token: String,
    /// End of validity, two minutes after the PIN.
    pub expires_at: Time,
    /// Name of the person who signs.
    pub name: String,
    /// Role.
    pub role: Role,
    /// Department.
    pub department: Option<String>,
    /// Rights that the signature has.
    pub rights: Vec<String>,
}

objects! { PinRequest SignatureRequest }

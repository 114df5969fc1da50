//! Logins, people, tokens, and the record of what was done with them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::request::objects;
use crate::values::{Badge, Department, GivenNote, LinkName, TableName, Time};
use crate::words::{CredentialKind, PersonRole, Role};

/// Name and password of a person.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct LoginRequest {
    /// Name.
    pub name: String,
    /// Password.
    pub password: String,
    /// Code of the second factor, if the person has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// A new password, with the proof that the person may set it: the old one, or a code.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct PasswordRequest {
    /// Name.
    pub name: String,
    /// New password: 12 to 128 characters.
    pub new: String,
    /// Password until now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// Code of the second factor, beside the old password, if the person has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_factor: Option<String>,
    /// Code that an administrator gave the person, instead of the old password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// A password that was set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PasswordChanged {
    /// Name.
    pub name: String,
    /// True: the password counts, and all sessions of the person have ended.
    pub changed: bool,
}

/// The holder of a session or token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Holder {
    /// Name.
    pub name: String,
    /// Role.
    pub role: Role,
    /// Department.
    pub department: Option<String>,
    /// Rights, if the person has fewer than the role.
    pub rights: Option<Vec<String>>,
    /// Table of a controller.
    pub table: Option<TableName>,
    /// Link of a display.
    pub link: Option<LinkName>,
    /// Credential of this request.
    pub credential: CredentialKind,
    /// Value of the header `Meterhouse-Csrf`, which every write with the session's cookie needs; null for a token.
    pub csrf: Option<String>,
    /// Latest end of the session; null for a token.
    pub expires_at: Option<Time>,
}

/// Sessions or tokens that ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EndedCredentials {
    /// Name of the holder.
    pub name: String,
    /// Number of sessions or tokens that ended.
    pub ended: u64,
}

/// A secret for an authenticator app, which counts once a code of it was sent.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DrawnSecret {
    /// Secret in base 32.
    pub secret: String,
    /// The same as a link `otpauth://`, for a QR code.
    pub link: String,
}

/// A second factor, with a code that proves that the app has it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SecondFactorRequest {
    /// Secret in base 32, as it was drawn.
    pub secret: String,
    /// Code that the app shows.
    pub code: String,
    /// Code of the second factor until now, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
}

/// The state of a person's second factor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SecondFactor {
    /// Name.
    pub name: String,
    /// True if a login needs a code.
    pub set: bool,
}

/// A person to admit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct PersonRequest {
    /// Name.
    pub name: Badge,
    /// Role.
    pub role: PersonRole,
    /// Department of a supervisor or manager: changes by two people need two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub department: Option<Department>,
    /// Rights, if the person shall have fewer than the role, as in `validate,pay`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rights: Option<String>,
    /// Subject by which the person logs in by OpenID Connect, as the house's provider names the person; instead of a code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = "^[ -~]+$",
        examples("248289761001")
    )]
    pub openid_subject: Option<String>,
}

/// A person who was admitted, with a code to set a password with.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PasswordCode {
    /// Name.
    pub name: String,
    /// Code, shown once; null if the person was given a subject of OpenID Connect instead.
    pub code: Option<String>,
    /// End of the code's validity.
    pub expires_at: Option<Time>,
}

/// A page of people, in the order of their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PeoplePage {
    /// People.
    pub people: Vec<AdmittedPerson>,
    /// True if more follow.
    pub more: bool,
    /// Value of `after` for the next page.
    pub next: Option<String>,
}

/// A person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AdmittedPerson {
    /// Name.
    pub name: String,
    /// Role.
    pub role: Role,
    /// Department.
    pub department: Option<String>,
    /// Rights, if the person has fewer than the role.
    pub rights: Option<String>,
    /// Time of the admission.
    pub created_at: Time,
    /// Time at which the password was set; null without one.
    pub password_set_at: Option<Time>,
    /// True if a login needs a code.
    pub second_factor: bool,
    /// Subject of OpenID Connect by which the person logs in; null without one.
    pub openid: Option<OpenIdSubject>,
    /// Time at which the PIN was set; null without one.
    pub pin_set_at: Option<Time>,
    /// True after five wrong PINs in a row: the person sets a new PIN, or an administrator removes it.
    pub pin_blocked: bool,
    /// Time at which a session of the person was used last.
    pub seen_at: Option<Time>,
    /// True if the access was ended.
    pub access_ended: bool,
}

/// A subject of OpenID Connect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OpenIdSubject {
    /// Address of the issuer.
    pub issuer: String,
    /// Name that the issuer gives the person.
    pub subject: String,
}

/// The state of a person's login by OpenID Connect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OpenIdState {
    /// Name.
    pub name: String,
    /// True if the person may log in by OpenID Connect.
    pub set: bool,
}

/// The end of a person's or program's access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct EndAccessRequest {
    /// Reason, which the record keeps.
    pub reason: GivenNote,
}

/// The access of a person or program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AccessState {
    /// Name.
    pub name: String,
    /// True if the access was ended.
    pub access_ended: bool,
}

/// The delay of a name's logins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EndedDelay {
    /// Name.
    pub name: String,
    /// True if wrong logins were counted until now.
    pub ended: bool,
}

/// A token to make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct TokenRequest {
    /// Name of the holder.
    pub name: Badge,
    /// Role.
    pub role: Role,
    /// Table that a controller commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableName>,
    /// Link that a display shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkName>,
    /// Department of a supervisor or manager.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub department: Option<Department>,
    /// Rights, if the holder shall have fewer than the role, as in `validate,pay`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rights: Option<String>,
    /// End of validity; without one the token is good until it is revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Time>,
}

/// A token that was made.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MadeToken {
    /// Name of the holder.
    pub name: String,
    /// Token, shown once.
    pub token: String,
    /// End of validity.
    pub expires_at: Option<Time>,
}

/// A page of tokens, in the order of their holders' names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenPage {
    /// Tokens, without their texts.
    pub tokens: Vec<IssuedToken>,
    /// True if more follow.
    pub more: bool,
    /// Value of `after` for the next page.
    pub next: Option<String>,
}

/// A token, without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IssuedToken {
    /// Name of the holder.
    pub name: String,
    /// Role.
    pub role: Role,
    /// Table of a controller.
    pub table: Option<String>,
    /// Link of a display.
    pub link: Option<String>,
    /// Department.
    pub department: Option<String>,
    /// Rights, if the holder has fewer than the role.
    pub rights: Option<String>,
    /// Time of creation.
    pub created_at: Time,
    /// End of validity.
    pub expires_at: Option<Time>,
    /// Time of revocation.
    pub revoked_at: Option<Time>,
}

/// A page of acts, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ActPage {
    /// Acts.
    pub acts: Vec<RecordedAct>,
    /// True if older ones follow.
    pub more: bool,
    /// Value of `after` for the next page.
    pub next: Option<String>,
}

/// An act: what a person or program did, or tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecordedAct {
    /// Number, from 1 without gaps.
    #[schema(minimum = 1)]
    pub number: u64,
    /// Time.
    pub at: Time,
    /// Word of the act.
    #[schema(examples("login"))]
    pub act: String,
    /// Name that was given, known or not.
    pub name: Option<String>,
    /// True if the house has this name. A wrong login says no more than that.
    pub known: bool,
    /// Proof of the name that was given.
    #[schema(examples("session"))]
    pub proof: String,
    /// Address of the client.
    pub address: Option<String>,
    /// Person, token, link or path that the act is about.
    pub subject: Option<String>,
    /// Further facts.
    pub details: Vec<ActDetail>,
}

/// A fact of an act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ActDetail {
    /// Name.
    pub name: String,
    /// Value.
    pub value: String,
}

objects! {
    LoginRequest PasswordRequest SecondFactorRequest PersonRequest EndAccessRequest TokenRequest
}

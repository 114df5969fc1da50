//! Errors of logins and of changes of access, as a client receives them.

use meterhouse_engine::access::{AccessError, LoginError, NotAnnounced};
use meterhouse_engine::push::{PushError, SubscriptionRefused};

use crate::admission::NotAdmitted;
use crate::codes::EdgeCode;
use crate::value::shown;
use crate::wire_error::{EdgeError, WireError};

impl From<LoginError> for WireError {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::Wrong => EdgeCode::LoginFailed.into(),
            LoginError::NotAdmitted => EdgeCode::OpenIdNotAdmitted.into(),
            LoginError::CodeMissing => EdgeCode::SecondFactorMissing.into(),
            LoginError::WrongPin { tries_left } => EdgeError::new(EdgeCode::PinWrong)
                .with("tries_left", tries_left)
                .into(),
            LoginError::PinBlocked => EdgeCode::PinBlocked.into(),
            LoginError::NotAnnounced(error) => not_announced(&error).into(),
            LoginError::Delayed(wait) => {
                let mut delayed = EdgeError::new(EdgeCode::LoginDelayed);
                delayed.retry_after = Some(wait);
                delayed.into()
            }
            LoginError::Busy => EdgeCode::Busy.into(),
            LoginError::NotExecuted(error) => error.into(),
        }
    }
}

impl From<AccessError> for WireError {
    fn from(error: AccessError) -> Self {
        match error {
            AccessError::UnknownName(name) => EdgeError::new(EdgeCode::UnknownPerson)
                .with("name", shown(&name))
                .into(),
            AccessError::Differs(name) => EdgeError::because(
                EdgeCode::RequestReused,
                "the name belongs to somebody with another role, table, link, department or rights: choose another name",
            )
            .with("name", shown(&name))
            .into(),
            AccessError::OpenIdTaken(name) => EdgeError::new(EdgeCode::OpenIdTaken)
                .with("name", shown(&name))
                .into(),
            AccessError::Ended(name) => EdgeError::new(EdgeCode::AccessEnded)
                .with("name", shown(&name))
                .into(),
            AccessError::LastAdministrator(name) => EdgeError::new(EdgeCode::LastAdministrator)
                .with("name", shown(&name))
                .into(),
            AccessError::Own => EdgeCode::OwnAccess.into(),
            AccessError::NotAnnounced(error) => not_announced(&error).into(),
            AccessError::WeakPassword(why) => EdgeError::because(EdgeCode::WeakPassword, why).into(),
            AccessError::WeakPin(why) => EdgeError::because(EdgeCode::WeakPin, why).into(),
            AccessError::PasswordMissing => {
                let detail = "send the field password: this person has a password";
                EdgeError::because(EdgeCode::InvalidValue, detail)
                    .with("field", "password")
                    .into()
            }
            AccessError::NoFreshLogin => EdgeCode::FreshLoginNeeded.into(),
            AccessError::UnknownPairing => EdgeCode::UnknownPairing.into(),
            AccessError::TooManyPairings => EdgeError::because(
                EdgeCode::TooManyCodes,
                "too many screens ask for a code: wait as long as Retry-After says",
            )
            .into(),
            AccessError::TooManyCodes => EdgeError::because(
                EdgeCode::TooManyCodes,
                "too many of your codes were wrong: wait as long as Retry-After says, and read the code off the screen",
            )
            .into(),
            AccessError::KeyEnded => EdgeError::because(
                EdgeCode::Unauthenticated,
                "the screen of this key was unpaired; draw a new key",
            )
            .into(),
            AccessError::ScreenExists => EdgeCode::ScreenExists.into(),
            AccessError::UnknownScreen => EdgeCode::UnknownScreen.into(),
            AccessError::WrongCode => EdgeCode::WrongCode.into(),
            AccessError::Login(error) => error.into(),
            AccessError::NotExecuted(error) => error.into(),
            // Only the commands of the program make a change on this condition.
            AccessError::AdministratorExists => EdgeCode::Forbidden.into(),
        }
    }
}

impl From<PushError> for WireError {
    fn from(error: PushError) -> Self {
        match error {
            PushError::NotConfigured => EdgeCode::PushNotConfigured.into(),
            PushError::Refused(SubscriptionRefused::Endpoint) => {
                EdgeCode::PushEndpointRefused.into()
            }
            PushError::Refused(error @ SubscriptionRefused::Keys) => {
                let detail = error.to_string();
                EdgeError::because(EdgeCode::InvalidValue, detail)
                    .with("field", "p256dh")
                    .into()
            }
            PushError::NotExecuted(error) => error.into(),
        }
    }
}

/// Returns the error of an access that was not granted, because it could not be announced.
fn not_announced(error: &NotAnnounced) -> EdgeError {
    let detail = format!("{error}; try again after Retry-After");
    EdgeError::because(EdgeCode::NotAnnounced, detail).with("host", &error.host)
}

impl From<NotAdmitted> for WireError {
    fn from(error: NotAdmitted) -> Self {
        let detail = format!("{}{}", error.field, error.why);
        EdgeError::because(EdgeCode::InvalidValue, detail)
            .with("field", error.field)
            .into()
    }
}

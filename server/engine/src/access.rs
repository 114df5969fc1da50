//! Access of people and programs: logins, sessions, passwords, PINs, signatures, tokens, and the record of what was done with them.
//!
//! # Shape
//! [`AccessControl`] is shared by the server and by the commands of the program. Every change is one transaction with
//! its entries in the house's chain and its act.
//!
//! # Limits
//! Each module names its own.

mod acts;
mod admission;
mod announcement;
mod announcing;
mod by;
mod control;
mod error;
mod login;
mod openid;
mod pairing;
mod pairing_limits;
mod password;
mod pin;
mod refusal_limit;
mod second_factor;
mod session;
mod session_cache;
mod signature;
mod stored;
mod vouching;

pub use meterhouse_journal::act::Act;
pub use meterhouse_store::{ActFilter, NewAct, NewActor, Only, OpenIdSubject, PersonRow, TokenRow};

pub use self::acts::ActPage;
pub use self::admission::NewCode;
pub use self::announcement::{
    AnnouncedAccess, Announcement, AnnouncementError, Announcements, Announcer, Announcing,
    NotAnnounced,
};
pub(crate) use self::by::NOT_ANNOUNCED;
pub use self::by::{ACT_WORDS, BREAK_GLASS, BREAK_GLASS_PROOF, By};
pub use self::control::AccessControl;
pub use self::error::{AccessError, LoginError};
pub use self::login::LoginRequest;
pub use self::pairing::{Pairing, ScreenToPair, read_code};
pub use self::password::PasswordProof;
pub use self::pin::{PinState, is_blocked};
pub use self::second_factor::NewFactor;
pub use self::session::LoggedIn;
pub(crate) use self::session_cache::is_signature;
pub use self::session_cache::{SESSION_LONGEST, SessionHolder};
pub use self::signature::Signature;
pub use self::stored::VouchedFor;
pub use self::vouching::Vouching;

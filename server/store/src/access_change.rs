//! The changes of who may come in.

use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::batch::HASH_BYTES;

use crate::actors::{NewActor, NewToken};

/// A screen to pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewScreen {
    /// Code that the screen shows.
    pub code: String,
    /// Display.
    pub who: NewActor,
    /// Links that it shows.
    pub links: Vec<String>,
    /// Name of the person who pairs it.
    pub by: String,
    /// `true` if it may take the place of a screen of this name.
    pub replaces: bool,
}

/// A change of who may come in.
#[derive(Clone, Debug)]
pub enum AccessChange {
    /// A person or program is admitted, if the name is new, and gets a token.
    Token {
        /// Owner of the token.
        who: NewActor,
        /// Token.
        token: NewToken,
    },
    /// All tokens of a name end.
    Revoke {
        /// Owner of the tokens.
        name: String,
    },
    /// A person is admitted, if the name is new, and gets a code to set a password with.
    Code {
        /// Person.
        who: NewActor,
        /// SHA-256 of the code.
        code: [u8; HASH_BYTES],
        /// End of validity.
        expires_at: Timestamp,
    },
    /// A person has a new password. All codes and sessions of the person end.
    Password {
        /// Person.
        name: String,
        /// Hash to store.
        hash: String,
        /// Proof that was right.
        proven: Proven,
    },
    /// A person has a new second factor, or none any more.
    SecondFactor {
        /// Person.
        name: String,
        /// Factor, or nothing.
        factor: Option<ConfirmedFactor>,
    },
    /// A person has a new PIN, or none any more. All signatures of the person end, and wrong PINs are forgotten.
    Pin {
        /// Person.
        name: String,
        /// Hash to store, or nothing.
        hash: Option<String>,
        /// Proof that was right; `None` for the removal of a PIN.
        proven: Option<Proven>,
    },
    /// A signature of a person begins.
    Signature {
        /// Person.
        name: String,
        /// Signature.
        signature: NewSignature,
    },
    /// A new display becomes a screen, whose key is its token. Earlier tokens of the screen end.
    Pair(NewScreen),
    /// A screen ends with all its tokens.
    RemoveScreen {
        /// Name of the screen.
        name: String,
    },
    /// A person is admitted, if the name is new, and logs in by a subject of OpenID Connect. All sessions of the person end.
    OpenId {
        /// Person.
        who: NewActor,
        /// Subject, which is free or the own one.
        subject: OpenIdSubject,
    },
    /// A person has no subject of OpenID Connect any more. All sessions of the person end.
    NoOpenId {
        /// Person.
        name: String,
    },
    /// The access of a person or program ends with all sessions and tokens, or is restored.
    Access {
        /// Person or program.
        name: String,
        /// `false` if it is restored.
        is_ended: bool,
    },
    /// All sessions of a person end.
    Sessions {
        /// Person.
        name: String,
    },
    /// A session begins.
    Session {
        /// Person.
        name: String,
        /// SHA-256 of the session's secret.
        session: [u8; HASH_BYTES],
        /// Latest end of the session.
        expires_at: Timestamp,
        /// Proof that was right.
        proven: Proven,
    },
    /// One session ends.
    Logout {
        /// Person.
        name: String,
        /// SHA-256 of the session's secret.
        session: [u8; HASH_BYTES],
    },
    /// A name that waits after wrong attempts may try again at once.
    EndDelay {
        /// Name.
        name: String,
    },
}

/// A proof that was right before the change began. If it is not right any more, the change is not made.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Proven {
    /// SHA-256 of a code, which is used up.
    Code([u8; HASH_BYTES]),
    /// The password that was set at this time.
    Password(Timestamp),
    /// The PIN that was set at this time.
    Pin(Timestamp),
    /// SHA-256 of the secret of a session that goes on.
    Session([u8; HASH_BYTES]),
    /// The subject of OpenID Connect that was set at this time, by a login that is used up.
    OpenId {
        /// Time.
        set_at: Timestamp,
        /// SHA-256 of what the login was begun with.
        login: [u8; HASH_BYTES],
    },
}

/// A signature to add.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct NewSignature {
    /// SHA-256 of the signature's token.
    pub token: [u8; HASH_BYTES],
    /// End of validity.
    pub expires_at: Timestamp,
    /// Time at which the PIN that was right was set.
    pub pin_set_at: Timestamp,
}

/// An issuer of OpenID Connect, and its name for one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenIdSubject {
    /// Address of the issuer.
    pub issuer: String,
    /// Name that the issuer gives the person, and never another.
    pub subject: String,
}

/// A second factor whose owner has shown a code of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmedFactor {
    /// Secret.
    pub secret: Vec<u8>,
    /// Step of the code, which is used up.
    pub used_step: u64,
}

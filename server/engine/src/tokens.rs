//! Tokens: 256 random bits, shown once, stored as SHA-256.

mod right;

use std::str::FromStr;

use meterhouse_domain::ids::{ActorId, LinkName, TableName, Timestamp};
use meterhouse_store::{ActorRow, NewActor, Store, StoreError, TokenHash, TokenRow};
use rand::TryRng as _;
use sha2::{Digest as _, Sha256};

pub use self::right::{GivenRights, NotRights, Right};
use crate::view::Person;

/// Random bytes of a token.
const TOKEN_BYTES: usize = 32;

/// The role of a token's holder.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A controller, which sends the commands of one table.
    Controller,
    /// A display, which shows one link.
    Display,
    /// A supervisor, who validates and pays hits.
    Supervisor,
    /// A manager, who opens links and joins tables.
    Manager,
    /// An auditor, who reads everything.
    Auditor,
    /// An administrator, who admits people and programs.
    Administrator,
    /// Another house, which deposits its signed heads here.
    Witnessed,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 7] = [
        Self::Controller,
        Self::Display,
        Self::Supervisor,
        Self::Manager,
        Self::Auditor,
        Self::Administrator,
        Self::Witnessed,
    ];

    /// Returns `true` for a role of people, who may log in.
    pub const fn is_person(self) -> bool {
        match self {
            Self::Controller | Self::Display | Self::Witnessed => false,
            Self::Supervisor | Self::Manager | Self::Auditor | Self::Administrator => true,
        }
    }

    /// Returns the word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Controller => "controller",
            Self::Display => "display",
            Self::Supervisor => "supervisor",
            Self::Manager => "manager",
            Self::Auditor => "auditor",
            Self::Administrator => "administrator",
            Self::Witnessed => "witnessed",
        }
    }
}

/// A text that is no role.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the roles are controller, display, supervisor, manager, auditor, administrator and witnessed"
)]
pub struct NotARole;

impl FromStr for Role {
    type Err = NotARole;

    fn from_str(text: &str) -> Result<Self, NotARole> {
        Self::ALL
            .into_iter()
            .find(|role| role.name() == text)
            .ok_or(NotARole)
    }
}

/// The holder of a request's token.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The person, controller or display.
    pub person: Person,
    /// The role of the holder.
    pub role: Role,
    /// The table of a controller.
    pub table: Option<TableName>,
    /// The link of a display.
    pub link: Option<LinkName>,
    /// The rights of a person who was given fewer than the role has. `None` means all rights of the role.
    pub rights: Option<GivenRights>,
    /// `true` if the person signs by a PIN, on the session of a shared device.
    pub is_signature: bool,
}

/// Returns all tokens.
///
/// # Errors
/// [`StoreError`] if the database can't be queried.
pub async fn list(store: &Store) -> Result<Vec<TokenRow>, StoreError> {
    let mut tokens: Vec<TokenRow> = Vec::new();
    loop {
        let after = tokens
            .last()
            .map_or((String::new(), Timestamp(i64::MIN)), |token| {
                (token.actor.who.name.clone(), token.created_at)
            });
        let page = store
            .list_tokens((&after.0, after.1), meterhouse_store::TOKENS_MAX)
            .await?;
        let last_page = page.len() < meterhouse_store::TOKENS_MAX;
        tokens.extend(page);
        if last_page {
            return Ok(tokens);
        }
    }
}

/// Draws a token from the operating system's secure generator, and fails without one.
pub(crate) fn new_token() -> String {
    let mut bytes = [0; TOKEN_BYTES];
    let mut system = rand::rngs::SysRng;
    #[expect(
        clippy::expect_used,
        reason = "without the system's generator nothing here is safe"
    )]
    system
        .try_fill_bytes(&mut bytes)
        .expect("the operating system gives random bytes");
    hex::encode(bytes)
}

/// Returns the digest by which a token is stored.
pub(crate) fn hash_of(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}

/// Returns the holder of a stored token. Returns nothing if a stored name, role or right can't be read.
pub(crate) fn caller(actor: &ActorRow) -> Option<Caller> {
    caller_of(actor.actor, &actor.who)
}

/// Returns the holder of a token with this number and these properties. Returns nothing if one of them can't be read.
pub(crate) fn caller_of(actor: ActorId, who: &NewActor) -> Option<Caller> {
    Some(Caller {
        person: Person {
            actor,
            name: who.name.parse().ok()?,
            department: match &who.department {
                Some(name) => Some(name.parse().ok()?),
                None => None,
            },
        },
        role: who.role.parse().ok()?,
        table: match &who.table_name {
            Some(name) => Some(name.parse().ok()?),
            None => None,
        },
        link: match &who.link_name {
            Some(name) => Some(name.parse().ok()?),
            None => None,
        },
        rights: match &who.rights {
            Some(names) => Some(names.parse().ok()?),
            None => None,
        },
        is_signature: false,
    })
}

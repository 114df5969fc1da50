//! Tokens: 256 random bits, shown once, stored as SHA-256.

use std::str::FromStr;

use meterhouse_domain::ids::{LinkName, TableName, Timestamp};
use meterhouse_store::{ActorRow, NewActor, NewToken, Store, StoreError, TokenHash, TokenRow};
use rand::TryRng as _;
use sha2::{Digest as _, Sha256};

use crate::clock::now;
use crate::view::Person;

/// Random bytes of a token.
const TOKEN_BYTES: usize = 32;

/// What a token's holder may do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Commands one table.
    Controller,
    /// Shows one link.
    Display,
    /// Validates and pays hits.
    Supervisor,
    /// Opens links and joins tables.
    Manager,
    /// Reads everything.
    Auditor,
}

impl Role {
    /// Every one.
    pub const ALL: [Self; 5] = [
        Self::Controller,
        Self::Display,
        Self::Supervisor,
        Self::Manager,
        Self::Auditor,
    ];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Controller => "controller",
            Self::Display => "display",
            Self::Supervisor => "supervisor",
            Self::Manager => "manager",
            Self::Auditor => "auditor",
        }
    }
}

/// The text names no role.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the roles are controller, display, supervisor, manager and auditor")]
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

/// Whose token came with a request.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who.
    pub person: Person,
    /// What he may do.
    pub role: Role,
    /// The table that a controller commands.
    pub table: Option<TableName>,
    /// The link that a display shows.
    pub link: Option<LinkName>,
}

/// Makes a token for somebody and says it, the only time.
///
/// # Errors
/// [`StoreError`] where the name belongs to somebody with another role, or the database can't be asked.
pub async fn create(
    store: &Store,
    who: &NewActor,
    expires_at: Option<Timestamp>,
) -> Result<String, StoreError> {
    let token = new_token();
    let new = NewToken {
        hash: hash_of(&token),
        created_at: now(),
        expires_at,
    };
    store.create_actor_and_token(who, &new).await?;
    Ok(token)
}

/// All tokens, page by page.
///
/// # Errors
/// [`StoreError`] if the database can't be asked.
pub async fn list(store: &Store) -> Result<Vec<TokenRow>, StoreError> {
    let mut tokens: Vec<TokenRow> = Vec::new();
    loop {
        let after = tokens
            .last()
            .map_or((String::new(), Timestamp(i64::MIN)), |it| {
                (it.actor.who.name.clone(), it.created_at)
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

/// From the operating system's secure generator; without one there is no token.
fn new_token() -> String {
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

/// Returns the holder of a stored token; nothing where a stored name or role can't be read.
pub(crate) fn caller(actor: &ActorRow) -> Option<Caller> {
    Some(Caller {
        person: Person {
            actor: actor.actor,
            name: actor.who.name.parse().ok()?,
            department: match &actor.who.department {
                Some(name) => Some(name.parse().ok()?),
                None => None,
            },
        },
        role: actor.who.role.parse().ok()?,
        table: match &actor.who.table_name {
            Some(name) => Some(name.parse().ok()?),
            None => None,
        },
        link: match &actor.who.link_name {
            Some(name) => Some(name.parse().ok()?),
            None => None,
        },
    })
}

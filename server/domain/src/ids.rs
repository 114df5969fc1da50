//! Names, texts and numbers that identify things; each kind is its own type.
//!
//! # Bounds
//! A name is 1 to 32 of `A-Z a-z 0-9 -`; a document or note is printable text of bounded length.

use core::borrow::Borrow;
use core::fmt;
use core::str::FromStr;
use std::sync::Arc;

/// Characters in the longest name.
pub const NAME_LENGTH_MAX: usize = 32;
/// Bytes in the longest free text (a note, the number of a document).
pub const TEXT_LENGTH_MAX: usize = 256;

/// A text that is not a name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name is 1 to 32 letters, digits or hyphens")]
pub struct NotAName;

/// A text that is empty, too long or has control characters.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a text is 1 to 256 bytes without control characters")]
pub struct NotAText;

macro_rules! texts {
    ($error:ident, $accepts:expr, $($(#[$doc:meta])* $name:ident)+) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                let accepts: fn(&str) -> bool = $accepts;
                if accepts(text) { Ok(Self(Arc::from(text))) } else { Err($error) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.pad(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, out)
            }
        }
    )+};
}

pub(crate) use texts;

fn is_name(text: &str) -> bool {
    (1..=NAME_LENGTH_MAX).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn is_text(text: &str) -> bool {
    (1..=TEXT_LENGTH_MAX).contains(&text.len()) && !text.chars().any(char::is_control)
}

texts! { NotAName, is_name,
    /// The name of a link: tables that share one set of meters.
    LinkName
    /// The name of a table: one felt on one link, for life.
    TableName
    /// The player on a seat, by the operator's system; seats with the same name are one player.
    PlayerName
    /// The person who keyed or decided something: a dealer's badge or the name of a token's holder.
    Badge
    /// The id of a paytable file, such as `pa-657a-five-card-c`.
    PaytableId
    /// A game, such as `crazy-4-poker`.
    GameName
    /// A fixed wager of a game, such as `queens-up`.
    WagerName
    /// A second reading of a doubtful print, such as `queens-or-better`.
    ReadingName
    /// The name of a level: `meter`, or `mega`, `major`, `minor`.
    LevelName
    /// A department of the house; a change by two people needs two departments (RULES §1.5).
    Department
}

impl TableName {
    /// Returns a name made of the table's number, for a table whose name is unknown.
    pub fn of_number(number: TableNo) -> Self {
        Self(Arc::from(number.to_string()))
    }
}

/// A table is found by the text of its name.
impl Borrow<str> for TableName {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl LevelName {
    /// Returns the name of the book of pays that touch no meter: fixed odds and envy.
    pub fn fixed() -> Self {
        Self(Arc::from("fixed"))
    }
}

impl Badge {
    /// Returns true if both belong to one person. The case of letters makes no difference in a badge or a token's
    /// name.
    pub fn is_same_person(&self, other: &Self) -> bool {
        same_name(self.as_str(), other.as_str())
    }
}

impl Department {
    /// Returns true if both are one department; the case of letters makes no difference.
    pub fn is_same(&self, other: &Self) -> bool {
        same_name(self.as_str(), other.as_str())
    }
}

/// Compares names for the separation of duties. A name has ASCII letters, digits and hyphens only ([`is_name`]), so
/// there is no other case to fold and no space to trim.
const fn same_name(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

texts! { NotAText, is_text,
    /// The number of the documentation of a jackpot payout (§ 657a.11(e)(4)).
    Document
    /// The number of a regulator's letter.
    Letter
    /// A person's remark on a decision.
    Note
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident($inner:ty))+) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, out)
            }
        }
    )+};
}

numbers! {
    /// A link's number in the database.
    LinkId(i32)
    /// A table's number on its link, from 1 in the order of joining.
    TableNo(u32)
    /// The number of a command of a table: from 1, never reused. It also names the round that a coin-in opened and
    /// the hit that a hit command recorded.
    Sequence(u64)
    /// The order of a hit among all hits of its link, from 1: proves which came first.
    HitOrder(u64)
    /// The database number of a person or controller that sends commands.
    ActorId(i32)
    /// A time, in microseconds since 1970 UTC.
    Timestamp(i64)
}

impl ActorId {
    /// The server itself, as the actor of its own commands.
    pub const SERVER: Self = Self(1);
}

impl Sequence {
    /// The largest number that a table may use: 2^63 - 1.
    pub const MAX: u64 = i64::MAX as u64;
}

/// The id of a hit: the table, the command that keyed it, and its number among that command's hits. It is written
/// `C4P-07.4713` if the command keyed one hit, `C4P-07.4713.2` if it keyed several.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HitId {
    /// Table that keyed the hit.
    pub table: TableNo,
    /// Command that keyed the hit; for a late hit the coin-in of its round.
    pub sequence: Sequence,
    /// 0 for a hit keyed by itself; from 1 for the hits of a `settle`; for a late hit its seat, 16 for the dealer's
    /// hand.
    pub number: u8,
}

/// The client's id of a proposal: a UUID, by which an idempotent replay is recognised.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProposalId(pub [u8; 16]);

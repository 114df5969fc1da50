//! Names, texts and numbers that identify things; each kind is its own type.
//!
//! # What bounds it
//! A name is 1 to 32 of `A-Z a-z 0-9 -`; a document or note is printable text of bounded length.

use core::fmt;
use core::str::FromStr;
use std::sync::Arc;

/// Characters in the longest name.
pub const NAME_LENGTH_MAX: usize = 32;
/// Bytes in the longest free text (a note, the number of a document).
pub const TEXT_LENGTH_MAX: usize = 256;

/// The text is not a name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name is 1 to 32 letters, digits or hyphens")]
pub struct NotAName;

/// The text is empty, too long or has control characters.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a text is 1 to 256 bytes without control characters")]
pub struct NotAText;

macro_rules! texts {
    ($error:ident, $accepts:expr, $($(#[$doc:meta])* $name:ident)+) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The text itself.
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

fn is_name(text: &str) -> bool {
    (1..=NAME_LENGTH_MAX).contains(&text.len())
        && text
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'-')
}

fn is_text(text: &str) -> bool {
    (1..=TEXT_LENGTH_MAX).contains(&text.len()) && !text.chars().any(char::is_control)
}

texts! { NotAName, is_name,
    /// The name of a link: tables that share one set of meters.
    LinkName
    /// The name of a table: one felt on one link, for life.
    TableName
    /// Who sits on a seat, as the operator's system calls him; seats with the same name are one player.
    PlayerName
    /// Who keyed or decided something: a dealer's badge or the name of a token's holder.
    Badge
    /// The id of a paytable file, such as `pa-657a-five-card-c`.
    PaytableId
    /// A game, such as `crazy-4-poker`.
    GameName
    /// The name of a level: `meter`, or `mega`, `major`, `minor`.
    LevelName
    /// A department of the house; what needs two people needs two departments (RULES §1.5).
    Department
}

impl Badge {
    /// Returns true if both are one person's. Neither a badge nor a token's name is told apart by the case of its letters.
    pub fn is_same_person(&self, other: &Self) -> bool {
        same_name(self.as_str(), other.as_str())
    }
}

impl Department {
    /// Returns true if both are one department: the case of letters doesn't count.
    pub fn is_same(&self, other: &Self) -> bool {
        same_name(self.as_str(), other.as_str())
    }
}

/// Compares what separates duties. A name has ASCII letters, digits and hyphens only ([`is_name`]): there is no other case
/// to fold, and no space to trim.
const fn same_name(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

texts! { NotAText, is_text,
    /// The number of the documentation of a jackpot payout (§ 657a.11(e)(4)).
    Document
    /// What a person wants remembered beside a decision.
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
    /// The number of a command of a table: from 1, never reused. Also names the round that a coin-in
    /// opened and the hit that a hit command recorded.
    Sequence(u64)
    /// The place of a hit among all hits of its link, from 1: proves which came first.
    HitOrder(u64)
    /// Who commands, as the database numbers people and controllers.
    ActorId(i32)
    /// A moment, in microseconds since 1970 UTC.
    Timestamp(i64)
}

impl ActorId {
    /// The server itself: what it does without being told.
    pub const SERVER: Self = Self(1);
}

impl Sequence {
    /// The largest number a table may use: 2^63 - 1.
    pub const MAX: u64 = i64::MAX as u64;
}

/// A hit: the table, the command that keyed it, and its number among that command's hits; written `C4P-07.4713`
/// where the command keyed one, `C4P-07.4713.2` where it keyed several.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HitId {
    /// The table that keyed it.
    pub table: TableNo,
    /// The command that keyed it; of a late hit the coin-in of its round.
    pub sequence: Sequence,
    /// 0 for a hit keyed by itself; from 1 for the hits of a `settle`; of a late hit its seat, 16 for the dealer's hand.
    pub number: u8,
}

/// What a client calls a proposal: a UUID, by which sending it again is recognised.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProposalId(pub [u8; 16]);

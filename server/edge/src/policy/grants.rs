//! The rights of each role.

use meterhouse_engine::tokens::{Caller, GivenRights, Right, Role};

/// The binding of a token.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Binding {
    /// The token is bound to nothing and reaches the whole house.
    House,
    /// The token is bound to a link and reaches that link only.
    Link,
    /// The token is bound to a table and reaches that table only.
    Table,
}

impl Binding {
    /// All bindings.
    pub const ALL: [Self; 3] = [Self::House, Self::Link, Self::Table];

    /// Returns the binding of a caller's token. A token that is bound to a table and a link reaches nothing.
    pub const fn of(caller: &Caller) -> Option<Self> {
        match (&caller.table, &caller.link) {
            (None, None) => Some(Self::House),
            (None, Some(_)) => Some(Self::Link),
            (Some(_), None) => Some(Self::Table),
            (Some(_), Some(_)) => None,
        }
    }

    /// Returns the word in the printed policy.
    pub const fn name(self) -> &'static str {
        match self {
            Self::House => "house",
            Self::Link => "link",
            Self::Table => "table",
        }
    }
}

/// The rights of a role whose token has this binding.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Role of the token's holder.
    pub role: Role,
    /// Binding of the token.
    pub binding: Binding,
    /// Rights, in the order of [`Right::ALL`].
    pub rights: &'static [Right],
    /// Reason for these rights.
    pub why: &'static str,
}

const fn grant(role: Role, binding: Binding, rights: &'static [Right], why: &'static str) -> Grant {
    Grant {
        role,
        binding,
        rights,
        why,
    }
}

/// The rights of all roles. A role with another binding has no right.
pub const GRANTS: &[Grant] = &[
    grant(
        Role::Controller,
        Binding::Table,
        &[Right::Command, Right::ReadTable],
        "a controller plays its own table and reads it to resume",
    ),
    grant(
        Role::Display,
        Binding::House,
        &[Right::Show],
        "a sign shows what every player sees, as without a token, and says what it shows",
    ),
    grant(
        Role::Display,
        Binding::Link,
        &[],
        "a sign shows what every player sees, as without a token",
    ),
    grant(
        Role::Supervisor,
        Binding::House,
        &[
            Right::ReadTable,
            Right::ReadLink,
            Right::ReadFloor,
            Right::Validate,
            Right::Pay,
            Right::Reset,
            Right::Adjust,
            Right::Close,
        ],
        "the floor decides about hits, and sets up nothing that pays them",
    ),
    grant(
        Role::Supervisor,
        Binding::Link,
        &[Right::ReadLink],
        "a token that is bound to a link reads that link",
    ),
    grant(
        Role::Manager,
        Binding::House,
        &[
            Right::ReadTable,
            Right::ReadLink,
            Right::ReadFloor,
            Right::Configure,
            Right::Run,
            Right::Reset,
            Right::Adjust,
            Right::Close,
        ],
        "a manager sets up and runs links, and decides about no hit alone",
    ),
    grant(
        Role::Manager,
        Binding::Link,
        &[Right::ReadLink],
        "a token that is bound to a link reads that link",
    ),
    grant(
        Role::Auditor,
        Binding::House,
        &[
            Right::ReadTable,
            Right::ReadLink,
            Right::ReadFloor,
            Right::ReadActs,
        ],
        "an auditor reads everything and changes nothing",
    ),
    grant(
        Role::Auditor,
        Binding::Link,
        &[Right::ReadLink],
        "a token that is bound to a link reads that link",
    ),
    grant(
        Role::Administrator,
        Binding::House,
        &[Right::Admit, Right::ReadActs],
        "an administrator decides who comes in, and nothing about money",
    ),
    grant(
        Role::Witnessed,
        Binding::House,
        &[Right::DepositHeads],
        "another house leaves its signed heads here, and sees nothing of this one",
    ),
];

/// Returns `true` if a role has a right by a token with this binding.
pub fn holds(role: Role, binding: Binding, right: Right) -> bool {
    GRANTS.iter().any(|grant| {
        grant.role == role && grant.binding == binding && grant.rights.contains(&right)
    })
}

/// Returns `true` if a person may have this right without the other ones of the role. Reading is never taken away: a
/// person who decides has to see what about.
pub const fn can_be_given(right: Right) -> bool {
    match right {
        Right::Command
        | Right::ReadTable
        | Right::ReadLink
        | Right::ReadFloor
        | Right::ReadActs
        // It is all that an administrator does.
        | Right::Admit
        | Right::DepositHeads
        | Right::Show => false,
        Right::Validate
        | Right::Pay
        | Right::Configure
        | Right::Run
        | Right::Reset
        | Right::Adjust
        | Right::Close => true,
    }
}

/// Returns `true` if a signature by PIN has this right of its person. It decides what the person was called for. The
/// shared device reads by its own session, and who comes in is decided on a session of one's own.
pub const fn can_be_signed(right: Right) -> bool {
    match right {
        Right::Validate
        | Right::Pay
        | Right::Configure
        | Right::Run
        | Right::Reset
        | Right::Adjust
        | Right::Close => true,
        Right::Command
        | Right::ReadTable
        | Right::ReadLink
        | Right::ReadFloor
        | Right::ReadActs
        | Right::Admit
        | Right::DepositHeads
        | Right::Show => false,
    }
}

/// Returns `true` if a caller has a right by a token with this binding: the role has it, the caller was given it, and a
/// signature may have it.
pub fn has(caller: &Caller, binding: Binding, right: Right) -> bool {
    let is_given = |given: &GivenRights| !can_be_given(right) || given.has(right);
    let is_given = caller.rights.as_ref().is_none_or(is_given);
    let may_sign = !caller.is_signature || can_be_signed(right);
    holds(caller.role, binding, right) && is_given && may_sign
}

/// Returns the rights that a caller has, in the order of [`Right::ALL`].
pub fn rights_of(caller: &Caller) -> impl Iterator<Item = Right> {
    let binding = Binding::of(caller);
    let has = move |right: &Right| binding.is_some_and(|binding| has(caller, binding, *right));
    Right::ALL.into_iter().filter(has)
}

/// Checks if a person of this role can be given these rights.
///
/// # Errors
/// The first right that can't be given.
pub fn check_given(role: Role, rights: &GivenRights) -> Result<(), Right> {
    let is_wrong = |right: &Right| !can_be_given(*right) || !holds(role, Binding::House, *right);
    rights.iter().find(is_wrong).map_or(Ok(()), Err)
}

/// Returns the roles that have a right by some token.
pub fn roles_with(right: Right) -> impl Iterator<Item = Role> {
    let has = move |role: &Role| {
        let mut grants = GRANTS.iter().filter(move |grant| grant.role == *role);
        grants.any(|grant| grant.rights.contains(&right))
    };
    Role::ALL.into_iter().filter(has)
}

/// Returns `true` if the right is of no use to one person alone: a second person of another department has to agree.
pub const fn needs_two_people(right: Right) -> bool {
    matches!(right, Right::Reset | Right::Adjust)
}

/// Returns what a right allows, as the end of a sentence that begins with "may".
pub const fn meaning(right: Right) -> &'static str {
    match right {
        Right::Command => "send the commands and heartbeats of a table",
        Right::ReadTable => "read a table",
        Right::ReadLink => "read the journal, the books and the proposals of a link",
        Right::ReadFloor => "read tables, hits, paytables and refused attempts of every link",
        Right::Validate => "validate and reject hits",
        Right::Pay => "record the documents of payouts",
        Right::Configure => {
            "open links, accept their first values, let tables join and leave, and say how signs present them"
        }
        Right::Run => {
            "suspend and resume links, disable and enable levels and tables, pair and unpair screens"
        }
        Right::Reset => {
            "clear a fault and acknowledge returns above the wager, as one of two people"
        }
        Right::Admit => {
            "admit people and programs, make and revoke their tokens, and end their access and sessions"
        }
        Right::ReadActs => "read the record of what people and programs did",
        Right::Adjust => "correct hits, adjust balances and record late hits, as one of two people",
        Right::DepositHeads => {
            "deposit the signed heads of another house, of which this one is the witness"
        }
        Right::Close => "clear exceptions and sign off days",
        Right::Show => "say what the own screen shows",
    }
}

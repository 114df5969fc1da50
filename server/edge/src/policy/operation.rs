//! The form of a row of the policy.

use meterhouse_engine::tokens::Right;

/// Access to an operation.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody, without a token.
    Public,
    /// Everybody, without a token; a token with this right gets more. An invalid token is refused.
    PublicOrMore(Right),
    /// The holder of any valid token or session, about itself.
    Holder,
    /// The holder of a token with this right.
    Right(Right),
    /// A person who can connect to the database, on a machine of the operator.
    Database,
    /// The same, with an administrator's password once there is an administrator.
    DatabaseAndAdministrator,
}

impl Access {
    /// Returns the word in the printed policy.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Public | Self::PublicOrMore(_) => "public",
            Self::Holder => "holder",
            Self::Right(right) => right.name(),
            Self::Database => "database",
            Self::DatabaseAndAdministrator => "administrator",
        }
    }
}

/// A row of the policy: one operation, or one case of an operation whose body decides the right.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Operation id in the `OpenAPI` document, method of gRPC, path of a page, or words of a command.
    pub name: &'static str,
    /// Value of the field `change`, if the access depends on the change.
    pub change: Option<&'static str>,
    /// Access to the operation.
    pub access: Access,
    /// Reason for this access.
    pub why: &'static str,
}

/// Returns a row.
pub(super) const fn row(name: &'static str, access: Access, why: &'static str) -> Operation {
    Operation {
        name,
        change: None,
        access,
        why,
    }
}

/// Returns the row of one change.
pub(super) const fn change(
    name: &'static str,
    change: &'static str,
    right: Right,
    why: &'static str,
) -> Operation {
    Operation {
        name,
        change: Some(change),
        access: Access::Right(right),
        why,
    }
}

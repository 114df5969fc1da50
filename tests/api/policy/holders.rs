//! The holders of tokens: each role with each binding, and those whose token is none.

use meterhouse_domain::ids::Timestamp;
use meterhouse_edge::policy::{Access, Binding, can_be_given, holds, needs_two_people};
use meterhouse_engine::clock::now;
use meterhouse_engine::tokens::{Right, Role};
use meterhouse_store::NewActor;
use meterhouse_tests::{Caller, House};

use super::Expected;

/// A caller, and the properties of its token by which the policy decides.
pub(super) struct Holder {
    pub(super) label: String,
    pub(super) caller: Caller,
    token: Token,
}

enum Token {
    /// No token is sent.
    None,
    /// The token was never made, is revoked, or has expired.
    Invalid,
    Valid(Rights),
}

struct Rights {
    role: Role,
    binding: Binding,
    /// True if the token is bound to the link and the table that the requests are about.
    is_here: bool,
    has_department: bool,
    /// The one right that a person was given, of several that the role has.
    given: Option<Right>,
}

impl Holder {
    /// Makes a token of each kind.
    pub(super) async fn all(house: &House) -> Vec<Self> {
        let nobody = house.nobody();
        let revoked = house.token("revoked", "supervisor", None, None).await;
        let ended = house.server.store.revoke_tokens("revoked", now()).await;
        assert_eq!(ended.expect("the database answers"), 1);
        let who = NewActor {
            name: "expired".to_owned(),
            role: "supervisor".to_owned(),
            table_name: None,
            link_name: None,
            department: None,
            rights: None,
        };
        let a_second_ago = Timestamp(now().0 - 1_000_000);
        let expired = house.token_of(who, Some(a_second_ago)).await;
        let mut holders = vec![
            Self::without("no token", nobody.clone(), Token::None),
            Self::without(
                "unknown token",
                nobody.with_token("x".repeat(64)),
                Token::Invalid,
            ),
            Self::without("revoked token", nobody.with_token(revoked), Token::Invalid),
            Self::without("expired token", nobody.with_token(expired), Token::Invalid),
        ];
        for role in Role::ALL {
            // A department matters only where the house's rights are.
            for (binding, is_here, has_department) in [
                (Binding::House, true, true),
                (Binding::House, true, false),
                (Binding::Link, true, true),
                (Binding::Link, false, true),
                (Binding::Table, true, true),
                (Binding::Table, false, true),
            ] {
                let rights = Rights {
                    role,
                    binding,
                    is_here,
                    has_department,
                    given: None,
                };
                holders.push(Self::of(house, rights).await);
            }
            let can_have =
                |right: &Right| can_be_given(*right) && holds(role, Binding::House, *right);
            for right in Right::ALL.into_iter().filter(can_have) {
                let rights = Rights {
                    role,
                    binding: Binding::House,
                    is_here: true,
                    has_department: true,
                    given: Some(right),
                };
                holders.push(Self::of(house, rights).await);
            }
        }
        holders
    }

    fn without(label: &str, caller: Caller, token: Token) -> Self {
        let label = label.to_owned();
        Self {
            label,
            caller,
            token,
        }
    }

    async fn of(house: &House, rights: Rights) -> Self {
        let (table, link) = match (rights.binding, rights.is_here) {
            (Binding::House, _) => (None, None),
            (Binding::Link, true) => (None, Some("main")),
            (Binding::Link, false) => (None, Some("rich")),
            (Binding::Table, true) => (Some("T1"), None),
            (Binding::Table, false) => (Some("T2"), None),
        };
        let bound = table.or(link).unwrap_or("house");
        let department = rights.has_department.then_some("audit");
        let role = rights.role.name();
        let given = rights.given.map(Right::name);
        let label = format!("{role} of {bound}, department {department:?}, given {given:?}");
        let who = NewActor {
            name: format!(
                "{role}-{bound}-{}-{}",
                department.unwrap_or("none"),
                given.unwrap_or("all")
            ),
            role: role.to_owned(),
            table_name: table.map(str::to_owned),
            link_name: link.map(str::to_owned),
            department: department.map(str::to_owned),
            rights: given.map(str::to_owned),
        };
        let token = house.token_of(who, None).await;
        let caller = house.nobody().with_token(token);
        Self {
            label,
            caller,
            token: Token::Valid(rights),
        }
    }

    /// Returns the answer that an access promises to this holder, for an operation on the link `main` or the table `T1`.
    pub(super) fn expected(&self, access: Access) -> Expected {
        match (&self.token, access) {
            (_, Access::Public) | (Token::None | Token::Valid(_), Access::PublicOrMore(_)) => {
                Expected::Allowed
            }
            (Token::Valid(rights), Access::Right(right)) if rights.has(right) => Expected::Allowed,
            (Token::Valid(_), Access::Holder) => Expected::Allowed,
            (
                Token::Valid(_),
                Access::Right(_) | Access::Database | Access::DatabaseAndAdministrator,
            ) => Expected::Forbidden,
            (Token::None | Token::Invalid, _) => Expected::Unauthenticated,
        }
    }
}

impl Rights {
    fn has(&self, right: Right) -> bool {
        let may = self.is_here && holds(self.role, self.binding, right);
        let is_given = self.given.is_none_or(|given| given == right) || !can_be_given(right);
        may && is_given && (self.has_department || !needs_two_people(right))
    }
}

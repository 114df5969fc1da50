//! Authorization of an operation by its head: before its body or parameters are read.

use meterhouse_domain::ids::{LinkName, TableName};
use meterhouse_engine::tokens::{Caller, Right};

use crate::authorize::{Target, allow, forbidden, has_department};
use crate::codes::EdgeCode;
use crate::policy::{self, Access, Binding};
use crate::wire_error::EdgeError;

/// The link and the table that the path of a request names.
#[derive(Copy, Clone, Debug, Default)]
pub struct NamedTargets<'name> {
    /// Link, if the path has one and it is a name.
    pub link: Option<&'name LinkName>,
    /// Table, if the path has one and it is a name.
    pub table: Option<&'name TableName>,
}

/// Allows an operation with these rows of the policy, before its request is read. If the request decides which row
/// counts, one of them is enough here, and the handler checks the right of that row.
///
/// # Errors
/// `forbidden` without the right of any row, and for an operation without a row.
pub fn check(caller: &Caller, rows: &[Access], named: NamedTargets<'_>) -> Result<(), EdgeError> {
    let mut refused = None;
    for access in rows {
        let allowed = match *access {
            Access::Right(right) => row(caller, right, named),
            Access::Holder if caller.is_signature => Err(not_by_signature()),
            _ => return Ok(()),
        };
        match allowed {
            Ok(()) => return Ok(()),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    Err(refused.unwrap_or_else(|| {
        EdgeError::because(
            EdgeCode::Forbidden,
            "this operation has no row in the policy",
        )
    }))
}

/// Returns the error of an operation about the caller's own session.
fn not_by_signature() -> EdgeError {
    let detail = "a signature is about no session of its own: use the session of the person";
    EdgeError::because(EdgeCode::Forbidden, detail)
}

/// Allows one row. A name that is none is nothing to be kept from a caller: the operation answers that it is none.
fn row(caller: &Caller, right: Right, named: NamedTargets<'_>) -> Result<(), EdgeError> {
    let of_table = matches!(right, Right::Command | Right::ReadTable);
    match (named.table, named.link) {
        (Some(table), _) if of_table => allow(caller, right, Target::Table(table))
            .map_err(|error| error.with("table", table))?,
        (_, Some(link)) if right == Right::ReadLink => allow(caller, right, Target::Link(link))?,
        _ if of_table || right == Right::ReadLink => holds(caller, right)?,
        _ => allow(caller, right, Target::House)?,
    }
    if policy::needs_two_people(right) {
        has_department(caller)?;
    }
    Ok(())
}

/// Allows what the caller's token may do to its own target.
fn holds(caller: &Caller, right: Right) -> Result<(), EdgeError> {
    let may = Binding::of(caller).is_some_and(|binding| policy::has(caller, binding, right));
    if may {
        Ok(())
    } else {
        Err(forbidden(caller, right))
    }
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::ids::ActorId;
    use meterhouse_engine::tokens::Role;
    use meterhouse_engine::view::Person;

    use super::*;

    fn caller(role: Role, table: Option<&str>, link: Option<&str>) -> Caller {
        Caller {
            person: Person {
                actor: ActorId(7),
                name: "ana".parse().expect("a name"),
                department: None,
            },
            role,
            table: table.map(|name| name.parse().expect("a name")),
            link: link.map(|name| name.parse().expect("a name")),
            rights: None,
            is_signature: false,
        }
    }

    fn may(caller: &Caller, right: Right, link: Option<&str>, table: Option<&str>) -> bool {
        let link = link.map(|name| name.parse().expect("a name"));
        let table = table.map(|name| name.parse().expect("a name"));
        let named = NamedTargets {
            link: link.as_ref(),
            table: table.as_ref(),
        };
        check(caller, &[Access::Right(right)], named).is_ok()
    }

    #[test]
    fn a_bound_token_reaches_what_the_path_names() {
        let controller = caller(Role::Controller, Some("T1"), None);
        assert!(may(&controller, Right::Command, None, Some("T1")));
        assert!(!may(&controller, Right::Command, None, Some("T2")));
        assert!(!may(&controller, Right::Configure, None, Some("T1")));
        let auditor = caller(Role::Auditor, None, Some("main"));
        assert!(may(&auditor, Right::ReadLink, Some("main"), None));
        assert!(!may(&auditor, Right::ReadLink, Some("other"), None));
        assert!(!may(&auditor, Right::ReadFloor, Some("main"), None));
    }

    /// The operation answers a name that is none, but only to a token that has the right to some name.
    #[test]
    fn a_name_that_is_none_is_left_to_the_operation() {
        let controller = caller(Role::Controller, Some("T1"), None);
        assert!(may(&controller, Right::Command, None, None));
        assert!(!may(&controller, Right::ReadLink, None, None));
        let auditor = caller(Role::Auditor, None, Some("main"));
        assert!(may(&auditor, Right::ReadLink, None, None));
        assert!(!may(&auditor, Right::Command, None, None));
    }

    /// The own session is everybody's, but no signature's.
    #[test]
    fn a_signature_has_no_session() {
        let mut sam = caller(Role::Supervisor, None, None);
        let named = NamedTargets::default();
        assert_eq!(check(&sam, &[Access::Holder], named), Ok(()));
        sam.is_signature = true;
        let error = check(&sam, &[Access::Holder], named).expect_err("a signature");
        assert_eq!(error.code, EdgeCode::Forbidden);
        assert_eq!(check(&sam, &[Access::Public], named), Ok(()));
    }

    #[test]
    fn an_operation_without_a_row_is_refused() {
        let manager = caller(Role::Manager, None, None);
        let error = check(&manager, &[], NamedTargets::default()).expect_err("no row");
        assert_eq!(error.code, EdgeCode::Forbidden);
    }

    /// One of several rows is enough, and a change by two people needs a department already here.
    #[test]
    fn one_of_several_rows_is_enough() {
        let mut supervisor = caller(Role::Supervisor, None, None);
        let rows = [Access::Right(Right::Adjust), Access::Right(Right::Reset)];
        let named = NamedTargets::default();
        let error = check(&supervisor, &rows, named).expect_err("no department");
        assert!(error.detail.contains("and you have none"), "{error}");
        supervisor.person.department = Some("slots".parse().expect("a name"));
        assert_eq!(check(&supervisor, &rows, named), Ok(()));
        supervisor.rights = Some("reset".parse().expect("rights"));
        assert_eq!(check(&supervisor, &rows, named), Ok(()));
        supervisor.rights = Some("pay".parse().expect("rights"));
        assert!(check(&supervisor, &rows, named).is_err());
    }
}

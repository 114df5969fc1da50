//! Authorization: one function per right.
//!
//! # Shape
//! - A controller's token is bound to one table and gives no other right.
//! - A token bound to a link can read that link only.
//! - A supervisor decides on hits.
//! - A manager sets up links and tables, and decides on no hit (separation of duties).
//! - An auditor only reads.
//!
//! A change by two people needs two departments. A supervisor or manager whose token has no
//! department can neither propose nor approve.
//!
//! Links, meters and feeds are public and need no right.

use meterhouse_domain::ids::{Department, LinkName, TableName};
use meterhouse_engine::tokens::{Caller, Role};

use crate::codes::EdgeCode;
use crate::wire_error::EdgeError;

/// Allows a table's controller to send its commands and heartbeats.
///
/// # Errors
/// `forbidden`.
pub fn command_table(caller: &Caller, table: &TableName) -> Result<(), EdgeError> {
    if is_controller_of(caller, table) {
        return Ok(());
    }
    Err(forbidden(
        caller,
        "only the controller of this table sends its commands and heartbeats",
    )
    .with("table", table))
}

/// Allows reading one table: by its controller, or by a role that reads everything.
///
/// # Errors
/// `forbidden`.
pub fn read_table(caller: &Caller, table: &TableName) -> Result<(), EdgeError> {
    if is_controller_of(caller, table) || reads(caller) {
        return Ok(());
    }
    Err(forbidden(caller, "a controller reads its own table only").with("table", table))
}

/// Allows reading tables, hits and paytables of every link.
///
/// # Errors
/// `forbidden`.
pub fn read_everything(caller: &Caller) -> Result<(), EdgeError> {
    allow(caller, reads(caller), READERS)
}

/// Allows reading the journal and the books of one link.
///
/// # Errors
/// `forbidden`.
pub fn read_link(caller: &Caller, link: &LinkName) -> Result<(), EdgeError> {
    let bound_here = caller.table.is_none() && caller.link.as_ref() == Some(link);
    allow(
        caller,
        reads(caller) || (bound_here && is_reader(caller.role)),
        READERS,
    )
}

/// Allows opening a link, and letting a table join or leave one.
///
/// # Errors
/// `forbidden`.
pub fn set_up(caller: &Caller) -> Result<(), EdgeError> {
    let may = unbound(caller) && caller.role == Role::Manager;
    allow(
        caller,
        may,
        "a manager opens links and lets tables join and leave",
    )
}

/// Allows accepting a link's first values, suspending and resuming it, and disabling and enabling
/// its levels and tables.
///
/// # Errors
/// `forbidden`.
pub fn run_link(caller: &Caller) -> Result<(), EdgeError> {
    let may = unbound(caller) && caller.role == Role::Manager;
    allow(
        caller,
        may,
        "a manager accepts first values, suspends and resumes links, and disables and enables levels and tables",
    )
}

/// Allows being one of two people, who propose, approve or decline a change. Returns the caller's
/// department.
///
/// # Errors
/// `forbidden` for another role, or if the token has no department.
pub fn change_by_two(caller: &Caller) -> Result<&Department, EdgeError> {
    let may = unbound(caller) && matches!(caller.role, Role::Manager | Role::Supervisor);
    allow(
        caller,
        may,
        "a supervisor or manager proposes and approves changes",
    )?;
    caller.person.department.as_ref().ok_or_else(|| {
        let detail = "a change needs two people of two departments, and this token names no department; \
                      use the token of a name that was made with --department";
        EdgeError::because(EdgeCode::Forbidden, detail).with("role", caller.role.name())
    })
}

/// Allows validating, rejecting and paying hits.
///
/// # Errors
/// `forbidden`.
pub fn decide_hits(caller: &Caller) -> Result<(), EdgeError> {
    let may = unbound(caller) && caller.role == Role::Supervisor;
    allow(caller, may, "a supervisor validates and pays hits")
}

/// Part of the error: the roles that read everything.
const READERS: &str = "supervisors, managers and auditors read this";

fn is_controller_of(caller: &Caller, table: &TableName) -> bool {
    caller.role == Role::Controller && caller.link.is_none() && caller.table.as_ref() == Some(table)
}

fn reads(caller: &Caller) -> bool {
    unbound(caller) && is_reader(caller.role)
}

const fn is_reader(role: Role) -> bool {
    match role {
        Role::Supervisor | Role::Manager | Role::Auditor => true,
        Role::Controller | Role::Display => false,
    }
}

/// Returns `true` if the token is not bound to a table or link.
const fn unbound(caller: &Caller) -> bool {
    caller.table.is_none() && caller.link.is_none()
}

fn allow(caller: &Caller, may: bool, holders: &str) -> Result<(), EdgeError> {
    if may {
        Ok(())
    } else {
        Err(forbidden(caller, holders))
    }
}

fn forbidden(caller: &Caller, holders: &str) -> EdgeError {
    let bound = match (&caller.table, &caller.link) {
        (Some(table), _) => format!(" bound to table {table}"),
        (None, Some(link)) => format!(" bound to link {link}"),
        (None, None) => String::new(),
    };
    let detail = format!("{holders}; this token is a {}'s{bound}", caller.role.name());
    EdgeError::because(EdgeCode::Forbidden, detail).with("role", caller.role.name())
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::ids::ActorId;
    use meterhouse_engine::view::Person;

    use super::*;

    const ROLES: [Role; 5] = [
        Role::Controller,
        Role::Display,
        Role::Supervisor,
        Role::Manager,
        Role::Auditor,
    ];

    fn caller(role: Role, table: Option<&str>, link: Option<&str>) -> Caller {
        Caller {
            person: Person {
                actor: ActorId(7),
                name: "ana".parse().expect("a name"),
                department: Some("slots".parse().expect("a name")),
            },
            role,
            table: table.map(|name| name.parse().expect("a name")),
            link: link.map(|name| name.parse().expect("a name")),
        }
    }

    fn table(name: &str) -> TableName {
        name.parse().expect("a name")
    }

    fn roles_with(may: impl Fn(&Caller) -> Result<(), EdgeError>) -> Vec<&'static str> {
        let roles = ROLES
            .iter()
            .filter(|role| may(&caller(**role, None, None)).is_ok());
        roles.map(|role| role.name()).collect()
    }

    #[test]
    fn each_right_has_its_roles() {
        let link: LinkName = "main".parse().expect("a name");
        assert_eq!(
            roles_with(|caller| command_table(caller, &table("T1"))),
            Vec::<&str>::new()
        );
        assert_eq!(
            roles_with(|caller| read_table(caller, &table("T1"))),
            ["supervisor", "manager", "auditor"]
        );
        assert_eq!(
            roles_with(read_everything),
            ["supervisor", "manager", "auditor"]
        );
        assert_eq!(
            roles_with(|caller| read_link(caller, &link)),
            ["supervisor", "manager", "auditor"]
        );
        assert_eq!(roles_with(set_up), ["manager"]);
        assert_eq!(roles_with(decide_hits), ["supervisor"]);
        assert_eq!(roles_with(run_link), ["manager"]);
        assert_eq!(
            roles_with(|caller| change_by_two(caller).map(|_| ())),
            ["supervisor", "manager"]
        );
    }

    #[test]
    fn a_change_by_two_people_needs_a_department() {
        let mut manager = caller(Role::Manager, None, None);
        assert_eq!(change_by_two(&manager).map(Department::as_str), Ok("slots"));
        manager.person.department = None;
        let error = change_by_two(&manager).expect_err("no department");
        assert_eq!(error.code, EdgeCode::Forbidden);
        assert!(error.detail.contains("names no department"), "{error}");
    }

    #[test]
    fn a_controller_may_use_its_own_table_only() {
        let controller = caller(Role::Controller, Some("T1"), None);
        assert_eq!(command_table(&controller, &table("T1")), Ok(()));
        assert_eq!(read_table(&controller, &table("T1")), Ok(()));
        let error = command_table(&controller, &table("T2")).expect_err("another table");
        assert_eq!(error.code, EdgeCode::Forbidden);
        assert!(
            error
                .detail
                .ends_with("this token is a controller's bound to table T1"),
            "{error}"
        );
        assert!(read_table(&controller, &table("T2")).is_err());
        assert!(read_everything(&controller).is_err());
    }

    #[test]
    fn a_bound_token_gives_no_right_elsewhere() {
        let link: LinkName = "main".parse().expect("a name");
        for role in ROLES {
            let bound = caller(role, None, Some("main"));
            assert!(set_up(&bound).is_err() && decide_hits(&bound).is_err());
            assert!(run_link(&bound).is_err() && change_by_two(&bound).is_err());
            assert!(
                read_everything(&bound).is_err() && command_table(&bound, &table("T1")).is_err()
            );
            assert_eq!(read_link(&bound, &link).is_ok(), is_reader(role));
            assert!(read_link(&caller(role, None, Some("other")), &link).is_err());
            let at_table = caller(role, Some("T1"), None);
            assert!(set_up(&at_table).is_err() && decide_hits(&at_table).is_err());
            assert!(run_link(&at_table).is_err() && change_by_two(&at_table).is_err());
            assert!(read_everything(&at_table).is_err());
        }
    }
}

//! Who may do what: one function a right.
//!
//! # Shape
//! A controller's token is bound to one table and reaches nothing else. A token bound to a link reads that
//! link and nothing else. The other roles are for people: a supervisor decides about hits, a manager sets up
//! links and tables and decides about no hit (separation of duties), an auditor only reads. What needs two
//! people needs two departments: a supervisor or manager whose token names none neither proposes nor approves.
//!
//! Links, meters and feeds are public and need none of this.

use meterhouse_domain::ids::{Department, LinkName, TableName};
use meterhouse_engine::tokens::{Caller, Role};

use crate::codes::EdgeCode;
use crate::wire_error::EdgeError;

/// Sending a table's commands and heartbeats: its controller only.
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

/// Reading one table: its controller, or whoever reads everything.
///
/// # Errors
/// `forbidden`.
pub fn read_table(caller: &Caller, table: &TableName) -> Result<(), EdgeError> {
    if is_controller_of(caller, table) || reads(caller) {
        return Ok(());
    }
    Err(forbidden(caller, "a controller reads its own table only").with("table", table))
}

/// Reading tables, hits, paytables of every link.
///
/// # Errors
/// `forbidden`.
pub fn read_everything(caller: &Caller) -> Result<(), EdgeError> {
    allow(caller, reads(caller), READERS)
}

/// Reading the journal and the books of one link.
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

/// Opening a link, letting a table join or leave one.
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

/// Accepting a link's first values, suspending and resuming it, disabling and enabling its levels and tables.
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

/// Being one of two people: proposing, approving or declining a change. Answers with the department.
///
/// # Errors
/// `forbidden` for another role, and where the token names no department.
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

/// Validating, rejecting and paying hits.
///
/// # Errors
/// `forbidden`.
pub fn decide_hits(caller: &Caller) -> Result<(), EdgeError> {
    let may = unbound(caller) && caller.role == Role::Supervisor;
    allow(caller, may, "a supervisor validates and pays hits")
}

/// Who reads everything, for the error.
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

/// Whether the token reaches beyond one table or link.
const fn unbound(caller: &Caller) -> bool {
    caller.table.is_none() && caller.link.is_none()
}

fn allow(caller: &Caller, may: bool, who: &str) -> Result<(), EdgeError> {
    if may {
        Ok(())
    } else {
        Err(forbidden(caller, who))
    }
}

fn forbidden(caller: &Caller, who: &str) -> EdgeError {
    let bound = match (&caller.table, &caller.link) {
        (Some(table), _) => format!(" bound to table {table}"),
        (None, Some(link)) => format!(" bound to link {link}"),
        (None, None) => String::new(),
    };
    let detail = format!("{who}; this token is a {}'s{bound}", caller.role.name());
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
            table: table.map(|it| it.parse().expect("a name")),
            link: link.map(|it| it.parse().expect("a name")),
        }
    }

    fn table(name: &str) -> TableName {
        name.parse().expect("a name")
    }

    fn who(may: impl Fn(&Caller) -> Result<(), EdgeError>) -> Vec<&'static str> {
        let roles = ROLES
            .iter()
            .filter(|role| may(&caller(**role, None, None)).is_ok());
        roles.map(|role| role.name()).collect()
    }

    #[test]
    fn each_right_has_its_roles() {
        let link: LinkName = "main".parse().expect("a name");
        assert_eq!(
            who(|it| command_table(it, &table("T1"))),
            Vec::<&str>::new()
        );
        assert_eq!(
            who(|it| read_table(it, &table("T1"))),
            ["supervisor", "manager", "auditor"]
        );
        assert_eq!(who(read_everything), ["supervisor", "manager", "auditor"]);
        assert_eq!(
            who(|it| read_link(it, &link)),
            ["supervisor", "manager", "auditor"]
        );
        assert_eq!(who(set_up), ["manager"]);
        assert_eq!(who(decide_hits), ["supervisor"]);
        assert_eq!(who(run_link), ["manager"]);
        assert_eq!(
            who(|it| change_by_two(it).map(|_| ())),
            ["supervisor", "manager"]
        );
    }

    #[test]
    fn one_of_two_people_has_a_department() {
        let mut it = caller(Role::Manager, None, None);
        assert_eq!(change_by_two(&it).map(Department::as_str), Ok("slots"));
        it.person.department = None;
        let error = change_by_two(&it).expect_err("no department");
        assert_eq!(error.code, EdgeCode::Forbidden);
        assert!(error.detail.contains("names no department"), "{error}");
    }

    #[test]
    fn a_controller_reaches_its_own_table_and_nothing_else() {
        let it = caller(Role::Controller, Some("T1"), None);
        assert_eq!(command_table(&it, &table("T1")), Ok(()));
        assert_eq!(read_table(&it, &table("T1")), Ok(()));
        let error = command_table(&it, &table("T2")).expect_err("another table");
        assert_eq!(error.code, EdgeCode::Forbidden);
        assert!(
            error
                .detail
                .ends_with("this token is a controller's bound to table T1"),
            "{error}"
        );
        assert!(read_table(&it, &table("T2")).is_err());
        assert!(read_everything(&it).is_err());
    }

    #[test]
    fn a_bound_token_never_reaches_further_than_what_it_is_bound_to() {
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

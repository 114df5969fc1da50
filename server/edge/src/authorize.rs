//! Authorization: one function per right, decided by the table of [`policy`](crate::policy).
//!
//! # Shape
//! - A token reaches the whole house, or the one link or table that it is bound to.
//! - The role has the right by [`policy::GRANTS`], and no function here names a role. A person who was given fewer
//!   rights than the role has needs it among them.
//!
//! A change by two people needs two departments. A caller whose token has no department can neither
//! propose nor approve.
//!
//! Operations that are public in the table need no function.
//!
//! [`operation_access`](crate::operation_access) checks the rights of a whole operation before its request is read. The
//! functions of a right are called by the handlers, once the request is read.

use meterhouse_domain::ids::{LinkName, TableName};
use meterhouse_engine::tokens::{Caller, Right, Role};
use meterhouse_engine::view::ProposedChange;

use crate::codes::EdgeCode;
use crate::policy::{self, Binding};
use crate::wire_error::EdgeError;

/// Allows a table's controller to send its commands and heartbeats.
///
/// # Errors
/// `forbidden`.
pub fn command_table(caller: &Caller, table: &TableName) -> Result<(), EdgeError> {
    allow(caller, Right::Command, Target::Table(table)).map_err(|error| error.with("table", table))
}

/// Allows reading one table: by its controller, or by a role that reads everything.
///
/// # Errors
/// `forbidden`.
pub fn read_table(caller: &Caller, table: &TableName) -> Result<(), EdgeError> {
    allow(caller, Right::ReadTable, Target::Table(table))
        .map_err(|error| error.with("table", table))
}

/// Allows reading tables, hits and paytables of every link.
///
/// # Errors
/// `forbidden`.
pub fn read_everything(caller: &Caller) -> Result<(), EdgeError> {
    allow(caller, Right::ReadFloor, Target::House)
}

/// Allows reading the journal and the books of one link.
///
/// # Errors
/// `forbidden`.
pub fn read_link(caller: &Caller, link: &LinkName) -> Result<(), EdgeError> {
    allow(caller, Right::ReadLink, Target::Link(link))
}

/// Allows opening a link and accepting its first values, and letting a table join or leave one.
///
/// # Errors
/// `forbidden`.
pub fn configure(caller: &Caller) -> Result<(), EdgeError> {
    allow(caller, Right::Configure, Target::House)
}

/// Returns `true` for a holder who may configure, whose access is announced before it is granted.
pub fn may_configure(caller: &Caller) -> bool {
    configure(caller).is_ok()
}

/// Allows suspending and resuming a link, and disabling and enabling its levels and tables.
///
/// # Errors
/// `forbidden`.
pub fn run_link(caller: &Caller) -> Result<(), EdgeError> {
    allow(caller, Right::Run, Target::House)
}

/// Allows validating and rejecting hits.
///
/// # Errors
/// `forbidden`.
pub fn validate_hits(caller: &Caller) -> Result<(), EdgeError> {
    allow(caller, Right::Validate, Target::House)
}

/// Allows recording the documents of payouts.
///
/// # Errors
/// `forbidden`.
pub fn pay_hits(caller: &Caller) -> Result<(), EdgeError> {
    allow(caller, Right::Pay, Target::House)
}

/// Allows admitting people and programs, and ending their access.
///
/// # Errors
/// `forbidden`.
pub fn admit(caller: &Caller) -> Result<(), EdgeError> {
    allow(caller, Right::Admit, Target::House)
}

/// Allows reading the record of what people and programs did.
///
/// # Errors
/// `forbidden`.
pub fn read_acts(caller: &Caller) -> Result<(), EdgeError> {
    allow(caller, Right::ReadActs, Target::House)
}

/// Allows depositing the signed heads of another house.
///
/// # Errors
/// `forbidden`.
pub fn deposit_heads(caller: &Caller) -> Result<(), EdgeError> {
    allow(caller, Right::DepositHeads, Target::House)
}

/// Allows a display to say what it shows.
///
/// # Errors
/// `forbidden`.
pub fn show(caller: &Caller) -> Result<(), EdgeError> {
    allow(caller, Right::Show, Target::House)
}

/// Allows a screen that was paired with these links one of them. `None` is no screen, and is not bound here.
///
/// # Errors
/// `forbidden`.
pub fn link_of_screen(links: Option<&[String]>, link: &LinkName) -> Result<(), EdgeError> {
    if links.is_none_or(|links| links.iter().any(|own| own == link.as_str())) {
        return Ok(());
    }
    let detail = "the screen was paired with other links";
    Err(EdgeError::because(EdgeCode::Forbidden, detail).with("link", link))
}

/// Allows clearing exceptions and signing off days.
///
/// # Errors
/// `forbidden`.
pub fn close_days(caller: &Caller) -> Result<(), EdgeError> {
    allow(caller, Right::Close, Target::House)
}

/// Allows being one of two people for this change.
///
/// # Errors
/// `forbidden` without the change's right, or if the token has no department.
pub fn change_by_two(caller: &Caller, change: &ProposedChange) -> Result<(), EdgeError> {
    allow(caller, right_of(change), Target::House)?;
    has_department(caller)
}

/// Allows being one of two people for some change, before the change is read.
///
/// # Errors
/// `forbidden` without the right to any change, or if the token has no department.
pub fn any_change_by_two(caller: &Caller) -> Result<(), EdgeError> {
    allow(caller, Right::Adjust, Target::House)
        .or_else(|error| allow(caller, Right::Reset, Target::House).map_err(|_| error))?;
    has_department(caller)
}

/// Returns the right that a change needs of both people.
const fn right_of(change: &ProposedChange) -> Right {
    match change {
        ProposedChange::Correct { .. }
        | ProposedChange::Adjust { .. }
        | ProposedChange::LateHit { .. } => Right::Adjust,
        ProposedChange::ClearFault
        | ProposedChange::AcknowledgeReturns
        | ProposedChange::AdoptTable(_) => Right::Reset,
    }
}

pub(crate) fn has_department(caller: &Caller) -> Result<(), EdgeError> {
    if caller.person.department.is_some() {
        return Ok(());
    }
    let detail = "a change needs two people of two departments, and you have none; \
                  use a name that was admitted with a department";
    Err(EdgeError::because(EdgeCode::Forbidden, detail).with("role", caller.role.name()))
}

/// The part of the house that an operation touches.
#[derive(Copy, Clone)]
pub(crate) enum Target<'name> {
    House,
    Link(&'name LinkName),
    Table(&'name TableName),
}

impl Target<'_> {
    /// Returns `true` if a token with this binding reaches the target.
    fn is_within(self, binding: Binding, caller: &Caller) -> bool {
        match binding {
            Binding::House => true,
            Binding::Link => matches!(self, Self::Link(link) if caller.link.as_ref() == Some(link)),
            Binding::Table => {
                matches!(self, Self::Table(table) if caller.table.as_ref() == Some(table))
            }
        }
    }
}

/// Allows an operation that needs a right.
pub(crate) fn allow(caller: &Caller, right: Right, target: Target<'_>) -> Result<(), EdgeError> {
    let may = Binding::of(caller).is_some_and(|binding| {
        target.is_within(binding, caller) && policy::has(caller, binding, right)
    });
    if may {
        Ok(())
    } else {
        Err(forbidden(caller, right))
    }
}

pub(crate) fn forbidden(caller: &Caller, right: Right) -> EdgeError {
    let bound = match (&caller.table, &caller.link) {
        (Some(table), _) => format!(" bound to table {table}"),
        (None, Some(link)) => format!(" bound to link {link}"),
        (None, None) => String::new(),
    };
    let roles: Vec<&str> = policy::roles_with(right).map(Role::name).collect();
    let (roles, meaning) = (roles.join(", "), policy::meaning(right));
    let role = caller.role.name();
    let given = caller.rights.as_ref();
    let given = given.map_or_else(String::new, |rights| format!(" with {rights} only"));
    let signed = if caller.is_signature {
        " by a signature, which reads nothing"
    } else {
        ""
    };
    let detail = format!(
        "this needs the right {right} ({meaning}), of the role {roles}; you have the role {role}{given}{bound}{signed}"
    );
    EdgeError::because(EdgeCode::Forbidden, detail)
        .with("role", role)
        .with("right", right)
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::ids::ActorId;
    use meterhouse_engine::view::Person;

    use super::*;

    const CHANGES: [ProposedChange; 2] = [
        ProposedChange::ClearFault,
        ProposedChange::AcknowledgeReturns,
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
            rights: None,
            is_signature: false,
        }
    }

    fn table(name: &str) -> TableName {
        name.parse().expect("a name")
    }

    fn roles_with(may: impl Fn(&Caller) -> Result<(), EdgeError>) -> Vec<&'static str> {
        let roles = Role::ALL
            .into_iter()
            .filter(|role| may(&caller(*role, None, None)).is_ok());
        roles.map(Role::name).collect()
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
        assert_eq!(roles_with(configure), ["manager"]);
        assert_eq!(roles_with(validate_hits), ["supervisor"]);
        assert_eq!(roles_with(pay_hits), ["supervisor"]);
        assert_eq!(roles_with(run_link), ["manager"]);
        assert_eq!(roles_with(admit), ["administrator"]);
        assert_eq!(roles_with(read_acts), ["auditor", "administrator"]);
        assert_eq!(roles_with(close_days), ["supervisor", "manager"]);
        for change in CHANGES {
            assert_eq!(
                roles_with(|caller| change_by_two(caller, &change)),
                ["supervisor", "manager"]
            );
        }
        assert_eq!(roles_with(any_change_by_two), ["supervisor", "manager"]);
    }

    /// A person with fewer rights than the role still reads, and the error names what is missing.
    #[test]
    fn a_person_has_the_given_rights_only() {
        let mut cashier = caller(Role::Supervisor, None, None);
        cashier.rights = Some("pay".parse().expect("rights"));
        assert_eq!(pay_hits(&cashier), Ok(()));
        assert_eq!(read_everything(&cashier), Ok(()));
        assert_eq!(read_table(&cashier, &table("T1")), Ok(()));
        let error = validate_hits(&cashier).expect_err("not given");
        assert!(error.detail.contains("the right validate"), "{error}");
        assert!(
            error.detail.ends_with("the role supervisor with pay only"),
            "{error}"
        );
        assert!(any_change_by_two(&cashier).is_err());
        // A right that the role doesn't have is no right.
        cashier.rights = Some("configure,adjust".parse().expect("rights"));
        assert!(configure(&cashier).is_err());
        let [reset, _] = CHANGES;
        assert!(change_by_two(&cashier, &reset).is_err());
        assert_eq!(any_change_by_two(&cashier), Ok(()));
    }

    /// A signature decides about the floor with its person's rights, and reads nothing.
    #[test]
    fn a_signature_decides_and_reads_nothing() {
        for role in Role::ALL {
            let person = caller(role, None, None);
            let mut signed = person.clone();
            signed.is_signature = true;
            let same = |may: fn(&Caller) -> Result<(), EdgeError>| {
                may(&signed).is_ok() == may(&person).is_ok()
            };
            assert!(same(validate_hits) && same(pay_hits) && same(configure) && same(run_link));
            assert!(same(any_change_by_two) && same(close_days));
            assert!(read_everything(&signed).is_err() && admit(&signed).is_err());
            assert!(read_acts(&signed).is_err() && deposit_heads(&signed).is_err());
            assert!(read_table(&signed, &table("T1")).is_err());
        }
        let mut cashier = caller(Role::Supervisor, None, None);
        cashier.rights = Some("pay".parse().expect("rights"));
        cashier.is_signature = true;
        assert_eq!(pay_hits(&cashier), Ok(()));
        let error = validate_hits(&cashier).expect_err("not given");
        assert!(
            error.detail.contains("by a signature, which reads nothing"),
            "{error}"
        );
    }

    #[test]
    fn a_screen_has_the_links_that_it_was_paired_with() {
        assert_eq!(roles_with(show), ["display"]);
        assert!(show(&caller(Role::Display, None, Some("main"))).is_err());
        let [main, other] = ["main", "other"].map(|name| name.parse().expect("a name"));
        let links = ["main".to_owned()];
        assert_eq!(link_of_screen(Some(&links), &main), Ok(()));
        assert!(link_of_screen(Some(&links), &other).is_err());
        assert_eq!(link_of_screen(None, &other), Ok(()));
    }

    #[test]
    fn a_change_by_two_people_needs_a_department() {
        let mut manager = caller(Role::Manager, None, None);
        let [change, _] = CHANGES;
        assert_eq!(change_by_two(&manager, &change), Ok(()));
        manager.person.department = None;
        let errors = [
            change_by_two(&manager, &change),
            any_change_by_two(&manager),
        ];
        for error in errors {
            let error = error.expect_err("no department");
            assert_eq!(error.code, EdgeCode::Forbidden);
            assert!(error.detail.contains("and you have none"), "{error}");
        }
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
                .ends_with("you have the role controller bound to table T1"),
            "{error}"
        );
        assert!(read_table(&controller, &table("T2")).is_err());
        assert!(read_everything(&controller).is_err());
    }

    #[test]
    fn a_bound_token_gives_no_right_elsewhere() {
        let link: LinkName = "main".parse().expect("a name");
        for role in Role::ALL {
            let bound = caller(role, None, Some("main"));
            assert!(configure(&bound).is_err() && validate_hits(&bound).is_err());
            assert!(run_link(&bound).is_err() && any_change_by_two(&bound).is_err());
            assert!(close_days(&bound).is_err());
            assert!(
                read_everything(&bound).is_err() && command_table(&bound, &table("T1")).is_err()
            );
            assert!(pay_hits(&bound).is_err());
            assert!(admit(&bound).is_err() && read_acts(&bound).is_err());
            let reads = matches!(role, Role::Supervisor | Role::Manager | Role::Auditor);
            assert_eq!(read_link(&bound, &link).is_ok(), reads);
            assert!(read_link(&caller(role, None, Some("other")), &link).is_err());
            let at_table = caller(role, Some("T1"), None);
            assert!(configure(&at_table).is_err() && validate_hits(&at_table).is_err());
            assert!(run_link(&at_table).is_err() && any_change_by_two(&at_table).is_err());
            assert!(read_everything(&at_table).is_err());
        }
    }
}

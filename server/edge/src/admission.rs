//! Checks of a person or program to admit, shared by the API and the command line.

use meterhouse_domain::ids::{Badge, Department};
use meterhouse_engine::access::{NewActor, OpenIdSubject};
use meterhouse_engine::tokens::{GivenRights, Right, Role};

use crate::policy::{Binding, can_be_given, check_given, holds, needs_two_people};

/// Maximum length of a subject, by OpenID Connect Core 1.0, section 2.
const SUBJECT_LENGTH_MAX: usize = 255;

/// A person or program to admit, as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// Name.
    pub name: String,
    /// Role.
    pub role: Role,
    /// Table of a controller.
    pub table: Option<String>,
    /// Link of a display.
    pub link: Option<String>,
    /// Department.
    pub department: Option<String>,
    /// Rights with commas between them, if they are fewer than the role's.
    pub rights: Option<String>,
}

/// A field of an admission that can't be, and the rest of the sentence that says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAdmitted {
    /// Field.
    pub field: &'static str,
    /// Rest of the sentence that begins with the field.
    pub why: String,
}

impl NotAdmitted {
    fn new(field: &'static str, why: impl Into<String>) -> Self {
        let why = why.into();
        Self { field, why }
    }
}

/// Checks an admission.
///
/// # Errors
/// The first field that can't be.
pub fn checked(asked: Admission) -> Result<NewActor, NotAdmitted> {
    let name: Result<Badge, _> = asked.name.parse();
    if let Err(error) = name {
        return Err(NotAdmitted::new("name", format!(": {error}")));
    }
    if (asked.role == Role::Controller) != asked.table.is_some() {
        return Err(NotAdmitted::new(
            "table",
            " and the role controller go together: a controller commands one table",
        ));
    }
    if asked.link.is_some() && asked.role != Role::Display {
        return Err(NotAdmitted::new("link", " is for the role display"));
    }
    check_department(asked.role, asked.department.as_deref())?;
    Ok(NewActor {
        rights: checked_rights(asked.role, asked.rights.as_deref())?,
        name: asked.name,
        role: asked.role.name().to_owned(),
        table_name: asked.table,
        link_name: asked.link,
        department: asked.department,
    })
}

/// Checks a subject of OpenID Connect.
///
/// # Errors
/// A text that can be no subject.
pub fn checked_subject(issuer: &str, subject: &str) -> Result<OpenIdSubject, NotAdmitted> {
    let is_printable = |byte: u8| (b' '..=b'~').contains(&byte);
    let is_subject = (1..=SUBJECT_LENGTH_MAX).contains(&subject.len());
    if !is_subject || !subject.bytes().all(is_printable) {
        let why = " is what the provider calls sub: 1 to 255 letters, digits and signs of ASCII";
        return Err(NotAdmitted::new("openid_subject", why));
    }
    Ok(OpenIdSubject {
        issuer: issuer.to_owned(),
        subject: subject.to_owned(),
    })
}

/// Checks if a holder of this role may have this department.
fn check_department(role: Role, department: Option<&str>) -> Result<(), NotAdmitted> {
    let Some(department) = department else {
        return Ok(());
    };
    let is_one_of_two = |role| {
        Right::ALL
            .into_iter()
            .any(|right| needs_two_people(right) && holds(role, Binding::House, right))
    };
    if !is_one_of_two(role) {
        let roles = listed(is_one_of_two);
        return Err(NotAdmitted::new(
            "department",
            format!(" is for the roles {roles}"),
        ));
    }
    let parsed: Result<Department, _> = department.parse();
    parsed
        .map(|_| ())
        .map_err(|error| NotAdmitted::new("department", format!(": {error}")))
}

/// Returns the rights of a holder who has fewer than the role, in the form of the database.
fn checked_rights(role: Role, rights: Option<&str>) -> Result<Option<String>, NotAdmitted> {
    let Some(rights) = rights else {
        return Ok(None);
    };
    let parsed: Result<GivenRights, _> = rights.parse();
    let given = parsed.map_err(|error| NotAdmitted::new("rights", format!(": {error}")))?;
    check_given(role, &given).map_err(|right| {
        let can = givable(role);
        if can.is_empty() {
            let roles = listed(|role| !givable(role).is_empty());
            return NotAdmitted::new("rights", format!(" is for the roles {roles}"));
        }
        let (role, can) = (role.name(), can.join(", "));
        NotAdmitted::new(
            "rights",
            format!(": a {role} can't be given {right}, only {can}"),
        )
    })?;
    Ok(Some(given.to_string()))
}

/// Returns the names of the rights that a holder of this role can be given.
fn givable(role: Role) -> Vec<&'static str> {
    let can = |right: &Right| can_be_given(*right) && holds(role, Binding::House, *right);
    let rights = Right::ALL.into_iter().filter(can);
    rights.map(Right::name).collect()
}

/// Returns the names of some roles, as a sentence lists them.
fn listed(is_listed: impl Fn(Role) -> bool) -> String {
    let roles = Role::ALL.into_iter().filter(|role| is_listed(*role));
    let names: Vec<&str> = roles.map(Role::name).collect();
    names.join(" and ")
}

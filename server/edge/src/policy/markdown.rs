//! The policy as a page for people: `meterhouse policy` and `docs/operating/rights.md`.

use std::fmt::Write as _;

use meterhouse_engine::tokens::{Right, Role};

use super::commands::COMMANDS;
use super::grants::{GRANTS, can_be_given, meaning, needs_two_people, roles_with};
use super::operation::{Access, Operation};
use super::operations::{GRPC, HTTP, PAGES};

const OPENING: &str = "\
# Rights

`meterhouse policy` prints this page from the table that the server decides by. `meterhouse policy --json` prints the same
for programs. [API](../API.md#who-may-do-what) says how a token is sent, and which two people may agree.

A token has a role, and is bound to the whole house, to one link, or to one table. An operation needs one right. What
stands in no row is refused.
";
const RIGHTS: &str = "
## Roles and rights

A right marked with *two people* needs a second person: one proposes, another one of another department approves. Both
tokens name a department.

A person may have fewer rights than the role. `meterhouse token create --role supervisor --name cash --rights pay` makes a
cashier, who pays and validates nothing. `--rights validate` makes a supervisor of the floor, who validates and pays
nothing. Only the rights marked with *by name* are named there, since everybody keeps reading what the role reads. A name
keeps its rights. Make such tokens when every node runs a version that knows them: an older node gives the role's rights.

A signature by PIN has those rights of its person that are marked with *by name*, for two minutes, and no other one. So it
reads nothing, admits nobody, and makes no other signature.
";
const HOLDERS: &str = "
| role | token bound to | rights | why |
|---|---|---|---|
";
const OF_HTTP: &str = "
## Operations of HTTP

The names are the operation ids of `GET /openapi.json`. *public* needs no token. *holder* needs any valid token or session,
and is about its holder. For a row with a change, the field `change` of the proposal decides.

| operation | needs | why |
|---|---|---|
";
const OF_GRPC: &str = "
## Methods of gRPC

| method | needs | why |
|---|---|---|
";
const OF_PAGES: &str = "
## Pages

| path | needs | why |
|---|---|---|
";
const OF_COMMANDS: &str = "
## Commands

*database* means that the command needs the database's address and password: a person who has these needs no token. Protect
both as you protect the money. *administrator* needs an administrator's password too (`--as NAME`), once there is an
administrator. `--break-glass REASON` does without: it is recorded, and raises an alarm. *public* needs neither.

| command | needs | why |
|---|---|---|
";

/// Returns the policy as a page in Markdown.
pub fn markdown() -> String {
    let mut text = OPENING.to_owned();
    text.push_str(RIGHTS);
    text.push_str("\n| right | marks | allows to | roles |\n|---|---|---|---|\n");
    for right in Right::ALL {
        let roles: Vec<&str> = roles_with(right).map(Role::name).collect();
        let marks = match (can_be_given(right), needs_two_people(right)) {
            (_, true) => "*by name*, *two people*",
            (true, false) => "*by name*",
            (false, false) => "",
        };
        let (meaning, roles) = (meaning(right), roles.join(", "));
        write(&mut text, &[&format!("`{right}`"), marks, meaning, &roles]);
    }
    text.push_str(HOLDERS);
    for grant in GRANTS {
        let rights: Vec<String> = grant
            .rights
            .iter()
            .map(|right| format!("`{right}`"))
            .collect();
        let rights = if rights.is_empty() {
            "none".to_owned()
        } else {
            rights.join(", ")
        };
        let (role, binding) = (grant.role.name(), grant.binding.name());
        write(&mut text, &[role, binding, &rights, grant.why]);
    }
    for (opening, rows) in [
        (OF_HTTP, HTTP),
        (OF_GRPC, GRPC),
        (OF_PAGES, PAGES),
        (OF_COMMANDS, COMMANDS),
    ] {
        text.push_str(opening);
        for row in rows {
            write(&mut text, &[&name(row), &needs(row.access), row.why]);
        }
    }
    text
}

fn name(row: &Operation) -> String {
    match row.change {
        Some(change) => format!("`{}`, change `{change}`", row.name),
        None => format!("`{}`", row.name),
    }
}

fn needs(access: Access) -> String {
    match access {
        Access::Public => "*public*".to_owned(),
        Access::PublicOrMore(right) => format!("*public*; more with `{right}`"),
        Access::Holder => "*holder*".to_owned(),
        Access::Right(right) => format!("`{right}`"),
        Access::Database => "*database*".to_owned(),
        Access::DatabaseAndAdministrator => "*database*, *administrator*".to_owned(),
    }
}

/// Writes a row of a table.
fn write(text: &mut String, cells: &[&str]) {
    // Writing to a text never fails.
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

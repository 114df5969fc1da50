//! `meterhouse policy`

use meterhouse_edge::policy::{
    Access, COMMANDS, GRANTS, GRPC, HTTP, Operation, PAGES, can_be_given, markdown, meaning,
    needs_two_people, roles_with,
};
use meterhouse_engine::tokens::{Right, Role};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{self, out};

pub(crate) fn run(json: bool) -> Result<(), Failure> {
    if json {
        return output::json(&policy());
    }
    out!("{}", markdown());
    Ok(())
}

/// The policy as JSON.
#[derive(Serialize)]
struct PolicyJson {
    rights: Vec<RightJson>,
    grants: Vec<GrantJson>,
    http: Vec<OperationJson>,
    grpc: Vec<OperationJson>,
    pages: Vec<OperationJson>,
    commands: Vec<OperationJson>,
}

#[derive(Serialize)]
struct RightJson {
    right: &'static str,
    allows_to: &'static str,
    two_people: bool,
    given_by_name: bool,
    roles: Vec<&'static str>,
}

#[derive(Serialize)]
struct GrantJson {
    role: &'static str,
    bound_to: &'static str,
    rights: Vec<&'static str>,
    why: &'static str,
}

#[derive(Serialize)]
struct OperationJson {
    operation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<&'static str>,
    needs: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    more_with: Option<&'static str>,
    why: &'static str,
}

fn policy() -> PolicyJson {
    let rights = Right::ALL.into_iter().map(|right| RightJson {
        right: right.name(),
        allows_to: meaning(right),
        two_people: needs_two_people(right),
        given_by_name: can_be_given(right),
        roles: roles_with(right).map(Role::name).collect(),
    });
    let grants = GRANTS.iter().map(|grant| GrantJson {
        role: grant.role.name(),
        bound_to: grant.binding.name(),
        rights: grant.rights.iter().map(|right| right.name()).collect(),
        why: grant.why,
    });
    PolicyJson {
        rights: rights.collect(),
        grants: grants.collect(),
        http: operations(HTTP),
        grpc: operations(GRPC),
        pages: operations(PAGES),
        commands: operations(COMMANDS),
    }
}

fn operations(rows: &'static [Operation]) -> Vec<OperationJson> {
    let rows = rows.iter().map(|row| OperationJson {
        operation: row.name,
        change: row.change,
        needs: row.access.name(),
        more_with: match row.access {
            Access::PublicOrMore(right) => Some(right.name()),
            Access::Public
            | Access::Holder
            | Access::Right(_)
            | Access::Database
            | Access::DatabaseAndAdministrator => None,
        },
        why: row.why,
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;
    use crate::commands::demo::Visitor;
    use crate::telemetry::Page;

    /// Returns the words of each command that does something.
    fn words(command: &clap::Command, before: &str, into: &mut BTreeSet<String>) {
        let mut commands = command.get_subcommands().peekable();
        if commands.peek().is_none() {
            into.insert(before.trim_start().to_owned());
        }
        for command in commands {
            let words = format!("{before} {}", command.get_name());
            self::words(command, &words, into);
        }
    }

    /// Returns the paths of a router, which it lists only in its form for debugging.
    fn paths(router: &str) -> Vec<String> {
        let (_, paths) = router.split_once("Node { paths: {").expect("the paths");
        let (paths, _) = paths.split_once("} }").expect("their end");
        let paths = paths.split('"').skip(1).step_by(2);
        paths.map(str::to_owned).collect()
    }

    #[test]
    fn every_page_has_its_row() {
        let pages = paths(&format!("{:?}", meterhouse_web::router()));
        let of_metrics = paths(&format!("{:?}", Page::routes()));
        let of_demo = paths(&format!("{:?}", Visitor::default().routes()));
        let others = of_metrics.into_iter().chain(of_demo);
        let served: BTreeSet<String> = pages.into_iter().chain(others).collect();
        let rows: BTreeSet<String> = PAGES.iter().map(|row| row.name.to_owned()).collect();
        assert_eq!(
            served, rows,
            "give each page a row in server/edge/src/policy/operations.rs"
        );
        assert!(PAGES.iter().all(|row| row.access == Access::Public));
    }

    #[test]
    fn every_command_has_its_row() {
        let mut commands = BTreeSet::new();
        words(&Cli::command(), "", &mut commands);
        let rows: BTreeSet<String> = COMMANDS.iter().map(|row| row.name.to_owned()).collect();
        assert_eq!(
            commands, rows,
            "give each command a row in server/edge/src/policy/commands.rs"
        );
        let accesses: Vec<_> = COMMANDS.iter().map(|row| row.access).collect();
        assert!(
            accesses
                .iter()
                .all(|access| !matches!(access, Access::Right(_) | Access::Holder)),
            "a command checks no token"
        );
    }
}

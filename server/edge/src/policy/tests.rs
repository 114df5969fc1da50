//! The table has no gap and says nothing twice.

use std::collections::BTreeSet;

use meterhouse_engine::tokens::{Right, Role};

use super::*;

fn all() -> impl Iterator<Item = &'static Operation> {
    [HTTP, GRPC, PAGES, COMMANDS].into_iter().flatten()
}

#[test]
fn every_operation_has_one_row_with_a_reason() {
    for rows in [HTTP, GRPC, PAGES, COMMANDS] {
        let names: BTreeSet<_> = rows.iter().map(|row| (row.name, row.change)).collect();
        assert_eq!(names.len(), rows.len(), "a row stands twice");
        for row in rows {
            let same = rows.iter().filter(|other| other.name == row.name);
            let by_change = same.filter(|other| other.change.is_some()).count();
            assert!(
                row.change.is_some() || by_change == 0,
                "{}: with and without a change",
                row.name
            );
        }
    }
    assert!(all().all(|row| !row.why.is_empty()));
    assert!(GRANTS.iter().all(|grant| !grant.why.is_empty()));
}

#[test]
fn every_right_is_needed_somewhere_and_held_by_a_role() {
    for right in Right::ALL {
        assert!(
            all().any(|row| row.access == Access::Right(right)),
            "{right} is needed nowhere"
        );
        assert!(roles_with(right).next().is_some(), "no role has {right}");
    }
}

#[test]
fn a_role_has_one_grant_for_a_binding_in_order() {
    let grants: BTreeSet<_> = GRANTS
        .iter()
        .map(|grant| (grant.role.name(), grant.binding.name()))
        .collect();
    assert_eq!(grants.len(), GRANTS.len());
    for grant in GRANTS {
        assert!(grant.rights.is_sorted(), "{}", grant.role.name());
    }
    for role in Role::ALL {
        assert!(
            GRANTS.iter().any(|grant| grant.role == role),
            "{} has no row",
            role.name()
        );
    }
}

/// The page of rights describes both by one mark.
#[test]
fn a_signature_has_the_rights_that_are_given_by_name() {
    for right in Right::ALL {
        assert_eq!(can_be_signed(right), can_be_given(right), "{right}");
    }
}

/// A person decides about money or about the terms of a link, never about both alone.
#[test]
fn no_role_sets_up_a_link_and_decides_about_its_hits() {
    for role in Role::ALL {
        let has = |right| {
            Binding::ALL
                .iter()
                .any(|binding| holds(role, *binding, right))
        };
        let sets_up = has(Right::Configure) || has(Right::Run);
        assert!(
            !(sets_up && (has(Right::Validate) || has(Right::Pay))),
            "{}",
            role.name()
        );
        assert!(!has(Right::Command) || role == Role::Controller);
        assert!(!has(Right::Admit) || role == Role::Administrator);
    }
}

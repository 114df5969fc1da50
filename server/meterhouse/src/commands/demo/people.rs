//! The people and tables of a demo: their tokens, and what both parts of the demo need.

use meterhouse_engine::access::AccessControl;
use meterhouse_simulator::SimulatorError;
use meterhouse_store::NewActor;
use rand::TryRng as _;

use crate::commands::token::token_of;
use crate::failure::Failure;

/// Name, role, department.
pub(super) type Person = (&'static str, &'static str, &'static str);

/// Returns the failure of a simulation.
pub(super) fn failed(error: SimulatorError) -> Failure {
    Failure::internal("the demo did not go as it should", error)
}

/// Draws a number from the system.
pub(super) fn random_seed() -> Result<u64, Failure> {
    rand::rngs::SysRng
        .try_next_u64()
        .map_err(|error| Failure::internal("the system gave no random seed", error))
}

/// Makes a token of a table's controller.
pub(super) async fn controllers_token(
    access: &AccessControl,
    table: &str,
) -> Result<String, Failure> {
    let who = NewActor {
        name: table.to_owned(),
        role: "controller".to_owned(),
        table_name: Some(table.to_owned()),
        link_name: None,
        department: None,
        rights: None,
    };
    token_of(access, &who, None).await
}

/// Makes a token of a person.
pub(super) async fn persons_token(
    access: &AccessControl,
    (name, role, department): Person,
) -> Result<String, Failure> {
    let who = NewActor {
        name: name.to_owned(),
        role: role.to_owned(),
        table_name: None,
        link_name: None,
        department: Some(department.to_owned()),
        rights: None,
    };
    token_of(access, &who, None).await
}

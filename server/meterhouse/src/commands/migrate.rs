//! `meterhouse migrate`

use crate::cli::DatabaseArgs;
use crate::database;
use crate::failure::Failure;
use crate::output::outln;

pub(crate) async fn run(args: &DatabaseArgs, check: bool) -> Result<(), Failure> {
    outln!("{}", database::migrate(args, check).await?);
    Ok(())
}

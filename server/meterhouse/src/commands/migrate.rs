//! `meterhouse migrate`

use crate::cli::DatabaseArgs;
use crate::database;
use crate::failure::Failure;

pub(crate) async fn run(args: &DatabaseArgs, check: bool) -> Result<(), Failure> {
    println!("{}", database::migrate(args, check).await?);
    Ok(())
}

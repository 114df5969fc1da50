//! `meterhouse openapi`

use crate::failure::Failure;
use crate::output;

pub(crate) fn run() -> Result<(), Failure> {
    output::json(&meterhouse_http::document())
}

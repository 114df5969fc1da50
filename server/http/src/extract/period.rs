//! The period of a report: the parameters `from` and `to`.

use meterhouse_api::values::Time;
use meterhouse_domain::ids::Timestamp;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use serde::Deserialize;
use utoipa::IntoParams;

use super::parameters::optional;

/// The period of a report.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PeriodQuery {
    /// Start of the period; the opening if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    pub(crate) from: Option<Time>,
    /// End of the period; now if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    pub(crate) to: Option<Time>,
}

/// A start and an end, each open if it is left out.
pub(crate) type Period = (Option<Timestamp>, Option<Timestamp>);

/// Returns the period from one time up to another.
///
/// # Errors
/// `invalid_parameter` if it ends before it begins.
pub(crate) fn period(from: Option<Time>, to: Option<Time>) -> Result<Period, EdgeError> {
    let (from, to) = (from.map(|from| from.0), to.map(|to| to.0));
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        let detail = "to is before from; a period ends after it begins";
        return Err(EdgeError::because(EdgeCode::InvalidParameter, detail).with("parameter", "to"));
    }
    Ok((from, to))
}

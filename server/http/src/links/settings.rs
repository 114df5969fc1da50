//! What the operator chooses for a link, as it is sent and as it is shown.

use meterhouse_domain::link::{LinkSettings, SILENCE_SECONDS_DEFAULT};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::Content;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_edge::value::shown;
use meterhouse_edge::wire_error::{EdgeError, WireError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::extract::{Loose, Members};

/// What the operator chose for a link.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Settings {
    /// Rounds that one table may lock in a minute; null where there is no limit.
    rounds_a_minute_max: Option<u32>,
    /// Seconds of silence after which a table is lost.
    silence_seconds_max: u32,
    /// A Magic Card is drawn in one of so many rounds; null where none is.
    magic_card_one_in: Option<u32>,
    /// A lucky position is drawn in one of so many rounds; null where none is.
    lucky_bonus_one_in: Option<u32>,
    /// Whether a hit that a person has to validate needs `by`, the badge of who keyed it.
    badge_required: bool,
}

impl From<&LinkSettings> for Settings {
    fn from(settings: &LinkSettings) -> Self {
        let silence = settings.silence_seconds_max;
        Self {
            rounds_a_minute_max: settings.rounds_a_minute_max,
            silence_seconds_max: silence.unwrap_or(SILENCE_SECONDS_DEFAULT),
            magic_card_one_in: settings.magic_card_one_in,
            lucky_bonus_one_in: settings.lucky_bonus_one_in,
            badge_required: settings.requires_badge(),
        }
    }
}

/// The ceilings of a paytable's levels, in their order, from an object with some levels' names.
pub(super) fn ceilings(
    content: &Content,
    sent: Option<&Members<Loose>>,
) -> Result<Vec<Option<Money>>, WireError> {
    let Some(Members(sent)) = sent.filter(|it| !it.0.is_empty()) else {
        return Ok(Vec::new());
    };
    let mut ceilings = vec![None; content.levels.len()];
    for (level, amount) in sent {
        let mut places = content.levels.iter().zip(&mut ceilings);
        let position = places.find(|(known, _)| known.name.as_str() == level);
        let Some((_, ceiling)) = position else {
            return Err(Refusal::new(RefusalCode::NoSuchLevel)
                .with("level", shown(level))
                .into());
        };
        *ceiling = Some(amount.amount(&format!("ceilings.{level}"))?);
    }
    Ok(ceilings)
}

/// A number that a setting counts by, where it was sent.
pub(super) fn count(field: &str, sent: Option<&Loose>) -> Result<Option<u32>, EdgeError> {
    sent.map(|it| it.count(field)).transpose()
}

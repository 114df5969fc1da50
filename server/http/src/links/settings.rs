//! The operator's settings of a link.

use meterhouse_api::link;
use meterhouse_domain::link::{LinkSettings, SILENCE_SECONDS_DEFAULT};

/// Returns the settings of a link.
pub(super) fn settings(settings: &LinkSettings) -> link::LinkSettings {
    let silence = settings.silence_seconds_max;
    link::LinkSettings {
        rounds_a_minute_max: settings.rounds_a_minute_max,
        silence_seconds_max: silence.unwrap_or(SILENCE_SECONDS_DEFAULT),
        magic_card_one_in: settings.magic_card_one_in,
        lucky_bonus_one_in: settings.lucky_bonus_one_in,
        badge_required: settings.requires_badge(),
    }
}

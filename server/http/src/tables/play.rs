//! The paytable and the rules of a table, as far as a keypad needs them.

use core::ops::RangeInclusive;

use meterhouse_api::paytable::PaytableLine;
use meterhouse_api::table::{DealtCards, TableHand, TablePlay};
use meterhouse_api::text::Text;
use meterhouse_domain::command::Holder;
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::paytable::{HandRule, Line, Pays};
use meterhouse_domain::state::Table;

/// Returns what a keypad of a table needs. Lines are the link's; forming and folding follow the table's own rules.
pub(super) fn play(terms: &LinkTerms, table: &Table) -> TablePlay {
    let content = terms.content();
    TablePlay {
        title: terms.paytable.title.clone(),
        hands: content.lines.iter().map(|line| hand(terms, line)).collect(),
        bet_on_dealer: table.takes_dealer_wagers(terms),
        magic_card: terms.magic_card_odds(),
        lucky_bonus: terms.lucky_bonus_odds(),
        cards: dealt(table.rules.hand_rule),
        fold_award: Text(table.rules.fold.award),
        folded_hand_gives_envy: table.rules.fold.hand_gives_envy,
        badge_required: terms.settings.requires_badge(),
    }
}

fn hand(terms: &LinkTerms, line: &Line) -> TableHand {
    let content = terms.content();
    let (percent, level, for_one) = match line.pays {
        Pays::Percent { percent, level } => (Some(percent), Some(level), None),
        Pays::ForOne(odds) => (None, None, Some(odds)),
        Pays::ForOneOf { odds, level } => (None, Some(level), Some(odds)),
    };
    let level = level.and_then(|level| content.levels.get(level));
    TableHand {
        line: PaytableLine {
            hand: Text(line.hand),
            percent,
            level: level.map(|level| Text(level.name.clone())),
            for_one,
            envy: line.envy,
        },
        needs_validation: line.needs_validation(content.validation),
    }
}

fn dealt(rule: HandRule) -> DealtCards {
    let dealer: RangeInclusive<usize> = rule.dealt(Holder::Dealer);
    DealtCards {
        own: small(rule.own()),
        community: small(rule.community()),
        dealer_min: small(*dealer.start()),
        dealer_max: small(*dealer.end()),
        community_max: small(*rule.community_dealt().end()),
    }
}

/// Returns a number of cards, which is always small.
fn small(cards: usize) -> u8 {
    u8::try_from(cards).unwrap_or(u8::MAX)
}

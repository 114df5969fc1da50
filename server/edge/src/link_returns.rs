//! The long-run return of a wager on a link, part by part, as the opening of a link computes it.

use meterhouse_api::returns::{LinkReturns, Share};
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::returns::{self, Asked, Fraction, needs_two_people, percent};
use meterhouse_domain::state::LinkState;

/// Returns a share of the wager in both forms: rounded and exact.
pub(crate) fn share(share: Fraction) -> Share {
    Share {
        percent: percent(share),
        exact: share.to_string(),
    }
}

/// Returns the long-run return of a link that was opened with these terms.
pub fn of_terms(terms: &LinkTerms) -> LinkReturns {
    LinkReturns {
        two_people: needs_two_people(terms),
        ..of_parts(&returns::LinkReturns::of(terms))
    }
}

/// Returns the return of the next wager on a link at the amounts that its signs show, without envy and draws. `None` for
/// amounts above those that returns are computed for.
pub fn at_displayed(state: &LinkState) -> Option<Share> {
    let displayed: Vec<Money> = state.displayed().collect();
    let asked = Asked {
        wager: state.terms.wager,
        displayed: &displayed,
        seats: state.terms.paytable.full_table(),
    };
    let found = returns::returns(state.terms.content(), &asked)?;
    Some(share(found.at_displayed))
}

/// Returns the long-run return of a link with these parts.
pub(crate) fn of_parts(parts: &returns::LinkReturns) -> LinkReturns {
    LinkReturns {
        total: share(parts.total()),
        long_run: share(parts.long_run),
        magic_card: share(parts.magic_card),
        lucky_bonus: share(parts.lucky_bonus),
        envy_at_full_table: share(parts.envy),
        full_table: parts.full_table,
        two_people: parts.exceeds_wager(),
    }
}

/// Returns a sentence on how often a link may draw each bonus before two people have to acknowledge
/// its return; `None` if no draw matters.
pub(crate) fn draws_too_often(paytable: &Paytable) -> Option<String> {
    let every_round = returns::LinkReturns::new(paytable, Some(1), Some(1));
    let returns::LinkReturns { long_run, envy, .. } = every_round;
    let left = Fraction::from_integer(1) - long_run - envy;
    if left <= Fraction::from_integer(0) {
        return None;
    }
    // The largest number of rounds for which one draw adds more than the remainder.
    let rounds = |adds: Fraction| (adds / left).ceil().to_integer() - 1;
    let draws = [
        ("a Magic Card", rounds(every_round.magic_card)),
        ("a lucky position", rounds(every_round.lucky_bonus)),
    ];
    let often = draws.into_iter().filter(|(_, rounds)| *rounds >= 1);
    let often: Vec<String> = often
        .map(|(draw, rounds)| format!("{draw} in one of {rounds} rounds"))
        .collect();
    (!often.is_empty()).then(|| {
        format!(
            "two people have to acknowledge a link that draws {} or more often",
            often.join(" or ")
        )
    })
}

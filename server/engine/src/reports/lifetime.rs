//! The lifetime meters of a link.

use meterhouse_domain::ids::LinkName;
use meterhouse_domain::lifetime::Lifetime;
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_domain::state::LinkState;

use crate::answer::NotExecuted;
use crate::context::Engine;
use crate::reports::sums::{FIXED, too_much};
use crate::view::{LevelMeter, LifetimeView, LineMeter, PoolMeter};

impl Engine {
    /// Returns the totals of a link since it was opened.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link or the database can't confirm the state.
    pub async fn lifetime(&self, link: &LinkName) -> Result<LifetimeView, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        let (terms, lifetime) = (&known.state.terms, &known.state.lifetime);
        let coin_in = |wagers| terms.wager.times(wagers).map_err(|_| too_much());
        Ok(LifetimeView {
            link: terms.name.clone(),
            batch: known.batch,
            rounds: lifetime.rounds,
            wagers: lifetime.wagers,
            wagers_voided: lifetime.wagers_voided,
            coin_in: coin_in(lifetime.wagers)?,
            coin_in_voided: coin_in(lifetime.wagers_voided)?,
            pools: pools(&known.state),
            levels: levels(terms, lifetime),
            lines: lines(terms, lifetime),
        })
    }
}

fn pools(state: &LinkState) -> Vec<PoolMeter> {
    let lifetime = &state.lifetime;
    let levels = &state.terms.content().levels;
    let pool = |(index, share): (usize, &meterhouse_domain::link::Share)| {
        let at = |amounts: &[Money]| amounts.get(index).copied().unwrap_or(Money::ZERO);
        Some(PoolMeter {
            level: levels.get(share.book.index())?.name.clone(),
            account: share.account,
            contributed: at(lifetime.contributions.amounts()),
            voided: at(lifetime.contributions_voided.amounts()),
        })
    };
    state.shares.iter().enumerate().filter_map(pool).collect()
}

fn levels(terms: &LinkTerms, lifetime: &Lifetime) -> Vec<LevelMeter> {
    let names = terms
        .content()
        .levels
        .iter()
        .map(|level| level.name.as_str());
    let books = names.chain([FIXED]).zip(&lifetime.books);
    let level = |(name, counts): (&str, &meterhouse_domain::lifetime::BookCounts)| LevelMeter {
        name: name.to_owned(),
        machine_paid: Money::ZERO,
        attendant_paid: counts.attendant_paid,
        house_funded: counts.house_funded,
        overflow: counts.overflow,
        adjusted_up: counts.adjusted_up,
        adjusted_down: counts.adjusted_down,
        resets: counts.resets,
    };
    books.map(level).collect()
}

/// Returns the lines, with those bonuses that the paytable offers.
fn lines(terms: &LinkTerms, lifetime: &Lifetime) -> Vec<LineMeter> {
    let content = terms.content();
    let hands = content.lines.iter().map(|line| Some(line.hand.to_string()));
    let bonuses = [
        content.magic_card.map(|_| "magic_card".to_owned()),
        content.lucky_bonus.map(|_| "lucky_bonus".to_owned()),
    ];
    let named = hands.chain(bonuses).zip(lifetime.lines.iter());
    let line = |(name, counts): (Option<String>, &meterhouse_domain::lifetime::LineCounts)| {
        Some(LineMeter {
            name: name?,
            hits: counts.hits,
            due: counts.due,
        })
    };
    named.filter_map(line).collect()
}

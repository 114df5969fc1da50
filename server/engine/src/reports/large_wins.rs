//! The large wins: hits that pay a player at least a threshold, with everybody who entered, decided and paid them.
//!
//! # Shape
//! A player's amount is the sum of all payouts of one hit to this player: line, bonus, envy and supplements. A player
//! without a name is a seat. The stored rows are selected by their amounts, and each is compared with the journal.
//!
//! # Limits
//! [`LARGE_WINS_MAX`] hits. A period with more is refused.

use meterhouse_domain::ids::{HitOrder, LinkName};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_store::{Entered, HITS_MAX, LargeHits};

use crate::answer::{NotExecuted, unavailable};
use crate::context::Engine;
use crate::reports::sums::too_much;
use crate::view::{HitView, LargeWin, LargeWinFilter, LargeWinsView, WinningPlayer};

/// Maximum number of hits in one report: ten reads of the store, each compared with the journal.
const LARGE_WINS_MAX: usize = 2_000;

impl Engine {
    /// Returns the hits of a period that pay a player at least one of two thresholds. Hits that were cancelled or rejected,
    /// or whose round is void, are left out.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link, the period has too many large wins or archived ones, or the database can't
    /// be queried.
    pub async fn large_wins(
        &self,
        link: &LinkName,
        filter: LargeWinFilter,
    ) -> Result<LargeWinsView, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let terms = self.context.registry.terms(id).await?;
        let mut wins = Vec::new();
        let mut after = HitOrder(0);
        loop {
            let asked = LargeHits {
                after,
                entered: Entered {
                    from: filter.from,
                    to: filter.to,
                },
                amount: filter.threshold.min(filter.tax_threshold),
            };
            let found = self.context.store.large_hits(id, asked).await;
            let found = found.map_err(unavailable)?;
            let is_full = found.len() == HITS_MAX;
            let orders: Vec<u64> = found.iter().map(|found| found.hit.hit_order).collect();
            let (checked, archived) = self.hit_reader().check_page(found).await?;
            for hit in checked {
                wins.extend(win(self.hit_view(hit).await?, &filter)?);
            }
            if wins.len() > LARGE_WINS_MAX {
                let refusal = Refusal::new(RefusalCode::OutOfRange);
                let refusal = refusal.with("wins", format_args!("more than {LARGE_WINS_MAX}"));
                let advice =
                    "ask for a shorter period with from and to, or for a greater threshold";
                return Err(NotExecuted::Refused(refusal.with("period", advice)));
            }
            // The page behind the live hits is refused, because its first hit is archived.
            let last = match archived {
                Some(index) => orders.get(index.saturating_sub(1)),
                None => orders.last().filter(|_| is_full),
            };
            let Some(last) = last else {
                break;
            };
            after = HitOrder(*last);
        }
        Ok(LargeWinsView {
            link: terms.name.clone(),
            wins,
        })
    }
}

/// Returns a hit as a large win. Returns nothing if the journal has smaller amounts than the row that was selected.
fn win(hit: HitView, filter: &LargeWinFilter) -> Result<Option<LargeWin>, NotExecuted> {
    let mut players: Vec<WinningPlayer> = Vec::new();
    for (payout, row) in hit.payouts.iter().zip(&hit.row.payouts) {
        let paid = if row.paid_at.is_some() {
            payout.amount
        } else {
            Money::ZERO
        };
        let seat = payout.seat.0;
        let is_same = |known: &&mut WinningPlayer| match (&payout.player, &known.player) {
            (None, None) => known.seats.contains(&seat),
            (one, other) => one == other,
        };
        if let Some(known) = players.iter_mut().find(is_same) {
            known.amount = known.amount.plus(payout.amount).map_err(|_| too_much())?;
            known.paid = known.paid.plus(paid).map_err(|_| too_much())?;
            if !known.seats.contains(&seat) {
                known.seats.push(seat);
            }
        } else {
            players.push(WinningPlayer {
                player: payout.player.clone(),
                seats: vec![seat],
                amount: payout.amount,
                paid,
                large: false,
                tax_form: false,
            });
        }
    }
    for player in &mut players {
        player.large = player.amount >= filter.threshold;
        player.tax_form = player.amount >= filter.tax_threshold;
    }
    let is_large = players.iter().any(|player| player.large || player.tax_form);
    Ok(is_large.then_some(LargeWin { hit, players }))
}

//! The only module that draws random numbers, for the rounds of links that draw something.
//!
//! # Shape
//! The numbers come from the operating system's secure generator (§ 657a.12(f)(3)), or from a simulation. Only coin-ins
//! of links that draw use random numbers.

use std::sync::Arc;

use meterhouse_domain::command::TableCommand;
use meterhouse_domain::draw::{Entropy, draw, draws_anything};
use meterhouse_domain::event::Draws;
use meterhouse_domain::state::{LinkState, Table};
use rand::TryRng as _;

/// A source of random numbers. Returns `None` if the system supplies none; then nothing is drawn or counted.
pub(crate) type EntropySource = Arc<dyn Fn() -> Option<Entropy> + Send + Sync>;

/// Returns random numbers of the operating system.
pub(crate) fn system() -> Option<Entropy> {
    let mut entropy = Entropy::default();
    for number in &mut entropy {
        match rand::rngs::SysRng.try_next_u64() {
            Ok(drawn) => *number = drawn,
            Err(error) => {
                tracing::error!(%error, "the operating system gives no random numbers");
                return None;
            }
        }
    }
    Some(entropy)
}

/// Returns the draws for a command, which are empty except for coin-ins of links that draw. Returns `None` if nothing
/// can be drawn.
pub(crate) fn draws_for(
    state: &LinkState,
    table: &Table,
    command: &TableCommand,
    entropy: &EntropySource,
) -> Option<Draws> {
    if !matches!(command, TableCommand::CoinIn(_)) || !draws_anything(&state.terms) {
        return Some(Draws::default());
    }
    let dealer = table.takes_dealer_wagers(&state.terms);
    entropy().map(|numbers| draw(&state.terms, table.seats, dealer, numbers))
}

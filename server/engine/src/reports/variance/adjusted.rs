//! Adjustments with the reason "variance", by which two people added a shortfall (CONFORMANCE 60).
//!
//! # Limits
//! The proposals of the link, read in pages, newest first, so an approval is read before its proposal. A link without
//! adjustments needs no query.

use meterhouse_journal::position::Position;
use std::collections::HashMap;

use meterhouse_domain::change::{AdjustedAccount, Change, Effect};
use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{LinkId, Note, ProposalId};
use meterhouse_domain::link::{Account, Book};
use meterhouse_domain::money::Money;
use meterhouse_domain::state::LinkState;
use meterhouse_journal::kind::{CHANGE_APPROVED, CHANGE_PROPOSED};
use meterhouse_store::NOTABLE_MAX;

use crate::answer::{NotExecuted, unavailable};
use crate::context::Engine;
use crate::stored_rows::event_of;

/// The first word of the reason of an adjustment that counts as booked.
const REASON: &str = "variance";

/// The adjusted amounts by account.
#[derive(Default)]
pub(super) struct Adjusted(HashMap<(Book, Account), i128>);

impl Adjusted {
    /// Returns the amount added to an account, if it is in the range of money.
    pub(super) fn of(&self, book: Book, account: Account) -> Option<Money> {
        let sum = self.0.get(&(book, account)).copied().unwrap_or_default();
        i64::try_from(sum).ok().map(Money::from_micros)
    }
}

impl Engine {
    /// Reads the adjustments for a variance up to a batch.
    pub(super) async fn adjusted_for_variance(
        &self,
        link: LinkId,
        state: &LinkState,
        through: u64,
    ) -> Result<Adjusted, NotExecuted> {
        let mut adjusted = Adjusted::default();
        let counts = state.lifetime.books.iter();
        let mut of_books = counts.flat_map(|book| [book.adjusted_up, book.adjusted_down]);
        if of_books.all(|amount| amount == Money::ZERO) {
            return Ok(adjusted);
        }
        let kinds = &[CHANGE_PROPOSED, CHANGE_APPROVED];
        let mut approved: HashMap<ProposalId, i128> = HashMap::new();
        let mut before = Position::behind(through);
        loop {
            let store = &self.context.store;
            let page = store.notable(link, kinds, Some(before), NOTABLE_MAX);
            let page = page.await.map_err(unavailable)?;
            for happening in &page {
                match event_of(happening)? {
                    Event::ChangeApproved {
                        proposal, effect, ..
                    } => {
                        if let Effect::Adjusted { before, after, .. } = effect.as_ref() {
                            let moved = i128::from(after.micros()) - i128::from(before.micros());
                            approved.insert(proposal, moved);
                        }
                    }
                    Event::ChangeProposed { propose, .. } if is_for_variance(&propose.reason) => {
                        let moved = approved.remove(&propose.proposal);
                        if let (Some(moved), Change::Adjust { level, account, .. }) =
                            (moved, &propose.change)
                        {
                            let position = (Book(*level), account_of(*account));
                            *adjusted.0.entry(position).or_default() += moved;
                        }
                    }
                    _ => {}
                }
            }
            match page.last() {
                Some(last) if page.len() == NOTABLE_MAX => before = last.position,
                Some(_) | None => return Ok(adjusted),
            }
        }
    }
}

/// Returns the account of a balance that two people may adjust.
pub(crate) const fn account_of(account: AdjustedAccount) -> Account {
    match account {
        AdjustedAccount::Meter => Account::Meter,
        AdjustedAccount::Reserve => Account::Reserve,
    }
}

/// Returns `true` if the first word of a reason is "variance", in any case.
fn is_for_variance(reason: &Note) -> bool {
    let mut words = reason
        .as_str()
        .split(|letter: char| !letter.is_alphanumeric());
    words
        .find(|word| !word.is_empty())
        .is_some_and(|word| word.eq_ignore_ascii_case(REASON))
}

#[cfg(test)]
mod tests {
    use super::is_for_variance;

    #[test]
    fn the_first_word_of_the_reason_counts() {
        for (reason, expected) in [
            ("variance", true),
            ("Variance: coin-in of 14 March", true),
            ("(variance)", true),
            ("variances", false),
            ("no variance", false),
            ("counted again", false),
        ] {
            let reason_of = reason.parse().expect("a note");
            assert_eq!(is_for_variance(&reason_of), expected, "{reason}");
        }
    }
}

//! A stored hit with everything that decides it, and pages of such hits.

use meterhouse_api::hit::{Hit, Payment, Payout};
use meterhouse_api::hit_detail::{HandEvaluation, HitDetail, HitPage};
use meterhouse_api::text::Text;
use meterhouse_api::values::Card;
use meterhouse_domain::card;
use meterhouse_domain::hand::{Hand, evaluate};
use meterhouse_domain::ids::Timestamp;
use meterhouse_domain::link::LinkTerms;
use meterhouse_engine::view::{HitCursor, HitView, JournalEntry, Page};
use meterhouse_journal::hit::{HitRow, PayoutRow};

use super::event::journal_entry;
use super::hit::{decided_payout, hit_summary};
use super::names::Names;
use super::value::{amount, hit_cursor_text};

/// Returns a hit with everything that decides it. With the terms of its link, the cards are evaluated.
pub(crate) fn hit_detail(view: &HitView, terms: Option<&LinkTerms>) -> HitDetail {
    let row = &view.row;
    HitDetail {
        hit: Hit {
            summary: hit_summary(view),
            cards: row.cards.as_deref().map(stored_cards),
            before: row.before.map(amount),
            after: row.after.map(amount),
            payouts: stored_payouts(view),
        },
        link: Text(view.link.clone()),
        validated_cards: row.validated_cards.as_deref().map(stored_cards),
        evaluation: terms.and_then(|terms| hand_evaluation(terms, row)),
        keyed_by: row.keyed_by.clone(),
        keyed_at: Text(Timestamp(row.keyed_at)),
        decided_by: row.decided_by.clone(),
        decided_at: row.decided_at.map(|at| Text(Timestamp(at))),
        note: row.note.clone(),
        entries: None,
    }
}

/// Returns a hit with the journal's entries that moved its money.
pub(crate) fn hit_with_entries(
    detail: HitDetail,
    names: Names<'_>,
    entries: &[JournalEntry],
) -> HitDetail {
    let entries = entries.iter().map(|entry| journal_entry(names, entry));
    HitDetail {
        entries: Some(entries.collect()),
        ..detail
    }
}

/// Returns a page of hits.
pub(crate) fn hit_page(page: &Page<HitView, HitCursor>) -> HitPage {
    HitPage {
        hits: page
            .items
            .iter()
            .map(|view| hit_detail(view, None))
            .collect(),
        more: page.next.is_some(),
        next: page.next.map(hit_cursor_text),
    }
}

/// Returns the payouts of a stored hit, with the names of the people who paid them.
fn stored_payouts(view: &HitView) -> Vec<Payout> {
    let paid_by = view.paid_by.iter().map(Option::as_ref);
    let paid_by = paid_by.chain(core::iter::repeat(None));
    let payouts = view.payouts.iter().zip(&view.row.payouts).zip(paid_by);
    payouts
        .map(|((payout, row), by)| Payout {
            payment: Some(payment(row, by)),
            ..decided_payout(row.number, payout)
        })
        .collect()
}

fn payment(row: &PayoutRow, by: Option<&String>) -> Payment {
    let document = row.document.as_deref();
    Payment {
        paid: row.paid_at.is_some(),
        at: row.paid_at.map(|at| Text(Timestamp(at))),
        by: by.cloned(),
        document: document.and_then(|text| text.parse().ok()),
    }
}

/// Returns the server's evaluation of the newest cards, if there are any.
fn hand_evaluation(terms: &LinkTerms, row: &HitRow) -> Option<HandEvaluation> {
    let text = row.validated_cards.as_ref().or(row.cards.as_ref())?;
    let entered = row.hand?;
    let cards: Vec<card::Card> = stored_cards(text).into_iter().map(|card| card.0).collect();
    let ranking = terms.content().ranking;
    let found = evaluate(ranking, &cards)?.hand();
    Some(HandEvaluation {
        ranking: Text(ranking),
        hand: Text(found),
        agrees: Hand::from_code(entered) == Some(found),
    })
}

/// Returns the cards of a stored text: `As Ks`.
pub(crate) fn stored_cards(text: &str) -> Vec<Card> {
    let words = text.split_whitespace();
    words.filter_map(|word| word.parse().ok()).collect()
}

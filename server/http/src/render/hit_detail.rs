//! A stored hit with everything that decides it, and pages of such hits.

use meterhouse_api::hit::{Hit, Payment, Payout};
use meterhouse_api::hit_detail::{HandEvaluation, HitDetail, HitPage};
use meterhouse_api::text::Text;
use meterhouse_domain::hand::evaluate;
use meterhouse_domain::ids::{Document, Timestamp};
use meterhouse_domain::link::LinkTerms;
use meterhouse_engine::view::{HitCursor, HitView, JournalEntry, Page};
use meterhouse_journal::hit::PayoutRow;

use super::event::journal_entry;
use super::hit::{decided_payout, hit_summary};
use super::names::Names;
use super::value::{amount, cards, hit_cursor_text};

/// Returns a hit with everything that decides it. With the terms of its link, the cards are evaluated.
pub(crate) fn hit_detail(view: &HitView, terms: Option<&LinkTerms>) -> HitDetail {
    let row = &view.row;
    HitDetail {
        hit: Hit {
            summary: hit_summary(view),
            cards: view.cards.as_deref().map(cards),
            before: row.before.map(amount),
            after: row.after.map(amount),
            payouts: stored_payouts(view),
        },
        link: Text(view.link.clone()),
        validated_cards: view.validated_cards.as_deref().map(cards),
        evaluation: terms.and_then(|terms| hand_evaluation(terms, view)),
        keyed_by: view.keyed_by().map(str::to_owned),
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
    let payments = view.row.payouts.iter().zip(&view.documents);
    let payments = payments.zip(&view.paid_by);
    let payouts = view.payouts.iter().zip(payments);
    payouts
        .map(|(payout, ((row, document), by))| Payout {
            payment: Some(payment(row, document.clone(), by.clone())),
            ..decided_payout(row.number, payout)
        })
        .collect()
}

fn payment(row: &PayoutRow, document: Option<Document>, by: Option<String>) -> Payment {
    Payment {
        paid: row.paid_at.is_some(),
        at: row.paid_at.map(|at| Text(Timestamp(at))),
        by,
        document: document.map(Text),
    }
}

/// Returns the server's evaluation of the newest cards, if there are any.
fn hand_evaluation(terms: &LinkTerms, view: &HitView) -> Option<HandEvaluation> {
    let cards = view.validated_cards.as_ref().or(view.cards.as_ref())?;
    let entered = view.hand?;
    let ranking = terms.content().ranking;
    let found = evaluate(ranking, cards)?.hand();
    Some(HandEvaluation {
        ranking: Text(ranking),
        hand: Text(found),
        agrees: entered == found,
    })
}

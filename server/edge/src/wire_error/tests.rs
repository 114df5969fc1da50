//! Every code has one row, and each row is complete.

use super::*;

#[test]
fn every_code_has_one_row_and_both_tables_agree_where_they_share_a_code() {
    let rows = rows();
    let shared = EdgeCode::ALL
        .iter()
        .filter(|edge| {
            RefusalCode::ALL
                .iter()
                .any(|refusal| refusal.name() == edge.code())
        })
        .copied()
        .collect::<Vec<_>>();
    assert_eq!(shared, [EdgeCode::UnknownHit, EdgeCode::UnknownProposal]);
    assert_eq!(
        rows.len(),
        EdgeCode::ALL.len() + RefusalCode::ALL.len() - shared.len()
    );
    for (edge, refusal) in [
        (EdgeCode::UnknownHit, RefusalCode::UnknownHit),
        (EdgeCode::UnknownProposal, RefusalCode::UnknownProposal),
    ] {
        let (edge, refusal) = (of_edge(edge), of_refusal(refusal));
        assert_eq!((edge.status, edge.title), (refusal.status, refusal.title));
    }
}

#[test]
fn only_refusals_by_the_rules_are_journaled() {
    for row in rows() {
        assert_eq!(
            row.journaled == Journaled::No,
            row.status != UNPROCESSABLE || has_no_journal(&row)
        );
    }
}

/// Returns `true` for a refusal at the opening of a link and for a level that no paytable has.
/// Neither reaches a journal.
fn has_no_journal(row: &Row) -> bool {
    let opening = [
        "envy_not_filed",
        "share_not_exact",
        "policy_needs_reseed",
        "ceiling_too_low",
        "too_many_decks",
        "line_not_decided",
        "incomplete_paytable",
        "inferred_not_confirmed",
        "seed_below_minimum",
    ];
    // Clearances of exceptions, heads of other houses and subscriptions to notices are kept beside the journals. A round of
    // fixed wagers is settled without one.
    let beside = [
        "caused_by_caller",
        "head_not_signed",
        "own_head",
        "unknown_signing_key",
        "push_endpoint_refused",
        "round_refused",
    ];
    let others = [&opening[..], &beside, &["no_such_level"]].concat();
    others.contains(&row.code)
}

#[test]
fn every_row_has_a_status_of_grpc() {
    for row in rows() {
        assert_ne!(row.grpc_code(), GRPC_UNKNOWN, "{row:?}");
    }
    let code = |code: EdgeCode| of_edge(code).grpc_code();
    assert_eq!(code(EdgeCode::SequenceGap), 10);
    assert_eq!(code(EdgeCode::Busy), 14);
    assert_eq!(code(EdgeCode::Unauthenticated), 16);
}

#[test]
fn titles_and_advice_are_sentences_without_a_full_stop() {
    for row in rows() {
        assert!(
            !row.title.is_empty() && !row.title.ends_with('.'),
            "{row:?}"
        );
        assert!(
            !row.advice.is_empty() && !row.advice.ends_with('.'),
            "{row:?}"
        );
    }
}

//! The hits that the controller remembers, and the waits for decisions.

use super::*;
use crate::command::Holder;
use crate::money::Money;
use crate::outbox::Contents;
use crate::outcome::HitKind;
use crate::round::Round;
use crate::status::LinkState;
use crate::values::{Seat, Sequence};

fn hit(number: u64, state: HitState) -> RoundHit {
    RoundHit {
        hit: name(number),
        round: Sequence::new(1).expect("a number"),
        order: number,
        kind: HitKind::Line,
        holder: Holder::Seat(Seat(3)),
        hand: None,
        state,
        level: None,
        percent: None,
        due: Money::dollars(40),
        envy_due: Money::dollars(0),
        payouts: Vec::new(),
    }
}

fn name(number: u64) -> HitName {
    format!("T-1.{number}").parse().expect("a name")
}

fn standing(batch: u64, hits: Vec<RoundHit>, closed_hits: Vec<RoundHit>) -> Standing {
    let round = (!hits.is_empty()).then(|| {
        Box::new(Round {
            sequence: Sequence::new(1).expect("a number"),
            seats: Vec::new(),
            dealer_seats: Vec::new(),
            dealt: Vec::new(),
            folded: Vec::new(),
            magic_card: None,
            lucky_position: None,
            players: Vec::new(),
            hits,
        })
    });
    Standing {
        link_state: LinkState::Open,
        reason: String::new(),
        disabled: Vec::new(),
        is_lost: false,
        open_round: None,
        displayed: Vec::new(),
        batch,
        round,
        closed_hits,
        table_state: crate::TableState::InService,
        table_reason: String::new(),
    }
}

fn pair() -> (HitRecorder, Decisions, Arc<InFlight>) {
    let in_flight = Arc::new(InFlight::new(Contents::default()));
    let (recorder, decisions) = HitRecorder::pair(Arc::clone(&in_flight));
    (recorder, decisions, in_flight)
}

#[tokio::test]
async fn an_older_standing_does_not_undo_a_decision() {
    let (recorder, decisions, _board) = pair();
    let first = name(2);
    let waiting = decisions.wait_for(&first);
    let recording = async {
        recorder.record(
            &standing(7, vec![hit(2, HitState::Pending)], Vec::new()),
            &[],
        );
        recorder.record(
            &standing(9, vec![hit(2, HitState::Validated)], Vec::new()),
            &[],
        );
        recorder.record(
            &standing(8, vec![hit(2, HitState::Pending)], Vec::new()),
            &[],
        );
    };
    let (decided, ()) = tokio::join!(waiting, recording);
    assert_eq!(decided.expect("decided").state, HitState::Validated);
    let missing = decisions.wait_for(&name(3)).await.expect_err("no such hit");
    assert!(missing.to_string().contains("ask the floor"), "{missing}");
}

#[tokio::test]
async fn a_pending_hit_that_vanishes_is_void() {
    let (recorder, decisions, _board) = pair();
    recorder.record(
        &standing(7, vec![hit(2, HitState::Pending)], Vec::new()),
        &[],
    );
    recorder.record(&standing(8, Vec::new(), Vec::new()), &[]);
    let decided = decisions.wait_for(&name(2)).await.expect("decided");
    assert_eq!(decided.state, HitState::Void);
}

#[tokio::test]
async fn hits_of_earlier_standings_are_bounded() {
    let (recorder, decisions, _board) = pair();
    let many = 3 * EARLIER_HITS_MAX as u64;
    for number in 1..=many {
        recorder.record(
            &standing(number, Vec::new(), vec![hit(number, HitState::Paid)]),
            &[],
        );
    }
    assert_eq!(decisions.hits.borrow().hits.len(), EARLIER_HITS_MAX + 1);
    assert!(decisions.wait_for(&name(many - 1)).await.is_ok());
    assert!(decisions.wait_for(&name(1)).await.is_err());
}

#[tokio::test]
async fn closing_ends_the_wait_for_a_decision() {
    let (_noted, decisions, in_flight) = pair();
    let first = name(2);
    let (ended, ()) = tokio::join!(decisions.wait_for(&first), async { in_flight.close() });
    assert!(matches!(ended, Err(DecisionError::Closed)), "{ended:?}");
}

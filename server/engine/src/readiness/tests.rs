//! Tests of the judgements on newer schemas and on clocks outside the journal's months.

use super::*;

/// November 2026.
const NOVEMBER: i32 = MONTHS * 2_026 + 10;

fn versions() -> Vec<i64> {
    vec![20_261_121_100_000]
}

#[test]
fn a_node_goes_on_beside_a_newer_release_and_beside_no_other_schema() {
    let state = |migrated| schema(migrated).state;
    assert_eq!(state(MigrationState::Current), CheckState::Ok);
    let versions = versions();
    let expanded = MigrationState::Expanded {
        versions: versions.clone(),
    };
    assert_eq!(state(expanded), CheckState::Ok);
    let unknown = MigrationState::Unknown {
        versions: versions.clone(),
    };
    assert_eq!(state(unknown), CheckState::Failed);
    let behind = MigrationState::Behind {
        missing: versions.clone(),
    };
    assert_eq!(state(behind), CheckState::Failed);
    assert_eq!(
        state(MigrationState::Changed { versions }),
        CheckState::Failed
    );
}

#[test]
fn a_clock_outside_the_journals_months_is_reported() {
    let periods: Vec<i32> = (NOVEMBER..NOVEMBER + 4).collect();
    let states = |now, newest, periods: &[i32]| {
        let [periods, clock] = months(now, newest, periods, 0);
        (periods.state, clock.state)
    };
    let well = (CheckState::Ok, CheckState::Ok);
    assert_eq!(states(NOVEMBER, None, &periods), well);
    assert_eq!(states(NOVEMBER, Some(NOVEMBER), &periods), well);
    assert_eq!(states(NOVEMBER + 1, Some(NOVEMBER), &periods), well);
    // Set back: batches are stored in the newest month, and play continues.
    let back = states(MONTHS * 1_970, Some(NOVEMBER), &periods);
    assert_eq!(back, (CheckState::Ok, CheckState::Degraded));
    // Set ahead: the months in between have no partition.
    let mut leapt = periods.clone();
    leapt.extend(NOVEMBER + 60..NOVEMBER + 64);
    let ahead = states(NOVEMBER + 60, Some(NOVEMBER), &leapt);
    assert_eq!(ahead, (CheckState::Ok, CheckState::Degraded));
    // Without a partition nothing can be written.
    let outside = states(MONTHS * 3_500, Some(NOVEMBER), &periods);
    assert_eq!(outside, (CheckState::Failed, CheckState::Degraded));
    let last = states(NOVEMBER + 3, Some(NOVEMBER), &periods);
    assert_eq!(last, (CheckState::Degraded, CheckState::Ok));
    let [_, clock] = months(MONTHS * 1_970, Some(NOVEMBER), &periods, 0);
    assert_eq!(
        clock.detail,
        "the clock says 1970-01, the journal's newest entry is of 2026-11: set the clock right"
    );
}

/// The time of the query is no difference, and up to ten seconds are none that an operator has to correct.
#[test]
fn a_clock_that_differs_from_the_databases_is_reported() {
    let difference = |before, clock, after| {
        clock_difference(Timestamp(before), Timestamp(clock), Timestamp(after))
    };
    assert_eq!(difference(100, 100, 300), 0);
    assert_eq!(difference(100, 300, 300), 0);
    assert_eq!(difference(100, 40, 300), 60, "this machine is ahead");
    assert_eq!(difference(100, 340, 300), -40, "this machine is behind");
    let [at, hour] = [10_000_000, 3_600_000_000];
    let judged = |ahead| {
        let [_, clock] = months(NOVEMBER, Some(NOVEMBER), &[NOVEMBER, NOVEMBER + 1], ahead);
        (clock.state, clock.detail)
    };
    for allowed in [0, at, -at] {
        assert_eq!(judged(allowed).0, CheckState::Ok);
    }
    for (ahead, side) in [(hour, "3600 s ahead of"), (-hour, "3600 s behind")] {
        let (state, detail) = judged(ahead);
        assert_eq!(state, CheckState::Degraded);
        let expected = format!("this machine's clock is {side} the database's: set both right");
        assert!(detail.starts_with(&expected), "{detail}");
    }
    assert_eq!(judged(at + 1).0, CheckState::Degraded);
}

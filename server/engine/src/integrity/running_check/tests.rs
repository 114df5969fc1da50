//! Tests of the running check: the differences it finds, and the states it accepts.

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::batch::ChainHash;
use meterhouse_store::{BatchEnd, HeadRow, RunningCheck};

use super::{CheckProgress, fits};

const HASH: ChainHash = ChainHash([7; 32]);

fn end(batch: u64, after: &[i64]) -> BatchEnd {
    BatchEnd {
        batch,
        after: after.to_vec(),
        chain_hash: HASH,
    }
}

/// Batches 4 and 5 after batch 3, each of which moved 5 from one account to the other.
fn whole() -> RunningCheck {
    RunningCheck {
        head: HeadRow {
            link: LinkId(1),
            batch: 5,
            epoch: 1,
            chain_hash: HASH,
            period: 1,
            status: 1,
            balances: vec![-15, 15],
        },
        head_hash: HASH,
        last: Some(end(5, &[-15, 15])),
        since: Some(end(3, &[-10, 10])),
        through: 5,
        end: Some(end(5, &[-15, 15])),
        batches: 2,
        moved: vec![-5, 5],
    }
}

/// Proves CONFORMANCE 45, the part of what a mismatch is: each kind of inconsistent rows is found and named.
#[test]
fn a_difference_is_found_and_named() {
    type Damage = fn(&mut RunningCheck);
    let cases: [(&str, Damage); 8] = [
        ("behind batch 3", |check| check.head.batch = 2),
        ("which the head names, is missing", |check| {
            check.last = None;
        }),
        ("the head's balances differ", |check| {
            check.head.balances[1] = 16;
        }),
        ("another hash", |check| check.head_hash = ChainHash([8; 32])),
        ("1 of the batches after 3 up to 5 are missing", |check| {
            check.batches = 1;
        }),
        ("batch 3 is missing", |check| check.since = None),
        ("are not those after batch 3 and what was added", |check| {
            check.moved = vec![-4, 4];
        }),
        ("are not those after batch 3 and what was added", |check| {
            check.since = Some(end(3, &[-10]));
        }),
    ];
    assert_eq!(fits(&whole(), 3), Ok(()));
    for (what, damage) in cases {
        let mut check = whole();
        damage(&mut check);
        let found = fits(&check, 3).expect_err(what);
        assert!(found.contains(what), "{found}");
    }
}

#[test]
fn a_check_from_the_opening_needs_no_batch_before() {
    let mut check = whole();
    check.since = None;
    check.through = 1;
    check.head.batch = 1;
    check.batches = 1;
    for end in [&mut check.last, &mut check.end] {
        *end = Some(BatchEnd {
            batch: 1,
            after: vec![-15, 15],
            chain_hash: HASH,
        });
    }
    check.moved = vec![-15, 15];
    assert_eq!(fits(&check, 0), Ok(()));
    // No batch since the last check.
    check.since = check.last.clone();
    check.batches = 0;
    check.moved = Vec::new();
    assert_eq!(fits(&check, 1), Ok(()));
}

/// Batches that one query reads, in these tests.
const QUERY_BATCHES: u64 = 100;

/// Returns the stored rows of a link after `since`. Each batch moves 1, and the head is at `head`.
fn stored(head: u64, since: u64) -> RunningCheck {
    let through = head.min(since + QUERY_BATCHES);
    let of = |batch: u64| {
        let sum = i64::try_from(batch).expect("a small number");
        end(batch, &[-sum, sum])
    };
    let moved = i64::try_from(through - since).expect("a small number");
    RunningCheck {
        head: HeadRow {
            batch: head,
            balances: of(head).after,
            ..whole().head
        },
        last: Some(of(head)),
        since: (since > 0).then(|| of(since)),
        through,
        end: Some(of(through)),
        batches: through - since,
        moved: vec![-moved, moved],
        ..whole()
    }
}

/// Sums a growing link of 250 batches from its opening. Returns the progress and the result of each step.
fn summed(damage: impl Fn(u64, &mut RunningCheck)) -> (CheckProgress, Vec<Result<(), String>>) {
    let mut checked = CheckProgress::begin(250);
    let mut found = Vec::new();
    while let Some(since) = checked.oldest_since() {
        let mut read = stored(300, since);
        damage(since, &mut read);
        found.push(checked.step(&read));
        if found.last().is_some_and(Result::is_err) {
            break;
        }
    }
    (checked, found)
}

/// Proves CONFORMANCE 44, the part of the sum: the sum advances from the opening to the batch at which the link was
/// loaded. Later batches are summed when they are added.
#[test]
fn the_whole_ledger_is_summed_in_steps() {
    let (checked, found) = summed(|_, _| {});
    assert_eq!(found, [Ok(()), Ok(()), Ok(())]);
    assert_eq!((checked.from_opening, checked.oldest_since()), (300, None));
    assert_eq!((checked.through, checked.newest_since()), (250, 250));
    assert_eq!((checked.summed(), checked.unsummed()), (250, 0));
    // A link that was just opened is one batch, and one step.
    let mut opened = CheckProgress::begin(1);
    assert_eq!(opened.step(&stored(1, 0)), Ok(()));
    assert_eq!(opened.oldest_since(), None);
}

/// Proves CONFORMANCE 44 and 45: a wrong sum is found in its step, however old it is, and the sum advances no further.
#[test]
fn an_old_difference_is_found_in_its_step() {
    let changed = |since: u64, read: &mut RunningCheck| {
        if since == 100 {
            read.moved = vec![-99, 99];
        }
    };
    let missing = |since: u64, read: &mut RunningCheck| {
        if since == 100 {
            read.batches = 99;
        }
    };
    let differs = "the balances after batch 200 are not those after batch 100 and what was added";
    let lacks = "1 of the batches after 100 up to 200 are missing";
    for ((checked, found), reason) in [(summed(changed), differs), (summed(missing), lacks)] {
        assert_eq!(found, [Ok(()), Err(reason.to_owned())]);
        assert_eq!(checked.oldest_since(), Some(100));
        assert_eq!((checked.summed(), checked.unsummed()), (100, 150));
    }
}

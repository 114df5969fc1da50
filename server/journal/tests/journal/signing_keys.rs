//! Entries of the house's chain about signing keys: read back, and refused with any other bytes.

use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::house::{HouseEntry, HouseFact, Vouched, key_statement};
use meterhouse_journal::signing_keys::SigningKeys;
use meterhouse_journal::tree_head::{PublicKey, SigningKey};

const AT: Timestamp = Timestamp(1_732_190_400_000_000);

fn entry(fact: &HouseFact) -> HouseEntry {
    HouseEntry {
        number: 1,
        at: AT,
        kind: fact.kind(),
        body: fact.body(false),
    }
}

fn facts() -> Vec<HouseFact> {
    let (old, new) = (SigningKey::new(&[1; 32]), SigningKey::new(&[2; 32]));
    let statement = key_statement(&[0x5a; 16], new.public(), AT);
    let vouched = Vouched {
        by: old.public(),
        signature: old.sign(&statement),
    };
    assert!(vouched.by.verifies(&statement, &vouched.signature));
    let introduced = |vouched| HouseFact::SigningKey {
        key: new.public(),
        introduced_at: AT,
        vouched,
    };
    let ended = |compromised_since| HouseFact::SigningKeyEnded {
        key: old.public(),
        ended_at: AT,
        compromised_since,
    };
    vec![
        introduced(None),
        introduced(Some(vouched)),
        ended(None),
        ended(Some(Timestamp(AT.0 - 5))),
    ]
}

#[test]
fn the_bodies_are_read_back() {
    let lengths: Vec<usize> = facts().iter().map(|fact| fact.body(false).len()).collect();
    assert_eq!(lengths, [42, 138, 42, 50]);
    for fact in facts() {
        let mut entry = entry(&fact);
        assert_eq!(entry.key_fact(), Ok(Some(fact)));
        entry.body.push(0);
        entry.key_fact().unwrap_err();
        entry.body.truncate(41);
        entry.key_fact().unwrap_err();
        entry.kind = 2;
        assert_eq!(entry.key_fact(), Ok(None));
    }
}

const IDENTITY: [u8; 16] = [0x5a; 16];

/// The time `seconds` after the first introduction.
const fn at(seconds: i64) -> Timestamp {
    Timestamp(AT.0 + seconds * 1_000_000)
}

fn key(number: u8) -> SigningKey {
    SigningKey::new(&[number; 32])
}

fn introduced(new: u8, seconds: i64, by: Option<u8>) -> HouseFact {
    let statement = key_statement(&IDENTITY, key(new).public(), at(seconds));
    HouseFact::SigningKey {
        key: key(new).public(),
        introduced_at: at(seconds),
        vouched: by.map(|by| Vouched {
            by: key(by).public(),
            signature: key(by).sign(&statement),
        }),
    }
}

fn ended(old: u8, seconds: i64, compromised_since: Option<i64>) -> HouseFact {
    HouseFact::SigningKeyEnded {
        key: key(old).public(),
        ended_at: at(seconds),
        compromised_since: compromised_since.map(at),
    }
}

fn keys(facts: &[HouseFact]) -> SigningKeys {
    let mut keys = SigningKeys::default();
    for (number, fact) in (1..).zip(facts) {
        let entry = HouseEntry {
            number,
            ..entry(fact)
        };
        keys.add(&IDENTITY, &entry).unwrap();
    }
    keys
}

fn trusted(facts: &[HouseFact], given: &[u8]) -> Vec<PublicKey> {
    let given: Vec<PublicKey> = given.iter().map(|number| key(*number).public()).collect();
    keys(facts).trusted(&given).into_iter().collect()
}

fn sorted(numbers: &[u8]) -> Vec<PublicKey> {
    let mut keys: Vec<PublicKey> = numbers.iter().map(|number| key(*number).public()).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn trust_follows_the_signatures_of_earlier_keys() {
    let rotated = [
        introduced(1, 0, None),
        introduced(2, 10, Some(1)),
        ended(1, 10, None),
        introduced(3, 20, Some(2)),
        introduced(4, 30, None),
    ];
    assert_eq!(trusted(&rotated, &[1]), sorted(&[1, 2, 3]));
    assert_eq!(trusted(&rotated, &[2]), sorted(&[2, 3]));
    assert_eq!(trusted(&rotated, &[4]), sorted(&[4]));
    assert_eq!(trusted(&rotated, &[]), sorted(&[]));
    // A key that was ended vouches for nothing.
    let late = [
        introduced(1, 0, None),
        ended(1, 5, None),
        introduced(2, 306, Some(1)),
    ];
    assert_eq!(trusted(&late, &[1]), sorted(&[1]));
    // Neither does the signature over another statement.
    let mut forged = introduced(2, 10, Some(1));
    if let HouseFact::SigningKey { introduced_at, .. } = &mut forged {
        *introduced_at = at(11);
    }
    assert_eq!(
        trusted(&[introduced(1, 0, None), forged], &[1]),
        sorted(&[1])
    );
}

#[test]
fn a_compromised_key_vouches_for_nothing_since() {
    let facts = |since| {
        [
            introduced(1, 0, None),
            introduced(2, 10, Some(1)),
            ended(1, 40, Some(since)),
            introduced(3, 50, None),
        ]
    };
    // The thief introduced key 2.
    assert_eq!(trusted(&facts(9), &[1]), sorted(&[1]));
    assert_eq!(trusted(&facts(10), &[1]), sorted(&[1]));
    assert_eq!(trusted(&facts(11), &[1]), sorted(&[1, 2]));
    let keys = keys(&facts(11));
    let why = |number: u8, seconds| {
        let known = keys.find(key(number).public()).unwrap();
        known.why_not_at(at(seconds))
    };
    assert_eq!(why(1, 10), None);
    assert_eq!(why(1, 11), Some("was compromised by then"));
    assert_eq!(why(2, 400), None);
}

//! Entries of the house's chain about signing keys: read back, and refused with any other bytes.

use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::house::{HouseEntry, HouseFact, Vouched, key_statement};
use meterhouse_journal::tree_head::SigningKey;

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

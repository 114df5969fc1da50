//! The bytes of facts about the house.

use super::*;

fn actor(rights: Option<&str>) -> HouseFact {
    HouseFact::Actor {
        actor: ActorId(7),
        name: "cash".to_owned(),
        role: "supervisor".to_owned(),
        table: None,
        link: None,
        department: None,
        rights: rights.map(str::to_owned),
        created_at: Timestamp(1),
    }
}

/// An actor without rights of its own keeps kind 1 and its bytes; rights stand behind them, under a kind of their own.
#[test]
fn given_rights_are_another_kind() {
    let (all, fewer) = (actor(None), actor(Some("pay")));
    assert_eq!((all.kind(), fewer.kind()), (1, 5));
    let expected = [&all.body(false)[..], &[0, 0, 0, 3], b"pay"].concat();
    assert_eq!(fewer.body(false), expected);
}

/// The bytes of a cleared exception and of a signed day are those of section 9 of JOURNAL.
#[test]
fn closings_have_fixed_bytes() {
    let cleared = HouseFact::ExceptionCleared {
        link: LinkId(2),
        position: Position {
            batch: 12,
            index: 3,
        },
        actor: ActorId(7),
        cleared_at: Timestamp(5),
        reason: "seen".to_owned(),
    };
    let expected = concat!(
        "00",
        "00000002",
        "000000000000000c",
        "00000003",
        "00000007",
        "0000000000000005",
        "00000004",
        "7365656e"
    );
    assert_eq!(
        (cleared.kind(), digits(&cleared)),
        (13, expected.to_owned())
    );
    let signed = |note: Option<&str>| HouseFact::DaySigned {
        link: LinkId(2),
        day: 20_000,
        actor: ActorId(7),
        signed_at: Timestamp(5),
        note: note.map(str::to_owned),
        report: [0xab; HASH_BYTES],
    };
    let expected = |note: &str| {
        let head = "000000000200004e20000000070000000000000005";
        format!("{head}{note}{}", "ab".repeat(HASH_BYTES))
    };
    assert_eq!(signed(None).kind(), 14);
    assert_eq!(digits(&signed(None)), expected("ffffffff"));
    assert_eq!(digits(&signed(Some("ok"))), expected("000000026f6b"));
}

fn digits(fact: &HouseFact) -> String {
    let bytes = fact.body(false).into_iter();
    bytes.fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

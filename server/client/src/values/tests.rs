//! What is read, and what is not.

use super::{Badge, Card, Cards, Hand, HitName, Sequence, VoidReason};

/// Names as the server reads them.
#[test]
fn names_are_checked() {
    for name in ["d-12", "A", &"x".repeat(32)] {
        assert_eq!(name.parse::<Badge>().unwrap().as_str(), name);
    }
    for text in ["", "d 12", "d_12", "é", &"x".repeat(33)] {
        assert!(text.parse::<Badge>().is_err(), "{text}");
    }
}

/// Numbers from 1 to 2^63 - 1.
#[test]
fn numbers_are_bounded() {
    assert_eq!(Sequence::new(0), None);
    assert_eq!(Sequence::new(Sequence::MAX + 1), None);
    let last = Sequence::new(Sequence::MAX).unwrap();
    assert_eq!(last.next(), None);
    assert_eq!(Sequence::new(1).unwrap().next().unwrap().get(), 2);
}

/// Rank and suit, in either case; anything else is named in the error.
#[test]
fn cards_are_read() {
    let cards: Cards = "As td 2C".parse().unwrap();
    assert_eq!(cards.texts(), ["As", "Td", "2c"]);
    assert!("".parse::<Cards>().unwrap().is_empty());
    for text in ["", "A", "1s", "Ax", "10s", "Ass"] {
        assert!(text.parse::<Card>().is_err(), "{text}");
    }
    assert!("As ".repeat(64).parse::<Cards>().is_ok());
    assert!("As ".repeat(65).parse::<Cards>().is_err());
    let error = "As Zs".parse::<Cards>().unwrap_err().to_string();
    assert_eq!(error, "`Zs` is not a card, such as `As` or `Td`");
}

/// With and without a number among its command's hits.
#[test]
fn hits_are_read_as_they_are_written() {
    for text in ["C4P-07.4713", "C4P-07.4713.2"] {
        assert_eq!(text.parse::<HitName>().unwrap().to_string(), text);
    }
    for text in [
        "",
        "C4P-07",
        "C4P-07.0",
        "C4P-07.1.x",
        "C4P-07.1.2.3",
        "C 7.1",
    ] {
        assert!(text.parse::<HitName>().is_err(), "{text}");
    }
}

/// A word is read as it is written; another one is no word.
#[test]
fn words_are_a_closed_list() {
    for hand in Hand::ALL {
        assert_eq!(hand.name().parse::<Hand>(), Ok(*hand));
    }
    assert_eq!("shoe_jam".parse(), Ok(VoidReason::ShoeJam));
    assert!("royal flush".parse::<Hand>().is_err());
}

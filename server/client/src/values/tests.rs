//! The texts that are parsed, and those that are refused.

use super::{Badge, Card, Cards, Hand, HitName, Sequence, VoidReason};

#[test]
fn a_name_has_1_to_32_letters_digits_or_hyphens() {
    for name in ["d-12", "A", &"x".repeat(32)] {
        assert_eq!(name.parse::<Badge>().unwrap().as_str(), name);
    }
    for text in ["", "d 12", "d_12", "é", &"x".repeat(33)] {
        assert!(text.parse::<Badge>().is_err(), "{text}");
    }
}

/// The range is 1 to 2^63 - 1.
#[test]
fn sequence_numbers_have_a_range() {
    assert_eq!(Sequence::new(0), None);
    assert_eq!(Sequence::new(Sequence::MAX + 1), None);
    let last = Sequence::new(Sequence::MAX).unwrap();
    assert_eq!(last.next(), None);
    assert_eq!(Sequence::new(1).unwrap().next().unwrap().get(), 2);
}

/// A card is a rank and a suit, in either case.
#[test]
fn cards_are_parsed_and_a_wrong_one_is_named() {
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

/// A name has a number among its command's hits, or none.
#[test]
fn hit_names_round_trip() {
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

#[test]
fn only_listed_words_are_parsed() {
    for hand in Hand::ALL {
        assert_eq!(hand.name().parse::<Hand>(), Ok(*hand));
    }
    assert_eq!("shoe_jam".parse(), Ok(VoidReason::ShoeJam));
    assert!("royal flush".parse::<Hand>().is_err());
}

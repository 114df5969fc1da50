//! Cards and the names of hands: as text, as numbers, and back; and the refused texts.

#![expect(
    clippy::unwrap_used,
    reason = "a text of these tests that is wrong fails them"
)]

use meterhouse_domain::card::{Card, Rank, Suit, repeated};
use meterhouse_domain::hand::{Hand, Ranking};

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

#[test]
fn every_card_is_read_as_it_is_written() {
    let cards: Vec<Card> = Card::all().collect();
    assert_eq!(cards.len(), 52);
    assert!(cards.is_sorted_by(|low, high| low < high));
    for (index, read) in (0..).zip(cards) {
        assert_eq!(read.index(), index);
        assert_eq!(Card::from_index(index), Some(read));
        assert_eq!(Card::new(read.rank(), read.suit()), read);
        let text = read.to_string();
        assert_eq!(format!("{read:?}"), text);
        for same in [
            text.to_lowercase(),
            text.to_uppercase(),
            text.replace('T', "10"),
            text,
        ] {
            assert_eq!(card(&same), read, "{same}");
        }
    }
    assert_eq!(Card::from_index(52), None);
    assert_eq!(Card::from_index(255), None);
    assert_eq!(card("As"), Card::new(Rank::Ace, Suit::Spades));
    assert_eq!(card("10d").to_string(), "Td");
    assert_eq!((card("2c").index(), card("As").index()), (0, 51));
}

#[test]
fn a_text_that_is_no_card_is_refused_by_name() {
    let texts = [
        "", "A", "s", "sA", "1s", "0s", "11s", "010s", "Ax", " As", "As ", "A s", "AsKd", "As\n",
        "TTs", "♠A", "A♠", "ås", "-2c",
    ];
    for text in texts {
        let refused = text.parse::<Card>().unwrap_err();
        assert_eq!(refused.text, text);
        assert!(
            refused
                .to_string()
                .starts_with(&format!("{text:?} is not a card: write "))
        );
    }
    let long = "A".repeat(1_000_000).parse::<Card>().unwrap_err();
    assert!(long.to_string().len() < 200);
}

#[test]
fn a_card_is_repeated_when_there_are_not_that_many_decks() {
    let dealt = || ["As", "Kd", "As", "Kd", "Kd"].into_iter().map(card);
    assert_eq!(repeated(dealt(), 1), Some(card("As")));
    assert_eq!(repeated(dealt(), 2), Some(card("Kd")));
    assert_eq!(repeated(dealt(), 3), None);
    assert_eq!(repeated(Card::all(), 1), None);
    assert_eq!(repeated(Card::all(), 0), Some(card("2c")));
    assert_eq!(repeated((0..255).map(|_| card("As")), 255), None);
    assert_eq!(
        repeated((0..1_000).map(|_| card("As")), 255),
        Some(card("As"))
    );
}

#[test]
fn every_hand_and_ranking_is_read_as_it_is_written() {
    for (code, hand) in (1..).zip(Hand::ALL) {
        assert_eq!(hand.name().parse(), Ok(hand));
        assert_eq!(hand.to_string(), hand.name());
        assert_eq!(hand.code(), code);
        assert_eq!(Hand::from_code(code), Some(hand));
    }
    assert_eq!(Hand::from_code(0), None);
    assert_eq!(Hand::from_code(13), None);
    for ranking in Ranking::ALL {
        assert_eq!(ranking.name().parse(), Ok(ranking));
        assert_eq!(ranking.to_string(), ranking.name());
    }
}

#[test]
fn a_name_of_no_hand_and_of_no_ranking_is_refused_with_those_there_are() {
    let refused = "Royal-Flush".parse::<Hand>().unwrap_err().to_string();
    assert!(refused.starts_with("\"Royal-Flush\" is not a hand: write one of royal-flush, "));
    assert!(refused.ends_with("two-pair, pair, high-card, mini-royal"));
    let refused = "six-card".parse::<Ranking>().unwrap_err().to_string();
    assert_eq!(
        refused,
        "\"six-card\" is not a ranking: write three-card, four-card or five-card"
    );
}

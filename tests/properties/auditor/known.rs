//! Cards with the hand they make, named by a person: the auditor evaluates nothing.

use std::collections::BTreeSet;

use meterhouse_domain::hand::Hand;

/// Five cards, and the hand that all five and the best four of them make.
pub(crate) const KNOWN: [(&str, Hand, Hand); 25] = [
    ("As Ks Qs Js Ts", Hand::RoyalFlush, Hand::StraightFlush),
    ("Ah Kh Qh Jh Th", Hand::RoyalFlush, Hand::StraightFlush),
    ("Ks Qs Js Ts 9s", Hand::StraightFlush, Hand::StraightFlush),
    ("9h 8h 7h 6h 5h", Hand::StraightFlush, Hand::StraightFlush),
    ("As Ad Ac Ah 2c", Hand::FourOfAKind, Hand::FourAces),
    ("9s 9d 9c 9h 2d", Hand::FourOfAKind, Hand::FourOfAKind),
    ("Ks Kd Kc 2h 2s", Hand::FullHouse, Hand::ThreeOfAKind),
    ("2c 5c 9c Jc Kc", Hand::Flush, Hand::Flush),
    ("4s 5d 6c 7h 8s", Hand::Straight, Hand::Straight),
    ("7s 7d 7c Kh 2d", Hand::ThreeOfAKind, Hand::ThreeOfAKind),
    ("8s 8d 3c 3h Kd", Hand::TwoPair, Hand::TwoPair),
    ("2s 4d 9c Jh Kc", Hand::HighCard, Hand::HighCard),
    ("Ad Kd Qd Jd Td", Hand::RoyalFlush, Hand::StraightFlush),
    ("8c 7c 6c 5c 4c", Hand::StraightFlush, Hand::StraightFlush),
    ("Ac Kc Qc Jc Tc", Hand::RoyalFlush, Hand::StraightFlush),
    ("6s 5s 4s 3s 2s", Hand::StraightFlush, Hand::StraightFlush),
    ("4s 4h 4d 4c Jd", Hand::FourOfAKind, Hand::FourOfAKind),
    ("6s 6h 6d 9h 3d", Hand::ThreeOfAKind, Hand::ThreeOfAKind),
    ("3s 3d Tc 8h 6s", Hand::Pair, Hand::Pair),
    ("Qc Qd 5s 5h 9d", Hand::TwoPair, Hand::TwoPair),
    ("2h 4h 6d 8d Tc", Hand::HighCard, Hand::HighCard),
    ("3c 5s 7d 9s Jd", Hand::HighCard, Hand::HighCard),
    ("Ac 3h 6c Ts Qh", Hand::HighCard, Hand::HighCard),
    ("4s 4h Jc Kd 2s", Hand::Pair, Hand::Pair),
    ("7s 7h Jd 2d 3s", Hand::Pair, Hand::Pair),
];

/// Known cards by their place, counted round.
pub(crate) fn known(place: u8) -> &'static str {
    KNOWN[usize::from(place) % KNOWN.len()].0
}

/// The hand that cards make, if a person has named it: of all five, or of the best four.
pub(crate) fn named_by_a_person(cards: &[String], four_cards: bool) -> Option<Hand> {
    let these: BTreeSet<&str> = cards.iter().map(String::as_str).collect();
    let mut all = KNOWN.iter();
    let is_it = |text: &str| text.split(' ').collect::<BTreeSet<&str>>() == these;
    let (_, five, four) = all.find(|(text, _, _)| cards.len() == 5 && is_it(text))?;
    Some(if four_cards { *four } else { *five })
}

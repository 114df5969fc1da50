//! How often which intent is drawn.

use proptest::prelude::*;

use crate::commands::{Cards, Flaw, Intent, Matter, Miss, Pick};

/// What somebody wants.
pub(crate) fn intent() -> impl Strategy<Value = Intent> {
    prop_oneof![
        30 => of_round(),
        30 => of_hand(),
        30 => of_person(),
        18 => of_two_people(),
        6 => of_link(),
        5 => of_line(),
    ]
}

fn of_round() -> impl Strategy<Value = Intent> {
    prop_oneof![
        7 => coin_in(),
        1 => (0_u8..13).prop_map(|chips| Intent::Count { chips }),
        2 => (0_u8..128, prop::bool::weighted(0.2))
            .prop_map(|(seats, twice)| Intent::Fold { seats, twice }),
        6 => (0_u8..4, prop::option::weighted(0.15, 0_u8..40))
            .prop_map(|(back, number)| Intent::Cancel { back, number }),
        2 => Just(Intent::Close),
        3 => (0_u8..7).prop_map(|reason| Intent::Void { reason }),
        6 => Just(Intent::Finish),
    ]
}

fn of_hand() -> impl Strategy<Value = Intent> {
    prop_oneof![
        20 => (pick(), 0_u8..16, cards())
            .prop_map(|(pick, hand, cards)| Intent::Hit { pick, hand, cards }),
        2 => (0_u8..9, 0_u8..16, cards())
            .prop_map(|(seat, hand, cards)| Intent::Envy { seat, hand, cards }),
        5 => (any::<bool>(), prop_oneof![3 => Just(Pick::Drawn), 1 => pick()], cards())
            .prop_map(|(lucky, pick, cards)| Intent::Bonus { lucky, pick, cards }),
        5 => (any::<[u8; 7]>(), miss()).prop_map(|(deal, miss)| Intent::Settle { deal, miss }),
    ]
}

fn of_person() -> impl Strategy<Value = Intent> {
    prop_oneof![
        6 => (0_u8..9, person(), cards())
            .prop_map(|(back, by, cards)| Intent::Validate { back, by, cards }),
        5 => (0_u8..10, person(), prop::bool::weighted(0.6))
            .prop_map(|(back, by, resettle)| Intent::Reject { back, by, resettle }),
        6 => (0_u8..9, payout(), 0_u8..2, person()).prop_map(|(back, payout, document, by)| {
            Intent::Pay { back, payout, document, by }
        }),
    ]
}

fn of_two_people() -> impl Strategy<Value = Intent> {
    prop_oneof![
        8 => (0_u8..40, matter()).prop_map(|(id, matter)| Intent::Both { id, matter }),
        5 => (0_u8..4, person(), matter())
            .prop_map(|(id, by, matter)| Intent::Propose { id, by, matter }),
        6 => (0_u8..5, prop_oneof![1 => person(), 1 => 0_u8..6], prop::bool::weighted(0.7))
            .prop_map(|(back, by, approve)| Intent::Decide { back, by, approve }),
        1 => prop_oneof![5 => Just(false), 1 => Just(true)]
            .prop_flat_map(|flood| (Just(flood), 0_u8..10, matter()))
            .prop_map(|(flood, id, matter)| if flood {
                Intent::Flood { id }
            } else {
                Intent::Both { id, matter }
            }),
    ]
}

fn of_link() -> impl Strategy<Value = Intent> {
    prop_oneof![
        3 => prop::bool::weighted(0.6).prop_map(|on| Intent::Suspend { on }),
        3 => (0_u8..12, prop::bool::weighted(0.3)).prop_map(|(level, on)| Intent::Switch { level, on }),
        4 => (any::<bool>(), prop::bool::weighted(0.3))
            .prop_map(|(must_resume, back)| Intent::Lose { must_resume, back }),
        3 => prop::bool::weighted(0.5).prop_map(|on| Intent::Serve { on }),
        3 => (0_u8..6).prop_map(|wrong| Intent::Accept { wrong }),
        1 => Just(Intent::Leave),
        1 => Just(Intent::Fault),
    ]
}

fn of_line() -> impl Strategy<Value = Intent> {
    prop_oneof![
        2 => (0_u8..12, 0_u8..4).prop_map(|(back, other)| Intent::Again { back, other }),
        1 => (0_u8..12).prop_map(|back| Intent::AgainInOtherOrder { back }),
        1 => (1_u8..4).prop_map(|missing| Intent::Gap { missing }),
    ]
}

fn matter() -> impl Strategy<Value = Matter> {
    prop_oneof![
        9 => (0_u8..18).prop_map(|back| Matter::Correct { back }),
        3 => (0_u8..3, any::<bool>(), -110_i16..200)
            .prop_map(|(level, reserve, by)| Matter::Adjust { level, reserve, by }),
        5 => (0_u8..8, 0_u8..8, 0_u8..16, cards())
            .prop_map(|(back, pick, hand, cards)| Matter::Late { back, pick, hand, cards }),
        1 => Just(Matter::Clear),
        1 => Just(Matter::Acknowledge),
        10 => (0_u8..2, any::<bool>(), 0_u8..2)
            .prop_map(|(table, read, returns)| Matter::Adopt { table, read, returns }),
    ]
}

/// One of the people, most often one of the two who may validate.
fn person() -> impl Strategy<Value = u8> {
    prop_oneof![5 => Just(0_u8), 3 => Just(1), 1 => 2_u8..6]
}

/// The number of a payout, most often the first.
fn payout() -> impl Strategy<Value = u8> {
    prop_oneof![5 => Just(1_u8), 1 => Just(0), 1 => Just(2), 1 => Just(3)]
}

fn coin_in() -> impl Strategy<Value = Intent> {
    let flaw = prop_oneof![
        12 => Just(Flaw::None),
        1 => Just(Flaw::Amount),
        1 => Just(Flaw::Layout),
        1 => Just(Flaw::Twice),
        1 => Just(Flaw::DealtTwice),
        1 => Just(Flaw::NotDealt),
        1 => Just(Flaw::Dealer),
        1 => Just(Flaw::Empty),
        1 => Just(Flaw::Name),
    ];
    (1_u8..64, 0_u8..64, 0_u8..64, 0_u8..4, flaw).prop_map(|(own, dealer, more, names, flaw)| {
        Intent::CoinIn {
            own,
            dealer,
            more,
            names,
            flaw,
        }
    })
}

fn miss() -> impl Strategy<Value = Miss> {
    prop_oneof![
        14 => Just(Miss::Nothing),
        1 => Just(Miss::Seat),
        1 => Just(Miss::Dealer),
        1 => Just(Miss::Four),
        1 => Just(Miss::Same),
        1 => Just(Miss::Twice),
        1 => Just(Miss::Idle),
        1 => Just(Miss::Shared),
    ]
}

fn pick() -> impl Strategy<Value = Pick> {
    prop_oneof![
        8 => (0_u8..3).prop_map(Pick::Next),
        2 => (0_u8..9).prop_map(Pick::Seat),
        1 => Just(Pick::Dealer),
        1 => Just(Pick::Drawn),
    ]
}

fn cards() -> impl Strategy<Value = Cards> {
    prop_oneof![
        10 => Just(Cards::None),
        5 => (0_u8..2).prop_map(Cards::Right),
        2 => (0_u8..25).prop_map(Cards::Known),
        1 => (0_u8..25).prop_map(Cards::Four),
        1 => (0_u8..25).prop_map(Cards::Thrice),
    ]
}

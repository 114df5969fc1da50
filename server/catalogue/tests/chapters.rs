//! The chapters other than 657a: tables that the Bulletin prints in several of them have the same content, and
//! printed differences are kept. The four- and five-card tables were read several times from different chapters.
//! Equal pays, seeds and rates prove that no figure was misread. Envy and the Hand Bonus' pays are printed in 657a
//! alone; the others are copies.

#![expect(
    clippy::unwrap_used,
    reason = "a paytable that these tests don't find fails them"
)]

use std::collections::BTreeSet;

use meterhouse_catalogue::{Catalogue, Part, Sheet};
use meterhouse_domain::paytable::{FoldAward, HandRule, Pays, Paytable};

fn paytable(id: &str) -> Paytable {
    let catalogue = Catalogue::compiled_in().unwrap();
    let found = catalogue.find(&id.parse().unwrap());
    assert!(found.is_some(), "{id} is not compiled in, or incomplete");
    found.unwrap().clone()
}

fn sheet(id: &str) -> Sheet {
    let catalogue = Catalogue::compiled_in().unwrap();
    catalogue.sheet(&id.parse().unwrap()).unwrap().clone()
}

/// Equality of content, not of name: equal tables may share a link.
#[test]
fn six_chapters_share_five_card_a_to_d() {
    for letter in ["a", "b", "c", "d"] {
        let of_657a = paytable(&format!("pa-657a-five-card-{letter}"));
        for id in [
            format!("pa-641a-five-card-{letter}"),
            format!("pa-643a-five-card-{letter}"),
            format!("pa-647a-{letter}"),
            format!("pa-653a-{letter}"),
            format!("pa-655a-{letter}"),
        ] {
            let other = paytable(&id);
            assert_eq!(other.content, of_657a.content, "{id}");
            assert_ne!(other.games, of_657a.games, "{id}");
            assert!(other.linkable, "{id}");
        }
    }
}

/// § 639a.12(d): its D, F, G and H are 657a's A, B, C and D; the others are for one game only, without envy.
#[test]
fn caribbean_stud_shares_four_paytables_and_adds_four() {
    for (ours, letter) in [("d", "a"), ("f", "b"), ("g", "c"), ("h", "d")] {
        let caribbean = paytable(&format!("pa-639a-{ours}"));
        let crazy = paytable(&format!("pa-657a-five-card-{letter}"));
        assert_eq!(caribbean.content, crazy.content, "{ours}");
        assert!(caribbean.linkable, "{ours}");
    }
    // Hands and pays from the royal flush down, then primary and reserve.
    for (letter, pays, rates) in [
        ("a", "100% 5000 500 100 50 10 3 2", "53% 15%"),
        ("b", "100% 10% 500 100 50 10 3 2", "53% 15%"),
        ("c", "100% 10% 200 50 40 30 9", "25% 0%"),
        ("d", "100% 10% 300 50 40 30 9", "21% 0%"),
        ("e", "100% 10% 500 100 50", "65% 5%"),
    ] {
        let found = paytable(&format!("pa-639a-{letter}"));
        let content = &found.content;
        let shown: Vec<String> = content
            .lines
            .iter()
            .map(|line| match line.pays {
                Pays::Percent { percent, .. } => format!("{percent}%"),
                Pays::ForOne(odds) | Pays::ForOneOf { odds, .. } => odds.to_string(),
            })
            .collect();
        assert_eq!(shown.join(" "), pays, "{letter}");
        let level = &content.levels[0];
        assert_eq!(
            format!("{} {}", level.primary, level.reserve),
            rates,
            "{letter}"
        );
        assert_eq!((level.seed, level.reseed), (10_000, 10_000), "{letter}");
        let has_envy = content.lines.iter().any(|line| line.envy.is_some());
        assert_eq!(found.linkable, letter == "d", "{letter}");
        assert_eq!(has_envy, letter == "d", "{letter}");
    }
}

#[test]
fn two_chapters_share_four_card_a_and_b() {
    for letter in ["a", "b"] {
        let [one, other] =
            ["641a", "657a"].map(|chapter| paytable(&format!("pa-{chapter}-four-card-{letter}")));
        assert_eq!(one.content, other.content);
    }
}

/// The Hand Bonus is 657a's in every chapter with wagers on the dealer's hand (inferred for 639a). In the other
/// chapters only that wager is missing.
#[test]
fn seven_chapters_share_the_hand_bonus() {
    let of_657a = paytable("pa-657a-five-card-hand-bonus");
    for (chapter, on_dealer) in [
        ("639a", true),
        ("641a", true),
        ("643a", false),
        ("647a", true),
        ("653a", true),
        ("655a", false),
    ] {
        let other = paytable(&format!("pa-{chapter}-five-card-hand-bonus"));
        let mut expected = of_657a.content.clone();
        expected.bet_on_dealer = on_dealer;
        assert_eq!(other.content, expected, "{chapter}");
        assert_eq!(other.rules.fold.award, FoldAward::Kept, "{chapter}");
    }
}

/// Each game forms the progressive hand in its own way.
#[test]
fn each_game_forms_the_progressive_hand_its_way() {
    for (id, rule) in [
        ("pa-639a-g", HandRule::OwnFive),
        ("pa-641a-five-card-c", HandRule::OwnFiveDealerFirstFive),
        ("pa-641a-four-card-a", HandRule::BestFourOfFive),
        (
            "pa-641a-five-card-hand-bonus",
            HandRule::OwnFiveDealerFirstFive,
        ),
        ("pa-643a-five-card-c", HandRule::ThreeAndCommunity),
        ("pa-647a-c", HandRule::TwoAndFlop),
        ("pa-653a-c", HandRule::TwoAndFlop),
        ("pa-655a-c", HandRule::TwoAndCommunity),
        ("pa-657a-five-card-c", HandRule::OwnFive),
    ] {
        assert_eq!(paytable(id).rules.hand_rule, rule, "{id}");
    }
    assert_eq!(
        sheet("pa-643a-three-card-a").rules.hand_rule,
        HandRule::OwnThree
    );
}

/// Exactly the values that no source prints are missing.
#[test]
fn incomplete_paytables_list_their_missing_values() {
    let catalogue = Catalogue::compiled_in().unwrap();
    let mut lacking = BTreeSet::new();
    for sheet in catalogue.sheets() {
        let parts: Vec<&str> = sheet.missing().map(|gap| gap.what.name()).collect();
        assert_eq!(parts.is_empty(), catalogue.find(&sheet.id).is_some());
        if !parts.is_empty() {
            lacking.insert(format!("{}: {}", sheet.id, parts.join(" ")));
        }
    }
    let expected = [
        "ma-five-card-hand-bonus: rates seeds effective",
        "ma-five-card: rates seeds effective",
        "ma-four-card-a: rates seeds effective",
        "ma-four-card-b: rates seeds effective",
        "ma-ptmgl01: rates effective",
        "ma-ptmgl02: rates effective",
        "ma-ptmgl04: rates effective",
        "ma-ptmglml01: rates effective",
        "ma-ptmglml02: rates effective",
        "ma-ptmglml03: rates effective",
        "pa-643a-three-card-a: envy pays",
        "pa-643a-three-card-b: envy pays",
    ];
    assert_eq!(lacking, expected.map(str::to_owned).into());
    // § 643a.12(d)(3).
    for (letter, primary) in [("a", "14%"), ("b", "20%")] {
        let found = sheet(&format!("pa-643a-three-card-{letter}"));
        let level = &found.outline.levels[0];
        assert_eq!(level.seeds, Some((1_000, 1_000)));
        assert_eq!(level.rates.unwrap().0.to_string(), primary);
    }
}

/// 657a is printed whole. In Pennsylvania's other chapters everything is printed or inferred but the three-card pays
/// and envy.
#[test]
fn inferred_values_name_their_source() {
    let catalogue = Catalogue::compiled_in().unwrap();
    for sheet in catalogue.sheets() {
        let whole = sheet.id.as_str().starts_with("pa-657a-");
        assert_eq!(sheet.gaps.is_empty(), whole, "{}", sheet.id);
        for gap in sheet.inferred() {
            let from = gap.inferred_from.as_deref().unwrap();
            assert_ne!(from, gap.place, "{}: {}", sheet.id, gap.what);
        }
    }
    // § 639a.12(d)(6) has envy for D, F, G and H; its table is left out.
    let envy = |sheet: &Sheet| sheet.gaps.iter().any(|gap| gap.what == Part::Envy);
    for (letter, inferred) in [("c", false), ("d", true), ("e", false), ("f", true)] {
        assert_eq!(
            envy(&sheet(&format!("pa-639a-{letter}"))),
            inferred,
            "{letter}"
        );
    }
}

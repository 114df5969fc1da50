//! Throws of Sic Bo and games of Touchdown Roulette, worked by hand from §§ 625a.6, 617a.3(f) and 617a.4(d).

use meterhouse_domain::fixed::field::{Compartment, Goal, Team};
use meterhouse_domain::fixed::settle::{
    DicePlaced, Finding, SettledWager, TeamPlaced, Throw, TouchdownGame, WagerResult, settle_throw,
    settle_touchdown,
};
use meterhouse_domain::fixed::table::FixedTable;

use super::story::money;
use super::tables::tables;

/// Returns a throw with wagers of 5.00, each written as `wager` or `wager number number`.
fn throw(dice: [u8; 3], wagers: &[&str]) -> Throw {
    let placed = |text: &&str| {
        let mut words = text.split(' ');
        DicePlaced {
            wager: words.next().unwrap().parse().expect(text),
            numbers: words.map(|number| number.parse().unwrap()).collect(),
            amount: money("5"),
        }
    };
    Throw {
        dice,
        step: money("1"),
        wagers: wagers.iter().map(placed).collect(),
    }
}

/// Returns what each wager of 5.00 is paid, or `-` if it is collected.
fn paid(settled: &[SettledWager]) -> Vec<String> {
    let text = |wager: &SettledWager| {
        if wager.result == WagerResult::Win {
            assert_eq!(wager.returned, wager.amount, "to 1 returns the wager");
            return wager.paid.to_string();
        }
        assert_eq!(
            (wager.result, wager.collected),
            (WagerResult::Loss, wager.amount)
        );
        "-".to_owned()
    };
    settled.iter().map(text).collect()
}

fn settled_throw(throw: &Throw, letter: &str) -> Result<Vec<SettledWager>, Vec<Finding>> {
    let ids = [
        format!("pa-625a-sic-bo-{letter}"),
        format!("pa-625a-one-of-a-kind-{letter}"),
    ];
    let tables = tables(&ids.each_ref().map(String::as_str));
    let tables: Vec<&FixedTable> = tables.iter().collect();
    settle_throw(throw, &tables)
}

/// Returns the findings of a refused throw or game, as text.
fn texts(settled: Result<Vec<SettledWager>, Vec<Finding>>) -> Vec<String> {
    let findings = settled.expect_err("a mistake is found");
    findings.iter().map(ToString::to_string).collect()
}

/// Two, two and five are 9: paytable A pays Total 9 6 to 1, Two of a Kind 8 to 1, a combination 5 to 1.
#[test]
fn a_pair_of_twos_and_a_five() {
    let wagers = [
        "small",
        "big",
        "total-9",
        "total-10",
        "two-of-a-kind 2",
        "two-of-a-kind 5",
        "two-dice 2 5",
        "three-of-a-kind 2",
        "any-three-of-a-kind",
        "one-of-a-kind 2",
        "one-of-a-kind 5",
        "one-of-a-kind 6",
    ];
    let settled = settled_throw(&throw([2, 5, 2], &wagers), "a").unwrap();
    assert_eq!(
        paid(&settled),
        [
            "5.00", "-", "30.00", "-", "40.00", "-", "25.00", "-", "-", "10.00", "5.00", "-"
        ]
    );
    assert_eq!(
        settled[9].line.as_ref().unwrap().table.as_str(),
        "pa-625a-one-of-a-kind-a"
    );
}

/// Three fours are 12: paytable B pays 180, 31, 7 and 11 to 1, and One of a Kind 12 to 1. Small and Big lose.
#[test]
fn three_fours() {
    let wagers = [
        "three-of-a-kind 4",
        "any-three-of-a-kind",
        "total-12",
        "two-of-a-kind 4",
        "one-of-a-kind 4",
        "small",
        "big",
    ];
    let settled = settled_throw(&throw([4, 4, 4], &wagers), "b").unwrap();
    assert_eq!(
        paid(&settled),
        ["900.00", "155.00", "35.00", "55.00", "60.00", "-", "-"]
    );
}

#[test]
fn mistakes_in_a_throw() {
    let mut wrong = throw([0, 4, 4], &["two-dice 2", "one-of-a-kind 7", "small"]);
    wrong.wagers[2].amount = money("1.50");
    assert_eq!(
        texts(settled_throw(&wrong, "a")),
        [
            "dice: a die shows 1 to 6: write three of these numbers",
            "wagers[0].numbers: two-dice goes with numbers from 1 to 6, all different: write 2 of them",
            "wagers[1].numbers: one-of-a-kind goes with numbers from 1 to 6, all different: write 1 of them",
            "wagers[2].amount: 1.50 is off the table's steps: write a multiple of 1.00",
        ]
    );
    assert_eq!(
        texts(settled_throw(&throw([255, 255, 254], &["big"]), "a")),
        ["dice: a die shows 1 to 6: write three of these numbers"]
    );
    let tables = tables(&["pa-625a-sic-bo-a", "pa-625a-one-of-a-kind-b"]);
    let tables: Vec<&FixedTable> = tables.iter().collect();
    let found = settle_throw(&throw([1, 2, 3], &["one-of-a-kind 1"]), &tables);
    assert_eq!(
        texts(found),
        [
            "wagers[0]: § 625a.6(b)(3) pays One of a Kind by the paytable of the other wagers: choose tables of one letter"
        ]
    );
}

/// Returns a game with a wager of 5.00 on each team.
fn game(first: &str, downs: &str, goal: Option<Goal>) -> TouchdownGame {
    let compartment = |text: &str| match text {
        "00" => Compartment::DoubleZero,
        number => Compartment::Number(number.parse().expect(text)),
    };
    let placed = |team| TeamPlaced {
        amount: money("5"),
        team: Some(team),
    };
    TouchdownGame {
        first: compartment(first),
        downs: downs.split_whitespace().map(compartment).collect(),
        goal,
        step: money("1"),
        wagers: vec![placed(Team::Red), placed(Team::Black)],
    }
}

fn settled_game(game: &TouchdownGame) -> Result<Vec<SettledWager>, Vec<Finding>> {
    let tables = tables(&["pa-617a-touchdown-a"]);
    let tables: Vec<&FixedTable> = tables.iter().collect();
    settle_touchdown(game, &tables)
}

/// The example of § 617a.3(f)(2): 32 is red, so the football stands at the 18 yard line for the red team. Paytable A
/// pays 75 to 1 on red, and 1 to 1 on black, the losing team.
#[test]
fn the_example_of_the_regulation() {
    let settled = settled_game(&game("00", "32 0 00 0", None)).unwrap();
    assert_eq!(paid(&settled), ["375.00", "5.00"]);
    assert_eq!(settled[0].clause, "§ 617a.3(f)(2)");
}

#[test]
fn a_number_loses_and_a_tie_pays_both() {
    let settled = settled_game(&game("17", "", None)).unwrap();
    assert_eq!(paid(&settled), ["-", "-"]);
    assert_eq!(settled[0].clause, "§ 617a.3(f)(1)");
    // Red 1 and 5, black 6: the 50 yard line, 5 to 1.
    let settled = settled_game(&game("0", "1 5 6 0", None)).unwrap();
    assert_eq!(paid(&settled), ["25.00", "25.00"]);
}

/// Red 36 and 14 reach the end zone in two downs; black 2 and 4 would take the football back to the 6 yard line.
#[test]
fn an_end_zone_before_the_fourth_down_needs_a_reading() {
    let ends = settled_game(&game("0", "36 14", Some(Goal::EndsGame))).unwrap();
    assert_eq!(paid(&ends), ["5000.00", "5.00"]);
    let on = settled_game(&game("0", "36 14 2 4", Some(Goal::PlaysOn))).unwrap();
    assert_eq!(paid(&on), ["750.00", "5.00"]);
    let missing = "goal: the source doesn't print whether an end zone reached before the fourth down ends the game: \
                   choose a reading";
    for downs in ["36 14", "36 14 2 4"] {
        assert_eq!(texts(settled_game(&game("0", downs, None))), [missing]);
    }
}

#[test]
fn mistakes_in_a_game() {
    let spins = "downs: no such game: write compartments of a double zero wheel, and four downs after 0 or 00, or fewer \
                 where an end zone ends the game, and no down after another number";
    for (first, downs) in [
        ("17", "1 2 3 4"),
        ("0", "1 2 3"),
        ("0", "1 2 3 37"),
        ("38", ""),
    ] {
        assert_eq!(texts(settled_game(&game(first, downs, None))), [spins]);
    }
    let many = game("0", &"36 ".repeat(1_000), Some(Goal::PlaysOn));
    assert_eq!(texts(settled_game(&many)), [spins]);
    let mut wrong = game("0", "1 2 3 4", None);
    wrong.wagers[0].team = None;
    wrong.wagers[1].amount = money("0.50");
    assert_eq!(
        texts(settled_game(&wrong)),
        [
            "wagers[0]: a game began: write the team that the player chose, § 617a.3(f)(2)",
            "wagers[1].amount: 0.50 is off the table's steps: write a multiple of 1.00",
        ]
    );
}

//! Throws of Sic Bo and games of Touchdown Roulette, worked by hand from §§ 625a.6, 617a.3(f) and 617a.4(d).

use meterhouse_domain::fixed::field::{Compartment, Goal, Team};
use meterhouse_domain::fixed::settle::{
    ChosenWager, Finding, Rolled, RolledRound, SeatWagers, SettledRound, SettledWager, TableTerms,
    WagerResult, settle_rolled,
};
use meterhouse_domain::fixed::table::FixedTable;
use meterhouse_domain::fixed::wager::RoundWager;
use meterhouse_domain::seat::Seat;

use super::story::money;
use super::tables::tables;

/// Returns a round on the table's steps of 1.00, with a minimum of 2.00.
fn round(rolled: Rolled, seats: Vec<Vec<ChosenWager>>) -> RolledRound {
    let seats = (1..).zip(seats);
    RolledRound {
        rolled,
        terms: TableTerms {
            minimum: money("2"),
            step: money("1"),
            limit: None,
            reading: None,
            most_at_minimum: None,
        },
        seats: seats
            .map(|(seat, wagers)| SeatWagers {
                seat: Seat(seat),
                wagers,
            })
            .collect(),
    }
}

/// Returns a throw with wagers of 5.00 of one player, each written as `wager` or `wager number number`.
fn throw(dice: &[u8], wagers: &[&str]) -> RolledRound {
    let placed = |text: &&str| {
        let mut words = text.split(' ');
        ChosenWager {
            wager: RoundWager::from_name(words.next().unwrap()).expect(text),
            amount: money("5"),
            numbers: words.map(|number| number.parse().unwrap()).collect(),
            team: None,
        }
    };
    let wagers = wagers.iter().map(placed).collect();
    round(Rolled::Dice(dice.to_vec()), vec![wagers])
}

/// Returns what each wager of 5.00 is paid, or `-` if it is collected.
fn paid(settled: &SettledRound) -> Vec<String> {
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
    settled
        .seats
        .iter()
        .flat_map(|seat| &seat.wagers)
        .map(text)
        .collect()
}

fn settled_throw(throw: &RolledRound, letter: &str) -> Result<SettledRound, Vec<Finding>> {
    let ids = [
        format!("pa-625a-sic-bo-{letter}"),
        format!("pa-625a-one-of-a-kind-{letter}"),
    ];
    let tables = tables(&ids.each_ref().map(String::as_str));
    let tables: Vec<&FixedTable> = tables.iter().collect();
    settle_rolled(throw, &tables)
}

/// Returns the findings of a refused throw or game, as text.
fn texts(settled: Result<SettledRound, Vec<Finding>>) -> Vec<String> {
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
    let settled = settled_throw(&throw(&[2, 5, 2], &wagers), "a").unwrap();
    assert_eq!(
        paid(&settled),
        [
            "5.00", "-", "30.00", "-", "40.00", "-", "25.00", "-", "-", "10.00", "5.00", "-"
        ]
    );
    assert_eq!(
        settled.seats[0].wagers[9]
            .line
            .as_ref()
            .unwrap()
            .table
            .as_str(),
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
    let settled = settled_throw(&throw(&[4, 4, 4], &wagers), "b").unwrap();
    assert_eq!(
        paid(&settled),
        ["900.00", "155.00", "35.00", "55.00", "60.00", "-", "-"]
    );
}

#[test]
fn mistakes_in_a_throw() {
    let wagers = [
        "two-dice 2",
        "one-of-a-kind 7",
        "small 1",
        "big",
        "two-dice 2 5",
        "two-dice 5 2",
        "ante",
    ];
    let mut wrong = throw(&[0, 4, 4], &wagers);
    wrong.terms.limit = Some(money("100"));
    wrong.seats[0].wagers[3].amount = money("2.50");
    wrong.seats[0].wagers[4].amount = money("1");
    assert_eq!(
        texts(settled_throw(&wrong, "a")),
        [
            "terms.limit: no clause lets this game limit payouts: leave the limit out",
            "dice: a die shows 1 to 6: write three of these numbers",
            "seats[0].wagers[0].numbers: two-dice goes with numbers from 1 to 6, all different: write 2 of them",
            "seats[0].wagers[1].numbers: one-of-a-kind goes with a number from 1 to 6: write one",
            "seats[0].wagers[2].numbers: small goes without numbers: leave them out",
            "seats[0].wagers[3].amount: 2.50 is off the table's steps: write a multiple of 1.00",
            "seats[0].wagers[4].amount: 1.00 is below the table's minimum: write at least 2.00",
            "seats[0].wagers[5]: two-dice is there twice: write one amount",
            "seats[0].wagers[6]: the game has no ante: write one of three-of-a-kind, two-of-a-kind, \
             any-three-of-a-kind, two-dice, small, big, one-of-a-kind, or total-4 to total-17",
        ]
    );
    for dice in [
        &[255, 255, 254][..],
        &[7, 1, 1],
        &[1, 2],
        &[1, 2, 3, 4],
        &[],
    ] {
        assert_eq!(
            texts(settled_throw(&throw(dice, &["big"]), "a")),
            ["dice: a die shows 1 to 6: write three of these numbers"]
        );
    }
    let tables = tables(&["pa-625a-sic-bo-a", "pa-625a-one-of-a-kind-b"]);
    let tables: Vec<&FixedTable> = tables.iter().collect();
    let found = settle_rolled(&throw(&[1, 2, 3], &["one-of-a-kind 1"]), &tables);
    assert_eq!(
        texts(found),
        [
            "seats[0].wagers[0]: § 625a.6(b)(3) pays One of a Kind by the paytable of the other wagers: choose tables of \
             one letter"
        ]
    );
}

#[test]
fn mistakes_in_seats_and_terms() {
    let mut wrong = throw(&[1, 2, 4], &["big"]);
    wrong.terms.step = money("0");
    wrong.seats.push(wrong.seats[0].clone());
    wrong.seats.push(SeatWagers {
        seat: Seat(0),
        wagers: Vec::new(),
    });
    assert_eq!(
        texts(settled_throw(&wrong, "a")),
        [
            "terms.step: write an amount of at least one cent, in whole cents",
            "seats[1].seat: seat 1 is there twice: write its wagers in one place",
            "seats[2].seat: seat 0 is not on the layout: write 1 to 255",
        ]
    );
    wrong = throw(&[1, 2, 4], &[]);
    wrong.seats.clear();
    assert_eq!(
        texts(settled_throw(&wrong, "a")),
        ["seats: the round has no seat: write at least one"]
    );
    let mut rich = throw(&[4, 4, 4], &["three-of-a-kind 4"]);
    rich.seats[0].wagers[0].amount = money("9000000000000");
    let found = texts(settled_throw(&rich, "a"));
    assert!(
        found[0].starts_with("seats[0].wagers[0]: the pay is no amount"),
        "{found:?}"
    );
}

/// Returns a game with a wager of 5.00 on each team; without a game no team is chosen.
fn game(first: &str, downs: &str, goal: Option<Goal>) -> RolledRound {
    let spins = [first].into_iter().chain(downs.split_whitespace());
    let placed = |team| ChosenWager {
        wager: RoundWager::from_name("touchdown").unwrap(),
        amount: money("5"),
        numbers: Vec::new(),
        team: first.starts_with('0').then_some(team),
    };
    let rolled = Rolled::Spins {
        spins: spins.map(|spin| spin.parse().unwrap()).collect(),
        goal,
    };
    round(
        rolled,
        vec![vec![placed(Team::Red)], vec![placed(Team::Black)]],
    )
}

fn settled_game(game: &RolledRound) -> Result<SettledRound, Vec<Finding>> {
    let tables = tables(&["pa-617a-touchdown-a"]);
    let tables: Vec<&FixedTable> = tables.iter().collect();
    settle_rolled(game, &tables)
}

/// The example of § 617a.3(f)(2): 32 is red, so the football stands at the 18 yard line for the red team. Paytable A
/// pays 75 to 1 on red, and 1 to 1 on black, the losing team.
#[test]
fn the_example_of_the_regulation() {
    let settled = settled_game(&game("00", "32 0 00 0", None)).unwrap();
    assert_eq!(paid(&settled), ["375.00", "5.00"]);
    assert_eq!(settled.seats[0].wagers[0].clause, "§ 617a.3(f)(2)");
}

#[test]
fn a_number_loses_and_a_tie_pays_both() {
    let settled = settled_game(&game("17", "", None)).unwrap();
    assert_eq!(paid(&settled), ["-", "-"]);
    assert_eq!(settled.seats[0].wagers[0].clause, "§ 617a.3(f)(1)");
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
    let missing = "terms.goal: the source doesn't print whether an end zone reached before the fourth down ends the game: \
                   write ends-game or plays-on";
    for downs in ["36 14", "36 14 2 4"] {
        assert_eq!(texts(settled_game(&game("0", downs, None))), [missing]);
    }
}

#[test]
fn mistakes_in_a_game() {
    let spins = "spins: no such game: write the spin after the wagers, and after 0 or 00 four downs, or fewer if an end \
                 zone ends the game";
    for (first, downs) in [("17", "1 2 3 4"), ("0", "1 2 3"), ("0", "1 2 3 4 5")] {
        assert_eq!(texts(settled_game(&game(first, downs, None))), [spins]);
    }
    let many = game("0", &"36 ".repeat(1_000), Some(Goal::PlaysOn));
    assert_eq!(texts(settled_game(&many)), [spins]);
    let mut wrong = game("0", "1 2 3 4", None);
    for other in [
        Vec::new(),
        vec![Compartment::Number(38)],
        vec![Compartment::Number(0), Compartment::Number(255)],
    ] {
        wrong.rolled = Rolled::Spins {
            spins: other,
            goal: None,
        };
        for seat in &mut wrong.seats {
            seat.wagers[0].team = None;
        }
        assert_eq!(texts(settled_game(&wrong))[0], spins);
    }
    let mut wrong = game("0", "1 2 3 4", None);
    wrong.seats[0].wagers[0].team = None;
    wrong.seats[1].wagers[0].amount = money("2.50");
    let mut small = wrong.seats[1].wagers[0].clone();
    small.wager = RoundWager::from_name("small").unwrap();
    wrong.seats[1].wagers.push(small);
    assert_eq!(
        texts(settled_game(&wrong)),
        [
            "seats[0].wagers[0].team: a game began: write the team that the player chose, § 617a.3(f)(2)",
            "seats[1].wagers[0].amount: 2.50 is off the table's steps: write a multiple of 1.00",
            "seats[1].wagers[1].amount: 2.50 is off the table's steps: write a multiple of 1.00",
            "seats[1].wagers[1]: the game has no small: write one of touchdown",
        ]
    );
    let mut early = game("17", "", None);
    early.seats[0].wagers[0].team = Some(Team::Red);
    assert_eq!(
        texts(settled_game(&early)),
        [
            "seats[0].wagers[0].team: no game began, because a team is chosen after 0 or 00: leave the team out, \
             § 617a.3(f)(1)"
        ]
    );
}

/// Every wager has one name, and every name one wager.
#[test]
fn wagers_and_compartments_are_read_as_they_are_written() {
    let mut names: Vec<String> = RoundWager::all().map(|wager| wager.to_string()).collect();
    for name in &names {
        assert_eq!(RoundWager::from_name(name).unwrap().to_string(), *name);
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), RoundWager::all().count());
    for name in ["sic-bo", "total-3", "Small", ""] {
        assert_eq!(RoundWager::from_name(name), None, "{name}");
    }
    for compartment in Compartment::all() {
        assert_eq!(compartment.to_string().parse(), Ok(compartment));
    }
    for text in ["37", "000", "01", "-1", ""] {
        assert!(text.parse::<Compartment>().is_err(), "{text}");
    }
}

//! Throws of Sic Bo and games of Touchdown Roulette, as `server/domain/tests/settled_rounds/dice_and_wheel.rs` works them by
//! hand from §§ 625a.6, 617a.3(f) and 617a.4(d). Every wager is 5.00.

use meterhouse_domain::fixed::settle::WagerResult;
use meterhouse_domain::money::Money;
use serde_json::{Value, json};

use super::{WorkedRound, WorkedWager};

const DICE_A: [&str; 2] = ["pa-625a-sic-bo-a", "pa-625a-one-of-a-kind-a"];
const DICE_B: [&str; 2] = ["pa-625a-sic-bo-b", "pa-625a-one-of-a-kind-b"];

/// Wagers of two and two and five, with what each is paid; `-` for one that is collected.
const PAIR: [(&str, &[u8], &str); 12] = [
    ("small", &[], "5"),
    ("big", &[], "-"),
    ("total-9", &[], "30"),
    ("total-10", &[], "-"),
    ("two-of-a-kind", &[2], "40"),
    ("two-of-a-kind", &[5], "-"),
    ("two-dice", &[2, 5], "25"),
    ("three-of-a-kind", &[2], "-"),
    ("any-three-of-a-kind", &[], "-"),
    ("one-of-a-kind", &[2], "10"),
    ("one-of-a-kind", &[5], "5"),
    ("one-of-a-kind", &[6], "-"),
];

/// Wagers of three fours.
const FOURS: [(&str, &[u8], &str); 7] = [
    ("three-of-a-kind", &[4], "900"),
    ("any-three-of-a-kind", &[], "155"),
    ("total-12", &[], "35"),
    ("two-of-a-kind", &[4], "55"),
    ("one-of-a-kind", &[4], "60"),
    ("small", &[], "-"),
    ("big", &[], "-"),
];

/// Returns the rounds.
pub(super) fn rounds() -> Vec<WorkedRound> {
    let example = ["00", "32", "0", "00", "0"];
    vec![
        throw(
            "two twos and a five",
            [2, 5, 2],
            DICE_A,
            &PAIR,
            ["60", "30", "30", "115"],
        ),
        throw(
            "three fours",
            [4, 4, 4],
            DICE_B,
            &FOURS,
            ["35", "10", "25", "1205"],
        ),
        game(
            "the example of the regulation",
            &example,
            None,
            ["375", "5"],
            ["10", "0", "10", "380"],
        ),
        game(
            "a number without a game",
            &["17"],
            None,
            ["-", "-"],
            ["10", "10", "0", "0"],
        ),
        game(
            "a tie",
            &["0", "1", "5", "6", "0"],
            None,
            ["25", "25"],
            ["10", "0", "10", "50"],
        ),
        game(
            "an end zone ends",
            &["0", "36", "14"],
            Some("ends-game"),
            ["5000", "5"],
            ["10", "0", "10", "5005"],
        ),
        game(
            "an end zone is left again",
            &["0", "36", "14", "2", "4"],
            Some("plays-on"),
            ["750", "5"],
            ["10", "0", "10", "755"],
        ),
    ]
}

fn throw(
    name: &str,
    dice: [u8; 3],
    tables: [&str; 2],
    wagers: &[(&str, &[u8], &str)],
    totals: [&str; 4],
) -> WorkedRound {
    let sent = wagers.iter();
    let sent = sent
        .map(|(wager, numbers, _)| json!({"wager": wager, "amount": "5.00", "numbers": numbers}));
    let worked = wagers.iter().map(|(wager, numbers, paid)| {
        let clause = match *wager {
            "one-of-a-kind" => "§ 625a.6(b)",
            _ => "§ 625a.6(a)",
        };
        WorkedWager {
            numbers: numbers.to_vec(),
            ..worked(wager, paid, clause)
        }
    });
    let request = json!({"game": "sic-bo", "jurisdiction": "PA", "terms": terms(None), "tables": tables, "dice": dice,
        "seats": [{"seat": 1, "player": "p-77", "wagers": sent.collect::<Value>()}]});
    round(name, request, vec![(1, worked.collect())], totals)
}

/// Returns a game with a wager on the red team at seat 1, and one on the black team at seat 2.
fn game(
    name: &str,
    spins: &[&str],
    goal: Option<&str>,
    paid: [&str; 2],
    totals: [&str; 4],
) -> WorkedRound {
    let has_begun = spins.len() > 1;
    let clause = if has_begun {
        "§ 617a.3(f)(2)"
    } else {
        "§ 617a.3(f)(1)"
    };
    let mut sent = Vec::new();
    let mut seats = Vec::new();
    for ((seat, team), paid) in [(1, "red"), (2, "black")].into_iter().zip(paid) {
        let team = has_begun.then_some(team);
        let mut wager = json!({"wager": "touchdown", "amount": "5.00"});
        if let Some(team) = team {
            wager["team"] = json!(team);
        }
        sent.push(json!({"seat": seat, "wagers": [wager]}));
        let worked = WorkedWager {
            team: team.map(|team| team.parse().expect("a team")),
            ..worked("touchdown", paid, clause)
        };
        seats.push((seat, vec![worked]));
    }
    let request = json!({"game": "roulette", "jurisdiction": "PA", "terms": terms(goal), "spins": spins,
        "tables": ["pa-617a-touchdown-a"], "seats": sent});
    round(name, request, seats, totals)
}

fn terms(goal: Option<&str>) -> Value {
    let mut terms = json!({"minimum": "5.00", "step": "1.00"});
    if let Some(goal) = goal {
        terms["goal"] = json!(goal);
    }
    terms
}

fn worked(wager: &str, paid: &str, clause: &str) -> WorkedWager {
    let is_won = paid != "-";
    let paid = if is_won { money(paid) } else { Money::ZERO };
    WorkedWager {
        wager: wager.parse().expect(wager),
        numbers: Vec::new(),
        team: None,
        amount: money("5"),
        result: if is_won {
            WagerResult::Win
        } else {
            WagerResult::Loss
        },
        paid,
        payout: paid,
        clause: clause.to_owned(),
    }
}

fn round(
    name: &str,
    request: Value,
    seats: Vec<(u8, Vec<WorkedWager>)>,
    totals: [&str; 4],
) -> WorkedRound {
    WorkedRound {
        name: name.to_owned(),
        request: serde_json::from_value(request).expect(name),
        seats,
        totals: totals.map(money),
    }
}

fn money(text: &str) -> Money {
    text.parse().expect(text)
}

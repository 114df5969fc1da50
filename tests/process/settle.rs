//! `meterhouse settle`: a whole round from a file or standard input, and the mistakes in it.

use std::fs;

use serde_json::{Value, json};

use crate::program::{PROGRAM, command, folder, run, run_to_end_with};

const ROUND: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/process/round.json"
);

/// Returns the round of the file.
fn round() -> Value {
    let text = fs::read_to_string(ROUND).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

/// A round is printed for people with each line and clause, and as JSON as HTTP returns it.
#[tokio::test]
async fn a_round_is_settled_from_a_file() {
    let page = run(&["settle", ROUND]).await.with_code(0).stdout;
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = page.lines().map(words).collect();
    for line in [
        "crazy-4-poker (PA)",
        "pa-657a-ante-play Crazy 4 Poker, Ante and Play Wagers (58 Pa. Code § 657a.12(a))",
        "Seat 4",
        "ante 10.00 loss 0.00 0.00 § 657a.11(b)",
        "Seat 1 (p-77)",
        "super-bonus 10.00 win 20.00 30.00 § 657a.11(c)(3)(ii)(B), Three-of-a-kind: 2 to 1 (pa-657a-super-bonus)",
        "together 290.00",
        "All wagers: 80.00 placed; 20.00 collected, 60.00 returned, 230.00 paid",
    ] {
        assert!(lines.iter().any(|found| found == line), "{line}\n{page}");
    }
    let printed = run(&["settle", ROUND, "--json"]).await.with_code(0).stdout;
    let settled: Value = serde_json::from_str(&printed).expect(&printed);
    assert_eq!(
        settled["totals"],
        json!({"wagered": "80.00", "collected": "20.00", "returned": "60.00", "paid": "230.00"})
    );
}

/// Throws of dice and games of Touchdown Roulette are rounds too: each wager is printed with what the player chose.
#[tokio::test]
async fn rounds_without_hands_are_settled_from_a_file() {
    let folder = folder();
    let path = folder.path().join("throw.json");
    let file = path.display().to_string();
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let throw = json!({"game": "sic-bo", "jurisdiction": "PA", "terms": {"minimum": "5.00", "step": "1.00"},
        "tables": ["pa-625a-sic-bo-a"], "dice": [2, 5, 2], "seats": [{"seat": 3, "wagers": [
            {"wager": "two-dice", "numbers": [2, 5], "amount": "10.00"}, {"wager": "big", "amount": "5.00"}]}]});
    let game = json!({"game": "roulette", "jurisdiction": "PA", "terms": {"minimum": "5.00", "step": "1.00"},
        "tables": ["pa-617a-touchdown-a"], "spins": ["00", "32", "0", "00", "0"], "seats": [{"seat": 1, "wagers": [
            {"wager": "touchdown", "team": "red", "amount": "5.00"}]}]});
    for (round, expected) in [
        (
            &throw,
            [
                "two-dice 2 5 10.00 win 50.00 60.00 § 625a.6(a), Any Two Dice Combination: 5 to 1 (pa-625a-sic-bo-a)",
                "big 5.00 loss 0.00 0.00 § 625a.6(a)",
                "Not in the source, for the operator to confirm: bets of pa-625a-sic-bo-a as in the common rules of Sic Bo.",
            ],
        ),
        (
            &game,
            [
                "roulette (PA)",
                "touchdown red 5.00 win 375.00 380.00 § 617a.3(f)(2), 11—20 yard line: 75 to 1 (pa-617a-touchdown-a)",
                "All wagers: 5.00 placed; 0.00 collected, 5.00 returned, 375.00 paid",
            ],
        ),
    ] {
        fs::write(&path, round.to_string()).expect("written");
        let page = run(&["settle", &file]).await.with_code(0).stdout;
        let lines: Vec<String> = page.lines().map(words).collect();
        for line in expected {
            assert!(lines.iter().any(|found| found == line), "{line}\n{page}");
        }
    }
    let mut wrong = throw;
    wrong["dice"] = json!([0, 5]);
    wrong["dealer"] = json!(["As"]);
    fs::write(&path, wrong.to_string()).expect("written");
    let ended = run(&["settle", &file]).await.with_code(3);
    assert_eq!(
        ended.stdout.lines().collect::<Vec<_>>(),
        [
            "dealer: a round of sic-bo has none: leave it out",
            "dice: a die shows 1 to 6: write three of these numbers"
        ]
    );
    drop(ended.with_error("2 mistakes were found"));
}

/// Standard input stands for the file. The operator's own tables complete the program's.
#[tokio::test]
async fn a_round_is_settled_from_standard_input() {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/paytables");
    let mut let_it_ride = round();
    let_it_ride["game"] = json!("let-it-ride");
    let_it_ride["tables"] = json!(["pa-643a-let-it-ride"]);
    let_it_ride["dealer"] = json!([]);
    let_it_ride["bonus"] = json!([]);
    let_it_ride["community"] = json!(["Ts", "4h"]);
    let_it_ride["seats"] = json!([{"seat": 1, "cards": ["Td", "4c", "9c"], "wagers": [
        {"wager": "let-it-ride-1", "amount": "10.00"}, {"wager": "let-it-ride-3", "amount": "10.00"}]}]);
    let text = let_it_ride.to_string();
    let mut program = command(PROGRAM);
    program.args(["settle", "-", "--paytables", own]);
    let page = run_to_end_with(program, &text).await.with_code(0).stdout;
    assert!(page.contains("40.00 paid"), "{page}");
    let mut program = command(PROGRAM);
    program.args(["settle", "-"]);
    let refused = run_to_end_with(program, &text).await.with_code(3);
    let mistake =
        "tables[0]: pa-643a-let-it-ride is incomplete (lines not in 58 Pa. Code § 643a.12(a))";
    assert!(refused.stdout.contains(mistake), "{}", refused.stdout);
    drop(refused.with_error("one mistake was found"));
}

/// All mistakes are printed, each with its path; a file that is none is refused.
#[tokio::test]
async fn mistakes_in_a_round_are_printed() {
    let folder = folder();
    let path = folder.path().join("round.json");
    let file = path.display().to_string();
    let mut wrong = round();
    wrong["dealer"] = json!(["Kh"]);
    wrong["seats"][0]["wagers"][0]["amount"] = json!("10.25");
    wrong["seats"][1]["end"] = json!("stayed");
    fs::write(&path, wrong.to_string()).expect("written");
    let ended = run(&["settle", &file]).await.with_code(3);
    for line in [
        "dealer: 1 cards instead of 5: write all cards that were dealt",
        "seats[0].wagers[0].amount: 10.25 is off the table's steps: write a multiple of 0.50",
        "seats[1].wagers: play is missing: without it the player folded",
    ] {
        assert!(ended.stdout.contains(line), "{}", ended.stdout);
    }
    let mistakes = ended.stdout.lines().count();
    drop(ended.with_error(&format!("{mistakes} mistakes were found")));
    let ended = run(&["settle", &file, "--json"]).await.with_code(3);
    let problem: Value = serde_json::from_str(&ended.stdout).expect(&ended.stdout);
    assert_eq!(
        (&problem["code"], &problem["fields"]["dealer"]),
        (&json!("round_refused"), &json!("cards_count"))
    );
    fs::write(&path, " ".repeat(65_537)).expect("written");
    let ended = run(&["settle", &file]).await.with_code(3);
    drop(ended.with_error("it has more than 65536 bytes"));
    let ended = run(&["settle", "none.json"]).await.with_code(3);
    drop(ended.with_error("none.json can't be read"));
}

/// Returns files that are no round, each with the code and the beginning of the sentence of its refusal.
fn no_rounds() -> Vec<(Vec<u8>, &'static str, &'static str)> {
    let with = |pointer: &str, value: Value| {
        let mut wrong = round();
        *wrong.pointer_mut(pointer).expect("a value") = value;
        wrong.to_string().into_bytes()
    };
    let utf16 = round().to_string();
    let utf16 = utf16.encode_utf16().flat_map(u16::to_le_bytes);
    vec![
        (
            Vec::new(),
            "malformed_body",
            "the file is empty: write an object",
        ),
        (
            utf16.collect(),
            "malformed_body",
            "the file is UTF-16: save it as UTF-8",
        ),
        (
            b"{".to_vec(),
            "malformed_body",
            "the file ends too early, at line 1 column 1",
        ),
        (
            b"[]".to_vec(),
            "malformed_body",
            "the file: a list is not valid: write an object",
        ),
        (
            b"{}".to_vec(),
            "malformed_body",
            "game is missing: write \"game\" and its value",
        ),
        (
            br#"{"round": 1}"#.to_vec(),
            "unknown_field",
            "unknown field `round`",
        ),
        (
            with("/game", json!(4)),
            "invalid_name",
            "game: 4 is not valid: write a text in quotes, such as \"crazy-4-poker\"",
        ),
        (
            with("/seats/0/seat", json!("1")),
            "invalid_value",
            "seats[0].seat: \"1\" is not valid: write 1 without quotes",
        ),
        (
            with("/seats/0/wagers/0/amount", json!(10)),
            "invalid_amount",
            "seats[0].wagers[0].amount: 10 is not valid: write a text in quotes, such as \"1.00\"",
        ),
        (
            with("/seats/0/wagers/0/wager", json!("antee")),
            "invalid_value",
            "seats[0].wagers[0].wager: \"antee\" is not valid: write one of ante, play, ",
        ),
        (
            with("/jurisdiction", json!("pa")),
            "invalid_value",
            "jurisdiction: \"pa\" is not valid: write one of PA, MA",
        ),
    ]
}

/// A file that is no round is refused with what is wrong and what to write; with `--json`, as HTTP refuses it.
#[tokio::test]
async fn a_file_that_is_no_round_says_why() {
    let folder = folder();
    let path = folder.path().join("round.json");
    let file = path.display().to_string();
    for (bytes, code, sentence) in no_rounds() {
        fs::write(&path, bytes).expect("written");
        let ended = run(&["settle", &file]).await.with_code(3);
        let ended = ended.with_error(sentence);
        assert_eq!(
            (ended.stdout.as_str(), ended.stderr.lines().count()),
            ("", 1)
        );
        let ended = run(&["settle", &file, "--json"]).await.with_code(3);
        let problem: Value = serde_json::from_str(&ended.stdout).expect(&ended.stdout);
        assert_eq!(problem["code"], code, "{problem}");
        drop(ended.with_error(sentence));
    }
}

//! Where a mistake in the wagers of a command is found.

use meterhouse_domain::fixed::settle::TableTerms;
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::{Refusal, RefusalCode};

use super::*;

fn wagers(seats: &[u8]) -> PlayedWagers {
    let seat = |seat: &u8| rules::SeatWagers {
        seat: Seat(*seat),
        player: None,
        end: SeatEnd::Stayed,
        wagers: Vec::new(),
    };
    PlayedWagers {
        jurisdiction: "PA".to_owned(),
        terms: TableTerms {
            minimum: Money::from_micros(5_000_000),
            step: Money::from_micros(500_000),
            limit: None,
            reading: None,
            most_at_minimum: None,
        },
        tables: vec!["none".parse().expect("an id")],
        bonus: Vec::new(),
        seats: seats.iter().map(seat).collect(),
    }
}

/// Cards are beside the wagers, and everything else is among them.
#[test]
fn a_path_leads_to_the_field_of_the_command() {
    let cards = Settle {
        dealer: Vec::new(),
        community: Vec::new(),
        seats: vec![(Seat(4), Vec::new()), (Seat(2), Vec::new())],
    };
    let wagers = wagers(&[2, 3]);
    for (path, expected) in [
        ("dealer", "dealer"),
        ("community[2]", "community[2]"),
        ("bonus", "wagers.bonus"),
        ("game", "wagers"),
        ("terms.limit", "wagers.terms.limit"),
        ("tables[1]", "wagers.tables[1]"),
        ("seats", "wagers.seats"),
        ("seats[0].cards", "seats[1].cards"),
        ("seats[0].cards[4]", "seats[1].cards[4]"),
        ("seats[1].cards", "seats"),
        (
            "seats[1].wagers[0].amount",
            "wagers.seats[1].wagers[0].amount",
        ),
    ] {
        assert_eq!(path_in_command(path, &cards, &wagers), expected, "{path}");
    }
}

/// Mistakes are in the command with their paths, codes and sentences; the problem of their refusal has them all.
#[test]
fn mistakes_are_in_the_command_and_in_the_problem() {
    let catalogue = Catalogue::compiled_in().expect("the compiled-in files are right");
    let game = "crazy-4-poker".parse().expect("a game");
    let cards = Settle {
        dealer: Vec::new(),
        community: Vec::new(),
        seats: Vec::new(),
    };
    let sent = serde_json::json!({
        "jurisdiction": "PA", "terms": {"minimum": "5.00", "step": "0.50", "goal": "plays-on"},
        "tables": ["none"], "seats": [{"seat": 2, "wagers": [
            {"wager": "queens-up", "amount": "5.00", "numbers": [6], "team": "red"}]}],
    });
    let sent = serde_json::from_value(sent).expect("wagers");
    let command = settle_wagers(&catalogue, &game, cards, &sent);
    let TableCommand::SettleWagers(settle) = &command else {
        panic!("{command:?}");
    };
    let WagersResult::Refused(findings) = &settle.result else {
        panic!("{settle:?}");
    };
    let found: Vec<(&str, &str)> = findings
        .iter()
        .map(|found| (found.path.as_str(), found.code.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("wagers.tables[0]", "table_unknown"),
            ("wagers.terms.goal", "other_game"),
            ("wagers.seats[0].wagers[0].numbers", "other_game"),
            ("wagers.seats[0].wagers[0].team", "other_game"),
            ("dealer", "cards_count"),
            ("seats", "cards_count"),
            ("wagers.seats[0].wagers", "wager_missing"),
            ("wagers.seats[0].wagers", "wager_missing"),
            ("wagers.seats[0].wagers", "raise_missing"),
        ]
    );
    let refusal = findings.iter().fold(
        Refusal::new(RefusalCode::WagersRefused),
        |refusal, found| refusal.with(&found.path, &found.code),
    );
    let command = meterhouse_domain::command::Command::Table {
        table: meterhouse_domain::ids::TableNo(1),
        sequence: meterhouse_domain::ids::Sequence(1),
        command: command.clone(),
    };
    let problem = crate::problem::Problem::of_refused(&refusal, &command);
    assert_eq!((problem.status, problem.code), (422, "wagers_refused"));
    for finding in findings {
        let sentence = format!("{}: {}", finding.path, finding.detail);
        assert!(problem.detail.contains(&sentence), "{}", problem.detail);
    }
}

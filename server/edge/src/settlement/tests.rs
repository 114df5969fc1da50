//! Rounds asked for as values, and what is wrong with them.

use super::*;
use crate::codes::EdgeCode;

/// Returns a round of Crazy 4 Poker: the dealer has a pair of kings, and seat 1 three aces.
fn round() -> serde_json::Value {
    serde_json::json!({
        "game": "crazy-4-poker", "jurisdiction": "PA", "terms": {"minimum": "5.00", "step": "0.50"},
        "tables": ["pa-657a-ante-play", "pa-657a-super-bonus"],
        "dealer": ["Kh", "Ks", "9d", "5c", "2h"],
        "seats": [{"seat": 1, "player": "p-77", "cards": ["As", "Ad", "Ah", "7d", "3c"], "wagers": [
            {"wager": "ante", "amount": "10.00"}, {"wager": "super-bonus", "amount": "10.00"},
            {"wager": "play", "amount": "30.00"}]}],
    })
}

fn settled(round: serde_json::Value) -> Result<RoundSettlement, RoundRefused> {
    let catalogue = Catalogue::compiled_in().expect("the compiled-in files are right");
    let request = serde_json::from_value(round).expect("a request");
    settlement(&catalogue, &request)
}

/// Returns the paths and codes of a refused round.
fn found(round: serde_json::Value) -> Vec<(String, &'static str)> {
    let RoundRefused(findings) = settled(round).expect_err("a round with mistakes");
    let findings = findings.into_iter();
    findings
        .map(|finding| (finding.path, finding.code))
        .collect()
}

#[test]
fn a_settled_wager_has_its_line_with_the_odds() {
    let settled = settled(round()).expect("a round without mistakes");
    let seat = settled.seats.first().expect("a seat");
    assert_eq!(
        (
            seat.chips.to_string().as_str(),
            seat.player.as_ref().map(ToString::to_string)
        ),
        ("110.00", Some("p-77".to_owned()))
    );
    let mut wagers = seat.wagers.iter();
    let super_bonus = wagers.find(|wager| wager.wager.to_string() == "super-bonus");
    let super_bonus = super_bonus.expect("the Super Bonus");
    let line = super_bonus.line.as_ref().expect("its line");
    assert_eq!(
        (line.index, line.pays.as_str(), line.table.as_str()),
        (3, "2 to 1", "pa-657a-super-bonus")
    );
    assert_eq!(super_bonus.chips.to_string(), "30.00");
}

/// The rules find nothing that only follows from a table that can't be used.
#[test]
fn a_table_that_cannot_be_used_is_one_mistake() {
    let mut round = round();
    round["tables"] = serde_json::json!([
        "pa-657a-ante-play",
        "none",
        "pa-657a-five-card-c",
        "pa-643a-let-it-ride"
    ]);
    round["seats"][0]["wagers"][0]["amount"] = "10.25".into();
    let expected = [
        ("tables[1]".to_owned(), "table_unknown"),
        ("tables[2]".to_owned(), "table_unknown"),
        ("tables[3]".to_owned(), "table_incomplete"),
        ("seats[0].wagers[0].amount".to_owned(), "off_step"),
    ];
    let found = found(round);
    assert_eq!(found.get(..4), Some(&expected[..]), "{found:?}");
    assert!(
        found.iter().all(|(_, code)| *code != "table_missing"),
        "{found:?}"
    );
}

#[test]
fn a_problem_has_each_sentence_and_each_code() {
    let mut round = round();
    round["tables"] = serde_json::json!(["pa-657a-ante-play"]);
    round["terms"]["limit"] = "50000.00".into();
    let error = settled(round).expect_err("two mistakes").error();
    assert_eq!(error.code, EdgeCode::RoundRefused);
    assert_eq!(
        error.fields,
        [
            ("seats[0].wagers[1]".to_owned(), "table_missing".to_owned()),
            ("terms.limit".to_owned(), "limit_unknown".to_owned()),
        ]
    );
    assert!(
        error
            .detail
            .contains("; terms.limit: no clause lets this game limit payouts"),
        "{}",
        error.detail
    );
}

/// Amounts near the end of the range of money have no sum.
#[test]
fn sums_beyond_the_range_are_a_mistake() {
    let mut round = round();
    round["tables"] = serde_json::json!(["pa-657a-ante-play", "pa-657a-super-bonus"]);
    for (index, amount) in ["3000000000000", "3000000000000", "3000000000000"]
        .iter()
        .enumerate()
    {
        round["seats"][0]["wagers"][index]["amount"] = (*amount).into();
    }
    assert_eq!(found(round), [("seats".to_owned(), "unpayable")]);
}

#[test]
fn every_code_is_there_once() {
    let mut codes = FINDING_CODES.to_vec();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), FINDING_CODES.len());
}

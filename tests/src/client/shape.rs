//! The form of every successful response: its type reads it, and writes exactly the same again.
//!
//! # Shape
//! [`assert_shape`] finds the type of a response by its method and path. A field that the type doesn't have, or that the
//! server left out, fails the test that sent the request.

use meterhouse_api::alteration::AlterationReport;
use meterhouse_api::change::{Approval, Proposal, ProposalMade, ProposalPage};
use meterhouse_api::closing::{Closing, ClosingPage};
use meterhouse_api::decision::{PaidPayout, Validation};
use meterhouse_api::evaluation::Evaluation;
use meterhouse_api::evidence::Evidence;
use meterhouse_api::exception::{ClearedException, ExceptionPage};
use meterhouse_api::history::LevelHistory;
use meterhouse_api::hit_detail::{HitDetail, HitPage, LastHits};
use meterhouse_api::journal::JournalPage;
use meterhouse_api::large_win::LargeWins;
use meterhouse_api::link::{
    AcceptedValues, Link, LinkMeters, LinkPage, OpenedLink, Suspension, SwitchedLevel,
};
use meterhouse_api::manual::{ManualGames, ManualPage};
use meterhouse_api::operation::{AttemptPage, Health, Readiness};
use meterhouse_api::outcome::CommandResponse;
use meterhouse_api::paytable::{Paytable, PaytableComparison, PaytablePage};
use meterhouse_api::presentation::{PresentedLink, PresentedTable};
use meterhouse_api::problem::Problem;
use meterhouse_api::proof::{HouseProof, Proof};
use meterhouse_api::report::{
    DisplayedAmounts, Liability, Lifetime, Payoff, Reconciliation, Variance,
};
use meterhouse_api::returns::PaytableReturns;
use meterhouse_api::round_settlement::RoundSettlement;
use meterhouse_api::screen::{
    PairedScreen, PairingState, ScreenPage, ShownPage, ShownReceipt, UnpairedScreen,
};
use meterhouse_api::slip::{PayoutSlip, SlipPage};
use meterhouse_api::table::{JoinedTable, SwitchedTable, Table, TablePage};
use meterhouse_api::theme::{DeletedTheme, HouseTheme, HouseThemes};
use meterhouse_api::witness::{WitnessedHead, WitnessedHeadPage};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Asserts that a response has the form of its type. Paths without a JSON type are left out.
#[track_caller]
pub(super) fn assert_shape(asked: &str, status: u16, body: &Value) {
    let (method, path) = asked.split_once(' ').unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    if status >= 400 && (asked != "GET /readyz" || status != 503) {
        return same::<Problem>(asked, body);
    }
    match (method, parts.as_slice()) {
        ("PUT", ["v1", "tables", _, "commands", _]) => same::<CommandResponse>(asked, body),
        ("PUT", ["v1", "tables", _]) => same::<JoinedTable>(asked, body),
        ("PUT", ["v1", "tables", _, "presentation"]) => same::<PresentedTable>(asked, body),
        ("PUT" | "DELETE", ["v1", "tables", _, "disabled" | "departure"]) => {
            same::<SwitchedTable>(asked, body);
        }
        (_, ["v1", "tables", _] | ["v1", "tables", _, "heartbeat"]) => same::<Table>(asked, body),
        (_, ["v1", "tables"]) => same::<TablePage>(asked, body),
        (_, ["v1", "links"]) => same::<LinkPage>(asked, body),
        ("PUT", ["v1", "links", _]) => same::<OpenedLink>(asked, body),
        (_, ["v1", "links", _]) => same::<Link>(asked, body),
        (_, ["v1", "links", _, rest @ ..]) => of_link(method, rest, asked, body),
        (_, ["v1", "hits"]) => same::<HitPage>(asked, body),
        (_, ["v1", "hits", _]) => same::<HitDetail>(asked, body),
        (_, ["v1", "hits", _, "validation"]) => same::<Validation>(asked, body),
        (_, ["v1", "hits", _, "evidence"]) => same::<Evidence>(asked, body),
        (_, ["v1", "hits", _, "payoff"]) => same::<Payoff>(asked, body),
        (_, ["v1", "hits", _, "payouts", _, "slip"] | ["v1", "slips", _, ..]) => {
            same::<PayoutSlip>(asked, body);
        }
        (_, ["v1", "slips"]) => same::<SlipPage>(asked, body),
        (_, ["v1", "hits", _, "payouts", ..]) => same::<PaidPayout>(asked, body),
        (_, ["v1", "themes"]) => same::<HouseThemes>(asked, body),
        ("DELETE", ["v1", "themes", _]) => same::<DeletedTheme>(asked, body),
        (_, ["v1", "themes", ..]) => same::<HouseTheme>(asked, body),
        (_, ["v1", "paytables"]) => same::<PaytablePage>(asked, body),
        (_, ["v1", "paytables", _]) => same::<Paytable>(asked, body),
        (_, ["v1", "paytables", _, "returns"]) => same::<PaytableReturns>(asked, body),
        (_, ["v1", "paytables", _, "differences"]) => same::<PaytableComparison>(asked, body),
        (_, ["v1", "evaluations"]) => same::<Evaluation>(asked, body),
        (_, ["v1", "rounds", "settlements"]) => same::<RoundSettlement>(asked, body),
        (_, ["v1", "manual"]) => same::<ManualGames>(asked, body),
        (_, ["v1", "manual", _]) => same::<ManualPage>(asked, body),
        (_, ["v1", "proof"]) => same::<HouseProof>(asked, body),
        (_, ["v1", "pairings"]) => same::<PairingState>(asked, body),
        (_, ["v1", "screens"]) => same::<ScreenPage>(asked, body),
        ("PUT", ["v1", "screens", _]) => same::<PairedScreen>(asked, body),
        ("DELETE", ["v1", "screens", _]) => same::<UnpairedScreen>(asked, body),
        (_, ["v1", "screens", _, "shown"]) => same::<ShownPage>(asked, body),
        (_, ["v1", "shown"]) => same::<ShownReceipt>(asked, body),
        ("POST", ["v1", "witness", "heads"]) => same::<WitnessedHead>(asked, body),
        (_, ["v1", "witness", "heads"]) => same::<WitnessedHeadPage>(asked, body),
        (_, ["v1", "attempts"]) => same::<AttemptPage>(asked, body),
        (_, ["healthz"]) => same::<Health>(asked, body),
        (_, ["readyz"]) => same::<Readiness>(asked, body),
        _ => {}
    }
}

fn of_link(method: &str, parts: &[&str], asked: &str, body: &Value) {
    match (method, parts) {
        (_, ["meters"]) => same::<LinkMeters>(asked, body),
        (_, ["presentation"]) => same::<PresentedLink>(asked, body),
        (_, ["values"]) => same::<AcceptedValues>(asked, body),
        (_, ["suspension"]) => same::<Suspension>(asked, body),
        (_, ["levels", _, "history"]) => same::<LevelHistory>(asked, body),
        (_, ["levels", ..]) => same::<SwitchedLevel>(asked, body),
        (_, ["proof"]) => same::<Proof>(asked, body),
        (_, ["journal"]) => same::<JournalPage>(asked, body),
        (_, ["hits"]) => same::<HitPage>(asked, body),
        (_, ["reconciliation"]) => same::<Reconciliation>(asked, body),
        (_, ["lifetime"]) => same::<Lifetime>(asked, body),
        (_, ["variance"]) => same::<Variance>(asked, body),
        (_, ["alterations"]) => same::<AlterationReport>(asked, body),
        (_, ["large-wins"]) => same::<LargeWins>(asked, body),
        (_, ["last-hits"]) => same::<LastHits>(asked, body),
        (_, ["liability"]) => same::<Liability>(asked, body),
        (_, ["displayed"]) => same::<DisplayedAmounts>(asked, body),
        (_, ["exceptions"]) => same::<ExceptionPage>(asked, body),
        (_, ["exceptions", ..]) => same::<ClearedException>(asked, body),
        (_, ["closings"]) => same::<ClosingPage>(asked, body),
        (_, ["closings", ..]) => same::<Closing>(asked, body),
        (_, ["proposals"]) => same::<ProposalPage>(asked, body),
        ("PUT", ["proposals", _]) => same::<ProposalMade>(asked, body),
        (_, ["proposals", _]) => same::<Proposal>(asked, body),
        (_, ["proposals", _, "approval"]) => same::<Approval>(asked, body),
        _ => {}
    }
}

/// Asserts that a type reads a body and writes it again.
#[track_caller]
pub(crate) fn same<T: Serialize + DeserializeOwned>(asked: &str, body: &Value) {
    let read: Result<T, _> = serde_json::from_value(body.clone());
    let read = read.unwrap_or_else(|error| panic!("{asked}: {error}: {body}"));
    let written = serde_json::to_value(&read).expect("plain data");
    assert_eq!(written, *body, "{asked}: the type writes another form");
}

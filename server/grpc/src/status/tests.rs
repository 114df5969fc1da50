//! The contents of statuses, and their agreement with the documentation.

use std::collections::BTreeSet;

use meterhouse_domain::ids::Sequence;
use meterhouse_edge::wire_error::rows;
use meterhouse_engine::answer::NotExecuted;

use super::*;

#[test]
fn a_sequence_gap_names_the_table_and_both_numbers() {
    let about = About {
        table: Some("C4P-07"),
        sequence: Some(9),
    };
    let expected = Sequence(7);
    let status = status(NotExecuted::SequenceGap { expected }, about);
    assert_eq!(status.code(), Code::Aborted);
    let info = status.get_details_error_info().expect("details");
    assert_eq!(
        (info.reason.as_str(), info.domain.as_str()),
        ("sequence_gap", DOMAIN)
    );
    let named = ["table", "sequence", "expected"].map(|name| info.metadata[name].as_str());
    assert_eq!(named, ["C4P-07", "9", "7"]);
    assert!(status.get_details_retry_info().is_none());
}

#[test]
fn retry_info_is_sent_only_if_waiting_helps() {
    let wait = |status: Status| status.get_details_retry_info()?.retry_delay;
    assert_eq!(
        wait(status(NotExecuted::Busy, About::default())),
        Some(Duration::from_secs(1))
    );
    assert_eq!(wait(Status::from(End::ServerStops)), Some(RETRY_STOPPED));
    assert_eq!(wait(Status::from(End::NothingAttached)), None);
}

const PAGE: &str = include_str!("../../../../docs/API.md");

/// Returns the first two cells of the rows under a heading of the page.
fn page(heading: &str) -> Vec<(&'static str, &'static str)> {
    let (_, after) = PAGE.split_once(heading).expect(heading);
    let table = after.lines().skip_while(|line| !line.starts_with("|---"));
    let rows = table.skip(1).take_while(|line| line.starts_with('|'));
    let cells = |row: &'static str| {
        let mut cells = row.trim_matches('|').split('|');
        let mut cell = || cells.next().expect("a cell").trim().trim_matches('`');
        (cell(), cell())
    };
    rows.map(cells).collect()
}

/// Returns the name of a code.
fn name(code: Code) -> String {
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_uppercase());
    }
    name
}

#[test]
fn every_status_is_in_the_page_and_no_other() {
    let rows = rows();
    let used = rows.iter().map(|row| {
        (
            row.status.to_string(),
            name(Code::from_i32(row.grpc_code())),
        )
    });
    let used: BTreeSet<_> = used.collect();
    let page = page("| status of HTTP | status of gRPC |");
    let page = page
        .into_iter()
        .map(|(http, grpc)| (http.to_owned(), grpc.to_owned()));
    assert_eq!(page.collect::<BTreeSet<_>>(), used);
}

#[test]
fn every_end_of_a_stream_of_tables_is_in_the_page() {
    let ends = [End::ServerStops, End::AnswersNotRead, End::NothingAttached];
    let ends = ends.map(|end| (end.reason().to_owned(), name(end.code())));
    let page = page("And what only streams have:").into_iter();
    let page = page.map(|(reason, code)| (reason.to_owned(), code.to_owned()));
    assert_eq!(page.collect::<Vec<_>>(), ends);
}

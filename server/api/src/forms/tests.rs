//! Every kind of value has one text, and other texts have the code of the kind.

use meterhouse_domain::ids::Sequence;

use super::*;
use crate::given::Given;
use crate::sequence::SequenceNumber;
use crate::text::Text;

#[track_caller]
fn refused<T: TextForm + fmt::Debug>(texts: &[&str]) {
    for text in texts {
        let error = T::read(text).expect_err(text);
        assert_eq!(error.code, T::CODE, "{text:?}");
    }
}

#[test]
fn a_sequence_is_a_number_that_a_table_can_use() {
    for (text, number) in [("1", 1), ("9223372036854775807", Sequence::MAX)] {
        assert_eq!(text.parse(), Ok(SequenceNumber(Sequence(number))));
    }
    for text in [
        "",
        "0",
        "-1",
        "+1",
        "01",
        "1.0",
        "1e3",
        " 1",
        "x",
        "9223372036854775808",
        "１",
    ] {
        let error = text.parse::<SequenceNumber>().expect_err(text);
        assert_eq!(error.code, "invalid_sequence", "{text:?}");
    }
}

#[test]
fn a_proposal_is_a_uuid_in_its_usual_form() {
    let text = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
    let id = ProposalId::read(&text.to_uppercase()).expect("a UUID");
    assert_eq!(Text(id).to_string(), text);
    refused::<ProposalId>(&[
        "",
        "1",
        "1b4e28ba2fa141d2883f0016d3cca427",
        "1b4e28ba-2fa1-41d2-883f-0016d3cca42",
        "1b4e28ba-2fa1-41d2-883f-0016d3cca4270",
        "1b4e28ba-2fa1-41d2-883f0-016d3cca427",
        "1b4e28bg-2fa1-41d2-883f-0016d3cca427",
        "{1b4e28ba-2fa1-41d2-883f-0016d3cca427}",
        "urn:uuid:1b4e28ba-2fa1-41d2-883f-0016d3cca427",
    ]);
}

#[test]
fn an_amount_is_read_exactly_and_displayed_in_whole_cents() {
    let amount = Unsigned::read("10000.005").expect("an amount");
    assert_eq!(Text(amount).to_string(), "10000.005");
    assert_eq!(Text(amount.0.displayed()).to_string(), "10000.00");
    for (text, micros) in [("-1.50", -1_500_000), ("1", 1_000_000)] {
        assert_eq!(Money::read(text), Ok(Money::from_micros(micros)));
    }
    let wrong = [
        "",
        "1e3",
        "1,00",
        "$1",
        "1.0000001",
        "0x1",
        "99999999999999",
        " 1",
        "+1",
    ];
    refused::<Money>(&wrong);
    refused::<Money>(&["--1", "-", "- 1", "-1e3"]);
    refused::<Unsigned>(&wrong);
    refused::<Unsigned>(&["-1.00"]);
}

#[test]
fn a_wrong_word_lists_the_words() {
    let error = VoidReason::read("rain").expect_err("no reason");
    assert!(
        error
            .detail
            .starts_with("write one of misdeal, count_mismatch"),
        "{error}"
    );
    refused::<VoidReason>(&["", "Misdeal"]);
    refused::<Hand>(&["royal", ""]);
    refused::<Card>(&["1s", "", "As "]);
    refused::<LinkName>(&["", "a b", "x23456789012345678901234567890123"]);
    refused::<Note>(&["", "a\nb"]);
    refused::<Given<Note>>(&[
        "",
        "a\nb",
        " ",
        "   ",
        "\u{a0}\u{3000}",
        "\u{200b} \u{feff}",
    ]);
    refused::<Given<Document>>(&["", " "]);
    let given = Given::<Note>::read(" a ").expect("a note");
    assert_eq!(given.0.as_str(), " a ");
    assert!(
        Note::read(" ").is_ok(),
        "what was stored before is still read"
    );
    refused::<Timestamp>(&["", "yesterday", "2026-11-21", "1"]);
}

//! Values are read as they are written, and an error names the wrong value.

use meterhouse_domain::command::VoidReason;
use meterhouse_domain::ids::{LinkName, Note};

use super::*;

#[test]
fn a_sequence_is_a_number_that_a_table_can_use() {
    assert_eq!(sequence("sequence", "1"), Ok(Sequence(1)));
    assert_eq!(
        sequence("sequence", "9223372036854775807"),
        Ok(Sequence(Sequence::MAX))
    );
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
        let error = sequence("sequence", text).expect_err("no sequence");
        assert_eq!(error.code, EdgeCode::InvalidSequence, "{text:?}");
    }
}

#[test]
fn a_hits_name_is_its_table_and_number() {
    let name = hit("hit", "C4P-07.4713").expect("a hit");
    assert_eq!(
        (name.table.as_str(), name.sequence),
        ("C4P-07", Sequence(4713))
    );
    assert_eq!(
        hit_text(&name.table, name.sequence, name.number),
        "C4P-07.4713"
    );
    let name = hit("hit", "C4P-07.4713.2").expect("a hit");
    assert_eq!((name.sequence, name.number), (Sequence(4713), 2));
    assert_eq!(
        hit_text(&name.table, name.sequence, name.number),
        "C4P-07.4713.2"
    );
    for text in [
        "",
        "C4P-07",
        "C4P-07.",
        ".1",
        "C4P-07.0",
        "C4P-07.1.0",
        "C4P-07.1.02",
        "C4P-07.1.256",
        "C4P-07.1.",
        "C4P-07.1.2.3",
        "C4P 07.1",
        "a.-1",
    ] {
        let error = hit("hit", text).expect_err("no hit");
        assert_eq!(error.code, EdgeCode::InvalidName, "{text:?}");
    }
}

#[test]
fn a_proposal_is_read_as_it_is_written() {
    let text = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
    let id = proposal("proposal", &text.to_uppercase()).expect("a UUID");
    assert_eq!(id.0[..2], [0x1b, 0x4e]);
    assert_eq!(proposal_text(id), text);
    for text in [
        "",
        "1",
        "1b4e28ba2fa141d2883f0016d3cca427",
        "1b4e28ba-2fa1-41d2-883f-0016d3cca42",
        "1b4e28ba-2fa1-41d2-883f-0016d3cca4270",
        "1b4e28ba-2fa1-41d2-883f0-016d3cca427",
        "1b4e28bg-2fa1-41d2-883f-0016d3cca427",
        "{1b4e28ba-2fa1-41d2-883f-0016d3cca427}",
    ] {
        let error = proposal("proposal", text).expect_err("no UUID");
        assert_eq!(error.code, EdgeCode::InvalidName, "{text:?}");
    }
}

#[test]
fn a_wrong_position_is_named_with_its_field() {
    assert_eq!(position("after", "12"), Ok(Position::behind(12)));
    let error = position("after", "1.2.3").expect_err("no position");
    assert_eq!(error.code, EdgeCode::InvalidParameter);
    assert_eq!(error.fields, [("after".to_owned(), "1.2.3".to_owned())]);
}

#[test]
fn a_cursor_is_read_as_it_is_written() {
    let cursor = HitCursor { link: 2, order: 25 };
    assert_eq!(hit_cursor("after", &hit_cursor_text(cursor)), Ok(cursor));
    for text in ["", "25", "1.", "-1.2", "2147483648.1", "x.y"] {
        let error = hit_cursor("after", text).expect_err("no cursor");
        assert_eq!(error.code, EdgeCode::InvalidParameter, "{text:?}");
    }
}

#[test]
fn errors_of_words_names_and_texts_name_the_accepted_values() {
    let error = word("reason", "rain", VoidReason::ALL, VoidReason::name).expect_err("no reason");
    assert_eq!(error.code, EdgeCode::InvalidValue);
    assert!(
        error
            .detail
            .starts_with("reason is one of misdeal, count_mismatch"),
        "{error}"
    );
    let long = "x".repeat(1_000);
    let error = name::<LinkName>("link", &long).expect_err("too long");
    assert_eq!(error.fields, [("link".to_owned(), "x".repeat(SHOWN_MAX))]);
    assert_eq!(
        text::<Note>("note", "a\nb").map_err(|error| error.code),
        Err(EdgeCode::InvalidValue)
    );
    assert_eq!(
        hand("hand", "royal").map_err(|error| error.code),
        Err(EdgeCode::UnknownHand)
    );
    assert_eq!(
        card("cards[0]", "1s").map_err(|error| error.code),
        Err(EdgeCode::InvalidCard)
    );
}

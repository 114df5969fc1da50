//! From a proposal's request to the change that the engine executes.

use meterhouse_api::change::{Change, LateHit};
use meterhouse_catalogue::Catalogue;
use meterhouse_edge::adoption::adoption;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::view::ProposedChange;

use crate::tables::request::{cards, holder};

/// Returns the change of a request. The catalogue has the table to adopt.
pub(super) fn change(catalogue: &Catalogue, change: Change) -> Result<ProposedChange, EdgeError> {
    Ok(match change {
        Change::Correct(correct) => ProposedChange::Correct { hit: correct.hit.0 },
        Change::Adjust(adjust) => ProposedChange::Adjust {
            level: adjust.level.0,
            account: adjust.account.0,
            amount: adjust.amount.0,
        },
        Change::LateHit(late) => late_hit(late)?,
        Change::ClearFault(_) => ProposedChange::ClearFault,
        Change::AcknowledgeReturns(_) => ProposedChange::AcknowledgeReturns,
        Change::AdoptTable(asked) => {
            ProposedChange::AdoptTable(Box::new(adoption(catalogue, asked)?))
        }
    })
}

fn late_hit(late: LateHit) -> Result<ProposedChange, EdgeError> {
    Ok(ProposedChange::LateHit {
        table: late.table.0,
        round: late.round.0,
        holder: holder("late_hit", late.seat, late.dealer)?,
        hand: late.hand.0,
        cards: late.cards.map(cards),
    })
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::command::Holder;
    use meterhouse_domain::hand::Hand;
    use meterhouse_domain::ids::Sequence;
    use meterhouse_domain::seat::Seat;

    use meterhouse_domain::change::AdjustedAccount;
    use meterhouse_edge::codes::EdgeCode;

    use super::*;
    use meterhouse_api::change::ProposalRequest;

    use crate::extract::request::parse;

    fn read(text: &str) -> Result<ProposedChange, EdgeError> {
        let body: ProposalRequest = parse("the body", text.as_bytes())?;
        change(
            &Catalogue::compiled_in().expect("the compiled-in files are right"),
            body.change,
        )
    }

    #[track_caller]
    fn refused(change: &str, code: EdgeCode, field: &str) {
        let text = format!(r#"{{"reason":"found","{change}}}"#);
        let error = read(&text).expect_err(&text);
        assert_eq!(error.code, code, "{text}: {error}");
        let named = error
            .fields
            .iter()
            .any(|(name, value)| name == field || value == field);
        assert!(named, "{text}: {field} is not in {:?}", error.fields);
    }

    #[test]
    fn each_change_is_read() {
        let correct = read(r#"{"reason":"no royal","change":"correct","hit":"C4P-07.4713.2"}"#);
        let hit = "C4P-07.4713.2".parse().expect("a hit");
        assert_eq!(correct, Ok(ProposedChange::Correct { hit }));
        let adjust = r#"{"reason":"variance","change":"adjust","level":"mega","account":"reserve","amount":"-1.50"}"#;
        let Ok(ProposedChange::Adjust {
            level,
            account,
            amount,
        }) = read(adjust)
        else {
            panic!("an adjustment")
        };
        assert_eq!(
            (level.as_str(), account),
            ("mega", AdjustedAccount::Reserve)
        );
        assert_eq!(amount.to_string(), "-1.50");
        let late = r#"{"reason":"found","change":"late_hit","table":"C4P-07","round":4711,"seat":3,"hand":"flush"}"#;
        let late = read(late).expect("a late hit");
        let expected = ProposedChange::LateHit {
            table: "C4P-07".parse().expect("a name"),
            round: Sequence(4711),
            holder: Holder::Seat(Seat(3)),
            hand: Hand::Flush,
            cards: None,
        };
        assert_eq!(late, expected);
        let clear = read(r#"{"reason":"looked at","change":"clear_fault"}"#);
        assert_eq!(clear, Ok(ProposedChange::ClearFault));
    }

    #[test]
    fn exactly_one_change_and_a_reason_are_named() {
        for text in [
            "{}",
            r#"{"change":"clear_fault"}"#,
            r#"{"reason":"x"}"#,
            r#"{"reason":"x","change":"clear_fault","change":"correct","hit":"T1.1"}"#,
            r#"{"reason":"x","change":"late_hit","table":"T1","round":1,"hand":"flush"}"#,
            r#"{"reason":"x","change":"adjust","level":"mega","account":"meter"}"#,
        ] {
            let error = read(text).expect_err(text);
            assert_eq!(error.code, EdgeCode::MalformedBody, "{text}: {error}");
        }
        let empty = read(r#"{"reason":"","change":"clear_fault"}"#).map_err(|error| error.code);
        assert_eq!(empty, Err(EdgeCode::InvalidValue));
    }

    #[test]
    fn every_wrong_value_of_a_change_is_named() {
        refused(
            r#"change":"correct","hit":"T1""#,
            EdgeCode::InvalidName,
            "hit",
        );
        refused(
            r#"change":"correct","hit":"T1.1","amount":"1""#,
            EdgeCode::UnknownField,
            "amount",
        );
        for amount in ["1", "\"--1\"", "\"1e3\"", "null"] {
            let adjust =
                format!(r#"change":"adjust","level":"mega","account":"meter","amount":{amount}"#);
            refused(&adjust, EdgeCode::InvalidAmount, "amount");
        }
        refused(
            r#"change":"adjust","level":"mega","account":"overflow","amount":"1""#,
            EdgeCode::InvalidValue,
            "account",
        );
        refused(
            r#"change":"late_hit","table":"T1","round":"T1.1","seat":3,"hand":"flush""#,
            EdgeCode::InvalidSequence,
            "round",
        );
        refused(
            r#"change":"late_hit","table":"T1","round":1,"seat":3,"hand":"royal""#,
            EdgeCode::UnknownHand,
            "hand",
        );
        refused(
            r#"change":"late_hit","table":"T1","round":1,"seat":3,"hand":"flush","cards":["1s"]"#,
            EdgeCode::InvalidCard,
            "cards[0]",
        );
    }
}

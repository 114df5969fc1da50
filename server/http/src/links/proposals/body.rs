//! A proposal as it is sent: why, and exactly one change.

use meterhouse_domain::change::AdjustedAccount;
use meterhouse_domain::ids::Note;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::view::ProposedChange;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::extract::{Loose, Object};
use crate::tables::holder;

/// What one person proposes to another: a reason and exactly one of `correct`, `adjust`, `late_hit` and
/// `clear_fault`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Propose)]
pub(crate) struct ProposeBody {
    /// Why.
    #[schema(value_type = String, min_length = 1, max_length = 256, examples("variance"))]
    reason: Loose,
    /// Withdraw a hit that was validated or paid; later hits of its level get the amounts that they have without it.
    #[schema(value_type = Option<CorrectBody>)]
    correct: Option<Object<CorrectBody>>,
    /// Move money between the house and a meter or reserve.
    #[schema(value_type = Option<AdjustBody>)]
    adjust: Option<Object<AdjustBody>>,
    /// Pay a winner who was found after GAME OVER.
    #[schema(value_type = Option<LateHitBody>)]
    late_hit: Option<Object<LateHitBody>>,
    /// Take a faulted link back into play, with the balances that stand.
    #[schema(value_type = Option<ClearFaultBody>)]
    clear_fault: Option<Object<ClearFaultBody>>,
    /// Let a link play although it returns more than the whole wager.
    #[schema(value_type = Option<AcknowledgeReturnsBody>)]
    acknowledge_returns: Option<Object<AcknowledgeReturnsBody>>,
}

/// The hit to withdraw.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Correct)]
pub(super) struct CorrectBody {
    /// The hit.
    #[schema(value_type = String, examples("C4P-07.4713"))]
    hit: Loose,
}

/// Money that is added to a balance, or taken from it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Adjust)]
pub(super) struct AdjustBody {
    /// The level.
    #[schema(value_type = String, examples("mega"))]
    level: Loose,
    /// `meter` or `reserve`.
    #[schema(value_type = String, examples("meter"))]
    account: Loose,
    /// How much; with a `-` it is taken away.
    #[schema(value_type = String, pattern = r"^-?[0-9]{1,13}(\.[0-9]{1,6})?$", examples("-1.50"))]
    amount: Loose,
}

/// A winner who was found after GAME OVER.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LateHit)]
pub(super) struct LateHitBody {
    /// The table.
    #[schema(value_type = String, examples("C4P-07"))]
    table: Loose,
    /// The number of the round's coin-in.
    #[schema(value_type = u64, minimum = 1, examples(4711))]
    round: Loose,
    /// Whose hand.
    #[schema(value_type = Option<u8>, minimum = 1)]
    seat: Option<Loose>,
    /// Instead of a seat: `true`, the dealer's hand.
    dealer: Option<bool>,
    /// The hand, as the paytable names it.
    #[schema(value_type = String, examples("straight-flush"))]
    hand: Loose,
    /// The cards, where they are known.
    #[schema(value_type = Option<Vec<String>>, max_items = 64)]
    cards: Option<Vec<Loose>>,
}

/// Nothing to say beside the reason.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ClearFault)]
pub(super) struct ClearFaultBody {}

/// Nothing to say beside the reason.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AcknowledgeReturns)]
pub(super) struct AcknowledgeReturnsBody {}

impl ProposeBody {
    /// Why, and what.
    pub(super) fn read(self) -> Result<(Note, ProposedChange), EdgeError> {
        let reason = self.reason.free_text("reason")?;
        let given = [
            self.correct.map(|it| it.0.read()),
            self.adjust.map(|it| it.0.read()),
            self.late_hit.map(|it| it.0.read()),
            self.clear_fault
                .map(|Object(ClearFaultBody {})| Ok(ProposedChange::ClearFault)),
            self.acknowledge_returns
                .map(|Object(AcknowledgeReturnsBody {})| Ok(ProposedChange::AcknowledgeReturns)),
        ];
        let mut given = given.into_iter().flatten();
        let (Some(one), None) = (given.next(), given.next()) else {
            let detail = "name exactly one change: correct, adjust, late_hit, clear_fault or acknowledge_returns";
            return Err(EdgeError::because(EdgeCode::MalformedBody, detail));
        };
        Ok((reason, one?))
    }
}

impl CorrectBody {
    fn read(&self) -> Result<ProposedChange, EdgeError> {
        let text = self.hit.text("correct.hit", EdgeCode::InvalidName)?;
        Ok(ProposedChange::Correct {
            hit: value::hit("correct.hit", text)?,
        })
    }
}

impl AdjustBody {
    fn read(&self) -> Result<ProposedChange, EdgeError> {
        Ok(ProposedChange::Adjust {
            level: self.level.name("adjust.level")?,
            account: self.account.word(
                "adjust.account",
                AdjustedAccount::ALL,
                AdjustedAccount::name,
            )?,
            amount: self.amount.signed_amount("adjust.amount")?,
        })
    }
}

impl LateHitBody {
    fn read(&self) -> Result<ProposedChange, EdgeError> {
        let cards = self.cards.as_deref();
        Ok(ProposedChange::LateHit {
            table: self.table.name("late_hit.table")?,
            round: self.round.sequence("late_hit.round")?,
            holder: holder("late_hit", self.seat.as_ref(), self.dealer)?,
            hand: self.hand.hand("late_hit.hand")?,
            cards: cards
                .map(|cards| Loose::cards("late_hit.cards", cards))
                .transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::command::Holder;
    use meterhouse_domain::hand::Hand;
    use meterhouse_domain::ids::Sequence;
    use meterhouse_domain::seat::Seat;

    use super::*;
    use crate::extract::parse;

    fn read(text: &str) -> Result<ProposedChange, EdgeError> {
        let body: ProposeBody = parse(text.as_bytes())?;
        body.read().map(|(_, change)| change)
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
        let correct = read(r#"{"reason":"no royal","correct":{"hit":"C4P-07.4713.2"}}"#);
        let hit = value::hit("hit", "C4P-07.4713.2").expect("a hit");
        assert_eq!(correct, Ok(ProposedChange::Correct { hit }));
        let adjust = r#"{"reason":"variance","adjust":{"level":"mega","account":"reserve","amount":"-1.50"}}"#;
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
        let late = r#"{"reason":"found","late_hit":{"table":"C4P-07","round":4711,"seat":3,"hand":"flush"}}"#;
        let late = read(late).expect("a late hit");
        let expected = ProposedChange::LateHit {
            table: "C4P-07".parse().expect("a name"),
            round: Sequence(4711),
            holder: Holder::Seat(Seat(3)),
            hand: Hand::Flush,
            cards: None,
        };
        assert_eq!(late, expected);
        let clear = read(r#"{"reason":"looked at","clear_fault":{}}"#);
        assert_eq!(clear, Ok(ProposedChange::ClearFault));
    }

    #[test]
    fn exactly_one_change_and_a_reason_are_named() {
        for text in [
            "{}",
            r#"{"clear_fault":{}}"#,
            r#"{"reason":"x"}"#,
            r#"{"reason":"x","clear_fault":null}"#,
            r#"{"reason":"x","clear_fault":{},"correct":{"hit":"T1.1"}}"#,
            r#"{"reason":"x","clear_fault":[]}"#,
            r#"{"reason":"x","late_hit":{"table":"T1","round":1,"hand":"flush"}}"#,
            r#"{"reason":"x","adjust":{"level":"mega","account":"meter"}}"#,
        ] {
            let error = read(text).expect_err(text);
            assert_eq!(error.code, EdgeCode::MalformedBody, "{text}: {error}");
        }
        let empty = read(r#"{"reason":"","clear_fault":{}}"#).map_err(|it| it.code);
        assert_eq!(empty, Err(EdgeCode::InvalidValue));
    }

    #[test]
    fn every_wrong_value_of_a_change_is_named() {
        refused(
            r#"correct":{"hit":"T1"}"#,
            EdgeCode::InvalidName,
            "correct.hit",
        );
        refused(
            r#"correct":{"hit":"T1.1","amount":"1"}"#,
            EdgeCode::UnknownField,
            "amount",
        );
        for amount in ["1", "\"--1\"", "\"1e3\"", "null"] {
            let adjust =
                format!(r#"adjust":{{"level":"mega","account":"meter","amount":{amount}}}"#);
            refused(&adjust, EdgeCode::InvalidAmount, "adjust.amount");
        }
        refused(
            r#"adjust":{"level":"mega","account":"overflow","amount":"1"}"#,
            EdgeCode::InvalidValue,
            "adjust.account",
        );
        refused(
            r#"late_hit":{"table":"T1","round":"T1.1","seat":3,"hand":"flush"}"#,
            EdgeCode::InvalidSequence,
            "late_hit.round",
        );
        refused(
            r#"late_hit":{"table":"T1","round":1,"seat":3,"hand":"royal"}"#,
            EdgeCode::UnknownHand,
            "late_hit.hand",
        );
        refused(
            r#"late_hit":{"table":"T1","round":1,"seat":3,"hand":"flush","cards":["1s"]}"#,
            EdgeCode::InvalidCard,
            "late_hit.cards[0]",
        );
    }
}

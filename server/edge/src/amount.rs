//! Amounts of money on the wire: dollars as a decimal string, never a number. [`Money`] has the
//! same text form.

use meterhouse_domain::money::Money;

use crate::codes::EdgeCode;
use crate::value::shown;
use crate::wire_error::EdgeError;

/// Returns the amount in a field's text.
///
/// # Errors
/// `invalid_amount` if the text is not an amount.
pub fn parse(field: &str, text: &str) -> Result<Money, EdgeError> {
    text.parse().map_err(|error| {
        EdgeError::because(EdgeCode::InvalidAmount, error).with(field, shown(text))
    })
}

/// Returns the amount in a field's text, which begins with `-` if money is taken away.
///
/// # Errors
/// `invalid_amount` if the text is not an amount.
pub fn parse_signed(field: &str, text: &str) -> Result<Money, EdgeError> {
    let Some(magnitude) = text.strip_prefix('-') else {
        return parse(field, text);
    };
    let wrong = |error: &dyn core::fmt::Display| {
        EdgeError::because(EdgeCode::InvalidAmount, error).with(field, shown(text))
    };
    let amount: Money = magnitude.parse().map_err(|error| wrong(&error))?;
    Money::ZERO.minus(amount).map_err(|error| wrong(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_exactly_and_displayed_in_whole_cents() {
        let amount = parse("amount", "10000.005").expect("an amount");
        assert_eq!(amount.to_string(), "10000.005");
        assert_eq!(amount.displayed().to_string(), "10000.00");
        let dollar = parse("amount", "1").expect("an amount");
        assert_eq!(dollar.to_string(), "1.00");
    }

    #[test]
    fn a_signed_amount_may_begin_with_a_minus() {
        for (text, micros) in [("-1.50", -1_500_000), ("1.50", 1_500_000)] {
            let amount = parse_signed("amount", text);
            assert_eq!(amount, Ok(Money::from_micros(micros)));
        }
        for text in ["--1", "-", "- 1", "+1", "-1e3", "-0x1"] {
            let error = parse_signed("amount", text).expect_err("no amount");
            assert_eq!(error.fields, [("amount".to_owned(), text.to_owned())]);
        }
    }

    #[test]
    fn a_wrong_amount_is_named_with_its_field() {
        for text in [
            "",
            "-1.00",
            "1e3",
            "1,00",
            "$1",
            "1.0000001",
            "0x1",
            "99999999999999",
            " 1",
        ] {
            let error = parse("wager", text).expect_err("no amount");
            assert_eq!(error.code, EdgeCode::InvalidAmount, "{text:?}");
            assert_eq!(error.fields, [("wager".to_owned(), text.to_owned())]);
        }
    }
}

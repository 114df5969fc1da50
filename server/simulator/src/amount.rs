//! Amounts of the wire format as whole micro-dollars: for sums and comparisons, never for payments.

/// Micro-dollars of one dollar.
const MICROS: i64 = 1_000_000;
/// Decimals of a micro-dollar.
const DECIMALS: usize = 6;
/// Minimum number of decimals shown.
const DECIMALS_SHOWN: usize = 2;

/// Parses an amount such as `"10000.27"` or `"-0.725"`. Returns `None` for any other text.
pub fn parse(text: &str) -> Option<i64> {
    let (sign, digits) = text
        .strip_prefix('-')
        .map_or((1, text), |digits| (-1, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) || fraction.len() > DECIMALS {
        return None;
    }
    let micros: i64 = format!("{fraction:0<DECIMALS$}").parse().ok()?;
    let whole: i64 = whole.parse().ok()?;
    whole
        .checked_mul(MICROS)?
        .checked_add(micros)?
        .checked_mul(sign)
}

/// Formats micro-dollars as the wire does: with two decimals, or as many as the amount needs.
pub fn show(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    let micros = micros.unsigned_abs();
    let one = MICROS.unsigned_abs();
    let fraction = format!("{:0DECIMALS$}", micros % one);
    let (shown, rest) = fraction.split_at(DECIMALS_SHOWN);
    format!(
        "{sign}{}.{shown}{}",
        micros / one,
        rest.trim_end_matches('0')
    )
}

#[cfg(test)]
mod tests {
    use super::{parse, show};

    /// A parsed amount is formatted as the same text. Other texts are rejected.
    #[test]
    fn amounts_are_parsed_and_formatted() {
        for text in ["0.00", "10000.27", "-6.30", "10000.725", "0.000001"] {
            assert_eq!(parse(text).map(show).as_deref(), Some(text));
        }
        assert_eq!(parse("7").map(show).as_deref(), Some("7.00"));
        for text in [
            "",
            ".",
            "1.",
            ".5",
            "1.0000001",
            "--1",
            "1,00",
            "+1",
            "99999999999999999999",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}

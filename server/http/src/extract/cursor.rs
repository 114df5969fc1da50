//! The cursor of a page of hits.

use core::str::FromStr;

use meterhouse_api::text::InvalidValue;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_engine::view::HitCursor;

/// The cursor of a page of hits, from the `next` of the page before.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor(pub(crate) HitCursor);

impl FromStr for Cursor {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let refused = || {
            let detail = "write what the page before has in next, unchanged";
            InvalidValue::new(EdgeCode::InvalidParameter.code(), detail)
        };
        let cursor = text.split_once('.').and_then(|(link, order)| {
            Some(HitCursor {
                link: link.parse().ok()?,
                order: order.parse().ok()?,
            })
        });
        let in_range = |cursor: &HitCursor| cursor.order <= i64::MAX.unsigned_abs();
        let canonical = |cursor: &HitCursor| format!("{}.{}", cursor.link, cursor.order) == text;
        let cursor = cursor.filter(|cursor| cursor.link >= 0 && in_range(cursor));
        cursor.filter(canonical).map(Self).ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_has_one_text() {
        let cursor = Cursor(HitCursor { link: 2, order: 25 });
        assert_eq!("2.25".parse(), Ok(cursor));
        for text in [
            "",
            "25",
            "1.",
            "-1.2",
            "2147483648.1",
            "x.y",
            "01.2",
            "1.+2",
        ] {
            let error = text.parse::<Cursor>().expect_err("no cursor");
            assert_eq!(error.code, "invalid_parameter", "{text:?}");
        }
    }
}

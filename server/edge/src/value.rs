//! Names, numbers, hands and cards as the wire writes them.

use core::fmt;
use core::str::FromStr;

use meterhouse_domain::card::Card;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::name::{Sequence, TableName};
use meterhouse_engine::view::{HitCursor, HitName, Place};

use crate::codes::EdgeCode;
use crate::wire_error::EdgeError;

/// Characters of a wrong value that an error repeats: enough to find it again.
pub const SHOWN_MAX: usize = 64;
/// The position that stands behind every event of a batch: the journal counts them in 32 bits with a sign.
pub const POSITION_MAX: u32 = i32::MAX.unsigned_abs();

/// A value as an error repeats it.
pub fn shown(text: &str) -> String {
    text.chars().take(SHOWN_MAX).collect()
}

/// A name of any kind, or a text.
///
/// # Errors
/// `invalid_name` where it can't be one.
pub fn name<T>(field: &str, text: &str) -> Result<T, EdgeError>
where
    T: FromStr,
    T::Err: fmt::Display,
{
    text.parse()
        .map_err(|error| EdgeError::because(EdgeCode::InvalidName, error).with(field, shown(text)))
}

/// A free text, such as a note or the number of a document.
///
/// # Errors
/// `invalid_value` where it is empty, too long or has control characters.
pub fn text<T>(field: &str, text: &str) -> Result<T, EdgeError>
where
    T: FromStr,
    T::Err: fmt::Display,
{
    text.parse()
        .map_err(|error| EdgeError::because(EdgeCode::InvalidValue, error).with(field, shown(text)))
}

/// The number of a table's command.
///
/// # Errors
/// `invalid_sequence` where no table can use it.
pub fn sequence(field: &str, text: &str) -> Result<Sequence, EdgeError> {
    number(text)
        .filter(|it| (1..=Sequence::MAX).contains(it))
        .map(Sequence)
        .ok_or_else(|| EdgeError::new(EdgeCode::InvalidSequence).with(field, shown(text)))
}

/// A hit as people write it: `C4P-07.4713`.
///
/// # Errors
/// `invalid_name` where it can't be one.
pub fn hit(field: &str, text: &str) -> Result<HitName, EdgeError> {
    let refused = || {
        let detail = "a hit is TABLE.NUMBER, such as C4P-07.4713: the table and the number of the \
                      command that keyed it";
        EdgeError::because(EdgeCode::InvalidName, detail).with(field, shown(text))
    };
    let (table, number) = text.split_once('.').ok_or_else(refused)?;
    let table: TableName = table.parse().map_err(|_| refused())?;
    let sequence = sequence(field, number).map_err(|_| refused())?;
    Ok(HitName { table, sequence })
}

/// A hit as people write it.
pub fn hit_text(table: impl fmt::Display, sequence: impl fmt::Display) -> String {
    format!("{table}.{sequence}")
}

/// A place in a link's journal: `12.3`, or `12` for the end of batch 12, or `0` for the beginning.
///
/// # Errors
/// `invalid_parameter` where it can't be one.
pub fn place(field: &str, text: &str) -> Result<Place, EdgeError> {
    let refused = || {
        let detail = "a place is BATCH.POSITION as an entry shows it, BATCH for the end of a batch, \
                      or 0 for the beginning";
        EdgeError::because(EdgeCode::InvalidParameter, detail).with(field, shown(text))
    };
    let (batch, position) = match text.split_once('.') {
        Some((batch, position)) => (batch, number(position).ok_or_else(refused)?),
        None => (text, u64::from(POSITION_MAX)),
    };
    let batch = number(batch)
        .filter(|it| *it <= Sequence::MAX)
        .ok_or_else(refused)?;
    let position = u32::try_from(position)
        .ok()
        .filter(|it| *it <= POSITION_MAX);
    Ok(Place {
        batch,
        position: position.ok_or_else(refused)?,
    })
}

/// A place as the wire writes it; one behind every event of its batch at the last position that can be read.
pub fn place_text(place: Place) -> String {
    format!("{}.{}", place.batch, place.position.min(POSITION_MAX))
}

/// Where the next page of hits begins, as the page before said.
///
/// # Errors
/// `invalid_parameter` where it can't be one.
pub fn hit_cursor(field: &str, text: &str) -> Result<HitCursor, EdgeError> {
    let refused = || {
        let detail = "write what the page before has in next, unchanged";
        EdgeError::because(EdgeCode::InvalidParameter, detail).with(field, shown(text))
    };
    let (link, order) = text.split_once('.').ok_or_else(refused)?;
    let link = number(link)
        .and_then(|it| i32::try_from(it).ok())
        .ok_or_else(refused)?;
    let order = number(order)
        .filter(|it| *it <= Sequence::MAX)
        .ok_or_else(refused)?;
    Ok(HitCursor { link, order })
}

/// A cursor as the wire writes it.
pub fn hit_cursor_text(cursor: HitCursor) -> String {
    format!("{}.{}", cursor.link, cursor.order)
}

/// A hand.
///
/// # Errors
/// `unknown_hand` where nobody knows it.
pub fn hand(field: &str, text: &str) -> Result<Hand, EdgeError> {
    text.parse()
        .map_err(|error| EdgeError::because(EdgeCode::UnknownHand, error).with(field, shown(text)))
}

/// A card.
///
/// # Errors
/// `invalid_card` where it is none.
pub fn card(field: &str, text: &str) -> Result<Card, EdgeError> {
    text.parse()
        .map_err(|error| EdgeError::because(EdgeCode::InvalidCard, error).with(field, shown(text)))
}

/// One of a list of words.
///
/// # Errors
/// `invalid_value`, listing the words, where it is none of them.
pub fn word<T: Copy>(
    field: &str,
    text: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, EdgeError> {
    all.iter()
        .copied()
        .find(|it| name(*it) == text)
        .ok_or_else(|| {
            let words: Vec<&str> = all.iter().map(|it| name(*it)).collect();
            let detail = format!("{field} is one of {}", words.join(", "));
            EdgeError::because(EdgeCode::InvalidValue, detail).with(field, shown(text))
        })
}

/// A whole number in its one form: digits, without sign or leading zeros.
fn number(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|it| it.is_ascii_digit());
    let canonical = text == "0" || !text.starts_with('0');
    if digits && canonical {
        text.parse().ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::command::VoidReason;
    use meterhouse_domain::name::{LinkName, Note};

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
    fn a_hit_is_its_table_and_number() {
        let it = hit("hit", "C4P-07.4713").expect("a hit");
        assert_eq!((it.table.as_str(), it.sequence), ("C4P-07", Sequence(4713)));
        assert_eq!(hit_text(&it.table, it.sequence), "C4P-07.4713");
        for text in [
            "",
            "C4P-07",
            "C4P-07.",
            ".1",
            "C4P-07.0",
            "C4P-07.1.2",
            "C4P 07.1",
            "a.-1",
        ] {
            let error = hit("hit", text).expect_err("no hit");
            assert_eq!(error.code, EdgeCode::InvalidName, "{text:?}");
        }
    }

    #[test]
    fn a_place_is_read_as_it_is_written() {
        assert_eq!(
            place("after", "12.3"),
            Ok(Place {
                batch: 12,
                position: 3
            })
        );
        assert_eq!(
            place("after", "12"),
            Ok(Place {
                batch: 12,
                position: POSITION_MAX
            })
        );
        assert_eq!(place("after", "0").map(|it| it.batch), Ok(0));
        assert_eq!(
            place_text(Place {
                batch: 12,
                position: 3
            }),
            "12.3"
        );
        let end = Place {
            batch: 12,
            position: u32::MAX,
        };
        assert_eq!(place_text(end), "12.2147483647");
        assert_eq!(place("after", &place_text(end)), place("after", "12"));
        for text in [
            "",
            ".",
            "1.",
            ".1",
            "1.2.3",
            "-1",
            "1.2147483648",
            "9223372036854775808",
            "x",
        ] {
            let error = place("after", text).expect_err("no place");
            assert_eq!(error.code, EdgeCode::InvalidParameter, "{text:?}");
        }
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
    fn words_names_and_texts_say_what_they_take() {
        let error =
            word("reason", "rain", VoidReason::ALL, VoidReason::name).expect_err("no reason");
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
            text::<Note>("note", "a\nb").map_err(|it| it.code),
            Err(EdgeCode::InvalidValue)
        );
        assert_eq!(
            hand("hand", "royal").map_err(|it| it.code),
            Err(EdgeCode::UnknownHand)
        );
        assert_eq!(
            card("cards[0]", "1s").map_err(|it| it.code),
            Err(EdgeCode::InvalidCard)
        );
    }
}

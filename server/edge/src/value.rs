//! Names, numbers, hands and cards as texts on the wire.

use core::fmt;
use core::str::FromStr;
use meterhouse_domain::hit_name::HitName;
use meterhouse_journal::position::{INDEX_MAX, Position};

use meterhouse_domain::card::Card;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{ProposalId, Sequence};
use meterhouse_engine::view::HitCursor;

use crate::codes::EdgeCode;
use crate::wire_error::EdgeError;

/// Maximum number of characters of a wrong value that an error repeats.
pub const SHOWN_MAX: usize = 64;
/// Maximum length of a command's list: four times the seats of the largest layout.
pub const LIST_MAX: usize = 64;

/// Returns a value as an error repeats it.
pub fn shown(text: &str) -> String {
    text.chars().take(SHOWN_MAX).collect()
}

/// Returns a name of any kind.
///
/// # Errors
/// `invalid_name` if the text is not a name.
pub fn name<T>(field: &str, text: &str) -> Result<T, EdgeError>
where
    T: FromStr,
    T::Err: fmt::Display,
{
    text.parse()
        .map_err(|error| EdgeError::because(EdgeCode::InvalidName, error).with(field, shown(text)))
}

/// Returns a free text, such as a note or the number of a document.
///
/// # Errors
/// `invalid_value` if the text is empty, too long or has control characters.
pub fn text<T>(field: &str, text: &str) -> Result<T, EdgeError>
where
    T: FromStr,
    T::Err: fmt::Display,
{
    text.parse()
        .map_err(|error| EdgeError::because(EdgeCode::InvalidValue, error).with(field, shown(text)))
}

/// Returns the sequence number of a table's command.
///
/// # Errors
/// `invalid_sequence` if no table can use the number.
pub fn sequence(field: &str, text: &str) -> Result<Sequence, EdgeError> {
    number(text)
        .filter(|number| (1..=Sequence::MAX).contains(number))
        .map(Sequence)
        .ok_or_else(|| EdgeError::new(EdgeCode::InvalidSequence).with(field, shown(text)))
}

/// Returns a hit's name: `C4P-07.4713`, or `C4P-07.4713.2` for one of several hits of a command.
///
/// # Errors
/// `invalid_name` if the text is not a hit's name.
pub fn hit(field: &str, text: &str) -> Result<HitName, EdgeError> {
    let refused = || {
        let detail = "a hit is TABLE.NUMBER, such as C4P-07.4713: the table and the number of the \
                      command that keyed it; one of several is C4P-07.4713.2";
        EdgeError::because(EdgeCode::InvalidName, detail).with(field, shown(text))
    };
    text.parse().map_err(|_| refused())
}

/// Returns a round's name: `C4P-07.4711`, its table and coin-in.
pub fn round_text(table: impl fmt::Display, sequence: impl fmt::Display) -> String {
    format!("{table}.{sequence}")
}

/// Returns a hit's name; `number` is 0 if the command keyed one hit.
pub fn hit_text(table: impl fmt::Display, sequence: impl fmt::Display, number: u8) -> String {
    if number == 0 {
        return format!("{table}.{sequence}");
    }
    format!("{table}.{sequence}.{number}")
}

/// Returns a proposal's id, which a client chooses: a UUID in its usual form, lower or upper case.
///
/// # Errors
/// `invalid_name` if the text is not a UUID.
pub fn proposal(field: &str, text: &str) -> Result<ProposalId, EdgeError> {
    let refused = || {
        let detail =
            "a proposal is a UUID that you make, such as 1b4e28ba-2fa1-41d2-883f-0016d3cca427";
        EdgeError::because(EdgeCode::InvalidName, detail).with(field, shown(text))
    };
    let groups: Vec<usize> = text.split('-').map(str::len).collect();
    let digits = text.bytes().filter(|byte| *byte != b'-').map(nibble);
    let digits: Vec<u8> = digits.collect::<Option<_>>().ok_or_else(refused)?;
    if groups != UUID_GROUPS {
        return Err(refused());
    }
    let bytes: Vec<u8> = digits
        .chunks_exact(2)
        .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
        .collect();
    bytes.try_into().map(ProposalId).map_err(|_| refused())
}

/// Returns a proposal's id as text, in lower case.
pub fn proposal_text(proposal: ProposalId) -> String {
    let mut text = String::with_capacity(36);
    for (index, byte) in proposal.0.iter().enumerate() {
        if [4, 6, 8, 10].contains(&index) {
            text.push('-');
        }
        for digit in [byte >> 4, byte & 0xf] {
            text.extend(char::from_digit(u32::from(digit), 16));
        }
    }
    text
}

/// Lengths of the groups of a UUID (RFC 9562 § 4).
const UUID_GROUPS: [usize; 5] = [8, 4, 4, 4, 12];

/// Returns the value of a hexadecimal digit.
fn nibble(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}

/// Returns a position in a link's journal: `12.3`, or `12` for the end of batch 12, or `0` for the
/// beginning.
///
/// # Errors
/// `invalid_parameter` if the text is not a position.
pub fn position(field: &str, text: &str) -> Result<Position, EdgeError> {
    text.parse().map_err(|error| {
        EdgeError::because(EdgeCode::InvalidParameter, error).with(field, shown(text))
    })
}

/// Returns a position in a link's journal from its two numbers, as gRPC messages have them.
///
/// # Errors
/// `invalid_parameter` if the numbers are out of range.
pub fn position_of(field: &str, batch: u64, index: u32) -> Result<Position, EdgeError> {
    Position::new(batch, index).ok_or_else(|| {
        let detail = format!(
            "a position is what a message had as its position; batch is at most {}, index {INDEX_MAX}",
            Sequence::MAX
        );
        let text = format!("{batch}.{index}");
        EdgeError::because(EdgeCode::InvalidParameter, detail).with(field, text)
    })
}

/// Returns the start of the next page of hits, from the `next` of the page before.
///
/// # Errors
/// `invalid_parameter` if the text is not a cursor.
pub fn hit_cursor(field: &str, text: &str) -> Result<HitCursor, EdgeError> {
    let refused = || {
        let detail = "write what the page before has in next, unchanged";
        EdgeError::because(EdgeCode::InvalidParameter, detail).with(field, shown(text))
    };
    let (link, order) = text.split_once('.').ok_or_else(refused)?;
    let link = number(link)
        .and_then(|number| i32::try_from(number).ok())
        .ok_or_else(refused)?;
    let order = number(order)
        .filter(|order| *order <= Sequence::MAX)
        .ok_or_else(refused)?;
    Ok(HitCursor { link, order })
}

/// Returns a cursor as text.
pub fn hit_cursor_text(cursor: HitCursor) -> String {
    format!("{}.{}", cursor.link, cursor.order)
}

/// Returns a hand.
///
/// # Errors
/// `unknown_hand` if the hand is unknown.
pub fn hand(field: &str, text: &str) -> Result<Hand, EdgeError> {
    text.parse()
        .map_err(|error| EdgeError::because(EdgeCode::UnknownHand, error).with(field, shown(text)))
}

/// Returns a card.
///
/// # Errors
/// `invalid_card` if the text is not a card.
pub fn card(field: &str, text: &str) -> Result<Card, EdgeError> {
    text.parse()
        .map_err(|error| EdgeError::because(EdgeCode::InvalidCard, error).with(field, shown(text)))
}

/// Returns the value with this name among `all`.
///
/// # Errors
/// `invalid_value` with the list of names, if there is no such value.
pub fn word<T: Copy>(
    field: &str,
    text: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, EdgeError> {
    all.iter()
        .copied()
        .find(|value| name(*value) == text)
        .ok_or_else(|| {
            let words: Vec<&str> = all.iter().map(|value| name(*value)).collect();
            let detail = format!("{field} is one of {}", words.join(", "));
            EdgeError::because(EdgeCode::InvalidValue, detail).with(field, shown(text))
        })
}

/// Refuses a list that is longer than any valid one.
///
/// # Errors
/// `invalid_value` for more than [`LIST_MAX`] entries.
pub fn bounded<T>(field: &str, list: &[T]) -> Result<(), EdgeError> {
    if list.len() <= LIST_MAX {
        return Ok(());
    }
    let detail = format!(
        "{field} has {} entries; at most {LIST_MAX} are read",
        list.len()
    );
    Err(EdgeError::because(EdgeCode::InvalidValue, detail).with(field, list.len()))
}

/// Returns a whole number in canonical form: digits, without sign or leading zeros.
fn number(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = text == "0" || !text.starts_with('0');
    if digits && canonical {
        text.parse().ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests;

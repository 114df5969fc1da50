//! Conversion of single values of messages. An error names the wrong field.

use meterhouse_domain::card::Card;
use meterhouse_domain::money::Money;
use meterhouse_domain::seat::Seat;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value::{self, bounded};
use meterhouse_edge::wire_error::EdgeError;

/// Returns an amount. The rules check that it is a wager's.
pub(crate) fn amount(micros: i64, field: impl FnOnce() -> String) -> Result<Money, EdgeError> {
    if micros >= 0 {
        return Ok(Money::from_micros(micros));
    }
    let field = field();
    let detail = format!("{field} is a whole number of micro-dollars that is not negative");
    Err(EdgeError::because(EdgeCode::InvalidAmount, detail).with(&field, micros))
}

/// Returns a seat. The rules check that the layout has it.
pub(crate) fn seat(number: u32, field: impl FnOnce() -> String) -> Result<Seat, EdgeError> {
    small(number, field).map(Seat)
}

/// Returns a number of a byte.
pub(crate) fn small(number: u32, field: impl FnOnce() -> String) -> Result<u8, EdgeError> {
    u8::try_from(number).map_err(|_| {
        let field = field();
        let detail = format!(
            "{field} is a whole number from 0 to {}, not {number}",
            u8::MAX
        );
        EdgeError::because(EdgeCode::InvalidValue, detail).with(&field, number)
    })
}

/// Returns the cards of a list.
pub(crate) fn cards(field: &str, list: &[String]) -> Result<Vec<Card>, EdgeError> {
    bounded(field, list)?;
    let cards = list.iter().enumerate();
    cards
        .map(|(index, text)| {
            let card = text.parse();
            card.or_else(|_| value::read(&format!("{field}[{index}]"), text))
        })
        .collect()
}

//! The bodies of the commands over HTTP, written once for a whole run.

use meterhouse_api::command::{Close, CoinIn, Command, CommandRequest, HitEntered, Wager};
use meterhouse_api::text::InvalidValue;
use meterhouse_api::values::{Badge, Card};
use prost::bytes::Bytes;

use crate::commands::{BADGE, HANDS, Hand, Kind, SEATS_MAX};
use crate::error::LoadError;

/// The bodies of the commands, as JSON.
pub(crate) struct CommandBodies {
    coin_ins: Vec<Bytes>,
    hits: Vec<Bytes>,
    close: Bytes,
}

impl CommandBodies {
    pub(crate) fn new() -> Result<Self, LoadError> {
        let coin_ins = (0..=SEATS_MAX).map(|seats| body_of(coin_in(seats)?, None));
        let hits = HANDS
            .iter()
            .map(|hand| body_of(hit(hand)?, Some(BADGE.parse()?)));
        Ok(Self {
            coin_ins: coin_ins.collect::<Result<_, _>>()?,
            hits: hits.collect::<Result<_, _>>()?,
            close: body_of(Command::Close(Close {}), None)?,
        })
    }

    /// Returns the body of a command.
    pub(crate) fn body(&self, kind: Kind) -> Bytes {
        let body = match kind {
            Kind::CoinIn { seats } => self.coin_ins.get(usize::from(seats)),
            Kind::Hit { hand } => self.hits.get(usize::from(hand)),
            Kind::Close => Some(&self.close),
        };
        body.cloned().unwrap_or_default()
    }
}

/// Returns a coin-in with so many seats, each with a wager of $1.
fn coin_in(seats: u8) -> Result<Command, InvalidValue> {
    let wager = |seat| {
        Ok(Wager {
            seat,
            amount: "1.00".parse()?,
            on: None,
            player: None,
        })
    };
    let wagers: Result<Vec<Wager>, InvalidValue> = (1..=seats).map(wager).collect();
    Ok(Command::CoinIn(CoinIn {
        wagers: wagers?.into(),
        dealt: (1..=seats).collect::<Vec<u8>>().into(),
    }))
}

/// Returns a hit on seat 1.
fn hit(hand: &Hand) -> Result<Command, InvalidValue> {
    let cards: Result<Vec<Card>, InvalidValue> =
        hand.cards.iter().map(|card| card.parse()).collect();
    Ok(Command::Hit(HitEntered {
        seat: Some(1),
        dealer: None,
        hand: hand.name.parse()?,
        cards: Some(cards?.into()),
    }))
}

/// Returns a command with its badge as JSON.
fn body_of(command: Command, by: Option<Badge>) -> Result<Bytes, LoadError> {
    let request = CommandRequest {
        command,
        by,
        at: None,
    };
    Ok(serde_json::to_vec(&request)?.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(bodies: &CommandBodies, kind: Kind) -> String {
        String::from_utf8(bodies.body(kind).to_vec()).expect("JSON")
    }

    #[test]
    fn a_body_is_flat_json() {
        let bodies = CommandBodies::new().expect("valid values");
        let coin_in = body(&bodies, Kind::CoinIn { seats: 2 });
        let wagers = r#"[{"seat":1,"amount":"1.00"},{"seat":2,"amount":"1.00"}]"#;
        let expected = format!(r#"{{"command":"coin_in","wagers":{wagers},"dealt":[1,2]}}"#);
        assert_eq!(coin_in, expected);
        let hit = body(&bodies, Kind::Hit { hand: 4 });
        let cards = r#"["Kd","9d","7d","4d","2d"]"#;
        let expected =
            format!(r#"{{"command":"hit","seat":1,"hand":"flush","cards":{cards},"by":"dealer"}}"#);
        assert_eq!(hit, expected);
        assert_eq!(body(&bodies, Kind::Close), r#"{"command":"close"}"#);
    }
}

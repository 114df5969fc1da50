//! The messages of a stream, as little of them as a generator needs: it has to be cheap beside the server that it
//! shares a machine with.
//!
//! # Shape
//! The same bytes as those of the generated messages, which a test compares. What a command asks for is encoded once
//! and for all; what an outcome did stays bytes, which is enough to see whether another one is the same.

use meterhouse_proto::table;
use prost::Message;
use prost::bytes::Bytes;

use crate::commands::{BADGE, HANDS, Kind, SEATS_MAX};

/// The one wager, in micro-dollars.
const WAGER_MICROS: i64 = 1_000_000;

/// A `PlayRequest`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RequestSent {
    #[prost(message, optional, tag = "1")]
    pub(crate) attach: Option<table::Attach>,
    #[prost(message, optional, tag = "2")]
    pub(crate) commands: Option<CommandsSent>,
}

/// `Commands`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct CommandsSent {
    #[prost(message, repeated, tag = "1")]
    pub(crate) commands: Vec<CommandSent>,
}

/// A `Command`: one of those that the generator sends.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct CommandSent {
    #[prost(uint32, tag = "1")]
    pub(crate) handle: u32,
    #[prost(uint64, tag = "2")]
    pub(crate) sequence: u64,
    #[prost(bytes = "bytes", tag = "4")]
    pub(crate) badge: Bytes,
    #[prost(bytes = "bytes", optional, tag = "10")]
    pub(crate) coin_in: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "13")]
    pub(crate) hit: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "18")]
    pub(crate) close: Option<Bytes>,
}

/// A `PlayResponse`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ResponseReceived {
    #[prost(message, optional, tag = "1")]
    pub(crate) attached: Option<table::Attached>,
    #[prost(message, optional, tag = "2")]
    pub(crate) outcomes: Option<OutcomesReceived>,
}

/// `Outcomes`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct OutcomesReceived {
    #[prost(message, repeated, tag = "1")]
    pub(crate) outcomes: Vec<OutcomeReceived>,
}

/// An `Outcome`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct OutcomeReceived {
    #[prost(uint32, tag = "1")]
    pub(crate) handle: u32,
    #[prost(uint64, tag = "2")]
    pub(crate) sequence: u64,
    #[prost(bool, tag = "3")]
    pub(crate) replayed: bool,
    #[prost(int64, tag = "4")]
    pub(crate) at_micros: i64,
    #[prost(uint64, tag = "5")]
    pub(crate) batch: u64,
    #[prost(uint32, tag = "6")]
    pub(crate) position: u32,
    #[prost(bytes = "bytes", tag = "7")]
    pub(crate) displayed_micros: Bytes,
    #[prost(message, optional, tag = "10")]
    pub(crate) refused: Option<table::Refused>,
    #[prost(bytes = "bytes", optional, tag = "11")]
    pub(crate) coin_in: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "14")]
    pub(crate) hit: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "19")]
    pub(crate) close: Option<Bytes>,
}

/// What every command of a kind asks for, encoded.
#[derive(Clone, Debug)]
pub(crate) struct Encoded {
    coin_ins: Vec<Bytes>,
    hits: Vec<Bytes>,
}

impl Encoded {
    /// All kinds.
    pub(crate) fn new() -> Self {
        let coin_in = |seats| Bytes::from(coin_in(seats).encode_to_vec());
        let hits = HANDS.iter().map(|hand| {
            let holder = table::holder::Holder::Seat(1);
            let cards = hand.cards.iter().map(ToString::to_string).collect();
            let hit = table::Hit {
                holder: Some(table::Holder {
                    holder: Some(holder),
                }),
                hand: hand.name.to_owned(),
                cards: Some(table::Cards { cards }),
            };
            Bytes::from(hit.encode_to_vec())
        });
        Self {
            coin_ins: (0..=SEATS_MAX).map(coin_in).collect(),
            hits: hits.collect(),
        }
    }

    /// A command as it is sent.
    pub(crate) fn command(&self, handle: u32, sequence: u64, kind: Kind) -> CommandSent {
        let mut said = CommandSent {
            handle,
            sequence,
            ..CommandSent::default()
        };
        match kind {
            Kind::CoinIn { seats } => said.coin_in = self.coin_ins.get(usize::from(seats)).cloned(),
            Kind::Hit { hand } => {
                said.badge = Bytes::from_static(BADGE.as_bytes());
                said.hit = self.hits.get(usize::from(hand)).cloned();
            }
            Kind::Close => said.close = Some(Bytes::new()),
        }
        said
    }
}

fn coin_in(seats: u8) -> table::CoinIn {
    let seats = 1..=u32::from(seats);
    let wager = |seat| table::Wager {
        seat,
        amount_micros: WAGER_MICROS,
        ..table::Wager::default()
    };
    table::CoinIn {
        wagers: seats.clone().map(wager).collect(),
        dealt: seats.collect(),
    }
}

#[cfg(test)]
mod tests {
    use meterhouse_proto::table::command::Command as Asked;
    use meterhouse_proto::table::outcome::Outcome as Done;
    use meterhouse_proto::table::play_request::Request;
    use meterhouse_proto::table::play_response::Response;
    use meterhouse_proto::table::{
        Close, CloseDone, CoinInDone, HitDone, Outcome, Outcomes, PlayRequest, PlayResponse,
        Refused,
    };
    use prost::Message as _;

    use super::{CommandsSent, Encoded, RequestSent, ResponseReceived, coin_in};
    use crate::commands::{BADGE, HANDS, Kind};

    /// The server reads what the generator writes as what it means.
    #[test]
    fn commands_are_read_as_they_are_meant() {
        let encoded = Encoded::new();
        let kinds = [
            Kind::CoinIn { seats: 3 },
            Kind::Hit { hand: 1 },
            Kind::Close,
        ];
        let commands = kinds.iter().zip(7..);
        let commands = commands.map(|(kind, number)| encoded.command(4, number, *kind));
        let said = RequestSent {
            commands: Some(CommandsSent {
                commands: commands.collect(),
            }),
            ..RequestSent::default()
        };
        let read = PlayRequest::decode(said.encode_to_vec().as_slice()).expect("a request");
        let Some(Request::Commands(read)) = read.request else {
            panic!("no commands: {read:?}");
        };
        let numbers: Vec<u64> = read.commands.iter().map(|it| it.sequence).collect();
        assert_eq!(numbers, [7, 8, 9]);
        assert!(read.commands.iter().all(|it| it.handle == 4));
        let badges: Vec<&str> = read.commands.iter().map(|it| it.badge.as_str()).collect();
        assert_eq!(badges, ["", BADGE, ""]);
        let asked: Vec<Asked> = read
            .commands
            .into_iter()
            .filter_map(|it| it.command)
            .collect();
        assert_eq!(asked[0], Asked::CoinIn(coin_in(3)));
        let Asked::Hit(hit) = &asked[1] else {
            panic!("no hit: {asked:?}");
        };
        assert_eq!(hit.hand, HANDS[1].name);
        assert_eq!(asked[2], Asked::Close(Close {}));
    }

    /// The generator reads what the server writes: of each kind of outcome what it needs.
    #[test]
    fn outcomes_are_read_as_they_were_meant() {
        let dones = [
            Done::CoinIn(CoinInDone {
                seats: vec![1, 2, 3],
                ..CoinInDone::default()
            }),
            Done::Close(CloseDone::default()),
            Done::Hit(HitDone::default()),
            Done::Refused(Refused {
                code: "no_round".to_owned(),
                ..Refused::default()
            }),
        ];
        let outcome = |(done, sequence): (Done, u64)| Outcome {
            handle: 3,
            sequence,
            replayed: sequence == 2,
            batch: 12,
            displayed_micros: vec![1, 300, 70_000],
            outcome: Some(done),
            ..Outcome::default()
        };
        let outcomes = dones.into_iter().zip(1..).map(outcome).collect();
        let response = PlayResponse {
            response: Some(Response::Outcomes(Outcomes { outcomes })),
        };
        let heard =
            ResponseReceived::decode(response.encode_to_vec().as_slice()).expect("a response");
        let heard = heard.outcomes.expect("outcomes").outcomes;
        let replayed: Vec<bool> = heard.iter().map(|it| it.replayed).collect();
        assert_eq!(replayed, [false, true, false, false]);
        assert!(heard.iter().all(|it| it.handle == 3 && it.batch == 12));
        assert!(heard.iter().all(|it| it.displayed_micros.len() == 6));
        assert!(heard[0].coin_in.is_some() && heard[1].close.is_some() && heard[2].hit.is_some());
        let refused = heard[3].refused.as_ref().expect("a refusal");
        assert_eq!(refused.code, "no_round");
    }
}

//! The messages of a stream, reduced to the fields that the generator needs. The generator has to be cheap, because it
//! shares a machine with the server.
//!
//! # Shape
//! The encoding equals that of the generated messages, and a test compares both. The content of a command is encoded
//! once for all sends. The content of an outcome stays bytes, which are sufficient to compare two outcomes.

use meterhouse_proto::table;
use prost::Message;
use prost::bytes::Bytes;

use crate::commands::{BADGE, HANDS, Kind, SEATS_MAX};

/// The wager, in micro-dollars.
const WAGER_MICROS: i64 = 1_000_000;

/// A `PlayRequest`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RequestSent {
    #[prost(message, optional, tag = "1")]
    pub(crate) attach: Option<table::Attach>,
    #[prost(message, optional, tag = "2")]
    pub(crate) commands: Option<CommandsSent>,
}

/// A `Commands`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct CommandsSent {
    #[prost(message, repeated, tag = "1")]
    pub(crate) commands: Vec<CommandSent>,
}

/// A `Command`, with the kinds that the generator sends.
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

/// An `Outcomes`.
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

/// The encoded content of all commands.
#[derive(Clone, Debug)]
pub(crate) struct EncodedCommands {
    coin_ins: Vec<Bytes>,
    hits: Vec<Bytes>,
}

impl EncodedCommands {
    /// Encodes all commands.
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

    /// Returns a command with its encoded content.
    pub(crate) fn command(&self, handle: u32, sequence: u64, kind: Kind) -> CommandSent {
        let mut command = CommandSent {
            handle,
            sequence,
            ..CommandSent::default()
        };
        match kind {
            Kind::CoinIn { seats } => {
                command.coin_in = self.coin_ins.get(usize::from(seats)).cloned();
            }
            Kind::Hit { hand } => {
                command.badge = Bytes::from_static(BADGE.as_bytes());
                command.hit = self.hits.get(usize::from(hand)).cloned();
            }
            Kind::Close => command.close = Some(Bytes::new()),
        }
        command
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
    use meterhouse_proto::table::command::Command as CommandKind;
    use meterhouse_proto::table::outcome::Outcome as OutcomeKind;
    use meterhouse_proto::table::play_request::Request;
    use meterhouse_proto::table::play_response::Response;
    use meterhouse_proto::table::{
        Close, CloseDone, CoinInDone, HitDone, Outcome, Outcomes, PlayRequest, PlayResponse,
        Refused,
    };
    use prost::Message as _;

    use super::{CommandsSent, EncodedCommands, RequestSent, ResponseReceived, coin_in};
    use crate::commands::{BADGE, HANDS, Kind};

    /// The generated messages decode an encoded command to its meaning.
    #[test]
    fn encoded_commands_decode_as_the_generated_messages() {
        let encoded = EncodedCommands::new();
        let kinds = [
            Kind::CoinIn { seats: 3 },
            Kind::Hit { hand: 1 },
            Kind::Close,
        ];
        let commands = kinds.iter().zip(7..);
        let commands = commands.map(|(kind, number)| encoded.command(4, number, *kind));
        let request = RequestSent {
            commands: Some(CommandsSent {
                commands: commands.collect(),
            }),
            ..RequestSent::default()
        };
        let read = PlayRequest::decode(request.encode_to_vec().as_slice()).expect("a request");
        let Some(Request::Commands(read)) = read.request else {
            panic!("no commands: {read:?}");
        };
        let numbers: Vec<u64> = read
            .commands
            .iter()
            .map(|command| command.sequence)
            .collect();
        assert_eq!(numbers, [7, 8, 9]);
        assert!(read.commands.iter().all(|command| command.handle == 4));
        let badges: Vec<&str> = read
            .commands
            .iter()
            .map(|command| command.badge.as_str())
            .collect();
        assert_eq!(badges, ["", BADGE, ""]);
        let sent: Vec<CommandKind> = read
            .commands
            .into_iter()
            .filter_map(|command| command.command)
            .collect();
        assert_eq!(sent[0], CommandKind::CoinIn(coin_in(3)));
        let CommandKind::Hit(hit) = &sent[1] else {
            panic!("no hit: {sent:?}");
        };
        assert_eq!(hit.hand, HANDS[1].name);
        assert_eq!(sent[2], CommandKind::Close(Close {}));
    }

    /// Each kind of outcome is decoded to the fields that the generator needs.
    #[test]
    fn outcomes_of_the_server_are_decoded() {
        let results = [
            OutcomeKind::CoinIn(CoinInDone {
                seats: vec![1, 2, 3],
                ..CoinInDone::default()
            }),
            OutcomeKind::Close(CloseDone::default()),
            OutcomeKind::Hit(HitDone::default()),
            OutcomeKind::Refused(Refused {
                code: "no_round".to_owned(),
                ..Refused::default()
            }),
        ];
        let outcome = |(done, sequence): (OutcomeKind, u64)| Outcome {
            handle: 3,
            sequence,
            replayed: sequence == 2,
            batch: 12,
            displayed_micros: vec![1, 300, 70_000],
            outcome: Some(done),
            ..Outcome::default()
        };
        let outcomes = results.into_iter().zip(1..).map(outcome).collect();
        let response = PlayResponse {
            response: Some(Response::Outcomes(Outcomes { outcomes })),
        };
        let received =
            ResponseReceived::decode(response.encode_to_vec().as_slice()).expect("a response");
        let received = received.outcomes.expect("outcomes").outcomes;
        let replayed: Vec<bool> = received.iter().map(|outcome| outcome.replayed).collect();
        assert_eq!(replayed, [false, true, false, false]);
        assert!(
            received
                .iter()
                .all(|outcome| outcome.handle == 3 && outcome.batch == 12)
        );
        assert!(
            received
                .iter()
                .all(|outcome| outcome.displayed_micros.len() == 6)
        );
        assert!(
            received[0].coin_in.is_some()
                && received[1].close.is_some()
                && received[2].hit.is_some()
        );
        let refused = received[3].refused.as_ref().expect("a refusal");
        assert_eq!(refused.code, "no_round");
    }
}

//! Outcomes that are encoded one by one are the message that they are said to be.

use meterhouse_proto::Message as _;
use meterhouse_proto::encoded::{Encoded, EncodedOutcomes};
use meterhouse_proto::table::outcome::Outcome as Done;
use meterhouse_proto::table::play_response::Response;
use meterhouse_proto::table::{
    CloseDone, CoinInDone, Outcome, Outcomes, PlayResponse, Refused, Standing,
};

/// Returns outcomes of several kinds and lengths: the longest needs three bytes for its length.
fn sample() -> Vec<Outcome> {
    let coin_in = CoinInDone {
        seats: vec![1, 2, 6],
        contribution_micros: vec![90_000, 0, i64::MAX],
        ..CoinInDone::default()
    };
    let refused = Refused {
        code: "round_open".to_owned(),
        detail: "d".repeat(20_000),
        ..Refused::default()
    };
    let dones = [
        Done::CoinIn(coin_in),
        Done::Close(CloseDone::default()),
        Done::Refused(refused),
    ];
    let outcome = |(done, sequence): (Done, u64)| Outcome {
        handle: 300,
        sequence,
        replayed: sequence == 2,
        displayed_micros: vec![1, 20_000_000],
        standing: (sequence == 1).then(Standing::default),
        outcome: Some(done),
        ..Outcome::default()
    };
    let mut outcomes: Vec<Outcome> = dones.into_iter().zip(1..).map(outcome).collect();
    outcomes.push(Outcome::default());
    outcomes
}

#[test]
fn outcomes_encoded_one_by_one_are_the_whole_response() {
    for count in 0..=sample().len() {
        let outcomes: Vec<Outcome> = sample().into_iter().take(count).collect();
        let mut encoded = EncodedOutcomes::with_capacity(1);
        for outcome in &outcomes {
            encoded.push(outcome).expect("room");
        }
        assert_eq!((encoded.len(), encoded.is_empty()), (count, count == 0));
        let response = PlayResponse {
            response: Some(Response::Outcomes(Outcomes { outcomes })),
        };
        if count > 0 {
            let whole = response.encode_to_vec();
            assert_eq!(encoded.response().0, whole);
            assert_eq!(Encoded::from(&response).0, whole);
        }
    }
}

//! Fixed wagers beside the cards of a round: typed wagers, and their settlement.

use meterhouse_client::{
    Effect, FixedWager, Jurisdiction, LimitReading, Money, RoundWagers, Seat, SeatEnd, SeatWagers,
    Settle, TableTerms, WagerResult,
};
use meterhouse_domain::fixed::limit;
use meterhouse_domain::fixed::settle;
use meterhouse_domain::fixed::wager;
use meterhouse_tests::in_time;

use crate::fixture::{Fixture, coin_in};

/// Three aces against a pair of kings, with an Ante Wager of this amount.
fn round(ante: Money) -> Settle {
    Settle {
        dealer: "Kh Ks 9d 5c 2h".parse().expect("cards"),
        seats: vec![(Seat(1), "As Ad Ah 7d 3c".parse().expect("cards"))],
        wagers: Some(RoundWagers {
            jurisdiction: Jurisdiction::Pennsylvania,
            terms: TableTerms::new(Money::dollars(5), Money::cents(50)),
            tables: ["pa-657a-ante-play", "pa-657a-super-bonus"]
                .map(|id| id.parse().expect("an id"))
                .to_vec(),
            bonus: "".parse().expect("no cards"),
            seats: vec![SeatWagers {
                seat: Seat(1),
                player: None,
                end: SeatEnd::Stayed,
                wagers: vec![
                    (FixedWager::Ante, ante),
                    (FixedWager::SuperBonus, Money::dollars(10)),
                    (FixedWager::Play, Money::dollars(30)),
                ],
            }],
        }),
        ..Settle::default()
    }
}

/// A mistake is an outcome with its path; the corrected round comes to the amounts of § 657a.12, worked by hand.
#[tokio::test]
async fn wagers_come_to_their_amounts() {
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    drop(controller.send(coin_in(&[1])).await.expect("stored"));
    let receipt = controller.send(round(Money::cents(1_025))).await;
    let refused = in_time("the refusal", receipt.expect("stored").outcome()).await;
    let Effect::Refused { code, fields, .. } = refused.expect("it plays").effect else {
        panic!("10.25 is no multiple of 0.50");
    };
    assert_eq!(code, "wagers_refused");
    assert_eq!(fields["wagers.seats[0].wagers[0].amount"], "off_step");

    let by = "d-12".parse().expect("a badge");
    let receipt = controller.send(round(Money::dollars(10)).by(by)).await;
    let settled = in_time("the settlement", receipt.expect("stored").outcome()).await;
    let effect = settled.expect("it plays").effect;
    let Effect::Settle { settlement, .. } = effect else {
        panic!("{effect:?}");
    };
    let settlement = settlement.expect("the wagers are settled");
    let sums = [
        settlement.wagered,
        settlement.collected,
        settlement.returned,
        settlement.paid,
    ];
    assert_eq!(sums, [50, 0, 50, 60].map(Money::dollars));
    assert_eq!(settlement.seats[0].chips, Money::dollars(110));
    let bonus = &settlement.seats[0].wagers[2];
    assert_eq!(
        (bonus.wager.as_str(), &bonus.result, bonus.paid),
        ("super-bonus", &WagerResult::Win, Money::dollars(20))
    );
    let line = bonus.line.as_ref().expect("a line");
    assert_eq!(
        (line.prints.as_str(), line.pays.as_str()),
        ("Three-of-a-kind", "2 to 1")
    );
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

/// The words of a request are those of the rules, so that the server can read every command.
#[test]
fn the_words_are_those_of_the_rules() {
    let ours = FixedWager::ALL.iter().map(|word| word.name());
    let rules = wager::FixedWager::ALL.iter().map(|word| word.name());
    assert!(ours.eq(rules));
    let ours = SeatEnd::ALL.iter().map(|word| word.name());
    assert!(ours.eq(settle::SeatEnd::ALL.iter().map(|word| word.name())));
    let ours = LimitReading::ALL.iter().map(|word| word.name());
    assert!(ours.eq(limit::LimitReading::ALL.iter().map(|word| word.name())));
}

//! Whole rounds settled over gRPC: the same amounts, lines and mistakes as over HTTP.

use meterhouse_api::round_settlement::{
    RoundSettlement, SeatPlayed, SettledWager, SettlementRequest,
};
use meterhouse_api::values::{Amount, UnsignedAmount};
use meterhouse_proto::round as proto;
use meterhouse_proto::round::settle_response::Result as Settled;
use meterhouse_tests::worked_rounds::{settle_over_grpc, worked_rounds};
use meterhouse_tests::{House, reason};
use reqwest::Method;
use serde_json::{Map, json};
use tonic::Code;

/// The same request as a message.
fn message(request: &SettlementRequest) -> proto::SettleRequest {
    let terms = &request.terms;
    let word = |word: Option<String>| word.unwrap_or_default();
    proto::SettleRequest {
        game: request.game.to_string(),
        jurisdiction: request.jurisdiction.name().to_owned(),
        terms: Some(proto::TableTerms {
            minimum_micros: micros(terms.minimum),
            step_micros: micros(terms.step),
            limit_micros: terms.limit.map(micros),
            reading: word(terms.reading.map(|reading| reading.name().to_owned())),
            most_at_minimum_micros: terms.most_at_minimum.map(micros),
            goal: word(terms.goal.map(|goal| goal.to_string())),
        }),
        tables: request.tables.iter().map(ToString::to_string).collect(),
        dealer: texts(request.dealer.as_deref()),
        community: texts(request.community.as_deref()),
        bonus: texts(request.bonus.as_deref()),
        dice: numbers(request.dice.as_deref()),
        spins: texts(request.spins.as_deref()),
        seats: request.seats.iter().map(seat).collect(),
        void: word(request.void.map(|void| void.name().to_owned())),
    }
}

fn seat(seat: &SeatPlayed) -> proto::SeatPlayed {
    let wagers = seat.wagers.iter().map(|placed| proto::PlacedWager {
        wager: placed.wager.to_string(),
        amount_micros: micros(placed.amount),
        numbers: numbers(placed.numbers.as_deref()),
        team: placed.team.map(|team| team.to_string()).unwrap_or_default(),
    });
    proto::SeatPlayed {
        seat: u32::from(seat.seat),
        player: seat
            .player
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default(),
        cards: texts(seat.cards.as_deref()),
        end: seat
            .end
            .map(|end| end.name().to_owned())
            .unwrap_or_default(),
        wagers: wagers.collect(),
    }
}

fn texts<T: ToString>(list: Option<&[T]>) -> Vec<String> {
    list.unwrap_or_default()
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn numbers(list: Option<&[u8]>) -> Vec<u32> {
    let numbers = list.unwrap_or_default().iter();
    numbers.copied().map(u32::from).collect()
}

fn micros(amount: UnsignedAmount) -> i64 {
    amount.0.0.micros()
}

fn exact(amount: Amount) -> i64 {
    amount.0.micros()
}

/// A settled wager of HTTP as the message must be.
fn wager(settled: &SettledWager) -> proto::SettledWager {
    proto::SettledWager {
        wager: settled.wager.to_string(),
        amount_micros: exact(settled.amount),
        result: settled.result.to_string(),
        clause: settled.clause.clone(),
        line: settled.line.as_ref().map(|line| proto::LinePaid {
            table: line.table.to_string(),
            citation: line.citation.clone(),
            index: line.index,
            prints: line.prints.clone(),
            pays: line.pays.clone(),
        }),
        payout_micros: exact(settled.payout),
        paid_micros: exact(settled.paid),
        cut: settled.cut,
        returned_micros: exact(settled.returned),
        collected_micros: exact(settled.collected),
        chips_micros: exact(settled.chips),
        numbers: numbers(Some(&settled.numbers)),
        team: settled
            .team
            .map(|team| team.to_string())
            .unwrap_or_default(),
    }
}

/// Every worked round has the same answer over both.
#[tokio::test]
async fn rounds_are_settled_as_over_http() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let json = [("content-type", "application/json")];
    for round in worked_rounds() {
        let name = &round.name;
        let body = serde_json::to_vec(&round.request).expect("plain data");
        let answer = sam.send(Method::POST, "/v1/rounds/settlements", &json, body);
        let over_http: RoundSettlement =
            serde_json::from_value(answer.await.is(200).body).expect(name);
        let answer = settle_over_grpc(house.server.grpc, sam.token(), message(&round.request));
        let Some(Settled::Settled(over_grpc)) = answer.await.expect(name).result else {
            panic!("{name} is refused");
        };
        for (http, grpc) in over_http.seats.iter().zip(&over_grpc.seats) {
            assert_eq!(u32::from(http.seat), grpc.seat, "{name}");
            let wagers: Vec<proto::SettledWager> = http.wagers.iter().map(wager).collect();
            assert_eq!(wagers, grpc.wagers, "{name}, seat {}", http.seat);
            assert_eq!(exact(http.chips), grpc.chips_micros, "{name}");
        }
        assert_eq!(over_http.seats.len(), over_grpc.seats.len(), "{name}");
        let limit = over_http.limit.map(|limit| proto::LimitInForce {
            amount_micros: exact(limit.amount),
            clause: limit.clause,
        });
        assert_eq!(limit, over_grpc.limit, "{name}");
        let totals = over_http.totals;
        let totals = proto::Totals {
            wagered_micros: exact(totals.wagered),
            collected_micros: exact(totals.collected),
            returned_micros: exact(totals.returned),
            paid_micros: exact(totals.paid),
        };
        assert_eq!(Some(totals), over_grpc.totals, "{name}");
        let tables: Vec<&str> = over_grpc
            .tables
            .iter()
            .map(|table| table.table.as_str())
            .collect();
        let chosen: Vec<&str> = over_http
            .tables
            .iter()
            .map(|table| table.table.as_str())
            .collect();
        assert_eq!(tables, chosen, "{name}");
    }
    house.end().await;
}

/// Mistakes are a response with the paths and codes of HTTP; a value that can't be read ends the request.
#[tokio::test]
async fn mistakes_are_those_of_http() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let round = worked_rounds().into_iter().next().expect("a round");
    let mut request = round.request;
    request.terms.limit = Some("60000.00".parse().expect("an amount"));
    request.tables.0.truncate(1);
    let json = [("content-type", "application/json")];
    let body = serde_json::to_vec(&request).expect("plain data");
    let answer = sam.send(Method::POST, "/v1/rounds/settlements", &json, body);
    let problem = answer.await.problem(422, "round_refused");
    let answer = settle_over_grpc(house.server.grpc, sam.token(), message(&request));
    let Some(Settled::Refused(refused)) = answer.await.expect("an answer").result else {
        panic!("mistakes are settled");
    };
    assert!(refused.findings.len() > 3, "{refused:?}");
    let findings = refused.findings.iter();
    let fields: Map<_, _> = findings
        .map(|finding| (finding.path.clone(), json!(finding.code)))
        .collect();
    assert_eq!(json!(fields), problem.body["fields"]);
    let sentences: Vec<String> = refused
        .findings
        .iter()
        .map(|finding| format!("{}: {}", finding.path, finding.detail))
        .collect();
    assert_eq!(sentences.join("; "), problem.text("detail"));

    let settle = async |change: fn(&mut proto::SettleRequest)| {
        let mut sent = message(&request);
        change(&mut sent);
        let answer = settle_over_grpc(house.server.grpc, sam.token(), sent).await;
        answer.expect_err("a value that can't be read")
    };
    for (change, code, field) in [
        (
            (|sent| "none".clone_into(&mut sent.seats[0].wagers[0].wager))
                as fn(&mut proto::SettleRequest),
            "invalid_value",
            "seats[0].wagers[0].wager",
        ),
        (
            |sent| sent.seats[0].wagers[0].amount_micros = -1,
            "invalid_amount",
            "seats[0].wagers[0].amount_micros",
        ),
        (
            |sent| "1s".clone_into(&mut sent.dealer[0]),
            "invalid_card",
            "dealer[0]",
        ),
        (
            |sent| sent.jurisdiction.clear(),
            "invalid_value",
            "jurisdiction",
        ),
        (
            |sent| sent.bonus = vec!["As".to_owned(); 9],
            "invalid_value",
            "bonus",
        ),
    ] {
        let status = settle(change).await;
        assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
        let info = reason(&status);
        assert_eq!(info.reason, code, "{status:?}");
        assert!(info.metadata.contains_key(field), "{status:?}");
    }
    house.end().await;
}

/// Mistakes in rounds without hands are those of HTTP too; numbers and spins that can't be read name their place.
#[tokio::test]
async fn mistakes_in_rounds_without_hands_are_those_of_http() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let rounds = worked_rounds();
    let round = |name: &str| {
        let round = rounds.iter().find(|round| round.name == name).expect(name);
        round.request.clone()
    };
    let mut throw = round("three fours");
    throw.dice = Some(vec![0, 4].into());
    throw.seats.0[0].wagers.0[0].numbers = None;
    let mut game = round("an end zone is left again");
    game.terms.goal = None;
    game.dice = Some(vec![1, 2, 3].into());
    game.seats.0[1].wagers.0[0].team = None;
    let json = [("content-type", "application/json")];
    for request in [&throw, &game] {
        let body = serde_json::to_vec(request).expect("plain data");
        let answer = sam.send(Method::POST, "/v1/rounds/settlements", &json, body);
        let problem = answer.await.problem(422, "round_refused");
        let answer = settle_over_grpc(house.server.grpc, sam.token(), message(request));
        let Some(Settled::Refused(refused)) = answer.await.expect("an answer").result else {
            panic!("mistakes are settled");
        };
        let findings = refused.findings.iter();
        let fields: Map<_, _> = findings
            .map(|finding| (finding.path.clone(), json!(finding.code)))
            .collect();
        assert_eq!(json!(fields), problem.body["fields"]);
        assert!(fields.len() > 1, "{fields:?}");
    }
    let settle = async |request: &SettlementRequest, change: fn(&mut proto::SettleRequest)| {
        let mut sent = message(request);
        change(&mut sent);
        let answer = settle_over_grpc(house.server.grpc, sam.token(), sent).await;
        answer.expect_err("a value that can't be read")
    };
    for (change, field) in [
        (
            (|sent| sent.dice[1] = 256) as fn(&mut proto::SettleRequest),
            "dice[1]",
        ),
        (
            |sent| sent.seats[0].wagers[0].numbers = vec![1; 9],
            "seats[0].wagers[0].numbers",
        ),
        (|sent| sent.spins = vec!["37".to_owned()], "spins[0]"),
        (
            |sent| "blue".clone_into(&mut sent.seats[0].wagers[0].team),
            "seats[0].wagers[0].team",
        ),
    ] {
        let status = settle(&throw, change).await;
        assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
        let info = reason(&status);
        assert_eq!(info.reason, "invalid_value", "{status:?}");
        assert!(info.metadata.contains_key(field), "{status:?}");
    }
    house.end().await;
}

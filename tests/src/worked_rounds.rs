//! The rounds that the tests of the rules work by hand, as requests to a server of the tests.
//!
//! # Tables
//! Those of the texts are compiled in. The ones that the sources leave out are invented there, with ids that begin with
//! "own"; here the files of `tests/paytables` complete the printed ids with the same odds.

#[expect(
    clippy::unwrap_used,
    dead_code,
    reason = "a text that can't be read fails its test; not every helper is needed"
)]
#[path = "../../server/domain/tests/settled_rounds/story.rs"]
mod story;

#[path = "worked_rounds/rolled.rs"]
mod rolled;

use std::net::SocketAddr;

use meterhouse_api::forms::Unsigned;
use meterhouse_api::round_settlement::{PlacedWager, SeatPlayed, SettledWager, SettlementRequest};
use meterhouse_api::text::Text;
use meterhouse_api::values::{Card, PaytableId, RoundWager, Team, UnsignedAmount};
use meterhouse_api::words::Jurisdiction;
use meterhouse_domain::card;
use meterhouse_domain::fixed::settle::{self, WagerResult};
use meterhouse_domain::fixed::wager;
use meterhouse_domain::money::Money;

use meterhouse_proto::round as proto;
use meterhouse_proto::round::round_settlement_client::RoundSettlementClient;
use serde_json::{Value, json};
use tonic::{Request, Status};

use self::story::Story;
use crate::stream::connection;
use crate::wait::in_time;

mod tables {
    use meterhouse_domain::fixed::table::FixedTable;

    use crate::server::CATALOGUE;

    /// Tables that only the texts name.
    const OWN: [(&str, &str); 3] = [
        ("own-let-it-ride", "pa-643a-let-it-ride"),
        ("own-ante-street", "pa-655a-ante-street"),
        ("own-trips", "pa-653a-trips"),
    ];

    /// Returns the servers' tables with these ids.
    pub(crate) fn tables(ids: &[&str]) -> Vec<FixedTable> {
        let table = |id: &&str| {
            let own = OWN.iter().find(|(own, _)| own == id);
            let id = own.map_or(*id, |(_, printed)| printed);
            let found = CATALOGUE.fixed(&id.parse().expect("an id"));
            found.expect(id).clone()
        };
        ids.iter().map(table).collect()
    }
}

/// A round that was worked by hand.
#[derive(Debug)]
pub struct WorkedRound {
    /// Name in the texts.
    pub name: String,
    /// Request that settles it.
    pub request: SettlementRequest,
    /// Seats with their wagers, in the order of the text.
    pub seats: Vec<(u8, Vec<WorkedWager>)>,
    /// Amounts wagered, collected, returned and paid.
    pub totals: [Money; 4],
}

/// A wager that was worked by hand.
#[derive(Debug, PartialEq, Eq)]
pub struct WorkedWager {
    /// Wager.
    pub wager: RoundWager,
    /// Numbers chosen with it.
    pub numbers: Vec<u8>,
    /// Team chosen with it.
    pub team: Option<Team>,
    /// Amount placed.
    pub amount: Money,
    /// Result.
    pub result: WagerResult,
    /// Pay.
    pub paid: Money,
    /// Pay before the limit.
    pub payout: Money,
    /// Clause that decides.
    pub clause: String,
}

impl From<&SettledWager> for WorkedWager {
    fn from(settled: &SettledWager) -> Self {
        Self {
            wager: settled.wager,
            numbers: settled.numbers.clone(),
            team: settled.team,
            amount: settled.amount.0,
            result: settled.result.0,
            paid: settled.paid.0,
            payout: settled.payout.0,
            clause: settled.clause.clone(),
        }
    }
}

impl WorkedRound {
    /// Returns the `settle` of a link's table with the cards and the wagers of this round.
    pub fn settle_command(&self) -> Value {
        let mut round = serde_json::to_value(&self.request).expect("plain data");
        let seats = round["seats"].as_array_mut().expect("seats").iter_mut();
        let (cards, wagers): (Vec<Value>, Vec<Value>) = seats
            .map(|seat| {
                let cards = json!({"seat": seat["seat"], "cards": seat["cards"]});
                seat.as_object_mut().expect("an object").remove("cards");
                (cards, seat.take())
            })
            .unzip();
        let dealt = |hand: &Value| hand["cards"] != json!([]);
        json!({
            "command": "settle", "dealer": round["dealer"], "community": round["community"],
            "seats": cards.into_iter().filter(dealt).collect::<Vec<_>>(),
            "wagers": {
                "jurisdiction": round["jurisdiction"], "terms": round["terms"], "tables": round["tables"],
                "bonus": round["bonus"], "seats": wagers,
            },
        })
    }

    /// Returns the seats, and those of them that folded, in the order of the text.
    pub fn dealt_and_folded(&self) -> (Vec<u8>, Vec<u8>) {
        let seats = self.request.seats.iter();
        let folded = seats.clone().filter(|seat| {
            let end = seat.end.map(|end| end.0);
            end == Some(settle::SeatEnd::Folded)
        });
        let folded = folded.map(|seat| seat.seat).collect();
        (seats.map(|seat| seat.seat).collect(), folded)
    }
}

/// Returns every round that was worked by hand.
pub fn worked_rounds() -> Vec<WorkedRound> {
    let of_cards = story::all().into_iter().map(worked);
    of_cards.chain(rolled::rounds()).collect()
}

fn worked(story: Story) -> WorkedRound {
    let seats = story.expected.into_iter().map(|(seat, wagers)| {
        let wagers = wagers.into_iter().map(|expected| WorkedWager {
            wager: Text(wager::RoundWager::Fixed(expected.wager)),
            numbers: Vec::new(),
            team: None,
            amount: expected.amount,
            result: expected.result,
            paid: expected.paid,
            payout: expected.payout,
            clause: expected.clause,
        });
        (seat.0, wagers.collect())
    });
    let ids = story.tables.into_iter().map(|table| Text(table.id));
    WorkedRound {
        name: story.name,
        request: request(story.round, ids.collect::<Vec<_>>()),
        seats: seats.collect(),
        totals: story.totals,
    }
}

fn request(round: settle::PlayedRound, tables: Vec<PaytableId>) -> SettlementRequest {
    let mut jurisdictions = Jurisdiction::ALL.iter().copied();
    let jurisdiction = jurisdictions.find(|known| known.name() == round.jurisdiction);
    let seats = round.seats.into_iter().map(seat);
    SettlementRequest {
        game: Text(round.game),
        jurisdiction: jurisdiction.expect("a jurisdiction of the API"),
        terms: round.terms.into(),
        tables: tables.into(),
        dealer: Some(cards(round.dealer).into()),
        community: Some(cards(round.community).into()),
        bonus: Some(cards(round.bonus).into()),
        dice: None,
        spins: None,
        seats: seats.collect::<Vec<_>>().into(),
        void: round.void.map(Text),
    }
}

fn seat(played: settle::SeatPlayed) -> SeatPlayed {
    let wagers = played.wagers.into_iter().map(|placed| PlacedWager {
        wager: Text(wager::RoundWager::Fixed(placed.wager)),
        amount: amount(placed.amount),
        numbers: None,
        team: None,
    });
    SeatPlayed {
        seat: played.seat.0,
        player: played.player.map(Text),
        cards: Some(cards(played.cards).into()),
        end: Some(Text(played.end)),
        wagers: wagers.collect::<Vec<_>>().into(),
    }
}

fn cards(cards: Vec<card::Card>) -> Vec<Card> {
    cards.into_iter().map(Text).collect()
}

fn amount(amount: Money) -> UnsignedAmount {
    Text(Unsigned(amount))
}

/// Asks for the settlement of a round over gRPC, with a token unless it is empty.
///
/// # Errors
/// The status, where the server says no.
pub async fn settle_over_grpc(
    address: SocketAddr,
    token: &str,
    request: proto::SettleRequest,
) -> Result<proto::SettleResponse, Status> {
    let mut client = RoundSettlementClient::new(connection(address).await);
    let mut request = Request::new(request);
    if !token.is_empty() {
        let bearer = format!("Bearer {token}").parse().expect("a header");
        request.metadata_mut().insert("authorization", bearer);
    }
    let answer = in_time("the settlement", client.settle(request)).await?;
    Ok(answer.into_inner())
}

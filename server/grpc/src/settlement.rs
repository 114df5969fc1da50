//! `RoundSettlement/Settle`: whole rounds settled, as over HTTP.
//!
//! # Shape
//! A message becomes the round that `meterhouse_edge::settlement` settles, and the settlement becomes a message. Mistakes
//! in the round are a response: together they can be longer than the headers that a status has.
//!
//! # Limits
//! [`ROUND_BYTES_MAX`] for a request, and the lists of `meterhouse_api::round_settlement`.

use std::sync::Arc;

use meterhouse_api::paytable::NotInSource;
use meterhouse_api::round_settlement as api;
use meterhouse_api::round_settlement::{
    HAND_CARDS_MAX, ROUND_SEATS_MAX, ROUND_TABLES_MAX, SEAT_WAGERS_MAX,
};
use meterhouse_api::values::Amount;
use meterhouse_api::words::Jurisdiction;
use meterhouse_catalogue::Catalogue;
use meterhouse_domain::card::Card;
use meterhouse_domain::fixed::settle::{PlacedWager, PlayedRound, SeatEnd, SeatPlayed, TableTerms};
use meterhouse_domain::ids::PaytableId;
use meterhouse_edge::settlement::{RoundAsked, RoundRefused, settlement};
use meterhouse_edge::value::{self, bounded_by};
use meterhouse_edge::wire_error::{EdgeError, WireError};
use meterhouse_edge::{authenticate, authorize};
use meterhouse_engine::Engine;
use meterhouse_proto::round as proto;
use meterhouse_proto::round::round_settlement_server::RoundSettlement;
use meterhouse_proto::round::settle_response::Result as Settled;
use tonic::metadata::MetadataValue;
use tonic::{Request, Response, Status};

use crate::connection::Peer;
use crate::read;
use crate::status::{About, status};

/// Maximum size in bytes of a request: the body of the same request over HTTP.
pub(crate) const ROUND_BYTES_MAX: usize = 64 * 1_024;

/// The settlement of rounds by the catalogue's tables.
pub(crate) struct Settlements {
    engine: Engine,
    catalogue: Arc<Catalogue>,
}

impl Settlements {
    /// Creates the settlement of rounds for the callers that an engine knows.
    pub(crate) const fn new(engine: Engine, catalogue: Arc<Catalogue>) -> Self {
        Self { engine, catalogue }
    }

    async fn authorize(&self, request: &Request<proto::SettleRequest>) -> Result<(), WireError> {
        let peer = request.extensions().get::<Peer>();
        let header = request.metadata().get("authorization");
        let header = header.map(MetadataValue::as_bytes);
        let certificate = peer.map(Peer::certificate).unwrap_or_default();
        let caller = authenticate::caller(&self.engine, header, &certificate).await?;
        if let Some(peer) = peer {
            peer.anonymous.authenticated();
        }
        Ok(authorize::read_everything(&caller)?)
    }
}

#[tonic::async_trait]
impl RoundSettlement for Settlements {
    async fn settle(
        &self,
        request: Request<proto::SettleRequest>,
    ) -> Result<Response<proto::SettleResponse>, Status> {
        let authorized = self.authorize(&request).await;
        authorized.map_err(|error| status(error, About::default()))?;
        let asked = asked(request.get_ref());
        let asked = asked.map_err(|error| status(error, About::default()))?;
        let result = match settlement(&self.catalogue, &asked) {
            Ok(settled) => Settled::Settled(message(&settled)),
            Err(found) => Settled::Refused(refused(found)),
        };
        Ok(Response::new(proto::SettleResponse {
            result: Some(result),
        }))
    }
}

/// Returns the round of a message.
fn asked(sent: &proto::SettleRequest) -> Result<RoundAsked, EdgeError> {
    bounded_by("tables", &sent.tables, ROUND_TABLES_MAX)?;
    bounded_by("seats", &sent.seats, ROUND_SEATS_MAX)?;
    let jurisdiction: Jurisdiction = value::read("jurisdiction", &sent.jurisdiction)?;
    let tables = sent.tables.iter().enumerate();
    let table = |(index, id): (usize, &String)| value::read(&format!("tables[{index}]"), id);
    let seats = sent.seats.iter().enumerate();
    Ok(RoundAsked {
        jurisdiction,
        tables: tables.map(table).collect::<Result<Vec<PaytableId>, _>>()?,
        round: PlayedRound {
            game: value::read("game", &sent.game)?,
            jurisdiction: jurisdiction.name().to_owned(),
            terms: terms(sent.terms.as_ref())?,
            dealer: cards("dealer", &sent.dealer)?,
            community: cards("community", &sent.community)?,
            bonus: cards("bonus", &sent.bonus)?,
            seats: seats
                .map(|(index, sent)| seat(index, sent))
                .collect::<Result<_, _>>()?,
            void: given(&sent.void)
                .map(|void| value::read("void", void))
                .transpose()?,
        },
    })
}

/// Returns a text, if it isn't empty.
fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn terms(sent: Option<&proto::TableTerms>) -> Result<TableTerms, EdgeError> {
    let sent = sent.cloned().unwrap_or_default();
    let amount = |name: &str, micros| read::amount(micros, || format!("terms.{name}"));
    let perhaps = |name: &str, micros: Option<i64>| micros.map(|micros| amount(name, micros));
    let reading = given(&sent.reading);
    Ok(TableTerms {
        minimum: amount("minimum_micros", sent.minimum_micros)?,
        step: amount("step_micros", sent.step_micros)?,
        limit: perhaps("limit_micros", sent.limit_micros).transpose()?,
        reading: reading
            .map(|reading| value::read("terms.reading", reading))
            .transpose()?,
        most_at_minimum: perhaps("most_at_minimum_micros", sent.most_at_minimum_micros)
            .transpose()?,
    })
}

fn seat(index: usize, sent: &proto::SeatPlayed) -> Result<SeatPlayed, EdgeError> {
    let field = |name: &str| format!("seats[{index}].{name}");
    bounded_by(&field("wagers"), &sent.wagers, SEAT_WAGERS_MAX)?;
    let wagers = sent.wagers.iter().enumerate();
    let wager = |(place, placed): (usize, &proto::PlacedWager)| {
        let field = |name: &str| field(&format!("wagers[{place}].{name}"));
        Ok(PlacedWager {
            wager: value::read(&field("wager"), &placed.wager)?,
            amount: read::amount(placed.amount_micros, || field("amount_micros"))?,
        })
    };
    Ok(SeatPlayed {
        seat: read::seat(sent.seat, || field("seat"))?,
        player: given(&sent.player)
            .map(|player| value::read(&field("player"), player))
            .transpose()?,
        cards: cards(&field("cards"), &sent.cards)?,
        wagers: wagers.map(wager).collect::<Result<_, EdgeError>>()?,
        end: given(&sent.end).map_or(Ok(SeatEnd::Stayed), |end| value::read(&field("end"), end))?,
    })
}

fn cards(field: &str, list: &[String]) -> Result<Vec<Card>, EdgeError> {
    bounded_by(field, list, HAND_CARDS_MAX)?;
    read::cards(field, list)
}

fn refused(RoundRefused(findings): RoundRefused) -> proto::Refused {
    let findings = findings.into_iter().map(|finding| proto::Finding {
        path: finding.path,
        code: finding.code.to_owned(),
        detail: finding.detail,
    });
    proto::Refused {
        findings: findings.collect(),
    }
}

/// Returns a settlement as a message.
fn message(settled: &api::RoundSettlement) -> proto::Settlement {
    let totals = &settled.totals;
    proto::Settlement {
        tables: settled.tables.iter().map(chosen_table).collect(),
        limit: settled.limit.as_ref().map(|limit| proto::LimitInForce {
            amount_micros: micros(limit.amount),
            clause: limit.clause.clone(),
        }),
        seats: settled.seats.iter().map(settled_seat).collect(),
        totals: Some(proto::Totals {
            wagered_micros: micros(totals.wagered),
            collected_micros: micros(totals.collected),
            returned_micros: micros(totals.returned),
            paid_micros: micros(totals.paid),
        }),
    }
}

const fn micros(amount: Amount) -> i64 {
    amount.0.micros()
}

fn chosen_table(table: &api::ChosenTable) -> proto::ChosenTable {
    let omission = |gap: &NotInSource| proto::Omission {
        what: gap.what.clone(),
        place: gap.place.clone(),
        inferred_from: gap.inferred_from.clone().unwrap_or_default(),
    };
    proto::ChosenTable {
        table: table.table.to_string(),
        title: table.title.clone(),
        citation: table.citation.clone(),
        not_in_source: table.not_in_source.iter().map(omission).collect(),
    }
}

fn settled_seat(seat: &api::SettledSeat) -> proto::SettledSeat {
    let player = seat.player.as_ref().map(ToString::to_string);
    proto::SettledSeat {
        seat: u32::from(seat.seat),
        player: player.unwrap_or_default(),
        wagers: seat.wagers.iter().map(settled_wager).collect(),
        chips_micros: micros(seat.chips),
    }
}

fn settled_wager(wager: &api::SettledWager) -> proto::SettledWager {
    proto::SettledWager {
        wager: wager.wager.to_string(),
        amount_micros: micros(wager.amount),
        result: wager.result.to_string(),
        clause: wager.clause.clone(),
        line: wager.line.as_ref().map(|line| proto::LinePaid {
            table: line.table.to_string(),
            citation: line.citation.clone(),
            index: line.index,
            prints: line.prints.clone(),
            pays: line.pays.clone(),
        }),
        payout_micros: micros(wager.payout),
        paid_micros: micros(wager.paid),
        cut: wager.cut,
        returned_micros: micros(wager.returned),
        collected_micros: micros(wager.collected),
        chips_micros: micros(wager.chips),
    }
}

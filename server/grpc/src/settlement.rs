//! `RoundSettlement/Settle`: whole rounds settled, as over HTTP.
//!
//! # Shape
//! A message becomes the request that HTTP reads, which `meterhouse_edge::settlement` settles, and the settlement becomes a
//! message. Mistakes in the round are a response: together they can be longer than the headers that a status has.
//!
//! # Limits
//! [`ROUND_BYTES_MAX`] for a request, and the lists of `meterhouse_api::round_settlement`.

use std::sync::Arc;

use meterhouse_api::forms::Unsigned;
use meterhouse_api::paytable::NotInSource;
use meterhouse_api::request::List;
use meterhouse_api::round_settlement as api;
use meterhouse_api::round_settlement::{
    HAND_CARDS_MAX, PlacedWager, ROUND_SEATS_MAX, SeatPlayed, SettlementRequest, TableTerms,
};
use meterhouse_api::text::{Text, TextForm};
use meterhouse_api::values::{Amount, Card, UnsignedAmount};
use meterhouse_catalogue::Catalogue;
use meterhouse_edge::settlement::{RoundRefused, settlement};
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
use crate::status::{About, status};
use crate::values;

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

/// Returns the request of a message.
fn asked(sent: &proto::SettleRequest) -> Result<SettlementRequest, EdgeError> {
    bounded_by("seats", &sent.seats, ROUND_SEATS_MAX)?;
    let seats = sent.seats.iter().enumerate();
    let seats = seats.map(|(index, sent)| seat(index, sent));
    Ok(SettlementRequest {
        game: text("game", &sent.game)?,
        jurisdiction: value::read("jurisdiction", &sent.jurisdiction)?,
        terms: terms("terms", sent.terms.as_ref())?,
        tables: texts("tables", &sent.tables)?,
        dealer: cards("dealer", &sent.dealer)?,
        community: cards("community", &sent.community)?,
        bonus: cards("bonus", &sent.bonus)?,
        dice: Some(numbers("dice", &sent.dice)?),
        spins: Some(texts("spins", &sent.spins)?),
        seats: seats.collect::<Result<Vec<_>, _>>()?.into(),
        void: perhaps("void", &sent.void)?,
    })
}

/// Returns a text of this form.
pub(crate) fn text<T: TextForm>(field: &str, sent: &str) -> Result<Text<T>, EdgeError> {
    value::read(field, sent).map(Text)
}

/// Returns a text, if it isn't empty.
pub(crate) fn perhaps<T: TextForm>(field: &str, sent: &str) -> Result<Option<Text<T>>, EdgeError> {
    let sent = Some(sent).filter(|sent| !sent.is_empty());
    sent.map(|sent| text(field, sent)).transpose()
}

/// Returns a list of texts.
pub(crate) fn texts<T: TextForm, const MOST: usize>(
    field: &str,
    list: &[String],
) -> Result<List<Text<T>, MOST>, EdgeError> {
    bounded_by(field, list, MOST)?;
    let texts = list.iter().enumerate();
    let texts = texts.map(|(index, sent)| text(&format!("{field}[{index}]"), sent));
    texts.collect::<Result<Vec<_>, _>>().map(List)
}

fn numbers<const MOST: usize>(field: &str, list: &[u32]) -> Result<List<u8, MOST>, EdgeError> {
    bounded_by(field, list, MOST)?;
    let numbers = list.iter().enumerate();
    let numbers = numbers.map(|(index, sent)| values::small(*sent, || format!("{field}[{index}]")));
    numbers.collect::<Result<Vec<_>, _>>().map(List)
}

/// Returns the cards of a hand.
pub(crate) fn cards(
    field: &str,
    list: &[String],
) -> Result<Option<List<Card, HAND_CARDS_MAX>>, EdgeError> {
    texts(field, list).map(Some)
}

fn amount(micros: i64, field: impl FnOnce() -> String) -> Result<UnsignedAmount, EdgeError> {
    values::amount(micros, field).map(|amount| Text(Unsigned(amount)))
}

/// Returns the terms of a table in this field.
pub(crate) fn terms(
    field: &str,
    sent: Option<&proto::TableTerms>,
) -> Result<TableTerms, EdgeError> {
    let sent = sent.cloned().unwrap_or_default();
    let amount = |name: &str, micros| amount(micros, || format!("{field}.{name}"));
    let given = |name: &str, micros: Option<i64>| micros.map(|micros| amount(name, micros));
    Ok(TableTerms {
        minimum: amount("minimum_micros", sent.minimum_micros)?,
        step: amount("step_micros", sent.step_micros)?,
        limit: given("limit_micros", sent.limit_micros).transpose()?,
        reading: perhaps(&format!("{field}.reading"), &sent.reading)?,
        most_at_minimum: given("most_at_minimum_micros", sent.most_at_minimum_micros)
            .transpose()?,
        goal: perhaps(&format!("{field}.goal"), &sent.goal)?,
    })
}

fn seat(index: usize, sent: &proto::SeatPlayed) -> Result<SeatPlayed, EdgeError> {
    let field = |name: &str| format!("seats[{index}].{name}");
    Ok(SeatPlayed {
        seat: values::small(sent.seat, || field("seat"))?,
        player: perhaps(&field("player"), &sent.player)?,
        cards: cards(&field("cards"), &sent.cards)?,
        end: perhaps(&field("end"), &sent.end)?,
        wagers: wagers(&field("wagers"), &sent.wagers)?,
    })
}

/// Returns the wagers of a seat.
pub(crate) fn wagers<const MOST: usize>(
    field: &str,
    list: &[proto::PlacedWager],
) -> Result<List<PlacedWager, MOST>, EdgeError> {
    bounded_by(field, list, MOST)?;
    let wagers = list.iter().enumerate();
    let wagers = wagers.map(|(place, sent)| placed(&format!("{field}[{place}]"), sent));
    wagers.collect::<Result<Vec<_>, _>>().map(List)
}

fn placed(path: &str, sent: &proto::PlacedWager) -> Result<PlacedWager, EdgeError> {
    let field = |name: &str| format!("{path}.{name}");
    Ok(PlacedWager {
        wager: text(&field("wager"), &sent.wager)?,
        amount: amount(sent.amount_micros, || field("amount_micros"))?,
        numbers: Some(numbers(&field("numbers"), &sent.numbers)?),
        team: perhaps(&field("team"), &sent.team)?,
    })
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
pub(crate) fn message(settled: &api::RoundSettlement) -> proto::Settlement {
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
        reading: table
            .reading
            .as_ref()
            .map_or_else(String::new, ToString::to_string),
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
        numbers: wager.numbers.iter().copied().map(u32::from).collect(),
        team: wager.team.map(|team| team.to_string()).unwrap_or_default(),
    }
}

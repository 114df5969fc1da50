//! `PUT /v1/links/{link}`: opens a link with a paytable of the catalogue.

use axum::extract::State;
use meterhouse_api::link::{Ceilings, OpenLinkRequest, OpenedLevel, OpenedLink};
use meterhouse_api::text::Text;
use meterhouse_catalogue::Catalogue;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::LinkName;
use meterhouse_domain::link::{Book, LinkSettings, LinkTerms, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{Content, Level, TableLimits};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::seat::SEATS_MAX;
use meterhouse_edge::authorize;
use meterhouse_edge::link_returns;
use meterhouse_edge::paytables::{confirmed, decide_lines, seeds_suffice, sheet};
use meterhouse_edge::value::shown;
use meterhouse_edge::wire_error::WireError;

use super::settings::settings;
use meterhouse_engine::answer::Idempotent;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::LinkPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Opens a link.
#[utoipa::path(
    put,
    path = "/v1/links/{link}",
    operation_id = "open_link",
    tag = "links",
    security(("token" = [])),
    params(LinkPath),
    request_body = OpenLinkRequest,
    responses(
        (status = 201, description = "Opened", body = OpenedLink),
        (status = 200, description = "Opened before", body = OpenedLink,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn open(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    JsonBody(body): JsonBody<OpenLinkRequest>,
) -> Result<Written<OpenedLink>, Failure> {
    authorize::configure(&caller)?;
    let terms = link_terms(link.0, &body, &shared.catalogue)?;
    let Idempotent {
        value: view,
        replayed,
    } = shared.engine.open_link(&caller.person, terms).await?;
    Ok(Written {
        body: opened(&view.terms),
        replayed,
    })
}

/// Returns the terms of a request to open a link.
fn link_terms(
    name: LinkName,
    request: &OpenLinkRequest,
    catalogue: &Catalogue,
) -> Result<LinkTerms, WireError> {
    let id = &request.paytable;
    let confirm = request.confirm_inferred == Some(true);
    let mut paytable = confirmed(catalogue, id, confirm)?;
    let sheet = sheet(catalogue, id)?;
    let pays_nothing = request.pays_nothing.iter().flat_map(|hands| hands.iter());
    let pays_nothing: Vec<Hand> = pays_nothing.map(|hand| hand.0).collect();
    decide_lines(sheet, &pays_nothing, &mut paytable)?;
    let wager = request.wager.0.0;
    seeds_suffice(sheet, wager)?;
    Ok(LinkTerms {
        name,
        limits: limits(sheet.limits, request.boxes_max)?,
        counts_draws_and_envy: true,
        settings: LinkSettings {
            ceilings: ceilings(&paytable.content, request.ceilings.as_ref())?,
            rounds_a_minute_max: request.rounds_a_minute_max,
            silence_seconds_max: request.silence_seconds_max,
            magic_card_one_in: request.magic_card_one_in,
            lucky_bonus_one_in: request.lucky_bonus_one_in,
            badge_required: Some(request.badge_required.unwrap_or(true)),
        },
        paytable,
        wager,
        decks: request.decks,
        must_accept_values: true,
        reserve_policy: request
            .reserve_policy
            .as_ref()
            .map_or(ReservePolicy::Add, |policy| policy.0),
    })
}

/// Returns the limits of the paytable's law with the filed number of boxes, which may not be more than printed.
fn limits(law: TableLimits, boxes_max: Option<u8>) -> Result<TableLimits, WireError> {
    let Some(filed) = boxes_max else {
        return Ok(law);
    };
    let most = law.boxes_max.unwrap_or(SEATS_MAX);
    if filed == 0 || filed > most {
        return Err(Refusal::new(RefusalCode::OutOfRange)
            .with("boxes_max", filed)
            .with("least", 1)
            .with("most", most)
            .into());
    }
    Ok(TableLimits {
        boxes_max: Some(filed),
        ..law
    })
}

/// Returns the ceilings of a paytable's levels, in their order.
fn ceilings(content: &Content, sent: Option<&Ceilings>) -> Result<Vec<Option<Money>>, WireError> {
    let Some(Ceilings(sent)) = sent.filter(|sent| !sent.0.is_empty()) else {
        return Ok(Vec::new());
    };
    let mut ceilings = vec![None; content.levels.len()];
    for (name, amount) in sent {
        let mut levels = content.levels.iter().zip(&mut ceilings);
        let level = levels.find(|(level, _)| level.name.as_str() == name);
        let Some((_, ceiling)) = level else {
            return Err(Refusal::new(RefusalCode::NoSuchLevel)
                .with("level", shown(name))
                .into());
        };
        *ceiling = Some(amount.0.0);
    }
    Ok(ceilings)
}

fn opened(terms: &LinkTerms) -> OpenedLink {
    let times = |odds| Text(terms.wager.for_one(odds).unwrap_or(Money::ZERO));
    let level = |(index, level): (usize, &Level)| OpenedLevel {
        level: Text(level.name.clone()),
        opened_with: Text(terms.opened_with(level).unwrap_or(Money::ZERO)),
        restarts_with: times(level.reseed),
        ceiling: terms.settings.ceiling(Book::level(index)).map(Text),
        incrementation: level.primary.to_string(),
    };
    let levels = terms.content().levels.iter().enumerate();
    OpenedLink {
        link: Text(terms.name.clone()),
        title: terms.paytable.title.clone(),
        paytable: Text(terms.paytable.id.clone()),
        citation: terms.paytable.citation.clone(),
        wager: Text(terms.wager),
        decks: terms.decks,
        boxes_max: terms.limits.boxes_max,
        reserve_policy: Text(terms.reserve_policy),
        settings: settings(&terms.settings),
        returns: link_returns::of_terms(terms),
        levels: levels.map(level).collect(),
    }
}

#[cfg(test)]
mod tests {
    use meterhouse_edge::wire_error::row;

    use super::*;
    use crate::extract::request::parse;

    fn read(text: &str) -> Result<LinkTerms, WireError> {
        let catalogue = Catalogue::compiled_in().expect("our own files");
        let body: OpenLinkRequest = parse("the body", text.as_bytes())?;
        link_terms("main".parse().expect("a name"), &body, &catalogue)
    }

    fn code(text: &str) -> Result<(), &'static str> {
        read(text).map(|_| ()).map_err(|error| row(&error).code)
    }

    #[test]
    fn terms_are_read_strictly() {
        let good = r#"{"paytable":"pa-657a-five-card-c","wager":"1.00","decks":1}"#;
        let terms = read(good).expect("terms");
        assert_eq!((terms.decks, terms.reserve_policy), (1, ReservePolicy::Add));
        let with = |from: &str, to: &str| code(&good.replace(from, to));
        assert_eq!(with("}", r#","reserve_policy":"fund_keep"}"#), Ok(()));
        assert_eq!(
            with("}", r#","reserve_policy":"keep"}"#),
            Err("invalid_value")
        );
        assert_eq!(with("five-card-c", "five-card-z"), Err("unknown_paytable"));
        assert_eq!(with("five-card-c", "five card c"), Err("invalid_name"));
        assert_eq!(with("\"1.00\"", "1"), Err("invalid_amount"));
        assert_eq!(with(":1}", ":-1}"), Err("invalid_value"));
        assert_eq!(with(":1}", ":1,\"seed\":\"1\"}"), Err("unknown_field"));
        assert_eq!(with(",\"decks\":1", ""), Err("malformed_body"));
    }

    #[test]
    fn settings_are_read_strictly() {
        let good = r#"{"paytable":"pa-657a-five-card-c","wager":"1.00","decks":1,
            "ceilings":{"minor":"300.00","mega":"25000"},"rounds_a_minute_max":10,
            "silence_seconds_max":7,"magic_card_one_in":52,"lucky_bonus_one_in":1}"#;
        let terms = read(good).expect("terms");
        let ceiling = |text: &str| Some(text.parse::<Money>().expect("an amount"));
        let expected = LinkSettings {
            ceilings: vec![ceiling("25000.00"), None, ceiling("300.00")],
            rounds_a_minute_max: Some(10),
            silence_seconds_max: Some(7),
            magic_card_one_in: Some(52),
            lucky_bonus_one_in: Some(1),
            badge_required: Some(true),
        };
        assert_eq!(terms.settings, expected);
        let body = serde_json::to_value(opened(&terms)).expect("plain data");
        assert_eq!(body["levels"][0]["ceiling"], "25000.00");
        assert_eq!(body["settings"]["silence_seconds_max"], 7);
        assert_eq!(body["settings"]["badge_required"], true);
        let with = |from: &str, to: &str| code(&good.replace(from, to));
        assert_eq!(with("\"mega\"", "\"giga\""), Err("no_such_level"));
        assert_eq!(with("\"mega\"", "\"minor\""), Err("malformed_body"));
        assert_eq!(with("\"25000\"", "25000"), Err("invalid_amount"));
        assert_eq!(with("\"25000\"", "\"-1\""), Err("invalid_amount"));
        assert_eq!(with("max\":10", "max\":-1"), Err("invalid_value"));
        assert_eq!(with("max\":7", "max\":4294967296"), Err("invalid_value"));
        assert_eq!(with(":52", ":\"52\""), Err("invalid_value"));
        assert_eq!(with("7,", "7,\"badge_required\":false,"), Ok(()));
        assert_eq!(with("7,", "7,\"badge_required\":1,"), Err("malformed_body"));
        assert_eq!(
            with("{\"minor\":\"300.00\",\"mega\":\"25000\"}", "[]"),
            Err("malformed_body")
        );
        assert_eq!(
            with("{\"minor\":\"300.00\",\"mega\":\"25000\"}", "{}"),
            Ok(())
        );
    }

    #[test]
    fn the_answer_says_what_the_link_opened_with() {
        let five = r#"{"paytable":"pa-657a-five-card-c","wager":"5.00","decks":1}"#;
        let opened = opened(&read(five).expect("terms"));
        let body = serde_json::to_value(&opened).expect("plain data");
        assert_eq!(body["levels"][0]["opened_with"], "50000.00");
        assert_eq!(body["levels"][2]["restarts_with"], "1250.00");
        assert_eq!(body["levels"][1]["incrementation"], "7%");
        assert_eq!(body["reserve_policy"], "add");
    }
}

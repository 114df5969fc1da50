//! `PUT /v1/links/{link}`: opens a link with a paytable of the catalogue.

use axum::extract::State;
use meterhouse_api::returns::LinkReturns;
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
use meterhouse_edge::wire_error::{EdgeError, WireError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::settings::{Settings, ceilings, count};
use meterhouse_engine::answer::Idempotent;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::{JsonBody, LinkOf, Loose, Members};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::Amount;
use crate::replay::Written;

/// What a link opens with; none of it changes while it plays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = OpenLink)]
pub(crate) struct OpenBody {
    /// The paytable.
    #[schema(value_type = String, examples("pa-657a-five-card-c"))]
    paytable: Loose,
    /// True: what the paytable has from elsewhere, because its source doesn't print it, is what the operator filed.
    confirm_inferred: Option<bool>,
    /// Hands without a line in the source that pay nothing, as the operator has decided.
    #[schema(value_type = Option<Vec<String>>, examples(json!(["royal-flush"])))]
    pays_nothing: Option<Vec<Loose>>,
    /// The one progressive wager.
    #[schema(value_type = String, examples("1.00"))]
    wager: Loose,
    /// Decks in play in one round; two that alternate count as one.
    #[schema(value_type = u8, minimum = 1, maximum = 8, examples(1))]
    decks: Loose,
    /// What a level with a reserve restarts with: `add` (as if left out), `greater_of` or `fund_keep`.
    #[schema(value_type = Option<String>, examples("add"))]
    reserve_policy: Option<Loose>,
    /// What levels never show more than, by their names; what is above it waits for the next reset.
    #[schema(value_type = Option<std::collections::BTreeMap<String, String>>)]
    ceilings: Option<Members<Loose>>,
    /// Adjacent boxes on which one player may wager in one round, as filed; if left out as many as the paytable's law
    /// prints, or else as the layout has.
    #[schema(value_type = Option<u8>, minimum = 1, maximum = 15)]
    boxes_max: Option<Loose>,
    /// Rounds that one table may lock in a minute; no limit if left out.
    #[schema(value_type = Option<u32>, minimum = 1)]
    rounds_a_minute_max: Option<Loose>,
    /// Seconds of silence after which a table is lost; 5 if left out.
    #[schema(value_type = Option<u32>, minimum = 1)]
    silence_seconds_max: Option<Loose>,
    /// A Magic Card is drawn in one of so many rounds; none if left out.
    #[schema(value_type = Option<u32>, minimum = 1)]
    magic_card_one_in: Option<Loose>,
    /// A lucky position is drawn in one of so many rounds; none if left out.
    #[schema(value_type = Option<u32>, minimum = 1)]
    lucky_bonus_one_in: Option<Loose>,
    /// Whether a hit that a person has to validate needs `by`, the badge of who keyed it; true if left out.
    badge_required: Option<bool>,
}

/// A link as it was opened.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Opened {
    /// The link.
    link: String,
    /// What people call its paytable.
    title: String,
    /// Its paytable.
    paytable: String,
    /// Where that stands, and what of it the operator confirmed.
    citation: String,
    /// The one progressive wager.
    wager: Amount,
    /// Decks in play in one round.
    decks: u8,
    /// Adjacent boxes on which one player may wager in one round; null where there is no limit.
    boxes_max: Option<u8>,
    /// What a level with a reserve restarts with.
    #[schema(value_type = String)]
    reserve_policy: &'static str,
    /// What the operator chose for it.
    settings: Settings,
    /// What its wager returns in the long run.
    returns: LinkReturns,
    /// Its levels, highest first.
    levels: Vec<OpenedLevel>,
}

/// A level as it was opened.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OpenedLevel {
    /// The level.
    level: String,
    /// What it opened with.
    opened_with: Amount,
    /// What it restarts with after it paid 100%.
    restarts_with: Amount,
    /// What it never shows more than, where it has a ceiling.
    ceiling: Option<Amount>,
    /// The share of each wager that it takes.
    #[schema(examples("9%"))]
    incrementation: String,
}

/// Opens a link.
#[utoipa::path(
    put,
    path = "/v1/links/{link}",
    operation_id = "open_link",
    tag = "links",
    security(("token" = [])),
    params(("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$")),
    request_body = OpenBody,
    responses(
        (status = 201, description = "Opened", body = Opened),
        (status = 200, description = "Opened before", body = Opened,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn open(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    LinkOf(link): LinkOf,
    JsonBody(body): JsonBody<OpenBody>,
) -> Result<Written<Opened>, Failure> {
    authorize::set_up(&caller)?;
    let terms = body.read(link, &shared.catalogue)?;
    let Idempotent {
        value: view,
        replayed,
    } = shared.engine.open_link(&caller.person, terms).await?;
    Ok(Written {
        body: Opened::new(&view.terms),
        replayed,
    })
}

impl OpenBody {
    fn read(&self, name: LinkName, catalogue: &Catalogue) -> Result<LinkTerms, WireError> {
        let policy =
            |it: &Loose| it.word("reserve_policy", ReservePolicy::ALL, ReservePolicy::name);
        let id = self.paytable.name("paytable")?;
        let mut paytable = confirmed(catalogue, &id, self.confirm_inferred == Some(true))?;
        let sheet = sheet(catalogue, &id)?;
        decide_lines(sheet, &self.pays_nothing()?, &mut paytable)?;
        let wager = self.wager.amount("wager")?;
        seeds_suffice(sheet, wager)?;
        Ok(LinkTerms {
            name,
            limits: self.limits(sheet.limits)?,
            counts_draws_and_envy: true,
            settings: self.settings(&paytable.content)?,
            paytable,
            wager,
            decks: self.decks.small("decks")?,
            must_accept_values: true,
            reserve_policy: self
                .reserve_policy
                .as_ref()
                .map(policy)
                .transpose()?
                .unwrap_or(ReservePolicy::Add),
        })
    }

    fn pays_nothing(&self) -> Result<Vec<Hand>, EdgeError> {
        let hands = self.pays_nothing.iter().flatten();
        hands.map(|hand| hand.hand("pays_nothing")).collect()
    }

    /// Returns the limits of the paytable's law, with the number of boxes that was filed: no more than printed.
    fn limits(&self, law: TableLimits) -> Result<TableLimits, WireError> {
        let Some(sent) = &self.boxes_max else {
            return Ok(law);
        };
        let (sent, most) = (sent.small("boxes_max")?, law.boxes_max.unwrap_or(SEATS_MAX));
        if sent == 0 || sent > most {
            return Err(Refusal::new(RefusalCode::OutOfRange)
                .with("boxes_max", sent)
                .with("least", 1)
                .with("most", most)
                .into());
        }
        Ok(TableLimits {
            boxes_max: Some(sent),
            ..law
        })
    }

    fn settings(&self, content: &Content) -> Result<LinkSettings, WireError> {
        let rounds = self.rounds_a_minute_max.as_ref();
        let silence = self.silence_seconds_max.as_ref();
        Ok(LinkSettings {
            ceilings: ceilings(content, self.ceilings.as_ref())?,
            rounds_a_minute_max: count("rounds_a_minute_max", rounds)?,
            silence_seconds_max: count("silence_seconds_max", silence)?,
            magic_card_one_in: count("magic_card_one_in", self.magic_card_one_in.as_ref())?,
            lucky_bonus_one_in: count("lucky_bonus_one_in", self.lucky_bonus_one_in.as_ref())?,
            badge_required: Some(self.badge_required.unwrap_or(true)),
        })
    }
}

impl Opened {
    fn new(terms: &LinkTerms) -> Self {
        let times = |odds| Amount(terms.wager.for_one(odds).unwrap_or(Money::ZERO));
        let level = |(index, it): (usize, &Level)| OpenedLevel {
            level: it.name.to_string(),
            opened_with: Amount(terms.opened_with(it).unwrap_or(Money::ZERO)),
            restarts_with: times(it.reseed),
            ceiling: terms.settings.ceiling(Book::level(index)).map(Amount),
            incrementation: it.primary.to_string(),
        };
        Self {
            link: terms.name.to_string(),
            title: terms.paytable.title.clone(),
            paytable: terms.paytable.id.to_string(),
            citation: terms.paytable.citation.clone(),
            wager: Amount(terms.wager),
            decks: terms.decks,
            boxes_max: terms.limits.boxes_max,
            reserve_policy: terms.reserve_policy.name(),
            settings: Settings::from(&terms.settings),
            returns: link_returns::of_terms(terms),
            levels: terms
                .content()
                .levels
                .iter()
                .enumerate()
                .map(level)
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use meterhouse_edge::wire_error::row;

    use super::*;
    use crate::extract::parse;

    fn read(text: &str) -> Result<LinkTerms, WireError> {
        let catalogue = Catalogue::compiled_in().expect("our own files");
        let body: OpenBody = parse(text.as_bytes())?;
        body.read("main".parse().expect("a name"), &catalogue)
    }

    fn code(text: &str) -> Result<(), &'static str> {
        read(text).map(|_| ()).map_err(|it| row(&it).code)
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
        let body = serde_json::to_value(Opened::new(&terms)).expect("plain data");
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
        let opened = Opened::new(&read(five).expect("terms"));
        let body = serde_json::to_value(&opened).expect("plain data");
        assert_eq!(body["levels"][0]["opened_with"], "50000.00");
        assert_eq!(body["levels"][2]["restarts_with"], "1250.00");
        assert_eq!(body["levels"][1]["incrementation"], "7%");
        assert_eq!(body["reserve_policy"], "add");
    }
}

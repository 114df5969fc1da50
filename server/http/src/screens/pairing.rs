//! `POST /v1/pairings`, `PUT` and `DELETE /v1/screens/{screen}`: how a new display becomes a screen of the house, and how
//! it ends.

use std::collections::HashSet;

use axum::Json;
use axum::extract::State;
use meterhouse_api::screen::{
    PairedScreen, PairingRequest, PairingState, SCREEN_LINKS_MAX, ScreenRequest, UnpairedScreen,
};
use meterhouse_api::text::Text;
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::access::{Pairing, ScreenToPair, read_code};

use crate::caller::{Identified, Stranger};
use crate::document::{PairingProblems, WriteProblems};
use crate::extract::parameters::PathOf;
use crate::extract::paths::ScreenPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;

/// Length of a key as text.
const KEY_LENGTH: usize = 64;

/// Returns the code that a new screen shows, or the screen that it is.
///
/// A screen asks every few seconds until a person has named it, and again whenever it starts. Its key is its token then.
/// A code is good for ten minutes, and asked again, the same key gets the same one. A key that was unpaired is
/// `unauthenticated`: the screen draws a new one.
#[utoipa::path(
    post,
    path = "/v1/pairings",
    operation_id = "open_pairing",
    tag = "displays",
    security(()),
    request_body = PairingRequest,
    responses((status = 200, description = "The state", body = PairingState), PairingProblems),
)]
pub(crate) async fn open(
    State(shared): State<Shared>,
    Stranger(by): Stranger,
    JsonBody(body): JsonBody<PairingRequest>,
) -> Result<Json<PairingState>, Failure> {
    let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if body.key.len() != KEY_LENGTH || !body.key.bytes().all(is_hex) {
        return Err(invalid(
            "key",
            "a key is 64 hexadecimal digits in small letters",
        ));
    }
    let address = by.address.unwrap_or_default();
    let state = shared.engine.access().pairing(&body.key, &address).await?;
    Ok(Json(match state {
        Pairing::Waiting(waiting) => PairingState {
            code: Some(waiting.code),
            expires_at: Some(Text(waiting.expires_at)),
            screen: None,
            links: Vec::new(),
        },
        Pairing::Paired { screen, links } => PairingState {
            code: None,
            expires_at: None,
            screen: Some(screen),
            links,
        },
    }))
}

/// Names the screen that shows a code, and says which links it shows.
///
/// With `replaces`, it takes the place of the screen that has this name, whose tokens end. Sent again while the code would
/// still be good, the request is answered in the same way.
#[utoipa::path(
    put,
    path = "/v1/screens/{screen}",
    operation_id = "pair_screen",
    tag = "displays",
    security(("token" = [])),
    params(ScreenPath),
    request_body = ScreenRequest,
    responses((status = 200, description = "The screen", body = PairedScreen), WriteProblems),
)]
pub(crate) async fn pair(
    State(shared): State<Shared>,
    identified: Identified,
    PathOf(ScreenPath { screen }): PathOf<ScreenPath>,
    JsonBody(body): JsonBody<ScreenRequest>,
) -> Result<Json<PairedScreen>, Failure> {
    authorize::run_link(&identified.caller)?;
    let code = read_code(&body.code);
    let code = code.ok_or_else(|| {
        invalid(
            "code",
            "a code is the six letters and digits that the screen shows",
        )
    })?;
    let different: HashSet<&str> = body.links.iter().map(|link| link.0.as_str()).collect();
    if !(1..=SCREEN_LINKS_MAX).contains(&body.links.len()) || different.len() < body.links.len() {
        let detail = format!("name one link to {SCREEN_LINKS_MAX}, each once");
        return Err(invalid("links", &detail));
    }
    for link in body.links.iter() {
        drop(shared.engine.link(link).await?);
    }
    let new = ScreenToPair {
        code,
        screen: screen.0.clone(),
        links: body.links.iter().map(|link| link.0.clone()).collect(),
        replaces: body.replaces.unwrap_or_default(),
    };
    let address = shared.engine.access().pair(&identified.by, new).await?;
    Ok(Json(PairedScreen {
        screen,
        links: body.links.to_vec(),
        address,
    }))
}

/// Unpairs a screen. Its token ends, and it shows a code again. What it showed stays for 31 days.
#[utoipa::path(
    delete,
    path = "/v1/screens/{screen}",
    operation_id = "unpair_screen",
    tag = "displays",
    security(("token" = [])),
    params(ScreenPath),
    responses((status = 200, description = "Unpaired", body = UnpairedScreen), WriteProblems),
)]
pub(crate) async fn unpair(
    State(shared): State<Shared>,
    identified: Identified,
    PathOf(ScreenPath { screen }): PathOf<ScreenPath>,
) -> Result<Json<UnpairedScreen>, Failure> {
    authorize::run_link(&identified.caller)?;
    let access = shared.engine.access();
    access.unpair(&identified.by, screen.0.as_str()).await?;
    Ok(Json(UnpairedScreen { screen }))
}

fn invalid(field: &'static str, detail: &str) -> Failure {
    let error = EdgeError::because(EdgeCode::InvalidValue, detail.to_owned());
    error.with("field", field).into()
}

//! `PUT /v1/themes/{theme}`: makes a theme, or replaces its look.

use axum::extract::State;
use meterhouse_api::theme::{HouseTheme, PutThemeRequest, ThemeColours};
use meterhouse_domain::theme::{
    Colour, Currency, LevelLook, OwnTheme, SIGN_LEVELS_MAX, ThemeColour,
};
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;

use super::view::house_theme;
use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::ThemePath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Makes a theme, or replaces its look.
///
/// The body is the whole look: what it leaves out is the base's. Artwork stays as it is. Text in a colour of less than 7:1
/// on its ground is refused, with what was measured. Signs follow within a second, on every node.
#[utoipa::path(
    put,
    path = "/v1/themes/{theme}",
    operation_id = "put_theme",
    tag = "themes",
    security(("token" = [])),
    params(ThemePath),
    request_body = PutThemeRequest,
    responses(
        (status = 201, description = "Made or changed", body = HouseTheme),
        (status = 200, description = "It was so before", body = HouseTheme,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn put(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(ThemePath { theme }): PathOf<ThemePath>,
    JsonBody(body): JsonBody<PutThemeRequest>,
) -> Result<Written<HouseTheme>, Failure> {
    authorize::configure(&caller)?;
    let look = look(body)?;
    let put = shared
        .engine
        .put_theme(&caller.person, &theme, look)
        .await?;
    Ok(Written {
        body: house_theme(&put.value),
        replayed: put.replayed,
    })
}

/// Returns the look that a request asks for.
fn look(body: PutThemeRequest) -> Result<OwnTheme, EdgeError> {
    let levels = body.levels.0;
    if levels.len() > SIGN_LEVELS_MAX {
        let detail = format_args!("a theme has at most {SIGN_LEVELS_MAX} levels").to_string();
        let error = EdgeError::because(EdgeCode::InvalidValue, detail);
        return Err(error.with("levels", levels.len()));
    }
    let levels = levels.into_iter().map(|level| LevelLook {
        name: level.name.map(|name| name.0),
        colour: level.colour.map(|colour| colour.0),
    });
    Ok(OwnTheme {
        base: body.base.0,
        name: body.name.map(|name| name.0),
        locale: body.locale.map(|locale| locale.0),
        currency: body.currency.map_or(Currency::Sign, |currency| currency.0),
        colours: colours(&body.colours),
        levels: levels.collect(),
    })
}

fn colours(sent: &ThemeColours) -> Vec<(ThemeColour, Colour)> {
    let all = ThemeColour::ALL.iter().copied();
    all.filter_map(|name| {
        let colour = match name {
            ThemeColour::Ground => sent.ground,
            ThemeColour::Edge => sent.edge,
            ThemeColour::Plate => sent.plate,
            ThemeColour::Text => sent.text,
            ThemeColour::Link => sent.link,
            ThemeColour::Line => sent.line,
        };
        colour.map(|colour| (name, colour.0))
    })
    .collect()
}

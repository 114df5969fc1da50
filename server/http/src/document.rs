//! What the `OpenAPI` document says beside the operations: who this is, how to show a token, what can go wrong.

use std::collections::BTreeMap;

use meterhouse_api::feed::FeedMessage;
use meterhouse_api::problem::{MEDIA_TYPE, Problem};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ContentBuilder, OpenApi as Document, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, Modify, OpenApi};

use crate::caller::SESSION_COOKIE;

/// The document before the operations are added.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Meterhouse",
        description = "A linked progressive jackpot server for casino table games. Money is a decimal \
            string in dollars. Every write may be sent again: 201 the first time, then 200 with the same \
            body and the header Meterhouse-Replayed. Errors are application/problem+json with a stable \
            code.",
    ),
    servers((url = "/", description = "This server")),
    components(schemas(Problem, FeedMessage)),
    tags(
        (name = "tables", description = "Tables and their controllers"),
        (name = "displays", description = "What signs show; public, and never a reserve"),
        (name = "hits", description = "What a floorperson validates and pays"),
        (name = "slips", description = "Slips of payouts and their reprints"),
        (name = "links", description = "Links, their journal and their books"),
        (name = "paytables", description = "What links may open with"),
        (name = "themes", description = "Looks of signs that the house makes itself"),
        (name = "people", description = "Logins, people, tokens, and the record of what they did"),
        (name = "witness", description = "Signed heads: the house's own, and those of other houses that it witnesses"),
        (name = "operations", description = "The server itself"),
    ),
    modifiers(&Token),
)]
pub(crate) struct Base;

/// How a program shows who it is.
struct Token;

impl Modify for Token {
    fn modify(&self, document: &mut Document) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some(
                "A token of `meterhouse token create`: 256 random bits as text",
            ));
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(bearer.build()));
        let cookie = ApiKeyValue::with_description(
            SESSION_COOKIE,
            "The session of `POST /v1/login`. A request that changes something also sends the header \
             `Meterhouse-Csrf`",
        );
        let session = SecurityScheme::ApiKey(ApiKey::Cookie(cookie));
        components.add_security_scheme("session", session);
    }
}

macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident { $($status:literal $what:literal)+ })+) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                BTreeMap::from([$(($status.to_owned(), problem($what))),+])
            }
        }
    )+};
}

problems! {
    /// What can go wrong where no token is needed.
    PublicProblems {
        "400" "A name or a parameter is wrong"
        "404" "No such thing"
        "500" "A fault of ours"
        "503" "Try again, see Retry-After"
    }

    /// What can go wrong where no token is needed, but one that is sent counts.
    ShownProblems {
        "400" "A name or a parameter is wrong, or the time is still to come"
        "401" "The token or session that was sent isn't valid"
        "404" "No such link, or not at that time"
        "500" "A fault of ours"
        "503" "Try again, see Retry-After"
    }

    /// What can go wrong where the server itself is asked about.
    ServerProblems {
        "400" "Not one Host header"
        "500" "A fault of ours"
    }

    /// What can go wrong where something is read.
    ReadProblems {
        "400" "A name or a parameter is wrong"
        "401" "No valid token or session"
        "403" "The role or rights don't allow it, or the header against forged requests is missing"
        "404" "No such thing"
        "410" "Events of an archived month are needed"
        "500" "A fault of ours"
        "503" "Try again, see Retry-After"
    }

    /// What can go wrong where something is read that the rules may refuse.
    JudgedProblems {
        "400" "A name or a parameter is wrong"
        "401" "No valid token or session"
        "403" "The role or rights don't allow it, or the header against forged requests is missing"
        "404" "No such thing"
        "410" "Events of an archived month are needed"
        "422" "The rules refuse it, or the paytable is incomplete or has no such level"
        "500" "A fault of ours"
        "503" "Try again, see Retry-After"
    }

    /// What can go wrong where a session is read.
    SessionProblems {
        "400" "A parameter is wrong"
        "401" "No valid token or session"
        "403" "A signature, which is about no session"
        "404" "No such thing"
        "409" "A token has no session"
        "500" "A fault of ours"
        "503" "Try again, see Retry-After"
    }

    /// What can go wrong where a screen asks for its pairing.
    PairingProblems {
        "400" "The key or the body is wrong"
        "401" "The key was unpaired"
        "408" "The body came too slowly"
        "413" "The body is too large"
        "415" "The body is no JSON"
        "429" "Too many codes are open, see Retry-After"
        "500" "A fault of ours"
        "503" "Try again, see Retry-After"
    }

    /// What can go wrong at a login by OpenID Connect.
    OpenIdProblems {
        "400" "A parameter is wrong"
        "401" "The provider's answer does not prove who it is"
        "403" "The login was not begun in this browser, the provider refused it, or nobody has this subject"
        "409" "There is no login by OpenID Connect"
        "500" "A fault of ours"
        "503" "The provider or the database can't be asked, see Retry-After"
    }

    /// What can go wrong where something is written.
    WriteProblems {
        "400" "A name or the body is wrong; nothing was counted"
        "401" "No valid token or session, or a login that failed"
        "403" "The role or rights don't allow it, or the header against forged requests is missing"
        "404" "No such thing; nothing was counted"
        "408" "The body came too slowly"
        "409" "Used with other content, or a number is missing"
        "410" "Used in an archived month; nothing was counted"
        "413" "The body is too large"
        "415" "The body is no JSON"
        "422" "The rules refuse it; a table's number is used up all the same"
        "429" "Too many refused commands or wrong logins, see Retry-After"
        "500" "A fault of ours"
        "503" "Try again, see Retry-After"
    }

    /// What can go wrong where a picture is sent.
    ArtworkProblems {
        "400" "A name is wrong, or the picture can't be read"
        "401" "No valid token or session"
        "403" "The role or rights don't allow it, or the header against forged requests is missing"
        "404" "No such theme"
        "408" "The body came too slowly"
        "413" "The picture has too many bytes or pixels"
        "415" "The picture is no PNG, JPEG or WebP"
        "500" "A fault of ours"
        "503" "Try again, see Retry-After"
    }

    /// What can go wrong before a feed begins.
    FeedProblems {
        "400" "A name or a parameter is wrong"
        "401" "The token or session that was sent isn't valid"
        "403" "The token or session may not read the link, or another site opened the connection"
        "404" "No such link"
        "410" "The position is in an archived month"
        "426" "Only WebSocket is spoken here"
        "500" "A fault of ours"
        "503" "Try again, see Retry-After"
    }
}

fn problem(what: &str) -> RefOr<Response> {
    let schema = RefOr::Ref(Ref::from_schema_name("Problem"));
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new()
        .description(what)
        .content(MEDIA_TYPE, content)
        .build()
        .into()
}

//! The pass of a feed's handshake: a token, or the session of a person whose browser opens it.
//!
//! # Shape
//! A browser can't send the header `Authorization` with a handshake. A screen's page offers its token as a subprotocol
//! instead, [`TOKEN_PROTOCOL`] with the token behind it, beside the one that is spoken.
//!
//! A browser sends the cookie of a session with every handshake, also with one that another site's page opened. So the
//! cookie counts only if the page asked for the floor's feed and is this server's own: its origin has to be the host.

use axum::http::header::{AUTHORIZATION, HOST, ORIGIN, SEC_WEBSOCKET_PROTOCOL};
use axum::http::{HeaderMap, HeaderValue};
use meterhouse_api::words::FeedAudience;
use meterhouse_domain::ids::LinkName;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value::shown;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_edge::{authenticate, authorize};
use meterhouse_engine::feed::feed_pass::FeedPass;
use meterhouse_tls::ClientCertificate;

use crate::caller::secret;
use crate::options::Shared;
use crate::problem::Failure;

/// Beginning of the subprotocol that carries a token.
const TOKEN_PROTOCOL: &str = "meterhouse.token.";

/// Returns the token of a handshake as the header `Authorization` would have it.
pub(super) fn authorization(headers: &HeaderMap) -> Option<Vec<u8>> {
    if let Some(header) = headers.get(AUTHORIZATION) {
        return Some(header.as_bytes().to_vec());
    }
    let offered = headers.get_all(SEC_WEBSOCKET_PROTOCOL).iter();
    let mut offered = offered
        .filter_map(|protocols| protocols.to_str().ok())
        .flat_map(|protocols| protocols.split(','));
    let token = offered.find_map(|protocol| protocol.trim().strip_prefix(TOKEN_PROTOCOL))?;
    Some(format!("Bearer {token}").into_bytes())
}

/// Returns the pass of a link's feed; `None` for the players' feed without one. Without an audience a token decides, and a
/// cookie does not count: a sign in the browser of a person who is logged in stays a sign.
///
/// # Errors
/// `unauthenticated`, `forbidden` or `foreign_origin` if the floor's feed is asked for without the right to it;
/// `unauthenticated` for a token that is not valid.
pub(super) async fn of_handshake(
    shared: &Shared,
    headers: &HeaderMap,
    certificate: &ClientCertificate,
    (link, audience): (&LinkName, Option<FeedAudience>),
) -> Result<Option<FeedPass>, Failure> {
    let header = authorization(headers);
    let header = header.as_deref();
    match (audience, secret(headers)) {
        (Some(FeedAudience::Players), _) => Ok(None),
        (Some(FeedAudience::Floor), Some(secret)) if header.is_none() => {
            let pass = of_session(shared, headers, secret, link).await?;
            Ok(Some(pass))
        }
        (Some(FeedAudience::Floor), _) => {
            let caller = authenticate::caller(&shared.engine, header, certificate).await?;
            authorize::read_link(&caller, link)?;
            let token = authenticate::bearer(header)?.to_owned();
            Ok(Some(FeedPass::Token(token)))
        }
        (None, _) => {
            let engine = &shared.engine;
            Ok(authenticate::feed_pass(engine, header, certificate, link).await?)
        }
    }
}

/// Returns the pass of a person who may read the link, if the page that opened the connection is this server's.
async fn of_session(
    shared: &Shared,
    headers: &HeaderMap,
    secret: &str,
    link: &LinkName,
) -> Result<FeedPass, Failure> {
    let text = |header: Option<&HeaderValue>| {
        header
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned)
    };
    let (origin, host) = (text(headers.get(ORIGIN)), text(headers.get(HOST)));
    if !is_own_page(origin.as_deref(), host.as_deref()) {
        let error = EdgeError::new(EdgeCode::ForeignOrigin);
        let origin = origin.unwrap_or_default();
        return Err(error.with("origin", shown(&origin)).into());
    }
    let holder = shared.engine.access().session(secret).await?;
    let holder = holder.ok_or_else(|| {
        let detail = "the session has ended or is unknown; log in again";
        EdgeError::because(EdgeCode::Unauthenticated, detail)
    })?;
    authorize::read_link(&holder.caller, link)?;
    Ok(FeedPass::Session(secret.to_owned()))
}

/// Returns `true` if a page of this origin is this host's own. A request without an origin is no browser's.
fn is_own_page(origin: Option<&str>, host: Option<&str>) -> bool {
    let Some((scheme, authority)) = origin.and_then(|origin| origin.split_once("://")) else {
        return false;
    };
    let port = match scheme {
        "https" => ":443",
        "http" => ":80",
        _ => return false,
    };
    // Browsers leave the scheme's own port out of an origin, and mostly out of a host.
    let without_port =
        |authority: &str| authority.strip_suffix(port).unwrap_or(authority).to_owned();
    host.is_some_and(|host| {
        !host.is_empty() && without_port(authority).eq_ignore_ascii_case(&without_port(host))
    })
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::{authorization, is_own_page};

    /// A screen's page offers its token as a subprotocol. The header counts first.
    #[test]
    fn a_token_comes_as_a_subprotocol() {
        let mut headers = HeaderMap::new();
        assert_eq!(authorization(&headers), None);
        let mut offer = |name: &'static str, value| {
            headers.append(name, HeaderValue::from_static(value));
            authorization(&headers)
        };
        let protocol = "sec-websocket-protocol";
        assert_eq!(offer(protocol, "meterhouse.v1.json"), None);
        let offered = offer(protocol, "meterhouse.v1.json, meterhouse.token.5e5e");
        assert_eq!(offered.as_deref(), Some(&b"Bearer 5e5e"[..]));
        let header = offer("authorization", "Bearer abc");
        assert_eq!(header.as_deref(), Some(&b"Bearer abc"[..]));
    }

    #[test]
    fn a_page_is_of_its_own_host_only() {
        let host = |host| move |origin| is_own_page(Some(origin), Some(host));
        let (plain, ported) = (host("house.example"), host("house.example:8443"));
        assert!(plain("https://house.example") && plain("http://house.example"));
        assert!(plain("https://House.Example") && plain("https://house.example:443"));
        assert!(ported("https://house.example:8443"));
        assert!(host("house.example:443")("https://house.example"));
        assert!(host("[::1]:8080")("http://[::1]:8080"));
        for foreign in [
            "https://evil.example",
            "https://house.example.evil.example",
            "https://evil.example/house.example",
            "https://sub.house.example",
            "https://house.example:8443",
            "https://house.example:80",
            "file://house.example",
            "house.example",
            "null",
            "",
        ] {
            assert!(!plain(foreign), "{foreign}");
        }
        assert!(!ported("https://house.example"));
        assert!(!is_own_page(None, Some("house.example")));
        assert!(!is_own_page(Some("https://house.example"), None));
        assert!(!is_own_page(Some("https://"), Some("")));
    }
}

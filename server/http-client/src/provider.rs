//! A client of one provider outside of this house, such as one of logins: any request, one attempt, a bounded reply.

use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderMap;

use crate::address::{builder, outside};
use crate::error::ClientError;

/// Maximum time of one attempt.
const ATTEMPT_WAIT: Duration = Duration::from_secs(4);
/// Maximum number of bytes of a reply. A longer one is an error.
const PROVIDER_BYTES_MAX: usize = 262_144;

/// A client of one provider.
#[derive(Clone, Debug)]
pub struct ProviderClient {
    http: reqwest::Client,
    scheme: String,
}

/// A request to a provider.
#[derive(Clone, Debug)]
pub struct ProviderRequest {
    /// Method, such as `POST`.
    pub method: String,
    /// Address.
    pub url: String,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Vec<u8>,
}

/// The reply of a provider.
#[derive(Clone, Debug)]
pub struct ProviderReply {
    /// Status code.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Vec<u8>,
}

impl ProviderClient {
    /// Returns the client of the provider at an address. TLS trusts the authorities of the system. Plain text goes to this
    /// machine only.
    ///
    /// # Errors
    /// An address that is none, or of plain text on another machine.
    pub fn new(url: &str) -> Result<Self, ClientError> {
        let url = allowed(url)?;
        let http = builder(&url).timeout(ATTEMPT_WAIT).build();
        Ok(Self {
            http: http.map_err(ClientError::Client)?,
            scheme: url.scheme().to_owned(),
        })
    }

    /// Sends a request, by one attempt. A refusal is a reply as well.
    ///
    /// # Errors
    /// An address that is not allowed or leaves TLS, no reply in time, or a reply that is too long.
    pub async fn send(&self, request: ProviderRequest) -> Result<ProviderReply, ClientError> {
        let url = allowed(&request.url)?;
        if url.scheme() != self.scheme {
            return Err(ClientError::Provider { url: request.url });
        }
        let method = request.method.parse();
        let method = method.map_err(|_| ClientError::Provider { url: request.url })?;
        let builder = self.http.request(method, url).headers(request.headers);
        let response = builder.body(request.body).send().await;
        let mut response = response.map_err(ClientError::NoReply)?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(ClientError::NoReply)? {
            if body.len() + chunk.len() > PROVIDER_BYTES_MAX {
                return Err(ClientError::TooLong {
                    max: PROVIDER_BYTES_MAX,
                });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(ProviderReply {
            status: response.status().as_u16(),
            headers: std::mem::take(response.headers_mut()),
            body,
        })
    }
}

fn allowed(url: &str) -> Result<Url, ClientError> {
    outside(url).ok_or_else(|| ClientError::Provider {
        url: url.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::response::Redirect;
    use axum::routing::get;
    use tokio::net::TcpListener;

    use super::*;

    async fn served(router: Router) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async { axum::serve(listener, router).await });
        format!("http://{address}/")
    }

    fn asked(url: &str) -> ProviderRequest {
        ProviderRequest {
            method: "GET".to_owned(),
            url: url.to_owned(),
            headers: HeaderMap::new(),
            body: Vec::new(),
        }
    }

    #[tokio::test]
    async fn a_reply_is_bounded_and_a_redirect_is_a_reply() {
        let long = |bytes: usize| move || async move { vec![b'x'; bytes] };
        let router = Router::new()
            .route("/", get(long(PROVIDER_BYTES_MAX)))
            .route("/long", get(long(PROVIDER_BYTES_MAX + 1)))
            .route("/away", get(|| async { Redirect::to("/") }));
        let base = served(router).await;
        let client = ProviderClient::new(&base).expect("an address");
        let whole = client.send(asked(&base)).await.expect("a reply");
        assert_eq!((whole.status, whole.body.len()), (200, PROVIDER_BYTES_MAX));
        let long = client.send(asked(&format!("{base}long"))).await;
        assert!(matches!(long, Err(ClientError::TooLong { .. })), "{long:?}");
        let away = client.send(asked(&format!("{base}away"))).await;
        assert_eq!(away.expect("a reply").status, 303);
    }

    #[tokio::test]
    async fn a_provider_sends_nobody_out_of_tls() {
        let client = ProviderClient::new("https://id.example").expect("an address");
        for url in [
            "http://127.0.0.1:1/token",
            "http://id.example/",
            "file:///etc/passwd",
        ] {
            let refused = client.send(asked(url)).await;
            assert!(
                matches!(refused, Err(ClientError::Provider { .. })),
                "{url}"
            );
        }
    }
}

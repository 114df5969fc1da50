//! What a provider publishes: its addresses and its keys, fetched when a login needs them, and kept for a while.
//!
//! # Limits
//! [`PUBLISHED_GOOD`]. After a failure the provider is left alone for [`FAILURE_REMEMBERED`]. A token with an unknown key
//! has the keys fetched again, at most once in [`RENEWED_EVERY`].

use std::sync::Arc;
use std::time::Duration;

use meterhouse_http_client::{ClientError, ProviderClient, ProviderRequest, causes};
use openidconnect::core::CoreProviderMetadata;
use openidconnect::{HttpRequest, HttpResponse, IssuerUrl};
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::error::OpenIdError;

/// Time for which the documents count.
const PUBLISHED_GOOD: Duration = Duration::from_hours(1);
/// Time after a failure in which the provider is not asked again.
const FAILURE_REMEMBERED: Duration = Duration::from_secs(2);
/// Least time between two fetches because of an unknown key.
const RENEWED_EVERY: Duration = Duration::from_mins(1);

/// The published documents of one provider.
pub(crate) struct Published {
    issuer: IssuerUrl,
    client: ProviderClient,
    cache: Mutex<Cache>,
}

/// The documents, and the last attempts to fetch them.
#[derive(Default)]
struct Cache {
    documents: Option<(Arc<CoreProviderMetadata>, Instant)>,
    failure: Option<(String, Instant)>,
    renewed_at: Option<Instant>,
}

impl Published {
    pub(crate) fn new(issuer: IssuerUrl, client: ProviderClient) -> Self {
        Self {
            issuer,
            client,
            cache: Mutex::default(),
        }
    }

    /// Returns the documents.
    ///
    /// # Errors
    /// [`OpenIdError::Unavailable`].
    pub(crate) async fn documents(&self) -> Result<Arc<CoreProviderMetadata>, OpenIdError> {
        let mut cache = self.cache.lock().await;
        match &cache.documents {
            Some((documents, at)) if at.elapsed() < PUBLISHED_GOOD => Ok(Arc::clone(documents)),
            _ => self.fetch(&mut cache).await,
        }
    }

    /// Returns newer documents than these, in which a key is missing; `None` if they were fetched again a moment ago.
    ///
    /// # Errors
    /// [`OpenIdError::Unavailable`].
    pub(crate) async fn newer(
        &self,
        than: &Arc<CoreProviderMetadata>,
    ) -> Result<Option<Arc<CoreProviderMetadata>>, OpenIdError> {
        let mut cache = self.cache.lock().await;
        if let Some((documents, _)) = &cache.documents
            && !Arc::ptr_eq(documents, than)
        {
            return Ok(Some(Arc::clone(documents)));
        }
        let renewed_at = cache.renewed_at;
        if renewed_at.is_some_and(|at| at.elapsed() < RENEWED_EVERY) {
            return Ok(None);
        }
        cache.renewed_at = Some(Instant::now());
        self.fetch(&mut cache).await.map(Some)
    }

    async fn fetch(&self, cache: &mut Cache) -> Result<Arc<CoreProviderMetadata>, OpenIdError> {
        if let Some((failure, at)) = &cache.failure
            && at.elapsed() < FAILURE_REMEMBERED
        {
            return Err(OpenIdError::Unavailable(failure.clone()));
        }
        // A fetch that is dropped, because the browser is gone or its time is over, counts as one that failed.
        let dropped = "the provider did not answer in time".to_owned();
        cache.failure = Some((dropped, Instant::now()));
        let send = |request| send(self.client.clone(), request);
        match CoreProviderMetadata::discover_async(self.issuer.clone(), &send).await {
            Ok(documents) => {
                let documents = Arc::new(documents);
                cache.documents = Some((Arc::clone(&documents), Instant::now()));
                cache.failure = None;
                Ok(documents)
            }
            Err(error) => {
                let failure = causes(&error);
                tracing::error!(
                    issuer = self.issuer.as_str(),
                    error = failure,
                    "the provider of logins can't be used"
                );
                cache.failure = Some((failure.clone(), Instant::now()));
                Err(OpenIdError::Unavailable(failure))
            }
        }
    }
}

/// Sends a request of the library by the house's own client.
pub(crate) async fn send(
    client: ProviderClient,
    request: HttpRequest,
) -> Result<HttpResponse, ClientError> {
    let (head, body) = request.into_parts();
    let request = ProviderRequest {
        method: head.method.to_string(),
        url: head.uri.to_string(),
        headers: head.headers,
        body,
    };
    let reply = client.send(request).await?;
    let mut response = HttpResponse::new(reply.body);
    if let Ok(status) = reply.status.try_into() {
        *response.status_mut() = status;
    }
    *response.headers_mut() = reply.headers;
    Ok(response)
}

//! The end of a connection whose request was answered before its body was read.
//!
//! A refused request is answered by its head. The rest of its body may still be on the way, so that the connection
//! carries no further request. The response says so: a client that reuses connections would otherwise send its next
//! request into one that is being closed.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, Version};
use axum::response::Response;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};

/// A body that notes that it was read to its end.
struct NotedBody {
    body: Body,
    was_read: Arc<AtomicBool>,
}

impl HttpBody for NotedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.was_read.store(true, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Handles a request, and announces the end of the connection in its response if its body was not read. Streams of HTTP/2
/// end by themselves.
pub(crate) async fn announcing_close<F: Future<Output = Response>>(
    request: Request,
    handle: impl FnOnce(Request) -> F,
) -> Response {
    if request.version() >= Version::HTTP_2 || request.body().is_end_stream() {
        return handle(request).await;
    }
    let was_read = Arc::new(AtomicBool::new(false));
    let noted = Arc::clone(&was_read);
    let request = request.map(|body| {
        Body::new(NotedBody {
            body,
            was_read: noted,
        })
    });
    let mut response = handle(request).await;
    if !was_read.load(Ordering::Relaxed) {
        announce_close(&mut response);
    }
    response
}

/// Announces the end of the connection in a response.
pub(crate) fn announce_close(response: &mut Response) {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(CONNECTION, close);
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::put;
    use tower::ServiceExt;

    use super::*;

    async fn layer(request: Request, next: axum::middleware::Next) -> Response {
        announcing_close(request, |request| next.run(request)).await
    }

    async fn connection(version: Version, path: &str, body: &'static str) -> Option<HeaderValue> {
        let router = Router::new()
            .route("/read", put(|body: Bytes| async move { body }))
            .route("/unread", put(|| async { "refused" }))
            .layer(axum::middleware::from_fn(layer));
        let request = Request::put(path).version(version).body(Body::from(body));
        let response = router.oneshot(request.expect("a request")).await;
        let response = response.expect("infallible");
        response.headers().get(CONNECTION).cloned()
    }

    #[tokio::test]
    async fn only_an_unread_body_ends_the_connection() {
        let close = HeaderValue::from_static("close");
        assert_eq!(connection(Version::HTTP_11, "/read", "{}").await, None);
        assert_eq!(connection(Version::HTTP_11, "/unread", "").await, None);
        assert_eq!(connection(Version::HTTP_2, "/unread", "{}").await, None);
        assert_eq!(
            connection(Version::HTTP_11, "/unread", "{}").await,
            Some(close)
        );
    }
}

//! A witness at an address: any webhook, or another Meterhouse.

use meterhouse_api::problem::Problem;
use meterhouse_api::witness::DepositHeadRequest;
use meterhouse_http_client::Webhook;
use meterhouse_journal::tree_head::TreeHead;

use super::receipt::{Receipt, SendError};
use crate::failure::Failure;

/// Codes of another Meterhouse about heads that it does not simply keep.
const FORKS: &str = "head_forks";
const GAP: &str = "head_gap";

/// An address that heads are posted to.
pub(super) struct UrlWitness(Webhook);

impl UrlWitness {
    pub(super) fn new(url: &str, token: Option<String>) -> Result<Self, Failure> {
        let webhook = Webhook::new(url, token);
        let webhook =
            webhook.map_err(|error| Failure::Configuration(format!("witness.url: {error}")))?;
        Ok(Self(webhook))
    }

    pub(super) fn address(&self) -> &str {
        self.0.url()
    }

    /// Posts a head. Each reply of 2xx means that the witness keeps it.
    pub(super) async fn post(
        &self,
        head: &TreeHead,
        request: &DepositHeadRequest,
    ) -> Result<Receipt, SendError> {
        let reply = self.0.post(request).await?;
        if (200..300).contains(&reply.status) {
            return Ok(Receipt::Kept);
        }
        let problem: Option<Problem> = serde_json::from_str(&reply.body).ok();
        let code = problem.as_ref().map_or("", |problem| problem.code.as_str());
        match (reply.status, code) {
            (409, FORKS) => Ok(Receipt::Contradicts),
            (409, GAP) => {
                let expected = problem
                    .as_ref()
                    .and_then(|problem| problem.fields.get("expected"));
                let expected = expected.and_then(|expected| expected.parse().ok());
                // A head from which on the witness lacks nothing could not be a gap.
                let expected = expected.filter(|expected| *expected < head.number);
                Ok(Receipt::Lacks {
                    expected: expected.unwrap_or(1),
                })
            }
            (status, code) => Err(SendError::Refused {
                number: head.number,
                chain: if head.name.is_empty() {
                    "the house".to_owned()
                } else {
                    format!("link {}", head.name)
                },
                status,
                code: code.to_owned(),
            }),
        }
    }
}

//! What came back: status, headers, JSON.

use std::ops::Index;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use serde_json::Value;

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was asked, for messages.
    pub asked: String,
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it came.
    pub text: String,
    /// The body as JSON; null where it is none.
    pub body: Value,
}

impl Answer {
    pub(crate) async fn of(asked: String, response: reqwest::Response) -> Self {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let text = response
            .text()
            .await
            .unwrap_or_else(|error| panic!("{asked}: {error}"));
        let body = serde_json::from_str(&text).unwrap_or_default();
        Self {
            asked,
            status,
            headers,
            text,
            body,
        }
    }

    /// The same, if the status is this.
    #[track_caller]
    #[must_use]
    pub fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}: {}", self.asked, self.text);
        self
    }

    /// The same, if it was done for the first time.
    #[track_caller]
    #[must_use]
    pub fn created(self) -> Self {
        let answer = self.is(201);
        assert!(!answer.replayed(), "{}: said to be a repeat", answer.asked);
        answer
    }

    /// The same, if it is a problem of RFC 9457 with this status and code.
    #[track_caller]
    #[must_use]
    pub fn problem(self, status: u16, code: &str) -> Self {
        assert_eq!(
            (self.status, self.code()),
            (status, code),
            "{}: {}",
            self.asked,
            self.text
        );
        assert_eq!(
            self.headers[CONTENT_TYPE], "application/problem+json",
            "{}",
            self.asked
        );
        assert_eq!(self["status"], status, "{}", self.asked);
        assert_eq!(
            self["type"],
            format!("urn:meterhouse:problem:{code}"),
            "{}",
            self.asked
        );
        for said in ["title", "detail"] {
            let text = self[said].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "{}: no {said}: {}", self.asked, self.text);
        }
        self
    }

    /// Whether it is the answer to something that was done before.
    pub fn replayed(&self) -> bool {
        self.headers
            .get("meterhouse-replayed")
            .is_some_and(|it| it == "true")
    }

    /// The code of a problem.
    pub fn code(&self) -> &str {
        self["code"].as_str().unwrap_or_default()
    }

    /// Returns the outcome of a command that recorded a hit as the hit, with the levels after it.
    #[track_caller]
    #[must_use]
    pub fn recorded_hit(mut self) -> Self {
        let mut hit = self.body["hit"].clone();
        assert!(hit.is_object(), "{}: no hit: {}", self.asked, self.text);
        hit["levels"] = self.body["levels"].take();
        self.body = hit;
        self
    }

    /// A member's text.
    #[track_caller]
    pub fn text(&self, member: &str) -> &str {
        let found = self[member].as_str();
        found.unwrap_or_else(|| panic!("{}: no {member}: {}", self.asked, self.text))
    }

    /// What the levels show, in their order.
    pub fn levels(&self) -> Vec<String> {
        amounts(&self.body)
    }
}

/// What the levels of a body show, in their order.
pub fn amounts(body: &Value) -> Vec<String> {
    let levels = body["levels"].as_array().cloned().unwrap_or_default();
    levels
        .iter()
        .filter_map(|it| it["amount"].as_str().map(str::to_owned))
        .collect()
}

impl Index<&str> for Answer {
    type Output = Value;

    fn index(&self, member: &str) -> &Value {
        &self.body[member]
    }
}

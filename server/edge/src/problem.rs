//! The error body of a response: RFC 9457.
//!
//! # Shape
//! [`Problem::body`] is the body. In addition, an HTTP response has a status and the headers `Retry-After` and
//! `WWW-Authenticate`.

use core::time::Duration;

use meterhouse_api::problem;
use meterhouse_api::text::Text;
use meterhouse_domain::command::{Command, TableCommand};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::round_wagers::{WagerFinding, WagersResult};
use meterhouse_engine::answer::NotExecuted;

use crate::error_count;
use crate::wire_error::{Row, WireError, row};

/// Prefix of a problem's type, before the code. The type is not an address, so that no program
/// queries an outside server for it.
const TYPE_PREFIX: &str = "urn:meterhouse:problem:";

/// A problem, with the time after which the request may be sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The title in a few words, the same for every problem of this code.
    pub title: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// The stable code, for programs.
    pub code: &'static str,
    /// The description of the error and its remedy, for people.
    pub detail: String,
    /// The subject of the error: names of fields and their values, as text.
    pub fields: Vec<(String, String)>,
    /// The time after which the same request may be sent again, if waiting can help: the header `Retry-After`.
    pub retry_after: Option<Duration>,
}

impl From<WireError> for Problem {
    fn from(error: WireError) -> Self {
        let row = row(&error);
        error_count::record(row.code);
        let retry_after = retry_after(&error);
        let detail = detail(&error, row.advice);
        Self {
            title: row.title,
            status: row.status,
            code: row.code,
            detail,
            fields: fields(error),
            retry_after,
        }
    }
}

impl Problem {
    /// Returns the problem of a refusal in the journal. The description of refused fixed wagers has the sentence of each
    /// mistake.
    pub fn of_refused(refusal: &Refusal, command: &Command) -> Self {
        let mut problem = Self::from(WireError::Refused(refusal.clone()));
        if refusal.code == RefusalCode::WagersRefused
            && let Command::Table { command, .. } = command
            && let TableCommand::SettleWagers(command) = command
            && let WagersResult::Refused(findings) = &command.result
        {
            let sentence = |found: &WagerFinding| format!("{}: {}", found.path, found.detail);
            let sentences: Vec<String> = findings.iter().map(sentence).collect();
            problem.detail = sentences.join("; ");
        }
        problem
    }

    /// Returns an example of a problem with the code of a row.
    pub fn example(row: &Row) -> Self {
        Self {
            title: row.title,
            status: row.status,
            code: row.code,
            detail: row.advice.to_owned(),
            fields: Vec::new(),
            retry_after: None,
        }
    }

    /// Returns the body of the response.
    pub fn body(&self) -> problem::Problem {
        let fields = merged(&self.fields).into_iter();
        problem::Problem {
            kind: format!("{TYPE_PREFIX}{}", self.code),
            title: self.title.to_owned(),
            status: self.status,
            code: self.code.to_owned(),
            detail: self.detail.clone(),
            fields: fields
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        }
    }

    /// Returns whole seconds for `Retry-After`, at least one.
    pub fn retry_after_seconds(&self) -> Option<u64> {
        let wait = self.retry_after?;
        Some(wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).map(|seconds| seconds.max(1))
    }
}

/// Returns the description and the remedy.
fn detail(error: &WireError, advice: &str) -> String {
    match error {
        WireError::Refused(refusal) => refusal_detail(refusal, advice),
        WireError::NotExecuted(error) => format!("{error}; {advice}"),
        WireError::Edge(error) => error.detail.clone(),
    }
}

/// Returns the sentence of a refusal, with the number that comes next if there is one.
fn refusal_detail(refusal: &Refusal, advice: &str) -> String {
    let mut fields = refusal.fields.iter();
    match fields.find(|(field, _)| field == "next") {
        Some((_, next)) => format!("{advice}: the next one is {next}"),
        None => advice.to_owned(),
    }
}

fn retry_after(error: &WireError) -> Option<Duration> {
    use crate::codes::EdgeCode;
    match error {
        WireError::NotExecuted(NotExecuted::TooManyRefusals { retry_after }) => Some(*retry_after),
        WireError::NotExecuted(NotExecuted::Busy | NotExecuted::TooManyFeeds) => {
            EdgeCode::Busy.retry_after()
        }
        WireError::NotExecuted(NotExecuted::DatabaseUnavailable) => {
            EdgeCode::DatabaseUnavailable.retry_after()
        }
        WireError::NotExecuted(NotExecuted::BooksNotChecked) => {
            EdgeCode::BooksNotChecked.retry_after()
        }
        WireError::NotExecuted(NotExecuted::DatabaseNotWritable(_)) => {
            EdgeCode::DatabaseNotWritable.retry_after()
        }
        WireError::NotExecuted(NotExecuted::SigningKeyUnavailable) => {
            EdgeCode::SigningKeyUnavailable.retry_after()
        }
        WireError::NotExecuted(NotExecuted::OutcomeUnknown) => {
            EdgeCode::OutcomeUnknown.retry_after()
        }
        WireError::NotExecuted(
            NotExecuted::UnknownLink(_)
            | NotExecuted::UnknownTable(_)
            | NotExecuted::UnknownHit(_)
            | NotExecuted::UnknownProposal(_)
            | NotExecuted::UnknownException(_)
            | NotExecuted::OwnException { .. }
            | NotExecuted::DayNotOver { .. }
            | NotExecuted::ExceptionsOpen { .. }
            | NotExecuted::DayUnbalanced { .. }
            | NotExecuted::UnknownSlip(_)
            | NotExecuted::UnknownTheme(_)
            | NotExecuted::UnknownArtwork(_)
            | NotExecuted::ThemeUsed(_)
            | NotExecuted::TooManyThemes
            | NotExecuted::LowContrast(_)
            | NotExecuted::DocumentUsed { .. }
            | NotExecuted::NotOpenYet { .. }
            | NotExecuted::TimeInFuture { .. }
            | NotExecuted::NoDepartment
            | NotExecuted::SequenceGap { .. }
            | NotExecuted::SequenceReused
            | NotExecuted::SequenceArchived { .. }
            | NotExecuted::PositionArchived { .. }
            | NotExecuted::NotSigned { .. }
            | NotExecuted::RequestReused(_)
            | NotExecuted::Refused(_)
            | NotExecuted::HitDiffers { .. }
            | NotExecuted::LinkFaulted { .. },
        )
        | WireError::Refused(_) => None,
        WireError::Edge(error) => error.retry_after.or_else(|| error.code.retry_after()),
    }
}

fn fields(error: WireError) -> Vec<(String, String)> {
    let one = |name: &str, value: String| vec![(name.to_owned(), value)];
    match error {
        WireError::Refused(refusal) | WireError::NotExecuted(NotExecuted::Refused(refusal)) => {
            refusal.fields
        }
        WireError::Edge(error) => error.fields,
        WireError::NotExecuted(error) => match error {
            NotExecuted::UnknownLink(name) => one("link", name),
            NotExecuted::UnknownException(position) => one("exception", position),
            NotExecuted::OwnException { by } => one("by", by),
            NotExecuted::DayNotOver { end } => one("end", Text(end).to_string()),
            NotExecuted::ExceptionsOpen { open } => one("open", open.to_string()),
            NotExecuted::DayUnbalanced { unmatched } => one("unmatched", unmatched.to_string()),
            NotExecuted::UnknownTable(name) => one("table", name),
            NotExecuted::DocumentUsed { hit } => one("hit", hit),
            NotExecuted::UnknownHit(name) | NotExecuted::HitDiffers { hit: name } => {
                one("hit", name)
            }
            NotExecuted::UnknownSlip(number) => one("slip", number.to_string()),
            NotExecuted::UnknownTheme(name) => one("theme", name),
            NotExecuted::UnknownArtwork(digest) => one("digest", digest),
            NotExecuted::ThemeUsed(links) => one("links", links),
            NotExecuted::UnknownProposal(name) => one("proposal", name),
            NotExecuted::NotOpenYet { opened } => one("opened", Text(opened).to_string()),
            NotExecuted::TimeInFuture { now } => one("now", Text(now).to_string()),
            NotExecuted::SequenceGap { expected } => one("expected", expected.to_string()),
            NotExecuted::RequestReused(fields) | NotExecuted::LowContrast(fields) => fields,
            NotExecuted::SequenceArchived { month } => one("month", month),
            NotExecuted::PositionArchived { month, through } => {
                vec![("month".to_owned(), month), ("through".to_owned(), through)]
            }
            NotExecuted::NotSigned { head, through } => vec![
                ("newest_head".to_owned(), head.to_string()),
                ("signed_through".to_owned(), through.to_string()),
            ],
            NotExecuted::LinkFaulted { reason } => one("reason", reason),
            NotExecuted::Refused(_)
            | NotExecuted::NoDepartment
            | NotExecuted::TooManyThemes
            | NotExecuted::SequenceReused
            | NotExecuted::TooManyRefusals { .. }
            | NotExecuted::Busy
            | NotExecuted::TooManyFeeds
            | NotExecuted::DatabaseUnavailable
            | NotExecuted::SigningKeyUnavailable
            | NotExecuted::BooksNotChecked
            | NotExecuted::DatabaseNotWritable(_)
            | NotExecuted::OutcomeUnknown => Vec::new(),
        },
    }
}

/// Returns each field once, with the values of a repeated field joined.
pub fn merged(fields: &[(String, String)]) -> Vec<(&str, String)> {
    let mut merged: Vec<(&str, String)> = Vec::with_capacity(fields.len());
    for (name, value) in fields {
        match merged.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => {
                values.push_str(", ");
                values.push_str(value);
            }
            None => merged.push((name, value.clone())),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::ids::Sequence;

    use super::*;
    use crate::codes::EdgeCode;

    fn json(error: impl Into<WireError>) -> serde_json::Value {
        serde_json::to_value(Problem::from(error.into()).body()).expect("plain data")
    }

    #[test]
    fn a_sequence_gap_names_the_expected_number() {
        assert_eq!(
            json(NotExecuted::SequenceGap {
                expected: Sequence(7)
            }),
            serde_json::json!({
                "type": "urn:meterhouse:problem:sequence_gap",
                "title": "A command is missing",
                "status": 409,
                "code": "sequence_gap",
                "detail": "the next number of this table is 7; \
                           send the command with the expected number first",
                "fields": {"expected": "7"},
            })
        );
    }

    #[test]
    fn a_journaled_and_an_unjournaled_refusal_have_the_same_problem() {
        let refusal = Refusal::new(RefusalCode::NoWager).with("seat", 3);
        let journaled = json(refusal.clone());
        assert_eq!(journaled, json(NotExecuted::Refused(refusal)));
        assert_eq!(journaled["status"], 422);
        assert_eq!(journaled["fields"]["seat"], "3");
    }

    #[test]
    fn a_repeated_field_is_one_member() {
        let refusal = Refusal::new(RefusalCode::TableDiffers)
            .with("line", "a")
            .with("line", "b");
        assert_eq!(json(refusal)["fields"], serde_json::json!({"line": "a, b"}));
    }

    /// A number that is not the next one is refused with the one that is.
    #[test]
    fn a_refusal_names_the_next_number() {
        let refusal = Refusal::new(RefusalCode::OutOfRange);
        let next = refusal.clone().with("reprint", 5).with("next", 2);
        let detail = |refusal: Refusal| Problem::from(WireError::from(refusal)).detail;
        assert_eq!(detail(refusal), "the number is out of its range");
        assert_eq!(
            detail(next),
            "the number is out of its range: the next one is 2"
        );
    }

    #[test]
    fn retry_after_is_in_whole_seconds_and_only_if_it_helps() {
        let seconds = |error: WireError| Problem::from(error).retry_after_seconds();
        let limited = NotExecuted::TooManyRefusals {
            retry_after: Duration::from_millis(1_200),
        };
        assert_eq!(seconds(limited.into()), Some(2));
        let soon = NotExecuted::TooManyRefusals {
            retry_after: Duration::ZERO,
        };
        assert_eq!(seconds(soon.into()), Some(1));
        assert_eq!(seconds(NotExecuted::Busy.into()), Some(1));
        assert_eq!(seconds(EdgeCode::Busy.into()), Some(1));
        assert_eq!(
            seconds(
                NotExecuted::LinkFaulted {
                    reason: "x".to_owned()
                }
                .into()
            ),
            None
        );
        assert_eq!(seconds(NotExecuted::SequenceReused.into()), None);
    }
}

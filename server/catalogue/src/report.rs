//! The findings of one file while it is read.
//!
//! # Shape
//! Readers share a [`Report`], record their findings and read on, so that one run finds all.
//!
//! # After a syntax error
//! The parser continues after a syntax error, so parts of the file may be lost or made up. Nothing is then reported
//! as missing. A broken line, a broken list, and the text behind a broken list of several lines are not checked.
//!
//! # Bounds
//! [`FINDINGS_MAX`] findings a file: with more mistakes it is probably the wrong file.

use core::ops::Range;
use std::cell::RefCell;

use toml::Spanned;
use toml::de::{DeTable, DeValue, Error as SyntaxError};

use crate::error::CatalogueError;

/// A finding: the offset in the file, and the text to write instead.
pub(crate) type Finding = (usize, String);

/// Number of findings that one file may have.
const FINDINGS_MAX: usize = 100;

/// The findings of one file.
pub(crate) struct Report<'a> {
    file: &'a str,
    text: &'a str,
    /// Offset of each line's first byte.
    lines: Vec<usize>,
    /// Errors of the parser, at most one a broken part.
    syntax: Vec<(usize, String)>,
    /// Ranges of the file that are not checked.
    broken: Vec<Range<usize>>,
    found: RefCell<Vec<Finding>>,
    /// Differences from the jurisdiction's print, and seeds below their reseed.
    of_law: RefCell<Vec<Finding>>,
}

impl<'a> Report<'a> {
    /// Starts with the parser's errors about the file.
    pub(crate) fn new(
        file: &'a str,
        text: &'a str,
        root: &DeTable<'_>,
        errors: &[SyntaxError],
    ) -> Self {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = core::iter::once(0).chain(starts).collect();
        let mut lists = Vec::new();
        if !errors.is_empty() {
            lists_in(root, &mut lists);
        }
        let (syntax, broken) = (Vec::new(), Vec::new());
        let mut report = Self {
            file,
            text,
            lines,
            syntax,
            broken,
            found: RefCell::default(),
            of_law: RefCell::default(),
        };
        let mut errors: Vec<_> = errors
            .iter()
            .map(|error| (report.offset(error), error.message()))
            .collect();
        errors.sort_by_key(|(at, _)| *at);
        for (at, message) in errors {
            report.record_syntax_error(at, message, &lists);
        }
        report
    }

    /// Returns the text at these bytes.
    pub(crate) fn text(&self, bytes: Range<usize>) -> &'a str {
        self.text.get(bytes).unwrap_or_default()
    }

    /// Returns the line of this byte, from 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|start| *start <= at)
    }

    /// Records a mistake at this byte.
    pub(crate) fn record(&self, at: usize, message: String) {
        self.found.borrow_mut().push((at, message));
    }

    /// Records differences from the jurisdiction's print and seeds below their reseed, which no new link may have.
    pub(crate) fn record_of_law(&self, findings: impl IntoIterator<Item = Finding>) {
        self.of_law.borrow_mut().extend(findings);
    }

    /// Returns true if a difference from the jurisdiction's print was found.
    pub(crate) fn differs_from_law(&self) -> bool {
        !self.of_law.borrow().is_empty()
    }

    /// Records that something is missing, unless the parser may have lost it.
    pub(crate) fn record_missing(&self, at: usize, message: String) {
        if self.syntax.is_empty() {
            self.record(at, message);
        }
    }

    /// Returns all findings, from top to bottom.
    pub(crate) fn into_errors(self) -> Vec<CatalogueError> {
        // The parser's made-up tokens are at byte 0.
        let made_up = |at: usize| at == 0 && !self.syntax.is_empty();
        let graded = |of_law| move |(at, message)| (at, message, of_law);
        let found = self.found.take().into_iter().map(graded(false));
        let of_law = self.of_law.take().into_iter().map(graded(true));
        let mut all: Vec<_> = found.chain(of_law).collect();
        all.retain(|(at, ..)| !made_up(*at) && !self.is_broken(*at));
        all.extend(self.syntax.iter().cloned().map(graded(false)));
        all.sort_by_key(|(at, ..)| *at);
        all.truncate(FINDINGS_MAX);
        all.into_iter()
            .map(|(at, message, of_law)| CatalogueError {
                of_law,
                ..self.error(at, message)
            })
            .collect()
    }

    fn offset(&self, error: &SyntaxError) -> usize {
        error.span().map_or(self.text.len(), |span| span.start)
    }

    /// Records a syntax error, unless it follows from an earlier one.
    fn record_syntax_error(&mut self, at: usize, message: &str, lists: &[Range<usize>]) {
        if self.syntax.len() == FINDINGS_MAX || self.is_broken(at) {
            return;
        }
        let end = self.text.len() + 1;
        let next_line = self.lines.get(self.line(at)).copied().unwrap_or(end);
        self.broken.push(self.start_of(at)..next_line);
        let mut instead = "correct this line".to_owned();
        for list in lists.iter().filter(|list| list.contains(&at)) {
            let first = self.line(list.start);
            if first == self.line(list.end) {
                self.broken.push(list.clone());
            } else {
                // An unclosed list swallows the text behind it.
                self.broken.push(list.start..end);
                instead = format!("correct this line or close the brackets of line {first}");
            }
        }
        self.syntax
            .push((at, format!("not TOML: {message}: {instead}")));
    }

    fn is_broken(&self, at: usize) -> bool {
        self.broken.iter().any(|broken| broken.contains(&at))
    }

    /// Returns the offset of the line that contains this byte.
    fn start_of(&self, at: usize) -> usize {
        let index = self.line(at).saturating_sub(1);
        self.lines.get(index).copied().unwrap_or_default()
    }

    fn error(&self, at: usize, message: String) -> CatalogueError {
        let in_line = self.text(self.start_of(at)..at);
        CatalogueError {
            file: self.file.to_owned(),
            line: self.line(at),
            column: in_line.chars().count() + 1,
            message,
            of_law: false,
        }
    }
}

/// Collects the spans of all lists and inline tables.
fn lists_in(table: &DeTable<'_>, spans: &mut Vec<Range<usize>>) {
    table.iter().for_each(|(_, value)| list_in(value, spans));
}

fn list_in(value: &Spanned<DeValue<'_>>, spans: &mut Vec<Range<usize>>) {
    match value.get_ref() {
        DeValue::Array(list) => {
            spans.push(value.span());
            list.iter().for_each(|item| list_in(item, spans));
        }
        DeValue::Table(table) => {
            spans.push(value.span());
            lists_in(table, spans);
        }
        _ => {}
    }
}

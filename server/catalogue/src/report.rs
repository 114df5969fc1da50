//! The findings of one file while it is read.
//!
//! # Shape
//! Readers hold a shared [`Report`], say what they find and read on, so that one run finds all.
//!
//! # After a syntax error
//! The parser goes on as well as it can, so something may be lost or made up: then nothing is
//! called missing, and neither a broken line nor a broken list is judged, nor what follows a
//! broken list of several lines.
//!
//! # What bounds it
//! [`FINDINGS_MAX`] findings a file: who has made more mistakes has named the wrong file.

use core::ops::Range;
use std::cell::RefCell;

use toml::Spanned;
use toml::de::{DeTable, DeValue, Error as SyntaxError};

use crate::error::CatalogueError;

/// A finding: the byte where it stands, and what to write instead.
pub(crate) type Finding = (usize, String);

/// Findings that one file may have.
const FINDINGS_MAX: usize = 100;

/// The findings of one file.
pub(crate) struct Report<'a> {
    file: &'a str,
    text: &'a str,
    /// Where each line starts.
    lines: Vec<usize>,
    /// What the parser found, at most one a broken part.
    syntax: Vec<(usize, String)>,
    /// The parts of the file that are not judged.
    broken: Vec<Range<usize>>,
    found: RefCell<Vec<Finding>>,
    /// Differences from what the jurisdiction prints, and seeds below their reseed.
    of_law: RefCell<Vec<Finding>>,
}

impl<'a> Report<'a> {
    /// Starts with what the parser found in the file.
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
            .map(|it| (report.place(it), it.message()))
            .collect();
        errors.sort_by_key(|(at, _)| *at);
        for (at, message) in errors {
            report.say_broken(at, message, &lists);
        }
        report
    }

    /// The text at these bytes.
    pub(crate) fn text(&self, bytes: Range<usize>) -> &'a str {
        self.text.get(bytes).unwrap_or_default()
    }

    /// The line of this byte, from 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|start| *start <= at)
    }

    /// Remembers what is wrong at this byte.
    pub(crate) fn say(&self, at: usize, message: String) {
        self.found.borrow_mut().push((at, message));
    }

    /// Remembers what no new link may have: differences from what the jurisdiction prints, seeds below their reseed.
    pub(crate) fn say_of_law(&self, findings: impl IntoIterator<Item = Finding>) {
        self.of_law.borrow_mut().extend(findings);
    }

    /// Returns true if a difference from what the jurisdiction prints was found.
    pub(crate) fn differs_from_law(&self) -> bool {
        !self.of_law.borrow().is_empty()
    }

    /// Remembers what is wrong because something isn't there, unless the parser may have lost it.
    pub(crate) fn say_missing(&self, at: usize, message: String) {
        if self.syntax.is_empty() {
            self.say(at, message);
        }
    }

    /// All findings, from top to bottom.
    pub(crate) fn into_errors(self) -> Vec<CatalogueError> {
        // What the parser made up to go on stands at byte 0.
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

    fn place(&self, error: &SyntaxError) -> usize {
        error.span().map_or(self.text.len(), |span| span.start)
    }

    /// Remembers a syntax error, unless it follows from one before.
    fn say_broken(&mut self, at: usize, message: &str, lists: &[Range<usize>]) {
        if self.syntax.len() == FINDINGS_MAX || self.is_broken(at) {
            return;
        }
        let end = self.text.len() + 1;
        let next_line = self.lines.get(self.line(at)).copied().unwrap_or(end);
        self.broken.push(self.start_of(at)..next_line);
        let mut instead = "correct this line".to_owned();
        for list in lists.iter().filter(|it| it.contains(&at)) {
            let first = self.line(list.start);
            if first == self.line(list.end) {
                self.broken.push(list.clone());
            } else {
                // One that isn't closed swallows what follows it.
                self.broken.push(list.start..end);
                instead = format!("correct this line or close the brackets of line {first}");
            }
        }
        self.syntax
            .push((at, format!("not TOML: {message}: {instead}")));
    }

    fn is_broken(&self, at: usize) -> bool {
        self.broken.iter().any(|it| it.contains(&at))
    }

    /// Where the line of this byte starts.
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

/// The places of all lists and inline tables.
fn lists_in(table: &DeTable<'_>, places: &mut Vec<Range<usize>>) {
    table.iter().for_each(|(_, value)| list_in(value, places));
}

fn list_in(value: &Spanned<DeValue<'_>>, places: &mut Vec<Range<usize>>) {
    match value.get_ref() {
        DeValue::Array(list) => {
            places.push(value.span());
            list.iter().for_each(|it| list_in(it, places));
        }
        DeValue::Table(table) => {
            places.push(value.span());
            lists_in(table, places);
        }
        _ => {}
    }
}

//! Commands in the documents, and what runs each of them.
//!
//! # Marks
//! A block of shell has a comment in the lines above it:
//!
//! - `<!-- run -->`: `tests/process/pages.rs` runs all such blocks of the page in one shell, in their order
//! - `<!-- run: tests/deploy/majors -->`: this test runs it
//! - `<!-- not run: the reason -->`
//!
//! The next block of text or JSON under the same heading is its output. `…` stands for any text, and alone in a line for
//! any lines.

/// Names of the languages of a block with commands.
const SHELLS: [&str; 4] = ["sh", "bash", "shell", "console"];
/// Names of the languages of a block with output.
const OUTPUTS: [&str; 2] = ["text", "json"];

/// What runs a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark<'a> {
    /// The test of the pages.
    Run,
    /// The test in this file.
    RunBy(&'a str),
    /// No test, for this reason.
    NotRun(&'a str),
    /// The page doesn't say.
    Missing,
}

/// A block of commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commands<'a> {
    /// The line of its fence, from 1.
    pub line: usize,
    /// What runs it.
    pub mark: Mark<'a>,
    /// The commands.
    pub text: String,
    /// The output that the page shows.
    pub output: Option<String>,
}

/// Returns the mark in a comment.
fn mark(comment: &str) -> Option<Mark<'_>> {
    let inner = comment.strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    if inner == "run" {
        return Some(Mark::Run);
    }
    if let Some(reason) = inner.strip_prefix("not run:") {
        return Some(Mark::NotRun(reason.trim()));
    }
    inner
        .strip_prefix("run:")
        .map(|test| Mark::RunBy(test.trim()))
}

/// Returns the blocks of commands of a page.
#[must_use]
pub fn commands(page: &str) -> Vec<Commands<'_>> {
    let mut found: Vec<Commands<'_>> = Vec::new();
    let mut above = Mark::Missing;
    let mut is_after_commands = false;
    let mut lines = (1..).zip(page.lines());
    while let Some((line, text)) = lines.next() {
        let text = text.trim();
        if let Some(language) = text.strip_prefix("```") {
            let inside = lines.by_ref().map(|(_, text)| text);
            let inside: String = inside
                .take_while(|text| text.trim() != "```")
                .fold(String::new(), |all, text| all + text + "\n");
            let is_commands = SHELLS.contains(&language);
            if is_commands {
                found.push(Commands {
                    line,
                    mark: above,
                    text: inside,
                    output: None,
                });
            } else if is_after_commands
                && OUTPUTS.contains(&language)
                && let Some(before) = found.last_mut()
            {
                before.output = Some(inside);
            }
            is_after_commands = is_commands;
            above = Mark::Missing;
        } else if let Some(known) = mark(text) {
            above = known;
        } else if !text.is_empty() && !text.starts_with("<!--") {
            above = Mark::Missing;
            is_after_commands &= !text.starts_with('#');
        }
    }
    found
}

/// Returns true if a line is as shown.
fn line_fits(shown: &str, line: &str) -> bool {
    let mut parts = shown.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}

/// Returns the lines that are not empty.
fn filled(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty())
}

/// Returns the first shown line that a program's output doesn't have in its place.
#[must_use]
pub fn first_difference<'a>(shown: &'a str, output: &str) -> Option<&'a str> {
    let mut lines = filled(output);
    let mut may_skip = false;
    for expected in filled(shown) {
        if expected.trim() == "…" {
            may_skip = true;
            continue;
        }
        let is_here = if may_skip {
            lines.any(|line| line_fits(expected, line))
        } else {
            lines.next().is_some_and(|line| line_fits(expected, line))
        };
        if !is_here {
            return Some(expected);
        }
        may_skip = false;
    }
    let has_more = !may_skip && lines.next().is_some();
    has_more.then_some("the end of the output")
}

#[cfg(test)]
mod tests {
    use super::{Mark, commands, first_difference};

    #[test]
    fn every_block_of_commands_has_its_mark_and_its_output() {
        let page = "# A\n<!-- run -->\n```sh\na\n```\nwords\n```text\nout\n```\n<!-- run: tests/a -->\n<!-- name -->\n\n```bash\nb\n```\n\
                    ## B\n```text\nno output\n```\n<!-- not run: needs a casino -->\n```sh\nc\n```\n<!-- run -->\nwords\n\
                    ```sh\nd\n```\n```rust\ne\n```\n```json\nno output\n```\n";
        let found = commands(page);
        let brief: Vec<_> = found
            .iter()
            .map(|block| {
                (
                    block.line,
                    block.mark,
                    block.text.as_str(),
                    block.output.as_deref(),
                )
            })
            .collect();
        let expected = [
            (3, Mark::Run, "a\n", Some("out\n")),
            (13, Mark::RunBy("tests/a"), "b\n", None),
            (21, Mark::NotRun("needs a casino"), "c\n", None),
            (26, Mark::Missing, "d\n", None),
        ];
        assert_eq!(brief, expected);
    }

    #[test]
    fn output_is_compared_line_by_line() {
        assert_eq!(first_difference("a\n", "a\n"), None);
        assert_eq!(first_difference("a…c\n", "abc\n"), None);
        assert_eq!(first_difference("a…c…e\n", "a b c d e\n"), None);
        assert_eq!(first_difference("…\nb\n…\n", "a\nb\nc\n"), None);
        assert_eq!(first_difference("a\n", "a\n\n"), None);
        assert_eq!(first_difference("a…c\n", "ab\n"), Some("a…c"));
        assert_eq!(first_difference("a…b…c\n", "a c\n"), Some("a…b…c"));
        assert_eq!(first_difference("a\nb\n", "a\n"), Some("b"));
        assert_eq!(
            first_difference("a\n", "a\nb\n"),
            Some("the end of the output")
        );
        assert_eq!(first_difference("b\n…\n", "a\nb\n"), Some("b"));
    }
}

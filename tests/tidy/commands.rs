//! Commands in documents: each is run by a test that the page names, or the page says why not.

use meterhouse_tests::page::{Mark, commands};

use crate::finding::{Finding, assert_none, brief};
use crate::tree::{File, Tree, tree};

/// The test that runs the marked blocks of the pages.
const RUNNER: &str = "tests/process/pages.rs";

/// Documents about times that are over.
const HISTORY: &str = "docs/measurements/";

/// Returns what is wrong with a block's mark, if anything is.
fn fault(tree: &Tree, page: &File, mark: Mark<'_>) -> Option<String> {
    let names_page = |test: &File| test.text.contains(&page.path);
    match mark {
        Mark::Missing => Some("commands without a mark".to_owned()),
        Mark::NotRun("") => Some("no reason".to_owned()),
        Mark::NotRun(_) => None,
        Mark::Run => {
            let runner = tree.file(RUNNER);
            let is_run = runner.is_some_and(names_page);
            (!is_run).then(|| format!("{RUNNER} doesn't run this page"))
        }
        Mark::RunBy(test) => match tree.file(test) {
            None => Some(format!("there is no `{test}`")),
            Some(found) if names_page(found) => None,
            Some(_) => Some(format!("`{test}` doesn't name this page")),
        },
    }
}

/// Finds the blocks of commands that no test runs and no reason leaves out.
fn unproven(tree: &Tree, page: &File) -> Vec<Finding> {
    if page.path.starts_with(HISTORY) {
        return Vec::new();
    }
    let blocks = commands(&page.text).into_iter();
    let faults = blocks.filter_map(|block| {
        let what = fault(tree, page, block.mark)?;
        Some(Finding::new(&page.path, block.line, what))
    });
    faults.collect()
}

/// A reader who types a command gets what the page promises.
#[test]
fn every_command_is_run_or_says_why_not() {
    let pages = tree().of_kind("md");
    let found: Vec<Finding> = pages.flat_map(|page| unproven(tree(), page)).collect();
    assert_none(
        &found,
        "Put a mark above the block: `<!-- run -->`, `<!-- run: the test's file -->` or `<!-- not run: the reason -->`.",
    );
}

/// Blocks without a mark, with a test that isn't there or runs another page, and without a reason.
#[test]
fn unproven_commands_are_found() {
    let page = "<!-- run -->\n```sh\n```\n<!-- run: tests/a -->\n```sh\n```\n<!-- run: tests/b -->\n```sh\n```\n\
                <!-- run: tests/no -->\n```sh\n```\n<!-- not run: -->\n```sh\n```\n<!-- not run: why -->\n```sh\n```\n\
                ```sh\n```\n```text\n```\n";
    let files = vec![
        File::new("docs/page.md", page),
        File::new(RUNNER, "docs/page.md"),
        File::new("docs/other.md", "<!-- run -->\n```sh\n```\n"),
        File::new("docs/measurements/old.md", "```sh\n```\n"),
        File::new("tests/a", "docs/page.md"),
        File::new("tests/b", "docs/other.md"),
    ];
    let tree = Tree {
        files,
        rust: Vec::new(),
    };
    let found = unproven(&tree, &tree.files[0]);
    let expected = [
        (8, "`tests/b` doesn't name this page"),
        (11, "there is no `tests/no`"),
        (14, "no reason"),
        (19, "commands without a mark"),
    ];
    assert_eq!(brief(&found), expected);
    let found = unproven(&tree, &tree.files[2]);
    assert_eq!(
        brief(&found),
        [(2, "tests/process/pages.rs doesn't run this page")]
    );
    assert_eq!(unproven(&tree, &tree.files[3]), []);
}

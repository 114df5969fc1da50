//! The book of the documents: each page is in its table of contents, once. So a link between pages leads somewhere in the
//! book as well.

use crate::finding::{Finding, assert_none, brief};
use crate::tree::{File, Tree, tree};

const CONTENTS: &str = "docs/SUMMARY.md";

/// Finds the pages that the table of contents doesn't name exactly once.
fn outside_the_book(tree: &Tree, contents: &File) -> Vec<Finding> {
    let pages = tree.of_kind("md").filter(|page| page.path != CONTENTS);
    let in_book = pages.filter_map(|page| Some((page, page.path.strip_prefix("docs/")?)));
    let counted = in_book.map(|(page, path)| {
        let count = contents.text.matches(&format!("]({path})")).count();
        (page, count)
    });
    let wrong = counted.filter(|(_, count)| *count != 1);
    let what = |count| format!("{count} times in {CONTENTS}");
    wrong
        .map(|(page, count)| Finding::new(&page.path, 1, what(count)))
        .collect()
}

/// A reader of the book finds every page.
#[test]
fn every_page_is_in_the_book() {
    let Some(contents) = tree().file(CONTENTS) else {
        panic!("{CONTENTS} is gone: name the new file here")
    };
    assert_none(
        &outside_the_book(tree(), contents),
        "Give the page one line in docs/SUMMARY.md.",
    );
}

/// A page that isn't named, one that is named twice; not pages of other folders.
#[test]
fn pages_outside_the_book_are_found() {
    let contents = "# Summary\n\n- [A](a.md)\n- [B](b/b.md)\n  - [B](b/b.md)\n";
    let files =
        ["docs/a.md", "docs/b/b.md", "docs/c.md", "README.md"].map(|path| File::new(path, "# A\n"));
    let contents = File::new(CONTENTS, contents);
    let tree = Tree {
        files: files.into(),
        rust: Vec::new(),
    };
    let found = outside_the_book(&tree, &contents);
    let expected = [
        (1, "2 times in docs/SUMMARY.md"),
        (1, "0 times in docs/SUMMARY.md"),
    ];
    assert_eq!(brief(&found), expected);
}

//! Citations of our own pages lead somewhere: `RULES §5.4`, `figure H`, `law 7`, `CONFORMANCE 44`, `DECISIONS 47`.
//!
//! # What a citation is
//! The name, then one place or a list of places: `CONFORMANCE 8, 27 and 60`, `figures B to F`, `RULES §1.6, §4.6`. A
//! citation may continue on the next line of a comment. Citations of law, such as `§ 657a.13`, are not checked.

use std::collections::BTreeSet;

use crate::finding::{Finding, assert_none, brief};
use crate::tree::{File, Tree, tree};

/// The pages that are cited.
const RULES: &str = "docs/RULES.md";
const CONFORMANCE: &str = "docs/CONFORMANCE.md";
const DECISIONS: &str = "docs/DECISIONS.md";
/// This file, whose bad snippets are no citations.
const SELF: &str = "tests/tidy/citations.rs";
/// Words that open a line of a comment.
const LEADERS: [&str; 6] = ["//", "///", "//!", "--", "#", "*"];
/// Names of documents that are not in the repository.
const OUTSIDE: [&str; 2] = ["rules.md", "regulation.md"];
/// How the numbers of requirements in such documents begin.
const LABELS: [&str; 4] = ["GLI12-", "GLI13-", "PA605a", "PA657a"];

/// A word of a file with its line.
type Word<'a> = (usize, &'a str);

/// The form of a place.
#[derive(Copy, Clone)]
enum Form {
    /// `§5`, `§5.4`.
    Section,
    /// `44`.
    Number,
    /// `H`.
    Letter,
}

/// The places that citations may lead to.
#[derive(Default)]
struct Places {
    sections: BTreeSet<String>,
    figures: BTreeSet<String>,
    laws: BTreeSet<String>,
    conformance: BTreeSet<String>,
    decisions: BTreeSet<String>,
}

impl Places {
    /// Reads the places off the pages.
    fn of(tree: &Tree) -> Self {
        let mut places = Self::default();
        let headings = tree.file(RULES).into_iter().flat_map(headings);
        for (_, heading) in headings {
            let words: Vec<&str> = heading.split_whitespace().collect();
            for pair in words.windows(2) {
                let name = pair[1].trim_end_matches(':').to_owned();
                match pair[0] {
                    "Figure" => drop(places.figures.insert(name)),
                    "Law" => drop(places.laws.insert(name)),
                    _ => {}
                }
            }
            let number = words.first().map_or("", |word| word.trim_end_matches('.'));
            if number.starts_with(|letter: char| letter.is_ascii_digit()) {
                places.sections.insert(number.to_owned());
            }
        }
        let rows = |page| -> BTreeSet<String> {
            let rows = tree.file(page).into_iter().flat_map(numbers);
            rows.map(|(_, number)| number.to_owned()).collect()
        };
        places.conformance = rows(CONFORMANCE);
        places.decisions = rows(DECISIONS);
        places
    }

    /// Returns the places that a name announces, and their form. None for any other word.
    fn announced_by(&self, name: &str) -> Option<(&BTreeSet<String>, Form)> {
        match name {
            "RULES" => Some((&self.sections, Form::Section)),
            "CONFORMANCE" => Some((&self.conformance, Form::Number)),
            "DECISIONS" => Some((&self.decisions, Form::Number)),
            "figure" | "figures" | "Figure" | "Figures" => Some((&self.figures, Form::Letter)),
            "law" | "laws" | "Law" | "Laws" => Some((&self.laws, Form::Number)),
            _ => None,
        }
    }
}

/// Returns the headings of a page without their marks.
fn headings(page: &File) -> impl Iterator<Item = (usize, &str)> {
    let headings = page.lines().filter(|(_, text)| text.starts_with('#'));
    headings.map(|(line, text)| (line, text.trim_start_matches('#').trim()))
}

/// Returns the numbers of a page's rows, whose first column is a number.
fn numbers(page: &File) -> impl Iterator<Item = (usize, &str)> {
    page.lines().filter_map(|(line, text)| {
        let (number, _) = text.strip_prefix("| ")?.split_once(" |")?;
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some((line, number))
    })
}

/// Returns the words of a file without the leaders of comment lines.
fn words(file: &File) -> Vec<Word<'_>> {
    let words = file.lines().flat_map(|(line, text)| {
        let words = text.split_whitespace().enumerate();
        let kept = words.filter(|(index, word)| *index > 0 || !LEADERS.contains(word));
        kept.map(move |(_, word)| (line, word))
    });
    words.collect()
}

/// Returns the place at the beginning of a word, if there is one of this form.
fn place(word: &str, form: Form) -> Option<&str> {
    let word = match form {
        Form::Section => word.strip_prefix('§')?,
        Form::Number | Form::Letter => word,
    };
    let end = word.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
    let place = word[..end.unwrap_or(word.len())].trim_end_matches('.');
    let is_place = match form {
        Form::Section | Form::Number => place.starts_with(|it: char| it.is_ascii_digit()),
        Form::Letter => place.len() == 1 && place.starts_with(|it: char| it.is_ascii_uppercase()),
    };
    is_place.then_some(place)
}

/// Returns the places of the citation whose name stands before these words, each with its line.
fn cited<'a>(mut words: &[Word<'a>], form: Form) -> Vec<Word<'a>> {
    let mut found = Vec::new();
    while let Some(((line, word), after)) = words.split_first()
        && let Some(place) = place(word, form)
    {
        found.push((*line, place));
        words = match after.first() {
            Some((_, "and" | "to")) => &after[1..],
            _ if word.ends_with(',') => after,
            _ => &[],
        };
    }
    found
}

/// Finds citations of places that do not exist.
fn unresolved(file: &File, places: &Places) -> Vec<Finding> {
    let words = words(file);
    let mut found = Vec::new();
    for (index, (_, word)) in words.iter().enumerate() {
        let name = word.trim_start_matches(|letter: char| !letter.is_alphanumeric());
        let Some((known, form)) = places.announced_by(name) else {
            continue;
        };
        let cited = cited(&words[index + 1..], form);
        let gone = cited.into_iter().filter(|(_, it)| !known.contains(*it));
        found.extend(gone.map(|(line, it)| Finding::new(&file.path, line, format!("{name} {it}"))));
    }
    found
}

/// Finds citations of documents that are not in the repository.
fn outside(file: &File) -> Vec<Finding> {
    let words = words(file);
    let mut found = Vec::new();
    for (index, (line, word)) in words.iter().enumerate() {
        let next = |ahead: usize| words.get(index + ahead).map_or("", |(_, word)| *word);
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let is_number = |word: &str| word.starts_with("number");
        let is_old = match bare {
            "rules" => next(1).starts_with('§') || next(1).starts_with("page"),
            "regulation" | "design" => next(1).starts_with('§'),
            _ if *word == "§" => next(1) == "8" && is_number(next(2)),
            _ if word.contains('§') => bare.split('.').next() == Some("8") && is_number(next(1)),
            _ => {
                OUTSIDE.iter().any(|name| bare.ends_with(name))
                    || LABELS.iter().any(|label| bare.starts_with(label))
            }
        };
        if is_old {
            let what = format!("{word} {}", next(1));
            found.push(Finding::new(&file.path, *line, what.trim_end()));
        }
    }
    found
}

/// Finds figures without a test that proves them, unless they say "not proven".
fn unproved(page: &File) -> Vec<Finding> {
    let headings: Vec<(usize, &str)> = headings(page).collect();
    let mut found = Vec::new();
    for (index, (from, heading)) in headings.iter().enumerate() {
        let to = headings
            .get(index + 1)
            .map_or(usize::MAX, |(line, _)| *line);
        let mut body = page.lines().filter(|(line, _)| (*from..to).contains(line));
        let is_proved = body.any(|(_, text)| text.contains(".rs::") || text.contains("not proven"));
        if heading.starts_with("Figure ") && !is_proved {
            found.push(Finding::new(&page.path, *from, *heading));
        }
    }
    found
}

/// Finds numbers of a page that stand there twice.
fn twice(page: &File) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let twice = numbers(page).filter(|(_, number)| !seen.insert(*number));
    twice
        .map(|(line, number)| Finding::new(&page.path, line, number))
        .collect()
}

/// Returns the files whose citations count.
fn citing() -> impl Iterator<Item = &'static File> {
    let files = tree().files.iter();
    files.filter(|file| file.path != SELF)
}

/// A reader can open every place that a file cites.
#[test]
fn every_citation_resolves() {
    let places = Places::of(tree());
    let found: Vec<Finding> = citing()
        .flat_map(|file| unresolved(file, &places))
        .collect();
    assert_none(
        &found,
        "Cite a heading of docs/RULES.md, a figure or law there, or a row of docs/CONFORMANCE.md or docs/DECISIONS.md.",
    );
}

/// No file cites a document that is not in the repository.
#[test]
fn no_citation_leaves_the_repository() {
    let found: Vec<Finding> = citing().flat_map(outside).collect();
    assert_none(
        &found,
        "Cite `RULES §n`, `figure X`, `CONFORMANCE n` or `DECISIONS n`.",
    );
}

/// Each worked figure names its tests.
#[test]
fn every_figure_is_proved() {
    let found: Vec<Finding> = tree().file(RULES).into_iter().flat_map(unproved).collect();
    assert_none(
        &found,
        "Name a test, `path/of/file.rs::function`, or say \"not proven\".",
    );
}

/// A number leads to one decision.
#[test]
fn every_decision_has_its_own_number() {
    let found: Vec<Finding> = tree().file(DECISIONS).into_iter().flat_map(twice).collect();
    assert_none(
        &found,
        "Take the next free number; a number is never used again.",
    );
}

/// The pages of the tests below.
fn pages() -> Tree {
    let rules = "# Rules\n## 1. Words\n### 1.1 Links\n### Figure A: one\n`a.rs::b`\n### Figure B: two\n### Figure C: three\n\
                 not proven\n## 7. Laws\n### 7.1 Law 1: sums\n";
    let rows = "| | what |\n|---|---|\n| 1 | a |\n| 12 | b |\n";
    let files = vec![
        File::new(RULES, rules),
        File::new(CONFORMANCE, rows),
        File::new(DECISIONS, "| 3 | a |\n| 4 | b |\n| 3 | c |\n"),
    ];
    Tree {
        files,
        rust: Vec::new(),
    }
}

/// One place or a list, over the end of a line, of each page; words that only look like a citation are none.
#[test]
fn bad_citations_are_found() {
    let places = Places::of(&pages());
    let found = |text: &str| {
        let found = unresolved(&File::new("a.rs", text), &places);
        let found = found.into_iter().map(|it| (it.line, it.what));
        found.collect::<Vec<_>>()
    };
    for text in [
        "(RULES §1.1, §7), RULES §7.1: CONFORMANCE 1 and 12; `DECISIONS 3`.",
        "Figures A to C, figure B's, law 1. Law 1: laws, Figure A and the first",
        "RULES for CONFORMANCE and DECISIONS, the figure of 5, figures 9, figure Eight",
        "§ 657a.13, 9 NYCRR § 5321.18",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
    let finding = |line: usize, what: &str| (line, what.to_owned());
    let bad = [
        ("(RULES §1.2)", vec![finding(1, "RULES 1.2")]),
        ("RULES §1, §8.", vec![finding(1, "RULES 8")]),
        ("/// RULES\n/// §9: a", vec![finding(2, "RULES 9")]),
        ("figures A and D", vec![finding(1, "figures D")]),
        ("a\n// Figure Q.", vec![finding(2, "Figure Q")]),
        ("law 2", vec![finding(1, "law 2")]),
        (
            "CONFORMANCE 1, 2 and\n//! 3",
            vec![finding(1, "CONFORMANCE 2"), finding(2, "CONFORMANCE 3")],
        ),
        ("[DECISIONS 5](a)", vec![finding(1, "DECISIONS 5")]),
    ];
    for (text, expected) in bad {
        assert_eq!(found(text), expected, "{text}");
    }
}

/// The forms of documents that nobody can open; law, our own pages and plain words are none.
#[test]
fn citations_of_other_documents_are_found() {
    let found = |text: &str| outside(&File::new("a.rs", text)).len();
    for text in [
        "`rules` §2",
        "(rules §2)",
        "rules\n/// §2",
        "the rules page, §3",
        "see rules.md",
        "`../design/regulation.md`",
        "§8 number 4",
        "§8.3 number 26",
        "§ 8 numbers 4 and 5",
        "regulation §3",
        "design § 2",
        "(GLI12-C6)",
        "PA605a.8-2:",
    ] {
        assert_eq!(found(text), 1, "{text}");
    }
    for text in [
        "docs/RULES.md and RULES §2",
        "the rules of § 657a.13, § 605a.8: numbers",
        "the rules say no; 8 numbers",
    ] {
        assert_eq!(found(text), 0, "{text}");
    }
}

/// A figure without a test or a word about it, and a number that stands twice.
#[test]
fn unproved_figures_and_repeated_numbers_are_found() {
    let pages = pages();
    let rules = unproved(pages.file(RULES).unwrap());
    assert_eq!(brief(&rules), [(6, "Figure B: two")]);
    let decisions = twice(pages.file(DECISIONS).unwrap());
    assert_eq!(brief(&decisions), [(3, "3")]);
}

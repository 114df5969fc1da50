//! Plain language, as far as a machine can count it: openings, pronouns, the names of closures, long sentences.
//!
//! # Counted
//! Doc lines, comments and closures of the crates' `src`; doc lines and comments without those of tests. Sentences of the
//! documents that a newcomer reads first, without code blocks; inline code and the target of a link count as one word.

use crate::finding::{Finding, assert_none};
use crate::source::Source;
use crate::tree::{File, tree};

/// Doc lines that may open with a question word, in thousandths of all doc lines.
const QUESTIONS_MAX: usize = 20;
/// Comment lines that may name a person who is nobody in particular.
const PRONOUNS_MAX: usize = 40;
/// Closures whose argument may be called `it`.
const IT_CLOSURES_MAX: usize = 0;
/// Words of the longest sentence.
const SENTENCE_WORDS_MAX: usize = 30;

/// Documents whose sentences are counted, with the long sentences that each may still have.
const DOCUMENTS: &[(&str, usize)] = &[
    ("README.md", 0),
    ("docs/ARCHITECTURE.md", 0),
    ("docs/API.md", 0),
    ("docs/README.md", 0),
    ("docs/first-half-hour.md", 0),
    ("docs/concepts.md", 0),
    ("docs/recipes.md", 0),
    ("docs/LIMITS.md", 0),
    ("docs/operating/key-rotation.md", 0),
    ("docs/operating/incident.md", 0),
];

const QUESTION_WORDS: &[&str] = &["What", "Whether", "Who", "Which", "Where", "How"];
const PRONOUNS: &[&str] = &["whoever", "nobody", "somebody", "anybody"];

/// The lines of a file's comments outside tests, without the slashes. Doc lines are marked.
fn comment_lines(source: &Source) -> impl Iterator<Item = (usize, bool, &str)> {
    let outside = source
        .comments
        .iter()
        .filter(|comment| !source.is_test(comment.at));
    outside.map(|comment| {
        let is_doc = comment.text.starts_with("///") || comment.text.starts_with("//!");
        let text = comment.text.trim_start_matches(['/', '!']).trim();
        (source.line(comment.at), is_doc, text)
    })
}

fn first_word(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric());
    &text[..end.unwrap_or(text.len())]
}

/// Doc lines that open with a question word, and the number of all doc lines.
fn questions(source: &Source) -> (Vec<Finding>, usize) {
    let docs: Vec<_> = comment_lines(source)
        .filter(|(_, is_doc, _)| *is_doc)
        .collect();
    let asked = docs
        .iter()
        .filter(|(_, _, text)| QUESTION_WORDS.contains(&first_word(text)));
    let found = asked.map(|(line, _, text)| Finding::new(&source.path, *line, *text));
    (found.collect(), docs.len())
}

/// Comment lines with a person who is nobody in particular.
fn pronouns(source: &Source) -> Vec<Finding> {
    let is_pronoun = |word: &str| PRONOUNS.contains(&word.to_lowercase().as_str());
    let names = |text: &str| {
        text.split(|letter: char| !letter.is_alphanumeric())
            .any(is_pronoun)
    };
    comment_lines(source)
        .filter(|(_, _, text)| names(text))
        .map(|(line, _, text)| Finding::new(&source.path, line, text))
        .collect()
}

/// Closures whose argument is called `it`.
fn it_closures(source: &Source) -> Vec<Finding> {
    let places = source.code.match_indices("|it|");
    places
        .map(|(at, _)| Finding::new(&source.path, source.line(at), "|it|"))
        .collect()
}

/// The text of a document without its code blocks, cut into blocks that no sentence crosses.
fn blocks(file: &File) -> Vec<(usize, String)> {
    let mut blocks: Vec<(usize, String)> = Vec::new();
    let (mut is_code, mut is_open) = (false, false);
    for (number, line) in file.lines() {
        let text = line.trim();
        if text.starts_with("```") {
            is_code = !is_code;
            is_open = false;
            continue;
        }
        if is_code || text.is_empty() {
            is_open = false;
            continue;
        }
        if text.starts_with('|') {
            let cells = text.split('|').map(|cell| (number, cell.to_owned()));
            blocks.extend(cells);
            is_open = false;
            continue;
        }
        let is_item = text.starts_with(['-', '*', '#'])
            || first_word(text)
                .bytes()
                .all(|letter| letter.is_ascii_digit());
        match blocks.last_mut() {
            Some((_, block)) if is_open && !is_item => {
                block.push(' ');
                block.push_str(text);
            }
            _ => blocks.push((number, text.to_owned())),
        }
        is_open = true;
    }
    blocks
}

/// The text with inline code and link targets as one word each.
fn plain(block: &str) -> String {
    let mut plain = String::new();
    for (index, part) in block.split('`').enumerate() {
        plain.push_str(if index % 2 == 0 { part } else { "code" });
    }
    while let Some(start) = plain.find("](") {
        let Some(length) = plain[start..].find(')') else {
            break;
        };
        plain.replace_range(start..=start + length, "]");
    }
    plain
}

/// Sentences with more words than a sentence may have.
fn long_sentences(file: &File) -> Vec<Finding> {
    let mut found = Vec::new();
    for (line, block) in blocks(file) {
        let text = plain(&block);
        let ends = [". ", "? ", "! ", ": "];
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let end = ends.iter().filter_map(|end| rest.find(end)).min();
            let (sentence, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            rest = after.trim_start();
            let words = sentence.split_whitespace();
            let words = words
                .filter(|word| word.contains(char::is_alphanumeric))
                .count();
            if words > SENTENCE_WORDS_MAX {
                let what = format!("{words} words: {sentence}");
                found.push(Finding::new(&file.path, line, what));
            }
        }
    }
    found
}

/// The Rust files of the crates.
fn of_crates() -> impl Iterator<Item = &'static Source> {
    let rust = tree().rust.iter();
    rust.filter(|source| source.path.starts_with("server/") && source.path.contains("/src/"))
}

/// Fails with all findings if there are more than a number.
#[track_caller]
fn assert_at_most(found: &[Finding], most: usize, advice: &str) {
    if found.len() > most {
        assert_none(
            found,
            &format!("{} are more than {most}. {advice}", found.len()),
        );
    }
}

/// A doc comment opens with the noun it is about or with a verb.
#[test]
fn few_doc_lines_open_with_a_question_word() {
    let (mut found, mut all) = (Vec::new(), 0);
    for source in of_crates() {
        let (asked, lines) = questions(source);
        found.extend(asked);
        all += lines;
    }
    let advice = "Open a type's comment with its noun and a function's with a verb.";
    assert_at_most(&found, all * QUESTIONS_MAX / 1_000, advice);
}

/// The caller, the node, the operator: whoever is meant has a name.
#[test]
fn few_comments_leave_the_person_open() {
    let found: Vec<Finding> = of_crates().flat_map(pronouns).collect();
    let advice = "Name the caller, the node or the operator.";
    assert_at_most(&found, PRONOUNS_MAX, advice);
}

/// A closure's argument is called by what it is.
#[test]
fn closures_name_their_argument() {
    let found: Vec<Finding> = of_crates().flat_map(it_closures).collect();
    assert_at_most(&found, IT_CLOSURES_MAX, "Call the argument by its noun.");
}

/// One claim a sentence, in the documents that a newcomer reads first.
#[test]
fn sentences_are_short() {
    for (path, most) in DOCUMENTS {
        let file = tree().files.iter().find(|file| file.path == *path);
        let file = file.unwrap_or_else(|| panic!("{path} is gone"));
        assert_at_most(&long_sentences(file), *most, "Say one claim a sentence.");
    }
}

/// Each rule finds what is planted, and leaves out what it should.
#[test]
fn planted_prose_is_found() {
    let source = Source::new(
        "server/a/src/a.rs",
        "//! What it is.\n/// Whether nobody came.\n/// Returns what came.\nfn a() { b(|it| it); }\n\
         // Whoever asks.\n// How it works is no doc line.\n\
         #[cfg(test)]\nmod tests {\n/// Who asks.\nfn c() { b(|it| it); }\n}\n",
    );
    let (asked, lines) = questions(&source);
    let lines_of = |found: &[Finding]| found.iter().map(|found| found.line).collect::<Vec<_>>();
    assert_eq!((lines_of(&asked), lines), (vec![1, 2], 3));
    assert_eq!(lines_of(&pronouns(&source)), [2, 5]);
    assert_eq!(lines_of(&it_closures(&source)), [4, 10]);
}

/// A sentence of 31 words is found in text, lists and tables; code and other sentences beside it don't count.
#[test]
fn planted_sentences_are_found() {
    let words = |count: usize| "word ".repeat(count - 1) + "word";
    let long = |text: &str| long_sentences(&File::new("a.md", text)).len();
    assert_eq!(long(&format!("{}.", words(30))), 0);
    assert_eq!(long(&format!("{}.", words(31))), 1);
    assert_eq!(long(&format!("- {}\n  {}.", words(20), words(11))), 1);
    assert_eq!(long(&format!("- {}\n- {}.", words(20), words(11))), 0);
    assert_eq!(long(&format!("| {} | {} |", words(20), words(31))), 1);
    assert_eq!(long(&format!("{}. {}.", words(20), words(20))), 0);
    assert_eq!(long(&format!("```\n{}\n```", words(31))), 0);
    assert_eq!(long(&format!("{} `{}`.", words(29), words(9))), 0);
    assert_eq!(long(&format!("{} [a b]({}).", words(28), words(9))), 0);
}

//! Documents: one title each, links that lead somewhere, and the commands that are really run.

use std::collections::BTreeSet;

use crate::finding::{Finding, assert_none, brief};
use crate::tree::{File, Tree, tree};

/// What the README tells to run. The CI script runs the same, so that neither promises what the other doesn't keep.
const COMMANDS: [&str; 2] = ["cargo test --workspace", "cargo run --release -- demo"];
/// Who says them.
const SPEAKERS: [&str; 2] = ["README.md", ".ci/run"];

/// Where each task is one command, by a recipe and without.
const RECIPES: &str = "justfile";
const TASKS: &str = "docs/CONTRIBUTING.md";

/// Lines that are not in fenced code.
fn prose(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    file.lines().filter(move |(_, text)| {
        let is_fence = text.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

fn titles(file: &File) -> Option<Finding> {
    let lines: Vec<usize> = prose(file)
        .filter(|it| it.1.starts_with("# "))
        .map(|it| it.0)
        .collect();
    let line = lines.get(1).copied().unwrap_or(1);
    (lines.len() != 1).then(|| Finding::new(&file.path, line, format!("{} titles", lines.len())))
}

/// What a line links to: `](target)` and `[name]: target`, outside inline code.
fn targets(text: &str) -> Vec<String> {
    let text: String = text.split('`').step_by(2).collect::<Vec<_>>().join("` `");
    let target = |rest: &str| {
        rest.trim_start_matches('<')
            .split([')', ' ', '>'])
            .next()
            .unwrap_or("")
            .to_owned()
    };
    let mut found: Vec<String> = text.split("](").skip(1).map(target).collect();
    if let Some((_, rest)) = text.strip_prefix('[').and_then(|it| it.split_once("]: ")) {
        found.push(target(rest));
    }
    found
}

/// A heading as the end of a link to it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept
        .chars()
        .filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.map(|it| if it == ' ' { '-' } else { it }).collect()
}

/// The path of a link's target from the root of the tree.
fn resolve(folder: &str, target: &str) -> String {
    let mut parts: Vec<&str> = if target.starts_with('/') {
        Vec::new()
    } else {
        folder.split('/').collect()
    };
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "" | "." => {}
            part => parts.push(part),
        }
    }
    parts.retain(|it| !it.is_empty());
    parts.join("/")
}

fn leads_somewhere(tree: &Tree, file: &File, target: &str) -> bool {
    if target.contains("://") || target.starts_with("mailto:") {
        return true;
    }
    let (path, place) = target.split_once('#').unwrap_or((target, ""));
    let path = if path.is_empty() {
        file.path.clone()
    } else {
        resolve(file.folder(), path)
    };
    match tree.file(&path) {
        Some(document) if document.kind() == "md" && !place.is_empty() => {
            prose(document).any(|it| it.1.starts_with('#') && anchor(it.1) == place)
        }
        Some(_) => true,
        None => {
            path.is_empty()
                || tree
                    .files
                    .iter()
                    .any(|it| it.path.starts_with(&format!("{path}/")))
        }
    }
}

fn dead_links(tree: &Tree, file: &File) -> Vec<Finding> {
    let links =
        prose(file).flat_map(|(line, text)| targets(text).into_iter().map(move |it| (line, it)));
    let dead = links.filter(|it| !leads_somewhere(tree, file, &it.1));
    dead.map(|(line, target)| Finding::new(&file.path, line, format!("`{target}`")))
        .collect()
}

fn unspoken(path: &str, file: Option<&File>) -> Vec<Finding> {
    let text = file.map_or("", |it| it.text.as_str());
    let missing = COMMANDS.iter().filter(|it| !text.contains(**it));
    missing
        .map(|it| Finding::new(path, 1, format!("no `{it}`")))
        .collect()
}

/// Finds recipes whose name and command are not beside each other in the table of tasks.
fn untold(recipes: &File, tasks: &str) -> Vec<Finding> {
    let mut name = "";
    let mut found = Vec::new();
    for (line, text) in recipes.lines() {
        if let Some(command) = text.strip_prefix("    ") {
            let is_told = command.contains("{{")
                || tasks.contains(&format!("| `just {name}` | `{command}` |"));
            if !is_told && !command.starts_with('@') {
                found.push(Finding::new(&recipes.path, line, format!("`{command}`")));
            }
        } else if let Some((recipe, _)) = text.split_once(':') {
            name = recipe;
        }
    }
    found
}

/// A task has one command, by whichever name.
#[test]
fn every_recipe_is_in_the_table_of_tasks() {
    let files = (tree().file(RECIPES), tree().file(TASKS));
    let (Some(recipes), Some(tasks)) = files else {
        panic!("{RECIPES} or {TASKS} is gone: name the new file here");
    };
    assert_none(
        &untold(recipes, &tasks.text),
        "Write recipe and command into the table of docs/CONTRIBUTING.md.",
    );
}

/// A document is about one thing.
#[test]
fn every_document_has_one_title() {
    let found: Vec<Finding> = tree().of_kind("md").filter_map(titles).collect();
    assert_none(
        &found,
        "Begin with one line `# Title`; everything else is `##` and below.",
    );
}

/// A link to a file of ours, or to a heading in one, leads there.
#[test]
fn every_link_leads_somewhere() {
    let found: Vec<Finding> = tree()
        .of_kind("md")
        .flat_map(|it| dead_links(tree(), it))
        .collect();
    assert_none(
        &found,
        "Correct the path (from the document's folder) or the heading after `#`.",
    );
}

/// What the README tells is what CI runs.
#[test]
fn the_readme_tells_what_ci_runs() {
    let found: Vec<Finding> = SPEAKERS
        .iter()
        .flat_map(|it| unspoken(it, tree().file(it)))
        .collect();
    assert_none(
        &found,
        "Write the command word for word; both files say the same.",
    );
}

/// None, two; code blocks have none.
#[test]
fn titles_are_counted() {
    let in_text = |text| titles(&File::new("a.md", text)).map(|it| it.line);
    assert_eq!(in_text("# A\n\n## B\n```sh\n# not one\n```\n"), None);
    assert_eq!(in_text("## A\n"), Some(1));
    assert_eq!(in_text("# A\n\n# B\n"), Some(3));
}

/// To files, folders, headings; from folders; not in code, not to other hosts.
#[test]
fn dead_links_are_found() {
    let text = "# A\n[b](b.md) [c](b.md#b-c) [d](../e/) [f](#a) [g](https://h/) [i](/docs/b.md)\n\
                [x1](c.md)\n[x2](b.md#d)\n[x3](../docs/f/)\n`[no](code.md)`\n```\n[no](code.md)\n```\n\
                [x4]: d.md\n[x5](#b) [x6](<c d.md>)\n";
    let files = vec![
        File::new("docs/a.md", text),
        File::new("docs/b.md", "# B\n## `B`, c!\n"),
        File::new("e/f.txt", ""),
    ];
    let tree = Tree {
        files,
        rust: Vec::new(),
    };
    let found = dead_links(&tree, tree.file("docs/a.md").unwrap());
    let expected = [
        (3, "`c.md`"),
        (4, "`b.md#d`"),
        (5, "`../docs/f/`"),
        (10, "`d.md`"),
        (11, "`#b`"),
        (11, "`c`"),
    ];
    assert_eq!(brief(&found), expected);
}

/// Another command, another name; recipes of just itself and with arguments are left out.
#[test]
fn untold_recipes_are_found() {
    let text = "# All.\ndefault:\n    @just --list\n\na:\n    cargo a\n\nb:\n    cargo b\n\nc name:\n    cargo {{name}}\n";
    let recipes = File::new(RECIPES, text);
    let row = |name: &str, command: &str| format!("| x | `just {name}` | `cargo {command}` |\n");
    assert_eq!(untold(&recipes, &(row("a", "a") + &row("b", "b"))), []);
    let wrong = row("a", "other") + &row("c", "b");
    assert_eq!(
        brief(&untold(&recipes, &wrong)),
        [(6, "`cargo a`"), (9, "`cargo b`")]
    );
}

/// A command that is told otherwise is not told.
#[test]
fn missing_commands_are_found() {
    let file = File::new("README.md", "cargo test --workspace\ncargo run -- demo\n");
    assert_eq!(
        brief(&unspoken("README.md", Some(&file))),
        [(1, "no `cargo run --release -- demo`")]
    );
    let all: BTreeSet<usize> = unspoken(".ci/run", None).iter().map(|it| it.line).collect();
    assert_eq!(all, [1].into());
}

//! Every command in every state of a table, as `docs/API.md` says.
//!
//! # How
//! The page is the source: its table is read here, and a cell that it does not have can't be tested away. For each
//! cell a table of a fresh link is brought into the state in each way that makes a difference, the command is sent,
//! and what came back has to be exactly the set of what the cell names. A cell that says `as its round` goes for every
//! state of the round: what comes back is what that state's own column names.

mod scene;
mod ways;

use std::collections::{BTreeMap, BTreeSet};

use meterhouse_tests::Answer;

use self::scene::{Matter, Scene};
use self::ways::{Way, ways};

const PAGE: &str = include_str!("../../docs/API.md");
/// States of the round, then what may be the matter beside it.
const COLUMNS: [&str; 8] = [
    "none",
    "locked",
    "settling",
    "suspended",
    "closed",
    "level off",
    "lost",
    "faulted",
];
const ROUNDS: [&str; 3] = ["none", "locked", "settling"];
const COMMANDS: [&str; 10] = [
    "coin_in",
    "count",
    "fold",
    "hit",
    "envy",
    "bonus",
    "settle",
    "cancel_hit",
    "close",
    "void",
];

/// What a cell says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell {
    /// The codes, and `ok` where it has the word.
    Answers(BTreeSet<String>),
    /// What the round's own column says.
    AsItsRound,
}

type Cells = BTreeMap<(String, &'static str), Cell>;

/// The cells of the page by command and column.
fn cells() -> Cells {
    let section = PAGE
        .split_once("## Which command when")
        .expect("the section")
        .1;
    let mut rows = section
        .lines()
        .skip_while(|line| !line.starts_with("| command "))
        .take_while(|line| line.starts_with('|'));
    let head: Vec<&str> = columns(rows.next().expect("a head")).skip(1).collect();
    let known = |name: &&str| {
        *COLUMNS
            .iter()
            .find(|it| *it == name)
            .expect("a known column")
    };
    let head: Vec<&'static str> = head.iter().map(known).collect();
    let mut cells = BTreeMap::new();
    for row in rows.skip(1) {
        let mut columns = columns(row);
        let command = columns.next().expect("a command").trim_matches('`');
        for (column, text) in head.iter().zip(columns) {
            let before = cells.insert((command.to_owned(), *column), cell(text));
            assert_eq!(before, None, "{command} stands there twice");
        }
    }
    cells
}

fn columns(row: &str) -> impl Iterator<Item = &str> {
    row.trim_matches('|').split('|').map(str::trim)
}

fn cell(text: &str) -> Cell {
    if text == "as its round" {
        return Cell::AsItsRound;
    }
    let codes = text.split('`').skip(1).step_by(2).map(str::to_owned);
    let plain = text
        .split('`')
        .step_by(2)
        .flat_map(|text| text.split(|it: char| !it.is_alphanumeric()));
    let ok = plain.filter(|word| *word == "ok").map(str::to_owned);
    Cell::Answers(codes.chain(ok).collect())
}

/// What a command is answered with: `ok`, or the code with the status that the page gives to it.
fn word(answer: &Answer) -> String {
    if answer.status == 201 {
        return "ok".to_owned();
    }
    let (code, status) = (answer.code(), answer.status);
    let row = format!("| `{code}` | {status} | ");
    assert!(
        PAGE.contains(&row),
        "the page has no {row}: {}",
        answer.text
    );
    code.to_owned()
}

/// A cell that is tried: what for, and what it has to answer.
struct Trial {
    what: String,
    ways: Vec<Way>,
    expected: Cell,
}

/// Tries them all in one house: first every table is brought to its state, then every command is sent.
async fn try_all(matter: Matter, trials: &[Trial]) {
    let house = Scene::house_for(matter).await;
    let mut scenes = Vec::new();
    for trial in trials {
        for way in &trial.ways {
            let scene = Scene::of(&house, scenes.len(), way).await;
            scene.is_with(matter).await;
            scenes.push(scene);
        }
    }
    let mut scenes = scenes.iter();
    for trial in trials {
        let mut found = BTreeSet::new();
        for (way, scene) in trial.ways.iter().zip(&mut scenes) {
            found.insert(sent(matter, scene, way).await);
        }
        assert_eq!(Cell::Answers(found), trial.expected, "{}", trial.what);
    }
    house.end().await;
}

/// Sends the command of a way and looks whether it is journaled, as the page says.
async fn sent(matter: Matter, scene: &Scene<'_>, way: &Way) -> String {
    if matter == Matter::Lost {
        scene.is_lost().await;
    }
    let number = scene.dealer.next();
    let answer = scene.sends(way).await;
    let used_up = matches!(answer.status, 201 | 422);
    let next = scene.dealer.resume().await["next_sequence"].as_u64();
    let expected = number + u64::from(used_up);
    assert_eq!(next, Some(expected), "{}", answer.asked);
    word(&answer)
}

/// The cells of a column that says what is the matter are what the server does, in every state of the round.
async fn assert_column(column: &'static str, matter: Matter) {
    let cells = cells();
    let of = |command: &str, column: &'static str| cells[&(command.to_owned(), column)].clone();
    let mut trials = Vec::new();
    for command in COMMANDS {
        for round in ROUNDS {
            let expected = match (of(command, column), round) {
                (Cell::AsItsRound, _) => of(command, round),
                // Closed is what has no open round.
                (_, "locked" | "settling") if matter == Matter::Closed => continue,
                (_, "locked" | "settling") if command == "coin_in" && matter != Matter::Faulted => {
                    of(command, round)
                }
                (answers, _) => answers,
            };
            trials.push(Trial {
                what: format!("{command}, {round}, {column}"),
                ways: ways(command, round),
                expected,
            });
        }
    }
    try_all(matter, &trials).await;
}

/// The cells of these commands are what the server does: no code too many, none too few.
async fn assert_cells(commands: &[&str]) {
    let cells = cells().into_iter();
    let of_rounds = cells.filter(|((command, column), _)| {
        commands.contains(&command.as_str()) && ROUNDS.contains(column)
    });
    let trial = |((command, column), expected): ((String, &str), Cell)| Trial {
        ways: ways(&command, column),
        what: format!("{command} in state {column}"),
        expected,
    };
    try_all(Matter::Nothing, &of_rounds.map(trial).collect::<Vec<_>>()).await;
}

/// The page has every command in every state.
#[test]
fn the_page_is_whole() {
    let cells = cells();
    let named: BTreeSet<(&str, &str)> = cells
        .keys()
        .map(|(command, state)| (command.as_str(), *state))
        .collect();
    let expected = COMMANDS
        .iter()
        .flat_map(|command| COLUMNS.map(|column| (*command, column)));
    assert_eq!(named, expected.collect::<BTreeSet<_>>());
}

#[tokio::test]
async fn coin_in_count_and_fold() {
    assert_cells(&["coin_in", "count", "fold"]).await;
}

#[tokio::test]
async fn hit_envy_and_cancel_hit() {
    assert_cells(&["hit", "envy", "cancel_hit"]).await;
}

#[tokio::test]
async fn bonus_and_settle() {
    assert_cells(&["bonus", "settle"]).await;
}

#[tokio::test]
async fn close_and_void() {
    assert_cells(&["close", "void"]).await;
}

#[tokio::test]
async fn on_a_suspended_link() {
    assert_column("suspended", Matter::Suspended).await;
}

#[tokio::test]
async fn on_a_closed_link() {
    assert_column("closed", Matter::Closed).await;
}

/// CONFORMANCE 50: a round that was locked before goes on.
#[tokio::test]
async fn while_a_level_is_off() {
    assert_column("level off", Matter::LevelOff).await;
}

/// CONFORMANCE 46 and 48: whatever ends an open round is accepted from a lost table.
#[tokio::test]
async fn at_a_lost_table() {
    assert_column("lost", Matter::Lost).await;
}

#[tokio::test]
async fn on_a_faulted_link() {
    assert_column("faulted", Matter::Faulted).await;
}

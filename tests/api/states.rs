//! Each command in each state of a table: what `docs/API.md` says is what the server does.
//!
//! # How
//! The table "Which command when" is read from the page. Its cells name codes in backticks; `ok` is 201. For each
//! cell a table of a fresh link is brought into the state, the command sent in each way that the state allows, and what came
//! back has to be exactly the set of what the cell names.

use std::collections::BTreeSet;

use meterhouse_tests::{Dealer, FIVE_CARD_C, House};
use serde_json::{Value, json};

const PAGE: &str = include_str!("../../docs/API.md");
const STATES: [&str; 4] = ["none", "locked", "settling", "faulted"];
const COMMANDS: [&str; 8] = [
    "coin_in",
    "count",
    "fold",
    "hit",
    "envy",
    "cancel_hit",
    "close",
    "void",
];

/// The cells of the page: command, state, what it says.
fn cells() -> Vec<(String, &'static str, BTreeSet<String>)> {
    let section = PAGE
        .split_once("## Which command when")
        .expect("the section")
        .1;
    let rows = section
        .lines()
        .skip_while(|line| !line.starts_with("| command "))
        .skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let mut cells = Vec::new();
    for row in rows {
        let mut columns = row.trim_matches('|').split('|').map(str::trim);
        let command = columns
            .next()
            .expect("a command")
            .trim_matches('`')
            .to_owned();
        for (state, cell) in STATES.iter().zip(columns) {
            cells.push((command.clone(), *state, words(cell)));
        }
    }
    cells
}

/// The codes of a cell, and `ok` where it has the word.
fn words(cell: &str) -> BTreeSet<String> {
    let codes = cell.split('`').skip(1).step_by(2).map(str::to_owned);
    let plain = cell
        .split('`')
        .step_by(2)
        .flat_map(|text| text.split(|it: char| !it.is_alphanumeric()));
    codes
        .chain(plain.filter(|word| *word == "ok").map(str::to_owned))
        .collect()
}

/// One way to bring a table to a state and to send a command there.
struct Way {
    before: &'static [Step],
    command: Value,
}

/// What happens at the table before the command.
#[derive(Copy, Clone)]
enum Step {
    /// Seats 1, 2 and 3 wager; 4 is dealt in.
    Lock,
    /// An earlier round with a hit of seat 3, cancelled.
    EarlierRound,
    Fold(u8),
    /// A fixed pay of this seat: waits for a person.
    Hit(u8),
    /// Seat 4's royal without a wager.
    EnvyOfSeat4,
    /// Seat 3's royal, and then another table's.
    RoyalsHereAndThere,
    /// Seat 3's royal.
    Royal,
    /// A person validates the hit of command 2.
    Approve,
    /// Its slip is documented.
    Pay,
}

use Step::{Approve, EarlierRound, EnvyOfSeat4, Fold, Hit, Lock, Pay, Royal, RoyalsHereAndThere};

fn way(before: &'static [Step], command: Value) -> Way {
    Way { before, command }
}

/// Every way in which a command can be sent in a state that makes a difference.
fn ways(command: &str, state: &str) -> Vec<Way> {
    let coin_in = || json!({"coin_in": {"wagers": [{"seat": 1, "amount": "1.00"}], "dealt": [1]}});
    let count = || json!({"count": {"chips": 3}});
    let fold = |seat: u8| json!({"fold": {"seats": [seat]}});
    let hit = |seat: u8| json!({"hit": {"seat": seat, "hand": "flush"}});
    let envy = || json!({"envy": {"seat": 4, "hand": "royal-flush"}});
    // The table's name comes before it.
    let cancel = |hit: u64| json!({"cancel_hit": {"hit": hit}});
    let close = || json!({"close": {}});
    let void = || json!({"void": {"reason": "misdeal"}});
    match (command, state) {
        ("coin_in", "none" | "faulted") => vec![way(&[], coin_in())],
        ("coin_in", "locked") => vec![way(&[Lock], coin_in())],
        ("coin_in", _) => vec![way(&[Lock, Hit(3)], coin_in())],
        ("count", "none" | "faulted") => vec![way(&[], count())],
        ("count", "locked") => vec![way(&[Lock], count()), way(&[Lock, Fold(1)], count())],
        ("count", _) => vec![way(&[Lock, Hit(3)], count())],
        ("fold", "none" | "faulted") => vec![way(&[], fold(1))],
        ("fold", "locked") => vec![way(&[Lock], fold(1))],
        ("fold", _) => vec![way(&[Lock, Hit(3)], fold(1)), way(&[Lock, Hit(3)], fold(3))],
        ("hit", "none" | "faulted") => vec![way(&[], hit(3))],
        ("hit", "locked") => vec![way(&[Lock], hit(3))],
        ("hit", _) => vec![
            way(&[Lock, Hit(2)], hit(1)),
            way(&[Lock, Hit(2)], hit(2)),
            way(&[Lock, Hit(2)], hit(3)),
        ],
        ("envy", "none" | "faulted") => vec![way(&[], envy())],
        ("envy", "locked") => vec![way(&[Lock], envy())],
        ("envy", _) => vec![
            way(&[Lock, Hit(3)], envy()),
            way(&[Lock, EnvyOfSeat4], envy()),
        ],
        ("cancel_hit", "none" | "faulted") => vec![way(&[EarlierRound], cancel(2))],
        ("cancel_hit", "locked") => {
            vec![
                way(&[Lock], cancel(1)),
                way(&[EarlierRound, Lock], cancel(2)),
            ]
        }
        ("cancel_hit", _) => vec![
            way(&[Lock, Hit(3)], cancel(2)),
            way(&[Lock, Hit(3), Approve], cancel(2)),
            way(&[Lock, Royal, Approve, Pay], cancel(2)),
            way(&[Lock, RoyalsHereAndThere], cancel(2)),
        ],
        ("close", "none" | "faulted") => vec![way(&[], close())],
        ("close", "locked") => vec![way(&[Lock], close())],
        ("close", _) => vec![
            way(&[Lock, Hit(3)], close()),
            way(&[Lock, Royal, Approve], close()),
            way(&[Lock, Royal, Approve, Pay], close()),
        ],
        ("void", "none" | "faulted") => vec![way(&[], void())],
        ("void", "locked") => vec![way(&[Lock], void())],
        ("void", _) => vec![
            way(&[Lock, Hit(3)], void()),
            way(&[Lock, Hit(3), Approve], void()),
            way(&[Lock, Royal, Approve, Pay], void()),
            way(&[Lock, RoyalsHereAndThere], void()),
        ],
        (other, _) => panic!("{other} is no command"),
    }
}

/// A link of its own with two tables, one of them brought to a state.
struct Scene<'h> {
    house: &'h House,
    dealer: Dealer,
    other: Dealer,
}

impl<'h> Scene<'h> {
    async fn of(house: &'h House, number: usize, way: &Way, state: &str) -> Self {
        let link = format!("link-{number}");
        house.link(&link, FIVE_CARD_C).await;
        let dealer = house.table(&format!("A{number}"), &link, FIVE_CARD_C).await;
        let other = house.table(&format!("B{number}"), &link, FIVE_CARD_C).await;
        let scene = Self {
            house,
            dealer,
            other,
        };
        for step in way.before {
            scene.step(*step).await;
        }
        if state == "faulted" {
            house.fault(&link, &scene.other).await;
        }
        scene
    }

    async fn step(&self, step: Step) {
        let Self {
            house,
            dealer,
            other,
        } = self;
        let sam = house.supervisor("sam").await;
        let answer = match step {
            Lock => {
                let wagers = [1, 2, 3].map(|seat| json!({"seat": seat, "amount": "1.00"}));
                dealer
                    .send(&json!({"coin_in": {"wagers": wagers, "dealt": [1, 2, 3, 4]}}))
                    .await
            }
            EarlierRound => {
                drop(dealer.coin_in(&[3]).await.created());
                drop(dealer.hit_unseen(3, "flush").await.created());
                drop(dealer.cancel(2).await.created());
                dealer.close().await
            }
            Fold(seat) => dealer.fold(&[seat]).await,
            Hit(seat) => dealer.hit_unseen(seat, "flush").await,
            EnvyOfSeat4 => {
                dealer
                    .send(&json!({"envy": {"seat": 4, "hand": "royal-flush"}}))
                    .await
            }
            Royal => dealer.hit_unseen(3, "royal-flush").await,
            RoyalsHereAndThere => {
                drop(dealer.hit_unseen(3, "royal-flush").await.created());
                drop(other.coin_in(&[1]).await.created());
                other.hit_unseen(1, "royal-flush").await
            }
            Approve => sam.approve(&dealer.named(2)).await,
            Pay => sam.pay(&dealer.named(2), 1, "JP-1").await,
        };
        drop(answer.created());
    }
}

/// What a command is answered with: `ok`, or the code with the status that the page gives to it.
async fn sent(house: &House, number: usize, way: &Way, state: &str) -> String {
    let scene = Scene::of(house, number, way, state).await;
    let number = scene.dealer.next();
    let mut command = way.command.clone();
    if let Some(hit) = command.pointer_mut("/cancel_hit/hit") {
        let sequence = hit.as_u64().expect("the number of a hit");
        *hit = json!(scene.dealer.named(sequence));
    }
    let answer = scene.dealer.send(&command).await;
    let word = match answer.status {
        201 => "ok".to_owned(),
        status => {
            let code = answer.code().to_owned();
            let row = format!("| `{code}` | {status} | ");
            assert!(PAGE.contains(&row), "the page has no {row}");
            code
        }
    };
    // Journaled or not, as the page says.
    let used_up = matches!(answer.status, 201 | 422);
    if state != "faulted" {
        let next = scene.dealer.resume().await["next_sequence"].as_u64();
        assert_eq!(next, Some(number + u64::from(used_up)), "{}", answer.asked);
    }
    word
}

/// The page has every command in every state.
#[test]
fn the_page_is_whole() {
    let cells = cells();
    let named: Vec<(&str, &str)> = cells
        .iter()
        .map(|(command, state, _)| (command.as_str(), *state))
        .collect();
    let expected = COMMANDS
        .iter()
        .flat_map(|command| STATES.map(|state| (*command, state)));
    assert_eq!(named, expected.collect::<Vec<_>>());
}

/// The cells of these commands are what the server does: no code too many, none too few.
async fn assert_cells(commands: &[&str]) {
    let house = House::open().await;
    let mut number = 0;
    for (command, state, said) in cells() {
        if !commands.contains(&command.as_str()) {
            continue;
        }
        let mut found = BTreeSet::new();
        for way in ways(&command, state) {
            number += 1;
            found.insert(sent(&house, number, &way, state).await);
        }
        assert_eq!(found, said, "{command} in state {state}");
    }
    house.end().await;
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
async fn close_and_void() {
    assert_cells(&["close", "void"]).await;
}

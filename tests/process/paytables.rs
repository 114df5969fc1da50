//! `meterhouse paytable`, `evaluate` and `returns`: what there is, every mistake in a file of one's own, what a hand pays
//! and what a paytable is worth.

use std::fs;
use std::path::Path;

use meterhouse_tests::Caller;
use nix::sys::signal::Signal;
use serde_json::json;

use crate::program::{Running, folder, run, run_on};

const GOOD: &str = include_str!("../../server/catalogue/paytables/pa-657a-five-card-c.toml");

/// The same paytable as one of no jurisdiction that we know.
fn of_the_house(id: &str) -> String {
    let own = GOOD
        .replace("pa-657a-five-card-c", id)
        .replace("\"PA\"", "\"house\"")
        .replace("\"58 Pa. Code § 657a.12(e)\"", "\"none\"");
    assert!(own.contains("\"none\"") && own.contains("\"house\""));
    own
}

/// The token of a manager who is called ana.
pub(crate) async fn managers_token(data: &Path) -> String {
    let ana = ["token", "create", "--role", "manager", "--name", "ana"];
    let token = run_on(data, &ana).await.with(0).stdout;
    token.trim().to_owned()
}

/// Every paytable is listed with its citation and can be shown.
#[tokio::test]
async fn list_and_show() {
    let listed = run(&["paytable", "list"]).await.with(0).stdout;
    let ids: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(
        ids.len() >= 7 && ids.contains(&"pa-657a-five-card-c"),
        "{listed}"
    );
    for id in ids {
        let shown = run(&["paytable", "show", id]).await.with(0).stdout;
        let cited = ["58 Pa. Code §", "Massachusetts Gaming Commission"];
        assert!(cited.iter().any(|it| shown.contains(it)), "{shown}");
    }
    assert!(
        listed.contains("incomplete: envy, pays not in the source"),
        "{listed}"
    );
    let shown = run(&["paytable", "show", "ma-four-card-a"]).await.with(0);
    assert!(
        shown.stdout.contains("filed, at least $5,000"),
        "{}",
        shown.stdout
    );
    drop(
        run(&["paytable", "show", "pa-none"])
            .await
            .with(2)
            .saying("there is no paytable"),
    );
    drop(
        run(&["paytable", "show", "no name"])
            .await
            .with(2)
            .saying("there is no paytable"),
    );
}

/// A good file is well; in a bad one every mistake is named with its line, and the others are looked at all the same.
#[tokio::test]
async fn check() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    // A file is called as its paytable.
    let good_file = path("own-c.toml");
    fs::write(&good_file, GOOD.replace("pa-657a-five-card-c", "own-c")).expect("a file");
    let good = run(&["paytable", "check", &good_file]).await.with(0);
    assert!(good.stdout.contains("own-c is well"), "{}", good.stdout);

    let bad = GOOD
        .replace("primary = \"9%\"", "primary = \"9\"")
        .replace("hand = \"full-house\"", "hand = \"full-hose\"")
        .replace("of = \"major\"", "of = \"mayor\"");
    fs::write(path("bad.toml"), &bad).expect("a file");
    let (bad_file, no_file) = (path("bad.toml"), path("none.toml"));
    let ended = run(&["paytable", "check", &bad_file, &no_file, &good_file])
        .await
        .with(3);
    for mistake in ["primary = \"9\"", "full-hose", "mayor"] {
        let line = 1 + bad
            .lines()
            .position(|line| line.contains(mistake))
            .expect("a line");
        let named = format!("bad.toml:{line}");
        assert!(
            ended.stdout.contains(&named),
            "{named} is not named:\n{}",
            ended.stdout
        );
    }
    assert!(
        ended.stdout.contains("none.toml: can't be read"),
        "{}",
        ended.stdout
    );
    assert!(ended.stdout.contains("is well"), "{}", ended.stdout);
    // The three, its name, and the missing file.
    drop(ended.saying("5 mistakes were found"));
}

/// A hand is judged with its citation, and what can't be one is refused with what to write.
#[tokio::test]
async fn evaluate() {
    let royal = ["As", "Ks", "Qs", "Js", "Ts"];
    let ask = async |words: &[&str]| {
        let mut all = vec!["evaluate", "pa-657a-five-card-c"];
        all.extend(words);
        run(&all).await
    };
    let page = ask(&royal).await.with(0).stdout;
    for part in [
        "58 Pa. Code § 657a.12(e)",
        "royal-flush pays 100% of mega, charged to the meter",
        "A floorperson or above validates it first.",
        "$1000.00 envy",
    ] {
        assert!(page.contains(part), "{page}");
    }
    let with_amount = [&royal[..], &["--displayed", "12345.67"]].concat();
    let page = ask(&with_amount).await.with(0).stdout;
    assert!(page.contains("100% of mega, $12345.67"), "{page}");
    let page = ask(&["2s", "2h", "2d", "9c", "Jh", "--wager", "5.00"]).await;
    let page = page.with(0).stdout;
    assert!(
        page.contains("three-of-a-kind pays 10 for 1, $50.00"),
        "{page}"
    );
    // What Massachusetts leaves to the operator says nothing about a hand; what the Bulletin leaves out does.
    let aces = ["As", "Ah", "Ad", "Ac", "2s"];
    let page = run(&[&["evaluate", "ma-four-card-a"], &aces[..]].concat()).await;
    let page = page.with(0).stdout;
    assert!(page.contains("four-aces pays 100% of meter"), "{page}");
    let lacking = run(&["evaluate", "pa-643a-three-card-a", "As", "Ks", "Qs"]).await;
    drop(
        lacking
            .with(2)
            .saying("pays not in 58 Pa. Code § 643a.12(d)(1)"),
    );
    let page = ask(&["2s", "4h", "6d", "9c", "Jh"]).await.with(0).stdout;
    assert!(page.contains("high-card wins nothing."), "{page}");
    for (words, says) in [
        (vec!["As", "Ks"], "these are 2"),
        (vec!["As", "As", "Qs", "Js", "Ts"], "As comes twice"),
        (vec!["As", "Ks", "Qs", "Js", "1s"], "is not a card"),
        (
            [&royal[..], &["--on", "dealer"]].concat(),
            "can't be wagered on",
        ),
        ([&royal[..], &["--wager", "0"]].concat(), "more than 0.00"),
    ] {
        drop(ask(&words).await.with(2).saying(says));
    }
}

/// What a paytable returns, at its seeds and elsewhere.
#[tokio::test]
async fn returns() {
    let page = run(&["returns", "pa-657a-five-card-c"])
        .await
        .with(0)
        .stdout;
    for part in [
        "75.89%",
        "56.89%",
        "649740.00",
        "68476.60",
        "Envy with 6 who wager",
    ] {
        assert!(page.contains(part), "{page}");
    }
    assert!(!page.contains("Warning"), "{page}");
    let at = [
        "returns",
        "pa-657a-five-card-c",
        "--meter",
        "mega:290000.00,major:1000.00",
    ];
    let page = run(&at).await.with(0).stdout;
    // 28 more seeds of the mega: 28 × 4 × 10,000 ÷ 2,598,960 more than 56.89%.
    assert!(page.contains("99.99%"), "{page}");
    let draws = [
        "returns",
        "pa-657a-five-card-hand-bonus",
        "--magic-card-one-in",
        "10",
    ];
    let page = run(&draws).await.with(0).stdout;
    for part in ["192.31%", "19.23%", "71.43%", "76.47%"] {
        assert!(page.contains(part), "{page}");
    }
    for (words, says) in [
        (
            ["returns", "pa-none", "--wager", "1.00"],
            "there is no paytable",
        ),
        (
            ["returns", "pa-657a-five-card-c", "--wager", "x"],
            "not an amount",
        ),
        (
            ["returns", "pa-657a-five-card-c", "--meter", "mayor:1.00"],
            "mega, major, minor",
        ),
        (
            ["returns", "pa-657a-five-card-c", "--meter", "1.00"],
            "LEVEL:AMOUNT",
        ),
    ] {
        drop(run(&words).await.with(2).saying(says));
    }
}

/// Of the operator's own file: what returns more than the wager is warned of, and its hands are judged by it.
#[tokio::test]
async fn of_ones_own() {
    let folder = folder();
    let path = folder.path().display().to_string();
    let own = of_the_house("own-c").replace("for_one = 50 }", "for_one = 500 }");
    fs::write(folder.path().join("own-c.toml"), own).expect("a file");
    let page = run(&["returns", "own-c", "--paytables", &path]).await;
    let page = page.with(0).stdout;
    for part in [
        "140.72%",
        "-40.72%",
        "Warning: in the long run this returns 140.72%",
    ] {
        assert!(page.contains(part), "{page}");
    }
    let full_house = [
        "evaluate",
        "own-c",
        "2s",
        "2h",
        "2d",
        "9c",
        "9h",
        "--paytables",
        &path,
    ];
    let page = run(&full_house).await.with(0).stdout;
    assert!(
        page.contains("full-house pays 500 for 1, $500.00"),
        "{page}"
    );
    fs::write(folder.path().join("bad.toml"), "format = 1\n").expect("a file");
    drop(
        run(&full_house)
            .await
            .with(3)
            .saying("a paytable can't be used"),
    );
}

/// Massachusetts: an operator files rates and seeds; a wager at which they are below the least amount opens nothing.
#[tokio::test]
async fn the_least_amount_of_a_jurisdiction() {
    let (data, own) = (folder(), folder());
    let printed = include_str!("../../server/catalogue/paytables/ma-five-card-hand-bonus.toml");
    let (printed, _) = printed.split_once("[[not_in_source]]").expect("gaps");
    let filed = "seed = 10_000\nreseed = 10_000\nprimary = \"13%\"\nreserve = \"8%\"";
    let text = printed
        .replace("seed_least = 10_000", filed)
        .replace("\ngames ", "\neffective = 2026-01-01\ngames ");
    let file = own.path().join("ma-five-card-hand-bonus.toml");
    fs::write(&file, text).expect("a file");
    let path = own.path().display().to_string();
    let mut server = Running::start(data.path(), &["serve", "--paytables", &path]);
    let nobody = Caller::nobody(server.says("listening on ").await);
    let token = managers_token(data.path()).await;
    let ana = nobody.with_token(&token);
    let terms =
        |wager: &str| json!({"paytable": "ma-five-card-hand-bonus", "wager": wager, "decks": 1});
    let refused = ana.put("/v1/links/main", &terms("0.50")).await;
    let refused = refused.problem(422, "seed_below_minimum");
    assert_eq!(
        refused["fields"],
        json!({"level": "meter", "seed": "5000.00", "least": "10000.00"})
    );
    drop(ana.put("/v1/links/main", &terms("1.00")).await.created());
    drop(ana.accept_values("main").await.created());
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// A file that breaks keeps a server from starting only where a link was opened with its paytable; every mistake is said.
#[tokio::test]
async fn a_file_that_breaks() {
    let (data, own) = (folder(), folder());
    let file = own.path().join("own-c.toml");
    let good = GOOD.replace("pa-657a-five-card-c", "own-c");
    let bad = good.replace("\"full-house\"", "\"full-hose\"");
    let path = own.path().display().to_string();
    let serve = ["serve", "--paytables", &path];
    fs::write(&file, &bad).expect("a file");
    let mut server = Running::start(data.path(), &serve);
    let nobody = Caller::nobody(server.says("listening on ").await);
    let token = managers_token(data.path()).await;
    let terms = json!({"paytable": "own-c", "wager": "1.00", "decks": 1});
    let open = async |nobody: &Caller| {
        let ana = nobody.with_token(&token);
        ana.put("/v1/links/main", &terms).await
    };
    drop(open(&nobody).await.problem(404, "unknown_paytable"));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    fs::write(&file, &good).expect("a file");
    let mut server = Running::start(data.path(), &serve);
    let nobody = Caller::nobody(server.says("listening on ").await);
    drop(open(&nobody).await.created());
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    fs::write(&file, &bad).expect("a file");
    let refused = run_on(data.path(), &serve).await.with(3);
    let refused = refused.saying("link main was opened with a paytable whose file");
    let line = 1 + bad
        .lines()
        .position(|it| it.contains("full-hose"))
        .expect("a line");
    let named = format!("own-c.toml:{line}:");
    assert!(refused.stderr.contains(&named), "{}", refused.stderr);
    // Without the folder the link plays on: it keeps what it was opened with.
    let mut server = Running::start(data.path(), &["serve"]);
    let nobody = Caller::nobody(server.says("listening on ").await);
    assert_eq!(
        nobody.get("/v1/links/main").await.is(200)["paytable"],
        "own-c"
    );
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// A file that says something else afterwards is another version: a link keeps the one that it was opened with, and a table
/// that comes with the new one is told what differs.
#[tokio::test]
async fn a_link_keeps_its_version() {
    let (data, own) = (folder(), folder());
    let file = own.path().join("own-c.toml");
    let first = of_the_house("own-c");
    let second = first.replace("pays = { for_one = 40 }", "pays = { for_one = 41 }");
    assert_ne!(first, second);
    let path = own.path().display().to_string();
    let serve = ["serve", "--paytables", &path];
    fs::write(&file, &first).expect("a file");
    let mut server = Running::start(data.path(), &serve);
    let nobody = Caller::nobody(server.says("listening on ").await);
    let token = managers_token(data.path()).await;
    let ana = nobody.with_token(&token);
    let terms = json!({"paytable": "own-c", "wager": "1.00", "decks": 1});
    drop(ana.put("/v1/links/main", &terms).await.created());
    drop(ana.accept_values("main").await.created());
    let opened = ana.get("/v1/links/main").await.is(200);
    let opened = opened.text("paytable_version").to_owned();
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    fs::write(&file, &second).expect("a file");
    let mut server = Running::start(data.path(), &serve);
    let nobody = Caller::nobody(server.says("listening on ").await);
    let ana = nobody.with_token(&token);
    let now = ana.get("/v1/links/main").await.is(200);
    assert_eq!(now.text("paytable_version"), opened);
    let listed = ana.get("/v1/paytables/own-c").await.is(200);
    assert_ne!(listed.text("version"), opened);
    let felt = json!({"link": "main", "game": "crazy-4-poker", "seats": 6, "paytable": "own-c", "wager": "1.00",
        "decks": 1});
    let refused = ana.put("/v1/tables/T1", &felt).await;
    let refused = refused.problem(422, "table_differs");
    let differs = json!({"line flush": "link 40 for 1, table 41 for 1"});
    assert_eq!(refused["fields"], differs);
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

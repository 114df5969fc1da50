//! `meterhouse paytable`, `evaluate` and `returns`: lists paytables, finds every mistake in an own file, and computes the
//! pay of a hand and the returns of a paytable.

use std::fs;
use std::path::Path;

use meterhouse_tests::Caller;
use nix::sys::signal::Signal;
use serde_json::json;

use crate::program::{Running, folder, run, run_on};

const GOOD: &str = include_str!("../../server/catalogue/paytables/pa-657a-five-card-c.toml");

/// Returns [`GOOD`] with another id and an unknown jurisdiction.
fn own_paytable(id: &str) -> String {
    let own = GOOD
        .replace("pa-657a-five-card-c", id)
        .replace("\"PA\"", "\"house\"")
        .replace("\"58 Pa. Code § 657a.12(e)\"", "\"none\"");
    assert!(own.contains("\"none\"") && own.contains("\"house\""));
    own
}

/// Creates a manager named ana, and returns the token.
pub(crate) async fn manager_token(data: &Path) -> String {
    let ana = ["token", "create", "--role", "manager", "--name", "ana"];
    let token = run_on(data, &ana).await.with_code(0).stdout;
    token.trim().to_owned()
}

/// Every paytable is listed with its citation and can be shown.
#[tokio::test]
async fn paytables_are_listed_and_shown() {
    let listed = run(&["paytable", "list"]).await.with_code(0).stdout;
    let ids: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(
        ids.len() >= 7 && ids.contains(&"pa-657a-five-card-c"),
        "{listed}"
    );
    for id in ids {
        let shown = run(&["paytable", "show", id]).await.with_code(0).stdout;
        let cited = ["58 Pa. Code §", "Massachusetts Gaming Commission"];
        assert!(
            cited.iter().any(|citation| shown.contains(citation)),
            "{shown}"
        );
    }
    assert!(
        listed.contains("incomplete: envy, pays not in the source"),
        "{listed}"
    );
    let shown = run(&["paytable", "show", "ma-four-card-a"])
        .await
        .with_code(0);
    assert!(
        shown.stdout.contains("filed, at least $5,000"),
        "{}",
        shown.stdout
    );
    drop(
        run(&["paytable", "show", "pa-none"])
            .await
            .with_code(2)
            .with_error("there is no paytable"),
    );
    drop(
        run(&["paytable", "show", "no name"])
            .await
            .with_code(2)
            .with_error("there is no paytable"),
    );
}

/// A good file is valid. Every mistake in a bad file is named with its line, and the other files are checked as well.
#[tokio::test]
async fn mistakes_are_named_with_their_lines() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    // A file has the name of its paytable.
    let good_file = path("own-c.toml");
    fs::write(&good_file, GOOD.replace("pa-657a-five-card-c", "own-c")).expect("a file");
    let good = run(&["paytable", "check", &good_file]).await.with_code(0);
    assert!(good.stdout.contains("own-c is well"), "{}", good.stdout);

    let bad = GOOD
        .replace("primary = \"9%\"", "primary = \"9\"")
        .replace("hand = \"full-house\"", "hand = \"full-hose\"")
        .replace("of = \"major\"", "of = \"mayor\"");
    fs::write(path("bad.toml"), &bad).expect("a file");
    let (bad_file, no_file) = (path("bad.toml"), path("none.toml"));
    let ended = run(&["paytable", "check", &bad_file, &no_file, &good_file])
        .await
        .with_code(3);
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
    let name = folder.path().display().to_string();
    let checked = run(&["paytable", "check", &name]).await.with_code(3);
    let remedy = format!("{name}: a folder: name its files, as {name}/*.toml does\n");
    assert_eq!(checked.stdout, remedy);
    // The three mistakes, the file's name, and the missing file.
    drop(ended.with_error("5 mistakes were found"));
}

/// A hand is evaluated with its citation. An invalid hand is refused with the remedy.
#[tokio::test]
async fn hands_are_evaluated_with_citations() {
    let royal = ["As", "Ks", "Qs", "Js", "Ts"];
    let evaluate = async |words: &[&str]| {
        let mut all = vec!["evaluate", "pa-657a-five-card-c"];
        all.extend(words);
        run(&all).await
    };
    let page = evaluate(&royal).await.with_code(0).stdout;
    for part in [
        "58 Pa. Code § 657a.12(e)",
        "royal-flush pays 100% of mega, charged to the meter",
        "A floorperson or above validates it first.",
        "$1000.00 envy",
    ] {
        assert!(page.contains(part), "{page}");
    }
    let with_amount = [&royal[..], &["--displayed", "12345.67"]].concat();
    let page = evaluate(&with_amount).await.with_code(0).stdout;
    assert!(page.contains("100% of mega, $12345.67"), "{page}");
    let page = evaluate(&["2s", "2h", "2d", "9c", "Jh", "--wager", "5.00"]).await;
    let page = page.with_code(0).stdout;
    assert!(
        page.contains("three-of-a-kind pays 10 for 1, $50.00"),
        "{page}"
    );
    // The values that Massachusetts leaves to the operator do not affect a hand's pay. Missing pays do.
    let aces = ["As", "Ah", "Ad", "Ac", "2s"];
    let page = run(&[&["evaluate", "ma-four-card-a"], &aces[..]].concat()).await;
    let page = page.with_code(0).stdout;
    assert!(page.contains("four-aces pays 100% of meter"), "{page}");
    let missing = run(&["evaluate", "pa-643a-three-card-a", "As", "Ks", "Qs"]).await;
    drop(
        missing
            .with_code(2)
            .with_error("pays not in 58 Pa. Code § 643a.12(d)(1)"),
    );
    let page = evaluate(&["2s", "4h", "6d", "9c", "Jh"])
        .await
        .with_code(0)
        .stdout;
    assert!(page.contains("high-card wins nothing."), "{page}");
    for (words, sentence) in [
        (vec!["As", "Ks"], "these are 2"),
        (vec!["As", "As", "Qs", "Js", "Ts"], "As comes twice"),
        (
            vec!["As", "Ks", "Qs", "Js", "1s"],
            "card: \"1s\" is not valid: write the rank",
        ),
        (
            [&royal[..], &["--on", "dealer"]].concat(),
            "can't be wagered on",
        ),
        ([&royal[..], &["--wager", "0"]].concat(), "more than 0.00"),
    ] {
        drop(evaluate(&words).await.with_code(2).with_error(sentence));
    }
}

/// The returns of a paytable are computed at its seeds, at given meters, and with draws.
#[tokio::test]
async fn returns_are_computed() {
    let page = run(&["returns", "pa-657a-five-card-c"])
        .await
        .with_code(0)
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
    let page = run(&at).await.with_code(0).stdout;
    // 28 more seeds of the mega level add 28 × 4 × 10,000 ÷ 2,598,960 to 56.89%.
    assert!(page.contains("99.99%"), "{page}");
    let draws = [
        "returns",
        "pa-657a-five-card-hand-bonus",
        "--magic-card-one-in",
        "10",
    ];
    let page = run(&draws).await.with_code(0).stdout;
    for part in ["192.31%", "19.23%", "71.43%", "76.47%"] {
        assert!(page.contains(part), "{page}");
    }
    for (words, sentence) in [
        (
            ["returns", "pa-none", "--wager", "1.00"],
            "there is no paytable",
        ),
        (
            ["returns", "pa-657a-five-card-c", "--wager", "x"],
            "wager: \"x\" is not valid: write dollars",
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
        drop(run(&words).await.with_code(2).with_error(sentence));
    }
}

/// An own paytable that returns more than the wager has a warning, and its hands are evaluated.
#[tokio::test]
async fn an_own_paytable_is_evaluated() {
    let folder = folder();
    let path = folder.path().display().to_string();
    let own = own_paytable("own-c").replace("for_one = 50 }", "for_one = 500 }");
    fs::write(folder.path().join("own-c.toml"), own).expect("a file");
    let page = run(&["returns", "own-c", "--paytables", &path]).await;
    let page = page.with_code(0).stdout;
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
    let page = run(&full_house).await.with_code(0).stdout;
    assert!(
        page.contains("full-house pays 500 for 1, $500.00"),
        "{page}"
    );
    fs::write(folder.path().join("bad.toml"), "format = 1\n").expect("a file");
    drop(
        run(&full_house)
            .await
            .with_code(3)
            .with_error("a paytable can't be used"),
    );
}

/// In Massachusetts an operator files rates and seeds. A wager with a seed below the minimum is refused.
#[tokio::test]
async fn a_seed_below_the_minimum_is_refused() {
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
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let token = manager_token(data.path()).await;
    let ana = anonymous.with_token(&token);
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

/// A broken file prevents the start of a server only if an open link uses its paytable. Every mistake is named.
#[tokio::test]
async fn a_broken_file_of_an_opened_link_prevents_the_start() {
    let (data, own) = (folder(), folder());
    let file = own.path().join("own-c.toml");
    let good = GOOD.replace("pa-657a-five-card-c", "own-c");
    let bad = good.replace("\"full-house\"", "\"full-hose\"");
    let path = own.path().display().to_string();
    let serve = ["serve", "--paytables", &path];
    fs::write(&file, &bad).expect("a file");
    let mut server = Running::start(data.path(), &serve);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let token = manager_token(data.path()).await;
    let terms = json!({"paytable": "own-c", "wager": "1.00", "decks": 1});
    let open = async |anonymous: &Caller| {
        let ana = anonymous.with_token(&token);
        ana.put("/v1/links/main", &terms).await
    };
    drop(open(&anonymous).await.problem(404, "unknown_paytable"));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    fs::write(&file, &good).expect("a file");
    let mut server = Running::start(data.path(), &serve);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    drop(open(&anonymous).await.created());
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    fs::write(&file, &bad).expect("a file");
    let refused = run_on(data.path(), &serve).await.with_code(3);
    let refused = refused.with_error("link main was opened with a paytable whose file");
    let line = 1 + bad
        .lines()
        .position(|text| text.contains("full-hose"))
        .expect("a line");
    let named = format!("own-c.toml:{line}:");
    assert!(refused.stderr.contains(&named), "{}", refused.stderr);
    // Without the folder the link stays in play with its stored paytable.
    let mut server = Running::start(data.path(), &["serve"]);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    assert_eq!(
        anonymous.get("/v1/links/main").await.is(200)["paytable"],
        "own-c"
    );
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// A changed file is another version. A link keeps its own version, and a table with the new version is refused with the
/// differences.
#[tokio::test]
async fn a_link_keeps_its_version() {
    let (data, own) = (folder(), folder());
    let file = own.path().join("own-c.toml");
    let first = own_paytable("own-c");
    let second = first.replace("pays = { for_one = 40 }", "pays = { for_one = 41 }");
    assert_ne!(first, second);
    let path = own.path().display().to_string();
    let serve = ["serve", "--paytables", &path];
    fs::write(&file, &first).expect("a file");
    let mut server = Running::start(data.path(), &serve);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let token = manager_token(data.path()).await;
    let ana = anonymous.with_token(&token);
    let terms = json!({"paytable": "own-c", "wager": "1.00", "decks": 1});
    drop(ana.put("/v1/links/main", &terms).await.created());
    drop(ana.accept_values("main").await.created());
    let opened = ana.get("/v1/links/main").await.is(200);
    let opened = opened.text("paytable_version").to_owned();
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    fs::write(&file, &second).expect("a file");
    let mut server = Running::start(data.path(), &serve);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let ana = anonymous.with_token(&token);
    let now = ana.get("/v1/links/main").await.is(200);
    assert_eq!(now.text("paytable_version"), opened);
    let listed = ana.get("/v1/paytables/own-c").await.is(200);
    assert_ne!(listed.text("version"), opened);
    let join = json!({"link": "main", "game": "crazy-4-poker", "seats": 6, "paytable": "own-c", "wager": "1.00",
        "decks": 1});
    let refused = ana.put("/v1/tables/T1", &join).await;
    let refused = refused.problem(422, "table_differs");
    let differs = json!({"line flush": "link 40 for 1, table 41 for 1"});
    assert_eq!(refused["fields"], differs);
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

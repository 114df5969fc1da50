//! `meterhouse paytable`: what there is, and every mistake in a file of one's own.

use std::fs;

use crate::program::{folder, run};

const GOOD: &str = include_str!("../../server/catalogue/paytables/pa-657a-five-card-c.toml");

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
        assert!(shown.contains("58 Pa. Code"), "{shown}");
    }
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
    let good_file = path("pa-657a-five-card-c.toml");
    fs::write(&good_file, GOOD).expect("a file");
    let good = run(&["paytable", "check", &good_file]).await.with(0);
    assert!(
        good.stdout.contains("pa-657a-five-card-c is well"),
        "{}",
        good.stdout
    );

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

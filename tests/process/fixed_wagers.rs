//! `meterhouse paytable` and `returns` for tables of fixed wagers.

use std::fs;

use crate::program::{folder, run};

const PAGE: &str = include_str!("../../docs/operating/paytables.md");

/// A table of fixed wagers is listed, shown and valued beside the paytables, and is said to be none where a meter is needed.
#[tokio::test]
async fn tables_of_fixed_wagers_are_shown_and_valued() {
    let listed = run(&["paytable", "list"]).await.with_code(0).stdout;
    let line = |id: &str| listed.lines().find(|line| line.starts_with(id));
    let queens = line("pa-657a-queens-up-a").expect("a line");
    assert!(
        queens.ends_with("(58 Pa. Code § 657a.12(c); fixed odds)"),
        "{queens}"
    );
    let aces = line("pa-641a-aces-up").expect("a line");
    assert!(
        aces.contains("fixed odds; incomplete: lines, look not in the source"),
        "{aces}"
    );
    let shown = run(&["paytable", "show", "pa-657a-queens-up-a"])
        .await
        .with_code(0)
        .stdout;
    assert!(shown.contains("Pair of queens or better"), "{shown}");
    let json = run(&["returns", "pa-684a-prime-a", "--json"])
        .await
        .with_code(0)
        .stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["values"][0]["hold"]["exact"], "79/1666");
    for refused in [
        ["returns", "pa-684a-prime-a", "--seats", "6"],
        ["paytable", "compare", "pa-684a-prime-a", "pa-684a-prime-b"],
    ] {
        drop(
            run(&refused)
                .await
                .with_code(2)
                .with_error("a table of fixed wagers"),
        );
    }
}

/// The value of a wager is shown, with its warning, or the reason why it has none.
#[tokio::test]
async fn fixed_wagers_have_a_value_or_a_reason() {
    for (id, says) in [
        ("pa-684a-prime-a", "The house keeps                4.74%"),
        (
            "pa-684a-four-card-bonus-c",
            "The house keeps                1.70%",
        ),
        (
            "pa-684a-four-card-bonus-c",
            "The house keeps               20.46%",
        ),
        (
            "pa-643a-five-card-bonus-a",
            "Warning: this table returns 118.99% of every wager: the house loses.",
        ),
        ("pa-625a-sic-bo-a", "Total Value Bet of 10"),
        ("pa-653a-bad-beat-a", "The house keeps               20.39%"),
        (
            "pa-684a-odds-bad-beat-a",
            "no value: depends on the player's strategy.",
        ),
        (
            "pa-684a-odds-bad-beat-a",
            "The house keeps                1.67%",
        ),
        (
            "pa-641a-aces-up",
            "no value: missing: lines, look not in 58 Pa. Code § 641a.12(a)—(c)",
        ),
        (
            "pa-657a-queens-up-a",
            "Assumes that no winning hand is folded, since a fold loses the wager.",
        ),
        (
            "pa-657a-super-bonus",
            "Shares are parts of the two equal wagers before the deal, without the wager after it.",
        ),
        (
            "pa-617a-touchdown-a",
            "Assumes that 0 and 00 among the four downs leave the football where it is: no source says it.",
        ),
        (
            "ma-cover-all-3",
            "Counts of a billion deals are rounded, and all else is computed from them: no number here is exact.",
        ),
    ] {
        let returns = run(&["returns", id]).await.with_code(0).stdout;
        assert!(returns.contains(says), "{returns}");
    }
}

/// The file that the page of paytables shows is well, and completes the table of its id.
#[tokio::test]
async fn the_file_of_the_page_completes_a_table() {
    let id = "pa-643a-let-it-ride";
    let (_, file) = PAGE.split_once("```toml\n").expect("a file");
    let (file, _) = file.split_once("```").expect("its end");
    let folder = folder();
    let path = folder.path().join(format!("{id}.toml"));
    fs::write(&path, file).expect("written");
    let path = path.display().to_string();
    let checked = run(&["paytable", "check", &path]).await.with_code(0);
    let well = format!("{path}: {id} is well: ");
    assert!(checked.stdout.starts_with(&well), "{}", checked.stdout);
    let own = folder.path().display().to_string();
    let listed = run(&["paytable", "list", "--paytables", &own]).await;
    let listed = listed.with_code(0).stdout;
    let line = listed.lines().find(|line| line.starts_with(id));
    let line = line.expect("a line");
    assert!(!line.contains("incomplete"), "{line}");
}

/// The manual's holds of Cajun Stud under best play are those that `returns` counts.
#[tokio::test]
async fn the_manual_has_the_holds_of_best_play() {
    let page = run(&["manual", "cajun-stud"]).await.with_code(0).stdout;
    for letter in ["A", "B", "C"] {
        let id = format!("pa-683a-ante-raise-{}", letter.to_lowercase());
        let json = run(&["returns", &id, "--json"]).await.with_code(0).stdout;
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let hold = json["values"][0]["hold"]["percent"].as_str();
        let says = format!("{} with Paytable {letter}", hold.expect("a hold"));
        assert!(page.contains(&says), "{says}");
    }
}

//! `meterhouse paytable charge`, `compare` and `returns`. `charge` offers a file that returns less than the wager for a
//! paytable that returns more. `compare` checks if two paytables may share a link. `returns` includes draws and envy.

use std::fs;

use meterhouse_tests::{Caller, HAND_BONUS, TwoPeople};
use nix::sys::signal::Signal;
use serde_json::json;

use crate::program::{Running, folder, run, run_on};

/// An offered paytable is written to a file, is valid and without warning, and is playable without acknowledgement.
#[tokio::test]
async fn an_offered_paytable_can_be_played() {
    let (data, own) = (folder(), folder());
    let path = own.path().display().to_string();
    let printed = run(&["paytable", "charge", "pa-639a-a"]).await.with_code(0);
    let offer = "pa-639a-a returns 132.47% in the long run; this returns 99.14%: keep it as";
    assert!(printed.stderr.contains(offer), "{}", printed.stderr);
    let write = ["paytable", "charge", "pa-639a-a", "--write", &path];
    let written = run(&write).await.with_code(0);
    assert!(written.stderr.contains("written to"), "{}", written.stderr);
    let file = own.path().join("pa-639a-a-charged.toml");
    let kept = fs::read_to_string(&file).expect("a file");
    assert_eq!(kept, printed.stdout);
    // An existing file is not overwritten.
    fs::write(&file, "mine").expect("a file");
    drop(run(&write).await.with_code(3).with_error("can't write"));
    assert_eq!(fs::read_to_string(&file).expect("a file"), "mine");
    fs::write(&file, &kept).expect("a file");
    let checked = run(&["paytable", "check", &file.display().to_string()]).await;
    let checked = checked.with_code(0).stdout;
    assert!(checked.contains("pa-639a-a-charged is well"), "{checked}");
    let page = run(&["returns", "pa-639a-a-charged", "--paytables", &path]).await;
    let page = page.with_code(0).stdout;
    assert!(!page.contains("Warning"), "{page}");

    let mut server = Running::start(data.path(), &["serve", "--paytables", &path]);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let token = async |words: &[&str]| {
        let words = [&["token", "create"], words].concat();
        let token = run_on(data.path(), &words).await.with_code(0).stdout;
        anonymous.with_token(token.trim())
    };
    let ana = token(&["--role", "manager", "--name", "ana"]).await;
    let offer = ana.get("/v1/paytables/pa-639a-a/returns").await.is(200);
    // The id is taken by now.
    assert_eq!(offer["offer"]["paytable"], "pa-639a-a-charged2");
    let terms = json!({"paytable": "pa-639a-a-charged", "wager": "1.00", "decks": 1, "confirm_inferred": true});
    drop(ana.put("/v1/links/main", &terms).await.created());
    drop(ana.accept_values("main").await.created());
    let join = json!({"link": "main", "game": "caribbean-stud", "seats": 6, "paytable": "pa-639a-a-charged",
        "wager": "1.00", "decks": 1, "confirm_inferred": true});
    drop(ana.put("/v1/tables/CS1", &join).await.created());
    let dealer = token(&["--role", "controller", "--name", "CS1", "--table", "CS1"]).await;
    let coin_in =
        json!({"command": "coin_in", "wagers": [{"seat": 1, "amount": "1.00"}], "dealt": [1]});
    drop(
        dealer
            .put("/v1/tables/CS1/commands/1", &coin_in)
            .await
            .created(),
    );
    assert_eq!(ana.get("/v1/links/main").await.is(200)["state"], "open");
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// A link whose draws return more than the wager waits for two people, also after a restart. Its journal verifies.
#[tokio::test]
async fn draws_need_two_people() {
    let data = folder();
    let token = async |words: &[&str]| {
        let words = [&["token", "create"], words].concat();
        let token = run_on(data.path(), &words).await.with_code(0).stdout;
        token.trim().to_owned()
    };
    let person = async |name: &str, department: &str| {
        let words = [
            "--role",
            "manager",
            "--name",
            name,
            "--department",
            department,
        ];
        token(&words).await
    };
    let mut server = Running::start(data.path(), &["serve"]);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let (ana, gil) = (
        person("ana", "tables").await,
        person("gil", "security").await,
    );
    let manager = anonymous.with_token(&ana);
    // 57.24% in the long run, and 100/52 for a Magic Card in one of four rounds.
    let terms =
        json!({"paytable": HAND_BONUS, "wager": "1.00", "decks": 1, "magic_card_one_in": 4});
    let opened = manager.put("/v1/links/main", &terms).await.created();
    drop(manager.accept_values("main").await.created());
    assert_eq!(opened["returns"]["total"]["percent"], "105.31%");
    assert_eq!(opened["returns"]["two_people"], true);
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    let mut server = Running::start(data.path(), &["serve"]);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let both = TwoPeople {
        one: anonymous.with_token(&ana),
        other: anonymous.with_token(&gil),
    };
    let state = async || both.one.get("/v1/links/main").await.is(200)["state"].clone();
    assert_eq!(state().await, "suspended");
    let acknowledge = json!({"change": "acknowledge_returns"});
    drop(both.change("main", &acknowledge).await);
    assert_eq!(state().await, "open");
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    drop(run_on(data.path(), &["verify"]).await.with_code(0));
}

/// The returns of a link include draws and the envy of a full table. A return above the wager has a warning.
#[tokio::test]
async fn returns_include_draws_and_envy() {
    let page = run(&["returns", "pa-657a-five-card-c"])
        .await
        .with_code(0)
        .stdout;
    for part in ["On a link: envy at a full table of 6", "78.74%"] {
        assert!(page.contains(part), "{page}");
    }
    assert!(!page.contains("Warning"), "{page}");
    // A lucky position at a single seat: 57.24% + 5/11. With six seats and the dealer's: 57.24% + 5/77.
    let lucky = [
        "returns",
        "pa-657a-five-card-hand-bonus",
        "--lucky-bonus-one-in",
        "11",
    ];
    let page = run(&lucky).await.with_code(0).stdout;
    for part in [
        "63.73%",
        "45.45%",
        "Warning: on a link this returns up to 102.69%",
        "two people have to acknowledge",
    ] {
        assert!(page.contains(part), "{page}");
    }
}

/// A paytable without an offer is refused with its reason.
#[tokio::test]
async fn a_paytable_without_an_offer_is_refused() {
    for (id, sentence) in [
        ("pa-657a-five-card-c", "it returns 75.89% in the long run"),
        ("pa-none", "there is no paytable"),
        ("ma-five-card-hand-bonus", "rates not in Massachusetts"),
    ] {
        drop(
            run(&["paytable", "charge", id])
                .await
                .with_code(2)
                .with_error(sentence),
        );
    }
    // No level can bear enough of the fixed pays.
    let own = folder();
    let path = own.path().display().to_string();
    let source = include_str!("../../server/catalogue/paytables/pa-639a-a.toml");
    let own_a = source
        .replace("\"pa-639a-a\"", "\"own-a\"")
        .replace("\"PA\"", "\"house\"")
        .replace("\"58 Pa. Code § 639a.12(d)\"", "\"none\"")
        .replace("for_one = 2 }", "for_one = 50 }");
    fs::write(own.path().join("own-a.toml"), own_a).expect("a file");
    let refused = run(&["paytable", "charge", "own-a", "--paytables", &path]).await;
    drop(
        refused
            .with_code(2)
            .with_error("No file with fixed pays off a level can be offered"),
    );
}

/// Caribbean F equals Crazy 4 five-card B. The paytables C of both games differ, and every difference is listed.
#[tokio::test]
async fn two_paytables_are_compared() {
    let same = run(&["paytable", "compare", "pa-639a-f", "pa-657a-five-card-b"]).await;
    let same = same.with_code(0).stdout;
    for says in ["may share a link", "envy as in 58 Pa. Code § 657a.12(e)(5)"] {
        assert!(same.contains(says), "{same}");
    }
    let other = run(&["paytable", "compare", "pa-639a-c", "pa-657a-five-card-c"]).await;
    let other = other.with_code(0).stdout;
    for says in [
        "may not share a link",
        "level meter: pa-639a-c has seed 10000",
        "level mega: pa-639a-c has none",
        "linkable: pa-639a-c has false; pa-657a-five-card-c has true",
    ] {
        assert!(other.contains(says), "{says}\n{other}");
    }
    let refused = run(&["paytable", "compare", "pa-639a-c", "pa-none"]).await;
    drop(
        refused
            .with_code(2)
            .with_error("there is no paytable \"pa-none\""),
    );
}

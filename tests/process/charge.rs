//! `meterhouse paytable charge`: a paytable that returns more than the wager, as a file of the operator's own that doesn't.

use std::fs;

use meterhouse_tests::Caller;
use nix::sys::signal::Signal;
use serde_json::json;

use crate::program::{Running, folder, run, run_on};

/// What is printed is kept, is well, warns no longer, and a link opens with it and plays at once; a fixed pay that the
/// meter can't bear is paid by the house.
#[tokio::test]
async fn what_is_offered_plays() {
    let (data, own) = (folder(), folder());
    let made = run(&["paytable", "charge", "pa-639a-a"]).await.with(0);
    let said = "pa-639a-a returns 132.47% in the long run; this returns 99.14%";
    assert!(made.stderr.contains(said), "{}", made.stderr);
    let file = own.path().join("pa-639a-a-charged.toml");
    fs::write(&file, &made.stdout).expect("a file");
    let path = own.path().display().to_string();
    let checked = run(&["paytable", "check", &file.display().to_string()]).await;
    let checked = checked.with(0).stdout;
    assert!(checked.contains("pa-639a-a-charged is well"), "{checked}");
    let page = run(&["returns", "pa-639a-a-charged", "--paytables", &path]).await;
    let page = page.with(0).stdout;
    assert!(!page.contains("Warning"), "{page}");

    let mut server = Running::start(data.path(), &["serve", "--paytables", &path]);
    let nobody = Caller::nobody(server.says("listening on ").await);
    let ana = ["token", "create", "--role", "manager", "--name", "ana"];
    let token = run_on(data.path(), &ana).await.with(0).stdout;
    let ana = nobody.with_token(token.trim());
    let offer = ana.get("/v1/paytables/pa-639a-a/returns").await.is(200);
    assert_eq!(offer["offer"]["file"], made.stdout);
    let terms = json!({"paytable": "pa-639a-a-charged", "wager": "1.00", "decks": 1, "confirm_inferred": true});
    drop(ana.put("/v1/links/main", &terms).await.created());
    assert_eq!(ana.get("/v1/links/main").await.is(200)["state"], "open");
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// Where there is nothing to charge it says so, and what it returns.
#[tokio::test]
async fn where_there_is_nothing_to_charge() {
    let refused = run(&["paytable", "charge", "pa-657a-five-card-c"]).await;
    drop(refused.with(2).saying("returns 75.89% in the long run"));
    let refused = run(&["paytable", "charge", "pa-none"]).await;
    drop(refused.with(2).saying("there is no paytable"));
    let refused = run(&["paytable", "charge", "ma-five-card-hand-bonus"]).await;
    drop(refused.with(2).saying("rates not in Massachusetts"));
}

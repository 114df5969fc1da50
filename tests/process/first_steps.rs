//! The first steps of README.md, word for word: the commands of a newcomer, and the amounts on the page.
//!
//! # Difference
//! The port: another process may use 8080, so the block and `serve` use a free port.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use meterhouse_tests::client::amounts;
use meterhouse_tests::page::{Mark, commands};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{PROGRAM, command, folder, own_address, run_to_end};

const PAGE: &str = include_str!("../../README.md");

/// Returns the commands of the steps, and those that check the books.
fn blocks() -> [String; 2] {
    let blocks = commands(PAGE).into_iter();
    let here = blocks.filter(|block| block.mark == Mark::RunBy("tests/process/first_steps.rs"));
    let here: Vec<String> = here.map(|block| block.text).collect();
    here.try_into()
        .expect("two blocks with the mark of this test")
}

/// Creates a folder with `meterhouse` in `bin`, which serves on this port.
fn program_folder(port: u16) -> TempDir {
    let folder = folder();
    let wrapper = format!(
        "#!/bin/sh
if [ \"$1\" = serve ]; then set -- \"$@\" --listen 127.0.0.1:{port} --grpc-listen 127.0.0.1:0; fi
exec '{PROGRAM}' \"$@\"
"
    );
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).expect("a folder");
    fs::write(bin.join("meterhouse"), wrapper).expect("a script");
    let rights = Permissions::from_mode(0o755);
    fs::set_permissions(bin.join("meterhouse"), rights).expect("its rights");
    folder
}

/// Returns the page's blocks as one script, with another port.
fn script(port: u16) -> String {
    let [steps, verify] = blocks();
    let is_known = steps.contains("127.0.0.1:8080") && PAGE.contains("`kill %1`");
    assert!(is_known, "the page has changed");
    let steps = steps.replace("127.0.0.1:8080", &format!("127.0.0.1:{port}"));
    format!("{steps}\necho\nkill %1; wait %1; echo \"served: $?\"\n{verify}")
}

/// The first steps as printed give the amounts of the page.
#[tokio::test]
async fn the_first_steps_give_the_promised_amounts() {
    let port = own_address().port();
    let folder = program_folder(port);
    let mut bash = command("bash");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = format!("{}:{}", folder.path().join("bin").display(), path.display());
    bash.args(["-c", &script(port)])
        .env("PATH", path)
        .current_dir(folder.path());
    let ended = run_to_end(bash).await.with_code(0);

    let answers = ended.stdout.lines();
    let answers: Vec<Value> = answers
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let [
        link,
        values,
        table,
        coin_in,
        hit,
        approved,
        paid,
        closed,
        journal,
    ] = &answers[..]
    else {
        panic!("nine answers, not {}: {ended:#?}", answers.len())
    };
    assert_eq!(link["link"], "main");
    assert_eq!(values["values"][0]["amount"], "10000.00");
    assert_eq!(table["table"], "C4P-07");
    assert_eq!(amounts(coin_in), ["10000.27", "1000.21", "250.09"]);
    assert_hit(hit);
    assert_eq!(approved["by"], "sam");
    assert_eq!(paid["document"], "JP-000001");
    assert_eq!(closed["hits"], json!(["C4P-07.2"]));
    assert_eq!(journal["entries"].as_array().map(Vec::len), Some(8));
    for line in ["served: 0", "everything agrees, difference 0.00"] {
        assert!(ended.stdout.contains(line), "{ended:#?}");
    }
}

/// Asserts "due 10000.27; envy 1000.00 each to seats 1 and 5; mega restarts at 10000.00".
fn assert_hit(hit: &Value) {
    assert_eq!(hit["hit"]["due"], "10000.27");
    assert_eq!(amounts(hit)[0], "10000.00");
    let payouts = hit["hit"]["payouts"].as_array().expect("payouts").iter();
    let envy = payouts.filter(|payout| payout["kind"] == "envy");
    let envy = envy.map(|payout| json!([payout["seat"], payout["amount"]]));
    let envy: Vec<Value> = envy.collect();
    assert_eq!(envy, [json!([5, "1000.00"]), json!([1, "1000.00"])]);
}

//! Heads that wait for a witness which is away, and what can be no witness.

use std::fs;

use meterhouse_tests::{Caller, eventually};
use nix::sys::signal::Signal;

use super::{auditor, heads, house, signed, without_gap};
use crate::export::text;
use crate::program::{folder, give_to_server, own_address, run_to_end, serve_command};
use crate::serve::open_table;

/// Waits until the measure of unsent heads is that of all heads, of the link and of the house.
async fn metrics_say_unsent(auditor: &Caller, metrics: &Caller, of_link: u64) {
    eventually("all heads are unsent", async || {
        let of_house = auditor.get("/v1/proof").await.is(200)["head"]["number"].as_u64()?;
        let page = metrics.get("/metrics").await.is(200).text;
        let mut lines = page.lines();
        let unsent = lines.find(|line| line.starts_with("meterhouse_witness_unsent{"))?;
        let expected = format!(" {}", of_link + of_house);
        unsent.ends_with(&expected).then_some(())
    })
    .await;
}

/// While an address is down, the measure of unsent heads is their number over all chains.
#[tokio::test]
async fn all_unsent_heads_are_counted() {
    let data = folder();
    let url = format!("http://{}/hook", own_address());
    let flags = ["--witness-url", &url, "--metrics-listen", "127.0.0.1:0"];
    let mut server = house(data.path(), &flags);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let metrics = server.line_after("metrics on ").await;
    let metrics = Caller::nobody(metrics.trim_end_matches("/metrics").to_owned());
    let (_, dealer) = open_table(&data, &anonymous).await;
    let ada = auditor(&data, &anonymous).await;
    let first = signed(&ada, &dealer).await;
    let of_link = signed(&ada, &dealer).await;
    // One head alone would be counted by chance.
    assert!(of_link > first);
    metrics_say_unsent(&ada, &metrics, of_link).await;
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// A file whose folder is missing does not keep the server from starting. It has all heads once there is the folder.
#[tokio::test]
async fn a_missing_folder_is_waited_for() {
    let (data, files) = (folder(), folder());
    let missing = files.path().join("disk");
    let file = missing.join("heads.jsonl");
    let flags = ["--witness-file", text(&file)];
    let flags = [&flags[..], &["--metrics-listen", "127.0.0.1:0"]].concat();
    let mut server = house(data.path(), &flags);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let metrics = server.line_after("metrics on ").await;
    let metrics = Caller::nobody(metrics.trim_end_matches("/metrics").to_owned());
    let (_, dealer) = open_table(&data, &anonymous).await;
    let ada = auditor(&data, &anonymous).await;
    let number = signed(&ada, &dealer).await;
    eventually("some heads are unsent", async || {
        let page = metrics.get("/metrics").await.is(200).text;
        let mut lines = page.lines();
        let unsent = lines.find(|line| line.starts_with("meterhouse_witness_unsent{"))?;
        (!unsent.ends_with(" 0")).then_some(())
    })
    .await;
    fs::create_dir(&missing).expect("a folder");
    give_to_server(&missing);
    eventually("the file has all heads", async || {
        let lines = fs::read_to_string(&file).unwrap_or_default();
        let whole = lines.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let newest = without_gap(&heads(whole));
        (newest.get(&1) >= Some(&number)).then_some(())
    })
    .await;
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// What can't be a witness is refused at the start, with a sentence.
#[tokio::test]
async fn what_can_be_no_witness_is_refused() {
    let (data, files) = (folder(), folder());
    let file = files.path().join("notes.txt");
    fs::write(&file, "remember the milk").expect("a file");
    give_to_server(&file);
    give_to_server(files.path());
    let token = files.path().join("token");
    fs::write(&token, "t").expect("a file");
    for (flags, sentence) in [
        (["--witness-file", text(&file)], "is no line of a witness"),
        (
            ["--witness-url", "http://witness.example/"],
            "is no address to post to",
        ),
        (
            ["--witness-token-file", text(&token)],
            "witness.token needs witness.url",
        ),
    ] {
        let mut program = serve_command();
        program.arg("--data-dir").arg(data.path()).args(flags);
        let told = run_to_end(program).await;
        assert_ne!(told.code, Some(0));
        assert!(told.stderr.contains(sentence), "{}", told.stderr);
    }
    assert_eq!(
        fs::read_to_string(&file).expect("a file"),
        "remember the milk"
    );
}

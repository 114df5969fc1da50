//! A signing key that others may have, over the real program: what it signed from then on proves nothing, and what a
//! witness kept before convicts who signs with it.

use std::fs;
use std::path::{Path, PathBuf};

use meterhouse_journal::tree_head::SigningKey;
use meterhouse_tests::{Caller, Dealer, eventually};
use nix::sys::signal::Signal;
use serde_json::Value;
use tempfile::TempDir;

use crate::export::tampered::Export;
use crate::export::text;
use crate::program::{ProgramOutput, Running, folder, give_to_server, run, run_on, serve_command};
use crate::serve::{open_table, token};

fn serve(data: &Path, flags: &[&str]) -> Running {
    let mut program = serve_command();
    program.args(["--sign-every", "1s", "--data-dir"]);
    program.arg(data).args(flags);
    Running::spawn(program)
}

/// Plays rounds, and returns the head over them.
async fn signed(auditor: &Caller, dealer: &Dealer) -> Value {
    dealer.rounds(2, &[1]).await;
    eventually("everything is signed", async || {
        let told = auditor.get("/v1/links/main/proof").await.is(200);
        (told["head"]["batch"] == told["batch"]).then(|| told["head"].clone())
    })
    .await
}

/// Runs `meterhouse key` on the database.
async fn key(data: &Path, arguments: &[&str]) -> String {
    let told = run_on(data, &[&["key"], arguments].concat()).await;
    told.with_code(0).stdout
}

/// Exports the link into a new file of this name.
async fn exported(data: &Path, name: &str) -> PathBuf {
    let path = data.join(name);
    let arguments = ["export", "--link", "main", "--to", text(&path)];
    drop(run_on(data, &arguments).await.with_code(0));
    path
}

async fn verify(path: &Path, arguments: &[&str]) -> ProgramOutput {
    run(&[&["verify", text(path)], arguments].concat()).await
}

/// Serves with a witness's file and signs two heads over one another, which the witness has then.
async fn two_heads(data: &TempDir, witness: &Path) -> (Value, Value, Caller, Dealer) {
    let flags = ["--witness-file", text(witness)];
    let mut server = serve(data.path(), &flags);
    let base = server.line_after("listening on ").await;
    let (_, dealer) = open_table(data, &Caller::nobody(base.clone())).await;
    let ada = ["create", "--role", "auditor", "--name", "ada"];
    let ada = token(data, &ada).await.with_code(0).stdout;
    let ada = Caller::nobody(base).with_token(ada.trim());
    let good = signed(&ada, &dealer).await;
    let stolen = signed(&ada, &dealer).await;
    eventually("the witness has the heads", async || {
        let lines = fs::read_to_string(witness).unwrap_or_default();
        let bytes = stolen["bytes"].as_str().expect("bytes");
        lines.contains(bytes).then_some(())
    })
    .await;
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    (good, stolen, ada, dealer)
}

/// The thief signs another history at an earlier time. Alone it looks good, and the witness convicts it.
async fn forged(data: &Path, path: &Path, old: &str, witness: &Path) {
    let secret = fs::read_to_string(data.join("signing-key.pem")).expect("a key");
    let secret = SigningKey::from_pem(&secret).expect("a key");
    let changed = Export::read(&fs::read(path).expect("a file")).with_another_node();
    let forged = data.join("forged.mhx");
    fs::write(&forged, changed.written(Some(&secret))).expect("a file");
    drop(verify(&forged, &["--key", old]).await.with_code(0));
    let told = verify(&forged, &["--key", old, "--witness", text(witness)]).await;
    let told = told.with_code(1);
    assert!(
        told.stdout.contains("was changed since the witness's head"),
        "{}",
        told.stdout
    );
}

#[tokio::test]
async fn what_a_compromised_key_signed_proves_nothing() {
    let data = folder();
    let data_dir = data.path();
    let of = |name: &str| data_dir.join(name);
    let (witness, new) = (of("heads.jsonl"), of("new.pem"));
    let (good, stolen, ada, dealer) = two_heads(&data, &witness).await;
    let (old, since) = (
        stolen["public_key"].as_str().expect("a key"),
        stolen["signed_at"].as_str().expect("a time"),
    );
    drop(
        run(&["key", "create", "--to", text(&new)])
            .await
            .with_code(0),
    );
    give_to_server(&new);
    let told = key(data_dir, &["introduce", text(&new)]).await;
    assert!(told.contains("no earlier key vouches for it"), "{told}");
    let told = key(data_dir, &["end", old, "--compromised-since", since]).await;
    assert!(told.contains("proves anything"), "{told}");
    let listed = key(data_dir, &["list"]).await;
    assert!(
        listed.contains(&format!("{old}  compromised since {since}")),
        "{listed}"
    );

    let path = exported(data_dir, "before.mhx").await;
    let json = verify(&path, &["--key", old, "--json"]).await.with_code(0);
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(json["signed_through"], good["batch"], "{json}");
    let unproven = json["unproven_heads"].to_string();
    assert!(unproven.contains("was compromised by then"), "{unproven}");
    let told = verify(&path, &["--key", old]).await.with_code(0);
    assert!(told.stdout.contains("proves nothing: "), "{}", told.stdout);

    forged(data_dir, &path, old, &witness).await;

    // The new key signs what the old one no longer proves. A reader has to be given it.
    // The tokens of the play are older than the new key.
    let keys = ["--signing-key-file", text(&new)];
    let older = ["--signing-older-keys", old];
    let flags = [["--witness-file", text(&witness)], keys, older].concat();
    let mut server = serve(data_dir, &flags);
    let base = server.line_after("listening on ").await;
    let (ada, dealer) = (
        ada.at(base.clone()),
        Dealer::new(dealer.caller.at(base), "T1"),
    );
    drop(dealer.resume().await);
    let newest = signed(&ada, &dealer).await;
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    let path = exported(data_dir, "after.mhx").await;
    drop(verify(&path, &["--key", old]).await.with_code(1));
    let given = newest["public_key"].as_str().expect("a key");
    let both = [
        "--key",
        old,
        "--key",
        given,
        "--witness",
        text(&witness),
        "--json",
    ];
    let json = verify(&path, &both).await.with_code(0);
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert!(
        json["signed_through"].as_u64() >= newest["batch"].as_u64(),
        "{json}"
    );
    let unproven = json["unproven_heads"].to_string();
    assert!(unproven.contains("was compromised by then"), "{unproven}");
}

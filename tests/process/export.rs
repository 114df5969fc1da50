//! `meterhouse export`, and `meterhouse verify FILE` without a database: an exported day, and every way to change it.

pub(crate) mod tampered;

use std::fs;
use std::path::{Path, PathBuf};

use meterhouse_journal::tree_head::SigningKey;
use meterhouse_tests::{FIVE_CARD_C, House, Watch, eventually};
use serde_json::{Value, json};
use sqlx::ConnectOptions as _;
use tempfile::TempDir;

use self::tampered::Export;
use crate::program::{PROGRAM, ProgramOutput, command, folder, run, run_to_end};

/// A house that signs, with a royal flush that was paid.
async fn signed_house() -> House {
    let house = House::watching(Watch::Close).await;
    let dealers = house.link_with(FIVE_CARD_C, &json!({}), &["T1"]).await;
    let dealer = dealers.into_iter().next().expect("one table");
    dealer.rounds(3, &[1, 3]).await;
    let sequence = dealer.next();
    drop(dealer.coin_in(&[1, 3]).await.created());
    let royal = dealer.hit(1, "royal-flush", "As Ks Qs Js Ts").await;
    drop(royal.created());
    let sam = house.supervisor("sam").await;
    let hit = dealer.named(sequence + 1);
    drop(sam.approve(&hit).await.created());
    drop(sam.pay(&hit, 1, "JP-1").await.created());
    drop(dealer.close().await.created());
    // The second verifier reads a change of two people.
    let both = house.two_people().await;
    let adopt = json!({"change": "adopt_table", "table": "pa-643a-five-card-bonus-a"});
    drop(both.change("main", &adopt).await);
    dealer.rounds(2, &[1]).await;
    let auditor = house.person("ada", "auditor").await;
    eventually("everything is signed", async || {
        let told = auditor.get("/v1/links/main/proof").await.is(200);
        (told["head"]["batch"] == told["batch"]).then_some(())
    })
    .await;
    house
}

async fn export(house: &House, arguments: &[&str]) -> ProgramOutput {
    let mut program = command(PROGRAM);
    program.arg("export").args(arguments);
    program.env(
        "DATABASE_URL",
        house.database.application.to_url_lossy().to_string(),
    );
    run_to_end(program).await
}

/// Exports the whole link.
async fn exported(house: &House, folder: &TempDir) -> PathBuf {
    let path = folder.path().join("main.mhx");
    let written = export(house, &["--link", "main", "--to", text(&path)]).await;
    let written = written.with_code(0);
    assert!(
        written.stdout.contains("signed heads"),
        "{}",
        written.stdout
    );
    path
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

fn key() -> SigningKey {
    SigningKey::new(&Watch::SIGNING_KEY)
}

/// Verifies a file with the house's public key.
async fn verify(path: &Path, arguments: &[&str]) -> ProgramOutput {
    let key = key().public().to_string();
    let mut all = vec!["verify", text(path), "--key", &key];
    all.extend(arguments);
    run(&all).await
}

#[tokio::test]
async fn an_export_verifies_without_a_database() {
    let (house, folder) = (signed_house().await, folder());
    let path = exported(&house, &folder).await;
    let events = house.reports().await[0].events;
    house.end().await;
    let found = verify(&path, &[]).await.with_code(0);
    for part in [
        format!("{events} events (0 refusals, {events} decided again)"),
        format!("heads are signed by {}", key().public()),
        "; 0 batches behind it are not signed yet".to_owned(),
        "everything agrees, difference 0.00".to_owned(),
    ] {
        assert!(found.stdout.contains(&part), "{part}: {}", found.stdout);
    }
    let found = verify(&path, &["--json"]).await.with_code(0);
    let found: Value = serde_json::from_str(&found.stdout).expect("JSON");
    assert_eq!(
        (&found["agrees"], &found["events"]),
        (&json!(true), &json!(events))
    );
    assert_eq!(found["signed_through"], found["batches"]);
    // A key of somebody else.
    let other = SigningKey::new(&[9; 32]).public().to_string();
    let found = run(&["verify", text(&path), "--key", &other])
        .await
        .with_code(1);
    assert!(
        found.stdout.contains("for which no given key vouches"),
        "{}",
        found.stdout
    );
}

/// A day is exported by itself: its beginning has the state before, and its end is behind its last batch.
#[tokio::test]
async fn a_day_is_exported_by_itself() {
    let (house, folder) = (signed_house().await, folder());
    let today = house
        .database
        .rows("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day")
        .await;
    let today: String = sqlx::Row::get(&today[0], "day");
    let path = folder.path().join("day.mhx");
    let arguments = ["--link", "main", "--day", &today, "--to", text(&path)];
    drop(export(&house, &arguments).await.with_code(0));
    drop(verify(&path, &[]).await.with_code(0));
    let again = export(&house, &arguments).await.with_code(2);
    assert!(again.stderr.contains("exists already"), "{}", again.stderr);
    for (day, sentence) in [
        ("2020-01-01", "the link has no batch there"),
        ("today", "is no day: write it as 2026-11-24 (UTC)"),
    ] {
        let path = folder.path().join("other.mhx");
        let arguments = ["--link", "main", "--day", day, "--to", text(&path)];
        let told = export(&house, &arguments).await.with_code(2);
        assert!(told.stderr.contains(sentence), "{}", told.stderr);
        assert!(!path.exists() && !path.with_extension("part").exists());
    }
    let told = export(&house, &["--link", "other", "--to", text(&path)]).await;
    assert!(told.with_code(2).stderr.contains("exists already"));
    let path = folder.path().join("other.mhx");
    let told = export(&house, &["--link", "other", "--to", text(&path)]).await;
    assert!(told.with_code(2).stderr.contains("there is no link other"));
    house.end().await;
}

/// Whoever changes a file without the key is found, and the place is named.
#[tokio::test]
async fn a_change_without_the_key_is_found() {
    let (house, folder) = (signed_house().await, folder());
    let path = exported(&house, &folder).await;
    house.end().await;
    let good = fs::read(&path).expect("a file");
    let export = Export::read(&good);
    let hit = export.batch_of_hit();
    let heads = "signs other hashes than there are up to batch";
    // Each change with the sentence of its place, and whether the heads have to name it too: a bit may be one of a head.
    let changes: [(&str, Vec<u8>, String, Option<bool>); 4] = [
        (
            "bit",
            flipped(&good, good.len() / 2),
            "at byte".to_owned(),
            None,
        ),
        (
            "cut",
            good[..good.len() - 40].to_vec(),
            "the file ends inside this part".to_owned(),
            Some(false),
        ),
        (
            "cent",
            export.with_a_cent_more().written(None),
            format!("batch {hit}, position 0: the rules decide its command differently"),
            Some(true),
        ),
        (
            "stranger",
            export
                .with_a_cent_more()
                .written(Some(&SigningKey::new(&[9; 32]))),
            "which the house's chain does not introduce".to_owned(),
            Some(false),
        ),
    ];
    for (name, bytes, sentence, named_by_heads) in changes {
        let path = folder.path().join(format!("tampered-{name}.mhx"));
        fs::write(&path, bytes).expect("a file");
        let found = verify(&path, &[]).await.with_code(1).stdout;
        assert!(found.contains(&sentence), "{name}: {found}");
        if let Some(expected) = named_by_heads {
            assert_eq!(found.contains(heads), expected, "{name}: {found}");
        }
    }
    keep(folder.path(), "without-key");
}

/// Whoever has the key rewrites the journal and its signatures: the rules find a changed payout, and the witness a changed
/// or shorter history.
#[tokio::test]
async fn a_change_with_the_key_is_found_by_the_witness() {
    let (house, folder) = (signed_house().await, folder());
    let path = exported(&house, &folder).await;
    house.end().await;
    let export = Export::read(&fs::read(&path).expect("a file"));
    let witness = folder.path().join("witness.jsonl");
    fs::write(&witness, export.heads_as_lines()).expect("a file");
    let with_witness = ["--witness", text(&witness)];
    let found = verify(&path, &with_witness).await.with_code(0).stdout;
    assert!(
        found.contains("the witness confirms all through entry "),
        "{found}"
    );
    let nothing = folder.path().join("nothing.jsonl");
    fs::write(&nothing, "").expect("a file");
    let found = verify(&path, &["--witness", text(&nothing)]).await;
    let found = found.with_code(1).stdout;
    assert!(found.contains("no head of the witness is about"), "{found}");
    let key = key();
    let hit = export.batch_of_hit();
    for (name, changed, alone, witnessed) in [
        (
            "key-cent",
            export.with_a_cent_more(),
            Some(format!(
                "batch {hit}, position 0: the rules decide its command differently"
            )),
            "was changed since the witness's head",
        ),
        (
            "key-note",
            export.with_another_node(),
            None,
            "was changed since the witness's head",
        ),
        (
            "key-rolled-back",
            export.without_end(3),
            None,
            "the end is missing",
        ),
        (
            "key-an-hour-ago",
            export.without_end(3).written_later(-3_600_000_000),
            Some("the file says that it was written before its newest entry".to_owned()),
            "the witness has heads through batch",
        ),
    ] {
        let path = folder.path().join(format!("tampered-{name}.mhx"));
        fs::write(&path, changed.written(Some(&key))).expect("a file");
        let found = verify(&path, &[]).await;
        match alone {
            Some(sentence) => {
                let found = found.with_code(1);
                assert!(found.stdout.contains(&sentence), "{name}: {}", found.stdout);
            }
            None => drop(found.with_code(0)),
        }
        let found = verify(&path, &with_witness).await.with_code(1);
        assert!(found.stdout.contains(witnessed), "{name}: {}", found.stdout);
    }
    set_back(&export, folder.path(), &witness).await;
    keep(folder.path(), "with-key");
}

/// Who sets the time of writing back to the new end is not convicted, and the witness's knowledge is shown.
async fn set_back(export: &Export, folder: &Path, witness: &Path) {
    let shorter = folder.join("shorter.mhx");
    let bytes = export.without_end(3).written_later(0).written(Some(&key()));
    fs::write(&shorter, bytes).expect("a file");
    let found = verify(&shorter, &["--witness", text(witness)]).await;
    let found = found.with_code(0).stdout;
    let sentence = "the witness has heads through batch";
    assert!(found.contains(sentence), "{found}");
    // Nor is a file good without any signature, once a key is given.
    let unsigned = folder.join("tampered-unsigned.mhx");
    fs::write(&unsigned, export.without_heads().written(None)).expect("a file");
    let found = verify(&unsigned, &[]).await.with_code(1).stdout;
    let sentence = "no signed head of the link is by a trusted key";
    assert!(found.contains(sentence), "{found}");
}

/// A file that is none, and arguments that don't fit.
#[tokio::test]
async fn what_is_no_export_is_refused() {
    let folder = folder();
    let path = folder.path().join("none");
    drop(run(&["verify", text(&path)]).await.with_code(2));
    fs::write(&path, b"MHARCH\r\n").expect("a file");
    let told = run(&["verify", text(&path)]).await.with_code(2);
    assert!(
        told.stderr
            .contains("does not begin as the file of an export"),
        "{}",
        told.stderr
    );
    let told = verify(&path, &["--key", "abc"]).await.with_code(2);
    assert!(
        told.stderr
            .contains("--key abc: neither 64 digits nor a file"),
        "{}",
        told.stderr
    );
    drop(run(&["verify", "--key", "abc"]).await.with_code(2));
    drop(
        run(&["verify", text(&path), "--link", "main"])
            .await
            .with_code(2),
    );
}

fn flipped(bytes: &[u8], place: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place] ^= 1;
    bytes
}

/// Copies the files into a folder of this name for another verifier, if a script asks for them.
fn keep(folder: &Path, name: &str) {
    let Some(to) = std::env::var_os("METERHOUSE_KEEP_EXPORTS") else {
        return;
    };
    let to = Path::new(&to).join(name);
    fs::create_dir_all(&to).expect("a folder");
    for file in fs::read_dir(folder).expect("a folder") {
        let file = file.expect("a file");
        fs::copy(file.path(), to.join(file.file_name())).expect("a copy");
    }
}

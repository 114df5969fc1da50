//! What is printed: results as JSON, logs by their form, help with a command's own options first, a pipe that closes.

use std::process::Stdio;

use serde_json::Value;
use tokio::io::AsyncReadExt as _;

use crate::program::{PROGRAM, command, folder, run, run_on};

#[tokio::test]
async fn results_as_json() {
    let paytable = "pa-657a-five-card-c";
    for (words, place, value) in [
        (
            "version --json",
            "/version",
            env!("CARGO_PKG_VERSION").into(),
        ),
        ("version --full --json", "/journal/chain", 1.into()),
        (
            "paytable list --json",
            "/paytables/0/jurisdiction",
            "MA".into(),
        ),
        (
            "paytable show pa-657a-five-card-c --json",
            "/paytable",
            paytable.into(),
        ),
        (
            "paytable --json show pa-657a-five-card-c",
            "/levels/0/level",
            "mega".into(),
        ),
        (
            "paytable compare pa-657a-five-card-c pa-653a-c --json",
            "/may_share",
            true.into(),
        ),
        (
            "paytable charge pa-639a-e --json",
            "/hands/0",
            "four-of-a-kind".into(),
        ),
        (
            "paytable check none.toml --json",
            "/0/paytable",
            Value::Null,
        ),
        (
            "returns pa-657a-five-card-c --json",
            "/paytable",
            paytable.into(),
        ),
        (
            "evaluate pa-657a-five-card-c As Ks Qs Js Ts --json",
            "/hand",
            "royal-flush".into(),
        ),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let printed = run(&words).await.stdout;
        let result: Value = serde_json::from_str(&printed).expect(&printed);
        assert_eq!(result.pointer(place), Some(&value), "{words:?}: {printed}");
    }
}

#[tokio::test]
async fn verify_as_json() {
    let data = folder();
    let demo = [
        "demo",
        "--rounds",
        "20",
        "--speed",
        "0",
        "--log-format",
        "json",
    ];
    let demo = run_on(data.path(), &demo).await.with(0);
    for line in demo.stderr.lines().filter(|line| line.contains("level")) {
        let line: Value = serde_json::from_str(line).expect(line);
        assert!(line["level"].is_string(), "{line}");
    }
    let verified = run_on(data.path(), &["verify", "--json"]).await.with(0);
    let result: Value = serde_json::from_str(&verified.stdout).expect(&verified.stdout);
    assert_eq!(result["agrees"], true, "{result}");
    let first = &result["links"][0];
    assert_eq!(first["differences"], Value::Array(Vec::new()), "{result}");
    assert!(first["events"].as_u64() > Some(0), "{result}");
}

/// A first start has nothing to warn of, and making a token prints the token alone.
#[tokio::test]
async fn a_first_start_warns_of_nothing() {
    let data = folder();
    let migrated = run_on(data.path(), &["migrate"]).await.with(0);
    assert!(!migrated.stderr.contains("WARN"), "{}", migrated.stderr);
    let token = [
        "token",
        "create",
        "--role",
        "auditor",
        "--name",
        "aud",
        "--expires",
        "1h30m",
    ];
    let token = run_on(data.path(), &token).await.with(0);
    let printed = token.stdout.trim_end();
    assert!(
        printed.chars().all(|letter| letter.is_ascii_hexdigit()),
        "{printed}"
    );
    assert!(!printed.is_empty());
}

#[tokio::test]
async fn help_lists_a_commands_own_options_first() {
    for words in ["serve", "load", "verify", "paytable list", "token create"] {
        let words: Vec<&str> = words.split(' ').chain(["--help"]).collect();
        let help = run(&words).await.with(0).stdout;
        let at = |text: &str| {
            help.find(text)
                .unwrap_or_else(|| panic!("no {text}: {help}"))
        };
        assert!(at("Options:") < at("Database:"), "{help}");
        assert!(at("Database:") < at("--database-url"), "{help}");
        assert!(at("Log:") < at("--log-format"), "{help}");
    }
}

/// A reader that has seen enough ends nothing with an error.
#[tokio::test]
async fn a_closed_pipe() {
    let mut program = command(PROGRAM);
    program.args(["paytable", "list"]).stdout(Stdio::piped());
    let mut child = program.spawn().expect("it runs");
    drop(child.stdout.take());
    let mut stderr = String::new();
    let mut errors = child.stderr.take().expect("its errors");
    errors.read_to_string(&mut stderr).await.expect("text");
    assert!(child.wait().await.expect("it ends").success(), "{stderr}");
    assert_eq!(stderr, "");
}

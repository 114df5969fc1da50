//! The program's output: results and logs as JSON, help with a command's own options first, and a closed pipe.

use std::fs::File;
use std::process::Stdio;

use serde_json::Value;
use tokio::io::AsyncReadExt as _;
use tokio::time::timeout;

use crate::program::{END_MAX, PROGRAM, ProgramOutput, command, folder, run, run_on};

/// Every command with `--json` prints its result as JSON.
#[tokio::test]
async fn results_are_printed_as_json() {
    let paytable = "pa-657a-five-card-c";
    for (words, pointer, value) in [
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
        assert_eq!(
            result.pointer(pointer),
            Some(&value),
            "{words:?}: {printed}"
        );
    }
}

/// `verify --json` prints JSON, and so does the log with `--log-format json`.
#[tokio::test]
async fn verify_and_logs_are_printed_as_json() {
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
    let demo = run_on(data.path(), &demo).await.with_code(0);
    for line in demo.stderr.lines().filter(|line| line.contains("level")) {
        let line: Value = serde_json::from_str(line).expect(line);
        assert!(line["level"].is_string(), "{line}");
    }
    let verified = run_on(data.path(), &["verify", "--json"])
        .await
        .with_code(0);
    let result: Value = serde_json::from_str(&verified.stdout).expect(&verified.stdout);
    assert_eq!(result["agrees"], true, "{result}");
    let first = &result["links"][0];
    assert_eq!(first["differences"], Value::Array(Vec::new()), "{result}");
    assert!(first["events"].as_u64() > Some(0), "{result}");
}

/// A first start logs no warning, and `token create` prints only the token.
#[tokio::test]
async fn a_first_start_logs_no_warning() {
    let data = folder();
    let migrated = run_on(data.path(), &["migrate"]).await.with_code(0);
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
    let token = run_on(data.path(), &token).await.with_code(0);
    let printed = token.stdout.trim_end();
    assert!(
        printed.chars().all(|letter| letter.is_ascii_hexdigit()),
        "{printed}"
    );
    assert!(!printed.is_empty());
}

/// The help of a command lists its own options before those of all commands.
#[tokio::test]
async fn help_lists_a_commands_own_options_first() {
    for words in ["serve", "load", "verify", "paytable list", "token create"] {
        let words: Vec<&str> = words.split(' ').chain(["--help"]).collect();
        let help = run(&words).await.with_code(0).stdout;
        let at = |text: &str| {
            help.find(text)
                .unwrap_or_else(|| panic!("no {text}: {help}"))
        };
        assert!(at("Options:") < at("Database:"), "{help}");
        assert!(at("Database:") < at("--database-url"), "{help}");
        assert!(at("Log:") < at("--log-format"), "{help}");
    }
}

/// A result that can't be written is reported once, with the exit code of a failure. Another failure keeps its own code.
#[tokio::test]
async fn a_result_that_cant_be_written_is_a_failure() {
    for (words, code) in [
        ("paytable list", 3),
        ("paytable list --json", 3),
        ("completions bash", 3),
        ("policy", 3),
        ("version --full", 3),
        ("returns pa-657a-five-card-c", 3),
        ("returns none", 2),
    ] {
        let full = File::options().write(true).open("/dev/full");
        let mut program = command(PROGRAM);
        program
            .args(words.split(' '))
            .stdout(full.expect("a device"));
        let child = program.spawn().expect("a process");
        let output = timeout(END_MAX, child.wait_with_output()).await;
        let ended: ProgramOutput = output.expect("an end in time").expect("an output").into();
        let ended = ended.with_code(code);
        let lines = ended.stderr.lines().count();
        assert_eq!(lines, 1, "{words}: {}", ended.stderr);
        if code == 3 {
            drop(ended.with_error("can't write the result: No space left on device"));
        }
    }
}

/// A reader that closes the pipe causes no error.
#[tokio::test]
async fn a_closed_pipe_is_no_error() {
    let mut program = command(PROGRAM);
    program.args(["paytable", "list"]).stdout(Stdio::piped());
    let mut child = program.spawn().expect("a process");
    drop(child.stdout.take());
    let mut stderr = String::new();
    let mut errors = child.stderr.take().expect("a pipe");
    errors.read_to_string(&mut stderr).await.expect("text");
    assert!(child.wait().await.expect("an end").success(), "{stderr}");
    assert_eq!(stderr, "");
}

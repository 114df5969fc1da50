//! People and tokens at the command line: the first administrator, and no way around one.

use std::path::Path;

use meterhouse_tests::Caller;
use nix::sys::signal::Signal;

use crate::program::{PROGRAM, ProgramOutput, Running, command, folder, run_to_end_with};

/// Password of everybody in these tests.
const PASSWORD: &str = "correct horse battery";

/// Runs a command on a folder with lines for its standard input.
async fn run_with(data: &Path, words: &[&str], lines: &[&str]) -> ProgramOutput {
    let mut program = command(PROGRAM);
    program.args(words).arg("--data-dir").arg(data);
    run_to_end_with(program, &(lines.join("\n") + "\n")).await
}

/// The first administrator is admitted without another. From then on everybody else needs the password, or a reason that
/// the record keeps.
#[tokio::test]
async fn nobody_is_admitted_past_the_administrator() {
    let data = folder();
    let path = data.path();
    let mut server = Running::start(path, &["serve"]);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let token = |name: &'static str| ["token", "create", "--role", "auditor", "--name", name];
    let auditor = run_with(path, &token("aud"), &[]).await.with_code(0);
    let root = [
        "user",
        "create",
        "--name",
        "root",
        "--role",
        "administrator",
    ];
    let made = run_with(path, &root, &[]).await.with_code(0);
    let code = made.stdout.lines().next().expect("a code").to_owned();
    assert!(made.stdout.contains("meterhouse user password root"));
    let weak = run_with(path, &["user", "password", "root"], &[&code, "short"]).await;
    drop(
        weak.with_code(2)
            .with_error("a password has 12 to 128 characters"),
    );
    let set = run_with(path, &["user", "password", "root"], &[&code, PASSWORD]).await;
    drop(set.with_code(0));
    let again = run_with(path, &["user", "password", "root"], &[&code, PASSWORD]).await;
    drop(again.with_code(2).with_error("is not right"));
    for words in [
        &token("eve")[..],
        &["user", "create", "--name", "eve", "--role", "administrator"],
        &["token", "revoke", "aud"],
        &["token", "vouch"],
        &["user", "end", "aud", "--reason", "x"],
        &["user", "restore", "aud"],
        &["user", "end-sessions", "root"],
        &["user", "remove-second-factor", "root"],
    ] {
        let refused = run_with(path, words, &[]).await.with_code(2);
        drop(refused.with_error("there is an administrator: name one with --as NAME"));
        let wrong = [words, &["--as", "root"]].concat();
        let refused = run_with(path, &wrong, &["wrong password 123"]).await;
        // From the sixth on the name waits.
        let refused = refused.with_code(2).stderr;
        let is_refused =
            refused.contains("is not right") || refused.contains("too many wrong attempts");
        assert!(is_refused, "{words:?}: {refused}");
    }
    let glass = [&token("locksmith")[..], &["--break-glass", "root is ill"]].concat();
    drop(run_with(path, &glass, &[]).await.with_code(0));
    // Somebody who is no administrator admits nobody either.
    let auditor = anonymous.with_token(auditor.stdout.trim());
    let acts = auditor.get("/v1/acts?limit=500").await.is(200);
    let acts = acts["acts"].as_array().expect("acts");
    let count = |word: &str| acts.iter().filter(|act| act["act"] == word).count();
    assert_eq!(count("break_glass"), 1);
    assert_eq!(count("token_made"), 2, "aud and the locksmith");
    assert_eq!(count("code_made"), 1);
    // The used code was the first of five wrong attempts.
    assert_eq!((count("password_failed"), count("login_failed")), (1, 4));
    drop(server.stop(Signal::SIGTERM).await);
}

/// A subject of OpenID Connect needs a provider in the settings; `user list` shows who logs in by one.
#[tokio::test]
async fn a_subject_is_given_and_taken_at_the_command_line() {
    let data = folder();
    let path = data.path();
    let mut server = Running::start(path, &["serve"]);
    drop(server.line_after("listening on ").await);
    let ana = |subject: &'static str| {
        let words = ["user", "create", "--name", "ana", "--role", "auditor"];
        [&words[..], &["--openid-subject", subject]].concat()
    };
    let refused = run_with(path, &ana("s-ana"), &[]).await.with_code(2);
    drop(refused.with_error("set openid.issuer and its neighbours"));
    let with_provider = async |words: &[&str]| {
        let mut program = command(PROGRAM);
        program.args(words).arg("--data-dir").arg(path);
        for (name, value) in [
            ("METERHOUSE_OPENID_ISSUER", "https://id.example"),
            ("METERHOUSE_OPENID_CLIENT_ID", "meterhouse"),
            ("METERHOUSE_OPENID_CLIENT_SECRET", "of-the-house"),
            ("METERHOUSE_OPENID_PUBLIC_URL", "https://meterhouse.example"),
        ] {
            program.env(name, value);
        }
        run_to_end_with(program, "").await
    };
    let refused = with_provider(&ana("\u{e4}")).await.with_code(2);
    drop(refused.with_error("--openid-subject is what the provider calls sub"));
    let made = with_provider(&ana("s-ana")).await.with_code(0);
    assert_eq!(
        made.stdout.trim(),
        "ana logs in by OpenID Connect, as s-ana of https://id.example"
    );
    let line = async || {
        let listed = run_with(path, &["user", "list"], &[]).await.with_code(0);
        let line = listed.stdout.lines().find(|line| line.starts_with("ana "));
        line.expect("a line").to_owned()
    };
    assert!(line().await.contains(" openid "));
    let bob = ["user", "create", "--name", "bob", "--role", "auditor"];
    let taken = [&bob[..], &["--openid-subject", "s-ana"]].concat();
    let taken = with_provider(&taken).await.with_code(2);
    drop(taken.with_error("\"ana\" logs in by this subject of OpenID Connect"));
    let removed = run_with(path, &["user", "remove-openid", "ana"], &[]).await;
    drop(removed.with_code(0));
    assert!(line().await.contains(" no password "));
    drop(server.stop(Signal::SIGTERM).await);
}

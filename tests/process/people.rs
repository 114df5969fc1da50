//! People and tokens at the command line: the first administrator, and no way around one.

use std::path::Path;

use meterhouse_tests::{Answer, Caller, Database, eventually};
use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::ConnectOptions as _;
use tempfile::TempDir;

use crate::export::text;
use crate::program::{
    PROGRAM, ProgramOutput, Running, command, folder, give_to_server, run, run_to_end_with,
    serve_command,
};

/// Password of everybody in these tests.
const PASSWORD: &str = "correct horse battery";

/// Command that admits the first administrator.
const ROOT: [&str; 6] = [
    "user",
    "create",
    "--name",
    "root",
    "--role",
    "administrator",
];

/// Logs in over the API with the password of everybody.
async fn log_in(anonymous: &Caller, name: &str) -> Answer {
    let json = [("content-type", "application/json")];
    let body = json!({"name": name, "password": PASSWORD}).to_string();
    let body = body.into_bytes();
    anonymous.send(Method::POST, "/v1/login", &json, body).await
}

/// Returns the first line of what a command printed: a token or a code.
fn secret(ended: ProgramOutput) -> String {
    let ended = ended.with_code(0);
    ended.stdout.lines().next().expect("a line").to_owned()
}

/// Runs a command on a folder with lines for its standard input.
async fn run_with(data: &Path, words: &[&str], lines: &[&str]) -> ProgramOutput {
    let mut program = command(PROGRAM);
    program.args(words).arg("--data-dir").arg(data);
    run_to_end_with(program, &(lines.join("\n") + "\n")).await
}

/// Names that the commands of [`nobody_is_admitted_past_the_administrator`] are about, which name no administrator.
const NAMED: [&str; 8] = [
    "eve",
    "eve",
    "aud",
    "stored credentials",
    "aud",
    "aud",
    "root",
    "root",
];

/// Returns the names that commands without an administrator were about, oldest first.
fn about_without_administrator(acts: &[Value]) -> Vec<&str> {
    let unnamed = acts.iter().rev().filter(|act| {
        act["act"] == "refused" && act["subject"] == "a command that names no administrator"
    });
    let about = unnamed.map(|act| {
        assert_eq!(
            (&act["proof"], &act["name"]),
            (&json!("command line"), &json!(null))
        );
        let mut details = act["details"].as_array().expect("details").iter();
        let about = details.find(|detail| detail["name"] == "about");
        about.expect("a detail")["value"].as_str().expect("a text")
    });
    about.collect()
}

/// The first administrator is admitted without another. From then on everybody else needs the password, or a reason that
/// the record keeps.
#[tokio::test]
async fn nobody_is_admitted_past_the_administrator() {
    let data = folder();
    let path = data.path();
    let mut server = Running::start(path, &["serve"]);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let token = auditor;
    let auditor = run_with(path, &token("aud"), &[]).await.with_code(0);
    let made = run_with(path, &ROOT, &[]).await.with_code(0);
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
    for words in [
        &["token", "revoke", "aud", "--break-glass", ""][..],
        &["user", "end", "aud", "--break-glass", "x", "--reason", " "],
    ] {
        let refused = run_with(path, words, &[]).await.with_code(2).stderr;
        assert!(refused.contains("a reason has words"), "{refused}");
    }
    let glass = [&token("locksmith")[..], &["--break-glass", "root is ill"]].concat();
    drop(run_with(path, &glass, &[]).await.with_code(0));
    // Somebody who is no administrator admits nobody either.
    let auditor = anonymous.with_token(auditor.stdout.trim());
    let acts = auditor.get("/v1/acts?limit=500").await.is(200);
    let acts = acts["acts"].as_array().expect("acts");
    let count = |word: &str| acts.iter().filter(|act| act["act"] == word).count();
    assert_eq!(count("break_glass"), 1);
    let glass = acts.iter().find(|act| act["act"] == "break_glass");
    assert_eq!(glass.expect("an act")["subject"], "locksmith");
    assert_eq!(about_without_administrator(acts), NAMED);
    assert_eq!(count("token_made"), 2, "aud and the locksmith");
    assert_eq!(count("code_made"), 1);
    // The used code was the first of five wrong attempts. A slow machine lets a sixth wait long enough.
    assert_eq!(count("password_failed"), 1);
    assert!(count("login_failed") >= 4);
    drop(server.stop(Signal::SIGTERM).await);
}

/// What was made before the first start of a server counts after it: a token, a password and a code.
#[tokio::test]
async fn the_first_start_vouches_for_what_was_there() {
    let data = folder();
    let path = data.path();
    drop(run_with(path, &["migrate"], &[]).await.with_code(0));
    let aud = secret(run_with(path, &auditor("aud"), &[]).await);
    let ben = ["user", "create", "--role", "auditor", "--name", "ben"];
    let ben = secret(run_with(path, &ben, &[]).await);
    let code = secret(run_with(path, &ROOT, &[]).await);
    let set = run_with(path, &["user", "password", "root"], &[&code, PASSWORD]).await;
    drop(set.with_code(0));
    let mut server = Running::start(path, &["serve"]);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let aud = anonymous.with_token(aud);
    let acts = aud.get("/v1/acts?act=credentials_vouched").await.is(200);
    assert_eq!(acts["acts"][0]["proof"], "server", "{acts:?}");
    drop(log_in(&anonymous, "root").await.is(201));
    let as_root = ["token", "revoke", "aud", "--as", "root"];
    drop(run_with(path, &as_root, &[PASSWORD]).await.with_code(0));
    let set = run_with(path, &["user", "password", "ben"], &[&ben, PASSWORD]).await;
    drop(set.with_code(0));
    drop(log_in(&anonymous, "ben").await.is(201));
    drop(server.stop(Signal::SIGTERM).await);
}

/// A house by URL, with two files of keys.
struct UrlHouse {
    _database: Database,
    url: String,
    files: TempDir,
}

impl UrlHouse {
    async fn new() -> Self {
        let database = Database::new().await;
        Self {
            url: database.application.to_url_lossy().to_string(),
            _database: database,
            files: folder(),
        }
    }

    /// Creates a key. Returns the flag with its file, and the public key.
    async fn key(&self, name: &str) -> ([String; 2], String) {
        let path = self.files.path().join(name);
        let made = run(&["key", "create", "--to", text(&path)]).await;
        let made = made.with_code(0).stdout;
        let public = made.split_once("public key ").expect("a key").1;
        give_to_server(&path);
        let flag = ["--signing-key-file".to_owned(), text(&path).to_owned()];
        (flag, public[..64].to_owned())
    }

    async fn run(&self, words: &[&str], lines: &[&str]) -> ProgramOutput {
        let mut program = command(PROGRAM);
        program.args(words).env("DATABASE_URL", &self.url);
        run_to_end_with(program, &(lines.join("\n") + "\n")).await
    }

    async fn serve(&self, flags: &[&str]) -> (Running, Caller) {
        let mut program = serve_command();
        program.args(flags).env("DATABASE_URL", &self.url);
        let mut server = Running::spawn(program);
        let anonymous = Caller::nobody(server.line_after("listening on ").await);
        (server, anonymous)
    }
}

const fn auditor(name: &str) -> [&str; 6] {
    ["token", "create", "--role", "auditor", "--name", name]
}

/// A house that gets a key refuses what was made without it, until `token vouch` was run: by `--break-glass`, because the
/// administrator's password is refused too. A command without the key makes nothing.
#[tokio::test]
async fn a_house_gets_a_key() {
    let house = UrlHouse::new().await;
    let (one, public) = house.key("one.pem").await;
    let (two, _) = house.key("two.pem").await;
    let (one, two) = (one.each_ref(), two.each_ref());
    let (one, two) = (one.map(String::as_str), two.map(String::as_str));
    let aud = secret(house.run(&auditor("aud"), &[]).await);
    let code = secret(house.run(&ROOT, &[]).await);
    let set = ["user", "password", "root"];
    drop(house.run(&set, &[&code, PASSWORD]).await.with_code(0));
    let (server, anonymous) = house.serve(&[]).await;
    drop(log_in(&anonymous, "root").await.is(201));
    let as_auditor = anonymous.with_token(&aud);
    drop(as_auditor.get("/v1/acts").await.is(200));
    drop(server.stop(Signal::SIGTERM).await);

    let (server, anonymous) = house.serve(&one).await;
    let as_auditor = anonymous.with_token(&aud);
    let refused = as_auditor.get("/v1/acts").await;
    drop(refused.problem(401, "unauthenticated"));
    let refused = log_in(&anonymous, "root").await;
    drop(refused.problem(401, "login_failed"));
    let keyless = house.run(&auditor("eve"), &[]).await.with_code(3);
    drop(keyless.with_error("signs here, and this command has no key"));
    let listed = house.run(&["token", "list"], &[]).await.with_code(0).stdout;
    assert_eq!(listed.lines().count(), 1, "{listed}");

    let vouch = [&["token", "vouch"], &one[..]].concat();
    let refused = house.run(&vouch, &[]).await.with_code(2);
    drop(refused.with_error("there is an administrator"));
    let as_root = [&vouch[..], &["--as", "root"]].concat();
    let refused = house.run(&as_root, &[PASSWORD]).await.with_code(2);
    drop(refused.with_error("is not right"));
    let glass = [&vouch[..], &["--break-glass", "the key is new"]].concat();
    let told = house.run(&glass, &[]).await.with_code(0).stdout;
    let names = "for 2 more, the token of aud, password of root: revoke";
    assert!(told.contains(names), "{told}");
    eventually("the token counts", async || {
        (as_auditor.get("/v1/acts").await.status == 200).then_some(())
    })
    .await;
    drop(log_in(&anonymous, "root").await.is(201));

    // A key that no server accepts.
    let older = ["--signing-older-keys", &public, "--as", "root"];
    let other = [&auditor("eve"), &two[..], &older].concat();
    drop(house.run(&other, &[PASSWORD]).await.with_code(0));
    let told = house.run(&as_root, &[PASSWORD]).await.with_code(0).stdout;
    let nothing = "no valid token, password or code is without";
    assert!(told.contains(nothing), "{told}");
    let refused = told.split_once("still refused").expect("a token").1;
    assert!(refused.contains("the token of eve: name"), "{told}");
    let acts = as_auditor.get("/v1/acts?limit=500").await.is(200);
    let acts = acts["acts"].as_array().expect("acts");
    let count = |word: &str| acts.iter().filter(|act| act["act"] == word).count();
    assert_eq!((count("break_glass"), count("credentials_vouched")), (1, 1));
    drop(server.stop(Signal::SIGTERM).await);
}

/// A command with a key that was ended makes nothing: the servers would refuse what it makes.
#[tokio::test]
async fn an_ended_key_makes_nothing() {
    let house = UrlHouse::new().await;
    let (one, public) = house.key("one.pem").await;
    let one = one.each_ref().map(String::as_str);
    let (server, _) = house.serve(&one).await;
    drop(server.stop(Signal::SIGTERM).await);
    drop(house.run(&["key", "end", &public], &[]).await.with_code(0));
    let make = [&auditor("eve")[..], &one].concat();
    let refused = house.run(&make, &[]).await.with_code(3);
    let ended = format!("the key {public} of this command was ended");
    drop(refused.with_error(&ended));
    let listed = house.run(&["token", "list"], &[]).await.with_code(0).stdout;
    assert!(listed.contains("nobody has a token yet"), "{listed}");
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

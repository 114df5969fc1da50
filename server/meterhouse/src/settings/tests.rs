//! The settings read from every mix of sources, and every mistake at once.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use super::file::{FILE_BYTES_MAX, FileText};
use super::keys::ALL;
use super::layer::{Found, Layer};
use super::mistake::Origin;
use super::{Settings, Sources, example};
use crate::failure::Failure;

/// Reads settings of these sources.
fn sources(file: &str, variables: &[(&str, &str)], flags: &[(&'static str, &str)]) -> Sources {
    let file = FileText {
        path: PathBuf::from("/f.toml"),
        text: file.to_owned(),
    };
    let variables: BTreeMap<&str, &str> = variables.iter().copied().collect();
    let flag = |(name, text): &(&'static str, &str)| {
        let origin = Origin::Flag(name);
        let text = (*text).to_owned();
        (*name, Found { text, origin })
    };
    let flags: Layer = flags.iter().map(flag).collect();
    let variable = |name: &str| variables.get(name).map(OsString::from);
    Sources::of(Some(file), variable, flags)
}

fn settings(file: &str, variables: &[(&str, &str)], flags: &[(&'static str, &str)]) -> Settings {
    let sources = sources(file, variables, flags);
    sources.settings().unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the lines of the failure, without its first if there are several.
fn mistakes(sources: &Sources) -> Vec<String> {
    let Err(failure) = sources.settings() else {
        panic!("the settings are valid")
    };
    let text = failure.to_string();
    let lines = text.lines().map(|line| line.trim().to_owned());
    lines
        .filter(|line| !line.ends_with("mistakes in the settings:"))
        .collect()
}

/// A flag is stronger than a variable, a variable than the file, the file than the default.
#[test]
fn the_stronger_source_wins() {
    let file = "[http]\nlisten = \"127.0.0.1:1\"\n[grpc]\nlisten = \"127.0.0.1:2\"\n";
    let variables = [("METERHOUSE_HTTP_LISTEN", "127.0.0.1:3")];
    let all = settings(file, &variables, &[("http.listen", "127.0.0.1:4")]);
    assert_eq!(all.http_listen, "127.0.0.1:4");
    assert_eq!(all.grpc_listen, "127.0.0.1:2");
    assert_eq!(settings(file, &variables, &[]).http_listen, "127.0.0.1:3");
    assert_eq!(settings(file, &[], &[]).http_listen, "127.0.0.1:1");
    assert_eq!(settings("", &[], &[]).http_listen, "127.0.0.1:8080");
    // Compose files pass a variable that is not set as an empty one.
    let empty = [("METERHOUSE_HTTP_LISTEN", "")];
    assert_eq!(settings(file, &empty, &[]).http_listen, "127.0.0.1:1");
}

/// Each mistake is named in one run, with its line and column.
#[test]
fn all_mistakes_are_found_at_once() {
    let file = "\
[http]
listn = \"127.0.0.1:0\"
listen = 8080
[databases]
[database]
data_dir = \"relative\"
[log]
format = \"xml\"
";
    let found = mistakes(&sources(
        file,
        &[("METERHOUSE_LOG", "a=b=c")],
        &[("grpc.listen", "nowhere")],
    ));
    let expected = [
        "/f.toml:2:1: unknown key `http.listn`: is it `http.listen`?",
        "/f.toml:3:10: http.listen: write a text in quotes",
        "/f.toml:4:2: unknown key `databases`: is it `database`?",
        "/f.toml:6:12: database.data_dir: write an absolute path in quotes",
        "/f.toml:8:10: log.format: \"xml\" is no form of the log: write text or json",
        "METERHOUSE_LOG: log.filter: ",
        "--grpc.listen: grpc.listen: \"nowhere\" is no address: write HOST:PORT",
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}

/// A file that is no TOML has all its broken lines named, and nothing that follows from them.
#[test]
fn each_broken_line_is_named() {
    let broken = "[http]\nlisten = \"a\n[log]\nformat = \"text\"\nformat = \"json\"\n";
    let found = mistakes(&sources(broken, &[], &[]));
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].starts_with("/f.toml:2:"), "{found:#?}");
    assert!(found[1].starts_with("/f.toml:5:1:"), "{found:#?}");
    let long = format!("#{}", "x".repeat(FILE_BYTES_MAX));
    let found = mistakes(&sources(&long, &[], &[]));
    assert_eq!(
        found,
        ["/f.toml:1:1: the file is longer than 1048576 bytes"]
    );
}

/// A wrong value is a mistake even where a stronger source replaces it.
#[test]
fn a_replaced_value_is_checked() {
    let file = "[http]\nlisten = \"nowhere\"\n";
    let found = mistakes(&sources(file, &[], &[("http.listen", "127.0.0.1:0")]));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("/f.toml:2:10: http.listen:"));
}

/// Mistakes of flags alone are of the command line, others of the configuration.
#[test]
fn the_failure_says_whose_mistake_it_is() {
    let flag = sources("", &[], &[("http.listen", "nowhere")]).settings();
    assert!(matches!(flag, Err(Failure::Usage(_))));
    let file = sources("[http]\nlisten = \"x\"\n", &[], &[("log.format", "x")]).settings();
    assert!(matches!(file, Err(Failure::Configuration(_))));
}

/// A secret comes from a file as well, and no message repeats it.
#[test]
fn a_secret_is_read_from_its_file_and_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("url");
    let secret = "postgres://user:hunter2@127.0.0.1/name";
    std::fs::write(&path, format!("{secret}\n")).unwrap();
    let file = format!("[database]\nurl_file = {path:?}\n");
    let read = sources(&file, &[], &[]);
    let url = read.settings().unwrap().database.url.unwrap();
    assert_eq!(url.single().expect("one server").get_username(), "user");
    assert!(
        read.print().contains("url = \"********\" # /f.toml:2:12"),
        "{}",
        read.print()
    );
    assert!(!read.print().contains("hunter2"));

    let both = format!("[database]\nurl = \"{secret}\"\nurl_file = {path:?}\n");
    let found = mistakes(&sources(&both, &[], &[]));
    assert_eq!(
        found,
        ["/f.toml:3:12: `database.url` and `database.url_file`: keep one"]
    );
    let wrong = [("DATABASE_URL", "mysql://user:hunter2@127.0.0.1/name")];
    let found = mistakes(&sources("", &wrong, &[]));
    assert!(
        found[0].contains("this is no URL of Postgres"),
        "{found:#?}"
    );
    assert!(!found[0].contains("hunter2"));

    std::fs::write(&path, "\n").unwrap();
    let found = mistakes(&sources(&file, &[], &[]));
    assert!(found[0].contains("the file is empty"), "{found:#?}");
    std::fs::remove_file(&path).unwrap();
    let found = mistakes(&sources(&file, &[], &[]));
    assert!(found[0].contains("can't be read"), "{found:#?}");
}

/// Settings that exclude or need each other are named with the places of both.
#[test]
fn contradictions_are_named() {
    let file = "[database]\ndata_dir = \"/data\"\n";
    let url = [("DATABASE_URL", "postgres://127.0.0.1/name")];
    let found = mistakes(&sources(file, &url, &[]));
    assert_eq!(
        found,
        [
            "/f.toml:2:12: database.data_dir is for a private Postgres, and DATABASE_URL names another: keep one"
        ]
    );
    let found = mistakes(&sources("[database]\nstate_dir = \"/s\"\n", &[], &[]));
    assert!(found[0].contains("needs database.url"), "{found:#?}");
}

/// The settings of logins need each other, and their addresses are of TLS or of this machine. No secret is repeated.
#[test]
fn a_provider_of_logins_is_whole() {
    let whole = "[openid]\nissuer = \"https://id.example\"\nclient_id = \"m\"\nclient_secret = \"hidden\"\n\
                 public_url = \"https://m.example\"\n";
    assert!(settings(whole, &[], &[]).openid.is_some());
    let half = "[openid]\nissuer = \"https://id.example\"\n";
    let found = mistakes(&sources(half, &[], &[]));
    assert_eq!(
        found,
        [
            "/f.toml:2:10: openid.issuer, openid.client_id, openid.client_secret and openid.public_url need each other"
        ]
    );
    let wrong = whole
        .replace("https://id", "http://id")
        .replace("m.example", "m.example/path")
        .replace("hidden", "hid den");
    let found = mistakes(&sources(&wrong, &[], &[]));
    assert_eq!(found.len(), 3, "{found:#?}");
    assert!(found[0].contains("openid.issuer: \"http://id.example\""));
    assert!(found[1].contains("openid.client_secret: a secret has"));
    assert!(found[2].contains("openid.public_url: \"https://m.example/path\""));
    assert!(!found.concat().contains("hid den"));
}

/// A token for announcements needs their address, in each source. Neither is repeated.
#[test]
fn a_token_of_announcements_needs_their_address() {
    let token = "[announcement]\ntoken = \"hunter2\"\n";
    let found = mistakes(&sources(token, &[], &[]));
    assert_eq!(
        found,
        ["/f.toml:2:9: announcement.token needs announcement.url"]
    );
    let url = [("METERHOUSE_ANNOUNCEMENT_URL", "https://regulator.example/a")];
    let both = sources(token, &url, &[]);
    let all = both.settings().unwrap().announcement;
    assert_eq!(all.url.as_deref(), Some("https://regulator.example/a"));
    assert_eq!(all.token.as_deref(), Some("hunter2"));
    assert!(!both.print().contains("hunter2"), "{}", both.print());
    let plain = [("METERHOUSE_ANNOUNCEMENT_URL", "http://regulator.example/a")];
    let found = mistakes(&sources(token, &plain, &[]));
    assert!(found[0].contains("is no address to post to"), "{found:#?}");
}

/// Older keys are of no use without a key: a house by URL needs both.
#[test]
fn older_keys_need_a_key() {
    let older = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    let file = format!("[signing]\nolder_keys = [\"{older}\"]\n");
    let url = [("DATABASE_URL", "postgres://127.0.0.1/name")];
    let found = mistakes(&sources(&file, &url, &[]));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("needs signing.key_file"), "{found:#?}");
    drop(settings(&file, &url, &[("signing.key_file", "/key.pem")]));
    // The key of a private Postgres is in its folder.
    drop(settings(&file, &[], &[]));
}

/// The address of a witness may hold a secret, which neither a message nor the values in force repeat.
#[test]
fn the_secret_of_an_address_is_not_shown() {
    let wrong = [("witness.url", "https://ada:hunter2@witness.example/")];
    let found = mistakes(&sources("", &[], &wrong));
    assert!(found[0].contains("is no address to post to"), "{found:#?}");
    assert!(!found[0].contains("hunter2"), "{found:#?}");
    let query = [("witness.url", "https://witness.example/hook?key=hunter2")];
    let read = sources("", &[], &query);
    let url = read.settings().unwrap().witness.url.unwrap();
    assert!(url.ends_with("?key=hunter2"), "{url}");
    let shown = read.print();
    assert!(
        shown.contains("https://witness.example/hook?********"),
        "{shown}"
    );
    assert!(!shown.contains("hunter2"), "{shown}");
}

/// The example file is valid with every key commented out, and with every key in it.
#[test]
fn the_example_file_is_valid() {
    let text = example();
    drop(settings(&text, &[], &[]));
    let key = |line: &str| line.starts_with('#') && !line.starts_with("# ") && line != "#";
    let lines = text.lines();
    // Keys that contradict another one are left out.
    let others = [
        "url_file",
        "data_dir",
        "key_file",
        "pin_file",
        "token_file",
        "client_secret_file",
    ];
    // With database.url the key of notices is needed, unlike that of signatures beside a device.
    let is_other = |line: &str| {
        let mut others = others.iter();
        !line.contains("push-key.pem") && others.any(|key| line.starts_with(&format!("#{key} ")))
    };
    let lines = lines.filter(|line| !is_other(line));
    let whole: Vec<&str> = lines
        .map(|line| if key(line) { &line[1..] } else { line })
        .collect();
    drop(settings(&whole.join("\n"), &[], &[]));
}

/// No two settings share a name, a flag or a variable.
#[test]
fn each_name_is_used_once() {
    let mut names = Vec::new();
    for setting in ALL {
        let described = setting.described();
        names.extend([
            described.name.to_owned(),
            format!("--{}", described.flag),
            described.variable.to_owned(),
        ]);
        if let Some(secret) = &described.secret_file {
            names.extend([
                secret.name.to_owned(),
                format!("--{}", secret.flag),
                secret.variable.to_owned(),
            ]);
            assert_eq!(secret.name, format!("{}_file", described.name));
        }
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}

/// Notices are off without a contact. With a database by URL their key has a file, and hosts are hosts.
#[test]
fn notices_need_a_contact_and_a_key() {
    let found = |file: &str, url: &[(&str, &str)]| mistakes(&sources(file, url, &[]));
    let none = settings("", &[], &[]).push;
    assert!(none.subject.is_none() && none.hosts.len() == 4);
    let push = "[push]\nsubject = \"mailto:floor@casino.example\"\n";
    let on = settings(push, &[], &[("push.hosts", "push.example,.notify.example")]);
    assert!(on.push.subject.is_some() && on.push.hosts.len() == 2);
    let url = [("DATABASE_URL", "postgres://127.0.0.1/name")];
    let missing = found(push, &url);
    assert_eq!(missing.len(), 1, "{missing:#?}");
    assert!(missing[0].contains("needs push.key_file"), "{missing:#?}");
    drop(settings(push, &url, &[("push.key_file", "/push.pem")]));
    let alone = found("[push]\nkey_file = \"/push.pem\"\n", &[]);
    assert_eq!(alone, ["/f.toml:2:12: push.key_file needs push.subject"]);
    let wrong = found(
        "[push]\nsubject = \"floor\"\nhosts = [\"https://push.example\"]\n",
        &[],
    );
    assert_eq!(wrong.len(), 2, "{wrong:#?}");
    assert!(
        wrong[0].contains("is no contact: write mailto:"),
        "{wrong:#?}"
    );
    assert!(wrong[1].contains("is no host: write a host"), "{wrong:#?}");
}

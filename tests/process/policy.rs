//! `meterhouse policy`: the page of rights, and the commands that need the database.

use serde_json::Value;

use crate::program::{folder, run};

/// An address at which no database is.
const NO_DATABASE: &str = "postgres://nobody@127.0.0.1:1/none";

/// The program prints the committed page, and the same rows as JSON.
#[tokio::test]
async fn the_page_of_rights_is_current() {
    let printed = run(&["policy"]).await.with_code(0);
    let committed = include_str!("../../docs/operating/rights.md");
    assert!(
        printed.stdout == committed,
        "docs/operating/rights.md is not current: run `cargo run -- policy > docs/operating/rights.md`"
    );
    let printed = run(&["policy", "--json"]).await.with_code(0);
    let policy: Value = serde_json::from_str(&printed.stdout).expect("JSON");
    for rows in ["rights", "grants", "http", "grpc", "pages", "commands"] {
        assert!(!policy[rows].as_array().expect(rows).is_empty(), "{rows}");
    }
    for row in policy["http"].as_array().expect("rows") {
        let name = row["operation"].as_str().expect("a name");
        assert!(committed.contains(&format!("| `{name}`")), "{name}");
    }
}

/// A round for `settle`.
const ROUND: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/process/round.json"
);

/// Returns the arguments of a command, or `None` for one that is tried elsewhere: `serve` waits for its database, `ready`
/// asks a server, and `demo` and `load` play.
fn arguments<'a>(
    command: &str,
    folder: &'a str,
    new: &'a str,
    paytable: &'a str,
) -> Option<Vec<&'a str>> {
    let month = ["--month", "2020-01"];
    Some(match command {
        "serve" | "ready" | "demo" | "load" => return None,
        "archive write" => [&month[..], &["--to", folder]].concat(),
        "archive detach" | "archive drop" => [&month[..], &["--from", folder]].concat(),
        "archive attach" => month.to_vec(),
        "export" => vec!["--link", "main", "--to", new],
        "key create" => vec!["--to", new],
        "key end" => vec!["d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"],
        "token create" | "user create" => vec!["--name", "eve", "--role", "auditor"],
        "token revoke"
        | "user password"
        | "user restore"
        | "user end-sessions"
        | "user remove-second-factor"
        | "user remove-openid" => vec!["eve"],
        "user end" => vec!["eve", "--reason", "left the house"],
        "paytable show" | "paytable charge" => vec!["pa-639a-a"],
        "paytable compare" => vec!["pa-639a-a", "pa-639a-f"],
        "paytable check" | "key introduce" => vec![paytable],
        "evaluate" => vec!["pa-657a-five-card-c", "As", "Ks", "Qs", "Js", "Ts"],
        "settle" => vec![ROUND],
        "returns" => vec!["pa-657a-five-card-c"],
        "completions" => vec!["bash"],
        "man-pages" => vec![folder],
        _ => Vec::new(),
    })
}

/// Without a database, a command that needs it ends with 4, and every other one does its work.
#[tokio::test]
async fn a_command_needs_the_database_as_its_row_says() {
    let printed = run(&["policy", "--json"]).await.with_code(0);
    let policy: Value = serde_json::from_str(&printed.stdout).expect("JSON");
    let folder = folder();
    let folder = folder.path().display().to_string();
    let new = format!("{folder}/new");
    let paytable = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/paytables/test-four-levels.toml"
    );
    let mut tried = 0;
    for row in policy["commands"].as_array().expect("rows") {
        let command = row["operation"].as_str().expect("words");
        let Some(more) = arguments(command, &folder, &new, paytable) else {
            continue;
        };
        let mut words: Vec<&str> = command.split(' ').collect();
        words.extend(more);
        words.extend(["--database-url", NO_DATABASE]);
        let ended = run(&words).await;
        let needs = row["needs"].as_str().expect("an access");
        let code = match needs {
            "database" | "administrator" => 4,
            _ => 0,
        };
        assert_eq!(ended.code, Some(code), "{command}\n{}", ended.stderr);
        tried += 1;
    }
    assert!(tried > 20, "{tried} commands");
}

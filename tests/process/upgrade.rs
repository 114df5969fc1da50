//! Upgrades: data of release 0.1.0 is played on, its schema is only expanded, and an older program starts on a newer
//! schema that declares it.
//!
//! `tests/deploy/upgrade` runs the program of that release itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use meterhouse_tests::{Caller, Database, eventually};
use nix::sys::signal::Signal;
use serde_json::{Value, json};
use sqlx::{ConnectOptions as _, Row as _};

use crate::program::{PROGRAM, ProgramOutput, Running, command, run_to_end, serve_command};

/// The newest migration of 0.1.0, and a migration of a release after this one.
const BASELINE: i64 = 20_261_123_124_500;
const NEWER: i64 = 30_000_101_000_000;

/// Returns a file of the baseline.
fn baseline(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/baseline/0.1.0");
    folder.join(name)
}

/// Returns a database with nothing but this dump.
async fn restored(dump: &str) -> Database {
    let database = Database::new().await;
    let empty =
        "DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC";
    database
        .run_as_superuser(empty)
        .await
        .expect("an empty schema");
    database
        .run_as_superuser(dump)
        .await
        .expect("a restored dump");
    database
}

/// Returns the dump of the data.
async fn data() -> String {
    let mut unpack = command("gzip");
    unpack.arg("-dc").arg(baseline("data.sql.gz"));
    run_to_end(unpack).await.with_code(0).stdout
}

async fn run_as(options: &sqlx::postgres::PgConnectOptions, arguments: &[&str]) -> ProgramOutput {
    let mut program = command(PROGRAM);
    program
        .args(arguments)
        .env("DATABASE_URL", options.to_url_lossy().as_str());
    run_to_end(program).await
}

async fn serve(database: &Database) -> (Running, Caller) {
    let mut program = serve_command();
    program.env("DATABASE_URL", database.application.to_url_lossy().as_str());
    let mut server = Running::spawn(program);
    let base = server.line_after("listening on ").await;
    (server, Caller::nobody(base))
}

/// Returns the token of a new person or device.
async fn token(database: &Database, who: &[&str]) -> String {
    let create = [&["token", "create", "--log", "error"], who].concat();
    let created = run_as(&database.application, &create).await.with_code(0);
    created.stdout.trim().to_owned()
}

/// Verifies the whole journal. Returns the number of events.
async fn verified(database: &Database) -> u64 {
    let verified = run_as(&database.application, &["verify", "--json"]).await;
    let verified: Value = serde_json::from_str(&verified.with_code(0).stdout).expect("JSON");
    let links = verified["links"].as_array().expect("links");
    assert_eq!(links.len(), 4, "{verified}");
    links
        .iter()
        .filter_map(|link| link["events"].as_u64())
        .sum()
}

/// This program refuses the schema of 0.1.0, and shows the plan of a migration without a change.
async fn refused_and_planned(database: &Database) {
    for words in [&["serve"] as &[&str], &["verify"], &["migrate", "--check"]] {
        let refused = run_as(&database.application, words).await.with_code(4);
        drop(refused.with_error("22 migrations behind: run `meterhouse migrate`"));
    }
    let read_only = [("default_transaction_read_only", "on")];
    let reader = database.application.clone().options(read_only);
    let plan = run_as(&reader, &["migrate", "--plan"])
        .await
        .with_code(0)
        .stdout;
    assert!(
        plan.starts_with("22 migrations are pending\n") && plan.contains("Nothing was changed."),
        "{plan}"
    );
    let plan = run_as(&reader, &["migrate", "--plan", "--json"])
        .await
        .with_code(0)
        .stdout;
    let plan: Value = serde_json::from_str(&plan).expect("JSON");
    assert_eq!(plan["pending"][0]["compatible_from"], BASELINE, "{plan}");
    drop(
        run_as(&database.application, &["migrate", "--check"])
            .await
            .with_code(4),
    );
}

/// Repeats a command of the old program, settles its hits, closes its open round and opens another.
async fn play_on(database: &Database) {
    let (server, anonymous) = serve(database).await;
    let key = std::fs::read_to_string(baseline("controller.token")).expect("a token");
    let table = anonymous.with_token(key.trim());
    let repeat = json!({"command": "hit", "seat": 1, "hand": "four-of-a-kind", "by": "d-12",
                        "cards": ["Ks", "Kh", "Kd", "Kc", "Th"]});
    let repeated = table.put("/v1/tables/BASE-1/commands/13", &repeat).await;
    assert!(
        repeated.replayed() && repeated.status == 200,
        "{repeated:?}"
    );
    let supervisor = token(
        database,
        &[
            "--role",
            "supervisor",
            "--name",
            "kim",
            "--department",
            "slots",
        ],
    )
    .await;
    let supervisor = anonymous.with_token(supervisor);
    let validation = supervisor
        .put(
            "/v1/hits/BASE-1.13/validation",
            &json!({"decision": "approve"}),
        )
        .await;
    drop(validation.created());
    for (hit, document) in [("BASE-1.12", "JP-000012"), ("BASE-1.13", "JP-000013")] {
        let path = format!("/v1/hits/{hit}/payouts/1/payment");
        drop(
            supervisor
                .put(&path, &json!({"document": document}))
                .await
                .created(),
        );
    }
    let coin_in =
        json!({"command": "coin_in", "dealt": [2], "wagers": [{"seat": 2, "amount": "1.00"}]});
    for (number, body) in [(14, json!({"command": "close"})), (15, coin_in)] {
        drop(
            table
                .put(&format!("/v1/tables/BASE-1/commands/{number}"), &body)
                .await
                .created(),
        );
    }
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// This program refuses the schema of 0.1.0, shows the plan without a change, migrates, verifies every event of the old
/// program, and plays on: a repeat of the old program's command, its hits, its open round.
#[tokio::test]
async fn data_of_the_baseline_is_played_on() {
    let database = restored(&data().await).await;
    refused_and_planned(&database).await;
    let migrated = run_as(&database.superuser, &["migrate"]).await.with_code(0);
    assert!(
        migrated.stdout.starts_with("22 migrations were applied")
            && migrated
                .stdout
                .contains("4 of the links are not compact: run `meterhouse migrate --compact`"),
        "{}",
        migrated.stdout
    );
    let before = verified(&database).await;
    assert!(before > 4_000, "{before}");

    play_on(&database).await;
    // A validation, two payments, a close and a coin-in; an expired proposal may have ended meanwhile.
    let played = verified(&database).await;
    assert!(played >= before + 5);
    made_compact(&database).await;
    assert!(verified(&database).await > played);
}

/// The links are made compact while a server plays. Before, the old program could read all of them; afterwards a batch has no
/// zeros and the head no balances.
async fn made_compact(database: &Database) {
    let (server, anonymous) = serve(database).await;
    let key = std::fs::read_to_string(baseline("controller.token")).expect("a token");
    let table = anonymous.with_token(key.trim());
    let play = async |number: u64, command: Value| {
        let path = format!("/v1/tables/BASE-1/commands/{number}");
        drop(table.put(&path, &command).await.created());
    };
    play(16, json!({"command": "close"})).await;
    let dense = "SELECT FROM link_head AS h JOIN batch AS b USING (link_id, batch) WHERE h.balances = b.after";
    assert_eq!(database.rows(dense).await.len(), 4);
    for said in ["4 links were made compact", "all links were compact"] {
        let made = run_as(&database.application, &["migrate", "--compact"])
            .await
            .with_code(0);
        assert_eq!(made.stdout.trim(), said);
    }
    play(
        17,
        json!({"command": "coin_in", "dealt": [2], "wagers": [{"seat": 2, "amount": "1.00"}]}),
    )
    .await;
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    let compact = "SELECT FROM link_head AS h JOIN batch AS b USING (link_id, batch)
                   WHERE h.balances = '{}' AND array_position(after || deltas, 0::bigint) IS NULL";
    assert_eq!(database.rows(compact).await.len(), 1);
}

/// Applies a migration of a newer release.
async fn apply_newer(database: &Database) {
    let newer =
        format!("INSERT INTO _sqlx_migrations VALUES ({NEWER}, 'newer', now(), true, 'x', 0)");
    database
        .run_as_superuser(&newer)
        .await
        .expect("a newer migration");
}

/// Declares that programs of the newest schema of this release run on it.
async fn declare_newer(database: &Database) {
    let declare = format!(
        "INSERT INTO migration_compatibility
         SELECT {NEWER}, max(version) FROM _sqlx_migrations WHERE version < {NEWER}"
    );
    database
        .run_as_superuser(&declare)
        .await
        .expect("a declaration");
}

/// Without a declaration, a newer schema is refused by a start, and a running server is not ready. With it, this program
/// starts, verifies and is ready.
#[tokio::test]
async fn an_older_program_runs_on_a_schema_that_was_only_expanded() {
    let database = Database::new().await;
    let (server, anonymous) = serve(&database).await;
    let readiness = async || anonymous.get("/readyz").await;
    let schema = |readiness: &Value| {
        let checks = readiness["checks"].as_array().expect("checks");
        let schema = checks.iter().find(|check| check["name"] == "schema");
        schema.expect("a check of the schema")["status"].clone()
    };
    apply_newer(&database).await;
    let failed = eventually("the server is not ready", async || {
        let answer = readiness().await;
        (answer.status == 503).then_some(answer.body)
    });
    assert_eq!(schema(&failed.await), "failed");
    for words in [
        &["serve"] as &[&str],
        &["verify"],
        &["migrate", "--check"],
        &["migrate", "--plan"],
    ] {
        let refused = run_as(&database.application, words).await.with_code(4);
        drop(refused.with_error("newer than this program"));
    }
    let refused = run_as(&database.superuser, &["migrate"]).await.with_code(4);
    drop(refused.with_error("use a newer program"));

    declare_newer(&database).await;
    let ready = eventually("the server is ready", async || {
        let answer = readiness().await;
        (answer.status == 200).then_some(answer.body)
    });
    assert_eq!(schema(&ready.await), "ok");
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    let (server, again) = serve(&database).await;
    drop(again.get("/readyz").await.is(200));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    let checked = run_as(&database.application, &["migrate", "--check"])
        .await
        .with_code(0);
    assert!(
        checked.stdout.contains("1 migrations of a newer release"),
        "{}",
        checked.stdout
    );
    let migrated = run_as(&database.superuser, &["migrate"]).await.with_code(0);
    assert!(
        migrated.stdout.starts_with("the schema was current"),
        "{}",
        migrated.stdout
    );
}

/// What the program of 0.1.0 uses of a schema, a line each. Partitions have the months of their day.
const USED: &str = "
SELECT format('column %s.%s %s %s', table_name, column_name, data_type,
              CASE is_nullable WHEN 'YES' THEN 'null' ELSE 'not null' END) AS line
FROM information_schema.columns WHERE table_schema = 'public' AND table_name !~ '^event_[0-9]+$'
UNION ALL
SELECT format('right %s %s', privilege_type, table_name) FROM information_schema.role_table_grants
WHERE grantee = 'meterhouse_app' AND table_name !~ '^event_[0-9]+$'
UNION ALL
SELECT format('function %s', oid::regprocedure) FROM pg_proc WHERE pronamespace = 'public'::regnamespace";

/// What may stop a writer that does not know it: constraints, triggers, and columns without a default.
const DEMANDED: &str = "
SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line
FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
  AND conrelid::regclass::text !~ '^event_[0-9]+$'
UNION ALL
SELECT format('trigger %s %s', tgrelid::regclass, tgname) FROM pg_trigger
WHERE NOT tgisinternal AND tgrelid::regclass::text !~ '^event_[0-9]+$'
UNION ALL
SELECT format('column %s.%s has to be written', table_name, column_name) FROM information_schema.columns
WHERE table_schema = 'public' AND is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO'
  AND table_name !~ '^event_[0-9]+$'";

/// The guard of batches, which demands what the checks did that it replaced.
const GUARD: &str = "trigger batch batch_is_sound";

async fn lines(database: &Database, sql: &str) -> BTreeSet<String> {
    let rows = database.rows(sql).await;
    rows.iter()
        .map(|row| row.get::<String, _>("line"))
        .collect()
}

/// Returns the table that a line is about.
fn table_of(line: &str) -> &str {
    let second = line.split_whitespace().nth(1).unwrap_or_default();
    second.split('.').next().unwrap_or_default()
}

/// Returns true for a list of words that a column may have, if the list before was a part of it: nothing that an older
/// program writes is refused.
fn is_widened(line: &str, before: &BTreeSet<String>) -> bool {
    let list = |line: &str| {
        let (column, words) = line.split_once(" = ANY (ARRAY[")?;
        let words = words.strip_suffix("])))")?.split(", ");
        let words: BTreeSet<String> = words.map(str::to_owned).collect();
        Some((column.to_owned(), words))
    };
    let Some((column, words)) = list(line) else {
        return false;
    };
    let mut earlier = before.iter().filter_map(|line| list(line));
    earlier.any(|(of, fewer)| of == column && fewer.is_subset(&words))
}

/// Everything that 0.1.0 uses is still there, and nothing new is demanded of what it writes.
#[tokio::test]
async fn the_schema_was_only_expanded() {
    let dump = std::fs::read_to_string(baseline("schema.sql")).expect("a dump");
    let (old, new) = (restored(&dump).await, Database::new().await);
    let (used, today) = (lines(&old, USED).await, lines(&new, USED).await);
    assert!(used.len() > 100, "{used:?}");
    let gone: Vec<&String> = used.difference(&today).collect();
    assert_eq!(gone, [""; 0]);
    let tables: BTreeSet<&str> = used
        .iter()
        .filter(|line| line.starts_with("column"))
        .map(|line| table_of(line))
        .collect();
    let (before, after) = (lines(&old, DEMANDED).await, lines(&new, DEMANDED).await);
    let demanded = after.difference(&before).filter(|line| {
        tables.contains(table_of(line)) && !is_widened(line, &before) && *line != GUARD
    });
    assert_eq!(demanded.collect::<Vec<_>>(), [""; 0]);

    // A shorter list is one that demands something.
    let role = "constraint actor actor_role_known CHECK ((role = ANY (ARRAY['server'::text])))";
    assert!(!is_widened(role, &before));

    // Both comparisons find what is planted.
    let contract = "ALTER TABLE hit DROP COLUMN level CASCADE; ALTER TABLE hit ADD COLUMN planted integer NOT NULL";
    new.tamper(contract).await;
    let (today, after) = (lines(&new, USED).await, lines(&new, DEMANDED).await);
    assert!(
        used.difference(&today)
            .any(|line| line.starts_with("column hit.level"))
    );
    assert!(
        after
            .difference(&before)
            .any(|line| line.contains("hit.planted"))
    );
}

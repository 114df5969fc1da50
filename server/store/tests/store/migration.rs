//! The schema: applied once, recognised, with valid statements and partitions made once.

use meterhouse_store::{
    ALL, Commit, Enforcement, Mark, MigrationState, NotEnforced, PERIODS_AHEAD, Statement, migrate,
};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, Row as _, SqlSafeStr as _};

use crate::common::{CommitOne as _, PERIOD, World, after, coin_ins, following, open, store};

/// Every statement of the crate is prepared by the application against the migrated schema.
#[tokio::test]
async fn every_statement_fits_the_schema() {
    let world = World::new().await;
    let mut connection = PgConnection::connect_with(&world.app).await.unwrap();
    for statement in ALL {
        assert!(
            statement
                .sql
                .starts_with(&format!("/* {} */", statement.name))
        );
        let prepared = connection.prepare(statement.sql.into_sql_str()).await;
        assert!(prepared.is_ok(), "{}: {:?}", statement.name, prepared.err());
    }
    let mut names: Vec<&str> = ALL.iter().map(|statement| statement.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ALL.len(), "two statements have the same name");
}

/// A second migration does nothing. Two concurrent migrations create the schema once.
#[tokio::test]
async fn migrating_is_idempotent_and_concurrent() {
    let world = World::empty().await;
    let (one, other) = tokio::join!(migrate(&world.admin), migrate(&world.admin));
    let (one, other) = (one.unwrap(), other.unwrap());
    let (first, second) = if one.applied.is_empty() {
        (other, one)
    } else {
        (one, other)
    };
    assert!(first.applied.len() > 5);
    assert_eq!(first.periods, PERIODS_AHEAD + 1);
    assert_eq!((second.applied.len(), second.periods), (0, 0));
    let store = world.store().await;
    assert_eq!(
        store.migration_state().await.unwrap(),
        MigrationState::Current
    );
    assert_eq!(store.enforcement().await.unwrap(), Enforcement::Enforced);
    store.ping().await.unwrap();
}

/// A schema that is behind, ahead or changed is recognised.
#[tokio::test]
async fn other_schemas_are_recognised() {
    let empty = World::empty().await;
    migrate(&World::empty().await.admin).await.unwrap();
    let state = store(&empty.app).await.migration_state().await.unwrap();
    assert!(matches!(state, MigrationState::Behind { missing } if missing.len() > 5));

    let world = World::new().await;
    let store = world.store().await;
    world
        .run_as_admin("UPDATE _sqlx_migrations SET checksum = 'x' WHERE version = 20261121100300")
        .await
        .unwrap();
    let changed = MigrationState::Changed {
        versions: vec![20_261_121_100_300],
    };
    assert_eq!(store.migration_state().await.unwrap(), changed);
    let newer =
        "INSERT INTO _sqlx_migrations VALUES (30000101000000, 'newer', now(), true, 'x', 0)";
    world.run_as_admin(newer).await.unwrap();
    let unknown = MigrationState::Unknown {
        versions: vec![30_000_101_000_000],
    };
    assert_eq!(store.migration_state().await.unwrap(), unknown);
    migrate(&world.admin).await.unwrap_err();
}

/// Makes a role that logs in, or takes the one of an earlier run on the same server.
async fn make_role(world: &World, name: &str) -> PgConnectOptions {
    let make = format!(
        "DO $$ BEGIN CREATE ROLE {name} LOGIN PASSWORD '{name}';
         EXCEPTION WHEN duplicate_object THEN NULL; END $$"
    );
    world.run_as_admin(&make).await.unwrap();
    world.admin.clone().username(name).password(name)
}

/// A user who may not migrate receives the remedy. A member of the owner may migrate.
#[tokio::test]
async fn a_user_without_the_right_to_migrate_receives_the_remedy() {
    let world = World::new().await;
    let error = migrate(&world.app).await.unwrap_err().to_string();
    assert!(error.contains("may not become meterhouse_owner"), "{error}");

    let fresh = World::empty().await;
    let migrator = make_role(&fresh, "migrator_m").await;
    let grant = "GRANT meterhouse_owner TO migrator_m;
                 GRANT CREATE, USAGE ON SCHEMA public TO meterhouse_owner";
    fresh.run_as_admin(grant).await.unwrap();
    migrate(&migrator).await.unwrap();
    let why = |why| Enforcement::NotEnforced { why };
    let found = store(&migrator).await.enforcement().await.unwrap();
    assert_eq!(found, why(NotEnforced::Owner));
    let found = store(&fresh.admin).await.enforcement().await.unwrap();
    assert_eq!(found, why(NotEnforced::Superuser));
    fresh
        .run_as_admin("GRANT UPDATE ON batch TO meterhouse_app")
        .await
        .unwrap();
    let found = fresh.store().await.enforcement().await.unwrap();
    assert_eq!(
        found,
        why(NotEnforced::Granted {
            table: "batch".to_owned()
        })
    );
    // The owner of a schema may drop its tables, whatever other rights are missing.
    let owner = make_role(&fresh, "schema_owner_s").await;
    let own = "ALTER SCHEMA public OWNER TO schema_owner_s";
    fresh.run_as_admin(own).await.unwrap();
    let found = store(&owner).await.enforcement().await.unwrap();
    assert_eq!(found, why(NotEnforced::SchemaOwner));
}

/// The application creates partitions. Ten concurrent calls create each once, and invalid periods
/// are refused.
#[tokio::test]
async fn periods_are_made_once() {
    let world = World::new().await;
    let store = world.store().await;
    let first = PERIOD + 100;
    let there = async || store.periods().await.unwrap();
    assert!(!there().await.contains(&first));
    let calls: Vec<_> = (0..10)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.make_periods(first, 4).await.unwrap() })
        })
        .collect();
    let mut made = 0;
    for call in calls {
        made += call.await.unwrap();
    }
    assert_eq!(made, 4);
    assert!(
        there()
            .await
            .ends_with(&[first, first + 1, first + 2, first + 3])
    );
    assert_eq!(store.make_periods(first + 2, 3).await.unwrap(), 1);
    store.make_periods(1, 1).await.unwrap_err();
    store.make_periods(first, 1_000).await.unwrap_err();
}

/// No statement of the hot path scans a whole table that grows: its generic plan, on a filled
/// database, has no sequential scan of one.
#[tokio::test]
async fn plans_use_the_keys() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    for step in 0..20 {
        let mut new = following(link, &head, coin_ins(1, 1 + 1_000 * step, 1_000));
        let mark = |position| Mark {
            table: 1,
            sequence: 1 + 1_000 * step + u64::from(position),
            position,
        };
        new.marks = (0..1_000).step_by(10).map(mark).collect();
        assert!(matches!(journal.commit_one(&new).await, Commit::Committed));
        head = after(&new);
    }
    world.run_as_admin(FILL).await.unwrap();
    let mut connection = PgConnection::connect_with(&world.app).await.unwrap();
    sqlx::raw_sql(
        "SET plan_cache_mode = force_generic_plan; SET meterhouse.link = 1;
         SET meterhouse.period = 24000; SET meterhouse.after = 1",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    let on_the_way = [
        "journal.",
        "feed.",
        "hit.",
        "contact.",
        "range.",
        "report.balances",
        "report.running_check",
        "link.",
        "people.find_token",
        "verify.",
    ];
    let is_plannable = |sql: &str| {
        ["SELECT", "WITH", "UPDATE", "INSERT"]
            .iter()
            .any(|word| sql.contains(word))
    };
    for statement in ALL {
        let is_on_the_way = on_the_way
            .iter()
            .any(|prefix| statement.name.starts_with(prefix));
        if !is_on_the_way || !is_plannable(statement.sql) {
            continue;
        }
        let lines = plan(&mut connection, *statement).await;
        for table in [
            "event",
            "batch",
            "hit",
            "payout",
            "table_mark",
            "table_contact",
            "token",
        ] {
            let scan = format!("Seq Scan on {table}");
            let found = lines.iter().find(|line| line.contains(&scan));
            assert_eq!(found, None, "{}: {}", statement.name, lines.join("\n"));
        }
    }
    assert_stretches_end(&mut connection).await;
}

/// Checks that no statement over a range reads past the range's end.
async fn assert_stretches_end(connection: &mut PgConnection) {
    // Postgres' choice of the cheapest join depends on the sample of its statistics.
    for memoize in ["on", "off"] {
        run(connection, format!("SET enable_memoize = {memoize}")).await;
        for (name, arguments) in STRETCHES {
            let arguments = arguments.replace("PERIOD", &PERIOD.to_string());
            let arguments = arguments.replace("NEXT", &(PERIOD + 1).to_string());
            let touched = touched(connection, name, &arguments).await;
            assert!(
                (1..TOUCHED_MAX).contains(&touched),
                "{name} ({arguments}), memoize {memoize}: {touched} pages"
            );
        }
    }
}

/// Statements over a range of the journal, with arguments for the third batch. Commands there are
/// also sought up to the end of the next month, and rare kinds (one event there, or none) from the
/// journal's end.
const STRETCHES: [(&str, &str); 11] = [
    ("journal.read_events", "1, PERIOD, 3, PERIOD, 3"),
    ("journal.find_event", "1, PERIOD, 3, PERIOD, 3, 1, 999999"),
    ("journal.find_event", "1, PERIOD, 3, NEXT, 20000, 1, 1500"),
    (
        "range.table_events",
        "1, PERIOD, 3, PERIOD, 3, 1, 1500, 1510",
    ),
    (
        "range.table_events",
        "1, PERIOD, 3, NEXT, 20000, 1, 1500, 1510",
    ),
    ("range.contributions", "1, 3, 0, 3, 999"),
    ("range.wide_coin_ins", "1, 3, 0, 3, 999, 100"),
    ("range.notable", "1, '{16,17,18}', 5, 0, 20"),
    ("range.notable", "1, '{33,34}', 20001, 0, 20"),
    ("range.notable", "1, '{34}', 20001, 0, 20"),
    ("feed.journal_page", "1, 2, 0, 20"),
];
/// Maximum number of pages that a thousand events may cost. The index alone has more pages to the
/// journal's end.
const TOUCHED_MAX: u64 = 100;

/// Returns the number of pages of tables and indexes that a statement reads for these arguments,
/// without those after its range. Pages of the catalogue are not counted: a concurrent ANALYZE
/// makes every session read its operators again, some hundred pages.
async fn touched(connection: &mut PgConnection, name: &str, arguments: &str) -> u64 {
    let statement = ALL.iter().find(|statement| statement.name == name).unwrap();
    run(connection, format!("PREPARE planned AS {}", statement.sql)).await;
    let explain = format!("EXPLAIN (ANALYZE, BUFFERS) EXECUTE planned ({arguments})");
    let lines = run(connection, explain).await;
    run(connection, "DEALLOCATE planned".to_owned()).await;
    let mut is_of_table = false;
    let mut pages = 0;
    for line in lines.iter().map(|row| row.get::<String, _>(0)) {
        if line.contains("(cost=") {
            is_of_table = reads_a_table(&line);
        } else if line.starts_with("Planning:") {
            break;
        } else if is_of_table && let Some((_, buffers)) = line.split_once("Buffers: shared") {
            // Counts of temporary files follow a comma.
            let shared = buffers.split(',').next().unwrap_or_default();
            let counts = shared.split_whitespace();
            let counts = counts.filter_map(|count| count.split_once('='));
            let reads = counts.filter(|(key, _)| ["hit", "read"].contains(key));
            pages += reads
                .map(|(_, number)| number.parse::<u64>().unwrap())
                .sum::<u64>();
        }
    }
    pages
}

/// Returns `true` if this line of a plan is a node that reads a table, directly or by its index.
fn reads_a_table(line: &str) -> bool {
    let of_rows = ["Function Scan", "CTE Scan", "Subquery Scan"];
    // The heap scan above a bitmap's index scan includes the index's pages.
    let is_counted_above = line.contains("Bitmap Index Scan");
    line.contains(" Scan ") && !is_counted_above && of_rows.iter().all(|word| !line.contains(word))
}

/// Returns the generic plan of a statement.
async fn plan(connection: &mut PgConnection, statement: Statement) -> Vec<String> {
    // Settings of the transaction of `verify`, which no other statement uses.
    let is_verify = statement.name.starts_with("verify.");
    let sort = format!("SET enable_sort = {}", if is_verify { "off" } else { "on" });
    run(connection, sort).await;
    run(connection, format!("PREPARE planned AS {}", statement.sql)).await;
    let count = "SELECT cardinality(parameter_types) FROM pg_prepared_statements
                 WHERE name = 'planned'";
    let count = sqlx::query_scalar::<_, i32>(count).fetch_one(&mut *connection);
    let nulls = vec!["NULL"; usize::try_from(count.await.unwrap()).unwrap()].join(", ");
    let arguments = if nulls.is_empty() {
        nulls
    } else {
        format!("({nulls})")
    };
    let lines = run(connection, format!("EXPLAIN EXECUTE planned {arguments}")).await;
    run(connection, "DEALLOCATE planned".to_owned()).await;
    lines.iter().map(|row| row.get(0)).collect()
}

async fn run(connection: &mut PgConnection, sql: String) -> Vec<PgRow> {
    let run = sqlx::raw_sql(AssertSqlSafe(sql));
    run.fetch_all(connection).await.unwrap()
}

/// Enough batches, hits, payouts, contacts, tokens and events in each month for realistic plans,
/// and one event of a rare kind in the third batch.
const FILL: &str = "
INSERT INTO hit SELECT 1, 1, n, n, 1, 1 + n % 7, 1, 1, NULL, NULL, NULL, NULL, NULL, 1, 1, NULL, 1,
       NULL, NULL, NULL, NULL, NULL, NULL, 1 FROM generate_series(1, 5000) AS n;
INSERT INTO payout SELECT 1, 1, n, 1, 1, NULL, 1, 1, 1, 1, NULL, NULL, NULL
       FROM generate_series(1, 5000) AS n;
INSERT INTO table_contact SELECT n / 50, 1 + n % 50, n, false FROM generate_series(1, 5000) AS n;
INSERT INTO token SELECT sha256(n::text::bytea), 1, n FROM generate_series(1, 5000) AS n;
INSERT INTO batch SELECT 1, n, n, 'n', 1, 1, period, 1, deltas, after, chain_hash
       FROM batch, generate_series(100, 5000) AS n WHERE batch = 1;
INSERT INTO event (link_id, period, batch, position, actor_id, kind)
       SELECT 1, month.period, n, 0, 1, CASE WHEN n % 10 = 0 THEN 16 + n % 13 ELSE 1 END
       FROM (SELECT substr(c.relname, 7)::int AS period
             FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
             WHERE i.inhparent = 'event'::regclass) AS month, generate_series(1000, 20000) AS n;
INSERT INTO event (link_id, period, batch, position, actor_id, kind)
       SELECT 1, period, 3, 1000, 1, 33 FROM batch WHERE link_id = 1 AND batch = 3;
ANALYZE";

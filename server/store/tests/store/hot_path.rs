//! The statements that play and load a link touch that link only. Links may therefore be spread over several databases,
//! and one link's statements never wait for another's rows. The statement that commits several links waits for no row:
//! `combined.rs` proves it.

use std::collections::BTreeSet;

use meterhouse_store::{ALL, Commit, Statement};
use sqlx::AssertSqlSafe;
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;

use crate::common::{CommitOne as _, World, after, coin_ins, following, open};

/// Control of a transaction touches no table, and one statement is for several links.
const NOT_OF_ONE_LINK: [&str; 4] = [
    "journal.begin",
    "journal.commit",
    "journal.rollback",
    "journal.commit_many",
];
/// Rows of one link, by the comparisons that a plan may show. `head` is the row that the fence moved.
const OF_THE_LINK: [&str; 7] = [
    "(link_head.link_id + 0) = $1",
    "link_id = $1",
    "link_id = '1'::integer",
    "link_id = head.link_id",
    "link_id = mark.link_id",
    "link_id = snapshot.link_id",
    "link_id = table_mark.link_id",
];

/// Lines of a bitmap scan: its own, and those of the index below.
const BITMAP_LINES: usize = 5;

/// Returns the plan of a statement for any arguments, a line a step.
async fn plan(connection: &mut PgConnection, statement: &Statement) -> Vec<String> {
    let name = statement.name.replace('.', "_");
    let prepare = format!("PREPARE {name} AS {}", statement.sql);
    sqlx::raw_sql(AssertSqlSafe(prepare))
        .execute(&mut *connection)
        .await
        .unwrap();
    let count = "SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = $1";
    let count: i32 = sqlx::query_scalar(count)
        .bind(&name)
        .fetch_one(&mut *connection)
        .await
        .unwrap();
    let nulls = vec!["NULL"; usize::try_from(count).unwrap()].join(", ");
    let explain = format!("EXPLAIN (VERBOSE, COSTS off) EXECUTE {name}({nulls})");
    sqlx::query_scalar(AssertSqlSafe(explain))
        .fetch_all(connection)
        .await
        .unwrap()
}

/// Connects for plans that fit any link, not one whose rows are known.
async fn connect(world: &World) -> PgConnection {
    let mut connection = PgConnection::connect_with(&world.app).await.unwrap();
    // Small tables would be scanned and hashed whole; a long journal is not.
    let generic = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off;
                   SET enable_hashjoin = off; SET enable_mergejoin = off";
    sqlx::raw_sql(generic)
        .execute(&mut connection)
        .await
        .unwrap();
    connection
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns the rows that an insert takes from the step below it, apart from its `WITH` queries.
fn inserted<'p>(plan: &'p [String], insert: &str) -> Option<&'p str> {
    let mut with = None;
    let below = plan.iter().skip_while(|line| *line != insert).skip(1);
    for line in below.take_while(|line| indent(line) > indent(insert)) {
        with = with.filter(|with| indent(line) > *with);
        let text = line.trim_start();
        if with.is_none() && text.starts_with("CTE ") {
            with = Some(indent(line));
        }
        if with.is_none() && text.starts_with("Output: ") {
            return text.strip_prefix("Output: ");
        }
    }
    None
}

/// Returns the steps of a plan that read a table without comparing the link, or insert rows of another link.
fn unbound(plan: &[String]) -> Vec<String> {
    let is_step = |line: &str| line.contains("->") || !line.starts_with(' ');
    let compares = |line: &String| {
        let is_condition = line.contains("Cond:") || line.contains("Filter:");
        is_condition && OF_THE_LINK.iter().any(|same| line.contains(same))
    };
    let is_unbound = |(index, line): &(usize, &String)| {
        let mut below = plan[index + 1..].iter();
        let text = line.trim_start_matches([' ', '-', '>']);
        if text.starts_with("Insert on public.") {
            let rows = inserted(plan, line).unwrap_or_default();
            let first = rows.split(',').next().unwrap_or_default();
            return first != "$1" && !(first.starts_with("head") && first.ends_with(".link_id"));
        }
        if text.starts_with("Bitmap Heap Scan") {
            return !below.take(BITMAP_LINES).any(compares);
        }
        let is_read = text.contains("Scan ") && text.contains(" on public.");
        is_read
            && !below
                .by_ref()
                .take_while(|line| !is_step(line))
                .any(compares)
    };
    let unbound = plan.iter().enumerate().filter(is_unbound);
    unbound.map(|(_, line)| line.clone()).collect()
}

#[tokio::test]
async fn every_statement_of_the_hot_path_is_bound_to_its_link() {
    let world = World::new().await;
    let store = world.store().await;
    for name in ["one", "two"] {
        let (link, head) = open(&store, name).await;
        let new = following(link, &head, coin_ins(1, 1, 5));
        let mut journal = store.journal(link);
        drop(journal.commit_one(&new).await);
    }
    world.run_as_admin("ANALYZE").await.unwrap();
    let mut connection = connect(&world).await;
    let hot = ALL.iter().filter(|statement| {
        statement.name.starts_with("journal.") && !NOT_OF_ONE_LINK.contains(&statement.name)
    });
    let mut seen = BTreeSet::new();
    for statement in hot.chain(ALL.iter().filter(|statement| statement.name == "hit.find")) {
        let plan = plan(&mut connection, statement).await;
        let unbound = unbound(&plan);
        assert!(
            unbound.is_empty(),
            "{}: {unbound:#?}\n{}",
            statement.name,
            plan.join("\n")
        );
        seen.insert(statement.name);
    }
    for needed in [
        "journal.commit_routine",
        "journal.commit_full",
        "journal.confirm_head",
        "journal.read_events",
    ] {
        assert!(seen.contains(needed), "{needed} was not looked at");
    }
}

/// The statements that commit scan one page for the head's row, however many old versions the key leads to.
#[tokio::test]
async fn commits_look_for_no_head_by_its_key() {
    let world = World::new().await;
    let store = world.store().await;
    for number in 0..200 {
        open(&store, &format!("link-{number}")).await;
    }
    world.run_as_admin("ANALYZE").await.unwrap();
    let mut connection = PgConnection::connect_with(&world.app).await.unwrap();
    let by_name = |name| ALL.iter().find(|statement| statement.name == name).unwrap();
    for set in [
        "SET plan_cache_mode = force_generic_plan",
        by_name("admin.plan_commits").sql,
    ] {
        let set = sqlx::raw_sql(set).execute(&mut connection).await;
        set.unwrap();
    }
    for (name, reads) in [
        ("journal.commit_routine", &["Tid Range Scan"][..]),
        ("journal.commit_full", &["Tid Range Scan"]),
        // The second one updates what the first one locked.
        ("journal.commit_many", &["Tid Range Scan", "Tid Scan"]),
    ] {
        let plan = plan(&mut connection, by_name(name)).await;
        let of_head = plan.iter().filter_map(|line| {
            let (scan, _) = line.split_once(" on public.link_head")?;
            let scan = scan.trim_start_matches([' ', '-', '>']);
            scan.contains("Scan").then_some(scan)
        });
        assert_eq!(
            of_head.collect::<Vec<_>>(),
            reads,
            "{name}\n{}",
            plan.join("\n")
        );
    }
}

/// Old versions of a head are removed while it is played: many commits need no more pages than few.
#[tokio::test]
async fn a_head_that_is_played_does_not_grow() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "one").await;
    let mut journal = store.journal(link);
    let pages = "SELECT pg_relation_size('link_head') / current_setting('block_size')::bigint";
    let before = world.number(pages).await;
    for number in 1..=400 {
        let new = following(link, &head, coin_ins(1, number, 1));
        let commit = journal.commit_one(&new).await;
        assert!(matches!(commit, Commit::Committed), "{commit:?}");
        head = after(&new);
    }
    // A page has room for some twenty versions. An autovacuum or the like may keep some for a moment.
    let grown = world.number(pages).await - before;
    assert!(grown <= 5, "{grown} pages more");
}

/// The rule finds a statement that looks at all links.
#[tokio::test]
async fn a_statement_over_all_links_is_found() {
    let world = World::new().await;
    let mut connection = connect(&world).await;
    for sql in [
        "SELECT batch FROM link_head WHERE batch > $1::bigint",
        "SELECT b.batch FROM batch AS b JOIN link_head AS h ON h.link_id = $1::int AND b.batch = h.batch",
        "INSERT INTO snapshot (link_id, batch, format, chain_hash, state)
         SELECT link_id, batch, 1, chain_hash, ''::bytea FROM link_head WHERE batch > $1::bigint",
    ] {
        let name = "planted";
        let planted = Statement { name, sql };
        let plan = plan(&mut connection, &planted).await;
        assert!(!unbound(&plan).is_empty(), "{}", plan.join("\n"));
        sqlx::raw_sql("DEALLOCATE planted")
            .execute(&mut connection)
            .await
            .unwrap();
    }
}

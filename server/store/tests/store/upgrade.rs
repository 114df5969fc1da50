//! Upgrades: newer schemas that this program runs on, the plan, and an index that is built while play
//! goes on.

use std::time::Duration;

use meterhouse_store::{Blocks, MigrationState, Work, migrate};
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::time::timeout;

use crate::common::{PERIOD, World, store};
use crate::unknown::until;

/// Migrations since release 0.1.0.
const LATER: [i64; 22] = [
    20_261_124_133_000,
    20_261_124_163_000,
    20_261_124_170_000,
    20_261_125_090_000,
    20_261_125_100_000,
    20_261_125_130_000,
    20_261_125_140_000,
    20_261_125_150_000,
    20_261_125_160_000,
    20_261_125_163_000,
    20_261_125_173_000,
    20_261_126_095_000,
    20_261_126_150_000,
    20_261_126_151_000,
    20_261_126_152_000,
    20_261_126_180_000,
    20_261_126_181_000,
    20_261_126_182_000,
    20_261_126_183_000,
    20_261_127_030_000,
    20_261_127_130_000,
    20_261_128_013_000,
];
/// Newest migration of this release.
const NEWEST: i64 = LATER[LATER.len() - 1];
/// A migration of a newer release.
const NEWER: i64 = 30_000_101_000_000;
/// Maximum wait for a state of another session.
const WAIT_MAX: Duration = Duration::from_secs(20);

/// Takes a migrated database back to the schema of release 0.1.0.
const TO_BASELINE: &str =
    "DROP TABLE migration_compatibility, archived_state, archived_period, seal_key,
                           signed_head, tree_node, exception_clearance, closing, slip_reprint, slip, slip_counter,
                           witness_head, witness_key, witness_position, act, password, password_code,
                           second_factor, actor_access, session, login_failure, openid_subject, openid_login,
                           pin, pin_failure,
                           link_presentation, table_presentation, document_claim, pairing, screen, shown,
                           push_subscription, push_notice, theme, theme_artwork, artwork;
                           DROP FUNCTION meterhouse_count_slips(), meterhouse_extend_shown();
                           DROP INDEX event_miscount_idx;
                           ALTER TABLE actor DROP COLUMN rights;
                           ALTER TABLE link_head DROP COLUMN is_compact;
                           ALTER TABLE token DROP COLUMN voucher;
                           DELETE FROM _sqlx_migrations WHERE version > 20261123124500";

/// Applies a migration of a newer release that only adds something.
const EXPAND: &str =
    "INSERT INTO _sqlx_migrations VALUES (30000101000000, 'newer', now(), true, 'x', 0);
                      CREATE TABLE newer (n bigint)";

async fn declare(world: &World, version: i64, compatible_from: i64) {
    let declare =
        format!("INSERT INTO migration_compatibility VALUES ({version}, {compatible_from})");
    world.run_as_admin(&declare).await.unwrap();
}

/// A newer schema is accepted if it declares that this release runs on it, and only then.
#[tokio::test]
async fn a_schema_that_was_only_expanded_is_accepted() {
    let world = World::new().await;
    let store = world.store().await;
    world.run_as_admin(EXPAND).await.unwrap();
    let versions = vec![NEWER];
    let unknown = MigrationState::Unknown {
        versions: versions.clone(),
    };
    assert_eq!(store.migration_state().await.unwrap(), unknown);
    migrate(&world.admin).await.unwrap_err();

    declare(&world, NEWER, NEWEST).await;
    let expanded = MigrationState::Expanded { versions };
    assert_eq!(store.migration_state().await.unwrap(), expanded);
    assert_eq!(migrate(&world.admin).await.unwrap().applied, [0_i64; 0]);

    // One migration that contracts is enough.
    let contract =
        "INSERT INTO _sqlx_migrations VALUES (30000101000001, 'contract', now(), true, 'x', 0)";
    world.run_as_admin(contract).await.unwrap();
    declare(&world, NEWER + 1, NEWEST + 1).await;
    let contracted = MigrationState::Unknown {
        versions: vec![NEWER + 1],
    };
    assert_eq!(store.migration_state().await.unwrap(), contracted);
    let error = migrate(&world.admin).await.unwrap_err().to_string();
    assert!(error.contains("1 of its migrations"), "{error}");
}

/// A schema of 0.1.0 is behind. The plan names what is pending in read-only transactions, and
/// `migrate` applies and declares it.
#[tokio::test]
async fn the_plan_changes_nothing() {
    let world = World::new().await;
    world.run_as_admin(TO_BASELINE).await.unwrap();
    let read_only = [("default_transaction_read_only", "on")];
    let reader = store(&world.app.clone().options(read_only)).await;
    let plan = reader.migration_plan().await.unwrap();
    let pending: Vec<i64> = plan.pending.iter().map(|one| one.version).collect();
    assert_eq!(pending, LATER);
    assert!(matches!(plan.state, MigrationState::Behind { .. }) && !plan.is_new);
    let text = plan.to_string();
    for line in [
        "22 migrations are pending",
        "20261124133000  Which programs run on the schema after a migration",
        "20261124163000  Archived months",
        "takes     an instant",
        "blocks    nothing",
        "servers   those with the schema 20261123124500 or later run on it",
    ] {
        assert!(text.contains(line), "no {line:?} in\n{text}");
    }

    assert_eq!(migrate(&world.admin).await.unwrap().applied, LATER);
    assert!(reader.migration_plan().await.unwrap().pending.is_empty());
    let declared =
        "SELECT count(*) FROM migration_compatibility WHERE compatible_from = 20261123124500";
    let count = i64::try_from(LATER.len()).unwrap();
    assert_eq!(world.number(declared).await, count);

    let empty = World::empty().await;
    let plan = store(&empty.admin).await.migration_plan().await.unwrap();
    assert!(plan.is_new && plan.pending.len() > 20);
    let text = plan.to_string();
    assert!(text.contains("the database is new"), "{text}");
}

/// Events of a kind that the index has, in a month of the journal.
fn events(from: i32, to: i32) -> String {
    format!(
        "INSERT INTO event (link_id, period, batch, position, actor_id, kind)
         SELECT 1, {PERIOD}, n, 0, 1, 16 FROM generate_series({from}, {to}) AS n"
    )
}

/// An index on a journal with events is built concurrently: while it waits for an open transaction,
/// other writers go on. A part that a killed build left behind is built again.
#[tokio::test]
async fn an_index_on_the_journal_is_built_while_play_goes_on() {
    let world = World::new().await;
    world.run_as_admin(&events(1, 2_000)).await.unwrap();
    let next = PERIOD + 1;
    let left_behind = format!("event_kind_idx_event_{next}");
    let prepare = format!(
        "DROP INDEX event_kind_idx;
         DELETE FROM _sqlx_migrations WHERE version = 20261122100000;
         CREATE INDEX {left_behind} ON event_{next} (link_id);
         UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{left_behind}'::regclass;
         ANALYZE event"
    );
    world.run_as_admin(&prepare).await.unwrap();
    let plan = world.store().await.migration_plan().await.unwrap();
    let [planned] = &plan.pending[..] else {
        panic!("{plan:?}")
    };
    assert_eq!(
        (planned.work, planned.blocks),
        (Work::BuildsIndex, Blocks::Nothing)
    );
    assert_eq!(planned.tables[0].rows, 2_000);

    let mut open = PgConnection::connect_with(&world.admin).await.unwrap();
    let mut open = open.begin().await.unwrap();
    let insert = sqlx::AssertSqlSafe(events(2_001, 2_001));
    sqlx::raw_sql(insert).execute(&mut *open).await.unwrap();
    let admin = world.admin.clone();
    let migrating = tokio::spawn(async move { migrate(&admin).await });
    let waits = "SELECT count(*) FROM pg_stat_progress_create_index
                 WHERE phase LIKE 'waiting for writers%' AND datname = current_database()";
    until(&world, waits, 1).await;
    // An index that is not built concurrently would make this insert wait.
    let other = events(2_002, 2_002);
    let other = timeout(WAIT_MAX, world.run_as_app(&other)).await;
    assert_eq!(other.unwrap().unwrap(), 1);
    assert!(!migrating.is_finished());
    open.commit().await.unwrap();
    let report = timeout(WAIT_MAX, migrating)
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    assert_eq!(report.applied, [20_261_122_100_000]);

    let parts =
        "SELECT count(*) FROM pg_inherits AS h JOIN pg_index AS i ON i.indexrelid = h.inhrelid
                 WHERE h.inhparent = 'event_kind_idx'::regclass AND i.indisvalid";
    let tables = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'event'::regclass";
    assert_eq!(world.number(parts).await, world.number(tables).await);
    let valid = "SELECT count(*) FROM pg_index
                 WHERE indexrelid = 'event_kind_idx'::regclass AND indisvalid";
    assert_eq!(world.number(valid).await, 1);
    let columns = format!(
        "SELECT indnkeyatts::bigint FROM pg_index WHERE indexrelid = '{left_behind}'::regclass"
    );
    assert_eq!(world.number(&columns).await, 4, "the left part was kept");
}

//! The schema: applied once, recognised, its statements valid, its partitions made once.

use meterhouse_store::{ALL, Enforcement, MigrationState, NotEnforced, PERIODS_AHEAD, migrate};
use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Executor as _, SqlSafeStr as _};

use crate::common::{PERIOD, World, store};

/// Every statement of the crate is prepared by the application against the migrated schema.
#[tokio::test]
async fn every_statement_fits_the_schema() {
    let world = World::new().await;
    let mut connection = PgConnection::connect_with(&world.app).await.unwrap();
    for statement in ALL {
        assert!(statement.sql.starts_with(&format!("/* {} */", statement.name)));
        let prepared = connection.prepare(statement.sql.into_sql_str()).await;
        assert!(prepared.is_ok(), "{}: {:?}", statement.name, prepared.err());
    }
    let mut names: Vec<&str> = ALL.iter().map(|it| it.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ALL.len(), "two statements have the same name");
}

/// Migrating twice does nothing the second time; two at once make the schema once.
#[tokio::test]
async fn migrating_is_idempotent_and_concurrent() {
    let world = World::empty().await;
    let (one, other) = tokio::join!(migrate(&world.admin), migrate(&world.admin));
    let (one, other) = (one.unwrap(), other.unwrap());
    let (first, second) = if one.applied.is_empty() { (other, one) } else { (one, other) };
    assert!(first.applied.len() > 5);
    assert_eq!(first.periods, PERIODS_AHEAD + 1);
    assert_eq!((second.applied.len(), second.periods), (0, 0));
    let store = world.store().await;
    assert_eq!(store.migration_state().await.unwrap(), MigrationState::Current);
    assert_eq!(store.enforcement().await.unwrap(), Enforcement::Enforced);
    store.ping().await.unwrap();
}

/// A schema that is behind, ahead or changed is told from ours.
#[tokio::test]
async fn other_schemas_are_recognised() {
    let empty = World::empty().await;
    migrate(&World::empty().await.admin).await.unwrap();
    let state = store(&empty.app).await.migration_state().await.unwrap();
    assert!(matches!(state, MigrationState::Behind { missing } if missing.len() > 5));

    let world = World::new().await;
    let store = world.store().await;
    world.run_as_admin("UPDATE _sqlx_migrations SET checksum = 'x' WHERE version = 20261121100300").await.unwrap();
    let changed = MigrationState::Changed { versions: vec![20_261_121_100_300] };
    assert_eq!(store.migration_state().await.unwrap(), changed);
    let newer = "INSERT INTO _sqlx_migrations VALUES (30000101000000, 'newer', now(), true, 'x', 0)";
    world.run_as_admin(newer).await.unwrap();
    let unknown = MigrationState::Unknown { versions: vec![30_000_101_000_000] };
    assert_eq!(store.migration_state().await.unwrap(), unknown);
    migrate(&world.admin).await.unwrap_err();
}

/// Whoever may not migrate hears what to do; a member of the owner may.
#[tokio::test]
async fn who_may_migrate() {
    let world = World::new().await;
    let error = migrate(&world.app).await.unwrap_err().to_string();
    assert!(error.contains("may not become meterhouse_owner"), "{error}");

    let fresh = World::empty().await;
    let create = "CREATE ROLE migrator_m LOGIN; GRANT meterhouse_owner TO migrator_m;
                  GRANT CREATE, USAGE ON SCHEMA public TO meterhouse_owner";
    fresh.run_as_admin(create).await.unwrap();
    let migrator = fresh.admin.clone().username("migrator_m");
    migrate(&migrator).await.unwrap();
    let why = |why| Enforcement::NotEnforced { why };
    let found = store(&migrator).await.enforcement().await.unwrap();
    assert_eq!(found, why(NotEnforced::Owner));
    let found = store(&fresh.admin).await.enforcement().await.unwrap();
    assert_eq!(found, why(NotEnforced::Superuser));
    fresh.run_as_admin("GRANT UPDATE ON batch TO meterhouse_app").await.unwrap();
    let found = fresh.store().await.enforcement().await.unwrap();
    assert_eq!(found, why(NotEnforced::Granted { table: "batch".to_owned() }));
}

/// The application makes periods; ten calls at once make each once; nonsense is refused.
#[tokio::test]
async fn periods_are_made_once() {
    let world = World::new().await;
    let store = world.store().await;
    let first = PERIOD + 100;
    assert_eq!(store.periods_ahead(first).await.unwrap(), -1);
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
    assert_eq!(store.periods_ahead(first).await.unwrap(), 3);
    assert_eq!(store.periods_ahead(first + 3).await.unwrap(), 0);
    assert_eq!(store.make_periods(first + 2, 3).await.unwrap(), 1);
    store.make_periods(1, 1).await.unwrap_err();
    store.make_periods(first, 1_000).await.unwrap_err();
}

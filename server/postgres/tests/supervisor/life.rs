//! A server's life on a real Postgres: started, kept, shared, killed in every way, adopted, stopped.

use std::fs;

use crate::common::{
    Owner, PATIENCE, add_row, connect, count, create_table, folder, is_alive, start, start_by_hand,
    until,
};
use meterhouse_postgres::{Options, Ownership, PostgresError, Server};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use sqlx::{Connection as _, PgConnection};
use tokio::time::timeout;

/// A fresh server is durable, checks its pages, and listens on nothing but its socket.
#[tokio::test]
async fn a_fresh_server_is_safe_and_private() {
    let folder = folder();
    let server = start(&folder.path().join("data")).await;
    assert_eq!(server.role(), Ownership::Owned);
    assert!(server.is_running());
    assert_eq!(
        server.socket_dir(),
        folder.path().join("data/run").canonicalize().unwrap()
    );

    let mut connection = connect(&server).await;
    // Some builds have no lz4; they name the values that they take.
    let compression: String = sqlx::query_scalar(
        "SELECT CASE WHEN 'lz4' = ANY (enumvals) THEN 'lz4' ELSE 'off' END
         FROM pg_settings WHERE name = 'wal_compression'",
    )
    .fetch_one(&mut connection)
    .await
    .unwrap();
    for (name, expected) in [
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("synchronous_commit", "on"),
        ("data_checksums", "on"),
        ("listen_addresses", ""),
        ("server_encoding", "UTF8"),
        ("wal_compression", compression.as_str()),
        ("TimeZone", "UTC"),
    ] {
        let value: String = sqlx::query_scalar("SELECT current_setting($1)")
            .bind(name)
            .fetch_one(&mut connection)
            .await
            .unwrap();
        assert_eq!(value, expected, "{name}");
    }
    let pid = server.pid();
    server.stop().await.unwrap();
    assert!(!is_alive(pid));
}

/// A caller's setting takes effect, except on the settings that keep data safe.
/// A running server takes `pg_basebackup`, also one that release 0.1.0 made. An operator's own rules stay.
#[tokio::test]
async fn a_server_can_be_backed_up_while_it_runs() {
    let folder = folder();
    let data_dir = folder.path().join("data");
    let hba = data_dir.join("postgres/pg_hba.conf");
    let own = "local all all trust\nlocal replication meterhouse_admin trust\n# ours\n";
    for rules in [None, Some("local all all trust\n"), Some(own)] {
        if let Some(rules) = rules {
            fs::write(&hba, rules).unwrap();
        }
        let server = start(&data_dir).await;
        let mut connection = connect(&server).await;
        let allowed: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM pg_catalog.pg_hba_file_rules WHERE database = '{replication}' AND error IS NULL",
        )
        .fetch_one(&mut connection)
        .await
        .unwrap();
        assert_eq!(allowed, 1, "{rules:?}");
        drop(connection);
        server.stop().await.unwrap();
    }
    assert_eq!(fs::read_to_string(&hba).unwrap(), own);
}

#[tokio::test]
async fn extra_settings_cannot_disable_durability() {
    let folder = folder();
    let mut options = Options::small(folder.path());
    options.extra_settings = vec![
        ("work_mem".into(), "5MB".into()),
        ("fsync".into(), "off".into()),
        ("listen_addresses".into(), "*".into()),
    ];
    let server = Server::start(&options).await.unwrap();
    let mut connection = connect(&server).await;
    let values: (String, String, String) = sqlx::query_as(
        "SELECT current_setting('work_mem'), current_setting('fsync'), \
         current_setting('listen_addresses')",
    )
    .fetch_one(&mut connection)
    .await
    .unwrap();
    assert_eq!(values, ("5MB".into(), "on".into(), String::new()));
    server.stop().await.unwrap();
}

#[tokio::test]
async fn data_is_kept_over_stop_and_drop() {
    let folder = folder();
    let server = start(folder.path()).await;
    create_table(&server).await;
    add_row(&mut connect(&server).await).await;
    server.stop().await.unwrap();

    let server = start(folder.path()).await;
    assert_eq!(count(&server).await, 1);
    let pid = server.pid();
    drop(server);
    assert!(!is_alive(pid), "a dropped server is stopped");

    let server = start(folder.path()).await;
    assert_eq!((server.role(), count(&server).await), (Ownership::Owned, 1));
    server.stop().await.unwrap();
}

/// Of any number of concurrent starts one owns the server and the others attach. Only the owner can stop the server.
#[tokio::test]
async fn concurrent_starts_attach_to_one_owner() {
    let folder = folder();
    let options = Options::small(folder.path());
    let (one, two, three) = tokio::join!(
        Server::start(&options),
        Server::start(&options),
        Server::start(&options)
    );
    let mut servers = [one.unwrap(), two.unwrap(), three.unwrap()].to_vec_by_role();
    let owner = servers.remove(0);
    assert_eq!(owner.role(), Ownership::Owned);
    for attached in servers {
        assert_eq!(
            (attached.role(), attached.pid()),
            (Ownership::Attached, owner.pid())
        );
        attached.stop().await.unwrap();
    }
    let attached = Server::attach(folder.path()).await.unwrap();
    connect(&attached).await;
    assert!(owner.is_running());
    owner.stop().await.unwrap();
    assert!(matches!(
        timeout(PATIENCE, attached.died()).await,
        Ok(PostgresError::Died { .. })
    ));
    let nothing = Server::attach(folder.path()).await.unwrap_err();
    assert!(
        matches!(nothing, PostgresError::NotRunning { .. }),
        "{nothing}"
    );
}

trait ByRole {
    fn to_vec_by_role(self) -> Vec<Server>;
}

impl<const COUNT: usize> ByRole for [Server; COUNT] {
    /// Returns the servers, the owner first.
    fn to_vec_by_role(self) -> Vec<Server> {
        let mut servers = Vec::from(self);
        servers.sort_by_key(|server| server.role() != Ownership::Owned);
        servers
    }
}

/// Every row that the killed process acknowledged is there, and the next start never meets its server half dead.
#[tokio::test]
async fn a_killed_owner_loses_nothing() {
    let folder = folder();
    let mut acknowledged = 0;
    for _round in 0..5 {
        let mut owner = Owner::spawn(folder.path(), &[]);
        owner.read_until("row ");
        owner.read_until("row ");
        let last = owner.kill().into_iter().rev().find_map(|line| {
            line.strip_prefix("row ")
                .and_then(|number| number.parse::<i64>().ok())
        });

        let server = start(folder.path()).await;
        let kept = count(&server).await;
        acknowledged = acknowledged.max(last.unwrap_or(0));
        assert!(
            kept >= acknowledged && kept >= 2,
            "{kept} of {acknowledged}"
        );
        // The server is not about to end: it works for the rest of the test.
        let mut connection = connect(&server).await;
        for _row in 0..20 {
            acknowledged = add_row(&mut connection).await;
        }
        server.stop().await.unwrap();
    }
}

/// A kept server that is killed comes back by itself, with every acknowledged row and without the earlier backends.
/// One of these computes and never looks for its postmaster.
#[tokio::test]
async fn a_kept_server_is_started_again_behind_a_fence() {
    let folder = folder();
    let server = start(folder.path()).await;
    create_table(&server).await;
    let keeping = async {
        let given_up = server.keep().await;
        panic!("given up: {given_up}");
    };
    let killing = async {
        for _ in 0..2 {
            let before = server.pid();
            let acknowledged = add_row(&mut connect(&server).await).await;
            let mut busy = connect(&server).await;
            let backend: i32 = sqlx::query_scalar("SELECT pg_backend_pid()")
                .fetch_one(&mut busy)
                .await
                .unwrap();
            let forever = sqlx::raw_sql("DO $$ BEGIN LOOP END LOOP; END $$");
            let computing = tokio::spawn(async move { forever.execute(&mut busy).await.is_ok() });
            until_busy(&server, backend).await;
            kill(Pid::from_raw(before), Signal::SIGKILL).unwrap();
            while server.pid() == before {
                tokio::task::yield_now().await;
            }
            assert!(!is_alive(backend), "a backend of before works on");
            assert!(!computing.await.unwrap());
            assert_eq!(count(&server).await, acknowledged);
        }
    };
    let killed = async {
        tokio::select! { () = keeping => {}, () = killing => {} }
    };
    Box::pin(timeout(PATIENCE, killed)).await.unwrap();
    server.stop().await.unwrap();
}

/// Waits until a backend computes.
async fn until_busy(server: &Server, backend: i32) {
    let mut connection = connect(server).await;
    loop {
        let busy: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1 AND state = 'active')",
        )
        .bind(backend)
        .fetch_one(&mut connection)
        .await
        .unwrap();
        if busy {
            return;
        }
    }
}

/// The postmaster is killed: the owner notices, and the next start recovers every acknowledged row.
#[tokio::test]
async fn a_killed_postmaster_is_noticed_and_recovered() {
    let folder = folder();
    let server = start(folder.path()).await;
    create_table(&server).await;
    let mut connection = connect(&server).await;
    let acknowledged = add_row(&mut connection).await;
    kill(Pid::from_raw(server.pid()), Signal::SIGKILL).unwrap();
    let death = timeout(PATIENCE, server.died()).await.unwrap();
    assert!(matches!(death, PostgresError::Died { .. }), "{death}");
    assert!(!server.is_running());
    server.stop().await.unwrap();

    let server = start(folder.path()).await;
    assert_eq!(count(&server).await, acknowledged);
    server.stop().await.unwrap();
}

/// A server without a supervisor is taken over, with its sessions, and can be stopped.
#[tokio::test]
async fn an_orphan_is_adopted() {
    let folder = folder();
    start(folder.path()).await.stop().await.unwrap();
    let orphan = start_by_hand(folder.path(), &[]);
    let server = start(folder.path()).await;
    assert_eq!(server.role(), Ownership::Adopted);
    assert_eq!(server.pid().cast_unsigned(), orphan.0.id());
    create_table(&server).await;
    let pid = server.pid();
    server.stop().await.unwrap();
    assert!(!is_alive(pid));
}

/// An orphan that could lose acknowledged data is replaced.
#[tokio::test]
async fn an_unsafe_orphan_is_stopped_and_replaced() {
    let folder = folder();
    start(folder.path()).await.stop().await.unwrap();
    let orphan = start_by_hand(folder.path(), &["fsync=off"]);
    let server = start(folder.path()).await;
    assert_eq!(server.role(), Ownership::Owned);
    assert!(!is_alive(orphan.0.id().cast_signed()));
    server.stop().await.unwrap();
}

/// A cancelled start leaves neither a process nor a broken directory.
#[tokio::test]
async fn a_start_can_be_cancelled_at_any_moment() {
    let folder = folder();
    let options = Options::small(folder.path());
    for milliseconds in [1, 20, 60, 100, 150, 400, 450, 500, 550] {
        let moment = std::time::Duration::from_millis(milliseconds);
        if let Ok(server) = timeout(moment, Server::start(&options)).await {
            server.unwrap().stop().await.unwrap();
        }
    }
    let server = start(folder.path()).await;
    assert_eq!(server.role(), Ownership::Owned);
    server.stop().await.unwrap();
}

/// Variables for another Postgres in the environment have no effect.
#[tokio::test]
async fn variables_for_another_postgres_have_no_effect() {
    let folder = folder();
    let hostile = [
        ("PGHOST", "nowhere.invalid"),
        ("PGPORT", "1"),
        ("PGUSER", "nobody"),
        ("PGDATABASE", "nothing"),
        ("PGSSLMODE", "verify-full"),
        ("PGSSLROOTCERT", "/nonexistent"),
        ("PGPASSWORD", "wrong"),
        ("PGDATA", "/nonexistent"),
    ];
    Owner::spawn(folder.path(), &hostile).read_until("ready: Owned");
    let mut refused = Owner::spawn(folder.path(), &[("PGOPTIONS", "-c synchronous_commit=off")]);
    refused.read_until("PGOPTIONS is set");
    drop(refused);
    let server = start(folder.path()).await;
    let mut connection: PgConnection = connect(&server).await;
    connection.ping().await.unwrap();
    server.stop().await.unwrap();
}

/// A process killed while it makes the cluster leaves no obstacle to the next start.
#[tokio::test]
async fn a_kill_during_initdb_leaves_no_half_cluster() {
    let folder = folder();
    let mut owner = Owner::spawn(folder.path(), &[]);
    let is_unfinished = || {
        let mut names = fs::read_dir(folder.path()).unwrap().flatten();
        names.any(|entry| {
            entry
                .file_name()
                .to_string_lossy()
                .starts_with("postgres.new-")
        })
    };
    until("initdb at work", is_unfinished);
    owner.kill();
    assert!(!folder.path().join("postgres").exists());
    let server = start(folder.path()).await;
    assert_eq!(server.role(), Ownership::Owned);
    server.stop().await.unwrap();
}

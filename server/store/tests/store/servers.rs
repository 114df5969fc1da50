//! Several servers of one database: the one that takes writes is used, and a primary that was replaced never again.
//!
//! The second server is a copy of the first one's folder, which waits as a standby until it is promoted. No WAL flows
//! between them; `tests/deploy/patroni` has servers that replicate.

use std::path::Path;
use std::process::Command;

use meterhouse_postgres::{Options, Server};
use meterhouse_store::{
    Commit, Head, Journal as _, PgJournal, Servers, Store, StoreError, StoreOptions,
    create_database, migrate, reach,
};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection as _};
use tempfile::TempDir;

use crate::common::{CommitOne as _, PERIOD, after, coin_ins, folder, following, open};

const DATABASE: &str = "meterhouse";

/// Two servers whose journal of one link is the same.
struct Pair {
    first: Server,
    second: Server,
    /// Both, the second one first in the list.
    servers: Servers,
    link: meterhouse_domain::ids::LinkId,
    head: Head,
    _folders: [TempDir; 2],
}

impl Pair {
    /// Starts the first as a primary and the second as a standby.
    async fn start() -> Self {
        let folders = [folder(), folder()];
        let [one, other] = [folders[0].path().join("pg"), folders[1].path().join("pg")];
        let server = Server::start(&Options::small(&one)).await.unwrap();
        let admin = server.connect_options();
        create_database(&admin, DATABASE).await.unwrap();
        migrate(&admin.clone().database(DATABASE)).await.unwrap();
        let periods = format!("SELECT meterhouse_make_periods({PERIOD}, 3)");
        run(&server, &periods).await;
        let app = admin.username("meterhouse_app").database(DATABASE);
        let store = Store::connect(StoreOptions::new(app)).await.unwrap();
        let (link, head) = open(&store, "main").await;
        store.close().await;
        let cluster = server.cluster().to_owned();
        server.stop().await.unwrap();
        copy(&one, &other);
        let copied = other.join(cluster.strip_prefix(&one).unwrap());
        let signal = copied.join("standby.signal");
        std::fs::write(&signal, "").unwrap();
        copy_owner(&copied.join("PG_VERSION"), &signal);
        let first = Server::start(&Options::small(&one)).await.unwrap();
        let second = Server::start(&Options::small(&other)).await.unwrap();
        let socket = |server: &Server| {
            let folder = server.socket_dir().display().to_string();
            folder.replace('/', "%2F")
        };
        let hosts = format!("{},{}", socket(&second), socket(&first));
        let url = format!("postgres://meterhouse_app@{hosts}/{DATABASE}");
        Self {
            first,
            second,
            servers: url.parse().unwrap(),
            link,
            head,
            _folders: folders,
        }
    }

    async fn store(&self) -> Store {
        let options = StoreOptions {
            servers: self.servers.clone(),
            pool_connections: 3,
            commit_connections: 2,
        };
        Store::connect(options).await.unwrap()
    }

    async fn stop(self) {
        self.first.stop().await.unwrap();
        self.second.stop().await.unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status();
    assert!(copied.unwrap().success(), "the folder is not copied");
}

/// Gives a file the owner of another: root's private Postgres runs as another user.
fn copy_owner(of: &Path, to: &Path) {
    let reference = format!("--reference={}", of.display());
    let changed = Command::new("chown").arg(reference).arg(to).status();
    assert!(changed.unwrap().success(), "the owner is not changed");
}

fn admin(server: &Server) -> PgConnectOptions {
    server.connect_options().database(DATABASE)
}

async fn run(server: &Server, sql: &str) {
    let mut connection = PgConnection::connect_with(&admin(server)).await.unwrap();
    let sql = AssertSqlSafe(sql.to_owned());
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
}

async fn newest_batch(server: &Server) -> i64 {
    let mut connection = PgConnection::connect_with(&admin(server)).await.unwrap();
    let query = sqlx::query_scalar("SELECT batch FROM link_head");
    query.fetch_one(&mut connection).await.unwrap()
}

/// Cuts the connections of all stores, as the end of a server does.
async fn cut(server: &Server) {
    let cut =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'meterhouse_app'";
    run(server, cut).await;
}

async fn commit(journal: &mut PgJournal, head: Head, sequence: u64) -> Head {
    let new = following(journal.link(), &head, coin_ins(1, sequence, 1));
    let committed = journal.commit_one(&new).await;
    assert!(matches!(committed, Commit::Committed), "{committed:?}");
    after(&new)
}

/// Commits and reads go to the primary, wherever it stands in the list. After a promotion both go to the new primary,
/// and the old one is refused although it takes writes.
#[tokio::test]
async fn all_connections_follow_the_primary() {
    let pair = Pair::start().await;
    let store = pair.store().await;
    let mut journal = store.journal(pair.link);
    assert_eq!(journal.read_head().await.unwrap(), pair.head);
    let reached = reach(&pair.servers).await.unwrap();
    assert_eq!(reached.get_socket(), pair.servers.each()[1].get_socket());

    // The first stays as it is: a primary that was replaced, and comes back.
    run(&pair.second, "SELECT pg_promote()").await;
    cut(&pair.first).await;
    let lost = following(pair.link, &pair.head, coin_ins(1, 1, 1));
    let sent = journal.commit_one(&lost).await;
    assert!(matches!(sent, Commit::Unknown(_)), "{sent:?}");
    let confirmed = journal.confirm_head().await.unwrap();
    assert_eq!(confirmed.epoch, pair.head.epoch + 1);
    let head = commit(&mut journal, confirmed, 1).await;
    // The pool reads what only the second has.
    let read = journal.read_after(&pair.head, 10).await.unwrap();
    assert_eq!((read.head, read.batches.len()), (head, 1));
    let old = pair.head.batch.cast_signed();
    assert_eq!(newest_batch(&pair.first).await, old);
    assert_eq!(newest_batch(&pair.second).await, old + 1);

    // Without the second, no server is left: the first one's timeline is older.
    run(
        &pair.second,
        "ALTER SYSTEM SET default_transaction_read_only = on",
    )
    .await;
    run(&pair.second, "SELECT pg_reload_conf()").await;
    cut(&pair.second).await;
    let refused = loop {
        // A connection that was cut fails first.
        match journal.confirm_head().await {
            Err(error @ StoreError::NoPrimary { .. }) => break error.to_string(),
            other => drop(other),
        }
    };
    assert!(refused.contains("is read-only"), "{refused}");
    let replaced = "is a primary that was replaced (timeline 1, the newest is 2)";
    assert!(refused.contains(replaced), "{refused}");
    store.ping().await.unwrap_err();
    store.close().await;
    pair.stop().await;
}

/// A node that is connected to a returned primary writes nothing there: neither its batch nor its epoch fits. A batch
/// that the old primary took alone has another hash.
#[tokio::test]
async fn a_returned_primary_takes_no_batch() {
    let pair = Pair::start().await;
    run(&pair.second, "SELECT pg_promote()").await;
    let [new, old] = [&pair.second, &pair.first].map(|server| {
        let app = admin(server).username("meterhouse_app");
        Store::connect(StoreOptions::new(app))
    });
    let (new, old) = (new.await.unwrap(), old.await.unwrap());
    let (mut at_new, mut at_old) = (new.journal(pair.link), old.journal(pair.link));
    let confirmed = at_new.confirm_head().await.unwrap();

    // The same batch number, under the epoch of the new primary.
    let next = following(pair.link, &confirmed, coin_ins(1, 1, 1));
    assert!(matches!(at_old.commit_one(&next).await, Commit::Moved));
    let head = commit(&mut at_new, confirmed, 1).await;
    // A later number.
    let later = following(pair.link, &head, coin_ins(1, 2, 1));
    assert!(matches!(at_old.commit_one(&later).await, Commit::Moved));
    // The same number again, after a batch that the old one took alone.
    let alone = commit(&mut at_old, pair.head, 7).await;
    assert_eq!(alone.batch, head.batch);
    assert!(matches!(at_old.commit_one(&later).await, Commit::Moved));
    assert_eq!(at_old.read_head().await.unwrap(), alone);
    new.close().await;
    old.close().await;
    pair.stop().await;
}

/// On a primary that was replaced, another node's commit keeps the head locked. A commit that waits for the lock in vain
/// finds the new primary.
#[tokio::test]
async fn a_lock_that_is_kept_leads_to_the_new_primary() {
    let pair = Pair::start().await;
    let store = pair.store().await;
    let mut journal = store.journal(pair.link);
    assert_eq!(journal.read_head().await.unwrap(), pair.head);
    let mut other = PgConnection::connect_with(&admin(&pair.first))
        .await
        .unwrap();
    let lock = "BEGIN; SELECT FROM link_head FOR UPDATE";
    sqlx::raw_sql(lock).execute(&mut other).await.unwrap();
    run(&pair.second, "SELECT pg_promote()").await;
    let new = following(pair.link, &pair.head, coin_ins(1, 1, 1));
    let waited = journal.commit_one(&new).await;
    assert!(matches!(waited, Commit::RolledBack(_)), "{waited:?}");
    commit(&mut journal, pair.head, 1).await;
    assert_eq!(
        newest_batch(&pair.second).await,
        after(&new).batch.cast_signed()
    );
    other.close().await.unwrap();
    store.close().await;
    pair.stop().await;
}

/// If no server takes writes, the error names each with its reason.
#[tokio::test]
async fn without_a_primary_each_server_is_named() {
    let pair = Pair::start().await;
    let socket = pair
        .second
        .socket_dir()
        .display()
        .to_string()
        .replace('/', "%2F");
    let url = format!("postgres://meterhouse_app@{socket},127.0.0.1:1,nowhere.invalid/{DATABASE}");
    let servers: Servers = url.parse().unwrap();
    let refused = reach(&servers).await.unwrap_err().to_string();
    for reason in [
        "is a standby",
        "127.0.0.1:1 does not listen",
        "nowhere.invalid:5432 is unknown",
    ] {
        assert!(refused.contains(reason), "{refused}");
    }
    let connected = Store::connect(StoreOptions::new(servers)).await;
    assert!(matches!(connected, Err(StoreError::NoPrimary { .. })));
    pair.stop().await;
}

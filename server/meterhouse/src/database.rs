//! The choice of the database: an existing one by URL, or a private one in the data directory.
//!
//! # Order
//! The private server is started, or attached to if another process runs it. Its superuser creates
//! and migrates the database. Everything else connects with the application's role, which can't
//! change the journal. An existing database is migrated only by `meterhouse migrate`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use meterhouse_domain::ids::LinkName;
use meterhouse_engine::clock::now;
use meterhouse_engine::readiness::AddedCheck;
use meterhouse_postgres::{Options, Ownership, Server, has_cluster, is_owned};
use meterhouse_store::{Purpose, Servers, Store, StoreOptions, Unreachable, reach};
use tokio::time::Instant;

use crate::database_url::unreachable;
use crate::failure::Failure;
use crate::heads_file::Heads;
use crate::known_heads::{self, HeadWriter, LostLink};
use crate::schema::refuse_other_schema;
use crate::settings::DatabaseSettings;
use crate::space;

/// Longest wait for another process to give up the private Postgres, and the interval between two
/// checks.
const OWNER_WAIT_MAX: Duration = Duration::from_secs(5);
const OWNER_POLL: Duration = Duration::from_millis(100);

/// Name of the private server's database.
const DATABASE: &str = "meterhouse";
/// Role for everything but migrations.
const APPLICATION: &str = "meterhouse_app";

/// An open database.
pub(crate) struct Database {
    /// Store, with the application's role.
    pub(crate) store: Store,
    server: Option<Server>,
    /// Writer of the heads, for a database that is served from a data folder.
    pub(crate) head_writer: Option<HeadWriter>,
    /// Links to fault before they are served.
    pub(crate) lost: Vec<LostLink>,
}

/// Returns the default data directory of the private server.
pub(crate) fn default_data_dir(folder: &str) -> Result<PathBuf, Failure> {
    if nix::unistd::geteuid().is_root() {
        return Ok(PathBuf::from("/var/lib").join(folder));
    }
    let home = std::env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share")));
    home.map(|home| home.join(folder)).ok_or_else(|| {
        Failure::Usage("there is no home directory: say where the data is with --data-dir".into())
    })
}

/// Returns the folder with the last known heads: the private server's, or the one named in addition
/// to a URL.
fn folder(args: &DatabaseSettings, access: Access) -> Result<Option<PathBuf>, Failure> {
    match (&args.url, &args.data_dir) {
        (Some(_), _) => Ok(args.state_dir.clone()),
        (None, Some(dir)) => Ok(Some(dir.clone())),
        (None, None) => default_data_dir(access.folder()).map(Some),
    }
}

/// The access that a command needs to the database.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Access to an existing database, to read or to add a little. Anything missing is an error.
    Existing,
    /// Access to an existing database whose schema may be any release's, to read the plan of a
    /// migration.
    Plan,
    /// Access to migrate the schema. Anything missing is created, even while a server uses the
    /// private Postgres.
    Migrate,
    /// Access to serve a casino. Anything missing is created, and no other process may run the
    /// private server.
    Serve,
    /// Access to serve play money, in a database for this purpose.
    Play(Purpose),
}

impl Access {
    /// Returns the default name of the private server's folder.
    pub(crate) const fn folder(self) -> &'static str {
        match self {
            Self::Existing | Self::Plan | Self::Migrate | Self::Serve => "meterhouse",
            Self::Play(Purpose::Demo) => "meterhouse-demo",
            Self::Play(_) => "meterhouse-load",
        }
    }
}

/// Starts the private server, or attaches to the one that another process runs.
async fn private(
    args: &DatabaseSettings,
    access: Access,
    is_restored: bool,
) -> Result<Server, Failure> {
    let data_dir = match &args.data_dir {
        Some(dir) => dir.clone(),
        None => default_data_dir(access.folder())?,
    };
    known_heads::refuse_missing_cluster(&data_dir, is_restored)?;
    let creates_nothing = matches!(access, Access::Existing | Access::Plan);
    if creates_nothing && !has_cluster(&data_dir) {
        return Err(no_database(&data_dir));
    }
    let mut options = Options::new(data_dir);
    options.binaries.clone_from(&args.programs);
    let server = start(&options).await?;
    let alone = matches!(access, Access::Serve | Access::Play(_));
    if !alone || server.role() != Ownership::Attached {
        return Ok(server);
    }
    // A `token` or `verify` may run the private server briefly. Its Postgres ends with it, so that
    // no server may depend on it.
    own(server, &options).await
}

/// Waits until the process that runs the private server gives it up, and takes it over.
async fn own(mut attached: Server, options: &Options) -> Result<Server, Failure> {
    let deadline = Instant::now() + OWNER_WAIT_MAX;
    while Instant::now() < deadline {
        stop(attached).await;
        tokio::time::sleep(OWNER_POLL).await;
        attached = start(options).await?;
        if attached.role() != Ownership::Attached {
            return Ok(attached);
        }
    }
    Err(in_use(&options.data_dir))
}

fn in_use(data_dir: &Path) -> Failure {
    Failure::InUse(format!(
        "another meterhouse process uses {}: stop it, or choose another folder with --data-dir",
        data_dir.display()
    ))
}

/// Returns the failure of a second server on a data folder whose Postgres another process runs.
/// Creates nothing.
pub(crate) fn served(args: &DatabaseSettings) -> Option<Failure> {
    let folder = folder(args, Access::Serve).ok()??;
    let is_private = args.url.is_none();
    (is_private && is_owned(&folder)).then(|| in_use(&folder))
}

async fn start(options: &Options) -> Result<Server, Failure> {
    let server = Server::start(options)
        .await
        .map_err(|error| Failure::database("could not start the private Postgres", error))?;
    tracing::info!(
        postgres.role = ?server.role(),
        postgres.pid = server.pid(),
        data.dir = %options.data_dir.display(),
        "private Postgres is up"
    );
    Ok(server)
}

impl Database {
    /// Opens the database with the application's role. Its schema must be current.
    pub(crate) async fn open(args: &DatabaseSettings, access: Access) -> Result<Self, Failure> {
        let database = Self::open_unchecked(args, access, false).await?;
        let Access::Play(purpose) = access else {
            return Ok(database);
        };
        match refuse_other_purpose(&database.store, purpose).await {
            Ok(()) => Ok(database),
            Err(failure) => {
                database.close().await;
                Err(failure)
            }
        }
    }

    /// Opens the database to serve it. The database must be the one that the data folder knew,
    /// unless a restore is confirmed.
    pub(crate) async fn open_to_serve(
        args: &DatabaseSettings,
        is_restored: bool,
    ) -> Result<Self, Failure> {
        let mut database = Self::open_unchecked(args, Access::Serve, is_restored).await?;
        let Some(folder) = folder(args, Access::Serve)? else {
            return Ok(database);
        };
        match known_heads::check(&database.store, &folder, is_restored).await {
            Ok((head_writer, lost)) => {
                database.head_writer = Some(head_writer);
                database.lost = lost;
                Ok(database)
            }
            Err(failure) => {
                database.close().await;
                Err(failure)
            }
        }
    }

    /// Compares the database with the heads that the data folder knew, and returns a sentence per
    /// difference.
    pub(crate) async fn differences(
        &self,
        args: &DatabaseSettings,
        link: Option<&LinkName>,
    ) -> Result<Vec<String>, Failure> {
        let known = match folder(args, Access::Existing)? {
            Some(folder) => Heads::read(&folder)?,
            None => None,
        };
        match known {
            Some(known) => known_heads::differences(&self.store, &known, link).await,
            None => Ok(Vec::new()),
        }
    }

    async fn open_unchecked(
        args: &DatabaseSettings,
        access: Access,
        is_restored: bool,
    ) -> Result<Self, Failure> {
        if let Some(url) = &args.url {
            return Ok(Self::new(open_existing(url, access).await?, None));
        }
        let server = private(args, access, is_restored).await?;
        let opened = match access {
            Access::Existing | Access::Plan => find(&server, access).await,
            Access::Migrate => prepare(&server).await,
            Access::Serve | Access::Play(_) => match prepare(&server).await {
                Ok(store) => compacted(store).await,
                Err(failure) => Err(failure),
            },
        };
        match opened {
            Ok(store) => Ok(Self::new(store, Some(server))),
            Err(failure) => {
                stop(server).await;
                Err(failure)
            }
        }
    }

    fn new(store: Store, server: Option<Server>) -> Self {
        Self {
            store,
            server,
            head_writer: None,
            lost: Vec::new(),
        }
    }

    /// Returns the folder of the private server, if there is one.
    pub(crate) fn data_dir(&self) -> Option<&Path> {
        self.server.as_ref().map(Server::data_dir)
    }

    /// Returns the servers with the role that owns the tables: the one of the URL, or the private server's superuser.
    pub(crate) fn owner(&self, args: &DatabaseSettings) -> Result<Servers, Failure> {
        let private = self.server.as_ref();
        let private = private.map(|server| server.connect_options().database(DATABASE).into());
        private.or_else(|| args.url.clone()).ok_or_else(|| {
            Failure::Usage("there is no database: say where with --database-url".to_owned())
        })
    }

    /// Closes the connections and stops a server that was started.
    pub(crate) async fn close(self) {
        self.store.close().await;
        if let Some(server) = self.server {
            stop(server).await;
        }
    }

    /// Returns the readiness checks of the database's machine, if that is this machine.
    pub(crate) fn checks(&self) -> Vec<AddedCheck> {
        let space = self.server.as_ref().map(Server::cluster).map(space::check);
        let heads = self.head_writer.as_ref().map(HeadWriter::check);
        space.into_iter().chain(heads).collect()
    }

    /// Returns the process id of the private server's postmaster, if there is one.
    pub(crate) fn postmaster(&self) -> Option<i32> {
        self.server.as_ref().map(Server::pid)
    }

    /// Keeps the private server running. Returns if it has to be given up, and never if there is
    /// none.
    pub(crate) async fn given_up(&self) -> Failure {
        match &self.server {
            Some(server) => {
                let error = server.keep().await;
                Failure::database("the private Postgres does not stay up", error)
            }
            None => std::future::pending().await,
        }
    }
}

async fn stop(server: Server) {
    if let Err(error) = server.stop().await {
        tracing::warn!(error = %meterhouse_engine::error_chain::ErrorChain(&error), "the private Postgres did not stop in order");
    }
}

fn no_database(data_dir: &Path) -> Failure {
    let what = format!(
        "there is no database of Meterhouse in {}: name its folder with --data-dir, or make one with `meterhouse serve`",
        data_dir.display()
    );
    Failure::Database { what, source: None }
}

/// Creates the private server's database and brings its schema up to date.
async fn prepare(server: &Server) -> Result<Store, Failure> {
    let superuser = server.connect_options();
    meterhouse_store::create_database(&superuser, DATABASE)
        .await
        .map_err(|error| Failure::database("could not make the database", error))?;
    let superuser = superuser.database(DATABASE);
    meterhouse_store::migrate(&superuser)
        .await
        .map_err(|error| Failure::database("could not bring the schema up to date", error))?;
    connect(superuser.username(APPLICATION)).await
}

/// Makes all links of the private server compact: no program of an older release plays beside this one.
async fn compacted(store: Store) -> Result<Store, Failure> {
    match store.compact_links().await {
        Ok(_) => Ok(store),
        Err(error) => {
            store.close().await;
            Err(Failure::database("could not make the links compact", error))
        }
    }
}

/// Connects to the private server's database without changing it.
async fn find(server: &Server, access: Access) -> Result<Store, Failure> {
    let application = server.connect_options().database(DATABASE);
    let application = application.username(APPLICATION);
    if let Err(error) = reach(&application.clone().into()).await {
        // A first start that was killed leaves a server without its database, or without its roles.
        return Err(match error.unreachable() {
            Some(Unreachable::NoDatabase | Unreachable::AccessDenied) => Failure::Database {
                what: "the private Postgres has no database of Meterhouse yet: start `meterhouse serve` once".to_owned(),
                source: None,
            },
            _ => Failure::database("could not connect to the private Postgres", error),
        });
    }
    checked(connect(application).await?, access).await
}

/// Connects to an existing database.
async fn open_existing(servers: &Servers, access: Access) -> Result<Store, Failure> {
    reach(servers)
        .await
        .map_err(|error| unreachable(servers, &error))?;
    checked(connect(servers.clone()).await?, access).await
}

/// Checks the schema, unless the plan of a migration is read.
async fn checked(store: Store, access: Access) -> Result<Store, Failure> {
    if access != Access::Plan {
        refuse_other_schema(&store).await?;
    }
    Ok(store)
}

/// Refuses a database with another purpose, and marks an unused one for this purpose.
pub(crate) async fn refuse_other_purpose(store: &Store, wanted: Purpose) -> Result<(), Failure> {
    let purpose = store
        .make_for(wanted, now())
        .await
        .map_err(|error| Failure::database("could not read what the database is for", error))?;
    if purpose == wanted {
        return Ok(());
    }
    let (wanted, purpose) = (wanted.name(), purpose.name());
    Err(Failure::Configuration(format!(
        "this is a database of `{purpose}`, and `meterhouse {wanted}` plays only in a database that it made itself: \
         choose an empty folder with --data-dir, or an empty database"
    )))
}

/// Connects to these servers.
pub(crate) async fn connect(servers: impl Into<Servers>) -> Result<Store, Failure> {
    Store::connect(StoreOptions::new(servers))
        .await
        .map_err(|error| Failure::database("could not connect to the database", error))
}

//! Which database: somebody's by URL, or a private one in the data directory.
//!
//! # Order
//! The private server is started (or attached to, where another process has it), its database made and
//! migrated by its superuser; everything else connects as the application's role, which can't change the
//! journal. Somebody else's database is never migrated unless asked to.

use std::path::{Path, PathBuf};
use std::time::Duration;

use meterhouse_domain::ids::LinkName;
use meterhouse_engine::clock::now;
use meterhouse_engine::readiness::AddedCheck;
use meterhouse_postgres::{Options, Ownership, Server, has_cluster, is_owned};
use meterhouse_store::{
    MigrationState, PgConnectOptions, Purpose, Store, StoreOptions, Unreachable, reach,
};
use tokio::time::Instant;

use crate::cli::DatabaseArgs;
use crate::database_url::{parse, unreachable};
use crate::failure::Failure;
use crate::heads::Heads;
use crate::known::{self, Keeper, Lost};
use crate::space;

/// How long a server waits for another process to give up the private Postgres, and how often it looks.
const OWNER_WAIT_MAX: Duration = Duration::from_secs(5);
const OWNER_POLL: Duration = Duration::from_millis(100);

/// The database of the private server.
const DATABASE: &str = "meterhouse";
/// The role that everything but migrations uses.
const APPLICATION: &str = "meterhouse_app";

/// An open database.
pub(crate) struct Database {
    /// The store, as the application's role.
    pub(crate) store: Store,
    server: Option<Server>,
    /// Keeps the heads of a database that is served from a data folder.
    pub(crate) keeper: Option<Keeper>,
    /// Links to fault before anything of them is served.
    pub(crate) lost: Vec<Lost>,
}

/// Returns where the private server's data is, unless told otherwise.
pub(crate) fn default_data_dir(folder: &str) -> Result<PathBuf, Failure> {
    if nix::unistd::geteuid().is_root() {
        return Ok(PathBuf::from("/var/lib").join(folder));
    }
    let home = std::env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|it| PathBuf::from(it).join(".local/share")));
    home.map(|home| home.join(folder)).ok_or_else(|| {
        Failure::Usage("there is no home directory: say where the data is with --data-dir".into())
    })
}

/// Returns the folder that keeps what is known of the database: the private server's, or the one named in addition
/// to a URL.
fn folder(args: &DatabaseArgs, access: Access) -> Result<Option<PathBuf>, Failure> {
    match (&args.database_url, &args.data_dir) {
        (Some(_), _) => Ok(args.state_dir.clone()),
        (None, Some(dir)) => Ok(Some(dir.clone())),
        (None, None) => default_data_dir(access.folder()).map(Some),
    }
}

/// What a command needs of the database.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// To read or to add a little: what is missing is an error, nothing is made.
    Existing,
    /// To bring the schema up to date: what is missing is made, beside a server that may have the private Postgres.
    Migrate,
    /// To serve what a casino plays on: what is missing is made, and no other process may have the private server.
    Serve,
    /// To play for this purpose, as to serve, in a database that was made for it.
    Play(Purpose),
}

impl Access {
    /// Returns the name of the private server's folder, unless the command line names another.
    pub(crate) const fn folder(self) -> &'static str {
        match self {
            Self::Existing | Self::Migrate | Self::Serve => "meterhouse",
            Self::Play(Purpose::Demo) => "meterhouse-demo",
            Self::Play(_) => "meterhouse-load",
        }
    }
}

/// Starts the private server, or attaches to it where another process has it.
async fn private(
    args: &DatabaseArgs,
    access: Access,
    is_restored: bool,
) -> Result<Server, Failure> {
    let data_dir = match &args.data_dir {
        Some(dir) => dir.clone(),
        None => default_data_dir(access.folder())?,
    };
    known::refuse_missing_cluster(&data_dir, is_restored)?;
    if access == Access::Existing && !has_cluster(&data_dir) {
        return Err(no_database(&data_dir));
    }
    let mut options = Options::new(data_dir);
    options.binaries.clone_from(&args.pg_bin);
    let server = start(&options).await?;
    let alone = matches!(access, Access::Serve | Access::Play(_));
    if !alone || server.role() != Ownership::Attached {
        return Ok(server);
    }
    // A `token` or `verify` may have it for a moment. Its Postgres ends with it, so no server builds on that.
    own(server, &options).await
}

/// Waits until the process that has the private server gives it up, and takes it.
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

/// Returns the failure of a second server on a data folder, where another process has it; makes nothing.
pub(crate) fn served(args: &DatabaseArgs) -> Option<Failure> {
    let folder = folder(args, Access::Serve).ok()??;
    let is_private = args.database_url.is_none();
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
    /// Opens the database: current schema, application's role.
    pub(crate) async fn open(args: &DatabaseArgs, access: Access) -> Result<Self, Failure> {
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

    /// Opens the database to serve it: it must be the one that the data folder knew, unless that is on purpose.
    pub(crate) async fn open_to_serve(
        args: &DatabaseArgs,
        is_restored: bool,
    ) -> Result<Self, Failure> {
        let mut database = Self::open_unchecked(args, Access::Serve, is_restored).await?;
        let Some(folder) = folder(args, Access::Serve)? else {
            return Ok(database);
        };
        match known::check(&database.store, &folder, is_restored).await {
            Ok((keeper, lost)) => {
                database.keeper = Some(keeper);
                database.lost = lost;
                Ok(database)
            }
            Err(failure) => {
                database.close().await;
                Err(failure)
            }
        }
    }

    /// Compares the database with what the data folder knew of it: one sentence a difference.
    pub(crate) async fn differences(
        &self,
        args: &DatabaseArgs,
        link: Option<&LinkName>,
    ) -> Result<Vec<String>, Failure> {
        let known = match folder(args, Access::Existing)? {
            Some(folder) => Heads::read(&folder)?,
            None => None,
        };
        match known {
            Some(known) => known::differences(&self.store, &known, link).await,
            None => Ok(Vec::new()),
        }
    }

    async fn open_unchecked(
        args: &DatabaseArgs,
        access: Access,
        is_restored: bool,
    ) -> Result<Self, Failure> {
        if let Some(url) = &args.database_url {
            return Ok(Self::new(open_url(url).await?, None));
        }
        let server = private(args, access, is_restored).await?;
        let opened = match access {
            Access::Existing => find(&server).await,
            Access::Migrate | Access::Serve | Access::Play(_) => prepare(&server).await,
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
            keeper: None,
            lost: Vec::new(),
        }
    }

    /// Returns the folder of the private server, where there is one.
    pub(crate) fn data_dir(&self) -> Option<&Path> {
        self.server.as_ref().map(Server::data_dir)
    }

    /// Stops what was started.
    pub(crate) async fn close(self) {
        self.store.close().await;
        if let Some(server) = self.server {
            stop(server).await;
        }
    }

    /// What readiness checks of the database's machine, where that is this one.
    pub(crate) fn checks(&self) -> Vec<AddedCheck> {
        let space = self.server.as_ref().map(Server::cluster).map(space::check);
        let heads = self.keeper.as_ref().map(Keeper::check);
        space.into_iter().chain(heads).collect()
    }

    /// The postmaster of the private server, where there is one.
    pub(crate) fn postmaster(&self) -> Option<i32> {
        self.server.as_ref().map(Server::pid)
    }

    /// Keeps the private server running; returns when it has to be given up, never where there is none.
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

/// Makes the private server's database and brings its schema up to date.
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

/// Connects to the private server's database as it is.
async fn find(server: &Server) -> Result<Store, Failure> {
    let application = server.connect_options().database(DATABASE);
    let application = application.username(APPLICATION);
    if let Err(error) = reach(&application).await {
        // A first start that was killed left a server without its database, or without the roles in it.
        return Err(match error.unreachable() {
            Some(Unreachable::NoDatabase | Unreachable::AccessDenied) => Failure::Database {
                what: "the private Postgres has no database of Meterhouse yet: start `meterhouse serve` once".to_owned(),
                source: None,
            },
            _ => Failure::database("could not connect to the private Postgres", error),
        });
    }
    let store = connect(application).await?;
    refuse_other_schema(&store).await?;
    Ok(store)
}

/// Connects to the database of a URL.
async fn open_url(url: &str) -> Result<Store, Failure> {
    let options = parse(url)?;
    reach(&options)
        .await
        .map_err(|error| unreachable(&options, &error))?;
    let store = connect(options).await?;
    refuse_other_schema(&store).await?;
    Ok(store)
}

/// Refuses a database that was not made for this play; an unused one is made for it.
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

/// Connects with these options.
pub(crate) async fn connect(options: PgConnectOptions) -> Result<Store, Failure> {
    Store::connect(StoreOptions::new(options))
        .await
        .map_err(|error| Failure::database("could not connect to the database", error))
}

/// Somebody else's database has to have this version's schema.
async fn refuse_other_schema(store: &Store) -> Result<(), Failure> {
    let state = store
        .migration_state()
        .await
        .map_err(|error| Failure::database("could not read the schema's version", error))?;
    let what = match state {
        MigrationState::Current => return Ok(()),
        MigrationState::Behind { missing } => format!(
            "the database's schema is {} migrations behind: run `meterhouse migrate` with a role that owns it",
            missing.len()
        ),
        MigrationState::Changed { versions } => format!(
            "migrations {versions:?} of the database read differently from this program's: use the program that applied them"
        ),
        MigrationState::Unknown { versions } => format!(
            "the database's schema is newer than this program ({} unknown migrations): use a newer one",
            versions.len()
        ),
    };
    Err(Failure::Database { what, source: None })
}

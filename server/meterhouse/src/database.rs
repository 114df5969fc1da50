//! Which database: somebody's by URL, or a private one in the data directory.
//!
//! # Order
//! The private server is started (or attached to, where another process has it), its database made and
//! migrated by its superuser; everything else connects as the application's role, which can't change the
//! journal. Somebody else's database is never migrated unless asked to.

use std::path::PathBuf;

use meterhouse_domain::name::LinkName;
use meterhouse_engine::checkpoints::{CheckpointOptions, FirstCheckpoint, add_first};
use meterhouse_engine::readiness::AddedCheck;
use meterhouse_postgres::{Options, Server};
use meterhouse_store::{MigrationState, PgConnectOptions, Store, StoreOptions};

use crate::cli::DatabaseArgs;
use crate::failure::Failure;
use crate::heads::Heads;
use crate::known::{self, Keeper, Lost};
use crate::space;

/// The database of the private server.
const DATABASE: &str = "meterhouse";
/// The role that everything but migrations uses.
const APPLICATION: &str = "meterhouse_app";

/// Batches between two lines about the first checkpoint of a link.
const BATCHES_SAID: u64 = 500_000;

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

/// Where the private server's data is, unless told otherwise.
fn default_data_dir() -> Result<PathBuf, Failure> {
    if nix::unistd::geteuid().is_root() {
        return Ok(PathBuf::from("/var/lib/meterhouse"));
    }
    let home = std::env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|it| PathBuf::from(it).join(".local/share")));
    home.map(|it| it.join("meterhouse")).ok_or_else(|| {
        Failure::Usage("there is no home directory: say where the data is with --data-dir".into())
    })
}

/// Returns the folder that keeps what is known of the database: the private server's, or the one named in addition
/// to a URL.
fn folder(args: &DatabaseArgs) -> Result<Option<PathBuf>, Failure> {
    match (&args.database_url, &args.data_dir) {
        (Some(_), _) => Ok(args.state_dir.clone()),
        (None, Some(dir)) => Ok(Some(dir.clone())),
        (None, None) => default_data_dir().map(Some),
    }
}

/// The URL's options.
fn parse(url: &str) -> Result<PgConnectOptions, Failure> {
    url.parse().map_err(|error| {
        Failure::Usage(format!(
            "the database's URL can't be read ({error}): write postgres://user@host/name"
        ))
    })
}

/// Starts or attaches to the private server.
async fn private(args: &DatabaseArgs, is_restored: bool) -> Result<Server, Failure> {
    let data_dir = match &args.data_dir {
        Some(dir) => dir.clone(),
        None => default_data_dir()?,
    };
    known::refuse_missing_cluster(&data_dir, is_restored)?;
    let mut options = Options::new(data_dir);
    options.binaries.clone_from(&args.pg_bin);
    let server = Server::start(&options)
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
    /// Opens the database for use: current schema, application's role.
    pub(crate) async fn open(args: &DatabaseArgs) -> Result<Self, Failure> {
        Self::open_unchecked(args, false).await
    }

    /// Opens the database to serve it: it must be the one that the data folder knew, unless that is on purpose.
    pub(crate) async fn open_to_serve(
        args: &DatabaseArgs,
        is_restored: bool,
    ) -> Result<Self, Failure> {
        let mut database = Self::open_unchecked(args, is_restored).await?;
        let Some(folder) = folder(args)? else {
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
        let known = match folder(args)? {
            Some(folder) => Heads::read(&folder)?,
            None => None,
        };
        match known {
            Some(known) => known::differences(&self.store, &known, link).await,
            None => Ok(Vec::new()),
        }
    }

    async fn open_unchecked(args: &DatabaseArgs, is_restored: bool) -> Result<Self, Failure> {
        if let Some(url) = &args.database_url {
            let store = connect(parse(url)?).await?;
            refuse_other_schema(&store).await?;
            return Ok(Self::new(store, None));
        }
        let server = private(args, is_restored).await?;
        match prepare(&server).await {
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
        tracing::warn!(error = %meterhouse_engine::chain::Chain(&error), "the private Postgres did not stop in order");
    }
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

async fn connect(options: PgConnectOptions) -> Result<Store, Failure> {
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

/// Brings the schema up to date, or only says whether it is, and adds the first checkpoints of long links.
pub(crate) async fn migrate(args: &DatabaseArgs, check: bool) -> Result<String, Failure> {
    let Some(url) = &args.database_url else {
        let database = Database::open(args).await?;
        let added = add_checkpoints(&database.store).await;
        database.close().await;
        return added.map(|()| "the private database's schema is current".into());
    };
    let options = parse(url)?;
    if check {
        let store = connect(options).await?;
        refuse_other_schema(&store).await?;
        return Ok("the schema is current".into());
    }
    let report = meterhouse_store::migrate(&options)
        .await
        .map_err(|error| Failure::database("could not bring the schema up to date", error))?;
    let store = connect(options).await?;
    let added = add_checkpoints(&store).await;
    store.close().await;
    added.map(|()| format!("{report}"))
}

/// Adds the first checkpoint of each long link that has none, and says how far that is.
async fn add_checkpoints(store: &Store) -> Result<(), Failure> {
    let mut differs = false;
    let mut said = 0;
    let mut progress = |link: &LinkName, step| match step {
        FirstCheckpoint::Summed { batches, of } => {
            if batches >= said + BATCHES_SAID || batches < said {
                eprintln!("link {link}: {batches} of {of} batches are summed");
                said = batches;
            }
        }
        FirstCheckpoint::Added { batch } => {
            eprintln!("link {link}: the first checkpoint of its sums is at batch {batch}");
        }
        FirstCheckpoint::Differs { what } => {
            differs = true;
            eprintln!("link {link}: no checkpoint was added, run `meterhouse verify`: {what}");
        }
    };
    add_first(store, CheckpointOptions::default(), &mut progress)
        .await
        .map_err(|error| Failure::database("could not add the checkpoints", error))?;
    if differs {
        return Err(Failure::Difference);
    }
    Ok(())
}

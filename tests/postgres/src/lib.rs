//! The Postgres that the tests of a process run on.
//!
//! # Shape
//! [`choice`] decides between a server that `DATABASE_URL` names, a container, and a private server. [`TestPostgres`]
//! starts it, and prints once which one it is, with its version.
//!
//! # What bounds it
//! The engine, the start of a container and its first connection have named limits in [`container`].

mod choice;
mod container;
mod sweep;

use std::io::{Write as _, stderr};
use std::str::FromStr as _;
use std::sync::Once;

use meterhouse_postgres::{Options, Server};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection as _};
use tempfile::TempDir;

use crate::choice::{Choice, Wishes, choose};
use crate::container::Container;
pub use crate::sweep::lives;

/// The role of the server.
const APPLICATION: &str = "meterhouse_app";
/// Password of roles on a server that wants one. Set only on servers that were given or made for tests.
pub(crate) const PASSWORD: &str = "meterhouse-tests";

static PRINTED: Once = Once::new();

/// A running server. Dropping it stops a private server and removes a container.
#[derive(Debug)]
pub struct TestPostgres {
    /// Options of a superuser.
    pub superuser: PgConnectOptions,
    /// Options of the server's role.
    pub application: PgConnectOptions,
    backing: Backing,
}

/// The owner of the server, in the order of dropping.
#[derive(Debug)]
enum Backing {
    Given,
    Container {
        _container: Container,
    },
    Private {
        server: Box<Server>,
        _folder: TempDir,
    },
}

impl TestPostgres {
    /// Starts the server that the environment asks for.
    ///
    /// # Errors
    /// If variables contradict each other, or the server can't be reached.
    pub async fn start() -> Result<Self, String> {
        match choose(Wishes::of_environment(), container::has_image).await? {
            Choice::Given(url) => {
                let superuser = PgConnectOptions::from_str(&url)
                    .map_err(|error| format!("{} is no URL of Postgres: {error}", choice::URL))?;
                let what = format!("the server that {} names", choice::URL);
                Self::with_password(superuser, Backing::Given, &what).await
            }
            Choice::Container(image) => {
                let (container, superuser) = container::start(&image).await?;
                let backing = Backing::Container {
                    _container: container,
                };
                let what = format!("a container of image {image}");
                Self::with_password(superuser, backing, &what).await
            }
            Choice::Private => Self::private().await,
        }
    }

    /// Returns false if a private server has died.
    pub fn is_running(&self) -> bool {
        match &self.backing {
            Backing::Private { server, .. } => server.is_running(),
            Backing::Given | Backing::Container { .. } => true,
        }
    }

    async fn private() -> Result<Self, String> {
        sweep::sweep().await;
        let folder = sweep::own_folder().map_err(|error| format!("no folder: {error}"))?;
        let server = Server::start(&Options::small(folder.path()))
            .await
            .map_err(|error| error.to_string())?;
        let superuser = server.connect_options();
        print_version(&superuser, "a private server").await?;
        Ok(Self {
            application: superuser.clone().username(APPLICATION),
            superuser,
            backing: Backing::Private {
                server: Box::new(server),
                _folder: folder,
            },
        })
    }

    /// Returns a server that wants passwords. The application's role is made before the first migration would make it
    /// without one.
    async fn with_password(
        superuser: PgConnectOptions,
        backing: Backing,
        what: &str,
    ) -> Result<Self, String> {
        print_version(&superuser, what).await?;
        let mut connection = PgConnection::connect_with(&superuser)
            .await
            .map_err(|error| error.to_string())?;
        let role = format!(
            "DO $$ BEGIN CREATE ROLE {APPLICATION} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
             ALTER ROLE {APPLICATION} PASSWORD '{PASSWORD}'"
        );
        let made = sqlx::raw_sql(AssertSqlSafe(role))
            .execute(&mut connection)
            .await;
        made.map_err(|error| format!("no role {APPLICATION}: {error}"))?;
        Ok(Self {
            application: superuser.clone().username(APPLICATION).password(PASSWORD),
            superuser,
            backing,
        })
    }
}

/// Prints the server once for the process, around the capture of a test's output.
async fn print_version(superuser: &PgConnectOptions, what: &str) -> Result<(), String> {
    let asked = async {
        let mut connection = PgConnection::connect_with(superuser).await?;
        sqlx::query_scalar("SELECT current_setting('server_version')")
            .fetch_one(&mut connection)
            .await
    };
    let version: String = asked
        .await
        .map_err(|error: sqlx::Error| format!("{what} can't be reached: {error}"))?;
    PRINTED.call_once(|| {
        // A closed terminal fails no test.
        drop(writeln!(
            stderr(),
            "these tests run on Postgres {version}, {what}"
        ));
    });
    Ok(())
}

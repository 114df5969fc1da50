//! Dropping of root's rights: a process that listens continues as the user of its Postgres.
//!
//! # Order
//! The rights are dropped before the database is opened. By then, everything that may need root is
//! done: the addresses are bound, and the program's file and the operator's paytables are read.

use std::path::PathBuf;

use meterhouse_postgres::{Options, ServiceUser};

use crate::database::{Access, default_data_dir};
use crate::failure::Failure;
use crate::settings::DatabaseSettings;
use crate::{heads_file, known_heads, signing_key};

/// Drops root's rights for good, if there are any. Returns the arguments with the folder that root
/// would have used.
pub(crate) fn drop_root(
    args: &DatabaseSettings,
    access: Access,
    is_restored: bool,
) -> Result<DatabaseSettings, Failure> {
    let mut args = args.clone();
    let files = [heads_file::FILE, signing_key::FILE];
    let user = if let Some(servers) = &args.url {
        let mut sockets = servers
            .each()
            .iter()
            .filter_map(|server| server.get_socket());
        let socket = sockets.next().map(PathBuf::as_path);
        let user = ServiceUser::of_others_postgres(socket, args.state_dir.as_deref(), &files);
        user.map_err(|error| Failure::database("could not use --state-dir", error))?
    } else {
        let data_dir = match &args.data_dir {
            Some(dir) => dir.clone(),
            None => default_data_dir(access.folder())?,
        };
        known_heads::refuse_missing_cluster(&data_dir, is_restored)?;
        let mut options = Options::new(&data_dir);
        options.binaries.clone_from(&args.programs);
        args.data_dir = Some(data_dir);
        let user = ServiceUser::of_data_dir(&options, &files);
        user.map_err(|error| Failure::database("could not start the private Postgres", error))?
    };
    if let Some(user) = user {
        user.become_user()
            .map_err(|error| Failure::database("could not give up root's rights", error))?;
        tracing::info!(user = user.name(), "went on as this user instead of root");
    }
    Ok(args)
}

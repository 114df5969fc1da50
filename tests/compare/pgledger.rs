//! The way of pgledger, a ledger in SQL by others: its own files, read from a folder that the caller names.
//!
//! # Shape
//! `pgbench` plays its `pgledger_create_transfer`. Many players pay into one hot account a link.

use std::path::Path;

use meterhouse_postgres::Server;

use crate::Failure;
use crate::pgbench::{Bench, Books};
use crate::programs::Programs;

/// The database.
const NAME: &str = "pgledger";
/// Its files, in the order in which its README runs them.
pub(crate) const FILES: [&str; 3] = [
    "vendor/scoville-pgsql-ulid/ulid-to-uuid.sql",
    "vendor/scoville-pgsql-ulid/uuid-to-ulid.sql",
    "pgledger.sql",
];
/// The accounts' names are their ids, so that a script can name them.
const NAMED: &str = "UPDATE pgledger_accounts SET id = name;";
/// A transfer from one of 500 players to the account of a link.
pub(crate) const SCRIPT: &str = "\\set link random(1, :links)\n\\set player random(1, 500)
SELECT pgledger_create_transfer('player-' || :player, 'link-' || :link, 0.09);\n";
const PLAYERS: &str =
    "SELECT FROM generate_series(1, 500) AS n, pgledger_create_account('player-' || n, 'USD');";
const BOOKS: Books = Books {
    stored: "SELECT count(*) FROM pgledger_transfers_view",
    // Accounts whose balance is not the sum of their transfers.
    wrong: "SELECT count(*) FROM pgledger_accounts_view
  LEFT JOIN (SELECT to_account_id AS id, sum(amount) AS paid_in FROM pgledger_transfers_view GROUP BY 1) AS i USING (id)
  LEFT JOIN (SELECT from_account_id AS id, sum(amount) AS paid_out FROM pgledger_transfers_view GROUP BY 1) AS o USING (id)
  WHERE balance <> coalesce(paid_in, 0) - coalesce(paid_out, 0)",
};

/// Makes the database from the files of a folder, with so many links.
pub(crate) async fn prepare(
    postgres: &Server,
    programs: &Programs,
    pgledger: &Path,
    folder: &Path,
    links: usize,
) -> Result<Bench, Failure> {
    let mut schema = Vec::new();
    for file in FILES {
        schema.push(std::fs::read_to_string(pgledger.join(file))?);
    }
    schema.push(PLAYERS.to_owned());
    schema.push(format!(
        "SELECT FROM generate_series(1, {links}) AS n, pgledger_create_account('link-' || n, 'USD');"
    ));
    schema.push(NAMED.to_owned());
    Bench::new(postgres, programs, folder, NAME, &schema.join("\n"), BOOKS).await
}

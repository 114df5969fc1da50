//! The purpose of a database.

use crate::sql::statement::statements;

statements! {
    /// Returns the purpose, if the database is for play money.
    PURPOSE = "purpose.read", "
SELECT purpose FROM database_purpose";

    /// Marks an unused database; no row if it is already marked.
    SET_PURPOSE = "purpose.set", "
INSERT INTO database_purpose (purpose, made_at) VALUES ($1, $2)
ON CONFLICT ON CONSTRAINT database_purpose_pkey DO NOTHING";
}

//! The ways without a group commit: SQL of our own, played by `pgbench`.
//!
//! # Shape
//! Four meters a link are updated, one coin-in with a unique key and four ledger rows are inserted, in one transaction:
//! statement by statement, or in one function with the hot rows last.

use std::path::Path;

use meterhouse_postgres::Server;

use crate::Failure;
use crate::pgbench::{Bench, Books};
use crate::programs::Programs;
use crate::way::Way;

/// The database.
const NAME: &str = "compared";

const SCHEMA: &str = "
CREATE TABLE meter (link_id integer, meter_no integer, amount bigint NOT NULL, PRIMARY KEY (link_id, meter_no));
CREATE TABLE coin_in (id uuid PRIMARY KEY, link_id integer NOT NULL, table_no integer NOT NULL,
  seats smallint NOT NULL, amount bigint NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE ledger (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, link_id integer NOT NULL,
  meter_no integer NOT NULL, coin_in uuid NOT NULL, amount bigint NOT NULL);
CREATE FUNCTION coin_in(link integer, felt integer) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE key uuid := gen_random_uuid();
BEGIN
  INSERT INTO coin_in (id, link_id, table_no, seats, amount) VALUES (key, link, felt, 15, 4000000);
  INSERT INTO ledger (link_id, meter_no, coin_in, amount)
    VALUES (link, 1, key, 90000), (link, 2, key, 90000), (link, 3, key, 90000), (link, 4, key, 90000);
  FOR n IN 1..4 LOOP
    UPDATE meter SET amount = amount + 90000 WHERE link_id = link AND meter_no = n;
  END LOOP;
  RETURN key;
END $$;";
const NAIVE: &str = "\\set link random(1, :links)\n\\set felt random(1, 500)\nBEGIN;
INSERT INTO coin_in (id, link_id, table_no, seats, amount)
  VALUES (gen_random_uuid(), :link, :felt, 15, 4000000) RETURNING id AS key \\gset
UPDATE meter SET amount = amount + 90000 WHERE link_id = :link AND meter_no = 1;
UPDATE meter SET amount = amount + 90000 WHERE link_id = :link AND meter_no = 2;
UPDATE meter SET amount = amount + 90000 WHERE link_id = :link AND meter_no = 3;
UPDATE meter SET amount = amount + 90000 WHERE link_id = :link AND meter_no = 4;
INSERT INTO ledger (link_id, meter_no, coin_in, amount)
  VALUES (:link::int, 1, :key::uuid, 90000), (:link::int, 2, :key::uuid, 90000), (:link::int, 3, :key::uuid, 90000),
    (:link::int, 4, :key::uuid, 90000);
COMMIT;\n";
const FUNCTION: &str =
    "\\set link random(1, :links)\n\\set felt random(1, 500)\nSELECT coin_in(:link, :felt);\n";
const BOOKS: Books = Books {
    stored: "SELECT count(*) FROM coin_in",
    // Meters that are not what their coin-ins and their ledger say.
    wrong: "SELECT count(*) FROM meter
  LEFT JOIN (SELECT link_id, count(*) AS n FROM coin_in GROUP BY link_id) AS c USING (link_id)
  LEFT JOIN (SELECT link_id, meter_no, sum(amount) AS l FROM ledger GROUP BY link_id, meter_no) AS s
    USING (link_id, meter_no)
  WHERE amount <> 90000 * coalesce(n, 0) OR amount <> coalesce(l, 0)",
};

/// Makes the database of these ways, with so many links.
pub(crate) async fn prepare(
    postgres: &Server,
    programs: &Programs,
    folder: &Path,
    links: usize,
) -> Result<Bench, Failure> {
    let schema = format!(
        "{SCHEMA}\nINSERT INTO meter SELECT link, n, 0 FROM generate_series(1, {links}) AS link, generate_series(1, 4) AS n;"
    );
    Bench::new(postgres, programs, folder, NAME, &schema, BOOKS).await
}

/// Returns the script of one coin-in.
pub(crate) const fn script(way: Way) -> &'static str {
    match way {
        Way::Function => FUNCTION,
        _ => NAIVE,
    }
}

//! `migrate` adds the first checkpoint of a long link that is older than checkpoints.

use meterhouse_tests::Database;
use sqlx::ConnectOptions as _;
use sqlx::Row as _;

use crate::program::{PROGRAM, command, run_to_end};

/// Number of batches added after the real ones: more than are summed completely without a checkpoint.
const ADDED: u64 = 40_100;

/// Proves CONFORMANCE 44 for links that are older than checkpoints. A long link gets one checkpoint while it may be in
/// play, and none if its batches do not sum.
#[tokio::test]
async fn migrate_adds_the_first_checkpoint() {
    let database = Database::new().await;
    let run = async |arguments: &[&str], superuser: bool| {
        let options = if superuser {
            &database.superuser
        } else {
            &database.application
        };
        let mut program = command(PROGRAM);
        program.args(arguments);
        program.env("DATABASE_URL", options.to_url_lossy().to_string());
        run_to_end(program).await
    };
    let demo = ["demo", "--rounds", "5", "--speed", "0", "--seed", "7"];
    drop(run(&demo, false).await.with_code(0));
    let short = run(&["migrate"], true).await.with_code(0);
    assert!(!short.stderr.contains("checkpoint"), "{}", short.stderr);
    let lengthen = format!(
        "WITH grown AS (
           UPDATE link_head SET batch = batch + {ADDED} WHERE link_id = 1 RETURNING batch - {ADDED} AS last
         )
         INSERT INTO batch
         SELECT link_id, batch + step, at, node, epoch, rule_version, period, events,
                array_fill(0::bigint, ARRAY[cardinality(after)]), after, chain_hash
         FROM batch JOIN grown ON batch.batch = grown.last CROSS JOIN generate_series(1, {ADDED}) AS step
         WHERE link_id = 1"
    );
    assert_eq!(database.tamper(&lengthen).await, ADDED);
    let moved = "UPDATE batch SET deltas[2] = COALESCE(deltas[2], 0) - 1, deltas[3] = COALESCE(deltas[3], 0) + 1
                 WHERE link_id = 1 AND batch = 3";
    let back = "UPDATE batch SET deltas[2] = COALESCE(deltas[2], 0) + 1, deltas[3] = COALESCE(deltas[3], 0) - 1
                WHERE link_id = 1 AND batch = 3";
    assert_eq!(database.tamper(moved).await, 1);
    let differs = run(&["migrate"], true).await.with_code(1);
    assert!(
        differs.stderr.contains("no checkpoint was added"),
        "{}",
        differs.stderr
    );
    assert!(
        differs.stderr.contains("what was added"),
        "{}",
        differs.stderr
    );
    assert_eq!(database.tamper(back).await, 1);
    let added = run(&["migrate"], true).await.with_code(0);
    assert!(
        added
            .stderr
            .contains("the first checkpoint of its sums is at batch"),
        "{}",
        added.stderr
    );
    let again = run(&["migrate"], true).await.with_code(0);
    assert!(!again.stderr.contains("checkpoint"), "{}", again.stderr);
    let compare = "SELECT c.batch = h.batch AND c.sums = array_replace(b.after, NULL, 0) FROM checkpoint AS c
                 JOIN link_head AS h USING (link_id) JOIN batch AS b ON b.link_id = h.link_id AND b.batch = h.batch";
    let rows = database.rows(compare).await;
    let same: Vec<bool> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(same, [true]);
}

//! Checkpoints of a link's sums.

use crate::sql::statement::statements;

statements! {
    /// Returns a page of a link's checkpoints after a number, each with its stored batch.
    CHECKPOINTS = "checkpoint.list", "
SELECT c.number, c.batch, c.chain_hash, c.sums, c.hash,
       array_replace(b.after, NULL, 0) AS batch_after, b.chain_hash AS batch_hash
FROM checkpoint AS c LEFT JOIN batch AS b ON b.link_id = c.link_id AND b.batch = c.batch
WHERE c.link_id = $1 AND c.number > $2 ORDER BY c.number LIMIT $3";

    /// Adds a checkpoint, unless another node has added one with the same number.
    ADD_CHECKPOINT = "checkpoint.add", "
INSERT INTO checkpoint (link_id, number, batch, chain_hash, sums, hash)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT ON CONSTRAINT checkpoint_pkey DO NOTHING";
}

//! Heads of other houses that this one witnesses, and the positions of its own witnesses.

use crate::sql::statement::statements;

statements! {
    /// Returns the known keys of a house.
    WITNESS_KEYS = "witness.keys", "
SELECT public_key FROM witness_key WHERE identity = $1";

    /// Adds a key of a house, unless it is known, or it is a second one that nobody vouches for.
    ADD_WITNESS_KEY = "witness.add_key", "
INSERT INTO witness_key (identity, public_key, vouched_by, at, actor_id)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";

    /// Returns the heads of a chain with a number, and those with the number before.
    WITNESSED_NEAR = "witness.near", "
SELECT head, public_key, signature, is_fork, at FROM witness_head
WHERE identity = $1 AND link_id = $2 AND number BETWEEN $3 - 1 AND $3";

    /// Returns the number of a chain's newest head.
    NEWEST_WITNESSED = "witness.newest", "
SELECT number FROM witness_head WHERE identity = $1 AND link_id = $2 ORDER BY number DESC LIMIT 1";

    /// Adds a head, unless it is there, another one follows the same head, or the chain has its maximum of forks.
    ADD_WITNESSED_HEAD = "witness.add_head", "
INSERT INTO witness_head (identity, link_id, number, hash, previous, head, public_key, signature, is_fork, at, actor_id)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
WHERE NOT $9 OR
  (SELECT count(*) FROM (SELECT FROM witness_head WHERE identity = $1 AND link_id = $2 AND is_fork LIMIT $12) AS f) < $12
ON CONFLICT DO NOTHING";

    /// Returns a page of heads after one, of one house or of all.
    WITNESSED_HEADS = "witness.list", "
SELECT head, public_key, signature, is_fork, at FROM witness_head
WHERE (identity, link_id, number, hash) > ($1, $2, $3, $4) AND ($5::bytea IS NULL OR identity = $5)
ORDER BY identity, link_id, number, hash LIMIT $6";

    /// Returns a page of the chains with heads, each with the number of its newest one and the witness's position.
    WITNESS_CHAINS = "witness.chains", "
SELECT c.link_id, c.name, uuid_send(i.identity) AS identity, n.number AS newest, coalesce(p.number, 0) AS sent
FROM (SELECT 0 AS link_id, '' AS name UNION ALL SELECT link_id, name FROM link) AS c
CROSS JOIN database_identity AS i
CROSS JOIN LATERAL
  (SELECT s.number FROM signed_head AS s WHERE s.link_id = c.link_id ORDER BY s.number DESC LIMIT 1) AS n
LEFT JOIN witness_position AS p ON p.witness = $1 AND p.link_id = c.link_id
WHERE c.link_id > $2 ORDER BY c.link_id LIMIT $3";

    /// Sets the position of a witness on a chain. Two nodes that send move it forward only, unless the witness lacks heads.
    SET_POSITION = "witness.set_position", "
INSERT INTO witness_position (witness, link_id, number) VALUES ($1, $2, $3)
ON CONFLICT ON CONSTRAINT witness_position_pkey DO UPDATE
SET number = CASE WHEN $4 THEN $3 ELSE greatest(witness_position.number, $3) END";
}

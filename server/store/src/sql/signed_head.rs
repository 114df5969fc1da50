//! Signed heads of the chains, and the nodes of their trees. Link 0 is the house's chain.

use crate::sql::statement::statements;

statements! {
    /// Returns the database's identity and the name of a link; the name is NULL for the house's chain.
    CHAIN = "signed_head.chain", "
SELECT uuid_send(i.identity) AS identity, l.name
FROM database_identity AS i LEFT JOIN link AS l ON l.link_id = $1";

    /// Returns a page of a chain's heads after a number.
    HEADS = "signed_head.list", "
SELECT number, batch, chain_hash, root, at, previous, public_key, signature
FROM signed_head WHERE link_id = $1 AND number > $2 ORDER BY number LIMIT $3";

    /// Returns a chain's newest head.
    NEWEST_HEAD = "signed_head.newest", "
SELECT number, batch, chain_hash, root, at, previous, public_key, signature
FROM signed_head WHERE link_id = $1 ORDER BY number DESC LIMIT 1";

    /// Returns the head of a chain with a number.
    HEAD = "signed_head.read", "
SELECT number, batch, chain_hash, root, at, previous, public_key, signature
FROM signed_head WHERE link_id = $1 AND number = $2";

    /// Returns a page of a link's leaves behind a batch.
    LEAVES = "signed_head.leaves", "
SELECT batch, chain_hash FROM batch WHERE link_id = $1 AND batch > $2 ORDER BY batch LIMIT $3";

    /// Returns a page of the house's leaves behind an entry.
    HOUSE_LEAVES = "signed_head.house_leaves", "
SELECT number AS batch, hash AS chain_hash FROM house_chain WHERE number > $1 ORDER BY number LIMIT $2";

    /// Returns a link's last batch before a moment.
    BATCH_BEFORE = "signed_head.batch_before", "
SELECT batch FROM batch WHERE link_id = $1 AND at < $2 ORDER BY at DESC, batch DESC LIMIT 1";

    /// Returns the house's last entry before a moment.
    ENTRY_BEFORE = "signed_head.entry_before", "
SELECT number AS batch FROM house_chain WHERE at < $1 ORDER BY number DESC LIMIT 1";

    /// Returns nodes of a chain's tree.
    NODES = "signed_head.nodes", "
SELECT n.level, n.position, n.hash
FROM unnest($2::smallint[], $3::bigint[]) AS w (level, position)
JOIN tree_node AS n ON n.link_id = $1 AND n.level = w.level AND n.position = w.position";

    /// Returns a page of all nodes of a chain's tree after one.
    ALL_NODES = "signed_head.all_nodes", "
SELECT level, position, hash FROM tree_node
WHERE link_id = $1 AND (level, position) > ($2, $3) ORDER BY level, position LIMIT $4";

    /// Adds nodes that are not there yet.
    ADD_NODES = "signed_head.add_nodes", "
INSERT INTO tree_node (link_id, level, position, hash)
SELECT $1, n.level, n.position, n.hash
FROM unnest($2::smallint[], $3::bigint[], $4::bytea[]) AS n (level, position, hash)
ON CONFLICT ON CONSTRAINT tree_node_pkey DO NOTHING";

    /// Adds a head, unless another node has added one with the same number.
    ADD_HEAD = "signed_head.add", "
INSERT INTO signed_head (link_id, number, batch, chain_hash, root, at, previous, public_key, signature)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT ON CONSTRAINT signed_head_pkey DO NOTHING";
}

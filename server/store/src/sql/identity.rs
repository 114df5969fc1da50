//! The database's identity and the heads of its links.

use crate::sql::statement::statements;

statements! {
    /// Returns the database's identity.
    IDENTITY = "identity.read", "SELECT identity::text AS identity FROM database_identity";

    /// Returns the database's identity as its 16 bytes.
    IDENTITY_AS_BYTES = "identity.bytes", "SELECT uuid_send(identity) AS identity FROM database_identity";

    /// Returns the key of seals.
    SEAL_KEY = "identity.seal_key", "SELECT key FROM seal_key";

    /// Returns the hash of a link's batch; no row if the link has no such batch here.
    BATCH_HASH = "identity.batch_hash", "SELECT chain_hash FROM batch WHERE link_id = $1 AND batch = $2";

    /// Returns a page of heads with the links' names, in the order of the links' numbers.
    KNOWN_HEADS = "identity.heads", "
SELECT h.link_id, l.name, h.batch, h.chain_hash FROM link_head AS h JOIN link AS l USING (link_id)
WHERE h.link_id > $1 ORDER BY h.link_id LIMIT $2";

    /// Returns a link's last batch and the hash of an earlier one; no row if there is no such link.
    HELD_BATCH = "identity.held_batch", "
SELECT h.batch, (SELECT b.chain_hash FROM batch AS b
                 WHERE b.link_id = h.link_id AND b.batch = $2) AS chain_hash
FROM link_head AS h JOIN link AS l USING (link_id) WHERE l.name = $1";
}

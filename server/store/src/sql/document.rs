//! Documents of payouts: which hit has one, and which is recording one.
//!
//! # Order and locking
//! A claim is one row, which its statement locks. Of two hits one gets it.

use crate::sql::statement::statements;

statements! {
    /// Returns another hit with a payout that was paid with a document.
    HIT_OF_DOCUMENT = "document.hit", "
SELECT t.name AS table_name, p.table_no, p.sequence, p.hit_number FROM payout AS p
JOIN game_table AS t ON t.link_id = p.link_id AND t.table_no = p.table_no
WHERE p.document = $1 AND (p.link_id, p.table_no, p.sequence, p.hit_number) <> ($2, $3, $4, $5)
LIMIT 1";

    /// Claims a document for a hit, unless another one has claimed it within some seconds.
    CLAIM_DOCUMENT = "document.claim", "
INSERT INTO document_claim AS c (document, link_id, table_no, sequence, hit_number, at)
VALUES ($1, $2, $3, $4, $5, clock_timestamp())
ON CONFLICT ON CONSTRAINT document_claim_pkey DO UPDATE
SET link_id = EXCLUDED.link_id, table_no = EXCLUDED.table_no, sequence = EXCLUDED.sequence,
    hit_number = EXCLUDED.hit_number, at = EXCLUDED.at
WHERE (c.link_id, c.table_no, c.sequence, c.hit_number)
    = (EXCLUDED.link_id, EXCLUDED.table_no, EXCLUDED.sequence, EXCLUDED.hit_number)
   OR c.at < clock_timestamp() - make_interval(secs => $6)";

    /// Returns another hit that has claimed a document.
    CLAIM_OF_DOCUMENT = "document.claimed", "
SELECT t.name AS table_name, c.table_no, c.sequence, c.hit_number FROM document_claim AS c
JOIN game_table AS t ON t.link_id = c.link_id AND t.table_no = c.table_no
WHERE c.document = $1 AND (c.link_id, c.table_no, c.sequence, c.hit_number) <> ($2, $3, $4, $5)";

    /// Ends a hit's claim.
    RELEASE_DOCUMENT = "document.release", "
DELETE FROM document_claim
WHERE document = $1 AND (link_id, table_no, sequence, hit_number) = ($2, $3, $4, $5)";
}

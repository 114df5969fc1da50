//! Documents of payouts: which hit has one, and which is recording one.
//!
//! # Order and locking
//! A claim is one row, which its statement locks. Of two hits one gets it.

use crate::sql::statement::statements;

statements! {
    /// Returns another hit with a payout that was paid with a document, or that has claimed it.
    HIT_OF_DOCUMENT = "document.hit", "
SELECT t.name AS table_name, h.table_no, h.sequence, h.hit_number FROM (
  SELECT link_id, table_no, sequence, hit_number FROM payout WHERE document = $1
  UNION ALL
  SELECT link_id, table_no, sequence, hit_number FROM document_claim WHERE document = $1
) AS h
JOIN game_table AS t ON t.link_id = h.link_id AND t.table_no = h.table_no
WHERE (h.link_id, h.table_no, h.sequence, h.hit_number) <> ($2, $3, $4, $5)
LIMIT 1";

    /// Claims a document for a hit, unless another one has claimed it within some time.
    CLAIM_DOCUMENT = "document.claim", "
INSERT INTO document_claim AS c (document, link_id, table_no, sequence, hit_number, at)
VALUES ($1, $2, $3, $4, $5, clock_timestamp())
ON CONFLICT ON CONSTRAINT document_claim_pkey DO UPDATE
SET link_id = EXCLUDED.link_id, table_no = EXCLUDED.table_no, sequence = EXCLUDED.sequence,
    hit_number = EXCLUDED.hit_number, at = EXCLUDED.at
WHERE (c.link_id, c.table_no, c.sequence, c.hit_number)
    = (EXCLUDED.link_id, EXCLUDED.table_no, EXCLUDED.sequence, EXCLUDED.hit_number)
   OR c.at < clock_timestamp() - make_interval(secs => $6)";

    /// Ends a hit's claim.
    RELEASE_DOCUMENT = "document.release", "
DELETE FROM document_claim
WHERE document = $1 AND (link_id, table_no, sequence, hit_number) = ($2, $3, $4, $5)";
}

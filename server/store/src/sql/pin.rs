//! PINs, wrong PINs in a row, and signatures.

use crate::sql::statement::statements;

statements! {
    /// Adds a PIN, or its removal.
    ADD_PIN = "pin.add", "
INSERT INTO pin (actor_id, set_at, hash, voucher) VALUES ($1, $2, $3, $4)";

    /// Counts an attempt to sign as a wrong one, and returns the count; no row if there were too many before.
    COUNT_TRY = "pin.count_try", "
INSERT INTO pin_failure (name, failures, failed_at) VALUES ($1, 1, $2)
ON CONFLICT ON CONSTRAINT pin_failure_pkey
DO UPDATE SET failures = pin_failure.failures + 1, failed_at = EXCLUDED.failed_at
WHERE pin_failure.failures < $3
RETURNING failures";

    /// Forgets the wrong PINs of a name.
    FORGET_TRIES = "pin.forget_tries", "
DELETE FROM pin_failure WHERE name = $1";

    /// Adds a signature.
    ADD_SIGNATURE = "pin.add_signature", "
INSERT INTO session (session_hash, actor_id, created_at, expires_at, seen_at, voucher, is_signature)
VALUES ($1, $2, $3, $4, $3, $5, true)";

    /// Ends all signatures of a person.
    END_SIGNATURES = "pin.end_signatures", "
UPDATE session SET ended_at = $2 WHERE actor_id = $1 AND is_signature AND ended_at IS NULL";

    /// Returns a page of PINs after one.
    PINS = "house.pins", "
SELECT actor_id, set_at, hash FROM pin WHERE (actor_id, set_at) > ($1, $2)
ORDER BY actor_id, set_at LIMIT $3";
}

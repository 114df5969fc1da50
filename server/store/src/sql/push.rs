//! Web push: the subscriptions of people's browsers, and the hits that were told.
//!
//! # Order and locking
//! A hit is told by the node whose insert comes first. The key decides between nodes, and between a start and the one
//! before.

use crate::sql::statement::statements;

statements! {
    /// Adds a subscription, in the place of the same browser's, and removes the oldest of a person who then has too many.
    SUBSCRIBE = "push.subscribe", "
WITH added AS (
  INSERT INTO push_subscription (endpoint_hash, actor_id, endpoint, p256dh, auth, created_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT ON CONSTRAINT push_subscription_pkey
  DO UPDATE SET actor_id = EXCLUDED.actor_id, p256dh = EXCLUDED.p256dh, auth = EXCLUDED.auth,
                created_at = EXCLUDED.created_at
)
DELETE FROM push_subscription WHERE endpoint_hash IN (
  SELECT endpoint_hash FROM push_subscription WHERE actor_id = $2 AND endpoint_hash <> $1
  ORDER BY created_at DESC OFFSET $7
)";

    /// Removes a subscription of a person.
    UNSUBSCRIBE = "push.unsubscribe", "
DELETE FROM push_subscription WHERE endpoint_hash = $1 AND actor_id = $2";

    /// Removes a subscription that its push service no longer knows, unless it was renewed since.
    REMOVE_GONE = "push.remove_gone", "
DELETE FROM push_subscription WHERE endpoint_hash = $1 AND created_at = $2";

    /// Removes the subscriptions of a person whose access ends.
    END_SUBSCRIPTIONS = "push.end_subscriptions", "
DELETE FROM push_subscription WHERE actor_id = $1";

    /// Returns the subscriptions of a person, newest first.
    OF_PERSON = "push.of_person", "
SELECT endpoint_hash, endpoint, p256dh, auth, created_at FROM push_subscription
WHERE actor_id = $1 ORDER BY created_at DESC LIMIT $2";

    /// Returns the subscriptions of all people who may come in, newest first.
    SUBSCRIPTIONS = "push.subscriptions", "
SELECT s.endpoint_hash, s.endpoint, s.p256dh, s.auth, s.created_at FROM push_subscription AS s
WHERE NOT COALESCE((SELECT x.is_ended FROM actor_access AS x WHERE x.actor_id = s.actor_id
                    ORDER BY x.changed_at DESC LIMIT 1), false)
ORDER BY s.created_at DESC LIMIT $1";

    /// Takes hits in a state that were entered lately and not taken before, and forgets those of long ago.
    TAKE_HITS = "push.take_hits", "
WITH forgotten AS (
  DELETE FROM push_notice WHERE at < $3
), waiting AS (
  SELECT of_one.* FROM link AS one CROSS JOIN LATERAL (
    SELECT h.link_id, h.table_no, h.sequence, h.number, h.hit_order FROM hit AS h
    WHERE h.link_id = one.link_id AND h.state = $1 AND h.keyed_at >= $2
      AND NOT EXISTS (
        SELECT FROM push_notice AS n
        WHERE n.link_id = h.link_id AND n.table_no = h.table_no AND n.sequence = h.sequence AND n.number = h.number
      )
    ORDER BY h.hit_order LIMIT $5
  ) AS of_one
  ORDER BY of_one.link_id, of_one.hit_order LIMIT $5
)
INSERT INTO push_notice (link_id, table_no, sequence, number, at)
SELECT link_id, table_no, sequence, number, $4 FROM waiting
ON CONFLICT ON CONSTRAINT push_notice_pkey DO NOTHING
RETURNING link_id, table_no, sequence, number";
}

//! What an operator watches of the database.

use crate::sql::statement::statements;

statements! {
    /// Returns the size of the database, and the bytes of its log since the cluster was made.
    DATABASE = "measures.database", "
SELECT pg_catalog.pg_database_size(pg_catalog.current_database()) AS size,
       CASE WHEN pg_catalog.pg_is_in_recovery() THEN NULL
            ELSE pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_lsn(), '0/0')::bigint END AS log";

    /// Returns if the cluster archives its log, and the file that it last failed to archive since.
    ARCHIVE = "measures.archive", "
SELECT pg_catalog.current_setting('archive_mode') <> 'off' AS is_on,
       CASE WHEN last_failed_time > COALESCE(last_archived_time, '-infinity') THEN last_failed_wal END AS failed
FROM pg_catalog.pg_stat_archiver";

    /// Returns the standbys that this role may see, each with the bytes that it has not applied yet.
    STANDBYS = "measures.standbys", "
SELECT application_name AS name,
       pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_lsn(), replay_lsn)::bigint AS lag
FROM pg_catalog.pg_stat_replication
WHERE replay_lsn IS NOT NULL AND NOT pg_catalog.pg_is_in_recovery()
ORDER BY application_name LIMIT $1";

    /// Returns how many hits are in a state, and when the oldest of them was keyed.
    HITS_WAITING = "measures.hits_waiting", "
SELECT count(h.keyed_at) AS count, min(h.keyed_at) AS oldest
FROM link AS l JOIN hit AS h ON h.link_id = l.link_id AND h.state = $1";
}

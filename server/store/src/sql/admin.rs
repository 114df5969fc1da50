//! Roles, schema, settings, partitions.

use crate::sql::statement::statements;

statements! {
    /// Checks that the database answers.
    PING = "admin.ping", "SELECT 1";

    /// Finds a database of the server.
    FIND_DATABASE = "admin.find_database", "
SELECT 1 FROM pg_catalog.pg_database WHERE datname = $1";

    /// Returns the settings that a connection that commits needs.
    SETTINGS = "admin.settings", "
SELECT name, setting FROM pg_catalog.pg_settings
WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')";

    /// Returns if the server takes writes, and its timeline. A standby has none of its own.
    TAKES_WRITES = "admin.takes_writes", "
SELECT pg_is_in_recovery() AS is_standby,
       current_setting('transaction_read_only')::boolean AS is_read_only,
       CASE WHEN pg_is_in_recovery() THEN 0
            ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int
       END AS timeline";

    /// Returns the rights by which the user could change the journal: superuser, owner, owner of
    /// the schema (who may drop its tables), or granted.
    ENFORCEMENT = "admin.enforcement", "
SELECT (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = session_user) AS is_superuser,
       pg_has_role(session_user, 'meterhouse_owner', 'MEMBER') AS is_owner,
       (SELECT pg_has_role(session_user, n.nspowner, 'MEMBER') FROM pg_catalog.pg_namespace AS n
        WHERE n.nspname = 'public') AS is_schema_owner,
       (SELECT c.relname::text FROM pg_catalog.pg_class AS c
        WHERE (c.oid = ANY(ARRAY['paytable', 'link', 'game_table', 'batch', 'event', 'table_mark',
                                 'actor', 'archived_period', 'archived_state']::regclass[])
               OR c.oid IN (SELECT inhrelid FROM pg_catalog.pg_inherits
                            WHERE inhparent = 'event'::regclass))
          AND has_table_privilege(session_user, c.oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER')
        ORDER BY 1 LIMIT 1) AS writable";

    /// Returns the months that have a partition.
    PERIODS = "admin.periods", "
SELECT substr(c.relname, 7)::int AS period
FROM pg_catalog.pg_inherits AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.inhrelid
WHERE i.inhparent = 'event'::regclass AND c.relname ~ '^event_[0-9]{5}$'
ORDER BY 1";

    /// Creates the missing partitions.
    MAKE_PERIODS = "admin.make_periods", "SELECT meterhouse_make_periods($1, $2) AS made";

    /// Returns the month of the database's clock.
    CURRENT_PERIOD = "admin.current_period", "
SELECT (12 * extract(year FROM utc) + extract(month FROM utc) - 1)::int AS period
FROM (SELECT now() AT TIME ZONE 'UTC' AS utc) AS clock";

    /// Checks that any migration was ever applied.
    HAS_MIGRATIONS = "admin.has_migrations", "
SELECT to_regclass('_sqlx_migrations') IS NOT NULL AS has_any";

    /// Returns the name of a table that belongs to no extension. The table of migrations may be empty, if the first one
    /// was interrupted.
    ANY_TABLE = "admin.any_table", "
SELECT c.relname::text AS name
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND c.relname <> '_sqlx_migrations'
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                  WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
ORDER BY 1 LIMIT 1";

    /// Returns the database's clock in microseconds since 1970.
    CLOCK = "admin.clock", "
SELECT (extract(epoch FROM pg_catalog.clock_timestamp()) * 1000000)::bigint AS at";

    /// Returns the applied migrations.
    MIGRATIONS = "admin.migrations", "
SELECT version, checksum FROM _sqlx_migrations WHERE success ORDER BY version";

    /// Checks that migrations declare which programs run on their result.
    HAS_COMPATIBILITY = "admin.has_compatibility", "
SELECT to_regclass('migration_compatibility') IS NOT NULL AS has_any";

    /// Returns the oldest schema whose programs run on the result of each migration.
    COMPATIBILITY = "admin.compatibility", "
SELECT version, compatible_from FROM migration_compatibility";

    /// Declares which programs run on the result of migrations.
    DECLARE_COMPATIBILITY = "admin.declare_compatibility", "
INSERT INTO migration_compatibility (version, compatible_from)
SELECT * FROM unnest($1::bigint[], $2::bigint[])
ON CONFLICT ON CONSTRAINT migration_compatibility_pkey DO NOTHING";

    /// Returns the estimated rows and the bytes of a table with its partitions, without its indexes.
    TABLE_SIZE = "admin.table_size", "
SELECT COALESCE(sum(GREATEST(c.reltuples, 0)), 0)::bigint AS rows,
       COALESCE(sum(pg_table_size(c.oid)), 0)::bigint AS bytes
FROM pg_partition_tree(to_regclass($1)) AS part
JOIN pg_catalog.pg_class AS c ON c.oid = part.relid
WHERE part.isleaf";

    /// Returns the tables that hold the rows of the table `$1`: its partitions, or itself. Each has
    /// the name of its part of the index `$2`, and the validity of that part if it exists.
    INDEXED_TABLES = "admin.indexed_tables", "
SELECT n.nspname::text AS schema, c.relname::text AS table, wanted.name AS index, x.indisvalid AS is_valid
FROM pg_partition_tree(to_regclass($1)) AS part
JOIN pg_catalog.pg_class AS c ON c.oid = part.relid
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
CROSS JOIN LATERAL (
  SELECT CASE part.level WHEN 0 THEN $2::text ELSE format('%s_%s', $2::text, c.relname) END AS name
) AS wanted
LEFT JOIN pg_catalog.pg_class AS i ON i.relnamespace = c.relnamespace AND i.relname = wanted.name
LEFT JOIN pg_catalog.pg_index AS x ON x.indexrelid = i.oid
WHERE part.isleaf
ORDER BY 1, 2";

    /// Takes the lock that allows one migration at a time.
    TRY_MIGRATION_LOCK = "admin.try_migration_lock", "
SELECT pg_try_advisory_lock(7740823519047) AS locked";

    /// Creates the roles. Roles belong to the cluster, so that another database may have created
    /// them, even concurrently.
    MAKE_ROLES = "admin.make_roles", "
DO $$
BEGIN
  IF to_regrole('meterhouse_owner') IS NULL THEN
    BEGIN
      CREATE ROLE meterhouse_owner NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
  IF to_regrole('meterhouse_app') IS NULL THEN
    BEGIN
      CREATE ROLE meterhouse_app LOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
END
$$";

    /// Makes the migrating user a member of the owner, if permitted. The next statement shows the
    /// result.
    JOIN_OWNER = "admin.join_owner", "
DO $$
BEGIN
  IF NOT (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user) THEN
    EXECUTE format('GRANT meterhouse_owner TO %I', current_user);
  END IF;
EXCEPTION WHEN insufficient_privilege THEN NULL;
END
$$";

    /// Lets the owner create objects in the schema, if it can't and the migrating user may allow
    /// it.
    OPEN_SCHEMA = "admin.open_schema", "
DO $$
BEGIN
  IF NOT has_schema_privilege('meterhouse_owner', 'public', 'CREATE') THEN
    GRANT CREATE, USAGE ON SCHEMA public TO meterhouse_owner;
  END IF;
  -- A GRANT by a role that may not grant the right only warns.
  IF NOT has_schema_privilege('meterhouse_owner', 'public', 'CREATE') THEN
    RAISE EXCEPTION 'nothing was granted' USING ERRCODE = 'insufficient_privilege';
  END IF;
END
$$";

    /// Acts as the owner from here on.
    BECOME_OWNER = "admin.become_owner", "SET ROLE meterhouse_owner";

    /// Keeps the plans of statements that commit from scanning the heads.
    PLAN_COMMITS = "admin.plan_commits", "SET enable_seqscan = off";

    /// Limits the time that a migration waits for a lock.
    LIMIT_LOCKS = "admin.limit_locks", "SET lock_timeout = '10s'";

    /// Limits the time that a concurrent build waits for the transactions before it. The wait blocks
    /// no caller.
    LIMIT_BUILDS = "admin.limit_builds", "SET lock_timeout = '1h'";
}

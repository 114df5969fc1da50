#!/bin/sh
# Run once by the image of Postgres, on a new data folder: the roles, the database, and the slot of the standby.
set -eu
secret() { cat "/run/secrets/$1"; }

psql --set ON_ERROR_STOP=1 --username postgres --dbname postgres --quiet \
  --set owner="$(secret owner_password)" --set application="$(secret application_password)" \
  --set replication="$(secret replication_password)" <<'SQL'
-- Makes and migrates the schema. It may create the roles that migrations need, and is no superuser.
CREATE ROLE meterhouse_admin LOGIN CREATEROLE PASSWORD :'owner';
-- The role of the nodes: it can add to the journal and never change it. It sees how far the standby is.
CREATE ROLE meterhouse_app LOGIN PASSWORD :'application';
GRANT pg_read_all_stats TO meterhouse_app;
CREATE ROLE meterhouse_replication LOGIN REPLICATION PASSWORD :'replication';
CREATE DATABASE meterhouse OWNER meterhouse_admin;
SELECT pg_create_physical_replication_slot('standby');
-- From the next start on. Here it would wait for a standby that is not there yet.
ALTER SYSTEM SET synchronous_standby_names = 'standby';
SQL

# Connections of the network data come from these containers only. The image's own line admits no replication.
echo 'host replication meterhouse_replication samenet scram-sha-256' >>"$PGDATA/pg_hba.conf"

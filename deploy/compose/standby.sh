#!/bin/sh
# Starts a standby. The first start copies the primary; a copy that was interrupted begins again.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  new=$PGDATA.new
  rm -rf "$new"
  # The connection, with its password, becomes that of the standby.
  PGPASSWORD=$(cat /run/secrets/replication_password) pg_basebackup \
    --dbname 'host=database user=meterhouse_replication application_name=standby' \
    --pgdata "$new" --checkpoint fast --wal-method stream --slot standby --write-recovery-conf --no-password
  rmdir "$PGDATA" 2>/dev/null || true
  mv "$new" "$PGDATA"
fi
# The primary's setting is copied as well. A promoted standby waits for no other server.
exec postgres -c synchronous_standby_names= -c 'listen_addresses=*'

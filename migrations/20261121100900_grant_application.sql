-- What the application may do, and nothing else: it adds to the journal, moves heads, keeps projections.

GRANT USAGE ON SCHEMA public TO meterhouse_app;
GRANT SELECT ON paytable, link, link_head, game_table, batch, event, table_mark, snapshot, hit, payout,
  actor, token, book, meter TO meterhouse_app;
-- A server that starts compares the applied files with its own.
GRANT SELECT ON _sqlx_migrations TO meterhouse_app;

GRANT INSERT ON paytable, link, game_table, batch, event, table_mark TO meterhouse_app;
GRANT INSERT, UPDATE ON link_head, hit, payout, actor, token TO meterhouse_app;
GRANT INSERT, DELETE ON snapshot TO meterhouse_app;

GRANT EXECUTE ON FUNCTION meterhouse_make_periods(integer, integer) TO meterhouse_app;
-- A CHECK runs as the one who inserts.
GRANT EXECUTE ON FUNCTION meterhouse_books_stand(bigint[], bigint[]) TO meterhouse_app;

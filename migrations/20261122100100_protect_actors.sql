-- Who somebody is stays as it was written, since the journal names people by number; of a token only its end is later.

REVOKE UPDATE ON actor, token FROM meterhouse_app;
GRANT UPDATE (revoked_at) ON token TO meterhouse_app;

-- As on the journal's tables, for those who have the right.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON actor
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON actor
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();

//! Passwords, second factors, subjects of OpenID Connect, sessions, and the access of people.

use crate::sql::statement::statements;

statements! {
    /// Returns a person with what the person logs in and signs by.
    FIND_PERSON = "login.find_person", "
SELECT a.actor_id, a.name, a.role, a.table_name, a.link_name, a.department, a.rights, a.created_at,
       p.hash, p.set_at AS password_set_at, p.voucher,
       f.secret, f.set_at AS factor_set_at, f.used_step,
       o.issuer, o.subject, o.set_at AS openid_set_at, o.voucher AS openid_voucher,
       n.hash AS pin_hash, n.set_at AS pin_set_at, n.voucher AS pin_voucher,
       COALESCE((SELECT t.failures FROM pin_failure AS t WHERE t.name = a.name), 0) AS pin_failures,
       COALESCE((SELECT x.is_ended FROM actor_access AS x WHERE x.actor_id = a.actor_id
                 ORDER BY x.changed_at DESC LIMIT 1), false) AS is_ended
FROM actor AS a
LEFT JOIN LATERAL (SELECT hash, set_at, voucher FROM password
                   WHERE actor_id = a.actor_id ORDER BY set_at DESC LIMIT 1) AS p ON true
LEFT JOIN LATERAL (SELECT secret, set_at, used_step FROM second_factor
                   WHERE actor_id = a.actor_id ORDER BY set_at DESC LIMIT 1) AS f ON true
LEFT JOIN LATERAL (SELECT issuer, subject, set_at, voucher FROM openid_subject
                   WHERE actor_id = a.actor_id ORDER BY set_at DESC LIMIT 1) AS o ON true
LEFT JOIN LATERAL (SELECT hash, set_at, voucher FROM pin
                   WHERE actor_id = a.actor_id ORDER BY set_at DESC LIMIT 1) AS n ON true
WHERE a.name = $1";

    /// Returns a page of people after a name, with what they log in and sign by.
    LIST_PEOPLE = "login.list_people", "
SELECT a.actor_id, a.name, a.role, a.table_name, a.link_name, a.department, a.rights, a.created_at,
       p.hash, p.set_at AS password_set_at, p.voucher,
       f.secret, f.set_at AS factor_set_at, f.used_step,
       o.issuer, o.subject, o.set_at AS openid_set_at, o.voucher AS openid_voucher,
       n.hash AS pin_hash, n.set_at AS pin_set_at, n.voucher AS pin_voucher,
       COALESCE((SELECT t.failures FROM pin_failure AS t WHERE t.name = a.name), 0) AS pin_failures,
       COALESCE((SELECT x.is_ended FROM actor_access AS x WHERE x.actor_id = a.actor_id
                 ORDER BY x.changed_at DESC LIMIT 1), false) AS is_ended,
       (SELECT max(s.seen_at) FROM session AS s WHERE s.actor_id = a.actor_id AND NOT s.is_signature) AS seen_at
FROM actor AS a
LEFT JOIN LATERAL (SELECT hash, set_at, voucher FROM password
                   WHERE actor_id = a.actor_id ORDER BY set_at DESC LIMIT 1) AS p ON true
LEFT JOIN LATERAL (SELECT secret, set_at, used_step FROM second_factor
                   WHERE actor_id = a.actor_id ORDER BY set_at DESC LIMIT 1) AS f ON true
LEFT JOIN LATERAL (SELECT issuer, subject, set_at, voucher FROM openid_subject
                   WHERE actor_id = a.actor_id ORDER BY set_at DESC LIMIT 1) AS o ON true
LEFT JOIN LATERAL (SELECT hash, set_at, voucher FROM pin
                   WHERE actor_id = a.actor_id ORDER BY set_at DESC LIMIT 1) AS n ON true
WHERE a.name > $1 AND a.role IN ('supervisor', 'manager', 'auditor', 'administrator')
ORDER BY a.name LIMIT $2";

    /// Returns whether there is an administrator.
    HAS_ADMINISTRATOR = "login.has_administrator", "
SELECT EXISTS (SELECT FROM actor WHERE role = 'administrator') AS found";

    /// Returns whether another administrator may come in, with a password, a subject of OpenID Connect or a token.
    HAS_OTHER_ADMINISTRATOR = "login.has_other_administrator", "
SELECT EXISTS (
  SELECT FROM actor AS a
  WHERE a.role = 'administrator' AND a.actor_id <> $1
    AND NOT COALESCE((SELECT x.is_ended FROM actor_access AS x WHERE x.actor_id = a.actor_id
                      ORDER BY x.changed_at DESC LIMIT 1), false)
    AND (EXISTS (SELECT FROM password AS p WHERE p.actor_id = a.actor_id)
         OR (SELECT o.subject FROM openid_subject AS o WHERE o.actor_id = a.actor_id
             ORDER BY o.set_at DESC LIMIT 1) IS NOT NULL
         OR EXISTS (SELECT FROM token AS t WHERE t.actor_id = a.actor_id AND t.revoked_at IS NULL
                    AND (t.expires_at IS NULL OR t.expires_at > $2)))) AS found";

    /// Adds a password.
    ADD_PASSWORD = "login.add_password", "
INSERT INTO password (actor_id, set_at, hash, voucher) VALUES ($1, $2, $3, $4)";

    /// Adds a code for a new password.
    ADD_CODE = "login.add_code", "
INSERT INTO password_code (code_hash, actor_id, created_at, expires_at, voucher) VALUES ($1, $2, $3, $4, $5)";

    /// Returns a code of a person that was not used.
    FIND_CODE = "login.find_code", "
SELECT expires_at, voucher FROM password_code
WHERE code_hash = $1 AND actor_id = $2 AND used_at IS NULL AND expires_at > $3";

    /// Uses up one code; no row if it was used, or has expired.
    USE_CODE = "login.use_code", "
UPDATE password_code SET used_at = $3
WHERE code_hash = $1 AND actor_id = $2 AND used_at IS NULL AND expires_at > $3";

    /// Uses up all codes of a person.
    USE_CODES = "login.use_codes", "
UPDATE password_code SET used_at = $2 WHERE actor_id = $1 AND used_at IS NULL";

    /// Adds a second factor, or its removal.
    ADD_FACTOR = "login.add_factor", "
INSERT INTO second_factor (actor_id, set_at, secret, used_step) VALUES ($1, $2, $3, $4)";

    /// Uses up a step of a second factor; no row if it or a later one was used.
    USE_STEP = "login.use_step", "
UPDATE second_factor SET used_step = $3 WHERE actor_id = $1 AND set_at = $2 AND used_step < $3";

    /// Adds a subject of OpenID Connect, or its removal.
    ADD_OPENID = "login.add_openid", "
INSERT INTO openid_subject (actor_id, set_at, issuer, subject, voucher) VALUES ($1, $2, $3, $4, $5)";

    /// Returns the names of those whose newest subject of OpenID Connect this is.
    FIND_OPENID = "login.find_openid", "
SELECT a.name FROM openid_subject AS o JOIN actor AS a USING (actor_id)
WHERE o.issuer = $1 AND o.subject = $2
  AND o.set_at = (SELECT max(x.set_at) FROM openid_subject AS x WHERE x.actor_id = o.actor_id)
ORDER BY a.name LIMIT $3";

    /// Uses up a login by OpenID Connect; no row if it was used.
    USE_OPENID_LOGIN = "login.use_openid_login", "
INSERT INTO openid_login (login_hash, used_at) VALUES ($1, $2) ON CONFLICT ON CONSTRAINT openid_login_pkey DO NOTHING";

    /// Forgets the logins by OpenID Connect that were used up before a moment.
    FORGET_OPENID_LOGINS = "login.forget_openid_logins", "
DELETE FROM openid_login WHERE used_at < $1";

    /// Returns the newest time at which what an actor logs in by, or the access of an actor, was changed.
    NEWEST_CHANGE = "login.newest_change", "
SELECT GREATEST((SELECT max(set_at) FROM password WHERE actor_id = $1),
                (SELECT max(set_at) FROM second_factor WHERE actor_id = $1),
                (SELECT max(set_at) FROM openid_subject WHERE actor_id = $1),
                (SELECT max(set_at) FROM pin WHERE actor_id = $1),
                (SELECT max(changed_at) FROM actor_access WHERE actor_id = $1)) AS newest";

    /// Ends or restores the access of a person or program.
    ADD_ACCESS = "login.add_access", "
INSERT INTO actor_access (actor_id, changed_at, is_ended) VALUES ($1, $2, $3)";

    /// Adds a session.
    ADD_SESSION = "login.add_session", "
INSERT INTO session (session_hash, actor_id, created_at, expires_at, seen_at, voucher)
VALUES ($1, $2, $3, $4, $3, $5)";

    /// Returns the owner of a session or signature that goes on.
    FIND_SESSION = "login.find_session", "
SELECT a.actor_id, a.name, a.role, a.table_name, a.link_name, a.department, a.rights, a.created_at,
       s.created_at AS session_created_at, s.expires_at, s.seen_at, s.voucher, s.is_signature
FROM session AS s JOIN actor AS a USING (actor_id)
WHERE s.session_hash = $1 AND s.ended_at IS NULL AND s.expires_at > $2 AND s.seen_at > $3
  AND NOT COALESCE((SELECT x.is_ended FROM actor_access AS x WHERE x.actor_id = a.actor_id
                    ORDER BY x.changed_at DESC LIMIT 1), false)";

    /// Returns the digests of some sessions that have not ended.
    SESSION_HASHES = "login.session_hashes", "
SELECT session_hash AS hash FROM session WHERE ended_at IS NULL AND expires_at > $1 LIMIT $2";

    /// Returns which of some sessions and signatures have ended.
    ENDED_SESSIONS = "login.ended_sessions", "
SELECT asked.hash FROM unnest($1::bytea[]) AS asked (hash)
WHERE NOT EXISTS (
  SELECT FROM session AS s WHERE s.session_hash = asked.hash AND s.ended_at IS NULL AND s.expires_at > $2
    AND NOT COALESCE((SELECT x.is_ended FROM actor_access AS x WHERE x.actor_id = s.actor_id
                      ORDER BY x.changed_at DESC LIMIT 1), false))";

    /// Notes that a session was used.
    SEE_SESSION = "login.see_session", "
UPDATE session SET seen_at = $2 WHERE session_hash = $1 AND ended_at IS NULL AND seen_at < $2";

    /// Ends one session.
    END_SESSION = "login.end_session", "
UPDATE session SET ended_at = $2 WHERE session_hash = $1 AND ended_at IS NULL";

    /// Ends all sessions of a person.
    END_SESSIONS = "login.end_sessions", "
UPDATE session SET ended_at = $2 WHERE actor_id = $1 AND NOT is_signature AND ended_at IS NULL";

    /// Counts an attempt to log in; no row if another one was counted meanwhile.
    COUNT_ATTEMPT = "login.count_attempt", "
INSERT INTO login_failure (name, failures, failed_at) VALUES ($1, 1, $2)
ON CONFLICT ON CONSTRAINT login_failure_pkey
DO UPDATE SET failures = login_failure.failures + 1, failed_at = EXCLUDED.failed_at
WHERE login_failure.failures = $3";

    /// Returns the failed logins of a name in a row.
    FIND_FAILURES = "login.find_failures", "
SELECT failures, failed_at FROM login_failure WHERE name = $1";

    /// Forgets the failed logins of a name.
    FORGET_FAILURES = "login.forget_failures", "
DELETE FROM login_failure WHERE name = $1";

    /// Returns a page of the tokens, newest passwords and codes that let their owners in, after one.
    CREDENTIALS = "login.credentials", "
SELECT a.actor_id, a.name, a.role, a.table_name, a.link_name, a.department, a.rights, a.created_at,
       c.kind, c.key, c.made_at, c.expires_at, c.voucher
FROM (SELECT 1::smallint AS kind, token_hash AS key, actor_id, created_at AS made_at, expires_at, voucher
      FROM token WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)
      UNION ALL
      SELECT 2::smallint, sha256(convert_to(p.hash, 'UTF8')), p.actor_id, p.set_at, NULL, p.voucher
      FROM (SELECT DISTINCT ON (actor_id) actor_id, set_at, hash, voucher FROM password
            ORDER BY actor_id, set_at DESC) AS p
      UNION ALL
      SELECT 4::smallint, code_hash, actor_id, created_at, expires_at, voucher
      FROM password_code WHERE used_at IS NULL AND expires_at > $1) AS c
JOIN actor AS a USING (actor_id)
WHERE (c.kind, c.key, a.actor_id) > ($2, $3, $4)
  AND NOT COALESCE((SELECT x.is_ended FROM actor_access AS x WHERE x.actor_id = a.actor_id
                    ORDER BY x.changed_at DESC LIMIT 1), false)
ORDER BY c.kind, c.key, a.actor_id LIMIT $5";

    /// Gives a token a voucher, if it has none and was not revoked.
    VOUCH_TOKEN = "login.vouch_token", "
UPDATE token SET voucher = $2 WHERE token_hash = $1 AND voucher IS NULL AND revoked_at IS NULL";

    /// Gives a code a voucher, if it has none and was not used.
    VOUCH_CODE = "login.vouch_code", "
UPDATE password_code SET voucher = $2 WHERE code_hash = $1 AND voucher IS NULL AND used_at IS NULL";

    /// Returns the number of the newest act.
    LAST_ACT = "act.last", "
SELECT number FROM act ORDER BY number DESC LIMIT 1";

    /// Adds an act.
    ADD_ACT = "act.add", "
INSERT INTO act (number, at, act, actor_id, name, proof, address, subject, details)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

    /// Returns a page of acts before a number, newest first, by their filters.
    LIST_ACTS = "act.list", "
SELECT number, at, act, actor_id, name, proof, address, subject, details FROM act
WHERE number < $1 AND ($2::text IS NULL OR act = $2) AND ($3::text IS NULL OR name = $3)
  AND ($4::bigint IS NULL OR at >= $4) AND ($5::bigint IS NULL OR at < $5)
ORDER BY number DESC LIMIT $6";

    /// Returns a page of acts after a number.
    ACTS = "act.after", "
SELECT number, at, act, actor_id, name, proof, address, subject, details FROM act
WHERE number > $1 ORDER BY number LIMIT $2";

    /// Returns the number of acts of a word since a moment.
    COUNT_ACTS = "act.count", "
SELECT count(*) AS found FROM act WHERE at >= $2 AND act = $1";

    /// Returns a page of passwords after one.
    PASSWORDS = "house.passwords", "
SELECT actor_id, set_at, hash FROM password WHERE (actor_id, set_at) > ($1, $2)
ORDER BY actor_id, set_at LIMIT $3";

    /// Returns a page of second factors after one.
    FACTORS = "house.factors", "
SELECT actor_id, set_at, secret FROM second_factor WHERE (actor_id, set_at) > ($1, $2)
ORDER BY actor_id, set_at LIMIT $3";

    /// Returns a page of subjects of OpenID Connect after one.
    OPENIDS = "house.openids", "
SELECT actor_id, set_at, issuer, subject FROM openid_subject WHERE (actor_id, set_at) > ($1, $2)
ORDER BY actor_id, set_at LIMIT $3";

    /// Returns a page of changes of access after one.
    ACCESSES = "house.accesses", "
SELECT actor_id, changed_at AS set_at, is_ended FROM actor_access WHERE (actor_id, changed_at) > ($1, $2)
ORDER BY actor_id, changed_at LIMIT $3";
}

//! Themes of the house and their artwork.
//!
//! # Order and locking
//! Each change, and each choice of a theme of the house by a link, is made under [`LOCK_THEMES`]: what a link chose can't be
//! deleted in the same moment.

use crate::sql::statement::statements;

statements! {
    /// Takes the lock of themes, until the transaction ends. Its number is `themes` in ASCII.
    LOCK_THEMES = "theme.lock", "
SELECT pg_advisory_xact_lock(127991727089011)";

    /// Returns the themes that were not deleted, by name: all, or one.
    THEMES = "theme.list", "
SELECT t.name, t.base, t.title, t.locale, t.currency, t.colours, t.level_names, t.level_colours,
  t.number || '.' || (SELECT count(*) FROM theme_artwork WHERE theme = t.name) AS version,
  l.digest AS logo, l.width AS logo_width, l.height AS logo_height, l.brightest AS logo_brightest,
  b.digest AS background, b.width AS background_width, b.height AS background_height,
  b.brightest AS background_brightest
FROM (
  SELECT DISTINCT ON (name) name, number, base, title, locale, currency, colours, level_names, level_colours
  FROM theme WHERE $1::text IS NULL OR name = $1 ORDER BY name, number DESC
) AS t
LEFT JOIN LATERAL (
  SELECT a.digest, a.width, a.height, a.brightest FROM (
    SELECT digest FROM theme_artwork WHERE theme = t.name AND kind = 'logo' ORDER BY number DESC LIMIT 1
  ) AS n JOIN artwork AS a USING (digest)
) AS l ON true
LEFT JOIN LATERAL (
  SELECT a.digest, a.width, a.height, a.brightest FROM (
    SELECT digest FROM theme_artwork WHERE theme = t.name AND kind = 'background' ORDER BY number DESC LIMIT 1
  ) AS n JOIN artwork AS a USING (digest)
) AS b ON true
WHERE t.base IS NOT NULL ORDER BY t.name LIMIT $2";

    /// Returns one row if there ever was a theme of this name.
    WAS_THEME = "theme.was", "
SELECT 1 AS one FROM theme WHERE name = $1 LIMIT 1";

    /// Adds the newest content of a theme; one without a base deletes it.
    ADD_THEME = "theme.add", "
INSERT INTO theme (name, number, actor_id, at, base, title, locale, currency, colours, level_names, level_colours)
SELECT $1::text, COALESCE(max(number), 0) + 1, $2::int, $3::bigint, $4::text, $5::text, $6::text, $7::text,
  $8::text[], $9::text[], $10::text[]
FROM theme WHERE name = $1";

    /// Returns the links that present themselves by a theme.
    LINKS_OF_THEME = "theme.links", "
SELECT l.name FROM link AS l
CROSS JOIN LATERAL (
  SELECT theme FROM link_presentation WHERE link_id = l.link_id ORDER BY number DESC LIMIT 1
) AS p
WHERE p.theme = $1 ORDER BY l.name LIMIT $2";

    /// Gives a theme a picture, or none. The one before was used until now.
    ADD_THEME_ARTWORK = "theme.add_artwork", "
WITH used AS (
  UPDATE artwork SET at = $4::bigint WHERE digest = (
    SELECT digest FROM theme_artwork WHERE theme = $1 AND kind = $2 ORDER BY number DESC LIMIT 1
  )
)
INSERT INTO theme_artwork (theme, kind, number, actor_id, at, digest)
SELECT $1::text, $2::text, COALESCE(max(number), 0) + 1, $3::int, $4::bigint, $5::bytea
FROM theme_artwork WHERE theme = $1 AND kind = $2";

    /// Keeps a picture.
    ADD_ARTWORK = "theme.keep_artwork", "
INSERT INTO artwork (digest, at, width, height, brightest, bytes) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT ON CONSTRAINT artwork_pkey DO UPDATE SET at = EXCLUDED.at";

    /// Deletes pictures that no theme has any more, and that were last used before a moment.
    PRUNE_ARTWORK = "theme.prune_artwork", "
DELETE FROM artwork AS a WHERE a.at < $1 AND NOT EXISTS (
  SELECT 1 FROM theme_artwork AS t WHERE t.digest = a.digest AND t.number = (
    SELECT max(n.number) FROM theme_artwork AS n WHERE n.theme = t.theme AND n.kind = t.kind
  )
)";

    /// Returns the bytes of a picture.
    ARTWORK = "theme.artwork", "
SELECT bytes FROM artwork WHERE digest = $1";
}

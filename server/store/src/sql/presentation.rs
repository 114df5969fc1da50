//! How links and tables are presented.
//!
//! # Order and locking
//! A change is one statement, which adds a row behind the newest one. Of two changes in the same moment one adds nothing.

use crate::sql::statement::statements;

statements! {
    /// Returns the newest presentations of some links.
    LINK_PRESENTATIONS = "presentation.links", "
SELECT p.link_id, p.name, p.celebration, p.theme, p.locale,
  (SELECT max(t.number) FROM theme AS t WHERE t.name = p.theme) || '.' ||
  (SELECT count(*) FROM theme_artwork AS a WHERE a.theme = p.theme) AS theme_version
FROM UNNEST($1::int[]) AS u(link_id)
CROSS JOIN LATERAL (
  SELECT link_id, name, celebration, theme, locale FROM link_presentation
  WHERE link_id = u.link_id ORDER BY number DESC LIMIT 1
) AS p";

    /// Adds a presentation of a link, unless it is the newest one already.
    PRESENT_LINK = "presentation.add_link", "
INSERT INTO link_presentation (link_id, number, actor_id, at, name, celebration, theme, locale)
SELECT $1::int, COALESCE(p.number, 0) + 1, $2::int, $3::bigint, $4::text, $5::text, $6::text, $7::text
FROM (SELECT 1) AS one
LEFT JOIN LATERAL (
  SELECT number, name, celebration, theme, locale FROM link_presentation
  WHERE link_id = $1 ORDER BY number DESC LIMIT 1
) AS p ON true
WHERE p.number IS NULL
   OR ROW(p.name, p.celebration, p.theme, p.locale) IS DISTINCT FROM ROW($4::text, $5::text, $6::text, $7::text)
ON CONFLICT ON CONSTRAINT link_presentation_pkey DO NOTHING";

    /// Returns the newest presentation of a table.
    TABLE_PRESENTATION = "presentation.table", "
SELECT pit FROM table_presentation WHERE link_id = $1 AND table_no = $2 ORDER BY number DESC LIMIT 1";

    /// Adds a presentation of a table, unless it is the newest one already.
    PRESENT_TABLE = "presentation.add_table", "
INSERT INTO table_presentation (link_id, table_no, number, actor_id, at, pit)
SELECT $1::int, $2::int, COALESCE(p.number, 0) + 1, $3::int, $4::bigint, $5::text
FROM (SELECT 1) AS one
LEFT JOIN LATERAL (
  SELECT number, pit FROM table_presentation
  WHERE link_id = $1 AND table_no = $2 ORDER BY number DESC LIMIT 1
) AS p ON true
WHERE p.number IS NULL OR p.pit IS DISTINCT FROM $5::text
ON CONFLICT ON CONSTRAINT table_presentation_pkey DO NOTHING";
}

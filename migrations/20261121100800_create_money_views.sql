-- What people read in dollars. Exact: a micro-dollar is the sixth decimal.

-- Every account of every book of every link; the last book is the one for pays that touch no meter.
CREATE VIEW book AS
SELECT link.name AS link,
       place / 8 AS book,
       8 * (place / 8 + 1) = cardinality(head.balances) AS is_fixed,
       head.balances[place + 1]::numeric / 1000000 AS players,
       head.balances[place + 2]::numeric / 1000000 AS house,
       head.balances[place + 3]::numeric / 1000000 AS meter,
       head.balances[place + 4]::numeric / 1000000 AS reserve,
       head.balances[place + 5]::numeric / 1000000 AS overflow,
       head.balances[place + 6]::numeric / 1000000 AS pending,
       head.balances[place + 7]::numeric / 1000000 AS paid,
       head.balances[place + 8]::numeric / 1000000 AS in_transit
FROM link
JOIN link_head AS head USING (link_id)
CROSS JOIN LATERAL generate_series(0, cardinality(head.balances) - 8, 8) AS place;

-- What the signs show and what stands behind it, level by level.
CREATE VIEW meter AS
SELECT link, book AS level, meter, reserve, pending
FROM book
WHERE NOT is_fixed;

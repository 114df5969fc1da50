-- A level's hits, newest first: its history, and the last one that reset it.
CREATE INDEX hit_level_idx ON hit (link_id, level, hit_order);

-- Names of links and tables have the form that the domain reads: a row with another is refused when it is written.

ALTER TABLE link
  ADD CONSTRAINT link_name_form CHECK (name ~ '^[A-Za-z0-9-]{1,32}$');
ALTER TABLE game_table
  ADD CONSTRAINT game_table_name_form CHECK (name ~ '^[A-Za-z0-9-]{1,32}$');

-- Slips by what they replace: each list of slips and each printed slip asks for it.

CREATE INDEX slip_replaces_idx ON slip (replaces) WHERE replaces IS NOT NULL;

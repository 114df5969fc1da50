-- Events of some kinds, newest first: a proposal's story and a payoff's deductions are few among many happenings.

-- Made on the parent, so that it is on every partition, and meterhouse_make_periods copies it to later ones. The
-- feed goes on with event_happening_idx, which has all kinds in one order.
CREATE INDEX event_kind_idx ON event (link_id, kind, batch, position) WHERE kind >= 16;

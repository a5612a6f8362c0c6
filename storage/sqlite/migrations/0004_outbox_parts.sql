-- Which parts of a long message are there already: a JSON list of message ids.

ALTER TABLE outbox ADD COLUMN parts TEXT NOT NULL DEFAULT '[]';

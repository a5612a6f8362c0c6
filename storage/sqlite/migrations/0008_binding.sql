-- Codes that prove an account, and merges of people; what a merge moved carries its id.

CREATE TABLE binding_codes (
  account_key TEXT PRIMARY KEY,
  account     TEXT NOT NULL,
  code_hash   TEXT NOT NULL UNIQUE,
  expires_at  INTEGER NOT NULL,
  taken_by    TEXT
) STRICT;

CREATE TABLE merges (
  merge_id    TEXT PRIMARY KEY,
  survivor_id TEXT NOT NULL REFERENCES people,
  other_id    TEXT NOT NULL REFERENCES people,
  merged_at   INTEGER NOT NULL,
  moved       TEXT NOT NULL,
  final       INTEGER NOT NULL,
  undone_at   INTEGER
) STRICT;
CREATE INDEX merges_in_force ON merges (other_id) WHERE undone_at IS NULL;

-- The account in whose private chat private reminders arrive; empty: where each was set.
ALTER TABLE people ADD COLUMN home TEXT NOT NULL DEFAULT '';

ALTER TABLE accounts ADD COLUMN merge_id TEXT;
ALTER TABLE sessions ADD COLUMN merge_id TEXT;
ALTER TABLE turns ADD COLUMN merge_id TEXT;
ALTER TABLE summaries ADD COLUMN merge_id TEXT;
ALTER TABLE actions ADD COLUMN merge_id TEXT;
ALTER TABLE entries ADD COLUMN merge_id TEXT;
ALTER TABLE notes ADD COLUMN merge_id TEXT;
ALTER TABLE schedules ADD COLUMN merge_id TEXT;
ALTER TABLE deliveries ADD COLUMN merge_id TEXT;
ALTER TABLE effects ADD COLUMN merge_id TEXT;
ALTER TABLE external_effects ADD COLUMN merge_id TEXT;
ALTER TABLE grants ADD COLUMN merge_id TEXT;

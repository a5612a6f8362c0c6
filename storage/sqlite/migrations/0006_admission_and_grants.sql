-- Invitations with the accounts that came in by them, and changes of what people may use.

CREATE TABLE invitations (
  invitation_id TEXT PRIMARY KEY,
  code_hash     TEXT NOT NULL UNIQUE,
  made_by       TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL,
  account_key   TEXT,
  redeemed_at   INTEGER
) STRICT;

CREATE INDEX invitations_by_account ON invitations (account_key) WHERE account_key IS NOT NULL;

CREATE TABLE grants (
  sequence  INTEGER PRIMARY KEY,
  grant_id  TEXT NOT NULL UNIQUE,
  person_id TEXT NOT NULL REFERENCES people,
  branch_id TEXT NOT NULL,
  allowed   INTEGER NOT NULL,
  by        TEXT NOT NULL,
  at        INTEGER NOT NULL
) STRICT;

CREATE INDEX grants_by_person ON grants (person_id, sequence);

-- Instants (`..._at`, `not_before`): integer microseconds since 1970 UTC.
-- Local dates (`..._on`): ISO text. Money (`minor`): integer minor units of `currency`.
-- JSON documents carry their version inside: {"v":1,"d":...}.

CREATE TABLE effects (
  effect_id TEXT PRIMARY KEY,
  name      TEXT NOT NULL,
  person_id TEXT NOT NULL,
  arguments TEXT NOT NULL,
  result    TEXT NOT NULL,
  at        INTEGER NOT NULL
) STRICT;

CREATE TABLE journal (
  event_id TEXT NOT NULL,
  batch    INTEGER NOT NULL,
  calls    TEXT NOT NULL,
  PRIMARY KEY (event_id, batch)
) STRICT;

CREATE TABLE people (
  person_id   TEXT PRIMARY KEY,
  locale      TEXT NOT NULL,
  zone        TEXT NOT NULL,
  currency    TEXT NOT NULL,
  name        TEXT NOT NULL,
  setup_stage INTEGER NOT NULL,
  revision    INTEGER NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE accounts (
  account_key TEXT PRIMARY KEY,
  person_id   TEXT NOT NULL REFERENCES people,
  document    TEXT NOT NULL
) STRICT;
CREATE INDEX accounts_of_person ON accounts (person_id);

-- A row is NEW as long as `done_at` is null.
CREATE TABLE inbox (
  sequence     INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id     TEXT NOT NULL UNIQUE,
  platform     TEXT NOT NULL,
  bot          TEXT NOT NULL,
  delivery_key TEXT NOT NULL,
  kind         TEXT NOT NULL,
  lane         TEXT NOT NULL,
  received_at  INTEGER NOT NULL,
  body         TEXT,
  status       TEXT NOT NULL,
  attempts     INTEGER NOT NULL,
  note         TEXT NOT NULL,
  done_at      INTEGER
) STRICT;
CREATE INDEX inbox_new ON inbox (sequence, event_id, lane) WHERE done_at IS NULL;
CREATE INDEX inbox_to_purge ON inbox (done_at) WHERE done_at IS NOT NULL AND body IS NOT NULL;
CREATE INDEX inbox_by_status ON inbox (status);

CREATE TABLE sessions (
  session_key TEXT PRIMARY KEY,
  person_id   TEXT NOT NULL,
  version     INTEGER NOT NULL,
  document    TEXT NOT NULL
) STRICT;

CREATE TABLE turns (
  sequence    INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id    TEXT NOT NULL UNIQUE,
  session_key TEXT NOT NULL,
  person_id   TEXT NOT NULL,
  at          INTEGER NOT NULL,
  document    TEXT NOT NULL
) STRICT;
CREATE INDEX turns_of_session ON turns (session_key, sequence);
CREATE INDEX turns_of_person ON turns (person_id, sequence);

CREATE TABLE turn_attachments (
  ref      TEXT NOT NULL,
  event_id TEXT NOT NULL REFERENCES turns (event_id),
  PRIMARY KEY (ref, event_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
  sequence   INTEGER PRIMARY KEY AUTOINCREMENT,
  chat_key   TEXT NOT NULL,
  message_id TEXT NOT NULL,
  entity     TEXT NOT NULL,
  event_id   TEXT NOT NULL,
  UNIQUE (chat_key, message_id, entity)
) STRICT;

CREATE TABLE actions (
  token        TEXT PRIMARY KEY,
  owner_id     TEXT NOT NULL,
  chat_key     TEXT NOT NULL,
  agent        TEXT NOT NULL,
  name         TEXT NOT NULL,
  arguments    TEXT NOT NULL,
  subject      TEXT NOT NULL,
  revision     INTEGER NOT NULL,
  uses         TEXT NOT NULL,
  action_group TEXT NOT NULL,
  expires_at   INTEGER NOT NULL,
  claimed_by   TEXT
) STRICT;
-- One claim per group, whoever races.
CREATE UNIQUE INDEX actions_claimed ON actions (action_group)
  WHERE claimed_by IS NOT NULL AND action_group <> '';

-- A row is QUEUED or SENDING as long as `settled_at` is null.
CREATE TABLE outbox (
  sequence     INTEGER PRIMARY KEY AUTOINCREMENT,
  outbox_id    TEXT NOT NULL UNIQUE,
  chat_key     TEXT NOT NULL,
  outbox_class TEXT NOT NULL,
  document     TEXT NOT NULL,
  status       TEXT NOT NULL,
  attempts     INTEGER NOT NULL,
  not_before   INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  settled_at   INTEGER,
  message_id   TEXT,
  error        TEXT NOT NULL
) STRICT;
CREATE INDEX outbox_open ON outbox (chat_key, outbox_class, sequence) WHERE settled_at IS NULL;
CREATE INDEX outbox_shown ON outbox (chat_key, message_id, sequence) WHERE message_id IS NOT NULL;
CREATE INDEX outbox_by_status ON outbox (status);

CREATE TABLE books (
  book_id  TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE entries (
  entry_id    TEXT PRIMARY KEY,
  book_id     TEXT NOT NULL REFERENCES books,
  author_id   TEXT NOT NULL,
  minor       INTEGER NOT NULL CHECK (minor > 0),
  currency    TEXT NOT NULL,
  direction   TEXT NOT NULL,
  item        TEXT NOT NULL,
  item_folded TEXT NOT NULL,
  category    TEXT NOT NULL,
  occurred_on TEXT NOT NULL,
  note        TEXT NOT NULL,
  source      TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  revision    INTEGER NOT NULL,
  voided      INTEGER NOT NULL
) STRICT;
CREATE INDEX entries_of_book ON entries (book_id, occurred_on, created_at, entry_id)
  WHERE voided = 0;

CREATE TABLE learned_categories (
  person_id TEXT NOT NULL,
  item      TEXT NOT NULL,
  category  TEXT NOT NULL,
  PRIMARY KEY (person_id, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
  sequence   INTEGER PRIMARY KEY AUTOINCREMENT,
  note_id    TEXT NOT NULL UNIQUE,
  person_id  TEXT NOT NULL,
  scope      TEXT NOT NULL,
  type       TEXT NOT NULL,
  text       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX notes_of_person ON notes (person_id, scope, sequence);

-- `kept_since` is when the same owner last sent the same bytes; purging goes by it.
CREATE TABLE files (
  file_id    TEXT PRIMARY KEY,
  owner      TEXT NOT NULL,
  name       TEXT NOT NULL,
  mime       TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  kept_since INTEGER NOT NULL,
  UNIQUE (owner, sha256)
) STRICT;
CREATE INDEX files_by_age ON files (kept_since);
CREATE INDEX files_by_content ON files (sha256, size_bytes);

CREATE TABLE transcript_items (
  chat_id  TEXT NOT NULL,
  item_id  TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  version  INTEGER NOT NULL,
  author   TEXT NOT NULL,
  payload  TEXT NOT NULL,
  at       INTEGER NOT NULL,
  PRIMARY KEY (chat_id, item_id),
  UNIQUE (chat_id, sequence),
  UNIQUE (chat_id, version)
) STRICT;

CREATE TABLE web_tokens (
  token_hash TEXT PRIMARY KEY,
  user_id    TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX web_tokens_of_user ON web_tokens (user_id);

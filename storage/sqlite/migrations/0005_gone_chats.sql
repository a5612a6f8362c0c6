-- Chats that cannot be written to, until something comes from them again.

CREATE TABLE gone_chats (
  place   TEXT PRIMARY KEY,
  reason  TEXT NOT NULL,
  gone_at INTEGER NOT NULL
) STRICT;

-- Conversations within a session with their summaries, and calls whose effect lies elsewhere.

ALTER TABLE turns ADD COLUMN conversation TEXT NOT NULL DEFAULT '';

CREATE INDEX turns_of_conversation ON turns (session_key, conversation, sequence);

CREATE TABLE summaries (
  session_key  TEXT NOT NULL,
  conversation TEXT NOT NULL,
  person_id    TEXT NOT NULL,
  text         TEXT NOT NULL,
  covers       INTEGER NOT NULL,
  last_event   TEXT NOT NULL,
  PRIMARY KEY (session_key, conversation)
) STRICT;

CREATE TABLE external_effects (
  effect_id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL,
  call      TEXT NOT NULL,
  status    TEXT NOT NULL,
  result    TEXT NOT NULL,
  began_at  INTEGER NOT NULL
) STRICT;

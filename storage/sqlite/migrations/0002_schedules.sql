-- Reminders and what became of each of their moments.

CREATE TABLE schedules (
  sequence     INTEGER PRIMARY KEY AUTOINCREMENT,
  schedule_id  TEXT NOT NULL UNIQUE,
  person_id    TEXT NOT NULL,
  what         TEXT NOT NULL,
  rule         TEXT NOT NULL,
  next_fire_at INTEGER,
  chat         TEXT NOT NULL,
  mention      TEXT,
  when_late    TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  revision     INTEGER NOT NULL,
  cancelled    INTEGER NOT NULL
) STRICT;
CREATE INDEX schedules_due ON schedules (next_fire_at)
  WHERE next_fire_at IS NOT NULL AND cancelled = 0;
CREATE INDEX schedules_upcoming ON schedules (person_id, next_fire_at)
  WHERE next_fire_at IS NOT NULL AND cancelled = 0;
CREATE INDEX schedules_of_person ON schedules (person_id, created_at, sequence);

CREATE TABLE deliveries (
  delivery_id  TEXT PRIMARY KEY,
  schedule_id  TEXT NOT NULL REFERENCES schedules (schedule_id),
  person_id    TEXT NOT NULL,
  due_at       INTEGER NOT NULL,
  status       TEXT NOT NULL,
  late         INTEGER NOT NULL,
  reason       TEXT NOT NULL,
  covers       INTEGER NOT NULL,
  settled_at   INTEGER,
  acknowledged INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_of_person ON deliveries (person_id, due_at);
CREATE INDEX deliveries_by_status ON deliveries (status);

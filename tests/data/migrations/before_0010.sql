PRAGMA user_version = 9;
BEGIN TRANSACTION;
CREATE TABLE accounts (
  account_key TEXT PRIMARY KEY,
  person_id   TEXT NOT NULL REFERENCES people,
  document    TEXT NOT NULL
, merge_id TEXT) STRICT;
INSERT INTO "accounts" VALUES('telegram/b//42','p_a','{"v":1,"d":{"platform":"telegram","bot":"b","user_id":"42","tenant":"","display_name":"","locale":""}}',NULL);
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
, merge_id TEXT) STRICT;
INSERT INTO "actions" VALUES('t','p_a','telegram/b/-100/7','ledger_manager','undo','{"v":1,"d":{"entries":["e_1",{"note":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end"}],"n":1000000000000000,"share":0.5}}','ledger:e_1',3,'once','g',1796203815123456,NULL,NULL);
INSERT INTO "actions" VALUES('done:s_4jpa576eogtfcouivr2q:1:2026-11-30T09:30:15.123456+00:00','p_a','telegram/b/-100/7','ledger_manager','undo','{"v":1,"d":{"entries":["e_1",{"note":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end"}],"n":1000000000000000,"share":0.5}}','ledger:e_1',3,'once','s_4jpa576eogtfcouivr2q:1:2026-11-30T09:30:15.123456+00:00',1796203815123456,NULL,NULL);
CREATE TABLE binding_codes (
  account_key TEXT PRIMARY KEY,
  account     TEXT NOT NULL,
  code_hash   TEXT NOT NULL UNIQUE,
  expires_at  INTEGER NOT NULL,
  taken_by    TEXT
) STRICT;
CREATE TABLE books (
  book_id  TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO "books" VALUES('b_yjq5aqcdkl7tikswlurq','p_a');
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
, merge_id TEXT) STRICT;
INSERT INTO "deliveries" VALUES('s_4jpa576eogtfcouivr2q:1:2026-11-30T09:30:15.123456+00:00','s_4jpa576eogtfcouivr2q','p_a',1796031015123456,'pending',0,'',1,NULL,0,NULL);
CREATE TABLE effects (
  effect_id TEXT PRIMARY KEY,
  name      TEXT NOT NULL,
  person_id TEXT NOT NULL,
  arguments TEXT NOT NULL,
  result    TEXT NOT NULL,
  at        INTEGER NOT NULL
, merge_id TEXT) STRICT;
INSERT INTO "effects" VALUES('telegram:b:add#0','ledger.append','p_a','{"\u8bf4": "\u5348\u996d \u2615\ufe0f \ud835\udc9c ''quoted'' \"\u53cc\" \\ \u0000 % _ \u202e end"}','{"v":1,"d":[{"entry_id":"e_uytjq7rafcbzr44vniva","book_id":"b_yjq5aqcdkl7tikswlurq","author_id":"p_a","minor":10,"currency":"CNY","direction":"expense","item":"午饭","category":"food","occurred_on":"2026-11-30","note":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","source":"receipt","created_at":"2026-11-30T09:30:15.123456Z","revision":1,"voided":false},{"entry_id":"e_7myh4s6cdy33ncpyqhqa","book_id":"b_yjq5aqcdkl7tikswlurq","author_id":"p_a","minor":20,"currency":"CNY","direction":"expense","item":"午饭","category":"food","occurred_on":"2026-11-30","note":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","source":"receipt","created_at":"2026-11-30T09:30:15.123456Z","revision":1,"voided":false}]}',1796031015123456,NULL);
INSERT INTO "effects" VALUES('telegram:b:save#0','memory.save','p_a','{"\u8bf4": "\u5348\u996d \u2615\ufe0f \ud835\udc9c ''quoted'' \"\u53cc\" \\ \u0000 % _ \u202e end"}','{"v":1,"d":{"note_id":"m_wkuvyb235pknrja6hfmq","person_id":"p_a","scope":"","type":"fact","text":"likes tea","created_at":"2026-11-30T09:30:15.123456Z","updated_at":"2026-11-30T09:30:15.123456Z"}}',1796031015123456,NULL);
INSERT INTO "effects" VALUES('telegram:b:remind#0','schedules.insert','p_a','{"\u8bf4": "\u5348\u996d \u2615\ufe0f \ud835\udc9c ''quoted'' \"\u53cc\" \\ \u0000 % _ \u202e end"}','{"v":1,"d":{"schedule_id":"s_4jpa576eogtfcouivr2q","person_id":"p_a","what":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","rule":{"type":"rrule","rrule":"FREQ=WEEKLY;BYDAY=MO","times":["08:00"],"tz":"Asia/Shanghai","dtstart_local":"2026-11-30T08:00:00","until":null,"count":null,"clamp":true,"skip_holidays":false,"free_days":false,"nth":null,"lunar_month":null,"lunar_day":null,"except_dates":["2026-12-07"]},"next_fire_at":"2026-11-30T09:30:15.123456Z","chat":{"platform":"telegram","bot":"b","chat_id":"-100","thread_id":"7","kind":"group"},"mention":"42","when_late":"skip","created_at":"2026-11-30T09:30:15.123456Z","revision":1,"cancelled":false}}',1796031015123456,NULL);
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
, merge_id TEXT) STRICT;
INSERT INTO "entries" VALUES('e_uytjq7rafcbzr44vniva','b_yjq5aqcdkl7tikswlurq','p_a',10,'CNY','expense','午饭','午饭','food','2026-11-30','午饭 ☕️ 𝒜 ''quoted'' "双" \ ','receipt',1796031015123456,1,0,NULL);
INSERT INTO "entries" VALUES('e_7myh4s6cdy33ncpyqhqa','b_yjq5aqcdkl7tikswlurq','p_a',20,'CNY','expense','午飯','午飯','food','2026-11-30','午饭 ☕️ 𝒜 ''quoted'' "双" \ ','receipt',1796031015123456,1,0,NULL);
CREATE TABLE external_effects (
  effect_id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL,
  call      TEXT NOT NULL,
  status    TEXT NOT NULL,
  result    TEXT NOT NULL,
  began_at  INTEGER NOT NULL
, merge_id TEXT) STRICT;
INSERT INTO "external_effects" VALUES('telegram:b:1#0','p_a','{"v":1,"d":{"name":"x","arguments":{}}}','done','null',1796030215123456,NULL);
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
CREATE TABLE gone_chats (
  place   TEXT PRIMARY KEY,
  reason  TEXT NOT NULL,
  gone_at INTEGER NOT NULL
) STRICT;
INSERT INTO "gone_chats" VALUES('telegram/b/9','blocked',1780000000000000);
CREATE TABLE grants (
  sequence  INTEGER PRIMARY KEY,
  grant_id  TEXT NOT NULL UNIQUE,
  person_id TEXT NOT NULL REFERENCES people,
  branch_id TEXT NOT NULL,
  allowed   INTEGER NOT NULL,
  by        TEXT NOT NULL,
  at        INTEGER NOT NULL
, merge_id TEXT) STRICT;
INSERT INTO "grants" VALUES(1,'g_1','p_a','MEETING',1,'p_a',1796031015123456,NULL);
INSERT INTO "grants" VALUES(2,'g','p_a','IOT',1,'web:local',1796030215123456,NULL);
CREATE TABLE group_spaces (
  place TEXT PRIMARY KEY,
  space TEXT NOT NULL
) STRICT;
INSERT INTO "group_spaces" VALUES('telegram/b/-100','p_a');
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
INSERT INTO "inbox" VALUES(1,'telegram:b:1','telegram','b','1','message','lane',1796031015123456,'{"update_id": 1, "message": {"text": "\u5348\u996d \u2615\ufe0f \ud835\udc9c ''quoted'' \"\u53cc\" \\ \u0000 % _ \u202e end", "half": "\ud83d", "n": [1, 2.5, null]}}','done',0,'',1796031015123456);
INSERT INTO "inbox" VALUES(2,'telegram:b:2','telegram','b','2','message','lane',1796031015123456,'{"update_id": 1, "message": {"text": "\u5348\u996d \u2615\ufe0f \ud835\udc9c ''quoted'' \"\u53cc\" \\ \u0000 % _ \u202e end", "half": "\ud83d", "n": [1, 2.5, null]}}','new',0,'',NULL);
CREATE TABLE invitations (
  invitation_id TEXT PRIMARY KEY,
  code_hash     TEXT NOT NULL UNIQUE,
  made_by       TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL,
  account_key   TEXT,
  redeemed_at   INTEGER
) STRICT;
INSERT INTO "invitations" VALUES('i_1','hash','p_a',1796031015123456,1796117415123456,'telegram/b//42',1796031015123457);
CREATE TABLE journal (
  event_id TEXT NOT NULL,
  batch    INTEGER NOT NULL,
  calls    TEXT NOT NULL,
  PRIMARY KEY (event_id, batch)
) STRICT;
CREATE TABLE learned_categories (
  person_id TEXT NOT NULL,
  item      TEXT NOT NULL,
  category  TEXT NOT NULL,
  PRIMARY KEY (person_id, item)
) STRICT, WITHOUT ROWID;
CREATE TABLE links (
  sequence   INTEGER PRIMARY KEY AUTOINCREMENT,
  chat_key   TEXT NOT NULL,
  message_id TEXT NOT NULL,
  entity     TEXT NOT NULL,
  event_id   TEXT NOT NULL,
  UNIQUE (chat_key, message_id, entity)
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
CREATE TABLE notes (
  sequence   INTEGER PRIMARY KEY AUTOINCREMENT,
  note_id    TEXT NOT NULL UNIQUE,
  person_id  TEXT NOT NULL,
  scope      TEXT NOT NULL,
  type       TEXT NOT NULL,
  text       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, merge_id TEXT) STRICT;
INSERT INTO "notes" VALUES(1,'m_wkuvyb235pknrja6hfmq','p_a','','fact','likes tea',1796031015123456,1796031015123456,NULL);
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
, parts TEXT NOT NULL DEFAULT '[]') STRICT;
INSERT INTO "outbox" VALUES(1,'o','telegram/b/-100/7','interactive','{"v":1,"d":{"outbox_id":"o","chat":{"platform":"telegram","bot":"b","chat_id":"-100","thread_id":"7","kind":"group"},"person_id":"p_a","message":{"blocks":[{"words":{"key":"ledger.added","params":{"count":2,"what":{"text":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","kind":"verbatim"}},"kind":"key"},"kind":"text"},{"fields":[[{"text":"金额","kind":"verbatim"},{"key":"money","params":{"amount":"0.30"},"kind":"key"}]],"title":{"text":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","kind":"verbatim"},"kind":"fields"}],"locale":"zh-CN","keys":[[{"label":{"key":"undo","params":{},"kind":"key"},"token":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","tone":"danger"}]],"replaces":null,"reply_to":"55","mention":null},"event_id":"telegram:b:1","outbox_class":"interactive","purpose":"answer","entities":["ledger:e_1"],"delivery_id":null}}','queued',0,1796031015123456,1796031015123456,NULL,NULL,'','[]');
INSERT INTO "outbox" VALUES(2,'out:s_4jpa576eogtfcouivr2q:1:2026-11-30T09:30:15.123456+00:00','telegram/b/-100/7','bulk','{"v":1,"d":{"outbox_id":"out:s_4jpa576eogtfcouivr2q:1:2026-11-30T09:30:15.123456+00:00","chat":{"platform":"telegram","bot":"b","chat_id":"-100","thread_id":"7","kind":"group"},"person_id":"p_a","message":{"blocks":[{"words":{"key":"ledger.added","params":{"count":2,"what":{"text":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","kind":"verbatim"}},"kind":"key"},"kind":"text"},{"fields":[[{"text":"金额","kind":"verbatim"},{"key":"money","params":{"amount":"0.30"},"kind":"key"}]],"title":{"text":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","kind":"verbatim"},"kind":"fields"}],"locale":"zh-CN","keys":[[{"label":{"key":"undo","params":{},"kind":"key"},"token":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","tone":"danger"}]],"replaces":null,"reply_to":"55","mention":null},"event_id":"","outbox_class":"bulk","purpose":"answer","entities":["schedule:s_4jpa576eogtfcouivr2q"],"delivery_id":"s_4jpa576eogtfcouivr2q:1:2026-11-30T09:30:15.123456+00:00"}}','queued',0,1796031015123456,1796031015123456,NULL,NULL,'','[]');
CREATE TABLE people (
  person_id   TEXT PRIMARY KEY,
  locale      TEXT NOT NULL,
  zone        TEXT NOT NULL,
  currency    TEXT NOT NULL,
  name        TEXT NOT NULL,
  setup_stage INTEGER NOT NULL,
  revision    INTEGER NOT NULL,
  created_at  INTEGER NOT NULL
, home TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO "people" VALUES('p_a','zh-CN','Asia/Shanghai','CNY','午饭 ☕️ 𝒜 ''quoted'' "双" \ ',0,0,1796031015123456,'');
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
, merge_id TEXT) STRICT;
INSERT INTO "schedules" VALUES(1,'s_4jpa576eogtfcouivr2q','p_a','午饭 ☕️ 𝒜 ''quoted'' "双" \ ','{"v":1,"d":{"type":"rrule","rrule":"FREQ=WEEKLY;BYDAY=MO","times":["08:00"],"tz":"Asia/Shanghai","dtstart_local":"2026-11-30T08:00:00","until":null,"count":null,"clamp":true,"skip_holidays":false,"free_days":false,"nth":null,"lunar_month":null,"lunar_day":null,"except_dates":["2026-12-07"]}}',1796635815123456,'{"v":1,"d":{"platform":"telegram","bot":"b","chat_id":"-100","thread_id":"7","kind":"group"}}','42','skip',1796031015123456,1,0,NULL);
CREATE TABLE sessions (
  session_key TEXT PRIMARY KEY,
  person_id   TEXT NOT NULL,
  version     INTEGER NOT NULL,
  document    TEXT NOT NULL
, merge_id TEXT) STRICT;
INSERT INTO "sessions" VALUES('s','p_a',1,'{"v":1,"d":{"key":"s","person_id":"p_a","version":1,"pending":{"agent":"ledger_manager","name":"total","question":{"key":"ledger.total_missing","params":{"item":{"text":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","kind":"verbatim"}},"kind":"key"},"asked_at":"2026-11-30T09:30:15.123456Z","expects":[],"state":{"drafts":[{"minor":3500}]},"soft":false},"parked":[{"agent":"ledger_manager","name":"total","question":{"key":"ledger.total_missing","params":{"item":{"text":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","kind":"verbatim"}},"kind":"key"},"asked_at":"2026-11-30T09:30:15.123456Z","expects":[],"state":{"drafts":[{"minor":3500}]},"soft":false},{"agent":"ledger_manager","name":"total","question":{"key":"ledger.total_missing","params":{"item":{"text":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","kind":"verbatim"}},"kind":"key"},"asked_at":"2026-11-30T09:30:15.123456Z","expects":[],"state":{"drafts":[{"minor":3500}]},"soft":false}],"capsule":"IOT","held":{"text":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","message_id":"9","occurred_at":"2026-11-30T09:30:15.123456Z","attachments":[{"kind":"image","ref":"f_1","name":"a.png","mime":"","size_bytes":0}]},"agent":"chat_manager"}}',NULL);
CREATE TABLE summaries (
  session_key  TEXT NOT NULL,
  conversation TEXT NOT NULL,
  person_id    TEXT NOT NULL,
  text         TEXT NOT NULL,
  covers       INTEGER NOT NULL,
  last_event   TEXT NOT NULL, merge_id TEXT,
  PRIMARY KEY (session_key, conversation)
) STRICT;
INSERT INTO "summaries" VALUES('s','','p_a','likes tea',1,'telegram:b:1',NULL);
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
CREATE TABLE turn_attachments (
  ref      TEXT NOT NULL,
  event_id TEXT NOT NULL REFERENCES turns (event_id),
  PRIMARY KEY (ref, event_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "turn_attachments" VALUES('f_1','telegram:b:1');
CREATE TABLE turns (
  sequence    INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id    TEXT NOT NULL UNIQUE,
  session_key TEXT NOT NULL,
  person_id   TEXT NOT NULL,
  at          INTEGER NOT NULL,
  document    TEXT NOT NULL
, conversation TEXT NOT NULL DEFAULT '', merge_id TEXT) STRICT;
INSERT INTO "turns" VALUES(1,'telegram:b:1','s','p_a',1796031015123456,'{"v":1,"d":{"event_id":"telegram:b:1","session_key":"s","person_id":"p_a","account_key":"telegram/b//42","message_id":"9","at":"2026-11-30T09:30:15.123456Z","text":"午饭 ☕️ 𝒜 ''quoted'' \"双\" \\ \u0000 % _ ‮ end","reply":"好的","agent":"ledger","intent":"ledger_manager","source":"fast_path","confidence":0.97,"outcome":"completed","calls":[{"name":"ledger_add","result":{"minor":3500}}],"trace":["gate: passed","fast_path: 午饭35"],"attachments":["f_1"],"memo":"ledger: one entry","schema_version":1}}','',NULL);
CREATE TABLE web_tokens (
  token_hash TEXT PRIMARY KEY,
  user_id    TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX accounts_of_person ON accounts (person_id);
CREATE INDEX inbox_new ON inbox (sequence, event_id, lane) WHERE done_at IS NULL;
CREATE INDEX inbox_to_purge ON inbox (done_at) WHERE done_at IS NOT NULL AND body IS NOT NULL;
CREATE INDEX inbox_by_status ON inbox (status);
CREATE INDEX turns_of_session ON turns (session_key, sequence);
CREATE INDEX turns_of_person ON turns (person_id, sequence);
CREATE UNIQUE INDEX actions_claimed ON actions (action_group)
  WHERE claimed_by IS NOT NULL AND action_group <> '';
CREATE INDEX outbox_open ON outbox (chat_key, outbox_class, sequence) WHERE settled_at IS NULL;
CREATE INDEX outbox_shown ON outbox (chat_key, message_id, sequence) WHERE message_id IS NOT NULL;
CREATE INDEX outbox_by_status ON outbox (status);
CREATE INDEX entries_of_book ON entries (book_id, occurred_on, created_at, entry_id)
  WHERE voided = 0;
CREATE INDEX notes_of_person ON notes (person_id, scope, sequence);
CREATE INDEX files_by_age ON files (kept_since);
CREATE INDEX files_by_content ON files (sha256, size_bytes);
CREATE INDEX web_tokens_of_user ON web_tokens (user_id);
CREATE INDEX schedules_due ON schedules (next_fire_at)
  WHERE next_fire_at IS NOT NULL AND cancelled = 0;
CREATE INDEX schedules_upcoming ON schedules (person_id, next_fire_at)
  WHERE next_fire_at IS NOT NULL AND cancelled = 0;
CREATE INDEX schedules_of_person ON schedules (person_id, created_at, sequence);
CREATE INDEX deliveries_of_person ON deliveries (person_id, due_at);
CREATE INDEX deliveries_by_status ON deliveries (status);
CREATE INDEX entries_by_writing ON entries (book_id, created_at) WHERE voided = 0;
CREATE INDEX invitations_by_account ON invitations (account_key) WHERE account_key IS NOT NULL;
CREATE INDEX grants_by_person ON grants (person_id, sequence);
CREATE INDEX turns_of_conversation ON turns (session_key, conversation, sequence);
CREATE INDEX merges_in_force ON merges (other_id) WHERE undone_at IS NULL;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('inbox',2);
INSERT INTO "sqlite_sequence" VALUES('turns',1);
INSERT INTO "sqlite_sequence" VALUES('outbox',2);
INSERT INTO "sqlite_sequence" VALUES('notes',1);
INSERT INTO "sqlite_sequence" VALUES('schedules',1);
COMMIT;

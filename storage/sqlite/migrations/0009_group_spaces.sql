-- Where the people of a group are, as one of them said.

CREATE TABLE group_spaces (
  place TEXT PRIMARY KEY,
  space TEXT NOT NULL
) STRICT;

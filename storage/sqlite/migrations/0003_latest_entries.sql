-- The last written entries of a book without sorting the whole book.

CREATE INDEX entries_by_writing ON entries (book_id, created_at) WHERE voided = 0;

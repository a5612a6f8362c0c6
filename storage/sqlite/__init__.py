"""The default store: SQLite in WAL mode, one writer thread."""

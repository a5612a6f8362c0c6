"""What a store holds, told in a way that belongs to no store: tables of records.

A record has the columns of the SQLite table. `sequence` is the place of a row where rows have an
order of their own; ids of attached files are part of their turn; the bytes of files are a table.
"""

import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Record = dict[str, Any]
PAGE = 500

Cursor = str
"""Where to go on: a side's own mark, empty at the beginning."""

NUMBERED = "sequence"


@dataclass(frozen=True, slots=True)
class Table:
    """One table.

    Attributes:
        key: the columns that name a record.
        columns: the others.
        flags: columns that are yes or no.
    """

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    flags: frozenset[str] = frozenset()

    @property
    def is_numbered(self) -> bool:
        """Whether its rows have an order of their own."""
        return NUMBERED in self.columns


def _table(name: str, key: str, columns: str, flags: str = "") -> Table:
    return Table(name, tuple(key.split()), tuple(columns.split()), frozenset(flags.split()))


TABLES: tuple[Table, ...] = (
    _table("effects", "effect_id", "name person_id arguments result at merge_id"),
    _table("journal", "event_id batch", "calls"),
    _table(
        "people", "person_id", "locale zone currency name home setup_stage revision created_at"
    ),
    _table("accounts", "account_key", "sequence person_id document merge_id"),
    _table(
        "inbox",
        "event_id",
        "sequence platform bot delivery_key kind lane received_at body status attempts note"
        " done_at",
    ),
    _table("sessions", "session_key", "person_id version document merge_id"),
    _table(
        "turns",
        "event_id",
        "sequence session_key person_id at document attachments conversation merge_id",
    ),
    _table("links", "chat_key message_id entity", "sequence event_id"),
    _table(
        "actions",
        "token",
        "owner_id chat_key agent name arguments subject revision uses action_group expires_at"
        " claimed_by merge_id",
    ),
    _table(
        "outbox",
        "outbox_id",
        "sequence chat_key outbox_class document status attempts not_before created_at settled_at"
        " message_id error parts",
    ),
    _table("books", "book_id", "owner_id"),
    _table(
        "entries",
        "entry_id",
        "sequence book_id author_id minor currency direction item item_folded category"
        " occurred_on note source created_at revision voided merge_id",
        flags="voided",
    ),
    _table("learned_categories", "person_id item", "category"),
    _table(
        "notes", "note_id", "sequence person_id scope type text created_at updated_at merge_id"
    ),
    _table(
        "schedules",
        "schedule_id",
        "sequence person_id what rule next_fire_at chat mention when_late created_at revision"
        " cancelled merge_id",
        flags="cancelled",
    ),
    _table(
        "deliveries",
        "delivery_id",
        "sequence schedule_id person_id due_at status late reason covers settled_at acknowledged"
        " merge_id",
        flags="late acknowledged",
    ),
    _table("files", "file_id", "owner name mime size_bytes sha256 created_at kept_since"),
    _table("transcript_items", "chat_id item_id", "sequence version author payload at"),
    _table("web_tokens", "token_hash", "user_id created_at"),
    _table("gone_chats", "place", "reason gone_at"),
    _table("group_spaces", "place", "space"),
    _table(
        "invitations",
        "invitation_id",
        "code_hash made_by created_at expires_at account_key redeemed_at",
    ),
    _table("summaries", "session_key conversation", "person_id text covers last_event merge_id"),
    _table("external_effects", "effect_id", "person_id call status result began_at merge_id"),
    _table("binding_codes", "account_key", "account code_hash expires_at taken_by"),
    _table(
        "merges",
        "merge_id",
        "survivor_id other_id merged_at moved final undone_at",
        flags="final",
    ),
    _table(
        "grants",
        "grant_id",
        "sequence person_id branch_id allowed by at merge_id",
        flags="allowed",
    ),
)
"""In an order in which every row comes after those that it names."""

CONTENTS = Table("file_contents", ("sha256",), ("bytes",))
"""The bytes of the files; one at a time, as one may be large."""


class Side(Protocol):
    """A store that is read from or written to."""

    def pages(
        self, table: Table, after: Cursor = ""
    ) -> AsyncIterator[tuple[Sequence[Record], Cursor]]:
        """Yield all records from there on, page by page, with the cursor behind each page."""
        ...

    async def put(self, table: Table, records: Sequence[Record]) -> None:
        """Write those of the records whose key is not there yet."""
        ...

    async def finish(self) -> None:
        """Make ready for use what was put."""
        ...


@dataclass(frozen=True, slots=True)
class Sum:
    """What a table holds: how many records, and a digest that does not depend on their order."""

    count: int
    digest: str


async def sum_of(side: Side, table: Table) -> Sum:
    """Return the sum of a table."""
    count, total = 0, 0
    async for records, _ in side.pages(table):
        count += len(records)
        total += sum(map(_number, records))
    return Sum(count, f"{total % 2**256:064x}")


def _number(record: Mapping[str, Any]) -> int:
    text = json.dumps(record, sort_keys=True, default=_digest_of_bytes)
    return int.from_bytes(hashlib.sha256(text.encode()).digest())


def _digest_of_bytes(value: bytes) -> str:
    return hashlib.sha256(value).hexdigest()

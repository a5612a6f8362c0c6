"""Turn records in MongoDB, and the commit of a whole turn.

The session's document decides: by compare-and-set of its version it takes the new session
together with all that the turn leaves behind, which is then written out in order. The inbox rows
are finished last, so an update is not done before its answer is queued.
"""

from collections.abc import Sequence
from dataclasses import replace

from bot.core.conversations import TITLED_BY, Conversation, title_of
from bot.core.errors import ConflictError
from bot.core.inbox import InboxStatus
from bot.core.turns import TurnOutcome, TurnRecord
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.mongo.actions import adding
from storage.mongo.database import Database
from storage.mongo.decisions import Decisions, Write, insert
from storage.mongo.driver import Row
from storage.mongo.inbox import finishing
from storage.mongo.links import linked_entities, linking
from storage.mongo.outbox import queueing
from storage.mongo.patience import patiently
from storage.mongo.sessions import SESSION
from storage.mongo.turnstiles import Turnstiles

_RECORD = Document[TurnRecord](TurnRecord)


class MongoTurns:
    """`bot.core.turns.Turns` over the collections ``turns`` and ``links``."""

    def __init__(self, database: Database, decisions: Decisions, turnstiles: Turnstiles) -> None:
        self._database = database
        self._turns = database.rows("turns")
        self._decisions = decisions
        self._turnstiles = turnstiles

    async def commit(self, outcome: TurnOutcome) -> None:
        """Store the turn with all that it leaves behind, whole and once."""
        await patiently(lambda: self._commit(outcome))

    async def recent(
        self, session_key: str, *, limit: int, conversation: str | None = None
    ) -> Sequence[TurnRecord]:
        """Return the last turns of the session, or of one conversation of it, oldest first."""
        wanted: Row = {"session_key": session_key}
        if conversation is not None:
            wanted["conversation"] = conversation
        rows = await self._turns.many(wanted, sort=[("sequence", -1)], limit=limit)
        return [_read(row) for row in reversed(rows)]

    async def conversations(self, session_key: str, *, limit: int) -> Sequence[Conversation]:
        """Return the conversations of the session in which something was said, latest first."""
        groups = await self._turns.grouped(
            {"$match": {"session_key": session_key}},
            {
                "$group": {
                    "_id": "$conversation",
                    "turns": {"$sum": 1},
                    "last": {"$max": "$sequence"},
                    "began_at": {"$min": "$at"},
                    "last_at": {"$max": "$at"},
                }
            },
        )
        latest = sorted(groups, key=lambda group: -group["last"])[:limit]
        return [await self._conversation(session_key, group) for group in latest]

    async def _conversation(self, session_key: str, group: Row) -> Conversation:
        first = await self._turns.many(
            {"session_key": session_key, "conversation": group["_id"]},
            sort=[("sequence", 1)],
            limit=TITLED_BY,
        )
        return Conversation(
            conversation_id=group["_id"],
            title=title_of(_RECORD.load(turn["document"]).text for turn in first),
            turns=group["turns"],
            began_at=from_micros(group["began_at"]),
            last_at=from_micros(group["last_at"]),
        )

    async def get(self, event_id: str) -> TurnRecord | None:
        """Return the turn of this event."""
        row = await self._turns.one({"_id": event_id})
        return _read(row) if row else None

    async def of_person(self, person_id: str) -> Sequence[TurnRecord]:
        """Return all turns of a person, oldest first."""
        rows = await self._turns.many({"person_id": person_id}, sort=[("sequence", 1)])
        return [_read(row) for row in rows]

    async def linked(self, chat_key: str, message_id: str) -> tuple[str, ...]:
        """Return the entities that this message stands for, in the order they were linked."""
        return await linked_entities(self._database, chat_key, message_id)

    async def _commit(self, outcome: TurnOutcome) -> None:
        if await self._is_committed(outcome):
            return
        await self._turnstiles.refuse_merged(outcome.record.person_id)
        first = await self._database.reserve(1 + len(outcome.outbox) + len(outcome.links))
        if await self._decide(outcome, _writes(outcome, first)):
            return
        if not await self._is_committed(outcome):
            raise ConflictError(
                f"session {outcome.session.key} is not in version {outcome.expected_version}"
            )

    async def _is_committed(self, outcome: TurnOutcome) -> bool:
        session = await self._database.rows("sessions").one({"_id": outcome.session.key})
        await self._decisions.settle("sessions", session)
        return await self._turns.one({"_id": outcome.record.event_id}) is not None

    async def _decide(self, outcome: TurnOutcome, writes: Sequence[Write]) -> bool:
        expected = outcome.expected_version
        session = replace(outcome.session, version=expected + 1)
        fields: Row = {
            "person_id": session.person_id,
            "version": session.version,
            "document": SESSION.dump(session),
        }
        if expected == 0:
            return await self._decisions.found("sessions", {"_id": session.key, **fields}, writes)
        return await self._decisions.decide(
            "sessions", {"_id": session.key, "version": expected}, {"$set": fields}, writes
        )


def _read(row: Row) -> TurnRecord:
    """Return the record; whose it is stands in the row, as a merge may have changed it."""
    return replace(_RECORD.load(row["document"]), person_id=row["person_id"])


def _writes(outcome: TurnOutcome, first: int) -> tuple[Write, ...]:
    record = outcome.record
    return (
        adding(outcome.actions),
        linking(outcome.links, first + 1 + len(outcome.outbox)),
        queueing(outcome.outbox, first + 1, now=outcome.now),
        insert(
            "turns",
            {
                "_id": record.event_id,
                "sequence": first,
                "session_key": record.session_key,
                "person_id": record.person_id,
                "at": to_micros(record.at),
                "attachments": list(dict.fromkeys(record.attachments)),
                "document": _RECORD.dump(record),
                "conversation": record.conversation,
            },
        ),
        finishing(
            outcome.event_ids,
            status=InboxStatus.DEAD if outcome.failure else InboxStatus.DONE,
            note=outcome.failure,
            now=outcome.now,
        ),
    )

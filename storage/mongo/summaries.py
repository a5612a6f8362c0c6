"""Summaries of conversations, in MongoDB."""

from collections.abc import Sequence

from bot.core.conversations import Summary
from storage.mongo.database import Database
from storage.mongo.driver import Row


class MongoSummaries:
    """`bot.core.conversations.Summaries` over the collection ``summaries``."""

    def __init__(self, database: Database) -> None:
        self._summaries = database.rows("summaries")

    async def get(self, session_key: str, conversation_id: str) -> Summary | None:
        """Return the summary."""
        row = await self._summaries.one({"_id": summary_key(session_key, conversation_id)})
        return None if row is None else _summary(row)

    async def of_person(self, person_id: str) -> Sequence[Summary]:
        """Return the summaries of all conversations of a person."""
        rows = await self._summaries.many(
            {"person_id": person_id}, sort=[("session_key", 1), ("conversation", 1)]
        )
        return [_summary(row) for row in rows]

    async def put(self, summary: Summary) -> None:
        """Store it, unless the stored one covers as many turns already."""
        key = summary_key(summary.session_key, summary.conversation_id)
        fields = {
            "text": summary.text,
            "covers": summary.covers,
            "last_event": summary.last_event,
        }
        place = {
            "_id": key,
            "session_key": summary.session_key,
            "conversation": summary.conversation_id,
            "person_id": summary.person_id,
        }
        if not await self._summaries.add({**place, **fields}):
            newer = {"_id": key, "covers": {"$lt": summary.covers}}
            await self._summaries.change(newer, {"$set": fields})


def summary_key(session_key: str, conversation: str) -> str:
    """Return the key of a summary."""
    return f"{session_key}#{conversation}"


def _summary(row: Row) -> Summary:
    return Summary(
        session_key=row["session_key"],
        conversation_id=row["conversation"],
        person_id=row["person_id"],
        text=row["text"],
        covers=row["covers"],
        last_event=row["last_event"],
    )

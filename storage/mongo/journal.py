"""The tool calls of a turn, in MongoDB."""

from collections.abc import Mapping, Sequence

from bot.core.effects import ToolCall
from storage.documents import Document
from storage.mongo.database import Database

_CALLS = Document[tuple[ToolCall, ...]](tuple[ToolCall, ...])


class MongoJournal:
    """`bot.core.effects.Journal` over the collection ``journal``."""

    def __init__(self, database: Database) -> None:
        self._journal = database.rows("journal")

    async def record(self, event_id: str, batch: int, calls: Sequence[ToolCall]) -> None:
        """Store the calls of this batch; the first writer wins."""
        await self._journal.add(
            {
                "_id": batch_key(event_id, batch),
                "event_id": event_id,
                "batch": batch,
                "calls": _CALLS.dump(tuple(calls)),
            }
        )

    async def load(self, event_id: str) -> Mapping[int, tuple[ToolCall, ...]]:
        """Return the batches of the event."""
        rows = await self._journal.many({"event_id": event_id}, sort=[("batch", 1)])
        return {row["batch"]: _CALLS.load(row["calls"]) for row in rows}


def batch_key(event_id: str, batch: int) -> str:
    """Return the key of a batch."""
    return f"{event_id}#{batch}"

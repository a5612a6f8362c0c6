"""Sessions in MongoDB; the document of a session decides the commit of a turn."""

from bot.core.sessions import Session
from storage.documents import Document
from storage.mongo.database import Database
from storage.mongo.decisions import Decisions

SESSION = Document[Session](Session)


class MongoSessions:
    """`bot.core.sessions.Sessions` over the collection ``sessions``."""

    def __init__(self, database: Database, decisions: Decisions) -> None:
        self._sessions = database.rows("sessions")
        self._decisions = decisions

    async def load(self, key: str) -> Session | None:
        """Return the stored session."""
        row = await self._sessions.one({"_id": key})
        await self._decisions.settle("sessions", row)
        return SESSION.load(row["document"]) if row else None

"""Stored actions in MongoDB."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from pydantic import JsonValue

from bot.core.actions import Action, Claim, ClaimStatus, Uses
from bot.core.errors import ConflictError
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.mongo.database import Database
from storage.mongo.decisions import Write, insert
from storage.mongo.driver import Row

_ARGUMENTS = Document[Mapping[str, JsonValue]](Mapping[str, JsonValue])


class MongoActions:
    """`bot.core.actions.Actions` over the collection ``actions``.

    A claim is one conditional write; that a group is taken once is a unique index on
    ``taken_group``, which only claimed actions have.
    """

    def __init__(self, database: Database) -> None:
        self._actions = database.rows("actions")

    async def claim(
        self, token: str, *, person_id: str, chat_key: str, event_id: str, now: datetime
    ) -> Claim:
        """Take the action for this event, in one atomic write."""
        action = await self.get(token)
        if action is None:
            return Claim(status=ClaimStatus.UNKNOWN)
        if action.claimed_by == event_id:
            return Claim(status=ClaimStatus.GRANTED, action=action)
        if (action.owner_id, action.chat_key) != (person_id, chat_key):
            return Claim(status=ClaimStatus.FOREIGN, action=action)
        if await self._is_used(action):
            return Claim(status=ClaimStatus.USED, action=action)
        if now >= action.expires_at:
            return Claim(status=ClaimStatus.EXPIRED, action=action)
        if action.uses is Uses.MANY or await self._take(action, event_id):
            return Claim(status=ClaimStatus.GRANTED, action=await self.get(token))
        action = await self.get(token)
        mine = action is not None and action.claimed_by == event_id
        return Claim(status=ClaimStatus.GRANTED if mine else ClaimStatus.USED, action=action)

    async def get(self, token: str) -> Action | None:
        """Return the action without taking it."""
        row = await self._actions.one({"_id": token})
        return _action(row) if row else None

    async def _take(self, action: Action, event_id: str) -> bool:
        fields = {"claimed_by": event_id}
        if action.group:
            fields["taken_group"] = action.group
        try:
            return await self._actions.change(
                {"_id": action.token, "claimed_by": None}, {"$set": fields}
            )
        except ConflictError:
            return False

    async def _is_used(self, action: Action) -> bool:
        if action.uses is Uses.MANY:
            return False
        if action.claimed_by is not None or not action.group:
            return action.claimed_by is not None
        sibling = {"taken_group": action.group, "_id": {"$ne": action.token}}
        return await self._actions.one(sibling) is not None


def adding(actions: Iterable[Action]) -> Write:
    """Store the actions whose token is not there yet."""
    return insert("actions", *map(_row, actions))


def _row(action: Action) -> Row:
    row = {
        "_id": action.token,
        "owner_id": action.owner_id,
        "chat_key": action.chat_key,
        "agent": action.agent,
        "name": action.name,
        "arguments": _ARGUMENTS.dump(action.arguments),
        "subject": action.subject,
        "revision": action.revision,
        "uses": action.uses.value,
        "action_group": action.group,
        "expires_at": to_micros(action.expires_at),
        "claimed_by": action.claimed_by,
    }
    if action.claimed_by is not None and action.group:
        row["taken_group"] = action.group
    return row


def _action(row: Row) -> Action:
    return Action(
        token=row["_id"],
        owner_id=row["owner_id"],
        chat_key=row["chat_key"],
        agent=row["agent"],
        name=row["name"],
        arguments=_ARGUMENTS.load(row["arguments"]),
        subject=row["subject"],
        revision=row["revision"],
        uses=Uses(row["uses"]),
        group=row["action_group"],
        expires_at=from_micros(row["expires_at"]),
        claimed_by=row["claimed_by"],
    )

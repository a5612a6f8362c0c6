"""Where a reminder arrives: in its group, in the chat it was set in, or where its person chose.

That is decided when it is due; the stored reminder keeps the chat it was set in. So reminders
follow a choice, and go back when accounts are parted again.
"""

from collections.abc import Mapping
from dataclasses import replace

from bot.core.events import Chat, ChatKind
from bot.core.people import People
from bot.core.ports import Adapter, HasPrivateChats
from bot.core.schedules import Schedule


class ReminderTargets:
    """Knows the private chats of people by the attached platforms."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._adapters: dict[tuple[str, str], HasPrivateChats] = {}

    def attach(self, adapter: Adapter) -> None:
        """Let reminders arrive on this platform."""
        if isinstance(adapter, HasPrivateChats):
            self._adapters[adapter.platform, adapter.bot] = adapter

    async def private_chats(self, person_id: str) -> Mapping[str, Chat]:
        """Return the private chats of a person by account key, the first seen first."""
        found = {}
        for account in await self._people.accounts(person_id):
            adapter = self._adapters.get((account.platform, account.bot))
            if adapter is not None:
                found[account.key] = adapter.private_chat(account)
        return found


def placed(schedule: Schedule, home: str, chats: Mapping[str, Chat]) -> Schedule:
    """Return the reminder with the chat that it arrives in.

    ``home`` is the account that the person chose, see `bot.core.people.Person`. One that was set
    in the private chat of an account that is not the person's any more arrives at their first.
    """
    if schedule.chat.kind is ChatKind.GROUP or not chats:
        return schedule
    if home in chats:
        return replace(schedule, chat=chats[home])
    if any(_is_same(schedule.chat, chat) for chat in chats.values()):
        return schedule
    return replace(schedule, chat=next(iter(chats.values())))


def _is_same(one: Chat, other: Chat) -> bool:
    """Whether it is the same chat, whatever the topic."""
    return replace(one, thread_id=None) == replace(other, thread_id=None)

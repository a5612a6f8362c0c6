"""All repositories of one store, as the composition root hands them out."""

from dataclasses import dataclass

from bot.core.actions import Actions
from bot.core.admission import Invitations
from bot.core.binding import Bindings
from bot.core.conversations import Summaries
from bot.core.effects import Journal
from bot.core.files import Files
from bot.core.grants import Grants
from bot.core.inbox import Inbox
from bot.core.ledger import Ledger
from bot.core.memory import Memory
from bot.core.outbox import Outbox
from bot.core.people import People
from bot.core.reach import GoneChats
from bot.core.schedules import Schedules
from bot.core.sessions import Sessions
from bot.core.spaces import GroupSpaces
from bot.core.transcripts import Transcripts, WebTokens
from bot.core.turns import Turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """One store, port by port."""

    inbox: Inbox
    outbox: Outbox
    turns: Turns
    sessions: Sessions
    actions: Actions
    journal: Journal
    people: People
    ledger: Ledger
    schedules: Schedules
    memory: Memory
    files: Files
    transcripts: Transcripts
    web_tokens: WebTokens
    gone_chats: GoneChats
    group_spaces: GroupSpaces
    invitations: Invitations
    grants: Grants
    summaries: Summaries
    bindings: Bindings

"""The default store, whole: one SQLite file and one folder of files."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from bot.core.stores import Stores
from storage.files import open_files
from storage.sqlite.actions import SqliteActions
from storage.sqlite.bindings import SqliteBindings
from storage.sqlite.database import open_database
from storage.sqlite.file_rows import SqliteFileRows
from storage.sqlite.gone_chats import SqliteGoneChats
from storage.sqlite.grants import SqliteGrants
from storage.sqlite.group_spaces import SqliteGroupSpaces
from storage.sqlite.inbox import SqliteInbox
from storage.sqlite.invitations import SqliteInvitations
from storage.sqlite.journal import SqliteJournal
from storage.sqlite.ledger import SqliteLedger
from storage.sqlite.memory import SqliteMemory
from storage.sqlite.outbox import SqliteOutbox
from storage.sqlite.people import SqlitePeople
from storage.sqlite.schedules import SqliteSchedules
from storage.sqlite.sessions import SqliteSessions
from storage.sqlite.summaries import SqliteSummaries
from storage.sqlite.transcripts import SqliteTranscripts
from storage.sqlite.turns import SqliteTurns
from storage.sqlite.web_tokens import SqliteWebTokens


@contextlib.asynccontextmanager
async def open_stores(path: Path, *, files_folder: Path) -> AsyncIterator[Stores]:
    """Open the database file (made and migrated if need be) and close it at the end.

    Raises:
        ConfigurationError: the file or the folder cannot be used; the text says what to do.
    """
    async with open_database(path) as database:
        yield Stores(
            people=SqlitePeople(database),
            sessions=SqliteSessions(database),
            turns=SqliteTurns(database),
            actions=SqliteActions(database),
            inbox=SqliteInbox(database),
            outbox=SqliteOutbox(database),
            journal=SqliteJournal(database),
            ledger=SqliteLedger(database),
            schedules=SqliteSchedules(database),
            memory=SqliteMemory(database),
            files=await open_files(files_folder, SqliteFileRows(database)),
            transcripts=SqliteTranscripts(database),
            web_tokens=SqliteWebTokens(database),
            gone_chats=SqliteGoneChats(database),
            group_spaces=SqliteGroupSpaces(database),
            invitations=SqliteInvitations(database),
            grants=SqliteGrants(database),
            summaries=SqliteSummaries(database),
            bindings=SqliteBindings(database),
        )

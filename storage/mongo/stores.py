"""The store on MongoDB, whole."""

import contextlib
from collections.abc import AsyncIterator

from bot.core.stores import Stores
from storage.mongo.actions import MongoActions
from storage.mongo.bindings import MongoBindings
from storage.mongo.database import Database, open_database
from storage.mongo.decisions import Decisions
from storage.mongo.driver import Driver
from storage.mongo.files import MongoFiles
from storage.mongo.gone_chats import MongoGoneChats
from storage.mongo.grants import MongoGrants
from storage.mongo.group_spaces import MongoGroupSpaces
from storage.mongo.inbox import MongoInbox
from storage.mongo.invitations import MongoInvitations
from storage.mongo.journal import MongoJournal
from storage.mongo.ledger import MongoLedger
from storage.mongo.memory import MongoMemory
from storage.mongo.outbox import MongoOutbox
from storage.mongo.people import MongoPeople
from storage.mongo.schedules import MongoSchedules
from storage.mongo.sessions import MongoSessions
from storage.mongo.summaries import MongoSummaries
from storage.mongo.transcripts import MongoTranscripts
from storage.mongo.turns import MongoTurns
from storage.mongo.turnstiles import Turnstiles
from storage.mongo.web_tokens import MongoWebTokens


@contextlib.asynccontextmanager
async def open_stores(uri: str, *, driver: Driver = "pymongo") -> AsyncIterator[Stores]:
    """Open the database, made and brought up to date if need be, and close it at the end.

    What a killed process had decided but not written out is written out first.

    Raises:
        ConfigurationError: it cannot be used; the text says what to do.
    """
    async with open_database(uri, driver=driver) as database:
        decisions = Decisions(database)
        await decisions.settle_all()
        yield stores_over(database, decisions)


def stores_over(database: Database, decisions: Decisions) -> Stores:
    """Return the ports over an open database."""
    turnstiles = Turnstiles(database, decisions)
    people = MongoPeople(database, decisions, turnstiles)
    return Stores(
        people=people,
        sessions=MongoSessions(database, decisions),
        turns=MongoTurns(database, decisions, turnstiles),
        actions=MongoActions(database),
        inbox=MongoInbox(database),
        outbox=MongoOutbox(database, decisions),
        journal=MongoJournal(database),
        ledger=MongoLedger(database, turnstiles),
        schedules=MongoSchedules(database, turnstiles),
        memory=MongoMemory(database, turnstiles),
        files=MongoFiles(database),
        transcripts=MongoTranscripts(database),
        web_tokens=MongoWebTokens(database),
        gone_chats=MongoGoneChats(database),
        group_spaces=MongoGroupSpaces(database),
        invitations=MongoInvitations(database),
        grants=MongoGrants(database),
        summaries=MongoSummaries(database),
        bindings=MongoBindings(database, turnstiles, people),
    )

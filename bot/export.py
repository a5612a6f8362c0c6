"""Everything that is stored of one person, as JSON or as the ledger in CSV."""

import csv
import io
import json
from datetime import datetime

from pydantic import JsonValue

from bot.app import opened
from bot.clock import SystemClock
from bot.core.codec import to_json
from bot.core.conversations import Summary
from bot.core.effects import ExternalCall
from bot.core.events import Account
from bot.core.ledger import Entry, EntryFilter
from bot.core.memory import MemoryNote
from bot.core.people import Person
from bot.core.schedules import Delivery, Schedule
from bot.core.stores import Stores
from bot.core.turns import TurnRecord
from bot.find_person import find_person
from bot.language.ics import to_ics
from bot.settings import Settings

NO_LIMIT = 1_000_000
EVENT, END = "BEGIN:VEVENT", "END:VCALENDAR"
COLUMNS = (
    "occurred_on",
    "item",
    "amount",
    "currency",
    "direction",
    "category",
    "note",
    "entry_id",
)


async def export(settings: Settings, user: str, form: str) -> str:
    """Return the export of a person named by id or as ``platform:id``.

    Raises:
        ConfigurationError: there is no such person, or several.
    """
    async with opened(settings, SystemClock()) as app:
        person = await find_person(app.stores, user)
        entries = await app.stores.ledger.find(person.person_id, EntryFilter(), limit=NO_LIMIT)
        if form == "csv":
            return as_csv(entries)
        if form == "ics":
            stored = await app.stores.schedules.of_person(person.person_id)
            return as_ics(stored, now=SystemClock().now())
        return json.dumps(
            await _everything(app.stores, person, entries), ensure_ascii=False, indent=2
        )


def as_csv(entries: tuple[Entry, ...]) -> str:
    """Return entries as CSV, oldest first; amounts with a point, never as formulas."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in reversed(entries):
        writer.writerow(
            [
                entry.occurred_on.isoformat(),
                _harmless(entry.item),
                str(entry.amount),
                entry.currency,
                str(entry.direction),
                entry.category,
                _harmless(entry.note),
                entry.entry_id,
            ]
        )
    return out.getvalue().rstrip("\n")


def as_ics(schedules: tuple[Schedule, ...], *, now: datetime) -> str:
    """Return the live reminders as one calendar; what ICS cannot say is left out and counted."""
    live = [s for s in schedules if not s.cancelled and s.next_fire_at is not None]
    files = [to_ics(s.rule, s.what, s.schedule_id, now=now) for s in live]
    events = [text[text.index(EVENT) : text.rindex(END)] for text in files if text is not None]
    left_out = len(live) - len(events)
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Switchboard//EN"]
    note = [f"X-LEFT-OUT:{left_out}"] if left_out else []
    return "\r\n".join([*head, *note, *(event.strip() for event in events), END])


def _harmless(cell: str) -> str:
    """Keep a spreadsheet from running a person's words as a formula."""
    return f"'{cell}" if cell[:1] in {"=", "+", "-", "@", "\t"} else cell


async def _everything(
    stores: Stores, person: Person, entries: tuple[Entry, ...]
) -> dict[str, JsonValue]:
    owner = person.person_id
    return {
        "person": to_json(Person, person),
        "accounts": to_json(tuple[Account, ...], await stores.people.accounts(owner)),
        "entries": to_json(tuple[Entry, ...], entries[::-1]),
        "schedules": to_json(tuple[Schedule, ...], await stores.schedules.of_person(owner)),
        "deliveries": to_json(
            tuple[Delivery, ...], await stores.schedules.deliveries(owner, limit=NO_LIMIT)
        ),
        "memory": to_json(tuple[MemoryNote, ...], tuple(await stores.memory.of_person(owner))),
        "summaries": to_json(tuple[Summary, ...], tuple(await stores.summaries.of_person(owner))),
        "external_effects": to_json(
            tuple[ExternalCall, ...], tuple(await stores.journal.external_calls(owner))
        ),
        "turns": to_json(tuple[TurnRecord, ...], tuple(await stores.turns.of_person(owner))),
    }

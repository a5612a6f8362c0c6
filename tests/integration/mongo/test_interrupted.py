"""Stopped after any of its writes, a request leaves nothing or all, and repeats to the same."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.core.actions import Action
from bot.core.ledger import EntryChange
from bot.core.memory import MemoryType
from bot.core.outbox import OutboxClass
from bot.core.people import ProfileChange
from bot.core.schedules import DeliveryStatus
from bot.core.stores import Stores
from bot.core.turns import Link
from storage.mongo.database import open_database
from storage.mongo.driver import Row
from storage.mongo.rows import Rows
from storage.mongo.stores import open_stores
from tests.contract.samples import (
    CHAT,
    NOW,
    account,
    action,
    draft,
    effect,
    entry,
    firing,
    later,
    outcome,
    person,
    reminder,
    update,
)

Step = Callable[[Stores], Awaitable[object]]

ACTION: Action = action()
LINKS = tuple(
    Link(chat_key=CHAT.key, message_id="9", entity=entity, event_id="telegram:b:1")
    for entity in ("b", "a")
)

COLLECTIONS = (
    *("effects", "journal", "people", "accounts", "turnstiles", "inbox", "sessions", "turns"),
    *("links", "actions", "outbox", "books", "entries", "learned_categories", "notes"),
    *(
        "schedules",
        "deliveries",
        "files",
        "contents.files",
        "contents.chunks",
        "transcript_items",
        "web_tokens",
    ),
    *("invitations", "grants", "summaries", "external_effects", "merges"),
)


class StoppedHere(BaseException):
    """As if the process had been killed at this write."""


class Saw:
    """Cuts at one write: before it is made, or after it but before anybody hears of it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.writes = 0
        self.cut_at = -1
        self.after = False
        written = Rows._written

        async def sawn(rows: Rows, request: Awaitable[Any]) -> Any:  # noqa: ANN401
            here = self.writes == self.cut_at
            self.writes += 1
            if here and not self.after:
                _drop(request)
                raise StoppedHere
            try:
                return await written(rows, request)
            finally:
                if here:  # whatever the answer was
                    raise StoppedHere

        patch.setattr(Rows, "_written", sawn)


def _drop(request: Awaitable[Any]) -> None:
    close = getattr(request, "close", None)
    if close is not None:
        close()


async def commit(stores: Stores) -> None:
    await stores.turns.commit(
        outcome(
            "telegram:b:1",
            event_ids=("telegram:b:1", "telegram:b:2"),
            actions=(ACTION,),
            outbox=(draft("o1"), draft("o2")),
            links=LINKS,
            attachments=("f_1",),
        )
    )


async def accepted(stores: Stores) -> None:
    await stores.inbox.accept(update("1"))
    await stores.inbox.accept(update("2"))


async def reminded(stores: Stores) -> None:
    for name in ("one", "two"):
        await stores.schedules.insert("p_a", reminder(what=name), effect=effect(name))


async def fire(stores: Stores) -> object:
    due = await stores.schedules.due(NOW, limit=9)
    await stores.schedules.fire(
        [firing(schedule, next_fire_at=later(days=7)) for schedule in due], now=NOW
    )
    return await stores.schedules.deliveries("p_a")


async def fired(stores: Stores) -> None:
    await stores.schedules.insert("p_a", reminder(), effect=effect("one"))
    await fire(stores)


async def send(stores: Stores) -> None:
    row = await _reminder_row(stores)
    await stores.outbox.mark_sent(row, message_id="m", now=NOW)


async def give_up(stores: Stores) -> None:
    row = await _reminder_row(stores)
    await stores.outbox.mark_failed(row, error="gone", now=NOW)


async def acknowledge(stores: Stores) -> object:
    (made,) = await stores.schedules.deliveries("p_a")
    return await stores.schedules.acknowledge("p_a", made.delivery_id, effect=effect("done"))


async def _reminder_row(stores: Stores) -> str:
    (made,) = await stores.schedules.deliveries("p_a")
    return f"out:{made.delivery_id}"


async def cancel(stores: Stores) -> object:
    ids = [schedule.schedule_id for schedule in await stores.schedules.of_person("p_a")]
    return await stores.schedules.cancel("p_a", ids, effect=effect("cancel"))


async def append(stores: Stores) -> object:
    return await stores.ledger.append("p_a", [entry(1), entry(2)], effect=effect("add"))


async def appended(stores: Stores) -> None:
    await append(stores)


async def void(stores: Stores) -> object:
    made = await stores.ledger.append("p_a", [], effect=effect("add"))
    return await stores.ledger.void("p_a", [item.entry_id for item in made], effect=effect("void"))


async def correct(stores: Stores) -> object:
    (made, _) = await stores.ledger.append("p_a", [], effect=effect("add"))
    return await stores.ledger.update(
        "p_a", made.entry_id, revision=1, change=EntryChange(minor=9), effect=effect("change")
    )


async def learn(stores: Stores) -> None:
    await stores.ledger.learn_category("p_a", "拿铁", "food", effect=effect("learn"))


async def save(stores: Stores) -> object:
    return await stores.memory.save("p_a", "", MemoryType.FACT, "text", effect=effect("save"))


async def saved(stores: Stores) -> None:
    await save(stores)


async def forget(stores: Stores) -> object:
    note = await stores.memory.save("p_a", "", MemoryType.FACT, "text", effect=effect("save"))
    return await stores.memory.delete("p_a", "", note.note_id, effect=effect("forget"))


async def meet(stores: Stores) -> object:
    return await stores.people.get_or_create(account(), defaults=person())


async def met(stores: Stores) -> None:
    await meet(stores)


async def advance(stores: Stores) -> object:
    return await stores.people.advance_stage(
        "p_a",
        from_stage=0,
        to_stage=1,
        change=ProfileChange(name="Ann"),
        effect=effect("advance"),
    )


async def two_people(stores: Stores) -> None:
    await appended(stores)
    await meet(stores)
    await stores.people.get_or_create(account("43"), defaults=person("p_b"))
    await stores.ledger.append("p_b", [entry(3)], effect=effect("theirs"))
    await learn(stores)
    await saved(stores)
    await reminded(stores)


async def merge(stores: Stores) -> object:
    return await stores.bindings.merge("p_b", "p_a", merge_id="m", at=NOW)


async def merged(stores: Stores) -> None:
    await two_people(stores)
    await merge(stores)


async def unmerge(stores: Stores) -> object:
    return await stores.bindings.undo("m", at=NOW)


async def detach(stores: Stores) -> object:
    return await stores.bindings.detach(account().key, from_id="p_b", fresh_id="p_c", at=NOW)


async def upload(stores: Stores) -> object:
    return await stores.files.put("a", b"data", name="n", mime="m", now=NOW)


async def nothing(stores: Stores) -> None:
    """A new store."""


CASES: dict[str, tuple[Step, Step]] = {
    "a turn is committed": (accepted, commit),
    "reminders are fired": (reminded, fire),
    "a reminder is sent": (fired, send),
    "a reminder is given up": (fired, give_up),
    "a reminder is acknowledged": (fired, acknowledge),
    "reminders are cancelled": (reminded, cancel),
    "entries are appended": (nothing, append),
    "entries are voided": (appended, void),
    "an entry is corrected": (appended, correct),
    "a category is learned": (nothing, learn),
    "a note is saved": (nothing, save),
    "a note is forgotten": (saved, forget),
    "a person is met": (nothing, meet),
    "a stage advances": (met, advance),
    "a file is put": (nothing, upload),
    "people are merged": (two_people, merge),
    "a merge is undone": (merged, unmerge),
    "an account is detached": (merged, detach),
}

REQUEST_ALONE = {"a file is put"}
"""Its single writes are no more than bytes without an owner, which nobody sees."""


NUMBERS = frozenset({"sequence"})
VERSIONS = frozenset({"version", "head"})
"""Of turnstiles: a merge moves on the taker's before it is decided, which nobody sees."""

UNSEEN = {"people are merged": VERSIONS, "a merge is undone": VERSIONS}


async def contents(uri: str, *, without: frozenset[str] = NUMBERS) -> dict[str, list[Row]]:
    """Return every row as it is; numbers may have gaps, so only their order counts."""
    found = {}
    async with open_database(uri) as database:
        for name in COLLECTIONS:
            rows = await database.rows(name).many({}, sort=[("sequence", 1), ("_id", 1)])
            found[name] = [
                {key: value for key, value in row.items() if key not in without} for row in rows
            ]
    return found


async def clear(uri: str) -> None:
    async with open_database(uri) as database:
        for name in COLLECTIONS:
            await database.rows(name).remove_all({})


@pytest.mark.parametrize("case", CASES)
async def test_stopped_at_any_write_and_repeated_it_ends_the_same(
    case: str, uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare, request = CASES[case]
    unseen = NUMBERS | UNSEEN.get(case, frozenset())
    saw = Saw(monkeypatch)
    async with open_stores(uri) as stores:
        await prepare(stores)
        before = await contents(uri, without=unseen)
        first = saw.writes
        expected = await request(stores)
        writes = saw.writes - first
    after = await contents(uri, without=unseen)
    assert writes > 1

    for cut, late in [(n, late) for n in range(writes) for late in (False, True)]:
        await clear(uri)
        async with open_stores(uri) as stores:
            await prepare(stores)
            saw.writes, saw.cut_at, saw.after = 0, cut, late
            with pytest.raises(StoppedHere):
                await request(stores)
            saw.cut_at = -1
        async with open_stores(uri) as stores:
            left = await contents(uri, without=unseen)
            if case not in REQUEST_ALONE:
                assert left in (before, after), f"{case} stopped at write {cut}"
            result = await request(stores)
        assert await contents(uri, without=unseen) == after, (
            f"{case} stopped at write {cut} and repeated"
        )
        if case != "reminders are fired":
            assert result == expected


@pytest.mark.parametrize("case", CASES)
async def test_stopped_at_any_write_and_repeated_without_a_restart_it_ends_the_same(
    case: str, uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare, request = CASES[case]
    # That all is done may still have to be noted; the next write of this person does it.
    settled = NUMBERS | UNSEEN.get(case, frozenset()) | {"redo"}
    saw = Saw(monkeypatch)
    async with open_stores(uri) as stores:
        await prepare(stores)
        first = saw.writes
        await request(stores)
        writes = saw.writes - first
        after = await contents(uri, without=settled)

        for cut in range(writes):
            await clear(uri)
            await prepare(stores)
            saw.writes, saw.cut_at, saw.after = 0, cut, True
            with pytest.raises(StoppedHere):
                await request(stores)
            saw.cut_at = -1
            await request(stores)
            assert await contents(uri, without=settled) == after, (
                f"{case} stopped after write {cut}"
            )


async def test_a_message_whose_sent_mark_got_no_answer_is_not_sent_again(
    uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    saw = Saw(monkeypatch)
    async with open_stores(uri) as stores:
        await fired(stores)
        saw.writes, saw.cut_at, saw.after = 0, 1, True
        with pytest.raises(StoppedHere):
            await send(stores)
        saw.cut_at = -1

        assert await stores.outbox.next_for(CHAT.key, OutboxClass.BULK) is None
        (made,) = await stores.schedules.deliveries("p_a")
        assert made.status is DeliveryStatus.DELIVERED

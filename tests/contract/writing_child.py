"""Writes until it is killed and says what was acknowledged: ``writing_child.py KIND FOLDER``.

One line per acknowledged write: its kind and its key.
"""

import asyncio
import itertools
import sys
from pathlib import Path

from bot.core.events import Chat
from bot.core.stores import Stores
from tests.contract.openers import OPENERS
from tests.contract.samples import (
    draft,
    effect,
    entry,
    firing,
    later,
    outcome,
    reminder,
    update,
)


def _say(kind: str, key: str) -> None:
    sys.stdout.write(f"{kind} {key}\n")
    sys.stdout.flush()


async def _accept_and_commit(stores: Stores) -> None:
    for number in itertools.count():
        raw = update(str(number))
        await stores.inbox.accept(raw)
        _say("inbox", raw.event_id)
        chat = Chat(platform="web", bot="web", chat_id=str(number))
        await stores.turns.commit(
            outcome(
                raw.event_id,
                expected_version=number,
                outbox=(draft(f"o:{raw.event_id}", chat=chat, event_id=raw.event_id),),
            )
        )
        _say("turn", raw.event_id)
        await stores.outbox.mark_sent(f"o:{raw.event_id}", message_id="m", now=later())
        _say("sent", f"o:{raw.event_id}")


async def _append(stores: Stores) -> None:
    for number in itertools.count():
        entries = await stores.ledger.append(
            "p_a", [entry(1), entry(2)], effect=effect(f"append {number}")
        )
        for item in entries:
            _say("entry", item.entry_id)


async def _fire(stores: Stores) -> None:
    made = await stores.schedules.insert("p_a", reminder(), effect=effect("insert"))
    for number in itertools.count(1):
        await stores.schedules.fire([firing(made, next_fire_at=later(days=number))], now=later())
        _say("fired", str(number))
        (made,) = await stores.schedules.of_person("p_a")


async def _put_files(stores: Stores) -> None:
    for number in itertools.count():
        file = await stores.files.put(
            "owner", str(number).encode() * 5000, name="n", mime="m", now=later()
        )
        _say("file", file.file_id)


async def _main(kind: str, folder: Path) -> None:
    async with OPENERS[kind](folder) as stores, asyncio.TaskGroup() as tasks:
        for work in (_accept_and_commit, _append, _fire, _put_files):
            tasks.create_task(work(stores))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], Path(sys.argv[2])))

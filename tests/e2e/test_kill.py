"""Killed at any moment: nothing accepted is lost, nothing is doubled, and the order holds.

The oracle is what the pages show together with the rows in the store.
"""

import asyncio
import hashlib
import json
import random
import signal
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.core.failpoints import Failpoint
from bot.core.transcripts import WebAccess
from bot.dispatcher import MAX_ATTEMPTS
from tests.chosen_store import as_sqlite, is_at_rest, most_attempts, open_chosen
from tests.e2e.process import Bot
from tests.e2e.web_client import WebClient, attending

pytestmark = pytest.mark.e2e

USERS = ("anna", "bela", "cleo")
HITS = (1, 3, 8, 20)
HITS_OF_FIRINGS = (1, 2, 3)
SEEDS = (2026, 1130)
KILLS_PER_SEED = 10
KILLED_WHILE_STARTING = 0.2
SPARED_ATTEMPTS = MAX_ATTEMPTS - 2
"""A message that killed the bot so often lives to its end: what goes on killing is given up."""

OVERALL_SECONDS = 240
"""A guard against hanging, far above what a busy machine needs."""

LEAST_SAID = 45
LEDGER = "ledger_manager"


@dataclass(slots=True)
class Booking:
    """One entry by its events: what it was booked with, changed to, and taken out by."""

    minor: int
    changed_to: int = 0
    change: str = ""
    undo: str = ""


@dataclass(slots=True)
class Talker:
    """A person who does one thing after the other and remembers what must come of it."""

    page: WebClient
    dice: random.Random
    booked: dict[str, Booking] = field(default_factory=dict)
    reminders: dict[str, str] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    stops: set[str] = field(default_factory=set)
    under_capsule: set[str] = field(default_factory=set)
    count: int = 0

    def amount(self) -> int:
        """Return an amount in yuan that this person never said before."""
        self.count += 1
        return 1000 + self.count

    def book(self) -> str:
        amount = self.amount()
        event = self.page.say(f"午饭{amount}")
        self.booked[event] = Booking(amount * 100)
        return event

    # --- things to do -------------------------------------------------------------------------

    async def enter(self) -> None:
        await self.page.answer(self.book())

    async def enter_in_a_burst(self) -> None:
        for event in [self.book() for _ in range(3)]:
            await self.page.answer(event)

    async def edit_the_message(self) -> None:
        event = self.book()
        amount = self.amount()
        change = self.page.edit(event, f"午饭{amount}")
        self.booked[event].changed_to, self.booked[event].change = amount * 100, change
        await self.page.answer(change)

    async def undo(self) -> None:
        event = self.book()
        answer = await self.page.answer(event)
        if "撤销" in answer.buttons:  # a stop may have come between
            self.booked[event].undo = self.page.press(answer, "撤销")
            await self.page.answer(self.booked[event].undo)

    async def press_edit_and_answer(self) -> None:
        event = self.book()
        answer = await self.page.answer(event)
        if "改" not in answer.buttons:
            return
        self.page.press(answer, "改")
        amount = self.amount()
        change = self.page.say(str(amount))
        self.booked[event].changed_to, self.booked[event].change = amount * 100, change
        await self.page.answer(change)

    async def set_a_reminder(self) -> None:
        what = f"喝第{self.amount()}杯水"
        event = self.page.say(f"1秒后提醒我{what}")
        self.reminders[event] = what
        await self.page.answer(event)

    async def use_the_capsule(self) -> None:
        self.silent.add(self.page.capsule(LEDGER))
        event = self.book()
        self.under_capsule.add(event)
        self.silent.add(self.page.capsule(LEDGER))
        await self.page.answer(event)

    async def stop(self) -> None:
        event = self.book()
        self.stops.add(self.page.say("/stop"))
        await self.page.answer(event)

    async def talk(self, *, until: asyncio.Event) -> None:
        """Do all of it in some order at least once, then again and again."""
        is_first = True
        while is_first or not until.is_set():
            acts = [
                self.enter,
                self.enter_in_a_burst,
                self.edit_the_message,
                self.undo,
                self.press_edit_and_answer,
                self.set_a_reminder,
                self.set_a_reminder,
                self.use_the_capsule,
                self.stop,
            ]
            self.dice.shuffle(acts)
            for act in acts:
                if is_first or not until.is_set():
                    await act()
            is_first = False
        await self.page.delivered()


@dataclass(slots=True)
class Town:
    """Some people, a second page of the first one, and the bot they talk to."""

    bot: Bot
    talkers: list[Talker]
    onlooker: WebClient
    enough: asyncio.Event = field(default_factory=asyncio.Event)
    stored: Path = Path()

    @property
    def pages(self) -> list[WebClient]:
        return [*(talker.page for talker in self.talkers), self.onlooker]

    async def live_through(self, deaths: Callable[[], Awaitable[None]]) -> None:
        """Talk while the bot dies again and again, then let all come to rest."""
        async with (
            asyncio.timeout(OVERALL_SECONDS),
            attending(lambda: self.bot.origin, *self.pages),
            asyncio.TaskGroup() as group,
        ):
            talks = [group.create_task(t.talk(until=self.enough)) for t in self.talkers]
            await deaths()
            assert await self.bot.start(), self.bot.log[-2000:]
            self.enough.set()
            await asyncio.gather(*talks)
            while not is_at_rest(self.bot.data):  # noqa: ASYNC110  # it is another process's
                await asyncio.sleep(0.05)
            self.stored = await as_sqlite(self.bot.data)
            newest = {talker.page.user: self.newest(talker.page.user) for talker in self.talkers}
            for page in self.pages:
                await page.until(lambda page=page: page.version >= newest[page.user])  # type: ignore[misc]
        await self.bot.stop()

    # --- the store ------------------------------------------------------------------------------

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        """Return rows of what was stored in the end."""
        with closing(sqlite3.connect(f"file:{self.stored}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return connection.execute(query, values).fetchall()

    def newest(self, user: str) -> int:
        """Return the version of a chat."""
        query = "SELECT max(version) AS newest FROM transcript_items WHERE chat_id = ?"
        return int(self.rows(query, user)[0]["newest"] or 0)

    # --- the oracle -----------------------------------------------------------------------------

    def check(self) -> None:
        """Hold the pages and the store against what was said."""
        assert sum(len(talker.page.sent) for talker in self.talkers) >= LEAST_SAID
        people = {
            row["account_key"]: row["person_id"] for row in self.rows("SELECT * FROM accounts")
        }
        for talker in self.talkers:
            owner = people[f"web/web//{talker.page.user}"]
            self._check_everything_is_answered_once(talker)
            self._check_the_ledger(talker, owner)
            self._check_the_reminders(talker, owner)
            self._check_the_chat(talker)
        assert self.onlooker.items == self.talkers[0].page.items

    def _check_everything_is_answered_once(self, talker: Talker) -> None:
        page, prefix = talker.page, f"web:web:{talker.page.user}:"
        said = [f"{prefix}{frame['id']}" for frame in page.sent]
        inbox = {
            row["event_id"]: row["status"]
            for row in self.rows("SELECT * FROM inbox WHERE event_id LIKE ?", f"{prefix}%")
        }
        assert inbox == dict.fromkeys([f"{prefix}~start", *said], "done")
        assert page.refusals == {}
        outbox = self.rows(
            "SELECT document ->> '$.d.event_id' AS event, status FROM outbox"
            " WHERE document ->> '$.d.event_id' LIKE ?",
            f"{prefix}%",
        )
        assert {row["status"] for row in outbox} == {"sent"}
        answers = Counter(row["event"] for row in outbox)
        for event in said:
            if event in talker.silent:
                assert answers[event] == 0, event
            elif event in talker.stops:
                assert answers[event] <= 1, event
            else:
                assert answers[event] == 1, event

    def turns(self, user: str) -> dict[str, dict[str, str]]:
        """Return outcome, source and reply of each turn of a person."""
        query = "SELECT event_id, document -> '$.d' AS record FROM turns WHERE event_id LIKE ?"
        rows = self.rows(query, f"web:web:{user}:%")
        return {row["event_id"]: json.loads(row["record"]) for row in rows}

    def effective(self, user: str) -> set[str]:
        """Return the events that changed something; a stopped turn must have said whether."""
        effects = {
            row["effect_id"].rpartition("#")[0]
            for row in self.rows("SELECT effect_id FROM effects")
        }
        turns = self.turns(user)
        assert {turn["outcome"] for turn in turns.values()}.isdisjoint({"failed", "rejected"})
        for event, turn in turns.items():
            if turn["outcome"] == "stopped" and turn["reply"]:
                assert ("已完成" in turn["reply"]) == (event in effects), turn
        return effects & turns.keys()

    def _check_the_ledger(self, talker: Talker, owner: str) -> None:
        effective, turns = self.effective(talker.page.user), self.turns(talker.page.user)
        must_be = Counter[tuple[int, int, int]]()
        for event, booking in talker.booked.items():
            done = [e for e in (event, booking.change, booking.undo) if e in effective]
            if turns[event]["outcome"] != "stopped":
                assert event in effective
            if done:
                minor = booking.changed_to if booking.change in done else booking.minor
                must_be[minor, booking.undo in done, len(done)] += 1
        rows = self.rows("SELECT * FROM entries WHERE author_id = ?", owner)
        assert Counter((row["minor"], row["voided"], row["revision"]) for row in rows) == must_be
        by_capsule = {e for e in talker.booked if turns[e]["source"] == "capsule"}
        assert by_capsule == talker.under_capsule

    def _check_the_reminders(self, talker: Talker, owner: str) -> None:
        effective = self.effective(talker.page.user)
        must_be = sorted(what for event, what in talker.reminders.items() if event in effective)
        schedules = self.rows("SELECT what FROM schedules WHERE person_id = ?", owner)
        assert sorted(row["what"] for row in schedules) == must_be
        deliveries = self.rows("SELECT * FROM deliveries WHERE person_id = ?", owner)
        assert {row["status"] for row in deliveries} <= {"delivered", "late"}
        assert len({row["schedule_id"] for row in deliveries}) == len(deliveries) == len(must_be)
        shown = [i.text for i in talker.page.shown if i.payload.get("purpose") == "reminder"]
        assert sorted(text.splitlines()[0] for text in shown) == [f"⏰ {w}" for w in must_be]

    def _check_the_chat(self, talker: Talker) -> None:
        page = talker.page
        stored = self.rows(
            "SELECT item_id, sequence FROM transcript_items WHERE chat_id = ? ORDER BY sequence",
            page.user,
        )
        assert [(i.item_id, i.sequence) for i in page.shown] == [tuple(row) for row in stored]
        prefix = f"web:web:{page.user}:"
        said = [f["id"] for f in page.sent if f["type"] == "message"]
        assert [i.item_id for i in page.shown if i.author == "person"] == said
        places = {item.item_id: place for place, item in enumerate(page.shown)}
        first_answers = self.rows(
            "SELECT document ->> '$.d.event_id' AS event, message_id FROM outbox"
            " WHERE document ->> '$.d.event_id' LIKE ?"
            " AND document ->> '$.d.message.replaces' IS NULL",
            f"{prefix}%",
        )
        answered = {row["event"].removeprefix(prefix): row["message_id"] for row in first_answers}
        order = [f["id"] for f in page.sent if f["id"] in answered]
        in_lane = [i for i in order if f"{prefix}{i}" not in talker.stops]
        answer_places = [places[answered[i]] for i in in_lane]
        assert answer_places == sorted(answer_places)
        for frame_id in order:
            if frame_id in places:
                assert places[frame_id] < places[answered[frame_id]], frame_id


@asynccontextmanager
async def settled(folder: Path, seed: int) -> AsyncIterator[Town]:
    """Give people pages and let them in by tokens; no process is left at the end."""
    running = Bot(folder)
    running.data.mkdir()
    async with open_chosen(running.data) as stores:
        for user in USERS:
            digest = hashlib.sha256(f"token-of-{user}".encode()).hexdigest()
            await stores.web_tokens.add(
                WebAccess(token_hash=digest, user_id=user, created_at=datetime.now(UTC))
            )
    pages = [WebClient(user, f"token-of-{user}") for user in (*USERS, USERS[0])]
    talkers = [
        Talker(page, random.Random(f"{seed}-{page.user}"))  # noqa: S311  # reproducible on purpose
        for page in pages[:-1]
    ]
    try:
        yield Town(running, talkers, pages[-1])
    finally:
        await running.kill()


@pytest.mark.parametrize("point", sorted(set(Failpoint) - {Failpoint.AFTER_EXTERNAL}))
async def test_killed_at_this_point_nothing_is_lost_or_doubled(
    tmp_path: Path, point: Failpoint
) -> None:
    async with settled(tmp_path, seed=len(point)) as town:

        async def deaths() -> None:
            for hits in HITS_OF_FIRINGS if point is Failpoint.AFTER_FIRE else HITS:
                if await town.bot.start(failpoint=f"{point}:{hits}"):
                    assert await town.bot.ended() == -signal.SIGKILL

        await town.live_through(deaths)

        town.check()


@pytest.mark.parametrize("seed", SEEDS)
async def test_killed_at_random_moments_nothing_is_lost_or_doubled(
    tmp_path: Path, seed: int
) -> None:
    print(f"seed {seed}")  # noqa: T201  # shown with a failure
    dice = random.Random(seed)  # noqa: S311  # reproducible on purpose
    async with settled(tmp_path, seed) as town:

        async def deaths() -> None:
            for _ in range(KILLS_PER_SEED):
                if dice.random() < KILLED_WHILE_STARTING:
                    await town.bot.start_and_die(after_seconds=dice.uniform(0, 0.6))
                    continue
                assert await town.bot.start(), town.bot.log[-2000:]
                await asyncio.sleep(dice.uniform(0, 0.6))
                while most_attempts(town.bot.data) >= SPARED_ATTEMPTS:  # noqa: ASYNC110  # as above
                    await asyncio.sleep(0.02)
                await town.bot.kill()

        await town.live_through(deaths)

        town.check()

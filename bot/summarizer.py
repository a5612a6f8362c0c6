"""Rolling summaries: what was said before the turns that a model reads whole.

They are made after a turn and outside its lane, so nobody waits for one; a summary that is behind
says how many turns it covers, and the next one begins there.
"""

import asyncio
import functools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files

import structlog

from bot.core.conversations import Summaries, Summary
from bot.core.errors import ModelError, StorageError
from bot.core.model import Model, SystemMessage, UserMessage
from bot.core.turns import TurnRecord, Turns

WHOLE_TURNS = 10
"""The turns that are read whole (seed 002, 5.1); a summary ends before them."""

EVERY_TURNS = 8
"""How many turns pass before a summary is made anew."""

MOST_TURNS = 60
LONGEST_TURN = 1000
LONGEST_SUMMARY = 2000
SECONDS = 60.0

log = structlog.get_logger(__name__)


@functools.cache
def instructions() -> str:
    """Return what the model is told; read once, before the loop runs."""
    return files("bot").joinpath("prompts", "summary.md").read_text(encoding="utf-8")


class Summarizer:
    """Makes summaries, one after the other."""

    def __init__(self, *, model: Model, turns: Turns, summaries: Summaries) -> None:
        self._model = model
        self._turns = turns
        self._summaries = summaries
        self._waiting: asyncio.Queue[TurnRecord] = asyncio.Queue(maxsize=100)
        self._queued: set[tuple[str, str]] = set()

    def consider(self, record: TurnRecord) -> None:
        """Take note of a committed turn; at once, and never failing."""
        key = (record.session_key, record.conversation)
        if key in self._queued or self._waiting.full():
            return
        self._queued.add(key)
        self._waiting.put_nowait(record)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Make summaries while the context is open."""
        task = asyncio.create_task(self._work())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _work(self) -> None:
        while True:
            record = await self._waiting.get()
            self._queued.discard((record.session_key, record.conversation))
            try:
                await self.summarize(record)
            except (ModelError, StorageError) as error:
                log.info("summary_not_made", error=type(error).__name__)
            except Exception:  # a summary is a convenience: the next one may go well
                log.exception("summary_failed")

    async def summarize(self, record: TurnRecord) -> None:
        """Bring the summary of the record's conversation up to date, if it is far behind.

        Raises:
            ModelError, StorageError: it stays behind.
        """
        key = (record.session_key, record.conversation)
        recent = await self._turns.recent(
            record.session_key, limit=MOST_TURNS, conversation=record.conversation
        )
        known = await self._summaries.get(*key)
        fresh = _after(recent, known.last_event if known else "")[:-WHOLE_TURNS]
        if len(fresh) < EVERY_TURNS:
            return
        answer = await self._model.complete(
            [SystemMessage(instructions()), UserMessage(_told(known, fresh))], deadline=SECONDS
        )
        await self._summaries.put(
            Summary(
                session_key=record.session_key,
                conversation_id=record.conversation,
                person_id=record.person_id,
                text=answer.text[:LONGEST_SUMMARY],
                covers=(known.covers if known else 0) + len(fresh),
                last_event=fresh[-1].event_id,
            )
        )


def _after(turns: Sequence[TurnRecord], event_id: str) -> Sequence[TurnRecord]:
    for place, turn in enumerate(turns):
        if turn.event_id == event_id:
            return turns[place + 1 :]
    return turns


def _told(known: Summary | None, fresh: Sequence[TurnRecord]) -> str:
    lines = [f"Summary so far:\n{known.text if known else '(none)'}", "Turns after it:"]
    for turn in fresh:
        lines.append(f"Person: {turn.text[:LONGEST_TURN]}")
        lines.append(f"Assistant: {turn.reply[:LONGEST_TURN]}")
    return "\n".join(lines)

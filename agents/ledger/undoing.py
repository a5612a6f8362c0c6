"""Undo, step by step: what was done is kept in the session and taken back from the end."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pydantic import JsonValue

from agents.ledger.changes import INTENT, EntryChanges
from agents.ledger.picks import EntryPicks
from agents.tools.ledger import Entries
from bot.core.agents import AgentResult, Turn
from bot.core.codec import from_json
from bot.core.messages import TextBlock
from bot.core.sessions import Pending
from bot.core.words import text

DONE = frozenset({"booked", "removed"})
"""Soft questions that stand for a step."""

KEPT = "kept"
"""A soft question that stands for nothing but the steps before it."""

MOST_STEPS = 10
STEPS_FOR = timedelta(hours=1)
"""An older step is not walked back to: by then it is no slip any more."""


def steps_of(turn: Turn) -> list[Mapping[str, JsonValue]]:
    """Return what was done in this session and can be taken back, the latest first."""
    pending = turn.pending
    if pending is None:
        return []
    past = pending.state.get("past")
    steps: list[Mapping[str, JsonValue]] = [
        step for step in (past if isinstance(past, list) else []) if isinstance(step, dict)
    ]
    if step := _step(pending):
        steps.insert(0, step)
    fresh = (s for s in steps if turn.now - datetime.fromisoformat(str(s["at"])) <= STEPS_FOR)
    return list(fresh)[:MOST_STEPS]


def with_steps(turn: Turn, result: AgentResult) -> AgentResult:
    """Return the result with the steps before it kept in its question."""
    steps = steps_of(turn)
    pending = result.pending
    if not steps or result.hand_off is not None:
        return result
    if pending is None:
        pending = Pending(
            agent=INTENT,
            name=KEPT,
            question=text("ledger.ask_edit_short"),
            asked_at=turn.now,
            soft=True,
        )
    if "past" in pending.state:
        return result
    past: list[JsonValue] = [dict(step) for step in steps]
    return replace(result, pending=replace(pending, state={**pending.state, "past": past}))


class EntryUndo:
    """Takes back the last steps; where none is known, what was written last is asked about."""

    def __init__(self, changes: EntryChanges, picks: EntryPicks) -> None:
        self._changes = changes
        self._picks = picks

    async def back(self, turn: Turn, times: int = 1, *, names_entry: bool = False) -> AgentResult:
        """Take back so many steps, as many of them as there are.

        Without any the entry that was written last goes where it was named, else it is asked.
        """
        steps = steps_of(turn)
        if not steps and turn.pending is not None and turn.pending.state.get("undone"):
            return AgentResult(blocks=(TextBlock(text("ledger.undo_none")),), pending=turn.pending)
        if not steps and names_entry:
            return await self._changes.delete(turn, "")
        if not steps:
            return await self._picks.ask_delete_last(turn, 1)
        results = [await self._one(turn, step) for step in steps[:times]]
        blocks = tuple(block for result in results for block in result.blocks)
        if times > len(steps):
            blocks = (*blocks, TextBlock(text("ledger.undo_all_done", n=len(steps))))
        last, rest = steps[: len(results)][-1], steps[len(results) :]
        return replace(
            results[-1],
            blocks=blocks,
            buttons=tuple(row for result in results for row in result.buttons),
            entities=tuple(entity for result in results for entity in result.entities),
            repaint=False,
            pending=_undone(turn, last, rest),
        )

    async def forth(self, turn: Turn) -> AgentResult:
        """Bring back the entries that were taken out last."""
        held = turn.pending.state.get("entries") if turn.pending is not None else None
        ids = [str(i) for i in held] if isinstance(held, list) else []
        if turn.pending is None or turn.pending.name != "removed" or not ids:
            return AgentResult(blocks=(TextBlock(text("ledger.nothing_to_restore")),))
        return replace(await self._changes.restore(turn, ids), repaint=False)

    async def _one(self, turn: Turn, step: Mapping[str, JsonValue]) -> AgentResult:
        held = step.get("entries")
        ids = [str(i) for i in held] if isinstance(held, list) else []
        if step.get("name") == "removed":
            return await self._changes.restore(turn, ids)
        before = from_json(Entries, step.get("before") or [])
        if before:
            return await self._changes.revert(turn, before)
        return await self._changes.remove(turn, ids)


def _step(pending: Pending) -> Mapping[str, JsonValue]:
    """Return what a question stands for as a step; empty for nothing done, or for an undo."""
    name = pending.name
    if name == "amount" and pending.state.get("entries"):
        name = "booked"
    if name not in DONE or pending.state.get("undone") or not pending.state.get("entries"):
        return {}
    return {
        "name": name,
        "entries": pending.state.get("entries"),
        "before": pending.state.get("before") or [],
        "at": pending.asked_at.isoformat(),
    }


def _undone(
    turn: Turn, step: Mapping[str, JsonValue], rest: Sequence[Mapping[str, JsonValue]]
) -> Pending:
    """Return the soft question after an undo: what it took back, and the steps before."""
    was_booked = step.get("name") == "booked" and not step.get("before")
    past: list[JsonValue] = [dict(each) for each in rest]
    return Pending(
        agent=INTENT,
        name="removed" if was_booked else "booked",
        question=text("ledger.ask_edit_short"),
        asked_at=turn.now,
        state={"entries": step.get("entries"), "undone": True, "past": past},
        soft=True,
    )

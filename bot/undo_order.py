"""Which step an undo reaches where several agents did something, one after the other.

A session has one question that stands for what was done last. What another agent did before is
kept under it, so that a further undo goes on there.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from pydantic import JsonValue

from bot.core.codec import from_json, to_json
from bot.core.sessions import Pending
from bot.language.last_thing import parse_last_thing

_BELOW: Final = "below"
_SPENT: Final = "spent"
_PAST: Final = "past"
"""An agent's own steps before, see `agents.ledger.undoing`."""

_MOST: Final = 5
_FOR: Final = timedelta(hours=1)
"""What was done earlier is no slip any more, and is not reached by an undo of something else."""


def laid_over(waiting: Pending | None, pending: Pending | None, query: str) -> Pending | None:
    """Return the new question with what it covers kept under it.

    Args:
        waiting: what stood for the step before.
        pending: what the agent that answered leaves behind.
        query: what was said.
    """
    if waiting is None:
        return pending
    undone = waiting.soft and _is_undo(query)
    if pending is None:
        return _below(waiting.state) if undone or not waiting.soft else None
    if pending.agent == waiting.agent and not _is_only_shown(pending):
        below = _below(waiting.state)
    else:
        below = _below(waiting.state) if _is_spent(waiting) else waiting
    if below is None:
        return pending
    kept = replace(below, soft=True, expects=(), group="")
    state = {**pending.state, _BELOW: to_json(Pending, _cut(kept, _MOST))}
    if undone and pending.agent == waiting.agent and not pending.state.get(_PAST):
        state[_SPENT] = True
    return replace(pending, state=state)


def uncovered(pending: Pending | None, query: str, now: datetime) -> Pending | None:
    """Return what an undo is about: the step under one that was taken back already."""
    if pending is None or not pending.soft or not _is_spent(pending):
        return pending
    below = _below(pending.state)
    if below is None or now - below.asked_at > _FOR or not _is_undo(query):
        return pending
    return below


def _is_undo(query: str) -> bool:
    last = parse_last_thing(query)
    return last is not None and last.kind == "undo" and not last.noun


def _is_spent(pending: Pending) -> bool:
    """Whether nothing of its agent's is left to undo: it was undone, or only shown."""
    return bool(pending.state.get(_SPENT)) or _is_only_shown(pending)


def _is_only_shown(pending: Pending) -> bool:
    return pending.soft and not set(pending.state) - {_BELOW}


def _below(state: Mapping[str, JsonValue]) -> Pending | None:
    held = state.get(_BELOW)
    return from_json(Pending, held) if isinstance(held, dict) else None


def _cut(pending: Pending, depth: int) -> Pending:
    """Return a question with no more than so many steps under it."""
    below = _below(pending.state)
    if below is None:
        return pending
    state = {key: value for key, value in pending.state.items() if key != _BELOW}
    if depth > 1:
        state[_BELOW] = to_json(Pending, _cut(below, depth - 1))
    return replace(pending, state=state)

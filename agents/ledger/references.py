"""Words about entries that are there: the n-th, the last, those of a day, that of a message."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from agents.ledger.booking import asks, say
from agents.ledger.change_words import change_from_words
from agents.ledger.changes import INTENT, EntryChanges
from agents.ledger.picks import EntryPicks
from agents.ledger.undoing import EntryUndo
from agents.orders import parse_order
from bot.core.agents import AgentResult, Status, Turn
from bot.core.sessions import Pending
from bot.language.answers import classify_answer
from bot.language.corrections import Correction
from bot.language.dated_orders import DatedOrder, Days
from bot.language.last_thing import LastThing, names_last, parse_last_thing, removes_it
from bot.language.nth_entries import NthOrder

ROWS = ("booked", "listed")
"""Soft questions whose entries can be named by their number."""

LAST = frozenset({"booked", "removed"})
"""Soft questions whose entries are the last thing that was done."""


class EntryReferences:
    """Finds what is meant and passes it on; nothing is written here."""

    def __init__(self, changes: EntryChanges, picks: EntryPicks, undo: EntryUndo) -> None:
        self._changes = changes
        self._picks = picks
        self._undo = undo

    async def nth(self, turn: Turn, order: NthOrder, lexicon: Mapping[str, str]) -> AgentResult:
        """Follow an order about the n-th of the entries that were shown last."""
        pending = turn.pending if turn.pending and turn.pending.name in ROWS else None
        ids = _held(pending)
        if not 0 < order.n <= len(ids):
            result = await self._picks.which_nth(turn, order, ids, lexicon)
        elif order.kind == "delete":
            result = await self._changes.remove(turn, [ids[order.n - 1]])
        else:
            chosen = [ids[order.n - 1]]
            result = await self._changes.by_words(turn, order.rest, lexicon, ids=chosen)
        return replace(result, pending=replace(pending, asked_at=turn.now)) if pending else result

    async def last(self, turn: Turn, last: LastThing, lexicon: Mapping[str, str]) -> AgentResult:
        """Undo what was done last, or ask what it should have been."""
        pending = turn.pending
        booked = pending is not None and pending.name == "amount" and "entries" in pending.state
        is_open = pending is not None and not pending.soft and not booked
        if is_open and last.kind == "undo" and not last.noun:
            return say("ledger.cancelled")
        if last.kind == "undo":
            named = last.noun == "entry"
            return await self._undo.back(turn, last.times, names_entry=named)
        is_last = booked or (pending is not None and pending.name in LAST)
        ids = _held(pending) if is_last else []
        if pending is not None and pending.name == "removed":
            return await self._undo.back(turn)
        change = change_from_words(turn, last.rest, lexicon)
        is_name = change is not None and change.item is not None and change.minor is None
        if not last.rest or (last.belongs and is_name):
            return await self._changes.ask_about(turn, ids)
        if ids or names_last(turn.query):
            return await self._changes.by_words(turn, last.rest, lexicon, ids=ids)
        return await self.unnamed(turn, last.rest, lexicon)

    async def unnamed(self, turn: Turn, words: str, lexicon: Mapping[str, str]) -> AgentResult:
        """Change the entry that was just booked; without one ask which is meant.

        Words that name no entry must not reach one that nobody spoke of.
        """
        pending = turn.pending
        is_fresh = not turn.history or turn.history[-1].intent == INTENT
        is_booked = pending is not None and pending.name in {"booked", "amount"}
        if is_booked and is_fresh and _held(pending):
            return await self._changes.by_words(turn, words, lexicon, ids=_held(pending))
        listed = _held(pending) if pending is not None and pending.name == "listed" else []
        return await self._picks.which(turn, words, listed, lexicon)

    async def corrected(
        self, turn: Turn, fixed: Correction, lexicon: Mapping[str, str]
    ) -> AgentResult:
        """Change the entry that is named by its thing, and by its amount where that was said."""
        if fixed.was is not None:
            found = await self._picks.called(turn, fixed.target)
            same = [entry.entry_id for entry in found if entry.amount == fixed.was]
            if found and not same:
                return self._picks.none_so_much(turn, fixed, found, lexicon)
            if len(same) == 1:
                return await self._changes.by_words(turn, fixed.rest, lexicon, ids=same)
        return await self._changes.by_words(turn, fixed.rest, lexicon, target=fixed.target)

    async def same_thing(
        self, turn: Turn, price: Correction, lexicon: Mapping[str, str]
    ) -> AgentResult | None:
        """Change what was just booked when its price is said once more; None for other things."""
        pending = turn.pending
        if pending is None or pending.name != "booked":
            return None
        held = _held(pending)
        found = await self._picks.called(turn, price.target)
        ids = [entry.entry_id for entry in found if entry.entry_id in held]
        if len(ids) != 1:
            return None
        return await self._changes.by_words(turn, price.rest, lexicon, ids=ids)

    async def delete(self, turn: Turn, target: str) -> AgentResult:
        """Delete the entry called ``target``; without a name the one that was shown last.

        Of several that were shown it is asked which: the latest may be none of them.
        """
        pending = turn.pending
        shown = _held(pending) if pending is not None and pending.name in ROWS else []
        is_booked = pending is not None and pending.name == "booked"
        if not target and len(shown) == 1 and (is_booked or not names_last(turn.query)):
            return await self._changes.remove(turn, shown)
        if target or not shown or names_last(turn.query):
            return await self._changes.delete(turn, target)
        return await self._picks.which_to_delete(turn, shown)

    async def linked(
        self, turn: Turn, ids: Sequence[str], lexicon: Mapping[str, str]
    ) -> AgentResult:
        """Follow an answer to the message of an entry."""
        order, answer = parse_order("ledger", turn.query), classify_answer(turn.query)
        last = parse_last_thing(turn.query)
        if (
            removes_it(turn.query)
            or answer.kind == "cancel"
            or (last is not None and last.kind == "undo")
        ):
            return await self._changes.remove(turn, ids)
        if answer.kind == "confirm":
            return say("ledger.fine")
        if answer.kind == "deny" or (last is not None and not last.rest):
            return await self._changes.ask_about(turn, ids)
        words = last.rest if last is not None else answer.rest
        if not words and order is not None and order.kind == "change" and not order.target:
            words = order.rest
        if not words and asks(turn.query):
            return say("ledger.change_unread", status=Status.CLARIFY)
        return await self._changes.by_words(turn, words or turn.query, lexicon, ids=ids)

    async def dated(
        self, turn: Turn, order: DatedOrder, days: Days, lexicon: Mapping[str, str]
    ) -> AgentResult:
        """Follow an order about the entries of a day; what none is called is asked about."""
        if order.kind == "change":
            result = await self._changes.by_words(
                turn, order.rest, lexicon, target=order.what, days=days
            )
        else:
            several = await self._picks.several(turn, order, days) if order.every else None
            result = several or await self._changes.delete(turn, order.what, days)
        is_done = result.buttons or result.status is Status.CLARIFY
        return result if is_done else await self._picks.dated(turn, order, days, lexicon)


def _held(pending: Pending | None) -> list[str]:
    held: JsonValue = pending.state.get("entries") if pending is not None else None
    return [str(i) for i in held] if isinstance(held, list) else []

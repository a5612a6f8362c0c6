"""The ledger agent: books, corrects, deletes and answers from the person's own words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from agents.ledger.booking import QUESTION, DraftList, EntryBooking, is_bare, say
from agents.ledger.change_words import (
    change_from_words,
    find_category,
    names_category,
    unknown_category,
)
from agents.ledger.changes import EntryChanges
from agents.ledger.drafts import drafts_from
from agents.ledger.picks import EntryPicks
from agents.ledger.queries import LedgerQuestions
from agents.ledger.recalled import what_stays
from agents.orders import Order, parse_order
from agents.tools.ledger import Entries
from bot.core.agents import AgentResult, HandOff, Status, Turn, zone_of
from bot.core.codec import from_json
from bot.core.events import HeldMessage
from bot.core.ledger import EntryChange, Ledger
from bot.core.sessions import Pending
from bot.language.answers import classify_answer
from bot.language.corrections import parse_correction
from bot.language.dated_orders import DatedOrder, Days, is_about_entries, parse_dated_order
from bot.language.last_thing import LastThing, parse_last_few, parse_last_thing, removes_it
from bot.language.ledger_queries import parse_ledger_query
from bot.language.nth_entries import NthOrder, parse_nth_order

INTENT = "ledger_manager"
CHAT = "chat_manager"
ROWS = ("booked", "listed")
"""Soft questions whose entries can be named by their number."""

NOT_HERE = {
    "balance": "ledger.no_balances",
    "budget": "ledger.no_budgets",
    "export": "ledger.no_export",
}
"""Orders that the chat cannot do, with the words that say so."""


class LedgerAgent:
    """Understands by the grammar of `bot.language`; writes through its tools only."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger for reading what the person taught us about categories."""
        self._ledger = ledger
        self._booking = EntryBooking()
        self._changes = EntryChanges(ledger)
        self._picks = EntryPicks(ledger)
        self._questions = LedgerQuestions()

    @property
    def intent(self) -> str:
        """Routing label."""
        return INTENT

    async def handle(self, turn: Turn) -> AgentResult:
        """Return the answer to a press, an edit, an open question or a new wish."""
        if turn.action is not None:
            return await self._pressed(turn, turn.action.name, turn.action.arguments)
        if turn.recalled_at is not None:
            return await what_stays(self._ledger, turn, _ids(turn.linked), turn.recalled_at)
        lexicon = await self._ledger.learned_categories(turn.person.person_id)
        if turn.linked:
            return await self._about_linked(turn, _ids(turn.linked), lexicon)
        if turn.command:
            return await self._questions.recent(turn)
        return await self._said(turn, lexicon)

    async def _said(self, turn: Turn, lexicon: Mapping[str, str]) -> AgentResult:
        """Follow words about what is there, then the open question, then a new wish."""
        order = parse_nth_order(turn.query)
        if order is not None and order.noun != "reminder":
            return await self._nth(turn, order, lexicon)
        last = parse_last_thing(turn.query)
        if last is not None and last.noun != "reminder":
            return await self._about_last(turn, last, lexicon)
        if few := parse_last_few(turn.query):
            return await self._picks.ask_delete_last(turn, few)
        dated = parse_dated_order(turn.query, turn.now, zone_of(turn.now))
        if dated is not None and dated.past is not None and is_about_entries(dated):
            return await self._dated(turn, dated, dated.past, lexicon)
        fixed = parse_correction(turn.query, turn.now, zone_of(turn.now))
        if fixed is not None:
            return await self._changes.by_words(turn, fixed.rest, lexicon, target=fixed.target)
        if turn.pending is not None:
            answered = await self._answered(turn, turn.pending, lexicon)
            if answered is not None:
                return answered
        return await self._wish(turn, lexicon)

    # --- new wishes --------------------------------------------------------------------------

    async def _wish(self, turn: Turn, lexicon: Mapping[str, str]) -> AgentResult:
        if order := parse_order("ledger", turn.query):
            return await self._do(turn, order, lexicon)
        query = parse_ledger_query(turn.query, now=turn.now, tz=zone_of(turn.now))
        if query is not None:
            return await self._questions.answer(turn, query)
        answer = classify_answer(turn.query)
        if answer.kind == "correct":
            return await self._changes.by_words(turn, answer.rest, lexicon)
        amounts = self._booking.amounts(turn, turn.query, lexicon)
        if is_bare(turn.query, amounts):
            return self._booking.ask_what_for(turn, drafts_from(amounts, turn.now).entries)
        return await self._booking.book(turn, amounts, lexicon)

    async def _do(self, turn: Turn, order: Order, lexicon: Mapping[str, str]) -> AgentResult:
        """Do what a short order about stored entries says."""
        if order.kind == "talk":
            return _to_chat(turn)
        if order.kind in NOT_HERE:
            return say(NOT_HERE[order.kind])
        if order.kind == "delete_all":
            return await self._picks.ask_delete_all(turn, order.target)
        if order.kind == "delete":
            is_gone = turn.pending is not None and turn.pending.name == "removed"
            again = is_gone and not order.target
            delete = self._changes.delete
            return say("ledger.gone") if again else await delete(turn, order.target)
        if names_category(turn.query) and find_category(order.rest.strip()) is None:
            return unknown_category(turn, order.rest)
        return await self._changes.by_words(turn, order.rest, lexicon, target=order.target)

    async def _is_other(self, turn: Turn, pending: Pending, lexicon: Mapping[str, str]) -> bool:
        """Whether an edited entry is not meant: several are booked, or money the other way."""
        if pending.name != "edit":
            return False
        told = self._booking.amounts(turn, turn.query, lexicon)
        if told.status != "ok" or not any(entry.item for entry in told.entries):
            return False
        if len(told.entries) > 1:
            return told.complete
        entry_id = str(pending.state.get("entry", ""))
        entry = await self._ledger.get(turn.person.person_id, entry_id)
        return entry is not None and told.entries[0].direction != entry.direction

    # --- answers to them ---------------------------------------------------------------------

    async def _answered(
        self, turn: Turn, pending: Pending, lexicon: Mapping[str, str]
    ) -> AgentResult | None:
        """Return what the text means for the open question; None when it is a new wish."""
        answer = classify_answer(turn.query)
        corrects = answer.kind == "correct" and bool(pending.state.get("entries"))
        if pending.name in {"booked", "removed"} or (pending.name == "amount" and corrects):
            return await self._about_booked(turn, pending, lexicon)
        if answer.kind in {"cancel", "deny"}:
            return say("ledger.cancelled")
        words = answer.rest if answer.kind == "correct" else turn.query
        if pending.name == "listed" or await self._is_other(turn, pending, lexicon):
            return None
        match pending.name:
            case "delete_all":
                ids = [str(i) for i in _strings(pending.state.get("entries"))]
                return await self._changes.remove(turn, ids) if answer.kind == "confirm" else None
            case "what_for" | "sign":
                return await self._booking.about_held(turn, pending, lexicon)
            case "edit":
                ids = [str(pending.state.get("entry", ""))]
                return await self._changes.by_words(turn, words, lexicon, ids=ids)
            case "review" if answer.kind not in {"confirm", "correct"}:
                return None
            case "review" if answer.kind == "confirm" or _are_several(pending):
                return await self._booking.reviewed(turn, pending, answer, lexicon)
            case _:
                return await self._booking.with_amount(turn, pending, words, lexicon)

    async def _about_booked(
        self, turn: Turn, pending: Pending, lexicon: Mapping[str, str]
    ) -> AgentResult | None:
        """Return what a short answer means right after a booking."""
        ids = [str(i) for i in _strings(pending.state.get("entries"))]
        answer = classify_answer(turn.query)
        if pending.name == "removed":
            return None
        match answer.kind:
            case "confirm":
                return say("ledger.fine")
            case "cancel" | "deny":
                return await self._changes.offer(turn, ids)
            case "correct":
                return await self._changes.by_words(turn, answer.rest, lexicon, ids=ids)
            case _:
                return None

    async def _nth(self, turn: Turn, order: NthOrder, lexicon: Mapping[str, str]) -> AgentResult:
        """Follow an order about the n-th of the entries that were shown last."""
        pending = turn.pending if turn.pending and turn.pending.name in ROWS else None
        ids = [str(i) for i in _strings(pending.state.get("entries"))] if pending else []
        if not 0 < order.n <= len(ids):
            result = await self._picks.which_nth(turn, order, ids, lexicon)
        elif order.kind == "delete":
            result = await self._changes.remove(turn, [ids[order.n - 1]])
        else:
            chosen = [ids[order.n - 1]]
            result = await self._changes.by_words(turn, order.rest, lexicon, ids=chosen)
        return replace(result, pending=replace(pending, asked_at=turn.now)) if pending else result

    async def _about_last(
        self, turn: Turn, last: LastThing, lexicon: Mapping[str, str]
    ) -> AgentResult:
        """Undo what was done last, or ask what it should have been."""
        pending = turn.pending
        name = pending.name if pending is not None else ""
        if pending is not None and pending.name == "amount" and pending.state.get("entries"):
            name = "booked"
        elif pending and not pending.soft and last.kind == "undo" and not last.noun:
            return say("ledger.cancelled")
        ids = [str(i) for i in _strings(pending.state.get("entries"))] if pending else []
        if name not in {"booked", "removed"}:
            ids = []
        if last.kind == "wrong" and name != "removed":
            change = change_from_words(turn, last.rest, lexicon)
            is_name = change is not None and change.item is not None and change.minor is None
            if last.rest and not (last.belongs and is_name):
                return await self._changes.by_words(turn, last.rest, lexicon, ids=ids)
            return await self._changes.ask_about(turn, ids)
        if name == "removed":
            return await self._changes.restore(turn, ids)
        before = from_json(Entries, pending.state.get("before") or []) if pending else ()
        if before:
            return await self._changes.revert(turn, before)
        return await (self._changes.remove(turn, ids) if ids else self._changes.delete(turn, ""))

    async def _about_linked(
        self, turn: Turn, ids: Sequence[str], lexicon: Mapping[str, str]
    ) -> AgentResult:
        """Follow an edited message, or an answer to the message of an entry."""
        if turn.edited:
            return await self._edited(turn, lexicon)
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
        if not words and QUESTION.search(turn.query):
            return say("ledger.change_unread", status=Status.CLARIFY)
        return await self._changes.by_words(turn, words or turn.query, lexicon, ids=ids)

    async def _dated(
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

    # --- edits and presses -------------------------------------------------------------------

    async def _edited(self, turn: Turn, lexicon: Mapping[str, str]) -> AgentResult:
        """Follow an edited message: the same entries, with what it says now."""
        ids = _ids(turn.linked)
        drafts = drafts_from(self._booking.amounts(turn, turn.query, lexicon), turn.now)
        if drafts.problem is not None or not drafts.entries:
            return await self._changes.offer(turn, ids, say="ledger.edit_unread")
        return await self._changes.replace(turn, ids, drafts.entries)

    async def _pressed(
        self, turn: Turn, name: str, arguments: Mapping[str, JsonValue]
    ) -> AgentResult:
        ids = [str(i) for i in _strings(arguments.get("entries"))]
        match name:
            case "undo":
                return await self._changes.remove(turn, ids)
            case "restore":
                return await self._changes.restore(turn, ids)
            case "edit":
                return await self._changes.ask(turn, str(arguments.get("entry", "")))
            case "change":
                change = from_json(EntryChange, arguments.get("change"))
                return await self._changes.apply(turn, str(arguments.get("entry", "")), change)
            case "category":
                named = change_from_words(turn, str(arguments.get("category", "")), {})
                return await self._changes.apply(turn, str(arguments.get("entry", "")), named)
            case "book":
                drafts = from_json(DraftList, arguments.get("entries"))
                return await self._booking.insert(turn, drafts)
            case _:
                return replace(say("ledger.cancelled"), repaint=True)


def _are_several(pending: Pending) -> bool:
    return len(_strings(pending.state.get("entries"))) > 1


def _ids(linked: Sequence[str]) -> list[str]:
    return [ref.removeprefix("ledger:") for ref in linked if ref.startswith("ledger:")]


def _strings(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _to_chat(turn: Turn) -> AgentResult:
    """Pass on what mentions money and is not to be booked (seed 000)."""
    held = HeldMessage(
        text=turn.query,
        message_id=turn.message_id,
        occurred_at=turn.now,
        attachments=turn.attachments,
    )
    return AgentResult(blocks=(), hand_off=HandOff(message=held, intent=CHAT))

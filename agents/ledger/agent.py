"""The ledger agent: books, corrects, deletes and answers from the person's own words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from agents.ledger.booking import DraftList, EntryBooking, asks, is_bare, no_answer, say
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
from agents.ledger.references import EntryReferences
from agents.ledger.undoing import KEPT, EntryUndo, with_steps
from agents.ledger.unnamed import answer_in
from agents.orders import Order, parse_order
from bot.core.agents import AgentResult, HandOff, Turn, zone_of
from bot.core.codec import from_json
from bot.core.events import HeldMessage
from bot.core.ledger import EntryChange, Ledger
from bot.core.messages import TextBlock
from bot.core.outbox import Purpose
from bot.core.sessions import Expects, Pending
from bot.core.words import text
from bot.language.corrections import parse_correction, parse_price
from bot.language.dated_orders import is_about_entries, parse_dated_order
from bot.language.last_thing import (
    names_last,
    parse_last_few,
    parse_last_thing,
    removes_it,
)
from bot.language.ledger_queries import parse_ledger_query
from bot.language.nth_entries import parse_nth_order
from bot.language.taken_back import taken_back
from bot.language.undo_words import brings_back

INTENT = "ledger_manager"
CHAT = "chat_manager"
NOT_HERE = {
    "adjust": "ledger.which_to_adjust",
    "average": "ledger.no_averages",
    "balance": "ledger.no_balances",
    "budget": "ledger.no_budgets",
    "except": "ledger.no_except",
    "export": "ledger.no_export",
    "ranking": "ledger.no_ranking",
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
        self._undo = EntryUndo(self._changes, self._picks)
        self._references = EntryReferences(self._changes, self._picks, self._undo)
        self._questions = LedgerQuestions(ledger)

    @property
    def intent(self) -> str:
        """Routing label."""
        return INTENT

    async def handle(self, turn: Turn) -> AgentResult:
        """Return the answer to a press, an edit, an open question or a new wish."""
        return with_steps(turn, await self._answer(turn))

    async def _answer(self, turn: Turn) -> AgentResult:
        if turn.action is not None:
            return await self._pressed(turn, turn.action.name, turn.action.arguments)
        if turn.recalled_at is not None:
            return await what_stays(self._ledger, turn, _ids(turn.linked), turn.recalled_at)
        lexicon = await self._ledger.learned_categories(turn.person.person_id)
        if turn.linked:
            return await self._linked(turn, _ids(turn.linked), lexicon)
        if turn.command:
            return await self._questions.recent(turn)
        return await self._said(turn, lexicon)

    async def _said(self, turn: Turn, lexicon: Mapping[str, str]) -> AgentResult:
        """Follow words about what is there, then the open question, then a new wish."""
        order = parse_nth_order(turn.query)
        if order is not None and order.noun != "reminder":
            return await self._references.nth(turn, order, lexicon)
        if brings_back(turn.query) and turn.pending is not None:
            return await self._undo.forth(turn)
        last = parse_last_thing(turn.query)
        if last is not None and last.noun != "reminder" and not _answers_question(turn):
            return await self._references.last(turn, last, lexicon)
        if few := parse_last_few(turn.query):
            return await self._picks.ask_delete_last(turn, few)
        dated = parse_dated_order(turn.query, turn.now, zone_of(turn.now))
        if dated is not None and dated.past is not None and is_about_entries(dated):
            return await self._references.dated(turn, dated, dated.past, lexicon)
        if (put_right := await self._put_right(turn, lexicon)) is not None:
            return put_right
        if turn.pending is not None:
            answered = await self._answered(turn, turn.pending, lexicon)
            if answered is not None:
                return answered
        result = await self._wish(turn, lexicon)
        if (
            turn.pending is not None
            and turn.pending.name == "edit"
            and result.purpose is not Purpose.CONFIRMATION
        ):
            return replace(result, blocks=(*result.blocks, TextBlock(text("ledger.edit_left"))))
        return result

    async def _put_right(self, turn: Turn, lexicon: Mapping[str, str]) -> AgentResult | None:
        """Correct the entry that the message names by its thing; None when it names none."""
        if _is_reviewed(turn):
            return None
        fixed = parse_correction(turn.query, turn.now, zone_of(turn.now))
        if fixed is not None:
            return await self._references.corrected(turn, fixed, lexicon)
        price = parse_price(turn.query)
        return await self._references.same_thing(turn, price, lexicon) if price else None

    # --- new wishes --------------------------------------------------------------------------

    async def _wish(self, turn: Turn, lexicon: Mapping[str, str]) -> AgentResult:
        if said := taken_back(turn.query):
            drafts = drafts_from(self._booking.amounts(turn, said, lexicon), turn.now)
            if drafts.entries:
                return await self._picks.taken_back(turn, drafts.entries)
        order = parse_order("ledger", turn.query)
        query = parse_ledger_query(turn.query, now=turn.now, tz=zone_of(turn.now))
        can_rank = query is not None and query.what == "ranking"
        if order is not None and not (order.kind == "ranking" and can_rank):
            return await self._do(turn, order, lexicon)
        if query is not None:
            return await self._questions.answer(turn, query)
        answer = answer_in(turn.query)
        if answer.kind == "correct":
            return await self._references.unnamed(turn, answer.rest, lexicon)
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
            if again:
                return say("ledger.gone")
            return await self._references.delete(turn, order.target)
        if names_category(turn.query) and find_category(order.rest.strip()) is None:
            return unknown_category(turn, order.rest)
        if not order.target and not names_last(turn.query):
            return await self._references.unnamed(turn, order.rest, lexicon)
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

    async def _is_passed(self, turn: Turn, pending: Pending, lexicon: Mapping[str, str]) -> bool:
        """Whether a new wish was said, whatever is open."""
        if pending.name in {"listed", KEPT} or await self._is_other(turn, pending, lexicon):
            return True
        return Expects.WORDS in pending.expects and self._goes_past(turn, lexicon)

    async def _edit(
        self, turn: Turn, pending: Pending, words: str, lexicon: Mapping[str, str]
    ) -> AgentResult:
        """Make the entry what the words say; a question is no name for it."""
        ids = [str(pending.state.get("entry", ""))]
        if asks(words):
            return no_answer()
        if removes_it(words):
            return await self._changes.remove(turn, ids)
        return await self._changes.by_words(turn, words, lexicon, ids=ids)

    def _goes_past(self, turn: Turn, lexicon: Mapping[str, str]) -> bool:
        """Whether a question to the ledger or an order about other entries was said, no name."""
        order = parse_order("ledger", turn.query)
        if order is not None:
            return bool(order.target) or order.kind not in {"change", "delete"}
        query = parse_ledger_query(turn.query, now=turn.now, tz=zone_of(turn.now))
        return (
            query is not None and self._booking.amounts(turn, turn.query, lexicon).status != "ok"
        )

    # --- answers to them ---------------------------------------------------------------------

    async def _answered(
        self, turn: Turn, pending: Pending, lexicon: Mapping[str, str]
    ) -> AgentResult | None:
        """Return what the text means for the open question; None when it is a new wish."""
        answer = answer_in(turn.query)
        corrects = answer.kind == "correct" and bool(pending.state.get("entries"))
        if pending.name in {"booked", "removed"} or (pending.name == "amount" and corrects):
            return await self._about_booked(turn, pending, lexicon)
        if answer.kind in {"cancel", "deny"}:
            return say("ledger.cancelled")
        words = answer.rest if answer.kind == "correct" else turn.query
        if await self._is_passed(turn, pending, lexicon):
            return None
        match pending.name:
            case "delete_all":
                ids = [str(i) for i in _strings(pending.state.get("entries"))]
                return await self._changes.remove(turn, ids) if answer.kind == "confirm" else None
            case "what_for" | "sign":
                return await self._booking.about_held(turn, pending, answer, lexicon)
            case "edit":
                return await self._edit(turn, pending, words, lexicon)
            case "review" if answer.kind not in {"confirm", "correct"}:
                return None
            case "review":
                return await self._booking.reviewed(turn, pending, answer, lexicon)
            case _:
                return await self._booking.with_amount(turn, pending, words, lexicon)

    async def _about_booked(
        self, turn: Turn, pending: Pending, lexicon: Mapping[str, str]
    ) -> AgentResult | None:
        """Return what a short answer means right after a booking."""
        ids = [str(i) for i in _strings(pending.state.get("entries"))]
        answer = answer_in(turn.query)
        if pending.name == "removed":
            return None
        match answer.kind:
            case "confirm":
                return say("ledger.fine")
            case "cancel" | "deny":
                return await self._changes.offer(turn, ids)
            case "correct":
                return await self._references.unnamed(turn, answer.rest, lexicon)
            case _:
                return None

    # --- edits and presses -------------------------------------------------------------------

    async def _linked(
        self, turn: Turn, ids: Sequence[str], lexicon: Mapping[str, str]
    ) -> AgentResult:
        """Follow an edited message, or an answer to the message of an entry."""
        if turn.edited:
            return await self._edited(turn, lexicon)
        return await self._references.linked(turn, ids, lexicon)

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


def _is_reviewed(turn: Turn) -> bool:
    """Whether entries wait for a yes: what is corrected is one of them."""
    return turn.pending is not None and turn.pending.name == "review" and not turn.pending.soft


def _answers_question(turn: Turn) -> bool:
    """Whether a correction that names no entry is said to the question that is open."""
    is_open = turn.pending is not None and not turn.pending.soft
    return is_open and answer_in(turn.query).kind == "correct"


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

"""Questions about the ledger: totals of a period, by category, lists."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from pydantic import JsonValue

from agents.ledger import present
from agents.ledger.changes import INTENT
from agents.reasons import reason_words
from agents.tools.ledger import Entries, Totals
from bot.core.agents import AgentResult, Status, Turn
from bot.core.codec import from_json
from bot.core.effects import ToolCall
from bot.core.ledger import Direction
from bot.core.messages import TextBlock
from bot.core.sessions import Pending
from bot.core.words import Lines, Text, Verbatim, Words, text
from bot.language.categories import category_name
from bot.language.ledger_queries import LedgerQuery
from bot.locales.moments import day_words

RECENT = 10
LISTED = 20


class LedgerQuestions:
    """Answers from stored rows; the range is always shown, and so is zero."""

    async def recent(self, turn: Turn) -> AgentResult:
        """Return the entries written last."""
        arguments: dict[str, JsonValue] = {"limit": RECENT}
        found = await self._one(turn, ToolCall(name="ledger_list_recent", arguments=arguments))
        return self._list(turn, from_json(Entries, found), text("ledger.recent"))

    async def answer(self, turn: Turn, query: LedgerQuery) -> AgentResult:
        """Return totals, shares or a list for the asked period."""
        if query.time.status in {"ask", "reject"}:
            words = reason_words(query.time.reason)
            return AgentResult(blocks=(TextBlock(words),), status=Status.CLARIFY)
        if query.what == "list" and query.start is None and not (query.category or query.item):
            arguments: dict[str, JsonValue] = {"limit": query.limit or RECENT}
            call = ToolCall(name="ledger_list_recent", arguments=arguments)
            entries = from_json(Entries, await self._one(turn, call))
            return self._list(turn, entries, text("ledger.recent"))
        filters: dict[str, JsonValue] = {
            "since": query.start.isoformat() if query.start else None,
            "until": query.end.isoformat() if query.end else None,
            "category": query.category or None,
            "item": query.item or None,
        }
        title = _title(query, turn)
        if query.what == "compare":
            return await self._compare(turn, query, filters)
        if query.what == "balance":
            return await self._balance(turn, query, filters, title)
        if query.what == "list":
            filters |= {"limit": query.limit or LISTED}
            found = await self._one(turn, ToolCall(name="ledger_list", arguments=filters))
            entries = from_json(Entries, _part(found, "entries"))
            if not entries and query.item and not query.complete:
                words = text("ledger.list_unknown", said=Verbatim(query.item))
                return AgentResult(blocks=(TextBlock(words),), status=Status.CLARIFY)
            return self._list(turn, entries, title)
        by_category = query.what == "by_category"
        filters |= {"totals": True, "by_category": by_category}
        if query.direction == Direction.INCOME:
            filters |= {"direction": query.direction}
        found = await self._one(turn, ToolCall(name="ledger_list", arguments=filters))
        totals = from_json(Totals, _part(found, "totals"))
        if query.direction == Direction.EXPENSE:
            spending = {Direction.EXPENSE, Direction.REFUND}
            totals = tuple(total for total in totals if total.direction in spending)
        if not totals and query.item and not query.complete:
            words = text("ledger.sum_unknown", title=title)
            return AgentResult(blocks=(TextBlock(words),))
        return self._sums(turn, totals, title, by_category=by_category)

    async def _balance(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue], title: Words
    ) -> AgentResult:
        """Return what came in, what went out, and the difference, by currency."""
        whole = {"since": filters["since"], "until": filters["until"], "totals": True}
        found = await self._one(turn, ToolCall(name="ledger_list", arguments=whole))
        totals = from_json(Totals, _part(found, "totals"))
        if not totals:
            return AgentResult(blocks=(TextBlock(text("ledger.sum_empty", title=title)),))
        lines = (*present.total_words(totals), *present.balance_words(totals))
        words = [TextBlock(text("ledger.sums", title=title, lines=Lines(lines)))]
        if query.start is None:
            words.append(TextBlock(text("ledger.balance_note")))
        return AgentResult(blocks=tuple(words))

    async def _compare(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue]
    ) -> AgentResult:
        """Return the totals of both stretches of days and what lies between them."""
        since, until = query.against or (query.start, query.end)
        direction = Direction(query.direction)
        asked = filters | {"totals": True}
        before = asked | {
            "since": since.isoformat() if since else None,
            "until": until.isoformat() if until else None,
        }

        async def decide() -> Sequence[ToolCall]:
            return [ToolCall(name="ledger_list", arguments=a) for a in (asked, before)]

        made = await turn.tools.perform(decide)
        later, earlier = (from_json(Totals, _part(result, "totals")) for _, result in made)
        titles = (_title(query, turn), _title(replace(query, start=since, end=until), turn))
        lines = present.difference_words(titles, (later, earlier), direction, turn.person.currency)
        blocks = [TextBlock(text("ledger.compared", lines=Lines(lines)))]
        if query.end is not None and query.end > turn.now.date() + timedelta(days=1):
            blocks.append(TextBlock(text("ledger.compared_not_over")))
        return AgentResult(blocks=tuple(blocks))

    @staticmethod
    async def _one(turn: Turn, call: ToolCall) -> JsonValue:
        async def decide() -> Sequence[ToolCall]:
            return [call]

        ((_, result),) = await turn.tools.perform(decide)
        return result

    @staticmethod
    def _list(turn: Turn, entries: Entries, title: Words) -> AgentResult:
        if not entries:
            return AgentResult(blocks=(TextBlock(text("ledger.list_empty", title=title)),))
        blocks = (TextBlock(title), present.list_block(entries, turn.locale))
        edits = tuple(
            present.edit_button(entry, ordinal=i) for i, entry in enumerate(entries[:3], 1)
        )
        return AgentResult(
            blocks=blocks,
            buttons=(edits,),
            entities=present.entry_refs(entries[:1]),
            pending=Pending(
                agent=INTENT,
                name="listed",
                question=text("ledger.ask_edit_short"),
                asked_at=turn.now,
                state={"entries": [entry.entry_id for entry in entries]},
                soft=True,
            ),
        )

    @staticmethod
    def _sums(turn: Turn, totals: Totals, title: Words, *, by_category: bool) -> AgentResult:
        if not totals:
            return AgentResult(blocks=(TextBlock(text("ledger.sum_empty", title=title)),))
        lines = Lines(present.total_words(present.summed(totals)))
        words = TextBlock(text("ledger.sums", title=title, lines=lines))
        shares = present.category_blocks(totals, turn.locale) if by_category else ()
        return AgentResult(blocks=(words, *shares))


def _title(query: LedgerQuery, turn: Turn) -> Text:
    what: Words = text("ledger.everything")
    if query.item:
        what = Verbatim(query.item)
    elif query.category:
        what = Verbatim(category_name(query.category, turn.locale))
    if query.start is None or query.end is None:
        return text("ledger.title_all", what=what)
    last = query.end - timedelta(days=1)
    if last == query.start:
        return text("ledger.title_day", what=what, day=day_words(last, turn.locale))
    return text(
        "ledger.title_range",
        what=what,
        since=day_words(query.start, turn.locale),
        last=day_words(last, turn.locale),
    )


def _part(found: JsonValue, name: str) -> JsonValue:
    return found.get(name, []) if isinstance(found, dict) else []

"""Questions about the ledger: totals of a period, by category, lists."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from pydantic import JsonValue

from agents.ledger import present
from agents.ledger import totals as sums
from agents.ledger.changes import INTENT
from agents.ledger.stretches import part_words, parts_of
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
from bot.language.normalize import is_han
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
        filters: dict[str, JsonValue] = {
            "since": query.start.isoformat() if query.start else None,
            "until": query.end.isoformat() if query.end else None,
            **_about(query),
        }
        if query.direction not in {"", Direction.EXPENSE} and query.what != "compare":
            filters["direction"] = query.direction
        title = _title(query, turn)
        if query.what == "compare":
            return await self._compare(turn, query, filters)
        if query.beside and query.what == "total":
            return await self._each(turn, query, filters)
        if query.what == "balance":
            return await self._balance(turn, query, filters, title)
        if query.what == "list":
            return await self._rows(turn, query, filters, title)
        if query.each is not None:
            return await self._by_period(turn, query, filters)
        return await self._summed(turn, query, filters, title)

    async def _summed(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue], title: Words
    ) -> AgentResult:
        """Return the total of what was asked about, by category where that was asked for."""
        by_category = query.what == "by_category"
        filters |= {"totals": True, "by_category": by_category}
        found = await self._one(turn, ToolCall(name="ledger_list", arguments=filters))
        totals = from_json(Totals, _part(found, "totals"))
        if query.direction == Direction.EXPENSE:
            totals = sums.of_direction(totals, Direction.EXPENSE)
        if not totals and query.also:
            return await self._widened(turn, query)
        if not totals and query.item and not query.complete:
            words = text("ledger.sum_unknown", title=title)
            return AgentResult(blocks=(TextBlock(words),))
        answer = self._sums(turn, totals, title, by_category=by_category)
        if query.direction in {Direction.LEND, Direction.BORROW}:
            return replace(answer, blocks=(*answer.blocks, TextBlock(text("ledger.loans_note"))))
        return answer

    async def _by_period(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue]
    ) -> AgentResult:
        """Return the sums of the days, weeks, months or years of a stretch, one by one."""
        today = turn.now.date()
        grain, parts = parts_of(query.each or "month", query.start, query.end, today)
        if not parts:
            words = text("ledger.sum_empty", title=_title(query, turn))
            return AgentResult(blocks=(TextBlock(words),))
        asked = [filters | {"since": str(since), "until": str(until)} for since, until in parts]
        totals = await self._totals(turn, asked)
        first = next((n for n, each in enumerate(totals) if each), 0)
        if query.start is None:  # what came before the first entry tells nothing
            parts, totals = parts[first:], totals[first:]
        direction = Direction(query.direction or Direction.EXPENSE)
        title = _title(replace(query, start=parts[0][0], end=parts[-1][1]), turn)
        whole = [total for each in totals for total in each]
        answer = self._sums(turn, sums.of_direction(whole, direction), title, by_category=False)
        if not whole:
            return answer
        labels = [part_words(grain, part, turn.locale) for part in parts]
        blocks = sums.period_blocks(labels, totals, direction, turn.person.currency)
        return replace(answer, blocks=(*answer.blocks, *blocks))

    async def _widened(self, turn: Turn, query: LedgerQuery) -> AgentResult:
        """Say that nothing is called so, and answer for the thing without what narrows it."""
        wider = await self.answer(turn, replace(query, also=()))
        none = text("ledger.none_so_called", said=_called(query, turn))
        return replace(wider, blocks=(TextBlock(none), *wider.blocks))

    async def _rows(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue], title: Words
    ) -> AgentResult:
        """Return the entries that were asked for; without any condition the latest."""
        is_any = query.direction in {"", Direction.EXPENSE}
        if query.start is None and is_any and not (query.category or query.item):
            arguments: dict[str, JsonValue] = {"limit": query.limit or RECENT}
            call = ToolCall(name="ledger_list_recent", arguments=arguments)
            entries = from_json(Entries, await self._one(turn, call))
            return self._list(turn, entries, text("ledger.recent"))
        entries = await self._of_each(turn, query, filters | {"limit": query.limit or LISTED})
        if not entries and query.also:
            return await self._widened(turn, query)
        if not entries and query.item and not query.complete:
            words = text("ledger.list_unknown", said=Verbatim(query.item))
            return AgentResult(blocks=(TextBlock(words),), status=Status.CLARIFY)
        return self._list(turn, entries, title)

    async def _balance(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue], title: Words
    ) -> AgentResult:
        """Return what came in, what went out, and the difference, by currency."""
        whole = {"since": filters["since"], "until": filters["until"], "totals": True}
        found = await self._one(turn, ToolCall(name="ledger_list", arguments=whole))
        totals = from_json(Totals, _part(found, "totals"))
        if not totals:
            return AgentResult(blocks=(TextBlock(text("ledger.sum_empty", title=title)),))
        lines = (*sums.total_words(totals), *sums.balance_words(totals))
        words = [TextBlock(text("ledger.sums", title=title, lines=Lines(lines)))]
        if query.start is None:
            words.append(TextBlock(text("ledger.balance_note")))
        return AgentResult(blocks=tuple(words))

    async def _compare(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue]
    ) -> AgentResult:
        """Return the totals of both sides and what lies between them."""
        since, until = query.against or (query.start, query.end)
        other = replace(_other(query), start=since, end=until)
        before = filters | {
            "since": since.isoformat() if since else None,
            "until": until.isoformat() if until else None,
            **_about(other),
        }
        sides = [filters] if before == filters else [filters, before]
        totals = await self._totals(turn, sides)
        titles = (_title(query, turn), _title(other, turn))
        direction, currency = Direction(query.direction), turn.person.currency
        if len(totals) == 1:
            lines = sums.sum_words(titles[:1], totals, direction, currency)
            same = text("ledger.compared_alike", lines=Lines(lines))
            return AgentResult(blocks=(TextBlock(same),))
        lines = sums.difference_words(titles, (totals[0], totals[1]), direction, currency)
        blocks = [TextBlock(text("ledger.compared", lines=Lines(lines)))]
        is_open = query.end is not None and query.end > turn.now.date() + timedelta(days=1)
        if is_open and (since, until) != (query.start, query.end):
            blocks.append(TextBlock(text("ledger.compared_not_over")))
        return AgentResult(blocks=tuple(blocks))

    async def _each(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue]
    ) -> AgentResult:
        """Return the sum of each thing that was named, and of all, where none is in another."""
        asked = _asked(query)
        totals = await self._totals(turn, [filters | _about(each) for each in asked])
        titles = [_title(each, turn) for each in asked]
        direction = Direction(query.direction or Direction.EXPENSE)
        lines = sums.sum_words(titles, totals, direction, turn.person.currency)
        if _overlap(asked):
            lines = (*lines, text("ledger.each_overlap"))
        else:
            lines = (*lines, *sums.together_words(totals, direction, turn.person.currency))
        return AgentResult(blocks=(TextBlock(text("ledger.compared", lines=Lines(lines))),))

    async def _of_each(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue]
    ) -> Entries:
        """Return the entries of each thing that was named, the latest day first."""

        async def decide() -> Sequence[ToolCall]:
            asked = (filters | _about(each) for each in _asked(query))
            return [ToolCall(name="ledger_list", arguments=arguments) for arguments in asked]

        made = await turn.tools.perform(decide)
        found = [entry for _, r in made for entry in from_json(Entries, _part(r, "entries"))]
        once = {entry.entry_id: entry for entry in found}.values()
        if len(made) == 1:
            return tuple(once)
        return tuple(sorted(once, key=lambda e: (e.occurred_on, e.created_at), reverse=True))

    @staticmethod
    async def _totals(turn: Turn, asked: Sequence[dict[str, JsonValue]]) -> list[Totals]:
        async def decide() -> Sequence[ToolCall]:
            return [ToolCall(name="ledger_list", arguments=a | {"totals": True}) for a in asked]

        made = await turn.tools.perform(decide)
        return [from_json(Totals, _part(result, "totals")) for _, result in made]

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
        lines = Lines(sums.total_words(sums.summed(totals)))
        words = TextBlock(text("ledger.sums", title=title, lines=lines))
        shares = sums.category_blocks(totals, turn.locale) if by_category else ()
        return AgentResult(blocks=(words, *shares))


def _about(query: LedgerQuery) -> dict[str, JsonValue]:
    """Return what filters by the thing: its name where it has one, wherever it is filed."""
    return {
        "category": None if query.item else query.category or None,
        "item": query.item or None,
        "also": list(query.also),
    }


def _asked(query: LedgerQuery) -> list[LedgerQuery]:
    """Return a question for each thing that was named."""
    others = [replace(query, category=t.category, item=t.item, also=t.also) for t in query.beside]
    return [query, *others]


def _other(query: LedgerQuery) -> LedgerQuery:
    return _asked(query)[-1]


def _overlap(asked: Sequence[LedgerQuery]) -> bool:
    """Whether one of the things may be a part of another, so that they cannot be added."""
    return any(
        (one.item and other.item and one.item in other.item)
        or (one.category == other.category and not (one.item and other.item))
        for one in asked
        for other in asked
        if one is not other
    )


def _title(query: LedgerQuery, turn: Turn) -> Text:
    asked = _asked(query) if query.what == "list" else [query]
    what = tuple(_called(each, turn) for each in asked)
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


def _called(query: LedgerQuery, turn: Turn) -> Words:
    if query.item:
        gap = "" if is_han(query.item[0]) else " "
        return Verbatim(gap.join((*query.also, query.item)))
    if query.category:
        return Verbatim(category_name(query.category, turn.locale))
    return text("ledger.everything")


def _part(found: JsonValue, name: str) -> JsonValue:
    return found.get(name, []) if isinstance(found, dict) else []

"""Questions about the ledger: totals of a period, by category, lists."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from pydantic import JsonValue

from agents.ledger import totals as sums
from agents.ledger.asked import (
    about,
    asked_about,
    called,
    compared_with,
    listed,
    one_call,
    overlap,
    part,
    title_of,
    totals_of,
)
from agents.ledger.rankings import LedgerRankings
from agents.ledger.stretches import part_words, parts_of
from agents.reasons import reason_words
from agents.tools.ledger import Entries, Totals
from bot.core.agents import AgentResult, Status, Turn
from bot.core.codec import from_json
from bot.core.effects import ToolCall
from bot.core.ledger import Direction, Ledger
from bot.core.messages import TextBlock
from bot.core.words import Lines, Verbatim, Words, text
from bot.language.ledger_queries import LedgerQuery
from bot.locales.catalogue import money

RECENT = 10
LISTED = 20


class LedgerQuestions:
    """Answers from stored rows; the range is always shown, and so is zero."""

    def __init__(self, ledger: Ledger) -> None:
        self._rankings = LedgerRankings(ledger)

    async def recent(self, turn: Turn) -> AgentResult:
        """Return the entries written last."""
        arguments: dict[str, JsonValue] = {"limit": RECENT}
        found = await one_call(turn, ToolCall(name="ledger_list_recent", arguments=arguments))
        return listed(turn, from_json(Entries, found), text("ledger.recent"))

    async def answer(self, turn: Turn, query: LedgerQuery) -> AgentResult:
        """Return totals, shares or a list for the asked period."""
        if query.time.status in {"ask", "reject"}:
            words = reason_words(query.time.reason)
            return AgentResult(blocks=(TextBlock(words),), status=Status.CLARIFY)
        filters: dict[str, JsonValue] = {
            "since": query.start.isoformat() if query.start else None,
            "until": query.end.isoformat() if query.end else None,
            **about(query),
        }
        if query.direction not in {"", Direction.EXPENSE} and query.what != "compare":
            filters["direction"] = query.direction
        title = title_of(query, turn)
        if query.what == "share":
            return await self._share(turn, query, filters)
        if query.what == "ranking":
            return await self._rankings.answer(turn, query, filters)
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

    async def _share(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue]
    ) -> AgentResult:
        """Return what was spent on a thing, and how much of the whole that is."""
        whole = replace(compared_with(query), beside=())
        within = {"category": filters["category"] or (whole.category or None)}
        if query.category == whole.category:
            within = {"category": query.category}
        sides = await totals_of(turn, [filters | within, filters | about(whole)])
        direction, lines = Direction(query.direction or Direction.EXPENSE), list[Words]()
        for code in dict.fromkeys(total.currency for total in sides[1]):
            amount, total = (sums.net_of(side, code, direction) for side in sides)
            if total > 0:
                words = text(
                    "ledger.share",
                    part=called(query, turn),
                    whole=called(whole, turn),
                    amount=money(amount, code),
                    total=money(total, code),
                    percent=f"{amount * 100 / total:.1f}".removesuffix(".0"),
                )
                lines.append(words)
        if not lines:
            empty = text("ledger.sum_empty", title=title_of(whole, turn))
            return AgentResult(blocks=(TextBlock(empty),))
        title = title_of(replace(query, beside=()), turn)
        words = text("ledger.sums", title=title, lines=Lines(tuple(lines)))
        return AgentResult(blocks=(TextBlock(words),))

    async def _summed(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue], title: Words
    ) -> AgentResult:
        """Return the total of what was asked about, by category where that was asked for."""
        by_category = query.what == "by_category"
        filters |= {"totals": True, "by_category": by_category}
        found = await one_call(turn, ToolCall(name="ledger_list", arguments=filters))
        totals = from_json(Totals, part(found, "totals"))
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
            words = text("ledger.sum_empty", title=title_of(query, turn))
            return AgentResult(blocks=(TextBlock(words),))
        asked = [filters | {"since": str(since), "until": str(until)} for since, until in parts]
        totals = await totals_of(turn, asked)
        first = next((n for n, each in enumerate(totals) if each), 0)
        if query.start is None:  # what came before the first entry tells nothing
            parts, totals = parts[first:], totals[first:]
        direction = Direction(query.direction or Direction.EXPENSE)
        title = title_of(replace(query, start=parts[0][0], end=parts[-1][1]), turn)
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
        none = text("ledger.none_so_called", said=called(query, turn))
        return replace(wider, blocks=(TextBlock(none), *wider.blocks))

    async def _rows(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue], title: Words
    ) -> AgentResult:
        """Return the entries that were asked for; without any condition the latest."""
        is_any = query.direction in {"", Direction.EXPENSE}
        if query.start is None and is_any and not (query.category or query.item):
            arguments: dict[str, JsonValue] = {"limit": query.limit or RECENT}
            call = ToolCall(name="ledger_list_recent", arguments=arguments)
            entries = from_json(Entries, await one_call(turn, call))
            return listed(turn, entries, text("ledger.recent"))
        entries = await self._of_each(turn, query, filters | {"limit": query.limit or LISTED})
        if not entries and query.also:
            return await self._widened(turn, query)
        if not entries and query.item and not query.complete:
            words = text("ledger.list_unknown", said=Verbatim(query.item))
            return AgentResult(blocks=(TextBlock(words),), status=Status.CLARIFY)
        return listed(turn, entries, title)

    async def _balance(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue], title: Words
    ) -> AgentResult:
        """Return what came in, what went out, and the difference, by currency."""
        whole = {"since": filters["since"], "until": filters["until"], "totals": True}
        found = await one_call(turn, ToolCall(name="ledger_list", arguments=whole))
        totals = from_json(Totals, part(found, "totals"))
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
        other = replace(compared_with(query), start=since, end=until)
        before = filters | {
            "since": since.isoformat() if since else None,
            "until": until.isoformat() if until else None,
            **about(other),
        }
        sides = [filters] if before == filters else [filters, before]
        totals = await totals_of(turn, sides)
        titles = (title_of(query, turn), title_of(other, turn))
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
        asked = asked_about(query)
        totals = await totals_of(turn, [filters | about(each) for each in asked])
        titles = [title_of(each, turn) for each in asked]
        direction = Direction(query.direction or Direction.EXPENSE)
        lines = sums.sum_words(titles, totals, direction, turn.person.currency)
        if overlap(asked):
            lines = (*lines, text("ledger.each_overlap"))
        else:
            lines = (*lines, *sums.together_words(totals, direction, turn.person.currency))
        return AgentResult(blocks=(TextBlock(text("ledger.compared", lines=Lines(lines))),))

    async def _of_each(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue]
    ) -> Entries:
        """Return the entries of each thing that was named, the latest day first."""

        async def decide() -> Sequence[ToolCall]:
            asked = (filters | about(each) for each in asked_about(query))
            return [ToolCall(name="ledger_list", arguments=arguments) for arguments in asked]

        made = await turn.tools.perform(decide)
        found = [entry for _, r in made for entry in from_json(Entries, part(r, "entries"))]
        once = {entry.entry_id: entry for entry in found}.values()
        if len(made) == 1:
            return tuple(once)
        return tuple(sorted(once, key=lambda e: (e.occurred_on, e.created_at), reverse=True))

    @staticmethod
    def _sums(turn: Turn, totals: Totals, title: Words, *, by_category: bool) -> AgentResult:
        if not totals:
            return AgentResult(blocks=(TextBlock(text("ledger.sum_empty", title=title)),))
        lines = Lines(sums.total_words(sums.summed(totals)))
        words = TextBlock(text("ledger.sums", title=title, lines=lines))
        shares = sums.category_blocks(totals, turn.locale) if by_category else ()
        return AgentResult(blocks=(words, *shares))

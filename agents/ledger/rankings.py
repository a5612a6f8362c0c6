"""The largest or smallest entries: of those just shown, else of the stretch asked about."""

from pydantic import JsonValue

from agents.ledger.asked import listed, part, title_of, totals_of
from agents.tools.ledger import Entries
from bot.core.agents import AgentResult, Turn
from bot.core.codec import from_json
from bot.core.effects import ToolCall
from bot.core.ledger import Direction, Ledger
from bot.core.messages import TextBlock
from bot.core.words import text
from bot.language.ledger_queries import LedgerQuery

SHOWN = frozenset({"booked", "listed"})
"""Soft questions whose entries "the most expensive" is said of."""

MOST = 10


class LedgerRankings:
    """Compares amounts within each currency, never across."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def answer(
        self, turn: Turn, query: LedgerQuery, filters: dict[str, JsonValue]
    ) -> AgentResult:
        """Return so many of the largest or smallest entries, by currency."""
        key = "ledger.title_smallest" if query.smallest else "ledger.title_largest"
        shown = await self._shown(turn, query)
        if len(shown) > 1:
            return listed(turn, _ends(shown, query), text(key, title=text("ledger.these")))
        filters = filters | {"direction": query.direction or Direction.EXPENSE.value}
        title = title_of(query, turn)
        (totals,) = await totals_of(turn, [filters])
        if not totals:
            empty = text("ledger.sum_empty", title=title)
            return AgentResult(blocks=(TextBlock(empty),))

        async def decide() -> list[ToolCall]:
            order = "smallest" if query.smallest else "largest"
            limit = min(query.limit or 1, MOST)
            return [
                ToolCall(
                    name="ledger_list",
                    arguments=filters | {"currency": code, "order": order, "limit": limit},
                )
                for code in dict.fromkeys(total.currency for total in totals)
            ]

        made = await turn.tools.perform(decide)
        found = [entry for _, r in made for entry in from_json(Entries, part(r, "entries"))]
        return listed(turn, tuple(found), text(key, title=title))

    async def _shown(self, turn: Turn, query: LedgerQuery) -> Entries:
        """Return the expenses just shown, where nothing else is named to look through."""
        pending = turn.pending
        is_open = query.start is None and not (query.category or query.item)
        if pending is None or pending.name not in SHOWN or not is_open:
            return ()
        held = pending.state.get("entries")
        ids = [str(i) for i in held] if isinstance(held, list) else []
        found = [await self._ledger.get(turn.person.person_id, entry_id) for entry_id in ids]
        return tuple(
            entry
            for entry in found
            if entry is not None and not entry.voided and entry.direction is Direction.EXPENSE
        )


def _ends(entries: Entries, query: LedgerQuery) -> Entries:
    ordered = sorted(entries, key=lambda e: e.minor, reverse=not query.smallest)
    return tuple(
        entry
        for code in dict.fromkeys(e.currency for e in entries)
        for entry in [e for e in ordered if e.currency == code][: query.limit or 1]
    )

"""What the questions to the ledger have in common: filters, titles, calls and lists."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from pydantic import JsonValue

from agents.ledger import present
from agents.ledger.changes import INTENT
from agents.tools.ledger import Entries, Totals
from bot.core.agents import AgentResult, Turn
from bot.core.codec import from_json
from bot.core.effects import ToolCall
from bot.core.messages import TextBlock
from bot.core.sessions import Pending
from bot.core.words import Text, Verbatim, Words, text
from bot.language.categories import category_name
from bot.language.ledger_queries import LedgerQuery
from bot.language.normalize import is_han
from bot.locales.moments import day_words


def about(query: LedgerQuery) -> dict[str, JsonValue]:
    """Return what filters by the thing: its name where it has one, wherever it is filed."""
    return {
        "category": None if query.item else query.category or None,
        "item": query.item or None,
        "also": list(query.also),
    }


def asked_about(query: LedgerQuery) -> list[LedgerQuery]:
    """Return a question for each thing that was named."""
    others = [replace(query, category=t.category, item=t.item, also=t.also) for t in query.beside]
    return [query, *others]


def compared_with(query: LedgerQuery) -> LedgerQuery:
    """Return the question for what it is held against."""
    return asked_about(query)[-1]


def overlap(asked: Sequence[LedgerQuery]) -> bool:
    """Whether one of the things may be a part of another, so that they cannot be added."""
    return any(
        (one.item and other.item and one.item in other.item)
        or (one.category == other.category and not (one.item and other.item))
        for one in asked
        for other in asked
        if one is not other
    )


def title_of(query: LedgerQuery, turn: Turn) -> Text:
    """Return the thing and the days that were asked about."""
    asked = asked_about(query) if query.what == "list" else [query]
    what = tuple(called(each, turn) for each in asked)
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


def called(query: LedgerQuery, turn: Turn) -> Words:
    """Return how the thing is called."""
    if query.item:
        gap = "" if is_han(query.item[0]) else " "
        return Verbatim(gap.join((*query.also, query.item)))
    if query.category:
        return Verbatim(category_name(query.category, turn.locale))
    return text("ledger.everything")


def part(found: JsonValue, name: str) -> JsonValue:
    """Return a part of the result of a tool."""
    return found.get(name, []) if isinstance(found, dict) else []


async def one_call(turn: Turn, call: ToolCall) -> JsonValue:
    """Return the result of one tool call."""

    async def decide() -> Sequence[ToolCall]:
        return [call]

    ((_, result),) = await turn.tools.perform(decide)
    return result


async def totals_of(turn: Turn, asked: Sequence[dict[str, JsonValue]]) -> list[Totals]:
    """Return the totals of each filter."""

    async def decide() -> Sequence[ToolCall]:
        return [ToolCall(name="ledger_list", arguments=a | {"totals": True}) for a in asked]

    made = await turn.tools.perform(decide)
    return [from_json(Totals, part(result, "totals")) for _, result in made]


def listed(turn: Turn, entries: Entries, title: Words) -> AgentResult:
    """Return entries as a table, the first of them with Edit."""
    if not entries:
        return AgentResult(blocks=(TextBlock(text("ledger.list_empty", title=title)),))
    blocks = (TextBlock(title), present.list_block(entries, turn.locale))
    edits = tuple(present.edit_button(entry, ordinal=i) for i, entry in enumerate(entries[:3], 1))
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

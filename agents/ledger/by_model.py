"""Entries that the grammar does not read by itself: the model points, the grammar computes."""

from collections import Counter
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel

from agents.orders import parse_order
from agents.talk.remembering import is_about_memory
from agents.verbatim import in_language, stands_in
from bot.core.agents import AgentResult, Turn, zone_of
from bot.language.answers import classify_answer
from bot.language.ledger_queries import parse_ledger_query
from bot.language.money import AmountsResult, resolve_amounts
from bot.language.stored_orders import names_stored_rows

MOST_ENTRIES = 20
ENTRY_WRITES = frozenset({"ledger_insert", "ledger_update", "ledger_delete"})
"""Tools that the grammar calls: a model points at words, and never hands over a sum."""


class EntrySpan(BaseModel):
    """One entry as it was said."""

    item: str
    amount: str


class LedgerSpans(BaseModel):
    """What the model points at."""

    kind: Literal["book", "talk", "none"]
    entries: list[EntrySpan] = []
    day: str = ""


class LedgerReading:
    """`agents.verbatim.Reading` of the ledger agent."""

    def needs_model(self, turn: Turn) -> bool:
        """Whether the grammar neither explains the message whole nor asks about it."""
        query = turn.query
        if parse_order("ledger", query) or names_stored_rows(query, turn.now, zone_of(turn.now)):
            return False
        if classify_answer(query).kind == "correct":
            return False
        if parse_ledger_query(query, now=turn.now, tz=zone_of(turn.now)) is not None:
            return False
        read = _amounts(turn, query)
        is_open = read.status in ("none", "ok") or read.reason == "no_amount"
        return not read.complete and (is_open or is_about_memory(query))

    def reread(self, turn: Turn, spans: LedgerSpans) -> Turn | AgentResult | None:
        """Return the turn to be reviewed: what a model read is never booked unseen."""
        said = turn.query
        entries = [
            entry
            for entry in spans.entries[:MOST_ENTRIES]
            if stands_in(entry.amount, said) and (not entry.item or stands_in(entry.item, said))
        ]
        if spans.kind != "book" or not entries:
            return None
        day = spans.day.strip() if stands_in(spans.day, said) else ""
        parts = [
            in_language(said, f"{e.item.strip()}{e.amount.strip()}", f"{e.item} {e.amount}")
            for e in entries
        ]
        words = in_language(said, day + "，".join(parts), f"{', '.join(parts)} {day}".strip())
        ours, theirs = _amounts(turn, said), _amounts(turn, words)
        if theirs.status != "ok" or _sums(ours) == _sums(theirs):
            return None
        unsure = replace(turn, decision=replace(turn.decision, ambiguous=True))
        return unsure if ours.status == "ok" else replace(unsure, query=words)

    def is_talk(self, turn: Turn, spans: LedgerSpans) -> bool:
        """Whether no sum is said, or the message is about what is remembered."""
        if spans.kind != "talk":
            return False
        return is_about_memory(turn.query) or _amounts(turn, turn.query).status == "none"


def _amounts(turn: Turn, words: str) -> AmountsResult:
    return resolve_amounts(
        words,
        now=turn.now,
        tz=zone_of(turn.now),
        locale=turn.locale,
        default_currency=turn.person.currency,
    )


def _sums(read: AmountsResult) -> Counter[tuple[object, ...]]:
    return Counter((e.amount, e.currency, e.direction) for e in read.entries)

"""What a few words change of an entry."""

import re
from collections.abc import Mapping

from agents.ledger.drafts import draft_of
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.ledger import EntryChange
from bot.core.messages import TextBlock
from bot.core.patterns import regex
from bot.core.words import Verbatim, text
from bot.language.categories import BROAD, DEFAULT, category_keys, category_name
from bot.language.money import names_currency, resolve_amounts
from bot.language.times import resolve_time

LONGEST_NAME = 20
_CATEGORY = regex(r"分类|类别|类目|\bcategory\b", re.IGNORECASE)
_CLOCK = frozenset({"hour", "minute", "second"})
"""Grains that change nothing about the day of an entry."""


def change_from_words(turn: Turn, words: str, lexicon: Mapping[str, str]) -> EntryChange | None:
    """Return what the words change: amount, category, day or name; None when they say nothing.

    An amount without a currency is in minor units of the person's and keeps that of its entry.
    """
    said = words.strip(" ，,。.、")
    if not said:
        return None
    if category := find_category(said):
        return EntryChange(category=category)
    amounts = resolve_amounts(
        said,
        now=turn.now,
        tz=zone_of(turn.now),
        locale=turn.locale,
        default_currency=turn.person.currency,
        lexicon=DEFAULT.with_overlay(lexicon),
    )
    if amounts.status == "ok" and len(amounts.entries) == 1:
        draft = draft_of(amounts.entries[0], turn.now)
        if draft is None:
            return None
        return EntryChange(
            minor=draft.minor,
            currency=draft.currency if names_currency(said) else None,
            item=draft.item or None,
            category=draft.category if draft.item else None,
            occurred_on=amounts.entries[0].occurred_on,
        )
    if amounts.status in {"ask", "reject"}:
        return None
    times = resolve_time(said, now=turn.now, tz=zone_of(turn.now), mode="ledger")
    if times.status == "ok" and times.times and times.times[0].start is not None:
        if times.times[0].grain in _CLOCK and times.times[0].start.date() == turn.now.date():
            return None
        return EntryChange(occurred_on=times.times[0].start.date())
    return EntryChange(item=said) if len(said) <= LONGEST_NAME else None


def find_category(words: str) -> str | None:
    """Return the key of the category that is called so in either language."""
    wanted = words.lower()
    for key in category_keys():
        if wanted in {key, category_name(key, "zh-CN"), category_name(key, "en").lower()}:
            return key
    return BROAD.get(wanted)


def names_category(words: str) -> bool:
    """Whether an order says that it is about the category of an entry."""
    return _CATEGORY.search(words) is not None


def unknown_category(turn: Turn, said: str) -> AgentResult:
    """Return that there is no such category, and which there are."""
    names = tuple(Verbatim(category_name(key, turn.locale)) for key in category_keys())
    words = text("ledger.no_category", said=Verbatim(said), names=names)
    return AgentResult(blocks=(TextBlock(words),), status=Status.CLARIFY)

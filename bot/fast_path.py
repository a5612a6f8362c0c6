"""The fast path: whose grammar explains a text to the last word, and whose rows it is about."""

import re
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.core.routing import RoutingContext
from bot.language.answers import says_done
from bot.language.categories import DEFAULT
from bot.language.corrections import parse_correction
from bot.language.dated_orders import is_about_entries, owner_of, parse_dated_order
from bot.language.last_thing import parse_last_few, parse_last_thing, removes_it
from bot.language.ledger_queries import LedgerQuery, parse_ledger_query
from bot.language.money import resolve_amounts
from bot.language.money_words import QUESTION
from bot.language.named_orders import parse_named_order
from bot.language.nth_entries import parse_nth_order
from bot.language.reminders import parse_reminder
from bot.language.renames import parse_rename
from bot.language.shifts import parse_shift
from bot.language.skips import parse_skip
from bot.language.taken_back import taken_back

ROWS = {"entry": "ledger_manager", "reminder": "schedule_manager"}
"""Who keeps the rows of a kind."""

_HOLDING = frozenset({"schedule_manager"})
"""Who can hold a thing, or let it be for once."""

_NO_TALK = frozenset(
    {None, "ledger_manager", "schedule_manager", "onboarding", "account", "help_center"}
)
"""Who answered last when a bare number goes on with no talk."""

_BARE = regex(
    r"-?(?:\d{2,5}(?:\.\d{1,2})?|\d\.\d{1,2})"
    r"|[¥￥$€£]\s?\d{1,6}(?:\.\d{1,2})?|\d{1,6}(?:\.\d{1,2})?\s?(?:块钱?|元|bucks|dollars|euros)"
)
_DOUBTS = frozenset(
    {
        "share_or_total",
        "which_day",
        "approximate",
        "sub_minor",
        "count_or_amount",
        "each_or_all",
        "final_price",
        "lent_or_borrowed",
        "others_paid",
        "paid_back",
    }
)
"""What an entry may be asked about that is certainly meant to be booked."""

_ON_IT = regex(
    r"(?:请|帮我)?(?:再|还是|那就)?(?:把(?:它|那个|这个))?(?:改到|挪到|推迟到|提前到|推迟|提前)|(?:删掉|取消|删除)(?:它|那个)"
    r"|(?:please )?(?:move|push|reschedule|postpone|delete|cancel|remove|drop) (?:it|that)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = regex(r"不要|删|取消|撤|\b(?:delete|remove|cancel|undo)\b", re.IGNORECASE)

LONGEST_SUM = 60
"""Characters of a text in which sums stand at things that the lexicon knows."""


def _goes_on(query: LedgerQuery, context: RoutingContext) -> bool:
    """Whether 哪个最贵 is asked right after entries, and of nothing else that is named."""
    is_ledger = context.last_agent == "ledger_manager"
    return query.what == "ranking" and is_ledger and not query.item


class FastPath:
    """Reads with the grammars of the agents that keep rows, and with what a person keeps.

    Args:
        enabled: labels of live agents.
    """

    def __init__(self, enabled: frozenset[str]) -> None:
        self._enabled = enabled

    def owner(self, context: RoutingContext) -> str | None:
        """Return the agent whose grammar explains the text to the last word."""
        words, zone = context.text, context.now.tzinfo
        if context.has_image or not isinstance(zone, ZoneInfo):
            return None
        stored = self._of_stored(context, zone)
        if stored is not None:
            return stored
        if "schedule_manager" in self._enabled:
            reminder = parse_reminder(words, now=context.now, tz=zone)
            skip = parse_skip(words, now=context.now, tz=zone)
            if (skip is not None and skip.complete) or says_done(words) or parse_shift(words):
                return "schedule_manager"
            if reminder is not None and reminder.complete:
                return "schedule_manager"
        if "ledger_manager" in self._enabled:
            said = taken_back(words) or words
            amounts = resolve_amounts(said, now=context.now, tz=zone, locale=context.locale)
            query = parse_ledger_query(words, now=context.now, tz=zone)
            goes_on = query is not None and _goes_on(query, context)
            asks = query is not None and query.complete and amounts.status != "ok"
            asks = asks or goes_on
            if amounts.complete or asks:
                return "ledger_manager"
        return None

    def _of_stored(self, context: RoutingContext, zone: ZoneInfo) -> str | None:
        """Return whose rows an order is about that names them by number, day, thing or "last"."""
        words = context.text
        order, dated = parse_nth_order(words), parse_dated_order(words, context.now, zone)
        by_number = ROWS.get(order.noun) if order is not None else None
        by_day = ROWS.get(owner_of(dated, context.now, zone)) if dated is not None else None
        talks_of_entries = context.last_agent != "schedule_manager"
        fixed = parse_correction(words, context.now, zone)
        corrects = parse_last_few(words) or (fixed is not None and (talks_of_entries or fixed.led))
        by_thing = "ledger_manager" if corrects else None
        by_name = self._of_name(context)
        if not talks_of_entries and parse_rename(words):
            by_name = context.last_agent
        done = self._of_last_thing(context) or self._of_what_was_done(context)
        named = by_number or done or by_day or by_name or by_thing
        return named if named in self._enabled else None

    @staticmethod
    def _of_name(context: RoutingContext) -> str | None:
        """Return who alone keeps what the text names without its kind; the last agent of two."""
        zone = context.now.tzinfo
        if not context.keepers or not isinstance(zone, ZoneInfo):
            return None
        order = parse_named_order(context.text, context.now, zone)
        if order is None:
            return None
        of_all = order.kind in {"cancel", "move"}
        keepers = context.keepers if of_all else context.keepers & _HOLDING
        if context.last_agent in keepers:
            return context.last_agent
        return next(iter(keepers)) if len(keepers) == 1 else None

    @staticmethod
    def _of_what_was_done(context: RoutingContext) -> str | None:
        """Return whose the last thing done is when "it" is moved or dropped, after other talk."""
        pending = context.pending
        is_between = pending is not None and pending.soft and pending.agent != context.last_agent
        if pending is None or not is_between or not _ON_IT.match(context.text.strip()):
            return None
        return pending.agent

    def _of_last_thing(self, context: RoutingContext) -> str | None:
        """Return whose the last thing done is when it is to be undone or said to be wrong."""
        last = parse_last_thing(context.text)
        if last is None and not removes_it(context.text):
            return None
        pending, owners = context.pending, frozenset(ROWS.values()) & self._enabled
        done = pending.agent if pending is not None and pending.soft else context.last_agent
        noun = last.noun if last is not None else "entry" if "笔" in context.text else ""
        label = ROWS.get(noun, done)
        return label if label in owners else None

    def of_day(self, context: RoutingContext) -> str | None:
        """Return who is asked about rows of a day that nothing else tells the owner of."""
        zone = context.now.tzinfo
        if not isinstance(zone, ZoneInfo):
            return None
        order = parse_dated_order(context.text, context.now, zone)
        if order is None:
            return None
        paid = order.past is not None and is_about_entries(order) and not order.of_plans
        plans = order.coming is None or context.last_agent != "schedule_manager"
        label = "ledger_manager" if paid and plans else "schedule_manager"
        known = order.past if label == "ledger_manager" else order.coming
        return label if known is not None and label in self._enabled else None

    def is_bare_amount(self, context: RoutingContext) -> bool:
        """Whether nothing but a small number was said, and not in talk about other things."""
        return context.last_agent in _NO_TALK and self.is_sum(context)

    def is_sum(self, context: RoutingContext) -> bool:
        """Whether a text is a sum of money and nothing else."""
        if context.has_image or "ledger_manager" not in self._enabled:
            return False
        return _BARE.fullmatch(context.text.strip()) is not None

    def names_known_sums(self, context: RoutingContext) -> bool:
        """Whether every sum stands at a thing that the lexicon knows; it is asked about then."""
        zone = context.now.tzinfo
        if not isinstance(zone, ZoneInfo) or "ledger_manager" not in self._enabled:
            return False
        if len(context.text) > LONGEST_SUM or context.has_image:
            return False
        words = context.text
        amounts = resolve_amounts(words, now=context.now, tz=zone, locale=context.locale)
        known = all(DEFAULT.knows(entry.item) for entry in amounts.entries)
        asks = amounts.reason not in {"", *_DOUBTS}
        plain = not (QUESTION.search(words) or _TAKEN_BACK.search(words))
        return bool(amounts.entries) and known and not asks and plain

"""The router: capsule, open question, fast path, then classifiers; the first that decides wins."""

import re
from collections.abc import Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from bot.core.routing import (
    AMBIGUOUS_CONFIDENCE,
    DIRECT_CONFIDENCE,
    UNKNOWN,
    Classification,
    Classifier,
    Decision,
    RoutingContext,
    Source,
    Wish,
)
from bot.core.sessions import Expects, Pending
from bot.language.answers import classify_answer, named_scope, says_done
from bot.language.categories import DEFAULT
from bot.language.clauses import bounds_another
from bot.language.corrections import parse_correction
from bot.language.dated_orders import is_about_entries, owner_of, parse_dated_order
from bot.language.last_thing import parse_last_few, parse_last_thing, removes_it
from bot.language.ledger_queries import parse_ledger_query
from bot.language.money import resolve_amounts
from bot.language.money_words import QUESTION
from bot.language.named_orders import parse_named_order
from bot.language.nth_entries import parse_nth_order
from bot.language.reminders import parse_reminder
from bot.language.renames import parse_rename
from bot.language.shifts import parse_shift
from bot.language.skips import parse_skip
from bot.language.stored_orders import names_stored_rows
from bot.language.taken_back import taken_back
from bot.language.times import resolve_time
from bot.language.undo_words import brings_back
from bot.language.wishes import MOST, split_wishes
from bot.overlaps import settle
from bot.rules import FOLLOW_UP_WEIGHT, score

_WHOLE = frozenset({"complex_task", UNKNOWN})
"""Labels of texts that are not taken apart here: taking apart is what their agent does."""

_TOGETHER = frozenset({"ledger_manager", "schedule_manager"})
"""Labels whose wishes one agent serves in one go."""

_ROWS = {"entry": "ledger_manager", "reminder": "schedule_manager"}
_HOLDING = frozenset({"schedule_manager"})
"""Who can hold a thing, or let it be for once."""

_NO_TALK = frozenset(
    {None, "ledger_manager", "schedule_manager", "onboarding", "account", "help_center"}
)
"""Who answered last when a bare number goes on with no talk."""

_BARE = re.compile(
    r"-?(?:\d{2,5}(?:\.\d{1,2})?|\d\.\d{1,2})"
    r"|[¥￥$€£]\s?\d{1,6}(?:\.\d{1,2})?|\d{1,6}(?:\.\d{1,2})?\s?(?:块钱?|元|bucks|dollars|euros)"
)
_DOUBTS = frozenset({"share_or_total", "which_day", "approximate", "sub_minor", "count_or_amount"})
"""What an entry may be asked about that is certainly meant to be booked."""

_OF_STORED = re.compile(
    r"(?:请|帮我|把)*[^提叫]{0,14}?(?:删了|删掉|删除|撤销|改成|改为)"
    r"|(?:please )?(?:delete|remove|undo|change) (?:the |my |it|that)",
    re.IGNORECASE,
)
_ON_IT = re.compile(
    r"(?:请|帮我)?(?:再|还是|那就)?(?:把(?:它|那个|这个))?(?:改到|挪到|推迟到|提前到|推迟|提前)|(?:删掉|取消|删除)(?:它|那个)"
    r"|(?:please )?(?:move|push|reschedule|postpone|delete|cancel|remove|drop) (?:it|that)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(r"不要|删|取消|撤|\b(?:delete|remove|cancel|undo)\b", re.IGNORECASE)

BESIDE = 12
"""Characters that may stand beside the time that answers a question for one."""

_COMMA = re.compile(r"[,，;；。]\s*(?=\S)")
SHORT_ANSWER = 60
"""Characters up to which a text may be the answer to an open question in free words."""


class StationRouter:
    """`bot.core.routing.Router`: stations in the order of the design, section 4.

    Args:
        enabled: labels of live agents.
        classifiers: language model, local model, rules, in this order; each may pass.
        fallback: the agent for input that nobody claims with confidence.
        unknown: the agent for `unknown` (complex_task; its stand-in while that is not there).
    """

    def __init__(
        self,
        *,
        enabled: Sequence[str],
        classifiers: Sequence[Classifier],
        fallback: str,
        unknown: str,
    ) -> None:
        self._enabled = frozenset(enabled)
        self._classifiers = tuple(classifiers)
        self._fallback = fallback
        self._unknown = unknown

    async def route(self, context: RoutingContext) -> Decision:
        """Return the decision and what every station on the way said."""
        trace: list[str] = []
        if context.capsule in self._enabled and context.capsule is not None:
            trace.append(f"capsule: {context.capsule}: is selected")
            return _certain(context.capsule, Source.CAPSULE, trace)
        trace.append("capsule: none")
        fast = self._fast_path(context)
        if context.pending is not None:
            why = answers(context.pending, context, other=fast)
            trace.append(f"pending: {context.pending.name}: {why or 'a new wish'}")
            if why:
                return _certain(context.pending.agent, Source.PENDING, trace)
        if fast is not None:
            trace.append(f"fast_path: {fast}: every word explained")
            return _certain(fast, Source.FAST_PATH, trace)
        if self._is_bare_amount(context):
            trace.append("fast_path: ledger_manager: an amount")
            return _certain("ledger_manager", Source.FAST_PATH, trace)
        trace.append("fast_path: no")
        for classifier in self._classifiers:
            found = await classifier.classify(context)
            if found is None or not found.ranked:
                trace.append(f"{classifier.source}: cannot tell")
                continue
            is_sure = found.ranked[0][1] >= AMBIGUOUS_CONFIDENCE
            if not is_sure and classifier.source is not Source.LLM and self._is_sum(context):
                continue
            wishes = await self._wishes(context, classifier, found)
            return self._policy(context, found, classifier.source, wishes, trace)
        return self._untold(context, trace)

    def _untold(self, context: RoutingContext, trace: list[str]) -> Decision:
        """Return the decision when no classifier can tell: what looks like money is asked of."""
        intent = self._fallback
        if self._is_sum(context) or self._names_known_sums(context):
            intent = "ledger_manager"
        elif (owner := self._of_day(context)) is not None:
            intent = owner
        trace.append(f"nobody can tell: {intent}")
        return Decision(
            intent=intent,
            confidence=0.0,
            source=Source.RULE_FALLBACK,
            ambiguous=True,
            trace=tuple(trace),
        )

    def _is_bare_amount(self, context: RoutingContext) -> bool:
        """Whether nothing but a small number was said, and not in talk about other things."""
        return context.last_agent in _NO_TALK and self._is_sum(context)

    def _of_day(self, context: RoutingContext) -> str | None:
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

    def _names_known_sums(self, context: RoutingContext) -> bool:
        """Whether every sum stands at a thing that the lexicon knows; it is asked about then."""
        zone = context.now.tzinfo
        if not isinstance(zone, ZoneInfo) or "ledger_manager" not in self._enabled:
            return False
        if len(context.text) > SHORT_ANSWER or context.has_image:
            return False
        words = context.text
        amounts = resolve_amounts(words, now=context.now, tz=zone, locale=context.locale)
        known = all(DEFAULT.knows(entry.item) for entry in amounts.entries)
        asks = amounts.reason not in {"", *_DOUBTS}
        plain = not (QUESTION.search(words) or _TAKEN_BACK.search(words))
        return bool(amounts.entries) and known and not asks and plain

    def _is_sum(self, context: RoutingContext) -> bool:
        if context.has_image or "ledger_manager" not in self._enabled:
            return False
        return _BARE.fullmatch(context.text.strip()) is not None

    async def _wishes(
        self, context: RoutingContext, classifier: Classifier, found: Classification
    ) -> tuple[tuple[str, float, str], ...]:
        """Return (label, confidence, words) of each of several independent wishes, or nothing.

        The language model sees other wishes by itself and is asked once only, for its time.
        """
        parts = split_wishes(context.text)
        least = AMBIGUOUS_CONFIDENCE
        if len(parts) == 1 and self._begins_or_ends_whole(context):
            parts, least = tuple(_COMMA.split(context.text)), DIRECT_CONFIDENCE
        if any(bounds_another(part) for part in parts):
            return ()
        if len(parts) == 1 or found.ranked[0][0] in _WHOLE or classifier.source is Source.LLM:
            return ()
        wishes = []
        for part in parts:
            fast = self._fast_path(replace(context, text=part))
            if fast is not None:
                wishes.append((fast, 1.0, part))
                continue
            alone = await classifier.classify(replace(context, text=part))
            if alone is not None and alone.ranked and alone.ranked[0][1] >= least:
                label, confidence = alone.ranked[0]
                wishes.append((label, confidence, part))
            elif elsewhere := self._elsewhere(part):
                wishes.append((elsewhere, 0.0, part))
            else:
                return ()
        labels = {label for label, _, _ in wishes}
        asks = [label for label, _, part in wishes if _asks_ledger(part, context)]
        mixed = 0 < len(asks) < len(wishes)
        if (len(labels) == 1 or labels <= _TOGETHER) and not mixed:
            return ()
        return tuple(wishes) if labels & self._enabled else ()

    def _elsewhere(self, part: str) -> str:
        """Return the label of what an agent does that is not switched on; "" for none."""
        scores = score(part)
        best = max(scores, key=lambda label: scores[label], default="")
        clear = bool(best) and scores[best] >= FOLLOW_UP_WEIGHT and best not in _WHOLE
        return best if clear and best not in self._enabled else ""

    def _begins_or_ends_whole(self, context: RoutingContext) -> bool:
        """Whether a part between commas is a whole entry or reminder: then it is a wish."""
        parts = _COMMA.split(context.text)
        return 1 < len(parts) <= MOST and any(
            self._fast_path(replace(context, text=part)) is not None for part in parts
        )

    def _policy(
        self,
        context: RoutingContext,
        found: Classification,
        source: Source,
        wishes: tuple[tuple[str, float, str], ...],
        trace: list[str],
    ) -> Decision:
        """Apply the thresholds of seed 002, 2.3, and seed 000's rule for `unknown`."""
        label, confidence = found.ranked[0]
        confidence = min(max(confidence, 0.0), 1.0)
        trace.append(
            f"{source}: " + ", ".join(f"{name} {value:.2f}" for name, value in found.ranked[:3])
        )
        focus = ""
        if wishes:  # one intent only: the most certain one (seed 002, 4.5)
            here = (wish for wish in wishes if wish[0] in self._enabled)
            label, confidence, focus = max(here, key=lambda wish: wish[1])
            trace.append(f"wishes: {', '.join(dict.fromkeys(name for name, _, _ in wishes))}")
        label, rule = settle(context, label, enabled=self._enabled)
        if rule:
            focus, wishes = "", ()
            trace.append(f"overlap: {label}: {rule}")
        intent = label
        if label == UNKNOWN or label not in self._enabled:
            intent = self._unknown
        elif confidence < AMBIGUOUS_CONFIDENCE:
            intent = self._fallback
            trace.append(f"below {AMBIGUOUS_CONFIDENCE}: {intent}")
        return Decision(
            intent=intent,
            confidence=confidence,
            source=source,
            ambiguous=confidence < DIRECT_CONFIDENCE,
            secondary=self._others(context, found, intent, [w for w in wishes if w[2] != focus]),
            focus=focus if intent == label else "",
            trace=tuple(trace),
        )

    def _others(
        self,
        context: RoutingContext,
        found: Classification,
        intent: str,
        wishes: Sequence[tuple[str, float, str]],
    ) -> tuple[Wish, ...]:
        """Return the wishes that are not served now: those apart, else one of each label."""
        if wishes:
            return tuple(Wish(label, words) for label, _, words in wishes)
        return tuple(
            Wish(label, _part_of(context.text, label))
            for label in dict.fromkeys(found.secondary)
            if label in self._enabled and label != intent
        )

    def _fast_path(self, context: RoutingContext) -> str | None:
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
            asks = query is not None and query.complete and amounts.status != "ok"
            if amounts.complete or asks:
                return "ledger_manager"
        return None

    def _of_stored(self, context: RoutingContext, zone: ZoneInfo) -> str | None:
        """Return whose rows an order is about that names them by number, day, thing or "last"."""
        words = context.text
        order, dated = parse_nth_order(words), parse_dated_order(words, context.now, zone)
        by_number = _ROWS.get(order.noun) if order is not None else None
        by_day = _ROWS.get(owner_of(dated, context.now, zone)) if dated is not None else None
        talks_of_entries = context.last_agent != "schedule_manager"
        corrects = parse_last_few(words) or (
            talks_of_entries and parse_correction(words, context.now, zone)
        )
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
        keepers = context.keepers if order.kind == "cancel" else context.keepers & _HOLDING
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
        pending, owners = context.pending, frozenset(_ROWS.values()) & self._enabled
        done = pending.agent if pending is not None and pending.soft else context.last_agent
        noun = last.noun if last is not None else "entry" if "笔" in context.text else ""
        label = _ROWS.get(noun, done)
        return label if label in owners else None


def answers(pending: Pending, context: RoutingContext, *, other: str | None) -> str:
    """Return why the text answers the open question, empty when it is a new wish."""
    words = context.text.strip()
    kind = classify_answer(words).kind
    last = parse_last_thing(words)
    undone = last is not None and last.kind == "undo" and not last.noun
    if kind == "cancel" or (undone and not pending.soft):
        return "cancelled"
    if kind != "none" and Expects.CONFIRM in pending.expects:
        return f"answered: {kind}"
    if pending.soft and _of_rows(pending, words):
        return "rows that were shown"
    zone = context.now.tzinfo
    if isinstance(zone, ZoneInfo):
        if Expects.AMOUNT in pending.expects:
            amounts = resolve_amounts(words, now=context.now, tz=zone, locale=context.locale)
            if amounts.status != "none" and (kind == "correct" or _bare(words)):
                return "an amount"
        if Expects.TIME in pending.expects:
            times = resolve_time(words, now=context.now, tz=zone, mode="reminder")
            says_when = bool(times.spans) and times.status != "none" and other is None
            if named_scope(words) or (says_when and _is_mostly(words, times.spans)):
                return "a time"
    return "in own words" if other is None and _in_own_words(pending, words) else ""


def _of_rows(pending: Pending, words: str) -> bool:
    """Whether words bring back what was undone, or name one of the rows that were shown."""
    if pending.agent == "ledger_manager" and brings_back(words):
        return True
    order = parse_nth_order(words)
    return order is not None and _ROWS.get(order.noun, pending.agent) == pending.agent


def _in_own_words(pending: Pending, words: str) -> bool:
    """Whether words may answer a question for words; no entry is called by a question."""
    if Expects.WORDS not in pending.expects or len(words) > SHORT_ANSWER:
        return False
    return pending.agent != "ledger_manager" or not QUESTION.search(words)


def _asks_ledger(words: str, context: RoutingContext) -> bool:
    """Whether a part is a question about entries or an order about rows that are there."""
    zone = context.now.tzinfo
    if not isinstance(zone, ZoneInfo):
        return False
    if _OF_STORED.match(words.strip()) or names_stored_rows(words, context.now, zone):
        return True
    return parse_ledger_query(words, now=context.now, tz=zone) is not None


def _part_of(words: str, label: str) -> str:
    """Return the part of the words that speaks most for the label; all of them when none does."""
    parts = split_wishes(words)
    best = max(parts, key=lambda part: score(part).get(label, 0.0))
    return best if score(best).get(label, 0.0) > 0 else words


def _is_mostly(words: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether little is said besides: a story with a time in it answers no question for one."""
    return len(words) - sum(end - start for start, end in spans) <= BESIDE


def _bare(words: str) -> bool:
    return len(words) <= SHORT_ANSWER // 4


def _certain(intent: str, source: Source, trace: list[str]) -> Decision:
    return Decision(intent=intent, confidence=1.0, source=source, trace=tuple(trace))

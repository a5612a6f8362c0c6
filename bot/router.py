"""The router: capsule, open question, fast path, then classifiers; the first that decides wins."""

import re
from collections.abc import Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
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
from bot.fast_path import FastPath
from bot.language.clauses import bounds_another
from bot.language.ledger_queries import parse_ledger_query
from bot.language.named_orders import parse_named_order
from bot.language.reminders import VERB
from bot.language.skips import refuses_reminder
from bot.language.stored_orders import names_stored_rows
from bot.language.times import resolve_time
from bot.language.wishes import MOST, between_commas, is_to_be_heard, split_wishes
from bot.open_question import answers
from bot.overlaps import settle
from bot.rules import FOLLOW_UP_WEIGHT, score

_WHOLE = frozenset({"complex_task", UNKNOWN})
"""Labels of texts that are not taken apart here: taking apart is what their agent does."""

_TOGETHER = frozenset({"ledger_manager", "schedule_manager"})
"""Labels whose wishes one agent serves in one go."""

_REMINDERS = "schedule_manager"
_MOVED = regex(r"[^\d\s](?:改到|改成|改为|挪到|推迟到|提前到)|\S to ")
_OF_STORED = regex(
    r"(?:请|帮我|把)*[^提叫]{0,14}?(?:删了|删掉|删除|撤销|改成|改为)"
    r"|(?:please )?(?:delete|remove|undo|change) (?:the |my |it|that)",
    re.IGNORECASE,
)


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
        self._grammar = FastPath(self._enabled)
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
        fast = self._grammar.owner(context)
        if context.pending is not None:
            why = "" if self._says_more(context) else answers(context.pending, context, other=fast)
            trace.append(f"pending: {context.pending.name}: {why or 'a new wish'}")
            if why:
                return _certain(context.pending.agent, Source.PENDING, trace)
        if fast is not None:
            trace.append(f"fast_path: {fast}: every word explained")
            return _certain(fast, Source.FAST_PATH, trace)
        if self._grammar.is_bare_amount(context):
            trace.append("fast_path: ledger_manager: an amount")
            return _certain("ledger_manager", Source.FAST_PATH, trace)
        trace.append("fast_path: no")
        for classifier in self._classifiers:
            found = await classifier.classify(context)
            if found is None or not found.ranked:
                trace.append(f"{classifier.source}: cannot tell")
                continue
            is_sure = found.ranked[0][1] >= AMBIGUOUS_CONFIDENCE
            if (
                not is_sure
                and classifier.source is not Source.LLM
                and self._grammar.is_sum(context)
            ):
                continue
            wishes = await self._wishes(context, classifier, found)
            return self._policy(context, found, classifier.source, wishes, trace)
        by_grammar = Classification(ranked=((UNKNOWN, 0.0),))
        if wishes := await self._wishes(context, None, by_grammar):
            return self._policy(context, by_grammar, Source.RULE_FALLBACK, wishes, trace)
        return self._untold(context, trace)

    def _untold(self, context: RoutingContext, trace: list[str]) -> Decision:
        """Return the decision when no classifier can tell: what looks like money is asked of."""
        intent = self._fallback
        if self._grammar.is_sum(context) or self._grammar.names_known_sums(context):
            intent = "ledger_manager"
        elif (owner := self._grammar.of_day(context)) is not None:
            intent = owner
        trace.append(f"nobody can tell: {intent}")
        return Decision(
            intent=intent,
            confidence=0.0,
            source=Source.RULE_FALLBACK,
            ambiguous=True,
            trace=tuple(trace),
        )

    async def _wishes(
        self, context: RoutingContext, classifier: Classifier | None, found: Classification
    ) -> tuple[tuple[str, float, str], ...]:
        """Return (label, confidence, words) of each of several independent wishes, or nothing.

        The language model sees other wishes by itself and is asked once only, for its time.
        """
        parts = split_wishes(context.text)
        least = AMBIGUOUS_CONFIDENCE
        if len(parts) == 1 and self._begins_or_ends_whole(context):
            parts, least = between_commas(context.text), DIRECT_CONFIDENCE
        parts = tuple(part for part in parts if not is_to_be_heard(part))
        if self._are_bound(parts, context):
            return ()
        by_model = classifier is not None and classifier.source is Source.LLM
        if len(parts) <= 1 or by_model:
            return ()
        wishes = [await self._wish(part, context, classifier, found, least) for part in parts]
        told = [wish for wish in wishes if wish is not None]
        if len(told) < len(parts):
            return ()
        return self._apart(told, context, found)

    def _are_bound(self, parts: Sequence[str], context: RoutingContext) -> bool:
        """Whether a part only says when, or what to leave out, of the one before it."""
        for before, part in zip(("", *parts), parts, strict=False):
            if _is_a_time(part, context):
                return True
            if bounds_another(part):
                owner = self._grammar.owner(replace(context, text=before)) if before else None
                if owner != "ledger_manager":
                    return True
        return False

    async def _wish(
        self,
        part: str,
        context: RoutingContext,
        classifier: Classifier | None,
        found: Classification,
        least: float,
    ) -> tuple[str, float, str] | None:
        """Return (label, confidence, words) of a part; None when it is not certainly a wish."""
        fast = self._grammar.owner(replace(context, text=part))
        if fast is not None:
            return fast, 1.0, part
        if _holds_a_reminder(part, context):
            return _REMINDERS, DIRECT_CONFIDENCE, part
        if found.ranked[0][0] in _WHOLE:  # what the grammar does not explain may be a step
            return None
        alone = await classifier.classify(replace(context, text=part)) if classifier else None
        if alone is not None and alone.ranked and alone.ranked[0][1] >= least:
            label, confidence = alone.ranked[0]
            return label, confidence, part
        elsewhere = self._elsewhere(part)
        return (elsewhere, 0.0, part) if elsewhere else None

    def _apart(
        self,
        wishes: Sequence[tuple[str, float, str]],
        context: RoutingContext,
        found: Classification,
    ) -> tuple[tuple[str, float, str], ...]:
        """Return the wishes when one agent does not serve all of them in one go."""
        labels = {label for label, _, _ in wishes}
        asks = [label for label, _, part in wishes if _is_of_stored(part, context)]
        mixed = 0 < len(asks) < len(wishes)
        together = labels <= _TOGETHER and _in_one_go(found, wishes)
        if (len(labels) == 1 or together) and not mixed:
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
        parts = between_commas(context.text)
        return 1 < len(parts) <= MOST and any(
            self._grammar.owner(replace(context, text=part)) is not None for part in parts
        )

    def _says_more(self, context: RoutingContext) -> bool:
        """Whether parts between commas are wishes of their own, and not about what was done."""
        pending, parts = context.pending, between_commas(context.text)
        if pending is None or not pending.soft or not 1 < len(parts) <= MOST:
            return False
        owners = [self._grammar.owner(replace(context, text=part)) for part in parts]
        found = [owner for owner in owners if owner is not None]
        return len(found) > 1 or bool(set(found) - {pending.agent})

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


def _in_one_go(found: Classification, wishes: Sequence[tuple[str, float, str]]) -> bool:
    """Whether the agent of reminders gets it and sets new ones: it names the sums beside them."""
    orders = (part for label, _, part in wishes if label == _REMINDERS)
    return found.ranked[0][0] == _REMINDERS and all(
        VERB.search(part) and not refuses_reminder(part) for part in orders
    )


def _holds_a_reminder(words: str, context: RoutingContext) -> bool:
    """Whether a part is an order that only reminders follow, whoever keeps that name."""
    zone = context.now.tzinfo
    if not isinstance(zone, ZoneInfo):
        return False
    order = parse_named_order(words, context.now, zone)
    if refuses_reminder(words) or (order and order.kind in {"pause", "resume", "skip"}):
        return True
    moved = _MOVED.search(words)
    return moved is not None and _is_a_time(words[moved.end() :], context)


def _is_a_time(words: str, context: RoutingContext) -> bool:
    """Whether a part is nothing but a time: it belongs to the part before it."""
    zone = context.now.tzinfo
    if not isinstance(zone, ZoneInfo):
        return False
    spans = resolve_time(words, now=context.now, tz=zone, mode="range").spans
    return spans == ((0, len(words)),)


def _is_of_stored(words: str, context: RoutingContext) -> bool:
    """Whether a part is a question about entries or an order about what is there."""
    zone = context.now.tzinfo
    if not isinstance(zone, ZoneInfo):
        return False
    if _OF_STORED.match(words.strip()) or names_stored_rows(words, context.now, zone):
        return True
    if refuses_reminder(words) or parse_named_order(words, context.now, zone):
        return True
    return parse_ledger_query(words, now=context.now, tz=zone) is not None


def _part_of(words: str, label: str) -> str:
    """Return the part of the words that speaks most for the label; all of them when none does."""
    parts = split_wishes(words)
    best = max(parts, key=lambda part: score(part).get(label, 0.0))
    return best if score(best).get(label, 0.0) > 0 else words


def _certain(intent: str, source: Source, trace: list[str]) -> Decision:
    return Decision(intent=intent, confidence=1.0, source=source, trace=tuple(trace))

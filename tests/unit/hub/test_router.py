"""The router: the order of its stations, the thresholds, what answers an open question."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.core.routing import Classification, RoutingContext, Source
from bot.core.sessions import Expects, Pending
from bot.core.words import text
from bot.router import StationRouter
from bot.rules import RuleClassifier, labels

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, 0, tzinfo=SHANGHAI)
CONTEXT = RoutingContext(text="", now=NOW, locale="zh-CN")


class Oracle:
    """A classifier that always says the same."""

    source = Source.LLM

    def __init__(self, label: str, confidence: float, *secondary: str) -> None:
        self._answer = Classification(ranked=((label, confidence),), secondary=secondary)

    async def classify(self, context: RoutingContext) -> Classification | None:
        del context
        return self._answer


class Silent:
    """A classifier that cannot tell."""

    source = Source.LLM

    async def classify(self, context: RoutingContext) -> Classification | None:
        del context
        return None


def router(*classifiers: Oracle | Silent | RuleClassifier) -> StationRouter:
    return StationRouter(
        enabled=labels(), classifiers=classifiers, fallback="QA", unknown="complex_task"
    )


def question(*expects: Expects, agent: str = "ledger_manager", soft: bool = False) -> Pending:
    return Pending(
        agent=agent,
        name="q",
        question=text("ledger.ask_amount"),
        asked_at=NOW,
        expects=expects,
        soft=soft,
    )


@pytest.mark.parametrize(
    ("confidence", "intent", "ambiguous"),
    [
        (1.0, "MEETING", False),
        (0.80, "MEETING", False),
        (0.79, "MEETING", True),
        (0.50, "MEETING", True),
        (0.49, "QA", True),
        (0.0, "QA", True),
    ],
)
async def test_the_seeds_thresholds_hold_at_their_edges(
    confidence: float, intent: str, *, ambiguous: bool
) -> None:
    """Seed 002, 2.3: >= 0.8 direct, 0.5 to 0.8 with `ambiguous`, below to QA."""
    decision = await router(Oracle("MEETING", confidence)).route(replace(CONTEXT, text="嗯那个"))

    assert (decision.intent, decision.ambiguous) == (intent, ambiguous)


@pytest.mark.parametrize("confidence", [0.1, 0.95])
async def test_unknown_goes_to_complex_task_at_any_confidence(confidence: float) -> None:
    """Seed 000: never to chat by default."""
    decision = await router(Oracle("unknown", confidence)).route(replace(CONTEXT, text="嗯那个"))

    assert decision.intent == "complex_task"


async def test_a_selected_capsule_wins_over_everything() -> None:
    context = replace(CONTEXT, text="午饭35", capsule="MEETING")

    decision = await router(Oracle("IOT", 1.0)).route(context)

    assert (decision.intent, decision.source, decision.confidence) == (
        "MEETING",
        Source.CAPSULE,
        1.0,
    )


@pytest.mark.parametrize(
    ("words", "intent"),
    [
        ("午饭35", "ledger_manager"),
        ("早上地铁5元,中午AA 40,晚上水果35", "ledger_manager"),
        ("这个月花了多少", "ledger_manager"),
        ("10分钟后提醒我喝水", "schedule_manager"),
        ("每周一早上8点提醒我开会", "schedule_manager"),
        ("remind me tomorrow at 8 to call Anna", "schedule_manager"),
    ],
)
async def test_what_the_grammar_explains_to_the_last_word_needs_no_classifier(
    words: str, intent: str
) -> None:
    decision = await router(Oracle("QA", 1.0)).route(replace(CONTEXT, text=words))

    assert (decision.intent, decision.source) == (intent, Source.FAST_PATH)


@pytest.mark.parametrize(
    ("words", "last", "intent"),
    [
        ("35", None, "ledger_manager"),
        ("¥35", "ledger_manager", "ledger_manager"),
        ("35", "chat_manager", "QA"),
        ("2", None, "QA"),
        ("13800138000", None, "QA"),
    ],
)
async def test_a_bare_amount_is_the_ledgers_unless_other_things_were_talked_about(
    words: str, last: str | None, intent: str
) -> None:
    decision = await router(Oracle("QA", 1.0)).route(replace(CONTEXT, text=words, last_agent=last))

    assert decision.intent == intent


async def test_a_source_that_cannot_tell_hands_on_and_no_source_poses_as_another() -> None:
    decision = await router(Silent(), RuleClassifier(labels())).route(
        replace(CONTEXT, text="太热了")
    )

    assert (decision.intent, decision.source) == ("IOT", Source.RULE_FALLBACK)
    assert "llm: cannot tell" in decision.trace


async def test_input_that_nobody_claims_goes_to_the_fallback_agent() -> None:
    decision = await router(RuleClassifier(labels())).route(replace(CONTEXT, text="啦啦"))

    assert (decision.intent, decision.source) == ("QA", Source.RULE_FALLBACK)


@pytest.mark.parametrize("words", ["算了", "cancel", "不用了"])
async def test_cancel_words_answer_any_open_question(words: str) -> None:
    context = replace(CONTEXT, text=words, pending=question(Expects.AMOUNT))

    decision = await router(Silent()).route(context)

    assert (decision.intent, decision.source) == ("ledger_manager", Source.PENDING)


@pytest.mark.parametrize(
    ("words", "expects"),
    [
        ("35", Expects.AMOUNT),
        ("35块", Expects.AMOUNT),
        ("不是，是35", Expects.CONFIRM),
        ("对", Expects.CONFIRM),
        ("明早9点", Expects.TIME),
        ("小林", Expects.WORDS),
    ],
)
async def test_what_a_question_expects_answers_it(words: str, expects: Expects) -> None:
    context = replace(CONTEXT, text=words, pending=question(expects))

    decision = await router(Silent()).route(context)

    assert decision.source is Source.PENDING


@pytest.mark.parametrize(
    ("words", "expects"),
    [
        ("明早8点提醒我开会", Expects.AMOUNT),
        ("帮我订会议室", Expects.CONFIRM),
        ("午饭35", Expects.TIME),
        ("昨天和小王吃了顿饭，他付了一半，我掏了六十", Expects.TIME),
    ],
)
async def test_a_new_wish_is_not_taken_for_an_answer(words: str, expects: Expects) -> None:
    context = replace(CONTEXT, text=words, pending=question(expects, agent="QA"))

    decision = await router(RuleClassifier(labels())).route(context)

    assert decision.source is not Source.PENDING


async def test_a_short_order_goes_on_with_what_was_talked_about() -> None:
    context = replace(CONTEXT, text="删掉吧", last_agent="schedule_manager")

    decision = await router(RuleClassifier(labels())).route(context)

    assert decision.intent == "schedule_manager"

"""Whatever is typed: an answer, in time, and never out of reach."""

import json
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.language.answers import classify_answer
from bot.language.explain import explain
from bot.language.ledger_queries import parse_ledger_query
from bot.language.normalize import LIMIT, normalize
from bot.language.number_spans import find_numbers
from bot.language.reminders import parse_reminder
from bot.language.results import Mode
from bot.language.times import resolve_time

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=SHANGHAI)
MODES: tuple[Mode, ...] = ("reminder", "ledger", "range")
TRICKY = Path(__file__).parents[2] / "data" / "language" / "tricky.jsonl"
ROWS = [json.loads(line) for line in TRICKY.read_text(encoding="utf-8").splitlines()]
WORDS = [
    "明天",
    "下周",
    "每",
    "隔",
    "到",
    "从",
    "半",
    "点",
    "分",
    "号",
    "月",
    "年",
    "周",
    "初",
    "农历",
    "闰",
    "上",
    "下",
    "前",
    "后",
    "之",
    "第",
    "最后",
    "一",
    "二",
    "三",
    "十",
    "百",
    "千",
    "万",
    "零",
    "3",
    "15",
    "2030",
    "9:30",
    "2月30号",
    "除夕",
    "工作日",
    "元",
    "块",
    "毛",
    "k",
    "¥",
    "$",
    "every",
    "until",
    "next",
    "last",
    "3rd",
    "monday",
    "at",
    "in",
    "of",
    "to",
    "from",
    "pm",
    "-",
    "~",
    ".",
    ",",
    ":",
]
PHRASES = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=14).map("".join),
    st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join),
    st.sampled_from([row["text"] for row in ROWS]),
)


@settings(max_examples=400, deadline=None)
@given(PHRASES, st.sampled_from(MODES))
def test_any_text_gives_an_answer(text: str, mode: Mode) -> None:
    result = explain(text, now=NOW, tz=SHANGHAI, mode=mode, locale="zh-CN")

    json.dumps(result)
    classify_answer(text)
    parse_reminder(text, NOW, SHANGHAI)
    parse_ledger_query(text, NOW, SHANGHAI)


@settings(max_examples=400, deadline=None)
@given(PHRASES)
def test_a_reminder_lies_ahead_and_within_five_years(text: str) -> None:
    result = resolve_time(text, now=NOW, tz=SHANGHAI, mode="reminder")

    for item in result.times:
        if item.start is not None:
            assert NOW - timedelta(minutes=1) <= item.start <= NOW + timedelta(days=5 * 366)
        assert 0 <= item.span[0] < item.span[1] <= len(text)


@pytest.mark.parametrize(
    "piece",
    [
        "一",
        "明天",
        "1",
        "1,",
        "下",
        "每周一三五",
        "到",
        "1.1.",
        "¥",
        "  ",
        "a ",
        "3 ",
        "三点",
        "and ",
        "(",
        "农历初",
        "9:3",
        "半",
    ],
)
def test_no_more_is_read_of_a_long_text_than_its_beginning(piece: str) -> None:
    """What bounds the time it takes; `make bench` measures that."""
    begin = piece * (LIMIT // len(piece) + 1)

    long = explain(begin + "x" * 9_000, now=NOW, tz=SHANGHAI, mode="reminder", locale="zh-CN")
    other = explain(
        begin + "明天3点" * 2_000, now=NOW, tz=SHANGHAI, mode="reminder", locale="zh-CN"
    )

    assert {**long, "text": ""} == {**other, "text": ""}


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r["kind"] in ("ask", "reject")], ids=lambda r: r["id"]
)
def test_an_open_or_impossible_message_is_never_stored_silently(row: dict[str, str]) -> None:
    now = datetime.fromisoformat(row["now"])

    result = explain(row["text"], now=now, tz=ZoneInfo(row["tz"]), mode="reminder", locale="zh-CN")

    statuses = [result["amounts_status"]]
    for key in ("time", "recurrence"):
        part = result[key]
        assert isinstance(part, dict)
        statuses.append(part["status"])
    assert {"ask", "reject"} & set(statuses)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("三百五十又3分之1", ["350.333333333333"]),
        ("负一又二分之一", ["-1.5"]),
        ("1.2M", ["1200000"]),
        ("百分之五十五点五", ["55.5"]),
        ("一千多万", ["10000000"]),
        ("五十打", ["600"]),
        ("2e5", ["200000"]),
        ("登陆部队", []),
        ("一百零十万", ["1100000"]),
    ],
)
def test_numbers_are_found_in_every_form(text: str, values: list[str]) -> None:
    assert [n.value for n in find_numbers(normalize(text))] == [Decimal(v) for v in values]

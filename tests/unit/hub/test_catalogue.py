"""The catalogue: both languages say the same things, and every key that is used is there."""

import ast
import string
from pathlib import Path

import pytest

from bot.core.routing import Source
from bot.core.words import Lines, Text, Verbatim, text
from bot.locales.catalogue import catalogue, resolve

ROOT = Path(__file__).parents[3]
PACKAGES = ("bot", "agents", "adapters")


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def literal_keys() -> set[str]:
    """Keys that the code names as a whole: `text("a.b")`, `Text("a.b")`, `_say("a.b")`."""
    found: set[str] = set()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call) or not node.args:
                    continue
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                first = node.args[0]
                if name in {"text", "Text", "_say"} and isinstance(first, ast.Constant):
                    found.add(str(first.value))
    return {key for key in found if "." in key}


REASONS = [
    "past",
    "past_today",
    "bare_hour",
    "which_tomorrow",
    "which_day",
    "which_time",
    "which_hour",
    "which_month",
    "no_time",
    "length_only",
    "only_a_limit",
    "approximate",
    "contradiction",
    "weekday_mismatch",
    "no_such_day_this_month",
    "day_or_month_first",
    "end_before_start",
    "range_unclear",
    "future",
    "no_such_date",
    "no_such_hour",
    "too_far",
    "too_frequent",
    "no_time_of_day",
    "interval_or_gap",
    "interval_or_nth",
    "interval_unclear",
    "interval_and_time",
    "which_times",
    "once_or_weekly",
    "exception_unclear",
    "start_unclear",
    "offset_unclear",
    "festival_moves",
    "times_cross_midnight",
    "midnight_of_which_day",
    "never",
    "not_expressible",
    "cron_fields",
    "cron_day_and_weekday",
    "cron_too_many_times",
    "cron_range",
    "no_amount",
    "not_spent",
    "zero_amount",
    "sub_minor",
    "once_or_daily",
    "negative_amount",
    "range",
    "decimal_comma",
    "share_or_total",
    "part_of_total",
    "parts_and_total_differ",
    "count_or_amount",
    "future_date",
    "too_large",
    "too_many_entries",
]


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_of_the_language_layer_has_words(reason: str) -> None:
    assert f"reasons.{reason}" in catalogue("zh-CN")


def test_both_languages_have_the_same_keys() -> None:
    assert set(catalogue("zh-CN")) == set(catalogue("en"))


def test_both_languages_take_the_same_parameters() -> None:
    zh, en = catalogue("zh-CN"), catalogue("en")

    different = [key for key in zh if placeholders(zh[key]) != placeholders(en[key])]

    assert [key for key in different if not key.startswith("onboarding.ask_")] == []


def test_every_key_that_the_code_names_is_in_the_catalogue() -> None:
    assert sorted(literal_keys() - set(catalogue("zh-CN"))) == []


@pytest.mark.parametrize("source", list(Source))
def test_every_source_of_a_decision_has_words(source: Source) -> None:
    assert f"hub.source_{source}" in catalogue("en")


def test_words_inside_words_are_in_the_readers_language() -> None:
    words = text("hub.parked", question=text("ledger.ask_amount"))

    assert "多少钱" in resolve(words, "zh-CN")
    assert "How much" in resolve(words, "en")


def test_several_words_are_joined_by_the_languages_comma_or_by_lines() -> None:
    parts = (Verbatim("a"), Verbatim("b"))

    assert resolve(Text("schedule.removed", {"what": parts}), "en").endswith("a, b")
    assert resolve(Text("schedule.removed", {"what": parts}), "zh-CN").endswith("a、b")
    assert resolve(Text("schedule.next", {"lines": Lines(parts)}), "en") == "a\nb"


def test_braces_in_a_persons_words_are_shown_as_they_are() -> None:
    words = text("schedule.due", what=Verbatim("{0} {what} {x"))

    assert resolve(words, "en") == "⏰ {0} {what} {x"


def test_a_noun_agrees_with_its_number() -> None:
    words = {n: resolve(text("ledger.button_delete_all", n=n), "en") for n in (0, 1, 2)}

    assert words == {0: "Delete 0 entries", 1: "Delete 1 entry", 2: "Delete 2 entries"}
    assert resolve(text("ledger.button_delete_all", n=1), "zh-CN") == "删除 1 笔"

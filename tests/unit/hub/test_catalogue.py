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

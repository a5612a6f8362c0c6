"""Regular expressions that are compiled late do what those that are compiled at once do."""

import importlib
import pkgutil
import re

import pytest

import adapters
import agents
import bot
import storage
from bot.core.patterns import compile_waiting, regex


def test_it_finds_replaces_and_splits_as_a_compiled_one() -> None:
    late, plain = regex(r"(?P<n>\d+)元", re.IGNORECASE), re.compile(r"(?P<n>\d+)元", re.IGNORECASE)
    words = "午饭35元，打车20元"

    assert late.findall(words) == plain.findall(words)
    assert [m["n"] for m in late.finditer(words)] == ["35", "20"]
    assert late.sub("", words) == plain.sub("", words)
    assert late.split(words) == plain.split(words)
    assert late.match(words, 2) is not None
    assert late.fullmatch(words) is None
    assert (late.pattern, late.flags) == (plain.pattern, plain.flags)


def test_nothing_is_compiled_before_it_is_used_and_then_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled: list[str] = []
    compile_now = re.compile

    def counted(source: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(source)
        return compile_now(source, flags)

    monkeypatch.setattr(re, "compile", counted)
    late = regex(r"a+")
    assert compiled == []

    assert late.search("baa") is not None
    assert late.sub("", "baa") == "b"
    assert compiled == ["a+"]


def test_what_waits_is_compiled_together_and_what_is_malformed_is_said() -> None:
    compile_waiting()
    kept = regex(r"(unclosed")
    with pytest.raises(re.error):
        compile_waiting()
    assert kept.pattern == "(unclosed"


def test_every_pattern_of_every_module_is_well_formed() -> None:
    for package in (bot, agents, adapters, storage):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)

    compile_waiting()

"""The router on labelled phrases, offline, as `eval routing` measures it."""

import asyncio
import json
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

import pytest

from adapters.local_model.classifier import is_installed
from bot.evaluation import Evaluation, Phrase, evaluate, judge
from bot.explain import whole_router
from bot.preload import preload
from bot.settings import Settings
from tests.stage import TUESDAY

ROOT = Path(__file__).parents[2]
OWN = ROOT / "tests" / "data" / "routing" / "phrases.jsonl"
SHARED = ROOT.parent / "shared" / "cases" / "route" / "router.jsonl"
LEAST_PHRASES = 400
NOW = TUESDAY.astimezone(ZoneInfo("Asia/Shanghai"))


def phrases(path: Path) -> list[Phrase]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Phrase(text=row["text"], intent=row["intent"], also=frozenset(row.get("also", ())))
        for row in rows
    ]


async def measured(path: Path, local_model: Literal["auto", "off"]) -> Evaluation:
    await asyncio.to_thread(preload)
    rows = await asyncio.to_thread(phrases, path)
    settings = Settings(_env_file=None, local_model=local_model)
    async with whole_router(settings, ask_model=False) as router:
        return evaluate(await judge(router, rows, now=NOW, locale="zh-CN"))


def test_our_own_set_is_large_and_names_no_phrase_twice() -> None:
    texts = [phrase.text for phrase in phrases(OWN)]

    assert len(set(texts)) == len(texts) >= LEAST_PHRASES


@pytest.mark.skipif(not is_installed(), reason="the extra `local` is not installed")
@pytest.mark.parametrize("path", [OWN, SHARED], ids=["own", "shared"])
async def test_the_local_model_routes_as_well_as_we_say(path: Path) -> None:
    """Issue 7: at least 88 % right, macro-F1 0.85, ECE at most 0.06."""
    if not await asyncio.to_thread(path.exists):
        pytest.skip("the shared cases are not beside the project")

    result = await measured(path, "auto")

    assert result.accuracy >= 0.88
    assert result.macro_f1 >= 0.85
    assert result.ece <= 0.06
    assert set(result.sources) <= {"local_model", "fast_path", "rule_fallback"}


async def test_rules_alone_say_that_they_are_rules_and_are_right_more_often_than_not() -> None:
    result = await measured(OWN, "off")

    assert set(result.sources) == {"rule_fallback", "fast_path"}
    assert result.accuracy >= 0.6

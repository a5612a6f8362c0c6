"""The router on our own labelled phrases, offline: what the README's table says."""

import asyncio
import json
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from benchmarks.report import Figure
from bot.evaluation import Phrase, evaluate, judge
from bot.explain import whole_router
from bot.settings import Settings

PHRASES = Path(__file__).parents[1] / "tests" / "data" / "routing" / "phrases.jsonl"
NOW = datetime(2026, 12, 1, 10, tzinfo=ZoneInfo("Asia/Shanghai"))


async def measure() -> list[Figure]:
    """Return accuracy, macro-F1, calibration and time with the local model, and of rules alone."""
    lines = await asyncio.to_thread(PHRASES.read_text, encoding="utf-8")
    rows = [json.loads(line) for line in lines.splitlines()]
    phrases = [Phrase(text=row["text"], intent=row["intent"]) for row in rows]
    figures = []
    for name, settings in (
        ("local model", Settings(_env_file=None, local_model="auto")),
        ("rules alone", Settings(_env_file=None, local_model="off")),
    ):
        async with whole_router(settings, ask_model=False) as router:
            await judge(router, phrases[:1], now=NOW, locale="zh-CN")
            result = evaluate(await judge(router, phrases, now=NOW, locale="zh-CN"))
        figures += [
            Figure(f"routing, {name}: right", result.accuracy * 100, "%"),
            Figure(f"routing, {name}: macro-F1", result.macro_f1, ""),
            Figure(f"routing, {name}: calibration error", result.ece, ""),
            Figure(f"routing, {name}: a decision, p95", result.p95, "ms"),
        ]
    return figures

"""Time per text, cost of the import, and 10,000 random rules against the plain expansion."""

import asyncio
import json
import random
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from benchmarks.report import Figure
from bot.language.explain import explain
from bot.language.recurrence import upcoming
from bot.language.results import Mode
from bot.language.workdays import load_calendar
from tests.unit.language.brute import fires
from tests.unit.language.random_rules import random_rule

TRICKY = Path(__file__).parents[1] / "tests" / "data" / "language" / "tricky.jsonl"
SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=SHANGHAI)
RULES = 10_000
MODES: tuple[Mode, ...] = ("reminder", "ledger", "range")
PIECES = ("一", "明天", "1", "3 ", "三点", "每三点", "每周一9点", "到", "¥1", "a ", "1.1.")
MEMORY = """
from pathlib import Path
import dateutil.rrule, json, pydantic, re, zoneinfo
def resident():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20
before = resident()
import bot.language.answers, bot.language.explain, bot.language.ics
import bot.language.ledger_queries, bot.language.reminders
print(resident() - before)
"""


def texts(path: Path) -> list[Figure]:
    """Return the time that one explanation takes."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    times = []
    for row in rows:
        for mode in MODES:
            begin = time.perf_counter()
            explain(row["text"] + " ", now=NOW, tz=SHANGHAI, mode=mode, locale="zh-CN")
            times.append((time.perf_counter() - begin) * 1000)
    times.sort()
    return [
        Figure("understanding a text, p50", times[len(times) // 2], "ms"),
        Figure("understanding a text, p95", times[len(times) * 95 // 100], "ms"),
    ]


def long_inputs() -> Figure:
    """Return the slowest of inputs of 10 kB."""
    worst = 0.0
    for piece in PIECES:
        text = piece * (10_000 // len(piece))
        begin = time.perf_counter()
        explain(text, now=NOW, tz=SHANGHAI, mode="reminder", locale="zh-CN")
        worst = max(worst, (time.perf_counter() - begin) * 1000)
    return Figure("understanding 10 kB, worst", worst, "ms")


def rules(count: int) -> Figure:
    """Return how many random rules differ from looking at every day."""
    calendar = load_calendar()
    wrong = 0
    for seed in range(count):
        source = random.Random(seed)  # noqa: S311
        rule = random_rule(source)
        offset = timedelta(days=source.randrange(-30, 500))
        begin = (rule.dtstart_local + offset).replace(tzinfo=UTC)
        expected = fires(rule, begin, begin + timedelta(days=500), calendar)
        found = upcoming(rule, begin, len(expected), calendar=calendar)
        wrong += list(found) != expected
    return Figure(f"random rules of {count:,} that differ from the plain expansion", wrong, "")


async def measure() -> list[Figure]:
    """Return all figures."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", MEMORY, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    memory = Figure("import of the language layer", float(out), "MB")
    return [*texts(TRICKY), long_inputs(), memory, rules(RULES)]

"""Time per text, cost of the import, and 10,000 random rules against the plain expansion.

Run from the project's root: `python -m benchmarks.language [--rules 10000] [--texts FILE]`.
"""

import argparse
import json
import random
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.language.explain import explain
from bot.language.recurrence import upcoming
from bot.language.workdays import load_calendar
from tests.unit.language.brute import fires
from tests.unit.language.random_rules import random_rule

TRICKY = Path(__file__).parents[1] / "tests" / "data" / "language" / "tricky.jsonl"
SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=SHANGHAI)
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


def texts(path: Path) -> None:
    """Print the time that one explanation takes."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    times = []
    for row in rows:
        for mode in ("reminder", "ledger", "range"):
            begin = time.perf_counter()
            explain(row["text"] + " ", now=NOW, tz=SHANGHAI, mode=mode, locale="zh-CN")
            times.append((time.perf_counter() - begin) * 1000)
    times.sort()
    p50, p95 = times[len(times) // 2], times[len(times) * 95 // 100]
    print(f"{len(times)} texts: p50 {p50:.2f} ms, p95 {p95:.2f} ms, max {times[-1]:.2f} ms")


def long_inputs() -> None:
    """Print the slowest of inputs of 10 kB."""
    worst = (0.0, "")
    for piece in (
        "一",
        "明天",
        "1",
        "3 ",
        "三点",
        "每三点",
        "每周一9点",
        "到",
        "¥1",
        "a ",
        "1.1.",
    ):
        text = piece * (10_000 // len(piece))
        begin = time.perf_counter()
        explain(text, now=NOW, tz=SHANGHAI, mode="reminder", locale="zh-CN")
        worst = max(worst, ((time.perf_counter() - begin) * 1000, piece))
    print(f"10 kB: at most {worst[0]:.1f} ms ({worst[1]!r})")


def rules(count: int) -> int:
    """Print how many random rules differ from looking at every day."""
    calendar = load_calendar()
    wrong = 0
    begin_at = time.perf_counter()
    for seed in range(count):
        source = random.Random(seed)  # noqa: S311
        rule = random_rule(source)
        offset = timedelta(days=source.randrange(-30, 500))
        begin = (rule.dtstart_local + offset).replace(tzinfo=UTC)
        expected = fires(rule, begin, begin + timedelta(days=500), calendar)
        found = upcoming(rule, begin, len(expected), calendar=calendar)
        wrong += list(found) != expected
    seconds = time.perf_counter() - begin_at
    print(f"{count} rules: {wrong} differ from the plain expansion ({seconds:.0f} s)")
    return wrong


def main() -> None:
    """Run all measurements."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rules", type=int, default=10_000)
    parser.add_argument("--texts", type=Path, default=TRICKY)
    args = parser.parse_args()
    memory = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True
    )
    print(f"import: {float(memory.stdout):.1f} MB")
    texts(args.texts)
    long_inputs()
    sys.exit(bool(rules(args.rules)))


if __name__ == "__main__":
    main()

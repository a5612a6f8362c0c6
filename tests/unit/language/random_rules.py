"""Random rules for comparing the expansion with the plain one."""

import random
from datetime import datetime, timedelta

from bot.core.recurrence import WEEKDAYS, Rule

ZONES = ("Asia/Shanghai", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe")


def random_rule(source: random.Random) -> Rule:
    """A rule of days, weeks, months, years or workdays, with and without bounds."""
    start = datetime(2024, 1, 1) + timedelta(minutes=source.randrange(60 * 24 * 900))  # noqa: DTZ001
    data: dict[str, object] = {
        "type": "rrule",
        "tz": source.choice(ZONES),
        "dtstart_local": start,
        "times": [
            f"{source.randrange(24):02d}:{source.choice((0, 15, 30, 45)):02d}"
            for _ in range(source.choice((1, 1, 1, 2, 3)))
        ],
        "clamp": source.random() < 0.5,
        "skip_holidays": source.random() < 0.2,
    }
    kind = source.choice(("DAILY", "WEEKLY", "MONTHLY", "YEARLY", "workday", "nth_workday"))
    if kind == "workday":
        data |= {"type": "workday", "free_days": source.random() < 0.3}
    elif kind == "nth_workday":
        data |= {"type": "nth_workday", "nth": source.choice((1, 2, 5, -1, -2))}
    else:
        data["rrule"] = _text(kind, source)
    bound = source.random()
    if bound < 0.2:
        data["count"] = source.randrange(1, 30)
    elif bound < 0.4:
        data["until"] = start + timedelta(days=source.randrange(1, 400))
    return Rule.from_json(data)


def _text(freq: str, source: random.Random) -> str:
    parts = [f"FREQ={freq}", f"INTERVAL={source.choice((1, 1, 1, 2, 3, 5))}"]
    days = source.sample(WEEKDAYS, source.randrange(1, 4))
    if freq == "WEEKLY" or (freq == "DAILY" and source.random() < 0.3):
        parts.append(f"BYDAY={','.join(days)}")
    if freq == "YEARLY" or source.random() < 0.2:
        months = sorted(source.sample(range(1, 13), source.randrange(1, 4)))
        parts.append(f"BYMONTH={','.join(map(str, months))}")
    if freq in ("MONTHLY", "YEARLY"):
        if source.random() < 0.5:
            numbers = source.sample((1, 5, 15, 28, 29, 30, 31, -1, -2), source.randrange(1, 3))
            parts.append(f"BYMONTHDAY={','.join(map(str, numbers))}")
        else:
            nths = [f"{source.choice(('', 1, 2, 3, 5, -1, -2))}{day}" for day in days]
            parts.append(f"BYDAY={','.join(nths)}")
    return ";".join(parts)

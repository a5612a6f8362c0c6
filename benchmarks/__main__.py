"""Measure and print a table: ``make bench``, or ``python -m benchmarks hub reminders``."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable

import structlog

from benchmarks import feishu, hub, language, model, process, reminders, routing, telegram
from benchmarks.report import Figure

PARTS: dict[str, Callable[[], Awaitable[list[Figure]]]] = {
    "hub": hub.measure,
    "reminders": reminders.measure,
    "process": process.measure,
    "language": language.measure,
    "routing": routing.measure,
    "telegram": telegram.measure,
    "feishu": feishu.measure,
    "model": model.measure,
}


def main() -> None:
    """Run the named parts, or all."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    wanted = sys.argv[1:] or list(PARTS)
    print("| what | figure |\n|---|---|")
    for name in wanted:
        for figure in asyncio.run(_run(PARTS[name])):
            print(figure.row(), flush=True)


async def _run(part: Callable[[], Awaitable[list[Figure]]]) -> list[Figure]:
    return await part()


if __name__ == "__main__":
    main()

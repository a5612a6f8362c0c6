"""Short orders about things that are there ("删掉刚才那笔"), from a table of patterns."""

import functools
import re
from dataclasses import dataclass
from importlib.resources import files

from bot.core.patterns import regex
from bot.core.tables import read_table
from bot.language.normalize import Normal, normalize


@dataclass(frozen=True, slots=True)
class Order:
    """What to do with which thing.

    Attributes:
        kind: a heading of the table: ``list``, ``delete``, ``change``.
        target: words of the thing; empty means the last one.
        rest: the new value, for a change.
    """

    kind: str
    target: str = ""
    rest: str = ""


@functools.cache
def order_patterns(agent: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the table of an agent: kind and pattern, in order."""
    source = files("agents").joinpath(agent, "orders.yaml").read_text(encoding="utf-8")
    table = read_table(source)
    last, noun = table.pop("last"), table.pop("noun")
    return tuple(
        (
            kind,
            regex(pattern.replace("{last}", last).replace("{noun}", noun), re.IGNORECASE),
        )
        for kind, patterns in table.items()
        for pattern in patterns
    )


def parse_order(agent: str, words: str) -> Order | None:
    """Return the order in ``words`` by the table of ``agents/<agent>/orders.yaml``.

    The table reads one spelling; the groups are as the person wrote them.
    """
    normal = normalize(words)
    text = normal.text.strip().rstrip("。.!！")
    offset = normal.text.index(text)
    for kind, pattern in order_patterns(agent):
        if found := pattern.match(text):
            said = {
                name: _written(normal, offset + found.start(name), offset + found.end(name))
                for name, value in found.groupdict().items()
                if value
            }
            return Order(kind, target=said.get("target", ""), rest=said.get("rest", ""))
    return None


def _written(normal: Normal, start: int, end: int) -> str:
    """Return a stretch of the text as the person wrote it."""
    first, last = normal.span(start, end)
    return normal.source[first:last].strip()

"""Lengths of time in words: 一个半小时, 1 hour and thirty, 两年加三个月."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from bot.language.slots import SECONDS, Length
from bot.language.tokens import Token

_MARKS: Final = {
    "nian": "year",
    "fen": "minute",
    "miao": "second",
    "yue": "month",
    "ri": "day",
    "shi": "hour",
}
_UNSURE_ALONE: Final = frozenset({"yue", "ri", "shi"})
_DATE_LIKE: Final = frozenset({"num", "nian", "yue", "ri", "shi", "dian", "fen", "miao", "comma"})
_HALF: Final = Decimal("0.5")
_QUARTER: Final = Decimal("0.25")
_SMALLER: Final = {"hour": "minute", "minute": "second", "year": "month"}
_LINKS: Final = frozenset({"and", "plus", "comma"})
_KE_SECONDS: Final = 15
_FIRST_FULL_YEAR: Final = 1000
_MAX_LINKS: Final = 2
_MAX_COUNT: Final = 100_000

Part = tuple[str, Decimal, int, bool]


class _Reader:
    """Reads over tokens; None and 0 when there is nothing of the kind."""

    def __init__(self, tokens: Sequence[Token], text: str) -> None:
        self.tokens = tokens
        self.text = text

    def kind(self, at: int) -> str:
        return self.tokens[at].kind if at < len(self.tokens) else ""

    def unit(self, at: int) -> str:
        """The unit a token stands for."""
        if at >= len(self.tokens):
            return ""
        token = self.tokens[at]
        if token.kind == "unit":
            return token.name if token.name in SECONDS else ""
        return _MARKS.get(token.kind, "")

    def word(self, at: int) -> str:
        token = self.tokens[at] if at < len(self.tokens) else None
        return "" if token is None else self.text[token.start : token.end]

    def count(self, at: int) -> tuple[Decimal, int] | None:
        """A count and the index after it."""
        kind = self.kind(at)
        if kind == "num" and self.kind(at + 1) == "quarterhour":
            return self.fraction(at)
        if kind == "num":
            return self._number(at)
        if kind == "a":
            return Decimal(1), at + 1
        if kind == "couple":
            return Decimal(2), at + 1
        return self.fraction(at)

    def _number(self, at: int) -> tuple[Decimal, int]:
        value, after = self.tokens[at].number, at + 1
        if self.kind(after) == "dian" and self.kind(after + 1) == "num" and self.unit(after + 2):
            digits = int(self.tokens[after + 1].number)
            return value + Decimal(f"0.{digits}"), after + 2
        parts = self._parts_of(at)
        if parts is not None:
            return parts
        if self.kind(after) in ("and", "a") or self.word(after) == "又":
            part = self._parts_of(after + 1) or self.fraction(after + 1)
            if part is not None:
                return value + part[0], part[1]
        return value, after

    def _parts_of(self, at: int) -> tuple[Decimal, int] | None:
        """四分之一."""
        kinds = tuple(self.kind(at + step) for step in range(4))
        if kinds != ("num", "fen", "de", "num") or not self.tokens[at].number:
            return None
        return self.tokens[at + 3].number / self.tokens[at].number, at + 4

    def fraction(self, at: int) -> tuple[Decimal, int] | None:
        """Half, a quarter, three quarters, 1/2."""
        times = Decimal(1)
        if self.kind(at) == "a":
            at += 1
        elif self.kind(at) == "num" and self.kind(at + 1) == "quarterhour":
            times, at = self.tokens[at].number, at + 1
        if self.kind(at) == "half":
            return _HALF, at + 1
        if self.kind(at) == "quarterhour":
            return times * _QUARTER, at + 1
        if self.kind(at) == "date" and self.unit(at + 1):
            year, over, under = self.tokens[at].fields
            if not year and over and under:
                return Decimal(over) / under, at + 1
        return None

    def part(self, at: int) -> Part | None:
        """One count and unit: unit, count, the index after it, whether it can be nothing else."""
        if self.kind(at) == "ban":
            return self._half(at)
        if self.kind(at) == "fen" and self.kind(at + 1) == "ban":
            return "minute", Decimal(1) + _HALF, self._skip("zhong", at + 2), True
        if self.kind(at) == "ge" and self.kind(at + 1) == "ban" and self.unit(at + 2):
            return self.unit(at + 2), Decimal(1) + _HALF, self._skip("zhong", at + 3), True
        counted = self.count(at)
        return None if counted is None else self._with_unit(*counted)

    def _with_unit(self, value: Decimal, after: int) -> Part | None:
        """A count with the unit that follows it."""
        here = self._skip("ge", after)
        if self.kind(here) == "ban" and self.unit(here + 1):
            value, here = value + _HALF, here + 1
        here = self._skip("of", self._skip("more", here))
        if self.kind(here) == "ke":
            return "minute", value * _KE_SECONDS, here + 1, True
        unit = self.unit(here)
        too_large = value > _MAX_COUNT or (unit == "year" and value >= _FIRST_FULL_YEAR)
        if not unit or too_large:
            return None
        certain = self.kind(here) not in _UNSURE_ALONE
        here += 1
        if self.kind(here) == "ban":
            value, here = value + _HALF, here + 1
        return unit, value, self._skip("zhong", here), certain

    def _skip(self, kind: str, at: int) -> int:
        return at + 1 if self.kind(at) == kind else at

    def _half(self, at: int) -> Part | None:
        here = at + 1
        if self.kind(here) == "ge":
            here += 1
        unit = self.unit(here)
        if not unit:
            return None
        return unit, _HALF, self._skip("zhong", here + 1), True


class LengthRead(NamedTuple):
    """A length of time that was read.

    Attributes:
        length: The length.
        end: Index of the token after it.
        certain: It can stand alone as a length.
        weak: All its units may as well be those of a date: 2015年3月.
    """

    length: Length
    end: int
    certain: bool
    weak: bool


def read_length(tokens: Sequence[Token], at: int, text: str) -> LengthRead | None:
    """The length that begins at a token."""
    reader = _Reader(tokens, text)
    first = reader.part(at)
    if first is None:
        return None
    unit, count, here, certain = first
    parts = [(unit, count)]
    while True:
        after = here
        while reader.kind(after) in _LINKS and after - here < _MAX_LINKS:
            after += 1
        linked = after > here
        follow = reader.part(after)
        if follow is not None and SECONDS[follow[0]] < SECONDS[parts[-1][0]]:
            parts.append((follow[0], follow[1]))
            here, certain = follow[2], True
            continue
        half = reader.fraction(after) if linked else None
        if half is not None and not reader.unit(half[1]):
            parts[-1] = (parts[-1][0], parts[-1][1] + half[0])
            here = half[1]
            continue
        smaller = _SMALLER.get(parts[-1][0])
        if smaller and reader.kind(here) == "num" and reader.word(here + 1) == "m":
            parts.append((smaller, tokens[here].number))  # 2h30m
            here += 2
        elif (
            smaller
            and reader.kind(after) == "num"
            and tokens[after].name in ("en", "arabic")
            and reader.kind(after + 1) in ("", "other")
            and text[tokens[here - 1].start].isascii()
            and (reader.kind(after + 1) == "" or linked)
        ):
            parts.append((smaller, tokens[after].number))
            here = after + 1
        break
    weak = all(t.kind in _DATE_LIKE for t in tokens[at:here])
    return LengthRead(Length(tuple(parts)), here, certain, weak)

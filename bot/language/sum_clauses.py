"""The stretch of a message that belongs to each of its sums."""

import re
from dataclasses import dataclass
from typing import Final

from bot.core.patterns import regex
from bot.language.categories import DEFAULT
from bot.language.money_words import CLAUSE, COUNT, LEAD, MEASURES, TAIL
from bot.language.normalize import Normal, normalize
from bot.language.spent_sums import SpentSums

_NOISE: Final = regex(rf"[,，;；。、.!！()（）\n]|(?:每|各|一)(?:{MEASURES}) ?$")
_THING_AFTER: Final = regex(r" ?(?:的(?!士)|for |on )", re.IGNORECASE)
_USE_AFTER: Final = regex(r" ?(?:来|去)?(?:买|吃|喝|打|坐|修|交|付|订|充|加|看|剪)(?!了)")
"""What a sum with nothing named before it was used for: 花了50买书."""

_JOINT: Final = regex(r"(?:和|跟|与|以及|加上?|\band(?: another)?) ?$", re.IGNORECASE)
_ONE_OF: Final = regex(
    r"^(?:件|个(?![税人])|杯|台(?![灯球布])|辆|张|条|只|份|双|部)(?![子装])(?=[\u4e00-\u9fff]{2})"
)
"""The measure word of one thing without its number: 买了件衣服."""

BESIDE: Final = regex(r"\s*(?:和|跟|以及|外加|加上?|还有|\band\b)")
"""What joins a thing to the sum before it."""

_BOUGHT: Final = regex(r"买了$")
_FLOWER: Final = regex(r"[束枝朵盆支]?花")
_FLOWER_PAID: Final = regex(r"花(?=[花用付交买])")
"""花 is to spend and a flower; before another word of paying, or after 买了, it is one."""

_KNOWN_LONGEST: Final = 4
_HOLE: Final = "\x00"
"""Stands for words of time and number that are taken out of a name."""

_MENDED: Final = regex(rf"(?<=[\u4e00-\u9fff]) ?{_HOLE}+ ?(?=[\u4e00-\u9fff])")


@dataclass(frozen=True, slots=True)
class Clause:
    """The stretch of text that belongs to a sum.

    Attributes:
        start: Where it begins.
        end: Where it ends, exclusive.
        closed: Something ends it, so that what follows the sum belongs to it.
    """

    start: int
    end: int
    closed: bool


class SumClauses:
    """The clauses of one message, one for each sum, and the words that stand in them."""

    def __init__(self, normal: Normal, spent: SpentSums) -> None:
        self._normal = normal
        self.text = spent.text
        self.sums = spent.sums
        self._masked = spent.masked

    def previous(self, index: int) -> int:
        """Where the sum before it ends."""
        return self.sums[index - 1].end if index else 0

    def clause(self, index: int) -> Clause:
        """The clause of a sum."""
        item, previous = self.sums[index], self.previous(index)
        following = self.sums[index + 1].start if index + 1 < len(self.sums) else len(self.text)
        before = self.joint(index - 1) if index else None
        start = before.end() if before else max(previous, self._taken(index - 1))
        previous = start
        for match in CLAUSE.finditer(self.text, previous, item.start):
            if any(char.isalpha() for char in self.text[match.end() : item.start]):
                start = match.end()
        joint = self.joint(index)
        if len(self.sums) == 1 and (named := self._named_apart(start)) is not None:
            return Clause(start, named, closed=True)
        stop = CLAUSE.search(self.text, item.end, following) or joint or self._beside(index)
        closed = stop is not None or following == len(self.text)
        return Clause(start, stop.start() if stop else following, closed)

    def _named_apart(self, start: int) -> int | None:
        """Where a known thing ends that names the only sum after a break: 35，午饭."""
        item = self.sums[0]
        stop = CLAUSE.match(self.text, item.end)
        if stop is None or self.bare(start, item.start):
            return None
        further = CLAUSE.search(self.text, stop.end())
        end = further.start() if further else len(self.text)
        return end if DEFAULT.knows(self.bare(stop.end(), end)) else None

    def _taken(self, index: int) -> int:
        """Where the words end that name the thing of a sum behind it: 50买书，30买菜; else 0."""
        if index < 0:
            return 0
        item = self.sums[index]
        stop = CLAUSE.search(self.text, item.end, self.sums[index + 1].start)
        if stop is None or not self.bare(item.end, stop.start()):
            return 0
        return 0 if self.bare(self.clause(index).start, item.start) else stop.end()

    def joint(self, index: int) -> re.Match[str] | None:
        """The "and" between a sum with its thing after it and the next: 30块的菜和20块的水果."""
        if index + 1 >= len(self.sums) or not self._has_thing_after(index):
            return None
        return _JOINT.search(self.text, self.sums[index].end, self.sums[index + 1].start)

    def _has_thing_after(self, index: int) -> bool:
        item = self.sums[index]
        if _THING_AFTER.match(self.text, item.end):
            return True
        used = _USE_AFTER.match(self.text, item.end) is not None
        return used and not _JOINT.sub("", self.bare(self.previous(index), item.start))

    def _beside(self, index: int) -> re.Match[str] | None:
        """The "and" between the last sum and a thing without one: 午饭35和奶茶."""
        end = self.sums[index].end
        match = BESIDE.match(self.text, end) if index + 1 == len(self.sums) else None
        if match is None or not DEFAULT.knows(self.bare(match.end(), len(self.text))):
            return None
        return match

    def bare(self, start: int, end: int) -> str:
        """The words of a stretch without times, counts and verbs of spending."""
        starts, ends, source = self._normal.starts, self._normal.ends, self._normal.source
        kept = (
            source[starts[i] : ends[i]] if not self._masked[i] else _HOLE
            for i in range(start, end)
        )
        text = _MENDED.sub("", COUNT.sub(_HOLE, "".join(kept))).replace(_HOLE, " ")
        text = re.sub(r" {2,}", " ", _NOISE.sub(" ", text)).strip()
        lead = LEAD.match(_folded(text))
        text = text[lead.end() :] if lead else text
        if lead and _folded(text) not in DEFAULT.words:
            text = text[match.end() :] if (match := _ONE_OF.match(_folded(text))) else text
        if text.startswith("加") and not DEFAULT.match(text)[0].startswith("加"):
            text = text[1:] if DEFAULT.knows(text[1:]) else text
        if lead and _BOUGHT.search(lead.group()) and _FLOWER.fullmatch(_folded(text)):
            return text[-1]
        text = text[: _name_ends(_folded(text))]
        text = text.strip(" ：:")
        return text if text.endswith("打的") else text.rstrip("的 ")


def _folded(text: str) -> str:
    """A name in the one spelling, as long as it is written."""
    folded = normalize(text).text
    return folded if len(folded) == len(text) else text.lower()


def _name_ends(text: str) -> int:
    """Where a name ends and words of paying follow: 鲜花 is no 鲜 that was 花, 买花花了 no 买."""
    tail = TAIL.search(text)
    if tail is None:
        return len(text)
    at = tail.start()
    if _FLOWER_PAID.match(text, at):
        return at + 1
    for start in range(max(0, at - _KNOWN_LONGEST + 1), at):
        for end in range(min(len(text), start + _KNOWN_LONGEST), at, -1):
            is_end = end == len(text) or TAIL.match(text, end)
            if is_end and text[start:end] in DEFAULT.words:
                return end
    return at

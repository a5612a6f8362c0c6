"""Several things that cost the same each: 午饭、晚饭各30, lunch and dinner 30 each."""

from dataclasses import dataclass
from typing import Final

from bot.core.patterns import regex
from bot.language.categories import Lexicon
from bot.language.money_words import COUNT
from bot.language.sum_clauses import SumClauses

EACH: Final = regex(
    r"(?:各自?|每样|都是|\beach)[花付转给买用充交发要]?了? ?$|(?<=[餐饭茶啡])都 ?$"
)
_AFTER: Final = regex(r" ?(?:[块元]钱?)? ?(?:each|apiece)\b")
_WAYS: Final = regex(r" ?(?:[块元]钱?|bucks|dollars)? ?each way\b")
_THERE_AND_BACK: Final = regex(r"来回|往返|双程")
_JOINS: Final = regex(r"[、&]|和|跟|与|以及|还有| and ")
_JOINS_ZH: Final = regex(r"[、和跟与]|以及|还有")
_COMMA: Final = regex(r"[,，;；。]")
_PAIRS: Final = regex(r"爸妈|爸爸妈妈|父母|公婆|[两俩双三]个?(?:孩子|娃|儿子|女儿|老人)")
_LONGEST: Final = 4


@dataclass(frozen=True, slots=True)
class EachOf:
    """Things that share the price of one sum.

    Attributes:
        start: Where the list of them begins.
        names: What they are; empty where they cannot be told apart for certain.
    """

    start: int
    names: tuple[str, ...]


def each_of(clauses: SumClauses, index: int, lexicon: Lexicon) -> EachOf | None:
    """The things that each cost one sum; None where it is the price of one.

    Args:
        clauses: The clauses of the message.
        index: Which of its sums.
        lexicon: The words that are known as things.
    """
    item, text, start = clauses.sums[index], clauses.text, clauses.previous(index)
    said = EACH.search(text, start, item.start)
    if _WAYS.match(text, item.end) or (said and _THERE_AND_BACK.search(text, start, item.start)):
        return EachOf(item.start, ())
    if said is None and not _AFTER.match(text, item.end):
        return None
    end = said.start() if said else item.start
    listed = text[start:end]
    commas = list(_COMMA.finditer(listed))
    if commas and _JOINS_ZH.search(listed, commas[-1].end()):  # 昨天打车，午饭和晚饭各30
        start += commas[-1].end()
    names = _names(clauses, start, end)
    if len(names) == 1:
        names = _run_together(names[0], lexicon)
    if _PAIRS.search(text, start, end):
        return EachOf(start, ())
    if len(names) < 2:  # noqa: PLR2004  # each of several
        return None
    certain = all(lexicon.knows(name) for name in names)
    certain = certain and COUNT.search(text, start, end) is None
    return EachOf(start, names if certain else ())


def _names(clauses: SumClauses, start: int, end: int) -> tuple[str, ...]:
    found, at = [], start
    splits = [
        *_JOINS.finditer(clauses.text, start, end),
        *_COMMA.finditer(clauses.text, start, end),
    ]
    for match in (*sorted(splits, key=lambda m: m.start()), None):
        stop = match.start() if match else end
        found.append(clauses.bare(at, stop))
        at = match.end() if match else end
    return tuple(name for name in found if name)


def _run_together(name: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The known things that a name is made of without a sign between them: 午饭晚饭."""
    found, at = [], 0
    while at < len(name):
        size = next((n for n in range(_LONGEST, 1, -1) if name[at : at + n] in lexicon.words), 0)
        if not size:
            return (name,)
        found.append(name[at : at + size])
        at += size
    return tuple(found)

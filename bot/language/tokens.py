"""A normalised text as a row of tokens: numbers, dates, clock times and known words."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from bot.core.patterns import regex
from bot.language.festivals import surfaces
from bot.language.numerals import read_number
from bot.language.vocabulary import entries


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of text with its meaning.

    Attributes:
        kind: What it is; `other` for text without meaning here.
        start: Where it begins.
        end: Where it ends, exclusive.
        n: A whole number: a weekday, a month, a shift.
        name: A word: a part of the day, a unit, a zone; for numbers how they are written.
        number: The value of a number.
        fields: Year, month, day or hour, minute, second.
        gap: A blank stands before it.
    """

    kind: str
    start: int
    end: int
    n: int = 0
    name: str = ""
    number: Decimal = Decimal(0)
    fields: tuple[int, ...] = ()
    gap: bool = False


def _lexicon() -> dict[str, list[tuple[str, str, int, str]]]:
    rows = entries() + [(s, "festival", 0, key) for s, key in surfaces()]
    unique = {row[0]: row for row in rows}
    found: dict[str, list[tuple[str, str, int, str]]] = {}
    for row in sorted(unique.values(), key=lambda r: -len(r[0])):
        found.setdefault(row[0][0], []).append(row)
    return found


_LEXICON: Final = _lexicon()
_END = r"(?![\d])"
_FORMATS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("ymd", regex(rf"(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}}){_END}t?")),
    ("ymd", regex(r"(\d{2})([-.])(\d{1,2})\2(\d{1,2})(?!\.?\d|[-.]\d)")),
    ("mdy", regex(rf"(\d{{1,2}})([-/])(\d{{1,2}})\2(\d{{4}}|\d{{2}}){_END}")),
    ("clock", regex(r"([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?(?![\d:])")),
    (
        "clock",
        regex(r"([01]?\d|2[0-3])\.([0-5]\d)(?= ?(?:[ap]m|tomorrow|tmrw|today|tonight)\b)()"),
    ),
    ("md", regex(r"(1[0-2]|0?[1-9])-(3[01]|[12]\d|0?[1-9])(?= \d{1,2}:\d{2})")),
    ("badclock", regex(r"\d{1,2}:\d{2}(?![\d:])")),
    (
        "compact",
        regex(r"((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d|\.\d| ?[元块万亿])"),
    ),
    ("ym", regex(r"((?:19|20)\d{2})[./-](0?[1-9]|1[0-2])(?![\d.])")),
    ("md", regex(r"(1[0-2]|0?[1-9])/(3[01]|[12]\d|0?[1-9])(?![\d/年月])")),
    ("badmd", regex(r"\d{1,2}/\d{1,2}(?![\d/])")),
    (
        "mdot",
        regex(r"(1[0-2]|0?[1-9])\.(3[01]|[12]\d|0?[1-9])(?![\d.万亿千kw元块%个小天分升斤克])"),
    ),
)
_WEEKDAY_DIGIT = regex(
    r"(?:周|星期|礼拜)([1-7])(?=$|[上下]午|早上|晚上|中午|凌晨|傍晚|[,，、。 ]|的|提醒)"
)
"""周3下午; with an hour or a count after it, 下周3点 and 每周3次, it is no weekday."""

_LATIN = regex(r"[a-z][a-z']*")
_ORDINAL = regex(r"(\d{1,3})(?:st|nd|rd|th)\b")
_AP = regex(r" ?([ap])(?:\.?m\.?)?(?![a-z])")
_TWO_DIGIT_PIVOT = 69
_FOUR_DIGITS = 1000
_SHORT = 2
_MONTHS = 12


def full_year(year: int, written: str = "") -> int:
    """A year as written in full: 98 means 1998, 06 means 2006; longer ones stay."""
    if year >= _FOUR_DIGITS or len(written) > _SHORT:
        return year
    return year + (1900 if year >= _TWO_DIGIT_PIVOT else 2000)


ADDRESS: Final = regex(r"(?:https?://|www\.)[^\s一-鿿,]+")
"""Numbers in an address are no amounts and no times."""


def tokenize(text: str) -> list[Token]:
    """The tokens of a normalised text, in order; together they cover all that is not blank."""
    found: list[Token] = []
    here, gap, size = 0, False, len(text)
    while here < size:
        if text[here] == " ":
            here, gap = here + 1, True
            continue
        address = ADDRESS.match(text, here)
        token = Token("other", here, address.end()) if address else _read(text, here, found)
        if token.kind == "other" and found and found[-1].kind == "other" and not gap:
            last = found.pop()
            token = Token("other", last.start, token.end, gap=last.gap)
        elif gap:
            token = _with_gap(token)
        found.append(token)
        here, gap = token.end, False
    return _without_lookalikes(found, text)


def _without_lookalikes(tokens: list[Token], text: str) -> list[Token]:
    """The tokens with `may`, `march`, `sun` and the like as other words unless dates are near."""
    if len(tokens) == 1:
        return tokens
    kept = list(tokens)
    for index, token in enumerate(tokens):
        word = text[token.start : token.end]
        before = tokens[index - 1].kind if index else ""
        after = tokens[index + 1].kind if index + 1 < len(tokens) else ""
        if word == "second" and before not in ("num", "a", "more", "ban") and after in _COUNTED:
            kept[index] = Token("ordinal", token.start, token.end, n=2, gap=token.gap)
            continue
        if word not in _LOOKALIKES:
            continue
        at = token.kind == "weekday" and after == "at"
        at = at and text[tokens[index + 1].start : tokens[index + 1].end] == "at"
        if before not in _DATE_BEFORE and after not in _DATE_AFTER and not at:
            kept[index] = Token("other", token.start, token.end, gap=token.gap)
    return kept


_LOOKALIKES: Final = frozenset({"may", "march", "mar", "sat", "sun", "mon", "wed", "second"})
_COUNTED: Final = frozenset({"weekday", "and", "comma", "unit", "tolast", "of", "month", "in"})
_DATE_BEFORE: Final = frozenset(
    {"at", "of", "in", "from", "to", "until", "every", "dir", "ordinal", "num", "and", "weekday"}
    | {"month", "except", "start", "before", "after", "date", "nth_last", "tolast", "freq"}
)
_DATE_AFTER: Final = frozenset(
    {"num", "ordinal", "clock", "to", "and", "date", "month", "part", "noon", "start"}
)


def _with_gap(token: Token) -> Token:
    return Token(
        token.kind,
        token.start,
        token.end,
        token.n,
        token.name,
        token.number,
        token.fields,
        gap=True,
    )


def _read(text: str, here: int, before: list[Token]) -> Token:
    char = text[here]
    if char == "(" and (match := _IN_BRACKETS.match(text, here)) is not None:
        return Token("weekday", here, match.end(), n="一二三四五六日".index(match.group(1)))
    counted = before and before[-1].kind in ("num", "ge")  # 3个星期
    if char in "周星礼" and not counted and (match := _WEEKDAY_DIGIT.match(text, here)):
        return Token("weekday", here, match.end(), n=int(match.group(1)) - 1)
    word = _read_word(text, here)
    if (
        word is not None
        and text[here : word.end] in _LONE_PARTS
        and not _stands(text, word, before)
    ):
        word = None
    if char in "中午" and word is None and _in_part_list(here, before):
        return Token("part", here, here + 1, name="noon")
    if char.isdigit() and not (word and word.end - here > 1):
        formatted = _read_format(text, here, before)
        if formatted is not None:
            return formatted
    if word is not None and word.kind in ("festival", "noise"):
        return word
    number = _read_numeral(text, here)
    if number is not None and (word is None or number.end >= word.end):
        return number
    return word or _read_other(text, here)


def _read_numeral(text: str, here: int) -> Token | None:
    number = read_number(text, here)
    if number is None:
        return None
    end, form = number.end, number.form
    if text.startswith("ish", end) and not text[end + 3 : end + 4].isalpha():
        end, form = end + 3, "vague"
    return Token("num", here, end, name="vague" if number.vague else form, number=number.value)


def _read_other(text: str, here: int) -> Token:
    match = _LATIN.match(text, here)
    return Token("other", here, here + 1 if match is None else match.end())


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalpha()


def _read_word(text: str, here: int) -> Token | None:
    if here and _is_latin(text[here]) and _is_latin(text[here - 1]):
        return None
    for surface, kind, n, name in _LEXICON.get(text[here], ()):
        end = here + len(surface)
        if not text.startswith(surface, here):
            continue
        if _goes_on(text, surface, end):
            continue
        last = surface[-1]
        if _is_latin(last) and _is_latin(text[end : end + 1]):
            continue
        return Token(kind, here, end, n=n, name=name)
    return None


_IN_BRACKETS: Final = regex(r"\((?:周|星期)?([一二三四五六日])\)")
_PART_LIST: Final = regex(r"早[、,和]?(?:中[、,和]?)?晚(?![会要是得必都餐饭班报间上自安])")
"""早晚 and 早中晚 as parts of the day; 早晚会 is sooner or later."""

_LONE_PARTS: Final = frozenset("早晚夜晨")
_DAY_KINDS: Final = frozenset(
    {"day", "weekday", "hao", "ri", "festival", "date", "every", "unit", "edge", "day_pair"}
)


def _stands(text: str, word: Token, before: list[Token]) -> bool:
    """Whether a lone 早 or 晚 is a part of the day: after a day, before a number, in a list."""
    if _in_part_list(word.start, before) or _PART_LIST.match(text, word.start):
        return True
    if before and before[-1].kind in _DAY_KINDS and before[-1].end == word.start:
        return True
    follow = text[word.end : word.end + 1]
    return follow.isdigit() or follow in tuple("一二三四五六七八九十两零")


def _in_part_list(here: int, before: list[Token]) -> bool:
    """Whether this goes on a list of single letters: the 中 and 晚 of 早中晚, also 早、晚."""
    last = before[-1] if before else None
    if last is not None and last.kind == "comma" and len(before) > 1 and last.end == here:
        last = before[-2] if before[-2].end == last.start else None
        return last is not None and _is_letter_part(last)
    return last is not None and last.end == here and _is_letter_part(last)


def _is_letter_part(token: Token) -> bool:
    return token.kind == "part" and token.end - token.start == 1


_NOT_BEFORE: Final = {"月初": "一二三四五六七八九十", "月中": "旬", "初": "初", "一下": "午个周月"}


_FESTIVALS: Final = frozenset(name for name, _ in surfaces())
_GIVEN: Final = regex(
    r"(?:礼[金物品盒]|福利|红包|月饼|粽子|汤圆|年货|奖金?|补贴|过节费|贺卡|蛋糕|树|帽)(?!(?:那|这|当)天)"
)
"""What is given or eaten at a festival, on whatever day it is bought."""


def _goes_on(text: str, surface: str, end: int) -> bool:
    """Whether a word is only the beginning of another: 八月初八 is no beginning of a month."""
    if surface == "大年":
        return text[end : end + 1] != "初"
    if surface in _FESTIVALS and _GIVEN.match(text, end):
        return True
    led = text[: end - len(surface)].endswith(("上", "下", "这", "本"))
    if led and surface.endswith("一") and text.startswith("共", end):
        return True  # 上周一共 is all of last week
    return surface in _NOT_BEFORE and text[end : end + 1] in tuple(_NOT_BEFORE[surface])


def _read_format(text: str, here: int, before: list[Token]) -> Token | None:
    if here and (text[here - 1].isdigit() or text[here - 1] in ".,$¥€£"):
        return None
    for name, pattern in _FORMATS:
        match = pattern.match(text, here)
        if match is None:
            continue
        built = _BUILD[name](match, text, before)
        if built is not None:
            return built
    match = _ORDINAL.match(text, here)
    return None if match is None else Token("ordinal", here, match.end(), n=int(match.group(1)))


def _ymd(match: re.Match[str], text: str, before: list[Token]) -> Token:
    del text, before
    year = full_year(int(match.group(1)), match.group(1))
    return _date(match, (year, int(match.group(3)), int(match.group(4))))


def _mdy(match: re.Match[str], text: str, before: list[Token]) -> Token:
    del text, before
    first, second = int(match.group(1)), int(match.group(3))
    year = full_year(int(match.group(4)), match.group(4))
    if first > _MONTHS >= second:
        return _date(match, (year, second, first))
    unsure = first <= _MONTHS and second <= _MONTHS and first != second
    return _date(match, (year, first, second), "unsure" if unsure else "")


def _clock(match: re.Match[str], text: str, before: list[Token]) -> Token:
    del before
    fields = tuple(int(g) for g in match.groups() if g)
    end, name = match.end(), ""
    if (half := _AP.match(text, end)) is not None:
        end, name = half.end(), f"{half.group(1)}m"
    return Token("clock", match.start(), end, name=name, fields=fields)


def _compact(match: re.Match[str], text: str, before: list[Token]) -> Token:
    del text, before
    return _date(match, (int(match.group(1)), int(match.group(2)), int(match.group(3))))


def _ym(match: re.Match[str], text: str, before: list[Token]) -> Token | None:
    """A month like 2013.03; with a point only where the whole text is it."""
    del before
    dotted = "." in match.group() and not (match.start() == 0 and match.end() == len(text))
    return None if dotted else _date(match, (int(match.group(1)), int(match.group(2)), 0))


def _md(match: re.Match[str], text: str, before: list[Token]) -> Token:
    del text, before
    return _date(match, (0, int(match.group(1)), int(match.group(2))))


def _mdot(match: re.Match[str], text: str, before: list[Token]) -> Token | None:
    """A date like 2.12, only where the whole text is it: elsewhere it is a number."""
    del before
    whole = match.start() == 0 and match.end() == len(text)
    return _date(match, (0, int(match.group(1)), int(match.group(2)))) if whole else None


def _bad(match: re.Match[str], text: str, before: list[Token]) -> Token:
    del text, before
    return Token("bad", match.start(), match.end())


def _date(match: re.Match[str], fields: tuple[int, int, int], name: str = "") -> Token:
    return Token("date", match.start(), match.end(), name=name, fields=fields)


_BUILD: Final = {
    "ymd": _ymd,
    "mdy": _mdy,
    "clock": _clock,
    "badclock": _bad,
    "compact": _compact,
    "ym": _ym,
    "md": _md,
    "badmd": _bad,
    "mdot": _mdot,
}

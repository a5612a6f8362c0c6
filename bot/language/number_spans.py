"""All numbers of a text: fractions, negatives, powers and vague tens of thousands included."""

from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException
from typing import Final

from bot.core.patterns import regex
from bot.language.normalize import Normal
from bot.language.numerals import BIG_UNITS, DIGITS, SMALL_UNITS, Numeral, read_number

_PRECISION: Final = Context(prec=15)
_SCALES: Final = {"k": 10**3, "m": 10**6, "g": 10**9, "w": 10**4, "b": 10**9}
_EXPONENT: Final = regex(r"e([+-]?\d{1,2})(?!\w)")
_POWER: Final = regex(r"\^(-{0,2}\d{1,3})(?![\d.])")
_FRACTION_SIGN: Final = regex(r" ?/ ?")
_PARTS_OF: Final = regex(r" *(?:分 *之|份|分(?=[一二三四五六七八九])) *")
_BEFORE_FRACTION: Final = regex(r" (?=\d+/\d)")
_AND: Final = regex(r" ?又 ?")
_NEGATIVE: Final = regex(r"(?:负|-) ?")
_VAGUE: Final = regex(r" ?(?:零?几|多|余|来) ?(?=[百千万亿])")
_APART: Final = regex(r" +([万亿兆])")
_DOZEN: Final = 12
_FORMAL: Final = frozenset("壹贰叁肆伍陆柒捌玖拾")
_PLAIN_POWER: Final = 99
_MAX_DIGITS: Final = 26
_PERCENT: Final = len("百分之")


@dataclass(frozen=True, slots=True)
class NumberSpan:
    """A number and where it stands.

    Attributes:
        value: Its value; fractions to 15 digits.
        span: Where it stands in the text as written, half-open.
    """

    value: Decimal
    span: tuple[int, int]


def find_numbers(normal: Normal) -> tuple[NumberSpan, ...]:
    """The numbers of a text, in order."""
    found: list[NumberSpan] = []
    at = 0
    while at < len(normal.text):
        read = _signed(normal.text, at)
        if read is None:
            at = _next(normal.text, at)
            continue
        value, end = read
        found.append(NumberSpan(_tidy(value), normal.span(at, end)))
        at = end
    return tuple(found)


def _tidy(value: Decimal) -> Decimal:
    if value.adjusted() > _MAX_DIGITS:
        return value
    whole = value == value.to_integral_value()
    return value.quantize(Decimal(1)) if whole else value.normalize()


def _next(text: str, at: int) -> int:
    """The next place where a number may begin: a latin word is passed as a whole."""
    if not (text[at].isascii() and text[at].isalpha()):
        return at + 1
    while at < len(text) and text[at].isascii() and text[at].isalpha():
        at += 1
    return at


def _signed(text: str, at: int) -> tuple[Decimal, int] | None:
    sign = _NEGATIVE.match(text, at)
    begin = at
    if sign is not None:
        before = text[at - 1] if at else " "
        if text[at] == "-" and (before.isalnum() or before == "-"):
            return None
        begin = sign.end()
    if begin >= len(text):
        return None
    read = _mixed(text, begin, inside=sign is not None)
    if read is None:
        return None
    value, end = read
    return (-value if sign is not None else value), end


def _mixed(text: str, at: int, *, inside: bool) -> tuple[Decimal, int] | None:
    """A number, with a fraction after it: 一又二分之一, 1 4/3."""
    whole = _plain(text, at, inside=inside)
    if whole is None:
        return _half(text, at)
    value, end = whole
    link = _AND.match(text, end)
    if link is None and value == int(value) and text[end : end + 1] == " ":
        link = _BEFORE_FRACTION.match(text, end)
    if link is not None and link.end() < len(text):
        part = _plain(text, link.end(), inside=True)
        fraction = None if part is None else _fraction(text, part)
        if fraction is not None:
            return _PRECISION.add(value, fraction[0]), fraction[1]
    fraction = _fraction(text, whole)
    if fraction is not None:
        return fraction
    return _power(text, value, end)


def _half(text: str, at: int) -> tuple[Decimal, int] | None:
    if text.startswith("半百", at):
        return Decimal(50), at + 2
    return (Decimal("0.5"), at + 1) if text.startswith("半个", at) else None


def _fraction(text: str, part: tuple[Decimal, int]) -> tuple[Decimal, int] | None:
    """The 三分之一 whose lower part has been read."""
    lower, end = part
    sign = _FRACTION_SIGN.match(text, end)
    link = sign or _PARTS_OF.match(text, end)
    if link is None or link.end() >= len(text):
        return None
    begin = link.end()
    minus = sign is None and text.startswith("负", begin)
    upper = _plain(text, begin + minus, inside=True) if begin + minus < len(text) else None
    if upper is None:
        return None
    over, under = (lower, upper[0]) if sign is not None else (upper[0], lower)
    over = -over if minus else over
    if not under:
        return None
    return _PRECISION.divide(over, under), upper[1]


def _plain(text: str, at: int, *, inside: bool = False) -> tuple[Decimal, int] | None:
    """A number without a sign or a fraction."""
    while text.startswith("百分之", at) and at + _PERCENT < len(text):
        at += _PERCENT
    number = read_number(text, at)
    if number is None or (not inside and _is_word(text, at, number)):
        return _unit_first(text, at)
    value, end = _point(text, number.value, number.end)
    exponent = _EXPONENT.match(text, end)
    if exponent is not None:
        return value.scaleb(int(exponent.group(1))), exponent.end()
    factor, after = _factor(text, end)
    return value * factor, after


def _factor(text: str, end: int) -> tuple[int, int]:
    """What multiplies a number: 多万, a unit after blanks, k, a dozen; and the place after it."""
    vague = _VAGUE.match(text, end)
    if vague is not None and vague.end() < len(text):
        sign = text[vague.end()]
        return BIG_UNITS.get(sign) or SMALL_UNITS.get(sign, 1), vague.end() + 1
    apart = _APART.match(text, end)
    if apart is not None:
        return BIG_UNITS[apart.group(1)], apart.end()
    scale = text[end : end + 1]
    if scale in _SCALES and not text[end + 1 : end + 2].isalpha():
        return _SCALES[scale], end + 1
    return (_DOZEN, end + 1) if scale == "打" else (1, end)


def _is_word(text: str, at: int, number: Numeral) -> bool:
    """Whether a lone formal digit is part of a word: 登陆, 拾取."""
    if number.end - at > 1 or text[at] not in _FORMAL:
        return False
    return len(text.strip()) > 1 and not text[:at].endswith("是")


def _unit_first(text: str, at: int) -> tuple[Decimal, int] | None:
    """万九: a unit and the digit of the next lower one."""
    if text[at] not in BIG_UNITS or at + 1 >= len(text) or text[at + 1] not in DIGITS:
        return None
    if at and (text[at - 1] in DIGITS or text[at - 1] in SMALL_UNITS):
        return None
    unit = BIG_UNITS[text[at]]
    return Decimal(unit + DIGITS[text[at + 1]] * unit // 10), at + 2


def _point(text: str, value: Decimal, end: int) -> tuple[Decimal, int]:
    """The digits after a spoken point."""
    if text[end : end + 1] != "点":
        return value, end
    here, digits = end + 1, ""
    while here < len(text) and (text[here] in DIGITS or text[here].isdigit()):
        digits += str(DIGITS.get(text[here], text[here]))
        here += 1
    return (value + Decimal(f"0.{digits}"), here) if digits else (value, end)


def _power(text: str, value: Decimal, end: int) -> tuple[Decimal, int]:
    match = _POWER.match(text, end)
    if match is None:
        return value, end
    exponent = int(match.group(1).replace("--", ""))
    if abs(exponent) > _PLAIN_POWER or (not value and exponent < 0):
        return value, end
    try:
        return _PRECISION.power(value, exponent), match.end()
    except DecimalException:
        return value, end

"""Sums of money in a text: a number with its currency, colloquial tails included."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from bot.core.patterns import regex
from bot.language.currencies import CURRENCIES, FRACTIONS, currency_word
from bot.language.normalize import is_han
from bot.language.numerals import DIGITS, Numeral, read_number

_CENT: Final = Decimal("0.01")
_DIME: Final = Decimal("0.1")
_MULTIPLIERS: Final = {
    "k": 1000,
    "w": 10_000,
    "m": 10**6,
    "b": 10**9,
    "million": 10**6,
    "billion": 10**9,
    "thousand": 1000,
    "grand": 1000,
    "lakh": 10**5,
    "lakhs": 10**5,
    "crore": 10**7,
    "crores": 10**7,
    "万": 10**4,
    "亿": 10**8,
    "个亿": 10**8,
}
_MULTIPLIER: Final = regex(
    r" ?(million|billion|thousand|grand|lakhs?|crores?|个亿|[kwmb](?![a-z])|亿|万)"
)
_EUROPEAN: Final = regex(r"\d{1,3}(?:\.\d{3})+,\d{1,2}(?!\d)|\d+,\d{2}(?!\d)(?!,\d)")
_APPROXIMATE: Final = regex(r"来|多|几|余|左右|上下|ish\b|-ish\b| or so|出头|不到|\+(?! ?[\w¥$])")
_ABOUT: Final = regex(
    r"(?:大概|大约|约|差不多|好像是?|可能是?|也许|估计是?|maybe|probably|将近|近|几|数|不到|不足|超过|小|快|around|about|roughly|approximately|~)\s?$"
    r"|(?:大概|大约|差不多|about|roughly|around)(?:是|要|(?:花|用|付|买)了?| ?spent| ?paid)\s?$"
)
_IDIOMS: Final = frozenset({"百八十", "千八百", "百八", "千八", "万八"})
_LAST_DIGIT: Final = regex(r"\d(?![\d.])")
_BEFORE_NUMBER: Final = 14
_TO: Final = regex(r" ?(?:到|至|~|-|--|to) ?(?=[\d一二两三四五六七八九十百千$¥€£])")
_BUCKS: Final = regex(r"([一二两三四五六七八九十\d]{0,3})个([半一二三四五六七八九])(?:钱|银钱)?")
_TAIL: Final = regex(r"(?: and | )(\d{1,2}|[a-z]+(?:[ -][a-z]+)?)(?: ?(?:c|cents?))?$")
_HUNDRED: Final = 100
_TEN: Final = 10
_TWO: Final = 2
_LINK: Final = regex(r"(?:又| and )? ?零?")


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum found in a text.

    Attributes:
        value: The amount in units of the currency.
        currency: ISO code, "" when none was said.
        start: Where it begins in the normalised text.
        end: Where it ends, exclusive.
        approximate: It was said to be about so much.
        fault: A reason to ask: `decimal_comma`, `range`.
        negative: A minus sign stands before it.
        form: How the number was written.
    """

    value: Decimal
    currency: str
    start: int
    end: int
    approximate: bool = False
    fault: str = ""
    negative: bool = False
    form: str = ""


def find_sums(text: str, masked: list[bool]) -> Iterator[Sum]:
    """The sums of a normalised text in order, outside what is masked."""
    bucks = _BUCKS.fullmatch(text.strip())
    if bucks is not None:
        yield _cantonese(bucks, text)
        return
    at = 0
    while at < len(text):
        found = None if masked[at] or text[at] == " " else _sum_at(text, at, masked)
        if found is None:
            at = _skip(text, at)
        else:
            yield found
            at = max(found.end, at + 1)


def _cantonese(match: re.Match[str], text: str) -> Sum:
    """個半 is one and a half, 五個九 five and nine tenths."""
    whole = read_number(match.group(1), 0) if match.group(1) else None
    tenths = 5 if match.group(2) == "半" else DIGITS[match.group(2)]
    value = (whole.value if whole else Decimal(1)) + tenths * _DIME
    return Sum(value, "", 0, len(text), form="zh")


def _skip(text: str, at: int) -> int:
    """After a sign that begins no sum; a latin word is passed as a whole."""
    char = text[at]
    if not (char.isascii() and char.isalnum()):
        return at + 1
    while at < len(text) and text[at].isascii() and (text[at].isalnum() or text[at] in "._-'"):
        at += 1
    return at


def _sum_at(text: str, at: int, masked: list[bool]) -> Sum | None:
    here, prefix = at, ""
    word = currency_word(text, here)
    if word in CURRENCIES and not (
        word.isascii() and word.isalpha() and _is_noise(text, at, word)
    ):
        prefix, here = CURRENCIES[word], here + len(word)
        nested = currency_word(text, here)
        if nested in CURRENCIES and not nested.isalpha():
            prefix, here = CURRENCIES[nested], here + len(nested)
        while here < len(text) and text[here] == " ":
            here += 1
    negative = here < len(text) and text[here] == "-" and _free(text, here)
    here += negative
    if here < len(text) and not prefix and currency_word(text, here) in ("$", "¥", "€", "£"):
        return None if not negative else _negated(_sum_at(text, here, masked))
    if here >= len(text) or masked[here]:
        return None
    european = _EUROPEAN.match(text, here) if _free_number(text, here) else None
    if european is not None and not any(masked[here : european.end()]):
        end = european.end()
        suffix = currency_word(text, end)
        value = Decimal(european.group().replace(".", "").replace(",", "."))
        return Sum(
            value,
            prefix or CURRENCIES.get(suffix, ""),
            at,
            end + len(suffix),
            fault="decimal_comma",
        )
    number = read_number(text, here)
    if number is None or not (prefix or _free_number(text, here)):
        return None
    return _finish(text, at, number, prefix, negative=negative)


def _negated(found: Sum | None) -> Sum | None:
    if found is None:
        return None
    return Sum(
        found.value, found.currency, found.start - 1, found.end, negative=True, form=found.form
    )


def _is_noise(text: str, at: int, word: str) -> bool:
    """Whether a short latin word before a number is no currency: only RM42 and Rs 20 are."""
    after = text[at + len(word) : at + len(word) + 2].strip()
    return not after[:1].isdigit() or word in ("c", "le", "ac", "try")


def _free(text: str, at: int) -> bool:
    """Whether a sign belongs to the number after it: not in 3-5, F-35 or —35, but in 午饭-35."""
    if text[max(0, at - 1) : at] in ("-", "—"):
        return False
    return at == 0 or not text[at - 1].isalnum() or is_han(text[at - 1])


def _free_number(text: str, at: int) -> bool:
    """Whether a number is not the rest of a word, a code or another number."""
    if at == 0:
        return True
    before = text[at - 1]
    if text[at].isdigit() or text[at] == ".":
        return not (before.isascii() and (before.isalnum() or before in "._#/^"))
    return before != "第"


def _finish(text: str, start: int, number: Numeral, prefix: str, *, negative: bool) -> Sum:
    value, end = number.value, number.end
    spoken = _spoken_cents(text, number)
    if spoken is not None:
        cents, last = spoken
        return Sum(value + cents * _CENT, prefix, start, last, approximate=True, form="en")
    value, end = _decimals(text, value, end)
    match = _MULTIPLIER.match(text, end)
    if match is not None:
        value, end = _multiplied(text, value, match)
    idiom = number.text in _IDIOMS or (
        number.text[0] in "百千万" and text[start - 1 : start] == "上"
    )
    approximate = (
        number.vague or idiom or bool(_ABOUT.search(text[max(0, start - _BEFORE_NUMBER) : start]))
    )
    near = _APPROXIMATE.match(text, end)
    if near is not None:
        approximate, end = True, near.end()
        late = _MULTIPLIER.match(text, end)
        if late is not None and near.group() in ("来", "多", "几", "余"):
            value, end = value * _MULTIPLIERS[late.group(1)], late.end()
    currency, value, end = _suffix(text, value, end, prefix)
    after = _APPROXIMATE.match(text, end)
    if after is not None and after.group() not in ("来", "多", "几", "余", "+"):
        approximate, end = True, after.end()
    fault = (
        "range"
        if _TO.match(text, end) and currency_word(text, end) == "" and _range(text, end)
        else ""
    )
    return Sum(value, currency, start, end, approximate, fault, negative, number.form)


def _multiplied(text: str, value: Decimal, match: re.Match[str]) -> tuple[Decimal, int]:
    """A number times its k, w or 万; in 3w5 the last digit counts the next lower unit."""
    factor, end = _MULTIPLIERS[match.group(1)], match.end()
    tail = _LAST_DIGIT.match(text, end) if match.group(1) in ("k", "w") else None
    if tail is None:
        return value * factor, end
    return value * factor + int(tail.group()) * factor // _TEN, tail.end()


def _spoken_cents(text: str, number: Numeral) -> tuple[Decimal, int] | None:
    """The fifty of forty two fifty."""
    if number.form != "en" or number.value >= _HUNDRED or text[number.end : number.end + 1] != " ":
        return None
    at = number.end + 1
    cents = read_number(text, at) if at < len(text) else None
    if cents is None or cents.form != "en" or not _TEN <= cents.value < _HUNDRED:
        return None
    return cents.value, cents.end


def _range(text: str, end: int) -> bool:
    """Whether a second sum follows as the upper end of a range."""
    match = _TO.match(text, end)
    if match is None or match.end() >= len(text):
        return False
    return read_number(text, match.end()) is not None


def _decimals(text: str, value: Decimal, end: int) -> tuple[Decimal, int]:
    """三点五: the digits after a spoken point."""
    if end < len(text) and text[end] == "点":
        digits = ""
        here = end + 1
        while here < len(text) and text[here] in DIGITS:
            digits += str(DIGITS[text[here]])
            here += 1
        if digits:
            return value + Decimal(f"0.{digits}"), here
    return value, end


def _suffix(text: str, value: Decimal, end: int, prefix: str) -> tuple[str, Decimal, int]:
    """The currency after a number, with the smaller parts that follow it."""
    here = end + (end < len(text) and text[end] == " ")
    if text.startswith("个", here) and currency_word(text, here + 1):
        here += 1
    word = currency_word(text, here)
    if not word or (word == "分" and text.startswith("分钟", here)):
        return (*_cents(text, prefix, value, end, prefix),)
    if word in FRACTIONS:
        part, code = FRACTIONS[word]
        here += len(word)
        value *= Decimal(part)
        value, here = _smaller(text, value, here, Decimal(part))
        return prefix or code or "", value, here
    currency, here = CURRENCIES[word], here + len(word)
    doubled = currency_word(text, here)
    if doubled in CURRENCIES and (currency == "CNY" or CURRENCIES[doubled] == currency):
        currency, here = CURRENCIES[doubled], here + len(doubled)
    if here < len(text) and text[here] in "钱整":
        here += 1
    value, here = _smaller(text, value, here, Decimal(1))
    if prefix and currency == "CNY" and word in ("元", "块", "圆"):
        currency = prefix
    return (*_cents(text, currency, value, here, prefix or currency),)


def _smaller(text: str, value: Decimal, here: int, unit: Decimal) -> tuple[Decimal, int]:
    """The 五毛 of 三块五毛, the 五 of 三块五, the 43 cents of 20 dollars 43 cents."""
    while unit > _CENT and here < len(text):
        match = _LINK.match(text, here)
        begin = here if match is None else match.end()
        number = read_number(text, begin) if begin < len(text) else None
        if number is None or number.value >= _HUNDRED or number.value != int(number.value):
            return value, here
        word = currency_word(text, number.end + (text[number.end : number.end + 1] == " "))
        if word not in FRACTIONS or text.startswith("分钟", number.end):
            plain = not word and begin == here + text.startswith("零", here)
            tail = _bare_tail(text, number, unit, zero=begin > here) if plain else None
            return (value, here) if tail is None else (value + tail, number.end)
        part = Decimal(FRACTIONS[word][0])
        if part >= unit:
            return value, here
        value += number.value * part
        here, unit = text.index(word, number.end) + len(word), part
    return value, here


def _bare_tail(text: str, number: Numeral, unit: Decimal, *, zero: bool) -> Decimal | None:
    """What a number without a unit adds: 三块五 is five tenths, 三块零五 five hundredths."""
    is_counted = number.end < len(text) and text[number.end] in _COUNTED
    if is_counted and not text.startswith("包邮", number.end):
        return None
    if zero and number.value < _TEN:
        return number.value * _CENT
    if len(number.text) == 1:
        return number.value * unit * _DIME
    cents = number.text.isdigit() and len(number.text) == _TWO and unit == 1
    return number.value * _CENT if cents else None


_COUNTED: Final = frozenset(
    "个杯本张件条只台辆瓶盒袋包人位份斤次天小分点月年日号%块元毛角十百千万"
)


def _cents(
    text: str, currency: str, value: Decimal, end: int, known: str
) -> tuple[str, Decimal, int]:
    """$20 43 and `3 GBP and one`: a tail of cents that ends the text."""
    match = _TAIL.match(text, end) if known and value == int(value) else None
    if match is None or known == "CNY":
        return currency, value, end
    number = read_number(text, match.start(1))
    if number is None or number.end != match.end(1) or not 0 < number.value < _HUNDRED:
        return currency, value, end
    return currency, value + number.value * _CENT, match.end()

"""Numbers as people write them in Chinese and English, as exact decimals."""

from dataclasses import dataclass
from decimal import Decimal

from bot.core.patterns import regex

DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "幺": 1}
DIGITS |= {c: i for i, c in enumerate("零壹贰叁肆伍陆柒捌玖")}
SMALL_UNITS = {"十": 10, "百": 100, "千": 1000, "拾": 10}
BIG_UNITS = {"万": 10**4, "亿": 10**8, "兆": 10**12}
_TENS = {"廿": 20, "卅": 30, "卌": 40}
_HUNDRED = 100
_TEN = 10
_LONGEST = 24
_TWO = 2
_APART = frozenset({"三五"})
"""Two digits that leave a number open without following each other: 三五天."""

_COUNTED = tuple("天个小分周块元点斤杯次人毛只本张")

ENGLISH = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
ENGLISH_TENS = {
    word: 10 * (i + 2)
    for i, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    )
}
ENGLISH_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_ARABIC = regex(r"\d{1,3}(?:,\d{3})+(?![\d])(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+")
_NEXT_DIGIT = regex(r"(?:\d{1,4}|[一二两三四五六七八九]) ?([十百千万])")
_WORD = regex(r"[a-z]+")
_GAP = regex(r",? and |[ -]")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number found in a text.

    Attributes:
        value: Its value.
        start: Where it begins.
        end: Where it ends, exclusive.
        form: How it was written: `arabic`, `zh` (with units), `digits` (a row of Chinese digits)
            or `en`.
        text: As it was written.
        vague: Two digits in a row leave it open: 三四百 is three or four hundred.
    """

    value: Decimal
    start: int
    end: int
    form: str
    text: str
    vague: bool = False


def read_number(text: str, at: int) -> Numeral | None:
    """The number that begins exactly at a place of a normalised text, if there is one."""
    char = text[at]
    if char.isdigit() or (char == "." and at + 1 < len(text) and text[at + 1].isdigit()):
        return _read_mixed(text, at)
    if char in DIGITS or char in SMALL_UNITS or char in _TENS or char in BIG_UNITS:
        return _read_chinese(text, at)
    if "a" <= char <= "z" and not (at and text[at - 1].isalnum() and text[at - 1].isascii()):
        return _read_english(text, at)
    return None


def _read_mixed(text: str, at: int) -> Numeral | None:
    match = _ARABIC.match(text, at)
    if match is None:
        return None
    after = match.end()
    if after < len(text) and (text[after] in BIG_UNITS or text[after] in SMALL_UNITS):
        return _read_chinese(text, at)
    value = Decimal(match.group().replace(",", ""))
    return Numeral(value, at, after, "arabic", match.group())


@dataclass(slots=True)
class _Sum:
    """A Chinese number while it is read: big sections, the current section, the open digit."""

    total: Decimal = Decimal(0)
    section: Decimal = Decimal(0)
    digit: Decimal | None = None
    unit: int = 0
    zero: bool = False
    units: int = 0
    low: int = 10**16
    vague: bool = False

    def take_small(self, unit: int) -> bool:
        if self.digit is None and self.unit and not self.zero:
            return False
        if unit >= self.low and self.unit < BIG_UNITS["万"]:
            return False
        self.section += (Decimal(1) if self.digit is None else self.digit) * unit
        self.digit, self.unit, self.zero = None, unit, False
        self.low = unit
        self.units += 1
        return True

    def take_tens(self, tens: int) -> None:
        self.section += tens
        self.unit, self.low = _TEN, _TEN
        self.units += 1

    def take_big(self, unit: int) -> bool:
        section = self.section + (self.tail() if self.unit < unit else self.digit or 0)
        if not section and not self.total:
            return False
        repeated = self.unit == unit and not section
        if self.total and (repeated or unit > self.unit_of_total()):
            self.total = (self.total + section) * unit
        else:
            self.total += section * unit
        self.section, self.digit, self.unit, self.zero = Decimal(0), None, unit, False
        self.low = 10**16
        self.units += 1
        return True

    def unit_of_total(self) -> int:
        return next((u for u in (10**12, 10**8, 10**4) if self.total >= u), 1)

    def tail(self) -> Decimal:
        """The open digit; after 百 and above it counts the next lower unit."""
        tail = self.digit or Decimal(0)
        colloquial = self.unit >= _HUNDRED and not self.zero and tail == int(tail) < _TEN
        return tail * (self.unit // _TEN) if colloquial else tail

    def value(self) -> Decimal:
        return self.total + self.section + self.tail()


def _read_chinese(text: str, at: int) -> Numeral | None:
    row = _digit_row(text, at)
    if row is not None:
        return row
    number, here = _Sum(), at
    while here < len(text) and here - at < _LONGEST * 2:
        step = _take(text, here, number)
        if step == here:
            break
        here = step
    while here > at and text[here - 1] == " ":
        here -= 1
    if here == at or (not number.units and number.digit is None):
        return None
    return Numeral(number.value(), at, here, "zh", text[at:here], number.vague)


def _take(text: str, here: int, number: _Sum) -> int:
    """Where reading goes on after one more sign; `here` when it is not part of the number."""
    char = text[here]
    if char in SMALL_UNITS:
        return here + number.take_small(SMALL_UNITS[char])
    if char in BIG_UNITS:
        return here + number.take_big(BIG_UNITS[char])
    if char == " ":
        return here + _goes_on(text, here + 1, number)
    if number.digit is not None:
        follows = DIGITS.get(char) == number.digit + 1 and text[here - 1] in DIGITS
        vague = follows or text[here - 1 : here + 1] in _APART
        if vague:
            number.digit, number.vague = Decimal(DIGITS[char]), True
        return here + vague
    return _take_digit(text, here, number)


def _take_digit(text: str, here: int, number: _Sum) -> int:
    """After a digit, a zero, 廿 or arabic figures where a digit may stand."""
    char = text[here]
    if char == "零" and (number.units or _starts_number(text, here + 1)):
        number.zero = True
        if not number.units and not _starts_number(text, here + 1):
            number.digit = Decimal(0)
        return here + 1
    if char in DIGITS:
        number.digit = Decimal(DIGITS[char])
        return here + 1
    if char in _TENS and not number.section:
        number.take_tens(_TENS[char])
        return here + 1
    match = _ARABIC.match(text, here) if char.isdigit() else None
    if match is None:
        return here
    number.digit = Decimal(match.group().replace(",", ""))
    return match.end()


def _starts_number(text: str, at: int) -> bool:
    return at < len(text) and (text[at] in DIGITS or text[at] in SMALL_UNITS)


def _goes_on(text: str, at: int, number: _Sum) -> bool:
    """Whether after a blank the same number goes on with a digit and a smaller unit."""
    if number.digit is not None or not number.units:
        return number.digit is not None and at < len(text) and text[at] in BIG_UNITS | SMALL_UNITS
    if number.section and at < len(text) and text[at] in BIG_UNITS:
        return True
    match = _NEXT_DIGIT.match(text, at)
    if match is None:
        return False
    unit = SMALL_UNITS.get(match.group(1)) or BIG_UNITS[match.group(1)]
    return unit < number.low or number.unit >= BIG_UNITS["万"]


def _digit_row(text: str, at: int) -> Numeral | None:
    """A row of at least two Chinese digits without units: a year, a phone number."""
    end = at
    while end < len(text) and text[end] in DIGITS and end - at < _LONGEST:
        end += 1
    row = text[at:end]
    followed = end < len(text) and (text[end] in SMALL_UNITS or text[end] in BIG_UNITS)
    vague = row in _APART or (len(row) == _TWO and DIGITS[row[1]] == DIGITS[row[0]] + 1)
    if vague and text[end : end + 1] in _COUNTED:
        return Numeral(Decimal(DIGITS[row[1]]), at, end, "zh", row, vague=True)
    if len(row) <= 1 or "两" in row or followed:
        if row == "零" and not followed:
            return Numeral(Decimal(0), at, end, "zh", row)
        return None
    return Numeral(Decimal("".join(str(DIGITS[c]) for c in row)), at, end, "digits", row)


def _read_english(text: str, at: int) -> Numeral | None:
    total, current, end, here = 0, 0, at, at
    seen = False
    while (match := _WORD.match(text, here)) is not None and here - at < _LONGEST * 5:
        word = match.group()
        if word in ENGLISH:
            if seen and not _may_follow(current, ENGLISH[word]):
                break
            current += ENGLISH[word]
        elif word in ENGLISH_TENS:
            if seen and not _may_follow(current, ENGLISH_TENS[word]):
                break
            current += ENGLISH_TENS[word]
        elif word in ENGLISH_SCALES and seen:
            scale = ENGLISH_SCALES[word]
            if scale == _HUNDRED:
                current *= scale
            else:
                total, current = total + current * scale, 0
        else:
            break
        seen, end = True, match.end()
        gap = _GAP.match(text, end)
        if gap is None:
            break
        here = gap.end()
    if not seen:
        return None
    return Numeral(Decimal(total + current), at, end, "en", text[at:end])


def _may_follow(current: int, value: int) -> bool:
    """Whether a word may be added: twenty + five, hundred + twenty, but not five + six."""
    if current == 0:
        return True
    room = next((step for step in (100, 10) if current % step == 0), 1)
    return value < room and (current % _HUNDRED != _TEN)

"""Several wishes in one message: where one clause ends and the next begins."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.money import resolve_amounts
from bot.language.normalize import normalize
from bot.language.reminders import VERB, parse_reminder
from bot.language.times import resolve_time

_BREAK: Final = regex(
    r"[,，;；。\n]+\s*(?:(?:然后|还有|另外|以及|and|then|also)\s*)*"
    r"|\s*(?:然后|还有|另外)\s*"
    r"|(?:和|以及|并且|并)(?=[^,，。;；和]{1,12}?(?:提醒|叫)我)"
    r"|(?:和|以及|、)(?=[\d一二两三四五六七八九十半个]{1,5}(?:小时|分钟|点|钟头|[月号日])"
    r"|[今明]|大?后天|早上|[上中下]午|傍晚|晚上|[这下本]?(?:周|星期|礼拜)[一二三四五六日天末])"
    r"|\s+(?:and|then|also)\s+(?:then |also )?(?=(?:at|on|in|tomorrow|today|tonight|remind)\b)",
    re.IGNORECASE,
)
_TO_DO: Final = regex(r"^\s*(?:at|on|in|tomorrow|today|tonight)\b.{1,40}?\bto \w", re.IGNORECASE)
_LIMIT: Final = regex(
    r"\s*(?:一?直到|到|截止|截至|持续|连续|一?共|除|但|不包括|跳过|until|till|except|for \d"
    r"|(?:从|自)?[^,，;；。]{1,10}(?:开始|起|为止|除外|不响|不提醒|例外)\s*$"
    r"|(?:starting|beginning|from) )",
    re.IGNORECASE,
)
"""What bounds the clause before it instead of beginning one."""

_LEFT_OUT: Final = regex(r"[^,，;；。]{1,10}(?:不用|不要|别|不)再?(?:提醒|叫|响)?我?了?\s*$")
"""Days on which not to be reminded, after a reminder."""

_ATTRIBUTE: Final = regex(r"\s*的")

_WHY: Final = regex(
    r"\s*(?:就?是|就?要?(?:用|到期|截止|过期)|放假|过生日|(?:is|was|will be)\b)", re.IGNORECASE
)
"""After a day: it says why, and is nothing to be reminded of."""

_ONCE_MORE: Final = regex(r"\s*(?:我|再|也|还要?|并且?|要)*\s*")
"""May stand before the day of a further wish."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One wish of several.

    Attributes:
        text: Its words.
        what: What to remind of.
        time_words: Its words of time.
        own_verb: It says itself that it is a reminder.
    """

    text: str
    what: str
    time_words: str
    own_verb: bool


@dataclass(frozen=True, slots=True)
class Clauses:
    """The wishes of a message.

    Attributes:
        reminders: The reminder clauses; empty when there is no verb of reminding.
        bookings: Clauses that are entries for the ledger.
        doubtful: A clause may belong to the reminder before it.
    """

    reminders: tuple[Clause, ...] = ()
    bookings: tuple[str, ...] = ()
    doubtful: bool = False


def split_clauses(text: str, now: datetime, tz: ZoneInfo) -> Clauses:
    """The reminder and ledger clauses of a message that asks for a reminder."""
    if VERB.search(normalize(text).text) is None:
        return Clauses()
    bookings: list[str] = []
    kept: list[str] = []
    pieces = _pieces(text)
    for joint, piece in pieces:
        if len(pieces) > 1 and _is_booking(piece, now, tz):
            bookings.append(piece.strip())
        elif kept and not _begins(kept, piece, now, tz):
            kept[-1] += joint + piece
        else:
            kept.append(piece)
    clauses = tuple(_clause(piece, now, tz) for piece in kept)
    return Clauses(
        reminders=clauses,
        bookings=tuple(bookings),
        doubtful=any(not c.own_verb for c in clauses[1:]),
    )


def _pieces(text: str) -> list[tuple[str, str]]:
    """The stretches between breaks, each with the break before it."""
    found: list[tuple[str, str]] = []
    joint, at = "", 0
    for match in _BREAK.finditer(text):
        if text[at : match.start()].strip():
            found.append((joint, text[at : match.start()]))
            joint = match.group()
        at = match.end()
    if text[at:].strip():
        found.append((joint, text[at:]))
    return found


def _is_booking(piece: str, now: datetime, tz: ZoneInfo) -> bool:
    if VERB.search(normalize(piece).text) is not None:
        return False
    amounts = resolve_amounts(piece, now=now, tz=tz, locale="zh-CN")
    return amounts.complete and bool(amounts.entries)


def bounds_another(piece: str) -> bool:
    """Whether a piece only bounds what another one says: 除了周三, 下周开始, until Friday."""
    return _LIMIT.match(piece) is not None or _LEFT_OUT.match(piece) is not None


def _begins(before: list[str], piece: str, now: datetime, tz: ZoneInfo) -> bool:
    """Whether a piece is a clause of its own after whole ones."""
    first = _clause(before[-1], now, tz)
    second = _clause(piece, now, tz)
    if not (first.what and first.time_words and second.what and second.time_words):
        return False
    if _LEFT_OUT.match(piece):
        return False
    if second.own_verb:
        return True
    if bounds_another(piece):
        return False
    start = piece.index(second.time_words)
    end = start + len(second.time_words)
    time = resolve_time(piece, now=now, tz=tz, mode="reminder")
    is_day = any(item.default_time for item in time.times)
    leads = _ONCE_MORE.fullmatch(piece, 0, start) is not None
    if is_day and not (leads and _WHY.match(piece, end) is None):
        return False
    return _ATTRIBUTE.match(piece, end) is None and any(
        VERB.search(normalize(earlier).text) for earlier in before
    )


def _clause(piece: str, now: datetime, tz: ZoneInfo) -> Clause:
    reminder = parse_reminder(piece, now=now, tz=tz)
    if reminder is None:
        return Clause(piece, "", "", own_verb=False)
    repeated = reminder.recurrence
    spans = repeated.spans if repeated.status != "none" else reminder.time.spans
    words = piece[spans[0][0] : spans[0][1]] if spans else ""
    own_verb = bool(reminder.verb) or _TO_DO.match(piece) is not None
    return Clause(piece, reminder.what, words, own_verb=own_verb)

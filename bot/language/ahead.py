"""Reminders that come a while ahead of a stated point: 提前半小时, 10 minutes before."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.durations import read_length
from bot.language.reading import read
from bot.language.reminders import VERB
from bot.language.times import resolve_time

_EN_LENGTH: Final = (
    r"(?P<length>(?:\d+|an?|half an?|a quarter of an|one|two|three|four|five|six|ten|"
    r"fifteen|twenty|thirty|forty|forty-five)[ -]?(?:minutes?|mins?|hours?|hrs?|days?|weeks?))"
)
_SAID: Final = (
    regex(r"提前(?P<length>[^,，。提前]{1,8}?)(?=再?(?:提醒|叫|通知|喊|告诉))"),
    regex(r"(?<=[^\s,，之以提])前(?P<length>[^,，。提前]{1,8}?)(?=再?(?:提醒|叫|通知|喊))"),
    regex(r"[,，\s]+(?:请|要)?提前(?P<length>[^,，。提前]{1,8}?)[。!！]?$"),
    regex(
        rf"\b{_EN_LENGTH} (?:before|ahead of|prior to|in advance of|in advance|ahead|early|"
        r"beforehand)\b",
        re.IGNORECASE,
    ),
)
_OF_THE_ACT: Final = (
    regex(
        r"(?<=我)提前(?P<length>(?:\d{1,3}|[一二两三四五六七八九十半]{1,3})个?半?"
        r"(?:分钟?|小时|钟头|刻钟|天|周|星期|礼拜))(?=[^,，。\s])"
    ),
    regex(rf"(?<=\w) {_EN_LENGTH} (?:early|beforehand|in advance|ahead)\b", re.IGNORECASE),
)
"""What is done early, not said early: 提醒我提前10分钟出门. A point of its own says when."""

_TO_DO: Final = regex(r"\bme\b.{0,40}?\bto (?=\w)|我(?=提前)", re.IGNORECASE)

_THE_DAY: Final = regex(r"\bthe (day|week|hour)(?= before (?:my|the|our|a|an)\b)", re.IGNORECASE)
"""The day before my flight is a day ahead of it; christmas and yesterday have names for it."""

_ALONE: Final = (
    regex(
        r"(?:请|帮我|那|就|再|要)*提前(?P<length>[^,，。提前]{1,8}?)再?(?:提醒|叫|通知)(?:我|一下|吧)*[。!！]?"
    ),
    regex(
        rf"(?:please )?(?:remind|alert|ping|notify) me {_EN_LENGTH} (?:before|early|earlier|ahead)"
        r"(?: (?:it|that))?[.!]?",
        re.IGNORECASE,
    ),
)

_OWNER: Final = regex(r"^\s*(?:my|our|the)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ahead:
    """How long before which point.

    Attributes:
        distance: The length.
        rest: The message without the words for it: the point and the event.
    """

    distance: timedelta
    rest: str


def split_ahead(text: str) -> Ahead | None:
    """The length ahead of a point that a reminder asks for; None when it asks for none."""
    text = _THE_DAY.sub(r"a \1", text)
    act = _TO_DO.search(text)
    for pattern in _OF_THE_ACT if act else ():
        match = pattern.search(text, act.end() if act else 0)
        if match is None:
            continue
        rest = f"{text[: match.start()]}{text[match.end() :]}".strip()
        distance = length_of(match.group("length").strip())
        pointed = any(phrase.slots is not None for phrase in read(rest).phrases)
        named = VERB.search(rest.lower()) is not None
        return Ahead(distance, rest) if distance and named and not pointed else None
    for pattern in _SAID:
        match = pattern.search(text)
        if match is None:
            continue
        rest = f"{text[: match.start()]} {text[match.end() :]}".strip()
        distance = length_of(match.group("length").strip())
        if distance is not None and VERB.search(rest.lower()) is not None:
            return Ahead(distance, rest)
    return None


_SEVERAL: Final = regex(
    r"提前[^,，。提前]{0,8}?(?:和|跟|及|、|,|，|再|以及)(?:提前)?[^。提前]{1,10}?(?:各|都|分别)?再?(?:提醒|叫|通知|喊)"
)


def says_several(text: str) -> bool:
    """Whether several lengths ahead of one point are asked for: 提前15分钟和5分钟各提醒我一次."""
    match = _SEVERAL.search(text)
    if match is None:
        return False
    message = read(match.group())
    lengths = [read_length(message.tokens, at, message.text) for at in range(len(message.tokens))]
    return len({found.end for found in lengths if found is not None}) > 1


def ahead_alone(text: str) -> str:
    """The length of an order that names no point; it is about the reminder just spoken of."""
    match = next((m for pattern in _ALONE if (m := pattern.fullmatch(text.strip()))), None)
    return match["length"].strip() if match is not None else ""


def event_name(what: str, now: datetime) -> str:
    """The event that a reminder comes ahead of, without whose and when it is."""
    if isinstance(now.tzinfo, ZoneInfo):
        spans = resolve_time(what, now=now, tz=now.tzinfo, mode="range").spans
        for first, last in reversed(spans):
            what = f"{what[:first]} {what[last:]}"
    return _OWNER.sub("", what).strip().removeprefix("的").strip()


def length_of(words: str) -> timedelta | None:
    """The length that is all of the words; None when they say anything else."""
    message = read(words)
    found = read_length(message.tokens, 0, message.text) if message.tokens else None
    if found is None or found.end != len(message.tokens):
        return None
    return timedelta(seconds=int(found.length.seconds()))

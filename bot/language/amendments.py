"""What is added to a repetition after it was set: 除了周五, 从下周开始, until friday."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.core.recurrence import Rule, RuleError
from bot.language.ahead import length_of
from bot.language.recurrence import resolve_recurrence
from bot.language.summary import summarize
from bot.language.times import resolve_time

_LEAD: Final = r"(?:对了|还有|那|嗯|哦)?[,，\s]*"
_END: Final = r"(?:提醒我?|叫我?|响)?(?:就行|就好|就可以|即可|吧|了|啊|哦)*[。.!！~\s]*"
_X: Final = r"(?P<rest>[^,，。;；?？吗]{1,16}?)"
_SHAPES: Final = (
    ("除了", regex(rf"{_LEAD}(?:以后|之后)?除了?{_X}(?:以外|之外|外)?(?:都)?{_END}")),
    ("除了", regex(rf"{_LEAD}(?:以后|之后)?{_X}除外{_END}")),
    (
        "除了",
        regex(
            rf"{_LEAD}(?:(?:以后|之后|往后)的?)?{_X}(?:就|都)?(?:不用|不要|不必|别)再?"
            rf"(?:提醒|叫|响)?我?{_END}"
        ),
    ),
    (
        "除了",
        regex(
            rf"{_LEAD}(?P<rest>(?:这|下|本)?(?:个)?(?:周|星期|礼拜)[一二三四五六日天末]|[今明后]天|\d{{1,2}}月\d{{1,2}}[号日])"
            rf"(?:就|先|都)?不(?:开|去|跑|练|上|吃|做|来|打|参加)(?:了|啦|会)?{_END}"
        ),
    ),
    ("except ", regex(rf"(?:but )?(?:except|not) (?:on )?{_X}[.!]*", re.IGNORECASE)),
    ("从", regex(rf"{_LEAD}(?:从|自)?(?P<rest>[^,，。;；?？吗]{{1,12}}?(?:开始|起)){_END}")),
    ("", regex(r"(?P<rest>(?:starting|from) [^,?]{1,16}?)(?: on)?[.!]*", re.IGNORECASE)),
    ("直到", regex(rf"{_LEAD}(?:就|只|提醒)*(?:直到|到){_X}(?:为止|截止|结束)?{_END}")),
    ("", regex(r"(?P<rest>(?:until|till) [^,?]{1,16})[.!]*", re.IGNORECASE)),
)
_ONLY: Final = (
    regex(rf"{_LEAD}(?:只要|只在|只|仅|就)(?:是|提醒)?{_X}{_END}"),
    regex(rf"{_LEAD}{_X}(?:提醒我?)?(?:就行|就好|就可以|即可)(?:了|吧)?[。.!！~]*"),
    regex(r"(?:only|just) (?:on |for )?(?P<rest>[^,?]{1,16})[.!]*", re.IGNORECASE),
    regex(r"(?P<rest>[^,?]{1,16}) only[.!]*", re.IGNORECASE),
)
_ON_DAYS: Final = regex(
    rf"{_LEAD}(?:把)?(?P<days>[^,，。\d]{{1,8}}?)的?(?:改成|改到|改为|换成|换到)"
    r"(?P<clock>[^,，。]{2,10})",
    re.IGNORECASE,
)
_ACT: Final = regex(r"^(?:吃|喝|跑|用|做|打|练|提醒)我?(?=[\d一二两三四五六七八九十半])")
_LONGEST: Final = 24


@dataclass(frozen=True, slots=True)
class OnDays:
    """Another time of day on some of the days only.

    Attributes:
        days: The words for the days.
        clock: The words for the time of day.
    """

    days: str
    clock: str


def may_amend(text: str, now: datetime, tz: ZoneInfo) -> bool:
    """Whether a short text has the shape of a bound or of the only days of what was set."""
    words = text.strip()
    if not words or len(words) > _LONGEST:
        return False
    if any(shape.fullmatch(words) for shape in (_ON_DAYS, *(shape for _, shape in _SHAPES))):
        said = resolve_time(words, now=now, tz=tz, mode="reminder")
        return bool(said.spans) or resolve_recurrence(words, now=now, tz=tz).status != "none"
    rest = only_said(words)
    return bool(rest) and (length_of(rest) is not None or _days_said(rest, now, tz) is not None)


def amended(rule: Rule, text: str, now: datetime, tz: ZoneInfo) -> Rule | None:
    """The rule together with what a short text adds to it; None when it adds nothing certain."""
    words = text.strip()
    for lead, shape in _SHAPES:
        match = shape.fullmatch(words)
        if match is not None:
            return _bounded(rule, lead + match["rest"], now, tz)
    rest = only_said(words)
    if not rest:
        return None
    if length_of(rest) is not None:
        return _bounded(rule, f"连续{rest}", now, tz)
    return _on_other_days(rule, rest, now, tz)


def only_said(words: str) -> str:
    """What alone is wanted: the 周一三五 of 只要周一三五; "" when nothing is."""
    match = next((found for shape in _ONLY if (found := shape.fullmatch(words))), None)
    return _ACT.sub("", match["rest"]).strip() if match else ""


def on_some_days(rule: Rule, text: str, now: datetime, tz: ZoneInfo) -> OnDays | None:
    """The days and the time of day of 周末改成9点 when the rule has other days as well."""
    match = _ON_DAYS.fullmatch(text.strip())
    if match is None or rule.type == "once":
        return None
    days = _on_other_days(rule, match["days"], now, tz)
    if days is None or days.rrule == rule.rrule:
        return None
    return OnDays(match["days"], match["clock"])


def _bounded(rule: Rule, words: str, now: datetime, tz: ZoneInfo) -> Rule | None:
    """The rule read once more from its summary, with the bound beside it."""
    plain = rule.model_copy(
        update={"until": None, "count": None, "except_dates": (), "skip_holidays": False}
    )
    said = summarize(plain, "zh-CN")
    own = resolve_recurrence(said, now=now, tz=tz).rule
    together = f"{said}，{words}"
    found = resolve_recurrence(together, now=now, tz=tz)
    if own is None or found.rule is None or _days(own) != _days(plain):
        return None
    inside = {i for first, last in found.spans for i in range(first, last)}
    begin = len(said) + 1
    if any(i not in inside for i in range(begin, len(together)) if together[i].strip()):
        return None
    new = found.rule
    later = new.dtstart_local > own.dtstart_local
    return _checked(
        rule,
        {
            "type": new.type,
            "rrule": new.rrule,
            "except_weekdays": new.except_weekdays or rule.except_weekdays,
            "until": new.until or rule.until,
            "skip_holidays": new.skip_holidays or rule.skip_holidays,
            "except_dates": (*rule.except_dates, *new.except_dates),
            "dtstart_local": new.dtstart_local if later else rule.dtstart_local,
        },
    )


def _on_other_days(rule: Rule, words: str, now: datetime, tz: ZoneInfo) -> Rule | None:
    """The days that are said, at the times of day and within the bounds of the rule."""
    days = _days_said(words, now, tz) if rule.times else None
    if days is None:
        return None
    kept = {"until": rule.until, "count": rule.count, "skip_holidays": rule.skip_holidays}
    return _checked(days, {**kept, "times": rule.times, "except_dates": rule.except_dates})


def _days_said(words: str, now: datetime, tz: ZoneInfo) -> Rule | None:
    """The repetition that words name by its days alone; None when they say anything else."""
    every = words if words.isascii() or words.startswith("每") else f"每{words}"
    found = resolve_recurrence(every, now=now, tz=tz)
    if found.reason != "no_time_of_day" or found.spans != ((0, len(every)),):
        return None
    return found.candidates[0] if len(found.candidates) == 1 else None


def _checked(rule: Rule, update: dict[str, object]) -> Rule | None:
    try:
        return Rule.from_json({**rule.model_dump(), **update})
    except RuleError:
        return None


def _days(rule: Rule) -> tuple[object, ...]:
    lunar = (rule.lunar_month, rule.lunar_day, rule.nth, rule.free_days)
    return (rule.type, rule.rrule, rule.times, rule.except_weekdays, *lunar)

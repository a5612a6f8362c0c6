"""The words of time in Chinese and English: surface forms, their kind and what they stand for."""

from typing import Final

from bot.language.calendar_words import CALENDAR
from bot.language.grammar_words import GRAMMAR
from bot.language.noise_words import NOISE

WEEKDAYS_EN: Final = (
    ("monday", "mon", "mondays"),
    ("tuesday", "tue", "tues", "tuesdays"),
    ("wednesday", "wed", "weds", "wednsday", "wednesdays"),
    ("thursday", "thu", "thur", "thurs", "thursdays"),
    ("friday", "fri", "fridays"),
    ("saturday", "sat", "saturdays"),
    ("sunday", "sun", "sundays"),
)
MONTHS_EN: Final = (
    "january jan",
    "february feb",
    "march mar",
    "april apr",
    "may",
    "june jun",
    "july jul",
    "august aug",
    "september sep sept",
    "october oct",
    "november nov",
    "december dec",
)
ORDINALS_EN: Final = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]

_WEEKDAY_CHARS = "一二三四五六日"
_TERMS = [
    "小寒",
    "大寒",
    "立春",
    "雨水",
    "惊蛰",
    "春分",
    "清明",
    "谷雨",
    "立夏",
    "小满",
    "芒种",
    "夏至",
    "小暑",
    "大暑",
    "立秋",
    "处暑",
    "白露",
    "秋分",
    "寒露",
    "霜降",
    "立冬",
    "小雪",
    "大雪",
    "冬至",
]


def entries() -> list[tuple[str, str, int, str]]:
    """Every surface form with its kind, number and name; a later one of the same form wins."""
    found = [
        (surface, kind, number, name)
        for kind, number, name, surfaces in (*CALENDAR, *GRAMMAR, *NOISE)
        for surface in surfaces.split("|")
        if surface
    ]
    for index, char in enumerate(_WEEKDAY_CHARS):
        forms = [char, "天"] if char == "日" else [char]
        found += [
            (prefix + form, "weekday", index, "")
            for prefix in ("周", "星期", "礼拜", "拜")
            for form in forms
            if prefix != "拜"
        ]
    for index, names in enumerate(WEEKDAYS_EN):
        found += [(w, "weekday", index, "plural" if w.endswith("days") else "") for w in names]
    for index, row in enumerate(MONTHS_EN, start=1):
        found += [(word, "month", index, "") for word in row.split()]
        found += [(f"{word}.", "month", index, "") for word in row.split()]
    found += [
        (word, "ordinal", i, "") for i, word in enumerate(ORDINALS_EN, 1) if word != "second"
    ]
    found += [(term, "festival", 0, f"term:{term}") for term in _TERMS if term != "清明"]
    return found

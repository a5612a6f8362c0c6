"""Named days: on which date of a year they fall."""

from datetime import date, timedelta
from typing import Final

from bot.language.lunar import easter, lunar_to_solar, new_years_eve, solar_term

# key: month, day, surface forms divided by "|"
_FIXED: Final[dict[str, tuple[int, int, str]]] = {
    "new_year": (1, 1, "元旦|元旦节|阳历新年|新历新年|new year's day|new years day|new year"),
    "valentine": (2, 14, "情人节|valentine's day|valentines day"),
    "girls": (3, 7, "女生节|女神节"),
    "women": (3, 8, "妇女节|三八节|三八妇女节|38妇女节|国际妇女节"),
    "arbor": (3, 12, "植树节"),
    "consumer": (3, 15, "国际消费者权益日|消费者权益日"),
    "fools": (4, 1, "愚人节|april fools day"),
    "labour": (5, 1, "劳动节|五一|五一节|五一劳动节|51劳动节|国际劳动节|labor day|labour day"),
    "youth": (5, 4, "青年节|五四青年节"),
    "nurse": (5, 12, "护士节"),
    "children": (6, 1, "儿童节|六一|六一儿童节|61儿童节|国际儿童节|六一节"),
    "party": (7, 1, "建党节|七一建党节"),
    "army": (8, 1, "建军节|八一|八一建军节|81建军节"),
    "earth": (4, 22, "世界地球日|地球日|earth day"),
    "reading": (4, 23, "世界读书日|读书日"),
    "teacher": (9, 10, "教师节"),
    "national": (10, 1, "国庆|国庆节|十一国庆|十一国庆节|national day"),
    "halloween": (10, 31, "万圣节|万圣夜|halloween"),
    "singles": (11, 11, "双十一|双11|光棍节"),
    "macau": (12, 20, "澳门回归纪念日|澳门回归日"),
    "hongkong": (7, 1, "香港回归纪念日|香港回归日"),
    "peace": (12, 24, "平安夜|圣诞夜|christmas eve"),
    "christmas": (12, 25, "圣诞|圣诞节|christmas|christmas day|xmas"),
    "memorial": (12, 13, "国家公祭日|公祭日"),
    "nye": (12, 31, "跨年夜|跨年|new year's eve|new years eve"),
}
_LUNAR: Final[dict[str, tuple[int, int, str]]] = {
    "spring": (
        1,
        1,
        "春节|新春|农历新年|大年初一|正月正时|chinese new year|lunar new year|阴历新年|过年",
    ),
    "lantern": (1, 15, "元宵|元宵节|上元节"),
    "dragon_head": (2, 2, "龙抬头"),
    "dragon_boat": (5, 5, "端午|端午节|dragon boat festival|端阳节"),
    "qixi": (7, 7, "七夕|七夕节"),
    "ghost": (7, 15, "中元节|鬼节|盂兰节"),
    "mid_autumn": (8, 15, "中秋|中秋节|八月节|mid-autumn festival|mid autumn festival"),
    "double_ninth": (9, 9, "重阳|重阳节"),
    "laba": (12, 8, "腊八|腊八节"),
    "kitchen": (12, 23, "小年"),
}
_OTHER: Final[dict[str, str]] = {
    "eve": "除夕|大年三十|年三十|除夕夜|年夜|chinese new year's eve|大年夜",
    "qingming": "清明|清明节|扫墓节",
    "black_friday": "黑色星期五|黑五|black friday",
    "mothers": "母亲节|mother's day|mothers day",
    "fathers": "父亲节|father's day|fathers day",
    "thanksgiving": "感恩节|thanksgiving|thanksgiving day",
}
# days from Easter Sunday, surface forms
_EASTER: Final[dict[str, tuple[int, str]]] = {
    "easter": (0, "复活节|主复活日|复活主日|easter|easter sunday"),
    "easter_monday": (1, "复活节星期一|复活节周一|easter monday"),
    "easter_saturday": (-1, "复活节前夕|圣周六|神圣周六|holy saturday"),
    "good_friday": (-2, "耶稣受难日|耶稣受难节|受难日|受难节|圣周五|圣星期五|good friday"),
    "maundy_thursday": (-3, "濯足节|圣周四|神圣周四|神圣星期四|圣星期四|maundy thursday"),
    "palm_sunday": (-7, "棕枝主日|圣枝主日|棕榈主日|palm sunday"),
    "ash_wednesday": (-46, "圣灰星期三|大斋首日|圣灰日|圣灰节|大斋节|ash wednesday"),
    "shrove_tuesday": (-47, "忏悔星期二|忏悔节|shrove tuesday"),
    "ascension": (39, "耶稣升天节|升天节|耶稣升天日|ascension day"),
    "pentecost": (49, "五旬节|圣灵降临节|圣灵降临日|白色星期日|pentecost"),
    "whit_monday": (50, "圣灵降临节星期一|白色星期一|whit monday"),
    "trinity": (56, "三一主日|圣三主日|trinity sunday"),
}
_NTH: Final = {
    "black_friday": (11, 3, 4),
    "mothers": (5, 6, 2),
    "fathers": (6, 6, 3),
    "thanksgiving": (11, 3, 4),
}


def surfaces() -> list[tuple[str, str]]:
    """Pairs of a name as written and the key of the festival."""
    rows = [(names, key) for key, (_, _, names) in (_FIXED | _LUNAR).items()]
    rows += [(names, key) for key, names in _OTHER.items()]
    rows += [(names, key) for key, (_, names) in _EASTER.items()]
    return [(name, key) for names, key in rows for name in names.split("|")]


def festival_date(key: str, year: int) -> date | None:
    """The date of a festival in a year; a lunar one by the lunar year that begins in it."""
    if key in _FIXED:
        return date(year, *_FIXED[key][:2])
    if key in _LUNAR:
        return lunar_to_solar(year, *_LUNAR[key][:2])
    if key == "eve":
        return new_years_eve(year)
    if key in _NTH:
        found = nth_weekday(year, *_NTH[key])
        return found + timedelta(days=1) if found and key == "black_friday" else found
    if key in _EASTER:
        return easter(year) + timedelta(days=_EASTER[key][0])
    return solar_term(year, "清明" if key == "qingming" else key.removeprefix("term:"))


def lunar_day(key: str) -> tuple[int, int] | None:
    """Lunar month and day of a festival that is one; the eve is the last day of the twelfth."""
    if key == "eve":
        return (12, -1)
    return _LUNAR[key][:2] if key in _LUNAR else None


def fixed_day(key: str) -> tuple[int, int] | None:
    """Month and day of a festival with a fixed date."""
    return _FIXED[key][:2] if key in _FIXED else None


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date | None:
    """The nth weekday of a month, counted from the end when negative; None where there is none."""
    first = date(year, month, 1)
    following = date(year + month // 12, month % 12 + 1, 1)
    if nth > 0:
        found = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
        return found if found < following else None
    last = following - timedelta(days=1)
    found = last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-nth - 1))
    return found if found >= first else None

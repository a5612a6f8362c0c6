"""Zones by what people call them: an IANA name, a city, an offset."""

import functools
from collections.abc import Mapping
from zoneinfo import available_timezones

SUGGESTED = ("Asia/Shanghai", "Asia/Hong_Kong", "Asia/Tokyo", "Europe/London", "America/New_York")

_NAMES = {
    "北京": "Asia/Shanghai",
    "上海": "Asia/Shanghai",
    "中国": "Asia/Shanghai",
    "深圳": "Asia/Shanghai",
    "广州": "Asia/Shanghai",
    "香港": "Asia/Hong_Kong",
    "澳门": "Asia/Macau",
    "台北": "Asia/Taipei",
    "新加坡": "Asia/Singapore",
    "东京": "Asia/Tokyo",
    "首尔": "Asia/Seoul",
    "曼谷": "Asia/Bangkok",
    "悉尼": "Australia/Sydney",
    "伦敦": "Europe/London",
    "巴黎": "Europe/Paris",
    "柏林": "Europe/Berlin",
    "莫斯科": "Europe/Moscow",
    "纽约": "America/New_York",
    "芝加哥": "America/Chicago",
    "洛杉矶": "America/Los_Angeles",
    "旧金山": "America/Los_Angeles",
    "温哥华": "America/Vancouver",
    "多伦多": "America/Toronto",
    "beijing": "Asia/Shanghai",
    "china": "Asia/Shanghai",
    "san francisco": "America/Los_Angeles",
    "california": "America/Los_Angeles",
    "utc": "UTC",
}


@functools.cache
def zone_names() -> Mapping[str, str]:
    """Return zones by their whole name and by their city, in lower case."""
    names: dict[str, str] = {}
    for zone in sorted(available_timezones()):
        names.setdefault(zone.rpartition("/")[2].lower(), zone)
    return names | {zone.lower(): zone for zone in available_timezones()}


def find_zone(words: str) -> str | None:
    """Return the IANA zone that the words name, None when they name none."""
    wanted = words.strip().rstrip("。.!！").removesuffix("时间").strip()
    known = _NAMES.get(wanted.lower())
    if known:
        return known
    tail = wanted.lower().replace(" ", "_")
    return zone_names().get(tail)


def is_zone(name: str) -> bool:
    """Whether this is an IANA zone."""
    return name.lower() in zone_names()

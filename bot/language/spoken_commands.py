"""Commands said in words: 打开设置, 把我的货币改成美元, switch to English."""

import re
from dataclasses import dataclass
from typing import Final

from bot.core.patterns import regex
from bot.language.normalize import as_written, normalize

LONGEST: Final = 40
"""Characters; a longer message wants more than that."""

_PLEASE: Final = r"(?:请|麻烦|能不能|可以|帮我|给我|替我|你|我想|我要|想|要)*"
_END: Final = r"(?:吧|好了|就行|就好|please)?[\s。.!！~]*"
_VALUE: Final = r"(?:(?!还是|或者?|算了|不要|别|和|跟)[^\s，,、。;；?？吧]){1,20}?"
"""One value; an alternative, a retraction or a question is no order."""

_SETTINGS: Final = regex(
    rf"{_PLEASE}(?:打开|进入|看看|看下|查看|修改|更改|改)?(?:一下)?(?:我的)?(?:个人)?设置{_END}"
    r"|我的(?:默认)?(?:货币|币种|币别|语言|时区)(?:现在)?(?:设的)?是(?:什么|啥|哪[个种]|.{1,10}吗)[呢啊呀]?[\s?？。]*"
    r"|(?:please |open |show |change )*(?:my |the )?settings[\s.!?]*"
    r"|what(?:'s| is) my (?:currency|language|time ?zone)[\s?]*"
    r"|is my (?:currency|language|time ?zone) [\w/ ]{2,30}[\s?]*",
    re.IGNORECASE,
)
_CHANGE: Final = regex(
    rf"{_PLEASE}(?:把|将)?我?的?(?:默认)?(?:货币|币种|币别|语言|时区)(?:给我)?(?:改|换|设|设置|切换|调|调整)"
    rf"(?:一下)?(?:成|为|到|回)(?P<zh>{_VALUE}){_END}"
    r"|(?:please |can you )*(?:change|set|switch) (?:my |the )?"
    r"(?:currency|language|time ?zone) to "
    r"(?P<en>(?:(?!\bor\b|\band\b)[\w/ ]){2,30}?)(?: please)?[.!]*",
    re.IGNORECASE,
)
_LANGUAGE: Final = regex(
    rf"{_PLEASE}(?:切换|切|换|改|转)(?:成|为|到|用)(?P<zh>中文|汉语|英文|英语){_END}"
    r"|(?:please )?(?:switch|change) to (?P<en>english|chinese)[.!]*",
    re.IGNORECASE,
)
_TOLD: Final = regex(
    rf"(?:我的|我)(?:默认)?(?:货币|币种|币别|语言|时区)(?:应该)?(?:是|为|用)(?P<zh>(?!什么|啥|哪|多少|几|不){_VALUE})"
    rf"(?<![吗呢嘛么]){_END}"
    r"|my (?:default )?(?:currency|language|time ?zone) (?:is|should be) "
    r"(?!what|which|not\b|wrong)(?P<en>(?:(?!\bor\b|\band\b)[\w/ ]){2,30}?)[.!]*",
    re.IGNORECASE,
)
"""A setting told as a fact: 我的货币是欧元."""


@dataclass(frozen=True, slots=True)
class SpokenCommand:
    """A command with its argument, as if it had been typed with a slash."""

    name: str
    argument: str = ""


def parse_spoken_command(text: str) -> SpokenCommand | None:
    """The command that a whole message says; None when it is anything else."""
    if len(text.strip()) > LONGEST:
        return None
    normal = normalize(text)
    words = normal.text.strip()
    if _SETTINGS.fullmatch(words):
        return SpokenCommand("settings")
    found = _CHANGE.fullmatch(words) or _LANGUAGE.fullmatch(words) or _TOLD.fullmatch(words)
    if found is None:
        return None
    return SpokenCommand("settings", as_written((found["zh"] or found["en"]).strip(), normal))

"""The category that an entry is given with it: 奶茶15 算娱乐, tea 15 under entertainment."""

import re
from typing import Final

from bot.core.patterns import regex
from bot.language.categories import BROAD, DEFAULT
from bot.language.normalize import Normal

_MARKS: Final = ("类", "算", "归", "放", "记", "(", "under", "categor")
_NAMES: Final = {
    name.casefold(): key for key, names in DEFAULT.names.items() for name in (key, *names.values())
} | BROAD
_NAME: Final = "|".join(sorted(map(re.escape, _NAMES), key=len, reverse=True))
_PUT: Final = r"(?:算作?|归[到为入]|放[到在进]|记[到在为])"
_TAIL: Final = regex(
    r"[ ,;。.]*(?:(?:请|帮我|把它|这笔)*"
    rf"(?:(?:分类|类别|类目|归类)[ :]*(?:{_PUT}|[是为到在归放算])?|{_PUT}(?:分类|类别)?)[ :]*"
    rf"(?P<told>{_NAME})(?:分类|类|里|里面|中|吧|的)*"
    rf"|(?<![\u4e00-\u9fff])(?P<named>{_NAME})类"
    rf"|\( ?(?P<noted>{_NAME})类? ?\)"
    r"|(?:and )?(?:(?:file|filed|put|book|count|log)(?: it| this| that)? )?"
    rf"(?:under|category:?|in category) (?:the )?(?P<en>{_NAME})(?: category)?"
    r")[ .!。]*$"
)


def filed_under(normal: Normal) -> tuple[str, str]:
    """The message without the category at its end, as written, and its key; "" for none."""
    if not any(mark in normal.text for mark in _MARKS):
        return "", ""
    match = _TAIL.search(normal.text)
    if match is None or not match.start():
        return "", ""
    said = match["told"] or match["named"] or match["noted"] or match["en"]
    return normal.source[: normal.ends[match.start() - 1]], _NAMES[said]

"""Words that take back what the same message said before them: 午饭35，算了."""

from typing import Final

from bot.core.patterns import regex
from bot.language.normalize import as_written, normalize

_TAIL: Final = regex(
    r"[ ,;.、!]+(?:还是|哦|啊|呃|那|就)*(?:算了|不记了|别记了?|不用记了?|先不记了?"
    r"|撤销|撤回|取消|作废|当我没说"
    r"|never ?mind|cancel(?: that| it)?|undo(?: that| it)?|scrap (?:that|it)|forget (?:it|that)"
    r"|don't (?:log|book|record) (?:it|that))(?:吧|了|掉|这笔|那笔)*[ .!~]*$"
)


def taken_back(text: str) -> str:
    """What a message said before it took it back, as written; "" when it took nothing back."""
    normal = normalize(text)
    match = _TAIL.search(normal.text)
    return as_written(normal.text[: match.start()].strip(), normal) if match else ""

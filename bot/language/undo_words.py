"""How many steps an undo takes back, and words that bring back what was undone."""

from typing import Final

from bot.core.patterns import regex
from bot.language.normalize import normalize
from bot.language.numerals import read_number

MOST_STEPS: Final = 10
_END: Final = r"[吧了啊呀哦啦呢!~ 。.]*"
_TIMES: Final = regex(
    r"(?:请|帮我)*(?:连续)?(?:撤销|撤消|撤回|回退)掉?(?:最近|前面?|上面?|最后|刚才)?的?"
    r" ?(?P<n>[一两二三四五六七八九十]|\d{1,2}) ?(?:次|步|下|个?操作)?"
    rf"{_END}"
    r"|(?:please )?undo (?:the |my )?(?:last )?(?P<en>\d{1,2}|once|twice|two|three|four|five)"
    r"(?: times| steps| changes)?(?: please)?[.!]*"
)
_NUMBERS_EN: Final = {"once": 1, "twice": 2, "two": 2, "three": 3, "four": 4, "five": 5}
_GONE: Final = r"(?:撤销|删除?|删掉)?(?:的|了)?(?:那|这)?(?:一?[笔条个步])?"
_BACK: Final = regex(
    rf"(?:请|帮我)*(?:把)?(?:刚才|刚刚|它|那个?|上一?)?{_GONE}(?:给)?(?:恢复|还原|重做|找回)(?:回来|一下)?{_END}"
    rf"|(?:请|帮我)*(?:恢复|还原|重做|找回)(?:一下)?(?:刚才|刚刚|上一?)?{_GONE}{_END}|取消撤销{_END}"
    r"|(?:please )?(?:redo|restore|undelete|bring back)"
    r"(?: (?:it|that|this|the last (?:one|entry)))?[.!]*"
    r"|(?:please )?bring (?:it|that) back[.!]*"
)


def undo_steps(words: str) -> int:
    """How many steps are to be taken back: 撤销两次; 0 when no number is said with an undo.

    Args:
        words: The message in one spelling.
    """
    match = _TIMES.fullmatch(words)
    if match is None:
        return 0
    said = match["n"] or match["en"]
    number = read_number(said, 0)
    steps = _NUMBERS_EN.get(said, int(number.value) if number is not None else 0)
    return min(steps, MOST_STEPS)


def brings_back(text: str) -> bool:
    """Whether what was just undone or deleted is to come back: 恢复, redo."""
    return _BACK.fullmatch(normalize(text).text.strip().lower()) is not None

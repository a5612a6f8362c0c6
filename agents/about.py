"""Questions about the assistant itself, answered by fact and never by a model."""

import re

from bot.core.patterns import regex
from bot.core.words import Text, text

_END = r"[\s?？!！。.~～啊呀呢哦嘛的了]*"
_START = r"(?:请问|那|那么|所以|话说|嗯|喂|hey|hi|so|and|but|well|please)?[\s,，]*"
_ABOUT = (
    (
        "help.who",
        (
            r"你(?:到底|究竟)?(?:是|叫)(?:谁|什么(?:东西|名字|人)?|啥|哪位|哪个)"
            r"|你是(?:一?个)?(?:不是)?(?:真人|人|人类|机器人|ai|人工智能)(?:还是(?:人|真人|机器人"
            r"|ai))?(?:吗|么)?"
            r"|(?:介绍(?:一下|下)?(?:你)?自己|(?:做个)?自我介绍(?:一下|下)?)"
            r"|who (?:the \w+ )?are you|what are you|what(?:'s| is) your name|introduce yourself"
            r"|are you (?:a |an )?(?:human|person|bot|robot|ai|real)(?: or (?:a |an )?\w+)?"
        ),
    ),
    (
        "help.data",
        (
            r"(?:我|我们|大家)?的?(?:数据|资料|信息|记录|消息|隐私|账目|账|聊天记录|话|东西)(?:都|是|会"
            r"|被)*"
            r"(?:存|保存|储存|放|留|记|在)(?:放|储)?(?:在|到)?(?:哪里|哪儿|哪|什么地方|啥地方)(?:里"
            r"|去)?"
            r"|(?:你|你们)(?:把|将)?我的?(?:数据|资料|信息|话|记录).{0,4}(?:存|放|保存)(?:在"
            r"|到)?(?:哪里|哪儿|哪)"
            r"|(?:我的)?(?:数据|隐私|资料|信息)(?:在你这)?(?:安全|保密)(?:吗|么|不)"
            r"|where(?:'s| is| are| do you (?:keep|store|save)) (?:all )?(?:of )?my "
            r"(?:data|messages?|notes?|information|records?)(?: (?:stored|kept|saved))?"
            r"|is my data (?:safe|private)"
        ),
    ),
    (
        "help.forget",
        (
            r"你?(?:会不会|会|是不是会)(?:把)?(?:我(?:说)?的?(?:话|东西|事)?)?(?:给)?忘(?:记|掉"
            r"|了|光)?"
            r"(?:我|我们)?(?:说|讲|告诉你)?(?:过)?的?(?:话|事|东西|这些|内容|一切)?(?:吗|么)?"
            r"|(?:will|do|would|can) you (?:ever )?forget(?: (?:me|this|that|it|everything"
            r"|(?:what|everything|things|all) (?:that )?i(?:'ve)? (?:say"
            r"|said|told you|tell you)))?"
        ),
    ),
)
_PATTERNS = tuple(
    (key, regex(f"{_START}(?:{pattern}){_END}", re.IGNORECASE)) for key, pattern in _ABOUT
)
LONGEST = 60
"""Characters; a longer message is about more than that."""


def about(query: str) -> Text | None:
    """Return who this is, where data lies or what is forgotten; None for another question."""
    words = query.strip().replace("’", "'")
    if len(words) > LONGEST:
        return None
    return next((text(key) for key, pattern in _PATTERNS if pattern.fullmatch(words)), None)

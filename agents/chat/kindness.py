"""A friendly word where no model talks: one short answer for each kind of small talk."""

import re

from bot.core.patterns import regex

_END = r"[\s!！。.~～，,？?…啊呀吧吗呢啦哦了]*"
_VERY = (
    r"(?:好|真|太|很|有点|有些|快|都|超|特别|非常|实在|最近|今天|感觉|觉得|so|very|really|just)*"
)
_KINDS = (
    (
        "chat.greeting",
        (
            r"(?:你好|您好|大家好|嗨|哈喽|哈啰|喂|早|早安|早上好|上午好|中午好|下午好"
            r"|晚上好|在吗|在不在|"
            r"hi|hello|hey|good (?:morning|afternoon|evening))(?: there| all)?"
        ),
    ),
    ("chat.thanks", r"(?:谢|多谢|感谢|感恩|辛苦|thanks|thank you|thx|ty\b)[^\n]{0,10}"),
    ("chat.bye", r"(?:再见|拜拜|晚安|回见|回头见|先这样|bye|good ?night|see you)[^\n]{0,10}"),
    (
        "chat.laughter",
        r"(?:哈|嘿|嘻|呵|笑死(?:我)?|233+|hh+|(?:ha){2,}h?|lol|lmao|rofl|[😂🤣😄😆])+",
    ),
    (
        "chat.insult",
        (
            r"(?:你|妳|您|您们|真|好|太|这|那|是|个|就|怎么|这么|也|都|一)*"
            r"(?:笨|蠢|傻|傻逼|sb|垃圾|没用|无用|智障|白痴|弱智|废物|笨蛋|傻瓜|蠢货"
            r"|烂|差劲|烦人|讨厌|烦)"
            r"(?:死|透|极|的|东西|机器人|玩意|个)*"
            r"|(?:快|给我|你|你给我)*(?:滚|闭嘴|去死|走开)(?:开|蛋|远点|吧)*"
            r"|什么(?:破|垃圾)(?:东西|机器人|玩意)"
            r"|(?:you(?:'re| are)?|this is|what an?) (?:so |really |such |an? |just |very )*"
            r"(?:stupid|dumb|useless|idiot|moron|garbage"
            r"|trash|terrible|suck|bad|worthless)(?: bot)?"
            r"|shut up|go away|get lost|fuck(?: you| off)?|idiot|stupid(?: bot)?"
            r"|you suck|i hate you"
        ),
    ),
    (
        "chat.tired",
        (
            rf"我?{_VERY}(?:累|困|疲惫|疲倦|难过|伤心|郁闷|焦虑|压力(?:好"
            r"|很)?大|不开心|难受|想哭|崩溃|孤独|失眠|心累)"
            r"(?:死|坏|极|我|一天)*"
            r"|(?:i(?:'m| am| feel)|feeling) (?:so |very |really |a bit |just )*"
            r"(?:tired|exhausted|sad|down|lonely|stressed(?: out)?|sleepy"
            r"|worn out|depressed|anxious)"
        ),
    ),
)
_PATTERNS = tuple((key, regex(f"(?:{pattern}){_END}", re.IGNORECASE)) for key, pattern in _KINDS)
LONGEST = 30
"""Characters; who says more wants more than a friendly word."""


def kind_words(words: str) -> str:
    """Return the key of the friendly answer; empty when the words are no small talk."""
    said = words.strip().replace("’", "'")
    if len(said) > LONGEST:
        return ""
    return next((key for key, pattern in _PATTERNS if pattern.fullmatch(said)), "")

"""Chat: conversation. Without a language model it is honest about that and offers what works."""

import re

from bot.core.agents import AgentResult, Turn
from bot.core.messages import TextBlock
from bot.core.words import Text, text
from bot.locales.moments import moment_with_zone

INTENT = "chat_manager"

_GREETING = re.compile(
    r"^(?:你好|您好|嗨|哈喽|早|早安|早上好|上午好|下午好|晚上好|在吗|hi|hello|hey|"
    r"good (?:morning|afternoon|evening))[\s!！。.~，,？?啊呀吗]*$",
    re.IGNORECASE,
)
_THANKS = re.compile(r"^(?:谢谢|多谢|感谢|辛苦|thanks|thank you|thx)[^\n]{0,10}$", re.IGNORECASE)
_BYE = re.compile(r"^(?:再见|拜拜|晚安|回见|bye|good ?night|see you)[^\n]{0,10}$", re.IGNORECASE)
_WHO_AM_I = re.compile(
    r"我(?:叫|是)(?:什么|谁|啥)|我的(?:名字|昵称|资料|档案|时区|货币|语言)|"
    r"\bmy (?:name|profile|time ?zone|currency|language)\b|\bwho am i\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?:现在|目前)?(?:几点|什么时间)|今天(?:几号|星期几|周几|礼拜几)|"
    r"\bwhat(?:'s| is) the (?:time|date)\b|\bwhat time is it\b|\bwhat day is (?:it|today)\b",
    re.IGNORECASE,
)


class ChatAgent:
    """Small talk, one's own profile and the clock by rules; the rest needs a model."""

    @property
    def intent(self) -> str:
        """Routing label."""
        return INTENT

    async def handle(self, turn: Turn) -> AgentResult:
        """Return an answer that is true without a model."""
        return AgentResult(blocks=(TextBlock(self._words(turn)),))

    @staticmethod
    def _words(turn: Turn) -> Text:
        words = turn.query.strip()
        name = turn.person.name or text("onboarding.friend")
        if _GREETING.match(words):
            return text("chat.greeting", name=name)
        if _THANKS.match(words):
            return text("chat.thanks")
        if _BYE.match(words):
            return text("chat.bye", name=name)
        if _WHO_AM_I.search(words):
            return text(
                "chat.profile",
                name=turn.person.name or text("chat.no_name"),
                zone=turn.person.zone,
                currency=turn.person.currency,
            )
        if _CLOCK.search(words):
            return text("chat.clock", now=moment_with_zone(turn.now, turn.locale))
        if turn.attachments and not words:
            return text("chat.no_vision")
        return text("chat.no_model")

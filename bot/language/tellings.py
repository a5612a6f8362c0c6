"""What a person only tells or asks, with a time in it: no order to remind of it.

Read only where no word for reminding was said: 今晚吃火锅 is a plan, 明天下雨吗 is talk.
"""

from typing import Final, Literal

from bot.core.patterns import regex
from bot.language.normalize import normalize

Telling = Literal["talk", "doubt", ""]

_END: Final = r"[\s。.!！~～…]*$"
_ASKS: Final = regex(rf"(?:吗|嘛|呢|么){_END}")
"""A question, where it does not ask for our consent: that is no part of the thing."""

_TALK: Final = regex(
    r"什么|甚么|怎么|为什么|谁|哪[里个儿天种]|哪$|几点(?!钟?\d)|几[号度岁]|(?:周|星期|礼拜)几|多少"
    r"|是不是|有没有|会不会"
    r"|^(?:what|when|where|who|why|how|which)(?:'s)?\b"
    r"|^(?:is|are|was|were|does|did|will|shall|should|can|could|would) "
    r"(?:i|we|they|he|she|it|there|the|this|that|my|your)\b"
    r"|^do (?:i|we|they|you)\b"
    # What has happened, or what time it is.
    r"|刚才|刚刚|已经|[点半刻钟]多?了(?!解)|(?<=[^\s为到除])了(?=[一两半几好]|\d)"
    r"|到了(?:[一两半几]|\d+)个?半?(?:小时|钟头|分钟|天)"
    # Goodbyes.
    r"|^(?:see|catch|talk to) (?:you|ya|u)\b|^(?:good ?night|goodbye|bye)\b"
)
_NEGATIVE: Final = regex(r"(?<![差对])不(?!见不|散|锈)|没|懒得|n't\b|\b(?:not|never|no longer)\b")
_DOUBT: Final = regex(
    rf"(?:了|啦|咯){_END}|[^要该得]了[,，;；]|[?？]\s*$|^(?:又|就|都)?是(?!时候)"
    r"|^i(?:'ll| will) be\b|^i (?:was|were|had|did|woke|slept|went|got|ate|ran|saw|made|felt)\b"
)
_DUE: Final = regex(rf"(?:要|该|得)[^,，;；]{{1,12}}了(?:{_END}|[,，;；])")
"""What is due soon is a plan: 周五要交房租了; 周报得交了，后天上午."""


_OTHERS: Final = (
    r"(?:他|她|它|人家|别人|大家|我?(?:爸爸?|妈妈?|爸妈|父母|老爸|老妈|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|老婆|媳妇"
    r"|儿子|女儿|闺女|哥哥?|姐姐?|弟弟?|妹妹?|男朋友|女朋友|对象)|我(?:同事|朋友|室友|老板|领导|公司))们?"
)
_OF_OTHERS: Final = regex(
    rf"^{_OTHERS}|(?<=[点半分刻时后天晚早晨夜午周一二三四五六日末号月\d,，\s]){_OTHERS}"
)
"""Somebody else at the start, or after the time: what they do is no plan of ours by itself."""

_TO_DO: Final = (
    r"(?:我|咱|去|要|得|该|需|记得|准备|打算|想|接|送|等|看|陪|带|叫|催|问|给|帮|买|取|拿|打|约|找|和|跟|与|查"
    r"|让|别|不|通知|参加|赶|回|从|在|为|交|写|做|吃|喝|洗|开|请|把|坐|搭|上|下)"
)
_HAPPENS: Final = regex(
    rf"^(?!{_TO_DO})\S.{{0,10}}?\s*(?:就|会|要|才|能|都|正式|准时)?(?:到达|到货|到家|到店|到站|到(?:账|期)?|送到|来电"
    r"|来|回来|回家|过来|出差|起飞|降落|落地|出发|发车|开门|关门|打烊|开始|结束|开学|开播|开赛|上映|上线|发布|开奖"
    rf"|开盘|收盘|放假|停电|停水|停气|停课|考试|生日|下班|上班){_END}"
)
"""Something comes about by itself, and what it is was said: 快递到, 店开门."""

_WEATHER: Final = regex(
    r"^(?:会|要|可能|应该|大概|都|有|是|下|刮|转|又)*(?:[大中小雷阵暴]*[雨雪]|大?[雾霾]|台风|大风|降温|升温|晴天?|阴天?|多云"
    rf"|起风|打雷|冷空气|[变更很有点]*[冷热]|零下.{{1,4}}|\d+度){_END}"
)
_STATE: Final = regex(
    r"^(?:放假|停电|停水|停气|停课|休息|有空|有时间|有事|[很比较有点]*忙|(?:恢复|重新开始|暂停|停用).{1,10}"
    rf"|(?:正|还|都|会|应该|可能)在.{{1,6}}){_END}"
)
_WHERE_I_AM: Final = regex(
    rf"我?(?:正|还|都|会|应该|可能|一直)*在(?!于|线)[^\s,，在]{{1,3}}{_END}"
)
"""Where somebody is, or what they are at just then; a longer end says what is to be done there."""

_ENGLISH_STATE: Final = regex(
    r"^(?:he|she|they|it)(?:'s|'ll|'re)?\b"
    r"|^(?:the|my|his|her|our|their|your)? ?(?:[a-z]+ ){1,3}?"
    r"(?:arrives|comes|opens|closes|starts|begins|ends|lands|departs|leaves|expires|"
    r"(?:is|are) (?:coming|arriving|visiting|leaving|off|away|closed|open|back|due|in|at|on|out)"
    r"|will)\b"
    r"|^i(?:'m| am) (?:in|at|on|off|busy|free|home|away|out|sick|asleep)\b"
    r"|^(?:it'?s )?(?:rain|snow|rainy|snowy|sunny|cloudy|windy|stormy|cold|hot)$"
)


def _merely_states(whole: str, rest: str) -> bool:
    """Whether words state what others do, what comes about by itself, or how things are."""
    if whole.isascii():
        return _ENGLISH_STATE.search(rest) is not None
    return bool(
        _OF_OTHERS.search(whole)
        or _HAPPENS.search(rest)
        or _WEATHER.search(rest)
        or _STATE.search(rest)
        or _WHERE_I_AM.search(whole)
    )


def telling(text: str, what: str) -> Telling:
    """Whether words with a time only tell or ask: talk, or so in doubt; "" for a plan.

    Args:
        text: The message.
        what: What is left of it without the time.
    """
    whole = normalize(text).text.strip().lower()
    rest = normalize(what).text.strip().lower()
    if _TALK.search(whole) or _ASKS.search(rest):
        return "talk"
    if _NEGATIVE.search(rest) or _merely_states(whole, rest):
        return "doubt"
    return "doubt" if _DOUBT.search(rest) and not _DUE.search(whole) else ""

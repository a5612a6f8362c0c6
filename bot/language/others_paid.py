"""Words that say that somebody else paid, or that the sum is what somebody else spent."""

from typing import Final

from bot.core.patterns import regex
from bot.language.categories import DEFAULT

_KIN: Final = (
    r"(?:老婆|老公|媳妇|男友|女友|男朋友|女朋友|对象|爸妈|爸爸|妈妈|我[爸妈哥姐弟妹]|哥哥|姐姐|弟弟|妹妹"
    r"|儿子|女儿|岳父|岳母|婆婆|公公|叔叔|阿姨|舅舅|姑姑|奶奶|爷爷|外婆|外公)"
)
_SURNAMES: Final = "王李张刘陈杨赵吴徐孙朱胡郭罗郑梁谢宋唐韩冯邓曹彭曾肖董袁潘蒋蔡杜魏吕丁姚卢"
_OTHER: Final = (
    r"(?:[他她]们?|人家|别人|对方|领导|老板|同事|朋友|室友|同学|闺蜜|哥们|舍友|邻居|客户|房东"
    rf"|[小老阿大](?![板婆公妈爸姐])[{_SURNAMES}马周黄林高何田于余叶程苏沈任]"
    rf"|(?<![{_SURNAMES}\d小老阿大])[{_SURNAMES}](?:总|哥|姐|叔|工|老师|经理|阿姨"
    r"|(?:(?![吃喝打坐买饭家的在了请付去用花])[一-鿿]){1,2}))"
)
_NOT_FOR: Final = r"(?<![请给替帮跟和与为陪向找问约])(?<![请给替帮跟和与为陪向找问约]我)"
"""请老王, 帮老王, 和老王: then the other one is no subject."""

_BETWEEN: Final = r"(?:们|今天|昨天|刚才|最后|先|都|也|全|就|来|抢着|非要|主动|去|一起)*"
_BORE: Final = (
    r"(?:请客|请的|请了|请我|做东|买了?单|买的单|埋了?单|埋的单|结了?账|结的|付的|付了?[钱款账]"
    r"|付过了?|付了(?!我|给我)|给的钱|给了钱|掏的|掏了|掏钱|出的|出了?钱|刷的|刷了?卡|垫的|垫付的?|垫了)"
)
_SPENT: Final = r"(?:花了|花掉|用了)"
_ZH: Final = regex(
    rf"{_NOT_FOR}(?:(?:{_KIN}|{_OTHER}){_BETWEEN}{_BORE}|{_OTHER}{_BETWEEN}{_SPENT})"
    rf"|{_NOT_FOR}(?:[他她]|同事|朋友|室友|同学|[小老](?![板婆公妈爸姐])[{_SURNAMES}]){_BETWEEN}买了"
)
_NOBODY: Final = (
    r"(?:i|we|you|it|that|this|which|who|and|but|just|already|also|only|all|is|was|got|get|have"
    r"|has|had|be|been|am|are|were|not|fully|finally|bill|bills|tab|check|total|amount|rent|cash"
    r"|card|both|they all|company|work|boss|insurance|office|reimbursed|to|ve|dinner|lunch"
    r"|breakfast|today|yesterday|tonight|then|so|still|never|well|over|pre|half|part)"
)
_SOMEBODY: Final = (
    rf"(?:^|[,;.!(] ?|\b(?:but|and|so) )(?:my )?(?!{_NOBODY}\b)(?P<who>[a-z]{{2,12}})"
    r" (?:just |also |already )?"
)
_EN: Final = regex(
    rf"{_SOMEBODY}(?:paid(?! me\b| off\b| back\b)|treated|covered (?:it|me|us|the)|picked up the"
    r"|got the (?:bill|check|tab))"
    r"|\b(?:he|she|they|my (?:wife|husband|friend|brother|sister|mom|mum|dad|boss|roommate"
    r"|colleague|girlfriend|boyfriend)) (?:paid(?! me\b)|treated|covered|spent)\b"
    r"|\bpaid (?:for )?by (?!me\b|card|cash|credit|debit|visa|wechat|alipay|apple|check|cheque"
    r"|phone|paypal|the |my |company|work|boss|insurance)[a-z]"
    r"|\b(?:paid|covered) (?:for )?by my (?!company|work|boss|insurance|office|card|phone)"
    r"|\b[a-z]+(?:'s| is| was) (?:my )?treat(?:ing|ed)?\b(?<!my treat)"
    r"|\bwas treated (?:to|by)\b|\bon the house\b"
)


def others_paid(text: str) -> bool:
    """Whether a message says that somebody else paid what it tells the sum of.

    Args:
        text: The message in one spelling.
    """
    if any(word in text for word in ("paid", "treat", "cover", "spent", "bill", "on the house")):
        return any(not DEFAULT.knows(match["who"] or "") for match in _EN.finditer(text))
    return any(char in text for char in "请付单账钱掏出刷垫花用买结") and bool(_ZH.search(text))

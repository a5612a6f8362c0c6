"""What kind of question to the ledger a message asks, and about which way of the money."""

from typing import Final, Literal

from bot.core.patterns import regex
from bot.language.money_words import SOMEBODY

What = Literal[
    "total", "list", "by_category", "by_period", "balance", "compare", "ranking", "share"
]

_TOTAL: Final = regex(
    r"(?:一共|总共|共)?(?:花|用|赚|挣|收入|支出|消费|开销|付|交|进账|收)(?:了|"
    r"掉)?(?:多少|几多|几块)(?:钱|块)?|多少钱|花销|总支出|总收入|合计|总额"
    r"|how much (?:money )?(?:did|have|do) i (?:spend|spent|earn|make|pay|blow|get)|"
    r"total (?:spend|spending|spent|expenses|income)"
    r"|(?:几|多少)笔|how many (?:entries|expenses|transactions)"
    r"|(?:欠|借|退|还|转|存|取|垫|报销)(?:出去?|入|给.{1,6}|我|了|款|账|过|的){0,3}(?:一共|总共|共)?(?:多少|几多)"
    r"|(?:工资|奖金|收入|支出|消费|开销|退款|转账|报销)(?:是|有|一共|总共|各)*(?:多少|几多)"
    r"|(?:查|看)(?:一下|看|下)?.{0,10}的?(?:消费|支出|花销|开销|收入)$"
    r"|算(?:一下|下|一算|算)?.{0,8}账"
    r"|的总?(?:收入|支出|消费|开销|花费)[?.!呢]*$"
    r"|(?:喝|吃|打|买|去|加|坐|看|剪)[了过](?:几|多少)次"
    r"|how much (?:do|did) i (?:still )?owe|how much (?:does|did) .{1,16} owe me"
    r"|how much .{1,20} refunded"
    r"|what did i spend|how much (?:was|were|is) my"
    r"|\bhow much (?:(?:on|for) \w+ )?(?:on|last|this|today|yesterday)\b"
)
_HOW_MANY: Final = regex(r"(?:几|多少)笔|how many (?:entries|expenses|transactions)")
_LIST: Final = regex(
    r"账单|明细|流水|记录|账目|消费记录|(?:列|看|查)(?:一下|下|看)?.{0,6}账|"
    r"最近.{0,3}(?:笔|条)|"
    r"(?:上|最后|最新|刚才那?)(?:的)?一?(?:笔|条)"
    r"|有没有记|记了(?:吗|没有?)[?]?$"
    r"|(?:买|花|吃|付)了(?:些|点)?(?:什么|啥|哪些)"
    r"|(?:交|付|还|缴|充)过?了?(?:吗|没有?|么)[?]?$|什么时候(?:交|付|还|缴|充|买)的?"
    r"|谁(?:还|都)*欠我|我(?:还)?欠谁|\bwho owes me\b"
    r"|(?:list|show)(?: me)?.*(?:expenses|entries|transactions|spending|records)"
    r"|(?:last|recent) (?:\w+ )?(?:expenses|entries|transactions|records)|what did i buy"
)
BY_CATEGORY: Final = regex(
    r"各类|各个?分类|按类|按分类|分类统计|每类|每个分类|分别花|花在哪|花到哪|"
    r"哪(?:个|一)?(?:分类|类|方面).{0,6}(?:花|支出|开销).{0,4}最?多|花得?最多的是(?:什么|哪)|什么.{0,4}花得?(?:钱)?最多|"
    r"what (?:do|did) i spend (?:the )?most on|"
    r"钱都?花哪|都花哪|by category|per category|breakdown|where did my money go"
)
BALANCE: Final = regex(
    r"(?:还|现在)?(?:剩|余)(?:下|了)?(?:多少|几多)(?:钱|块)?|(?:还|现在)有多少钱"
    r"|收入[和跟与、]支出|支出[和跟与、]收入|income and (?:expenses|spending)"
    r"|结余|余额(?!宝)|收支|盈余"
    r"|净(?:收入|支出|赚|亏)"
    r"|(?:是)?(?:赚|亏)了?还是(?:赚|亏)|入不敷出"
    r"|\bbalance\b|\bleft over\b|\bnet (?:income|spending)\b"
    r"|how much (?:money )?(?:do i have left|is left|have i got(?: left)?|do i have)"
)
_TOLD_BALANCE: Final = regex(
    r"(?:余额|存款|结余)(?!宝)[^\d多几吗?]{0,8}\d[\d,.]*(?:块钱?|元|万|k)?(?:了|吧)?[.!]?$"
    r"|\bbalance(?: now| currently)?(?: is| was| of| to|:| =)? ?[$¥€£]?\d[\d,.]*k?(?: \w+)?[.!]?$"
)
"""A balance that is told, not asked for."""

_LAST_TIME: Final = regex(r"上(?:一?次|一?回)|\blast time\b|\bwhen did i last\b")
_WHEN: Final = regex(r"什么时候|哪[天日]|几号|多久|\bwhen\b")
INCOME: Final = regex(r"收入|赚|挣|进账|工资|收了|earn|income|make|salary")
_DIRECTIONS: Final = (
    (
        "lend",
        regex(
            rf"{SOMEBODY}(?:还|现在|一共|总共)*欠了?(?:多少|几多)"
            r"|借出|借给|欠了?我|垫付?了|\blent\b|\bowes? me\b"
        ),
    ),
    (
        "borrow",
        regex(
            r"我(?:还|一共|总共)?欠|欠(?:了)?(?:别人|多少|谁)|借入|[跟向找问].{1,6}借|借了多少"
            r"|\bi (?:still )?owe\b|\bborrow(?:ed)?\b"
        ),
    ),
    ("refund", regex(r"退款|退了|退回|\brefund(?:s|ed)?\b")),
    ("transfer", regex(r"转账|转出|还款|还了多少|[存取]了多少|\btransfer(?:s|red)?\b")),
    ("income", INCOME),
)
OTHER_WISH: Final = regex(
    r"预算|超支|顺便|关了|打开|为什么|怎么|如果|比|趋势|图|导出|export|budget|chart|compare|why|提醒|"
    r"删|改|撤销|写|解释"
)


def what_is_asked(text: str) -> What | None:
    """What is asked for; None when nothing is.

    Args:
        text: The message in one spelling.
    """
    if BY_CATEGORY.search(text):
        return "by_category"
    if BALANCE.search(text):
        return None if _TOLD_BALANCE.search(text) else "balance"
    if asks_latest(text):
        return "list"
    if _TOTAL.search(text):
        return "total"
    return "list" if _LIST.search(text) else None


def asks_latest(text: str) -> bool:
    """Whether only the latest entry of a thing is asked for: 上次加油花了多少."""
    asks = _TOTAL.search(text) or _WHEN.search(text)
    return bool(asks) and _LAST_TIME.search(text) is not None


def direction_asked(text: str, what: What) -> str:
    """Which way of the money is asked about; "" for all."""
    if what == "balance":
        return ""
    for direction, pattern in _DIRECTIONS:
        if pattern.search(text):
            return direction
    return "" if what == "list" or _HOW_MANY.search(text) else "expense"

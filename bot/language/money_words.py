"""The words around sums of money: directions, counts, shares, and what is no money at all."""

import re
from typing import Final, Literal

from bot.core.patterns import regex

Direction = Literal["expense", "income", "refund", "transfer", "lend", "borrow"]

SOMEBODY: Final = (
    r"(?:^|[,;。 天晚])(?:[小老阿][^\s\d,;。的了过]{1,2}?|[他她]们?|[爸妈哥姐弟妹]{1,2}"
    r"|同事|朋友|室友|同学)"
)
"""Another person who does something with money; the word for me is left out."""

DIRECTIONS: Final[tuple[tuple[Direction, re.Pattern[str]], ...]] = (
    (
        "refund",
        regex(
            r"退款|退税|退给?我|(?:收回|(?:aa|收|要|拿|转)回来)了?(?= ?\d)"
            r"|退了|退押金|押金退|退货|退回|退还|返还|\brefund(?:ed)?\b|money back"
            r"|\bgot [$£€]?[\d.,]+ ?\w* back\b"
        ),
    ),
    (
        "transfer",
        regex(
            r"还款|还信用卡|还花呗|还白条|还房贷|还车贷|还贷|信用卡还|(?:花呗|白条|借呗|房贷|车贷|贷款)还|转到|转入|转存"
            r"|存入|存了|换汇|兑换|换了?(?=[$€£]?\d)|\bexchanged\b"
            r"|提现|取现|取款|取了|提取|存(?:进|到)?(?:银行|定期|活期)|(?:余额宝|零钱通)(?!收益)|还我|还了我|还给我"
            r"|^ ?(?:我)?还了?(?![有是要没不好行款在欠])"
            rf"|{SOMEBODY}又?还钱?了(?= ?\d)"
            r"|\btransfer(?:red)?\b(?! (?:fee|ticket))|credit card payment|paid off|withdrew"
            r"|paid me back|\bpaid \w+ back\b"
        ),
    ),
    (
        "borrow",
        regex(
            r"借给?了?我(?![的们])|\blent me\b"
            r"|(?:^|[,;。 我天还])欠了?(?!费|款|缴|我|了我)|(?:^|\bi (?:still )?)owe\b"
            r"|[跟向找问].{1,6}借|借入|借了.{0,4}的钱|\bborrow(?:ed)?\b"
        ),
    ),
    (
        "lend",
        regex(
            rf"欠了?我|\bowes? me\b|{SOMEBODY}(?:又|再)?借了(?= ?\d)"
            r"|垫付|垫了|代付|借给|借出|借了.{1,6}给|\blent\b|\bloaned\b|\blend "
        ),
    ),
    (
        "income",
        regex(
            r"工资|薪水|薪资|奖金|年终奖|收入|到账(?! ?\d)|(?<!\d)到账"
            r"|进账|收到|收了|[抢领收]了?[个到]*红包|收益(?!率)|卖.{1,8}得了|收款"
            r"|收租|(?<![回签])收(?=房租|租金|学费|货款)|(?:公司|单位|老板|学校)发了?|赚了|赚|挣了|挣|报销(?!单|后|之后|前|完)|(?:医保|公司|单位|保险)给?报了"
            r"|(?:^|[,;。天 ])我?卖(?![菜货场家点])(?=[^,;。]{1,8}\d)"
            r"|(?<![交付给发])(?:加班费|津贴|补贴|餐补|退休金)"
            r"|收(?=份子|礼金|彩礼)|(?:保险|平台|商家|客服|对方)赔[付偿]?了?(?= ?\d)"
            r"|分红|股利|股息|中奖|中了|中彩票|卖了|卖掉|稿费|兼职|利息收|返现|给我转|给的|捡到|捡了|转我"
            r"|转给我|转来"
            r"|赢了?(?= ?[\d一二三四五六七八九十百千])|\b(?:paid|gave) me\b|\bwon (?=[$£€]?\d)"
            r"|给我发|给了我|给我(?=\d| \d)|压岁钱收"
            r"|got .{0,12}from |\b(?:salary|income|paycheck|received|got paid|earned|sold"
            r"|bonus|reimbursed|dividend"
            r"|cashback)\b"
        ),
    ),
)
QUESTION: Final = regex(r"多少|吗|\?|怎么|为什么|几块|什么|哪|how much|\b(?:what|which|why|how)\b")
MOVED: Final = regex(
    r"(?:please )?(?:can |could )?(?:you )?(?:move|reschedule|postpone|push|shift|snooze)\b.{1,40}"
    r"\b(?:to|by|until) \S",
    re.IGNORECASE,
)
"""Orders to move something else; their numbers are times."""

WISH: Final = regex(
    r"预计|预估|每(?:天|日|周|个?月|年|个?星期)(?!的)|想买|想要|打算|准备|计划|要不要|应该|预算|推荐|提醒|取消|删|改成|改为|不是"
    r"|如果|帮我买|帮我订"
    r"|别买|没买|没花|还没(?=[付交还给])|没(?=付|交钱)"
    r"|忘[了记](?:去)?(?=付|交|还|给|买|充|缴)|涨到|跌到|涨了|跌了"
    r"|\b(?:monthly|weekly|yearly)[.!]?$|\b(?:every|per|a|each) (?:month|week|year)[.!]?$"
    r"|remind|want to|going to|should|budget|plan to"
)
CONDITION: Final = regex(
    r"差一?点儿?(?:就|把)?(?=花|买|付|丢|要)|险些|本来(?=要|想|打算)"
    r"|\b(?:almost|nearly) (?=spent|paid|bought)"
    r"|^(?:我|卡里|卡上|钱包里?|手里|手上|身上|账户里?)*(?:还剩|还有|只剩|剩下|剩了|只有)了?"
    r" ?[\d.,]+万? ?(?:块钱?|元|rmb)?[了吧 .!]*$"
    r"|^i (?:only |still )?have [$£€]?[\d.,]+[a-z ]{0,10}(?: left)?$"
    r"|如果|要是|假如|假若|倘若|万一|一旦|的话|\bif (?:i|we|it|the|my)\b|\bunless\b|\bonce i\b"
)
"""What makes a sum of something that may come or nearly came; nothing was spent."""

SPENT: Final = regex(r"(?:买|花|付|交|充|吃|喝|掏|刷|订|租|缴)了|花掉|\b(?:spent|paid|bought)\b")
_MEASURE_LIST: Final = (
    "个人|个(?!税)|杯|本|张|件|条|只|台|辆|瓶|盒|袋|包(?!邮)|份|斤|公斤|晚|天|次|双|套|把|支|碗|串"
    "|箱|盘|罐|块(?=蛋糕|肥皂|糖)|顿|位|人|股|片|颗|束|桶|桌|间|盆|节|场|趟|米|升|样|"
    "种|款|排|部|副|扇"
    "|注|枚|对|根|棵|户|席"
)
MEASURES: Final = _MEASURE_LIST
COUNT: Final = regex(rf"(?<!第)(\d+(?:\.\d+)?|[一二两三四五六七八九十百]+) ?({MEASURES})")
COUNT_EN: Final = regex(
    r"\b(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) (?=[a-z])(?!percent|each|for|at)"
)
"""How many of a thing whose price for each is told: 3 beers at 6 each."""

PETROL: Final = regex(r"(?:89|9[0258])号?(?=.{0,8}油)|(?<=油)(?:89|9[0258])号")
"""Kinds of petrol, whose numbers are no days."""

EACH_BEFORE: Final = regex(
    rf"(?:每|一)(?:{MEASURES})(?:的?价格?|才|是|要)? ?$|(?:各|单价|各自|@) ?$"
)
EACH_AFTER: Final = regex(rf" ?(?:一|每|/)(?:{MEASURES})| ?(?:each\b|apiece|per (?!person))")
RATE_AFTER: Final = regex(r" ?(?:/|每|一)(小时|钟头|公里|度|吨)")
RATE_BEFORE: Final = regex(r"[每一](小时|钟头|公里|度|吨)(?:的?价格?|才|是|要)? ?$")
"""A price for each unit of something that is measured and not counted."""

SHARE: Final = regex(
    r"/人|每人|人均|每个人|一人|per person|my share|我的那份|我出|我付|\beach person\b"
)
PEOPLE: Final = regex(
    r"(?:two|three|four|five|six|\d) (?:of us|friends|people|others|ways|colleagues|guests)"
    r"|\b(?:for|between|with|among|into|by) (?:two|three|four|five|six|\d{1,2})\b"
    r"|([\d一二两三四五六七八九十]+) ?(?:个人|人|位)(?!民)"
)
SHARED_BY: Final = regex(r"(?:\bamong|\bdivided by|split (?:in|by)|\bbetween) ?$")
"""What stands behind it is how many shared a bill."""

SPLIT_WAYS: Final = regex(
    r"(?:^|(?<=[,;.\d] )|(?<=\d)|\bwe )split(?: it| the bill| this)?(?: evenly)?(?= |$)"
    r"(?: ?(?:\d{1,2}|two|three|four|five|six) ways)?"
    r"|\b(?:among|divided by) ?\d{1,2}\b(?: of us| people| friends)?"
    r"|(?<=\d )between \d{1,2}$"
)
"""Words about sharing a bill, which name nothing."""

HALVES: Final = regex(
    r"(?:[一每]人|我|[他她]们?)各?[出付给]?一半|对半|一半一半|各自?[出付]?一半"
    r"|\bgo(?:ing)? halves|\bwent halves|\bhalf and half"
)
SPLIT: Final = regex(r"(?<![a-z])aa(?![a-z])|aa制|平摊|平分|分摊|均摊|split|divided by")
TIMES: Final = regex(r"(\d+(?:\.\d+)?) ?[x×*] ?(\d+(?:\.\d+)?)(?![\d.])")
TOTAL: Final = regex(r"(?:一共|总共|合计|总计|共计|共|total)(?:花了|是|为|:)?[ :]*$")
PART: Final = regex(r"其中|包括|包含|including|of which")
DISCOUNT: Final = regex(
    r"(?:原价|标价|市场价|吊牌价|抵扣?)[是为: ]?\d+(?:\.\d+)?(?:块钱?|元)?"
    r"|(?<=\d)[块元]?代\d+|买 ?\d+ ?送 ?\d+|满 ?\d+ ?减 ?\d+|\d(?:\.\d)? ?折"
)
NOT_MONEY_AFTER: Final = regex(
    rf" ?(?:{MEASURES}|%|号|楼|层|年|月|日|点|时|分钟|小时|秒|岁|倍|折|度|公里|千米"
    rf"|厘米|毫升|平(?![分摊])|级|路"
    r"|线|寸|期|届|集|页|章|遍|回(?![来程家去公学])|代|元店|后|街|栋|室|班|步|场|字|克|吨|kg|km|ml|cm"
    r"|mm|g\b|gb\b|mb\b|pm\b"
    r"|am\b|th\b|st\b|nd\b|rd\b|percent|people|persons"
    r"|friends?\b|ways?\b|others\b|guests\b|colleagues\b"
    r"|days?\b|hours?\b|minutes?\b|mins?\b|times\b"
    r"|cups?\b|pcs\b)"
)
NOT_MONEY_BEFORE: Final = regex(
    r"(?:送|赠|减|抵|抵扣|优惠了?|便宜|省了|原价|标价|市场价|吊牌价|验证码|密码|体重|身高|血压|血糖|心率|房间|房号|门牌|编号|"
    r"学号|工号|版本"
    r"|电话|手机号|邮编|单号"
    r"|订单号"
    r"|尾号|身份证|步数|走了|跑了|考了|得分|年龄|气温|体温|温度|高度|第|型号"
    r"|rtx|gtx|version|room|code|(?<!挂)号)[是为: ]*$"
)
TAKEN_OFF: Final = regex(
    r"(?:(?:优惠|便宜|立减|抵扣|(?<![东西南北江海河湖山广云贵外本全])省)了?"
    r"|\d[块元]?[送赠返]|充值?了?\d+[块元]?,?(?:到账|得到?))[是为: ]*$"
)
"""A sum behind them was not paid, whatever its currency."""

MODEL_BEFORE: Final = regex(
    r"(?:iphone|ipad|ps|xbox|mate|(?<![a-z])p|小米|华为|windows|win|macbook|switch|galaxy|pixel"
    r"|kindle|airpods)[是为: ]*$"
)
"""Products whose models are small numbers: what stands behind them may be a model or a price."""

CLAUSE: Final = regex(r"[,;。、\n!]|然后|还有|以及|另外|\band\b|\. ")
LEAD: Final = regex(
    r"^(?:补记|补上|记账|补一笔|\+|我(?!的)|那个|这个|啱啱|搭(?![车車乘顺伙])|um |记下"
    r"|刚刚|刚才|刚|又"
    r"|记一下|记账|记一笔|帮我记(?:一笔|一下|下)?|记住|记着|记上|记|买了|花了|付了|交了|吃了|用了|喝了|充了|打了"
    r"|一共|总共|共(?![享同])|的(?!士)|了|是|为|和|还有|扣了我|扣了|[用拿]$|实付|现价|到手价?|折后价?|券后价?|优惠后|去(?=超市|医院|食堂)|在|:|-|—|~|\s"
    r"|(?:spent|paid|bought|for|on|the|a|an|i|was|in|at|to|it|my|just|got|add|log|record)\b|back$)+"
)
TAIL: Final = regex(
    r"(?:忘[记了]?记?了?|一共花了|一共|总共|花了|花掉|用了|付了|交了|买了|发了|共|花|是|要|了|的|各"
    r"|单价|才|大概|大约|约"
    r"|差不多|人均|又扣了我|扣了我|使咗|用咗|我|又|[每一](?:个人|.)?|=|:|-|~|\s"
    r"|\b(?:was|for|cost|at|is|of|on))+$"
)


def without_petrol(text: str) -> str:
    """The text of the same length without the numbers of kinds of petrol: 95号汽油."""
    return PETROL.sub(lambda found: " " * len(found.group()), text) if "油" in text else text

"""Words that join and measure times: units, signs, before and after, again and again."""

from typing import Final

# kind, number, name, surface forms divided by "|"
GRAMMAR: Final[tuple[tuple[str, int, str, str], ...]] = (
    # signs
    ("nian", 0, "", "年"),
    ("yue", 0, "", "月|月份"),
    ("hao", 0, "", "号"),
    ("ri", 0, "", "日"),
    ("dian", 0, "", "点|点钟|点整|点正|点钟整"),
    ("shi", 0, "", "时|时整"),
    ("fen", 0, "", "分"),
    ("miao", 0, "", "秒"),
    ("ke", 0, "", "刻|刻钟"),
    ("ban", 0, "", "半"),
    ("zhong", 0, "", "钟"),
    ("ge", 0, "", "个"),
    ("half", 0, "", "half|half a|half an"),
    ("lack", 0, "", "差"),
    (
        "quarterhour",
        0,
        "",
        (
            "quarter|a quarter|one quarter|quarters|quarter of|quarters of|quarters of an|"
            "quarter of an|a quarter of an|one quarter of an"
        ),
    ),
    ("zheng", 0, "", "整|正"),
    ("di", 0, "", "第"),
    ("chu", 0, "", "初"),
    ("oclock", 0, "", "o'clock|oclock|o clock"),
    ("ampm", 0, "am", "am|a.m.|a.m"),
    ("ampm", 12, "pm", "pm|p.m.|p.m"),
    # units of length
    ("unit", 0, "second", "秒钟|second|seconds|sec|secs"),
    ("unit", 0, "minute", "分钟|minute|minutes|min|mins"),
    ("unit", 0, "hour", "小时|钟头|个小时|个钟头|个钟|hour|hours|hr|hrs|h"),
    ("unit", 0, "day", "天|days|工作天|个日子"),
    ("unit", 0, "day", "day"),
    ("unit", 0, "week", "周|星期|礼拜|week|weeks|wk|wks"),
    ("unit", 0, "month", "个月|month|months"),
    ("unit", 0, "quarter", "季度|个季度|quarter year"),
    ("unit", 0, "year", "年度|year|years|yr|yrs|周年"),
    ("unit", 0, "fortnight", "fortnight|fortnights"),
    ("unit", 0, "decade", "decade|decades"),
    ("unit", 0, "weekend", "weekend|weekends|周末|星期末|礼拜末|个周末|双休日|个双休日"),
    (
        "unit",
        0,
        "workday",
        (
            "工作日|个工作日|weekday|weekdays|business day|workday|workdays|business "
            "days|working day|working days|上班日"
        ),
    ),
    ("unit", 0, "freeday", "非工作日|休息日|节假日|法定节假日|public holidays|holidays"),
    # before, after, between
    (
        "after",
        0,
        "",
        (
            "后|之后|以后|过后|hence|from this second|from this moment|from right now|from "
            "now|later|from today|afterwards|开外"
        ),
    ),
    ("after", 0, "", "after"),
    ("before", 0, "", "前|之前|以前|ago|before now|earlier"),
    ("before", 0, "", "before|prior to"),
    ("within", 0, "", "内|之内|以内|within"),
    ("in", 0, "", "in|再过|过|还剩|等|timer|timer for|倒计时|countdown"),
    (
        "next",
        0,
        "",
        "未来|接下来|今后|往后|此后|随后|in the next|the next|over the next|in the coming",
    ),
    (
        "past",
        0,
        "",
        "过去|最近|近|刚过去|in the last|in the past|over the last|recent",
    ),
    ("to", 0, "", "到|至|-|~|to|until|till|through|thru|直到|一直到|--|——|and ending"),
    ("from", 0, "", "从|自|由|from|between|自从|打从|打"),
    ("start", 0, "", "开始|起|starting|beginning|starts|since"),
    ("until", 0, "", "截止到|截至|截止|直到|until|till|up to"),
    ("orafter", 0, "", "或之后|及之后|及以后|或以后|以及之后|和之后|or later|and after|or after"),
    (
        "orbefore",
        0,
        "",
        "或之前|及之前|及以前|或以前|以及之前|和之前|or earlier|and before|or before",
    ),
    # connecting words
    ("de", 0, "", "的|之|那"),
    ("of", 0, "", "of"),
    (
        "at",
        0,
        "",
        "at|@|around|about|by|大约|大概|约|差不多|on|the|在|于|this coming|during|将于|将在",
    ),
    ("comma", 0, "", ",|,|、"),
    ("and", 0, "", "和|及|与|and|&|跟|以及|还有"),
    ("or", 0, "", "或|或者|还是|or"),
    ("plus", 0, "", "加|又|余|多|加上|又加|零"),
    ("more", 0, "", "additional|extra|more|less|fewer"),
    ("couple", 2, "", "couple|couple of|a couple of|俩"),
    ("past", 0, "", "past"),
    (
        "measure",
        0,
        "",
        (
            "升|斤|公斤|千克|公里|里路|米|厘米|毫米|毫升|克|吨|倍|岁|折|度|平米|平方|寸|"
            "英寸|kg|km|ml|cm|mm|gb|mb|%|人|位|份"
            "|张|件|条|只|台|辆|瓶|杯|盒|袋|包|斤半|口|碗|支|根|双|对|套|座|层|楼|"
            "号线|路|票|次|遍|回|步|页|章|集|届|期|级|名|头|匹"
            "|颗|粒|块糖|片|朵|桶|箱|罐|听|壶|盘|锅|串|打|款|种|项|门|栋|户|家|间|间房|床|晚上房"
        ),
    ),
    ("a", 1, "", "a|an|one"),
    ("every", 0, "", "每|每个|每一|每一个|每逢|每到|every|each|逢|every single"),
    ("apart", 0, "", "每隔|隔|每间隔|间隔"),
    ("freq", 1, "DAILY", "daily|天天|日日|everyday|every day|nightly"),
    ("freq", 1, "WEEKLY", "weekly"),
    ("freq", 2, "WEEKLY", "biweekly|bi-weekly|bi weekly|fortnightly|隔周|双周|单周"),
    ("freq", 1, "MONTHLY", "monthly"),
    ("freq", 1, "YEARLY", "yearly|annually|年年"),
    ("freq", 3, "MONTHLY", "quarterly"),
    ("freq", 1, "HOURLY", "hourly"),
    ("other_one", 2, "", "other"),
    (
        "except",
        0,
        "",
        (
            "除|except|except for|except on|except in|excluding|but not|除外|除了|之外|以外|"
            "不包括|跳过|不算|例外|不响|不提醒|不用提醒|不要提醒|别提醒|不叫"
        ),
    ),
    ("times", 0, "", "次|times|occurrences|occurrence|回"),
    ("for", 0, "", "for|for up to|共|一共|连续|总共|持续"),
    ("once", 1, "", "once"),
    ("once", 2, "", "twice"),
    ("dayend", 1, "", "beginning|start|begin"),
    ("nth_last", -1, "", "最后|最末|倒数第一|倒数第一个|最后一|最后一个|最后1|最后1个"),
    ("fromlast", -1, "", "倒数第"),
    ("tolast", -1, "", "to last|to the last|last but one"),
)

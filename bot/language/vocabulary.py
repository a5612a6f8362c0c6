"""The words of time in Chinese and English: surface forms, their kind and what they stand for."""

from typing import Final

WEEKDAYS_EN: Final = (
    ("monday", "mon", "mondays"),
    ("tuesday", "tue", "tues", "tuesdays"),
    ("wednesday", "wed", "weds", "wednsday", "wednesdays"),
    ("thursday", "thu", "thur", "thurs", "thursdays"),
    ("friday", "fri", "fridays"),
    ("saturday", "sat", "saturdays"),
    ("sunday", "sun", "sundays"),
)
MONTHS_EN: Final = (
    "january jan",
    "february feb",
    "march mar",
    "april apr",
    "may",
    "june jun",
    "july jul",
    "august aug",
    "september sep sept",
    "october oct",
    "november nov",
    "december dec",
)
ORDINALS_EN: Final = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]

# kind, number, name, surface forms divided by "|"
TABLE: Final[tuple[tuple[str, int, str, str], ...]] = (
    # days counted from today
    ("day", -4, "", "大大前天"),
    ("day", -3, "", "大前天|大前日"),
    ("day", -2, "", "前天|前日|day before yesterday|the day before yesterday"),
    ("day", -1, "", "昨天|昨日|昨|yesterday|寻日"),
    ("day", 0, "", "今天|今日|今儿|当天|today|本日|即日"),
    ("day", 1, "", "明天|明日|明儿|tomorrow|tmr|tmrw|tomorow|tommorow|聽日|听日|名天"),
    ("day", 2, "", "后天|后日|后儿|day after tomorrow|the day after tomorrow|overmorrow"),
    ("day", 3, "", "大后天|大后日"),
    ("day", 4, "", "大大后天"),
    ("day", 0, "evening", "今晚|今夜|tonight|tonite|今晚上|今儿晚上"),
    ("day", 0, "morning", "今早|今晨|今朝|今早上|this morning"),
    ("day", 0, "afternoon", "this afternoon"),
    ("day", 0, "evening", "this evening"),
    ("day", 1, "evening", "明晚|听晚"),
    ("day", 1, "morning", "明早|明晨|听朝|明早上"),
    ("day", -1, "evening", "昨晚|昨夜|last night"),
    ("day", -1, "morning", "昨早|昨晨"),
    ("day", 2, "evening", "后晚"),
    ("day", 2, "morning", "后早"),
    ("day", -2, "evening", "前晚"),
    ("day", -3, "evening", "大前晚"),
    ("day", 3, "evening", "大后晚"),
    # parts of a day
    ("part", 0, "dawn", "凌晨|后半夜|wee hours"),
    ("part", 0, "night", "半夜|深夜|大半夜"),
    (
        "part",
        0,
        "morning",
        "早上|早晨|清晨|清早|大清早|大早上|早|晨|morning|mornings|in the morning",
    ),
    ("part", 0, "forenoon", "上午|午前|forenoon|上昼"),
    ("part", 0, "noon", "中午|正午|午间|晌午|noontime|midday|午餐时|lunchtime"),
    ("part", 0, "afternoon", "下午|午后|下昼|afternoon|afternoons|in the afternoon"),
    ("part", 0, "dusk", "傍晚|黄昏|dusk|傍黑"),
    (
        "part",
        0,
        "evening",
        "晚上|晚间|夜晚|夜间|夜里|晚|夜|evening|evenings|night|nights|in the evening|at night",
    ),
    ("noon", 12, "", "noon"),
    ("midnight", 0, "", "午夜|子夜|midnight"),
    # weeks, months, years counted from this one
    ("dir", -1, "", "上|上个|上一|上一个|last|previous|前一个|上1个"),
    ("dir", -2, "", "上上|上上个"),
    ("dir", -3, "", "上上上|上上上个"),
    ("dir", 0, "", "这|本|这个|这一|这一个|this|当|今个|current|呢个|本个|该"),
    ("dir", 1, "", "下|下个|下一|下一个|next|coming|upcoming|后一个|下1个"),
    ("dir", 2, "", "下下|下下个"),
    ("dir", 3, "", "下下下|下下下个"),
    ("year", -2, "", "前年"),
    ("year", -1, "", "去年|旧年"),
    ("year", 0, "", "今年"),
    ("year", 1, "", "明年"),
    ("year", 2, "", "后年"),
    ("year", -3, "", "大前年"),
    ("year", 3, "", "大后年"),
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
        "quarter|a quarter|one quarter|quarters|quarter of|quarters of|quarters of an",
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
    ("unit", 0, "weekend", "weekend|weekends|周末|星期末|礼拜末|个周末"),
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
    ("couple", 2, "", "couple|couple of|a couple of"),
    ("past", 0, "", "past"),
    ("day_pair", 0, "", "明后两天|明后天"),
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
    ("freq", 2, "WEEKLY", "biweekly|bi-weekly|bi weekly|fortnightly|隔周|双周"),
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
            "except|except for|except on|except in|excluding|but not|除外|除了|之外|"
            "不包括|跳过|不算|例外|不响"
        ),
    ),
    ("times", 0, "", "次|times|occurrences|occurrence|回"),
    ("for", 0, "", "for|for up to|共|一共|连续|总共|持续"),
    ("once", 1, "", "once"),
    ("once", 2, "", "twice"),
    ("dayend", 1, "", "beginning|start|begin"),
    (
        "now",
        0,
        "",
        (
            "现在|这个时候|这时候|同一时间|同样时间|此刻|目前|此时|当前|立刻|马上|"
            "立即|now|right now|immediately|这会儿|"
            "当下|即刻|此时此刻|刻下|asap|at once"
        ),
    ),
    ("recently", 0, "", "刚刚|刚才|just now"),
    (
        "vaguely",
        0,
        "",
        (
            "最近几天|这几天|近几天|前几天|过几天|过两天|这些天|前些天|最近几周|最近几个月|前阵子|"
            "the other day|a few days ago"
        ),
    ),
    ("nth_last", -1, "", "最后|最末|倒数第一|倒数第一个|最后一|最后一个|最后1|最后1个"),
    ("fromlast", -1, "", "倒数第"),
    ("tolast", -1, "", "to last|to the last|last but one"),
    ("edge", 1, "month_start", "月初"),
    (
        "edge",
        -1,
        "month_end",
        "月底|月末|月尾|end of month|end of the month|month end|end of the current month",
    ),
    ("edge", 15, "month_middle", "月中"),
    ("edge", 1, "year_start", "年初|岁首"),
    ("edge", -1, "year_end", "年底|年末|年尾|岁末|end of year|end of the year|year end"),
    ("edge", 1, "week_start", "周初"),
    ("edge", -1, "week_end", "end of week|end of the week"),
    ("tail", -1, "", "底|末|尾"),
    ("decades", 0, "", "年代"),
    ("century", 0, "", "世纪"),
    ("era", 1911, "", "民国"),
    ("era", 1367, "", "洪武"),
    ("era", 1402, "", "永乐"),
    ("era", 1572, "", "万历"),
    ("era", 1661, "", "康熙"),
    ("era", 1722, "", "雍正"),
    ("era", 1735, "", "乾隆"),
    ("era", 1795, "", "嘉庆"),
    ("era", 1820, "", "道光"),
    ("era", 1850, "", "咸丰"),
    ("era", 1861, "", "同治"),
    ("era", 1874, "", "光绪"),
    ("era", 1908, "", "宣统"),
    ("era", 712, "", "开元"),
    ("era", 704, "", "神龙"),
    ("era", 626, "", "贞观"),
    ("era", 1925, "", "昭和"),
    ("era", 1988, "", "平成"),
    ("era", 2018, "", "令和"),
    ("half_period", 1, "year", "上半年"),
    ("half_period", 2, "year", "下半年"),
    ("half_period", 1, "month", "上半月|前半月"),
    ("half_period", 2, "month", "下半月|后半月"),
    ("tenday", 1, "", "上旬"),
    ("tenday", 2, "", "中旬"),
    ("tenday", 3, "", "下旬"),
    ("season", 1, "", "春天|春季|spring"),
    ("season", 2, "", "夏天|夏季|summer"),
    ("season", 3, "", "秋天|秋季|autumn"),
    ("season", 4, "", "冬天|冬季|winter"),
    ("lunar", 0, "", "农历|阴历|旧历|lunar"),
    ("solar", 0, "", "公历|阳历|新历"),
    ("leap", 0, "", "闰"),
    ("lunarmonth", 1, "", "正月|大年"),
    ("lunarmonth", 11, "", "冬月"),
    ("lunarmonth", 12, "", "腊月"),
    ("zone", 0, "Asia/Shanghai", "北京时间|中国时间"),
    ("zone", 0, "America/New_York", "纽约时间|美东时间|est|edt|eastern time|new york time"),
    ("zone", 0, "America/Los_Angeles", "pst|pdt|洛杉矶时间|美西时间|pacific time"),
    ("zone", 0, "Europe/London", "伦敦时间|bst|london time"),
    ("zone", 0, "Asia/Tokyo", "东京时间|jst|日本时间|tokyo time"),
    ("zone", 0, "Europe/Paris", "cet|cest|巴黎时间|柏林时间|paris time"),
    ("zone", 0, "UTC", "utc|gmt|格林威治时间"),
    ("zone", 0, "Asia/Singapore", "新加坡时间"),
    ("zone", 0, "Australia/Sydney", "悉尼时间"),
    # words that look like time and are none
    (
        "noise",
        0,
        "",
        (
            "提前|提早|一下|起床|起身|起来|起飞|一起|引起|春晚|晚报|早报|夜班|晚班|早班|早市|"
            "夜市|晚自习|夜跑|十分感|三天两头|点心|点赞|点餐|点菜|点击|一点儿|有点|"
            "早点|晚点|快点|慢点|"
            "差点|分享|分开|百分之|十分重要"
            "|十分高兴|十分抱歉|十分满意|早餐|早饭|晚餐|晚饭|午餐|午饭|夜宵|宵夜|"
            "中饭|早茶|午茶|下午茶|晚会|晚安|早安|年会|月饼|月票"
            "|月薪|年薪|月租|周报|周刊|日报|月报|年报|季报|日记|日常|日用|日程|日子|日元|"
            "日币|日本|生日|节日|号码|号线|分手|秒杀"
            "|时间|时候|时尚|时刻|及时|准时|按时|同时|临时|平时|小时工|星期天气|上班|"
            "下班|下面|上面|上次|下次|上课|下课|上海|下单|下载"
            "|上传|上去|下来|上来|下去|上车|下车|上线|上市|早日|年轻|年货|年级|年龄|月亮|"
            "月经|蜜月|今日头条|明日之后|明天系"
            "|前台|前面|后面|前端|后端|后续|以前的|后来|前夫|后台|前途|到底|到家|到期|"
            "到货|到账|到达|到处|收到|买到|看到|找到|想到"
            "|同一天|某天|哪天|几天|几号|几点|几月|几个月|多少天|聊天|白天|春天来|夏天到|"
            "天气|天津|航天|天天向上|每日优鲜|周星驰|周杰伦"
            "|周边|周围|周转|周到|一周年|零食|零售|零钱|半价|半导体|半径|一半|多半|正在|"
            "正好|正常|正式|整理|整个|整体|完整|调整|整合"
            "|第一时间|第三方|第二杯|自己|自动|自行车|自由|自助|由于|理由|从来|从不|从而|"
            "近视|附近|最近的|立刻说"
        ),
    ),
)

_WEEKDAY_CHARS = "一二三四五六日"
_TERMS = [
    "小寒",
    "大寒",
    "立春",
    "雨水",
    "惊蛰",
    "春分",
    "清明",
    "谷雨",
    "立夏",
    "小满",
    "芒种",
    "夏至",
    "小暑",
    "大暑",
    "立秋",
    "处暑",
    "白露",
    "秋分",
    "寒露",
    "霜降",
    "立冬",
    "小雪",
    "大雪",
    "冬至",
]


def entries() -> list[tuple[str, str, int, str]]:
    """Every surface form with its kind, number and name; a later one of the same form wins."""
    found = [
        (surface, kind, number, name)
        for kind, number, name, surfaces in TABLE
        for surface in surfaces.split("|")
        if surface
    ]
    for index, char in enumerate(_WEEKDAY_CHARS):
        forms = [char, "天"] if char == "日" else [char]
        found += [
            (prefix + form, "weekday", index, "")
            for prefix in ("周", "星期", "礼拜", "拜")
            for form in forms
            if prefix != "拜"
        ]
    for index, names in enumerate(WEEKDAYS_EN):
        found += [(w, "weekday", index, "plural" if w.endswith("days") else "") for w in names]
    for index, row in enumerate(MONTHS_EN, start=1):
        found += [(word, "month", index, "") for word in row.split()]
        found += [(f"{word}.", "month", index, "") for word in row.split()]
    found += [
        (word, "ordinal", i, "") for i, word in enumerate(ORDINALS_EN, 1) if word != "second"
    ]
    found += [(term, "festival", 0, f"term:{term}") for term in _TERMS if term != "清明"]
    return found

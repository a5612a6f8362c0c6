"""Currency words and signs with their ISO codes."""

from typing import Final

# ISO code: signs and words, divided by "|"
_TABLE: Final[dict[str, str]] = {
    "CNY": "元|块|块钱|元钱|圆|蚊|快钱|人民币|rmb|cny|cn¥|¥|yuan|元人民币|块人民币|kuai|元整",
    "USD": (
        "美元|美金|刀|usd|us$|$|dollar|dollars|buck|bucks|美刀|us dollars|us dollar|美圆|"
        "元美元|u.s. dollars"
    ),
    "EUR": "欧元|eur|€|euro|euros|€ur|ac|元欧元",
    "GBP": "英镑|镑|gbp|£|pound|pounds|pounds sterling|quid",
    "JPY": "日元|日币|日圆|jpy|yen|円|jp¥",
    "HKD": "港元|港币|港纸|hkd|hk$|港圆|元港币|元港元|hong kong dollars",
    "TWD": "台币|新台币|twd|nt$|ntd|台元",
    "KRW": "韩元|韩币|krw|₩|won",
    "SGD": "新加坡元|新币|坡币|sgd|s$|singapore dollars",
    "AUD": "澳元|澳币|aud|a$|australian dollars",
    "CAD": "加元|加币|cad|c$|canadian dollars",
    "NZD": "新西兰元|纽币|nzd",
    "CHF": "瑞士法郎|法郎|chf|francs|swiss francs",
    "THB": "泰铢|thb|baht|฿|铢",
    "INR": "卢比|印度卢比|inr|rs|rs.|₹|rupee|rupees",
    "RUB": "卢布|rub|₽|ruble|rubles|roubles",
    "MYR": (
        "马币|林吉特|myr|rm|ringgit|ringgits|malaysia ringgit|malaysia ringgits|"
        "malaysian ringgit|malaysian ringgits"
    ),
    "VND": "越南盾|vnd|₫|dong",
    "PHP": "比索|菲律宾比索|php|₱|pesos|peso",
    "IDR": "印尼盾|印尼卢比|idr|rupiah",
    "MOP": "澳门元|澳门币|mop|葡币",
    "BRL": "雷亚尔|brl|r$|reais",
    "AED": "迪拉姆|aed|dirham|dirhams",
    "SAR": "沙特里亚尔|sar|saudi riyals|saudi riyal|riyal|riyals",
    "QAR": "卡塔尔里亚尔|qar|qatari riyals|qatari riyal",
    "IRR": "伊朗里亚尔|irr|rial|rials",
    "KWD": "科威特第纳尔|kwd|dinar|dinars|第纳尔",
    "EGP": "埃及镑|egp|l.e.|le|egyptian pounds|genihat masriya|genih|genihat",
    "LBP": "黎巴嫩镑|lbp|lebanese pounds|lebanese pound",
    "ILS": "谢克尔|ils|₪|shekel|shekels",
    "TRY": "里拉|土耳其里拉|try|₺|lira",
    "SEK": "瑞典克朗|sek|瑞典克郎",
    "NOK": "挪威克朗|nok|挪威克郎",
    "DKK": "丹麦克朗|dkk",
    "PLN": "兹罗提|pln|zloty",
    "ZAR": "兰特|zar|rand",
    "NGN": "奈拉|尼日利亚奈拉|ngn|naira",
    "MNT": "图格里克|mnt|tugrik",
    "MXN": "墨西哥比索|mxn",
    "UAH": "格里夫纳|uah|hryvnia",
    "KZT": "坚戈|kzt|tenge",
    "BTC": "比特币|btc|bitcoin|bitcoins",
}
CURRENCIES: Final = {word: code for code, words in _TABLE.items() for word in words.split("|")}
"""Every word and sign with its code."""

# the hundredth part of something: its word, its value, and the currency when it names one
FRACTIONS: Final[dict[str, tuple[str, str]]] = {
    "角": ("0.1", ""),
    "毛": ("0.1", ""),
    "毫": ("0.1", ""),
    "角钱": ("0.1", ""),
    "毛钱": ("0.1", ""),
    "分": ("0.01", ""),
    "分钱": ("0.01", ""),
    "美分": ("0.01", "USD"),
    "欧分": ("0.01", "EUR"),
    "港仙": ("0.01", "HKD"),
    "便士": ("0.01", "GBP"),
    "cent": ("0.01", "USD"),
    "cents": ("0.01", "USD"),
    "c": ("0.01", "USD"),
    "¢": ("0.01", "USD"),
    "pence": ("0.01", "GBP"),
    "日本銭": ("0.01", "JPY"),
    "日本钱": ("0.01", "JPY"),
    "銭": ("0.01", "JPY"),
    "戈比": ("0.01", "RUB"),
    "kopecks": ("0.01", "RUB"),
    "sen": ("0.01", "MYR"),
    "sens": ("0.01", "MYR"),
    "paise": ("0.01", "INR"),
}
_NO_MINOR: Final = frozenset({"JPY", "KRW", "VND", "IDR"})
_THREE_DIGITS: Final = frozenset({"KWD"})


def minor_digits(code: str) -> int:
    """How many digits after the point a currency has."""
    if code in _NO_MINOR:
        return 0
    return 3 if code in _THREE_DIGITS else 2


def _by_first() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in sorted(CURRENCIES.keys() | FRACTIONS.keys(), key=len, reverse=True):
        found.setdefault(word[0], []).append(word)
    return found


_INDEX: Final = _by_first()


def currency_word(text: str, at: int) -> str:
    """The longest currency word or sign at a place of a normalised text, "" for none."""
    if at >= len(text):
        return ""
    before = text[at - 1] if at else ""
    if text[at].isalpha() and text[at].isascii() and before.isascii() and before.isalpha():
        return ""
    for word in _INDEX.get(text[at], ()):
        end = at + len(word)
        if not text.startswith(word, at):
            continue
        letters = word[-1].isascii() and word[-1].isalpha()
        follow = text[end] if end < len(text) else ""
        if letters and follow.isascii() and follow.isalpha():
            continue
        return word
    return ""

"""Passwords, PINs, card numbers and keys: what is never kept, whoever wants it kept."""

import re

from bot.core.patterns import regex

_SECRET = regex(
    r"密码(?!提示|学|本身|锁)|密碼|口令|支付码|验证码|助记词|私钥|密钥|秘钥|(?:银行|信用|储蓄|借记)?卡号|安全码"
    r"|(?<![a-z])(?:pin|cvv2?|cvc2?)(?![a-z])"
    r"|(?<![a-z])pass ?(?:word|code|phrase)s?(?![a-z])(?! hint)|(?<![a-z])card (?:number|no\b)"
    r"|(?<![a-z])(?:api|private|secret|seed) ?(?:key|phrase)(?![a-z])|(?<![a-z])pwd(?![a-z])",
    re.IGNORECASE,
)
_KEY = regex(
    r"(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|xox[abprs]-[\w-]{10,}"
    r"|AKIA[A-Z0-9]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*)"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|(?<![0-9A-Za-z])\d{8,10}:[A-Za-z0-9_-]{30,}"
)
"""Keys and tokens by the shape that those who issue them give them, the last one by Telegram."""

_LONG_NUMBER = regex(r"(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)")
"""ISO/IEC 7812: a card number has up to 19 digits, the last one by Luhn's formula."""


def is_secret(words: str) -> bool:
    """Whether the words name or hold a password, a PIN, a key or the number of a card."""
    numbers = (re.sub(r"\D", "", found) for found in _LONG_NUMBER.findall(words))
    is_named = _SECRET.search(words) or _KEY.search(words)
    return bool(is_named) or any(_is_card(number) for number in numbers)


def _is_card(number: str) -> bool:
    digits = [int(digit) for digit in reversed(number)]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0

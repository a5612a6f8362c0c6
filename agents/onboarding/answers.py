"""What a press or typed words answer at a stage of the onboarding."""

import re

from agents.onboarding.questions import (
    CURRENCIES,
    LANGUAGES,
    STAGE_LANGUAGE,
    STAGE_NAME,
    STAGE_ZONE,
)
from agents.onboarding.zones import find_zone, is_zone
from bot.core.changes import given
from bot.core.patterns import regex
from bot.core.people import ProfileChange
from bot.language.currencies import CURRENCIES as CURRENCY_WORDS
from bot.language.normalize import normalize

MAX_NAME = 40

_LANGUAGE_WORDS = {
    "中文": "zh-CN",
    "汉语": "zh-CN",
    "chinese": "zh-CN",
    "zh": "zh-CN",
    "英文": "en",
    "英语": "en",
    "english": "en",
    "en": "en",
}
_SKIP = regex(r"(?:跳过|略过|默认|skip|default)[。.!！]?", re.IGNORECASE)
_CURRENCY = regex(r"\b(?:CNY|USD|EUR|HKD|JPY|GBP)\b", re.IGNORECASE)
_CURRENCY_WORDS = {
    "人民币": "CNY",
    "美元": "USD",
    "美金": "USD",
    "欧元": "EUR",
    "港币": "HKD",
    "港元": "HKD",
    "日元": "JPY",
    "英镑": "GBP",
    "日币": "JPY",
    "dollars": "USD",
    "euros": "EUR",
    "pounds": "GBP",
    "dollar": "USD",
    "euro": "EUR",
    "pound": "GBP",
    "yen": "JPY",
}
_MY_NAME = regex(r"^(?:我叫|叫我|我是|名字是|my name is|call me|i'?m|i am)\s*", re.IGNORECASE)
_BETWEEN = regex(r"[\s,，、;；/+]+(?:and\s+|和)?")
_NOT_BETWEEN = regex(r"[A-Za-z]+/[A-Za-z_]+")
_GREETING = regex(r"(?:你好|您好|嗨|hi|hello|hey|在吗)?[!！。.~\s]*", re.IGNORECASE)


def skips_all(words: str) -> bool:
    """Whether the rest is to be left as it is."""
    return _SKIP.fullmatch(words) is not None


def only_greets(words: str) -> bool:
    """Whether nothing is wished for."""
    return _GREETING.fullmatch(words.strip()) is not None


def change_from_button(stage: int, value: str) -> ProfileChange:
    """Return what a button of this stage means; our own values, so nothing is guessed."""
    if stage == STAGE_LANGUAGE and value in LANGUAGES:
        return ProfileChange(locale=value)
    if stage == STAGE_ZONE and is_zone(value):
        return ProfileChange(zone=value)
    if stage == STAGE_NAME and value in CURRENCIES:
        return ProfileChange(currency=value)
    return ProfileChange()


def change_from_words(stage: int, words: str) -> ProfileChange | None:
    """Return what typed words mean at this stage; None when they answer nothing."""
    if not words:
        return None
    if stage == STAGE_LANGUAGE:
        locale = _LANGUAGE_WORDS.get(words.lower().rstrip("。.!！"))
        return ProfileChange(locale=locale) if locale else None
    if stage == STAGE_ZONE:
        zone = find_zone(words)
        return ProfileChange(zone=zone) if zone else None
    currency = currency_in(words)
    name = _MY_NAME.sub("", _CURRENCY.sub("", words)).strip(" ，,。.、")
    for word in _CURRENCY_WORDS:
        name = name.replace(word, "").strip(" ，,。.、")
    if not name and not currency:
        return None
    return ProfileChange(name=name[:MAX_NAME] or None, currency=currency)


def currency_in(words: str) -> str | None:
    """Return the currency that the words name, by its code or in Chinese."""
    if found := _CURRENCY.search(words):
        return found.group().upper()
    return next((code for word, code in _CURRENCY_WORDS.items() if word in words), None)


def change_from_settings(words: str) -> ProfileChange | None:
    """Return what a language, a zone, a currency, or several of them in a row, change.

    None when nothing is read, or not everything of what is plainly a list of settings.
    """
    if whole := _one_setting(words):
        return whole
    tokens = _tokens(words)
    found: dict[str, str] = {}
    unread, start = 0, 0
    while start < len(tokens):
        for end in range(len(tokens), start, -1):
            if change := _one_setting(" ".join(tokens[start:end])):
                found |= given(change)
                start = end
                break
        else:
            unread, start = unread + 1, start + 1
    if found and not unread:
        return ProfileChange(**found)
    currency = currency_in(words)
    return ProfileChange(currency=currency) if currency and len(found) <= 1 else None


def _tokens(words: str) -> list[str]:
    """Return the words that stand apart; a zone keeps its stroke."""
    marked = _NOT_BETWEEN.sub(lambda zone: zone.group().replace("/", "\0"), words)
    return [token.replace("\0", "/") for token in _BETWEEN.split(marked) if token]


def _one_setting(words: str) -> ProfileChange | None:
    """Return the language, the zone or the currency that the words are as a whole."""
    for stage in (STAGE_LANGUAGE, STAGE_ZONE):
        if change := change_from_words(stage, words):
            return change
    said = normalize(words).text.rstrip(".!")
    code = _CURRENCY_WORDS.get(said) or CURRENCY_WORDS.get(said)
    return ProfileChange(currency=code) if code else None

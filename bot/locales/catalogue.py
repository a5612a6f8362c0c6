"""The catalogue: every text a person reads, by key and language."""

import functools
import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from importlib.resources import files
from types import MappingProxyType

from bot.core.patterns import regex
from bot.core.words import Lines, Text, Value, Verbatim, Words

LOCALES = ("zh-CN", "en")
DEFAULT_LOCALE = "zh-CN"
_NOUN = regex(r"\{(\w+):([^|{}]+)\|([^|{}]+)\}")
"""A number with its noun in a template: ``{n:entry|entries}``."""

_COMMA = {"zh-CN": "、", "en": ", "}


@functools.cache
def catalogue(locale: str) -> Mapping[str, str]:
    """Return all texts of a language by dotted key, one TOML file per noun.

    Raises:
        KeyError: the language is not one of `LOCALES`.
    """
    if locale not in LOCALES:
        raise KeyError(locale)
    texts: dict[str, str] = {}
    folder = files("bot.locales").joinpath(locale)
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".toml"):
            noun = file.name.removesuffix(".toml")
            for key, value in tomllib.loads(file.read_text(encoding="utf-8")).items():
                texts[f"{noun}.{key}"] = value
    return MappingProxyType(texts)


def nearest_locale(hint: str) -> str:
    """Return the supported language for a platform's hint such as ``zh-hans`` or ``en-GB``."""
    return "en" if hint.lower().startswith("en") else DEFAULT_LOCALE


def resolve(words: Words, locale: str) -> str:
    """Return the words in a language.

    A key that the language lacks shows as the key, so that a gap is seen and nothing breaks; a
    test holds that there is none.
    """
    if isinstance(words, Verbatim):
        return words.text
    template = catalogue(locale).get(words.key)
    if template is None:
        return words.key
    template = _NOUN.sub(lambda noun: _agreeing(noun, words.params), template)
    return template.format_map({name: _value(v, locale) for name, v in words.params.items()})


def _agreeing(noun: re.Match[str], params: Mapping[str, Value]) -> str:
    """Return the placeholder of a number, and the noun that agrees with the number."""
    name, singular, plural = noun.groups()
    return f"{{{name}}} {singular if params.get(name) == 1 else plural}"


def _value(value: Value, locale: str) -> str | int:
    if isinstance(value, Text | Verbatim):
        return resolve(value, locale)
    if isinstance(value, Lines):
        return "\n".join(resolve(part, locale) for part in value.parts)
    if isinstance(value, tuple):
        return _COMMA[locale].join(resolve(part, locale) for part in value)
    return value


def money(amount: Decimal, currency: str) -> str:
    """Return an amount for a reader, e.g. ``¥35.00`` or ``USD 1,200.50``."""
    sign = {"CNY": "¥", "USD": "$", "EUR": "€", "GBP": "£", "HKD": "HK$"}.get(currency)
    minus = "-" if amount < 0 else ""
    return f"{minus}{sign}{abs(amount):,}" if sign else f"{minus}{currency} {abs(amount):,}"

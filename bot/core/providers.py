"""Which language models are configured: an endpoint each, in the order they are asked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from urllib.parse import urlsplit

from pydantic import SecretStr

from bot.core.patterns import regex

PRIMARY = "openai"
"""Name of the provider that the `OPENAI_*` settings describe."""

_NAME = regex(r"[a-z0-9][a-z0-9_-]{0,31}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a million tokens cost, in the operator's currency."""

    input: Decimal
    output: Decimal

    def of(self, input_tokens: int, output_tokens: int) -> Decimal:
        """Return what so many tokens cost."""
        return (self.input * input_tokens + self.output * output_tokens) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """An endpoint that speaks OpenAI's chat completions.

    Attributes:
        name: how logs, metrics and `doctor` call it; never the address.
        vision_model: the model that is asked about pictures; empty where there is none.
        prices: by model; models without a price are counted in tokens only.
    """

    name: str
    base_url: str
    model: str
    vision_model: str = ""
    key: SecretStr = field(default_factory=lambda: SecretStr(""))
    prices: Mapping[str, Price]


def check_address(url: str) -> str:
    """Return the address without a slash at its end.

    Raises:
        ValueError: it is no http or https address, or carries a password.
    """
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("not an address such as https://api.openai.com/v1")
    if parts.username or parts.password:
        raise ValueError("no key in the address; keys belong into LLM_KEYS")
    return url.strip().rstrip("/")


def read_fallbacks(text: str) -> tuple[Provider, ...]:
    """Return the providers of ``name=address|model|vision model, ...``, without their keys.

    Raises:
        ValueError: an item is not of this form, or a name comes twice.
    """
    found: dict[str, Provider] = {}
    for item in _items(text):
        name, equals, rest = item.partition("=")
        name = name.strip()
        address, *models = (part.strip() for part in rest.split("|"))
        if not equals or not _NAME.fullmatch(name) or len(models) not in (1, 2) or not models[0]:
            raise ValueError(f"{name[:32]}: write name=address|model or name=address|model|vision")
        if name in found or name == PRIMARY:
            raise ValueError(f"the name {name} comes twice")
        found[name] = Provider(
            name=name,
            base_url=check_address(address),
            model=models[0],
            vision_model=models[1] if len(models) > 1 else "",
            prices={},
        )
    return tuple(found.values())


def read_keys(text: str) -> Mapping[str, SecretStr]:
    """Return the keys of ``name=key``, separated by commas or line breaks.

    Raises:
        ValueError: an item is not of this form; the text does not repeat it.
    """
    found: dict[str, SecretStr] = {}
    for number, item in enumerate(_items(text), start=1):
        name, equals, key = item.partition("=")
        if not equals or not _NAME.fullmatch(name.strip()) or not key.strip():
            raise ValueError(f"item {number}: write name=key")
        found[name.strip()] = SecretStr(key.strip())
    return found


def read_prices(text: str) -> Mapping[str, Price]:
    """Return the prices of ``model=input/output, ...`` per million tokens.

    Raises:
        ValueError: an item is not of this form.
    """
    found: dict[str, Price] = {}
    for item in _items(text):
        model, _, price = item.partition("=")
        try:
            sides = [Decimal(side.strip()) for side in price.split("/")]
        except InvalidOperation:
            sides = []
        if len(sides) != 2 or not all(s.is_finite() and s >= 0 for s in sides):  # noqa: PLR2004  # in, out
            raise ValueError(f"{model.strip()[:60]}: write model=input/output, e.g. 0.15/0.60")
        found[model.strip()] = Price(input=sides[0], output=sides[1])
    return found


def _items(text: str) -> list[str]:
    return [item.strip() for item in re.split(r"[,\n]", text) if item.strip()]

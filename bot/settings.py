"""Settings: names, kinds and limits; the names are those of the README's table."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    Field,
    SecretStr,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.core.manifests import Pack
from bot.core.patterns import regex
from bot.core.providers import (
    PRIMARY,
    Provider,
    check_address,
    read_fallbacks,
    read_keys,
    read_prices,
)

_ACCOUNT = regex(r"[a-z][a-z0-9_]*:[^\s:][^\s]*")

ISO_CURRENCIES = frozenset(
    re.findall(
        r"[A-Z]{3}",
        "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP "
        "BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP "
        "GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES "
        "KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU "
        "MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON "
        "RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND "
        "TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR "
        "ZMW ZWG",
    )
)
"""Codes of money that people pay with (ISO 4217, list one, without funds and metals)."""


class Settings(BaseSettings):
    """Everything that can be configured.

    Attributes:
        http_host: address of the web chat and the health page.
        data_dir: folder of the embedded store and the files.
        mongodb_uri: address of MongoDB; everything durable is kept there when it is set.
        mongo_driver: ``motor`` instead of PyMongo's own client; it is past its end of life.
        timezone: IANA zone of people who have not said theirs.
        locale: language of people who have not said theirs.
        packs: groups of agents that are switched on.
        onboarding: ``off`` gives everyone the defaults without questions.
        local_model: ``auto`` uses the local classifier where the extra `local` is installed.
        admin_ids: accounts (``platform:id``) that may administrate.
        allowed_ids: accounts that may use the bot; empty lets everyone in.
        branches: what people may use by where they come from, e.g.
            ``feishu=QA,MEETING; feishu/tenant=QA``; elsewhere everything.
        agent_keys: secrets that sign what remote agents are asked, as ``label=secret``.
        telegram_bot_token: from @BotFather; switches Telegram on.
        telegram_api_base: where the Bot API is; another one for a server of one's own.
        telegram_mode: how updates come.
        telegram_webhook_url: public https address, for the webhook.
        telegram_webhook_secret: what Telegram has to say with each update, for the webhook.
        feishu_app_id: from the developer console; switches Feishu on.
        feishu_app_secret: goes with it.
        feishu_domain: ``feishu``, ``lark``, or the address of the open platform.
        feishu_mode: how events come.
        feishu_encrypt_key: signs and encrypts what is posted, for the webhook.
        feishu_verification_token: what posted events carry, for the webhook.
        openai_api_key: key of the first provider; empty for one that wants none.
        openai_base_url: its address; any endpoint that speaks OpenAI's chat completions.
        openai_model: its model; switches the language model on.
        openai_vision_model: its model that looks at pictures; empty where there is none.
        openai_proxy: HTTP proxy to all providers; the environment's own is not used.
        llm_fallbacks: further providers, see `bot.core.providers.read_fallbacks`.
        llm_keys: their keys, as ``name=key``.
        llm_prices: prices per million tokens, as ``model=input/output``.
        mcp_config: the operator's file of MCP servers, see `bot.core.service_file`.
        shutdown_grace: seconds to finish running turns at a stop.
        late_after: seconds after which a reminder says that it is late.
        failpoint: for tests only: where to kill the process, see `bot.core.failpoints`.
    """

    model_config = SettingsConfigDict(
        env_file=".env", extra="forbid", frozen=True, env_ignore_empty=True
    )

    http_host: str = "127.0.0.1"
    http_port: int = Field(default=8080, ge=0, le=65535)
    data_dir: Path = Path("data")
    mongodb_uri: SecretStr = SecretStr("")
    mongo_driver: Literal["pymongo", "motor"] = "pymongo"
    timezone: str = "Asia/Shanghai"
    locale: Literal["zh-CN", "en"] = "zh-CN"
    currency: str = "CNY"
    packs: Annotated[frozenset[Pack], NoDecode] = frozenset({Pack.PERSONAL})
    onboarding: Literal["on", "off"] = "on"
    local_model: Literal["auto", "off"] = "auto"
    admin_ids: Annotated[frozenset[str], NoDecode] = frozenset()
    allowed_ids: Annotated[frozenset[str], NoDecode] = frozenset()
    branches: Annotated[Mapping[str, frozenset[str]], NoDecode] = {}
    agent_keys: SecretStr = SecretStr("")
    telegram_bot_token: SecretStr = SecretStr("")
    telegram_api_base: str = "https://api.telegram.org"
    telegram_mode: Literal["polling", "webhook"] = "polling"
    telegram_webhook_url: str = ""
    telegram_webhook_secret: SecretStr = SecretStr("")
    feishu_app_id: str = ""
    feishu_app_secret: SecretStr = SecretStr("")
    feishu_domain: str = "feishu"
    feishu_mode: Literal["long", "webhook"] = "long"
    feishu_encrypt_key: SecretStr = SecretStr("")
    feishu_verification_token: SecretStr = SecretStr("")
    openai_api_key: SecretStr = SecretStr("")
    openai_base_url: str = "https://api.openai.com/v1"
    openai_model: str = ""
    openai_vision_model: str = ""
    openai_proxy: str = ""
    llm_fallbacks: str = ""
    llm_keys: SecretStr = SecretStr("")
    llm_prices: str = ""
    mcp_config: Path | None = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    shutdown_grace: float = Field(default=10.0, gt=0)
    late_after: float = Field(default=60.0, gt=0)
    failpoint: str = ""

    @field_validator("packs", "admin_ids", "allowed_ids", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        """Read ``a, b`` as a set."""
        if isinstance(value, str):
            return frozenset(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("branches", mode="before")
    @classmethod
    def _by_place(cls, value: object) -> object:
        """Read ``place=a,b; place=c`` as sets by place."""
        if not isinstance(value, str):
            return value
        by_place: dict[str, frozenset[str]] = {}
        for part in filter(None, (part.strip() for part in value.split(";"))):
            place, equals, names = part.partition("=")
            if not equals or not place.strip():
                raise ValueError("write it as platform=BRANCH,BRANCH; platform/tenant=BRANCH")
            by_place[place.strip()] = frozenset(
                name.strip() for name in names.split(",") if name.strip()
            )
        return by_place

    @field_validator("timezone")
    @classmethod
    def _zone_exists(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ValueError("not an IANA zone such as Asia/Shanghai") from error
        return value

    @field_validator("currency")
    @classmethod
    def _currency_exists(cls, value: str) -> str:
        if value not in ISO_CURRENCIES:
            raise ValueError("not a currency code such as CNY, USD or EUR")
        return value

    @field_validator("admin_ids", "allowed_ids")
    @classmethod
    def _are_accounts(cls, value: frozenset[str]) -> frozenset[str]:
        wrong = sorted(account for account in value if not _ACCOUNT.fullmatch(account))
        if wrong:
            raise ValueError(f"{wrong[0][:40]} is no account: write platform:id, as telegram:123")
        return value

    @field_validator("openai_proxy")
    @classmethod
    def _is_proxy(cls, value: str) -> str:
        parts = urlsplit(value.strip())
        if value and (parts.scheme not in ("http", "https") or not parts.hostname):
            raise ValueError("not an address such as http://127.0.0.1:3128")
        return value.strip()

    @field_validator("openai_api_key")
    @classmethod
    def _fits_a_header(cls, value: SecretStr) -> SecretStr:
        if not all("!" <= sign <= "~" for sign in value.get_secret_value().strip()):
            raise ValueError("a key has letters, digits and signs only; copy it once more")
        return value

    @field_validator("openai_base_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        return check_address(value)

    @field_validator("llm_fallbacks", "llm_prices", "llm_keys", "agent_keys")
    @classmethod
    def _can_be_read(cls, value: str | SecretStr, info: ValidationInfo) -> str | SecretStr:
        if isinstance(value, SecretStr):
            read_keys(value.get_secret_value())
        elif info.field_name == "llm_fallbacks":
            read_fallbacks(value)
        else:
            read_prices(value)
        return value

    @model_validator(mode="after")
    def _providers_fit(self) -> "Settings":
        names = {provider.name for provider in read_fallbacks(self.llm_fallbacks)}
        if (self.llm_fallbacks or self.openai_vision_model) and not self.openai_model:
            raise ValueError("OPENAI_MODEL is not set, so no model is asked; name the first one")
        unknown = set(read_keys(self.llm_keys.get_secret_value())) - names
        if unknown:
            raise ValueError(f"LLM_KEYS names {min(unknown)}, which LLM_FALLBACKS does not")
        return self

    @property
    def calendar_folder(self) -> Path:
        """Where `python -m bot calendar` puts the operator's yearly files."""
        return self.data_dir / "calendar"

    @property
    def agents_folder(self) -> Path:
        """Where the operator puts manifests of remote agents."""
        return self.data_dir / "agents"

    @property
    def remote_keys(self) -> Mapping[str, SecretStr]:
        """The secrets of remote agents by label in lower case."""
        return read_keys(self.agent_keys.get_secret_value())

    @property
    def providers(self) -> tuple[Provider, ...]:
        """The configured language models, in the order they are asked; empty for none."""
        if not self.openai_model:
            return ()
        prices = read_prices(self.llm_prices)
        keys = read_keys(self.llm_keys.get_secret_value())
        first = Provider(
            name=PRIMARY,
            base_url=self.openai_base_url,
            model=self.openai_model,
            vision_model=self.openai_vision_model,
            key=self.openai_api_key,
            prices=prices,
        )
        return (
            first,
            *(
                replace(provider, key=keys.get(provider.name, SecretStr("")), prices=prices)
                for provider in read_fallbacks(self.llm_fallbacks)
            ),
        )

"""Settings: the only reader of the environment. Names are those of the README's table."""

import difflib
import os
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.core.errors import ConfigurationError
from bot.core.manifests import Pack

RESERVED_PREFIXES = ("TELEGRAM_", "FEISHU_")
"""Platform settings: an unknown one is a mistake, wherever it is set."""


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
        shutdown_grace: seconds to finish running turns at a stop.
        late_after: seconds after which a reminder says that it is late.
        failpoint: for tests only: where to kill the process, see `bot.core.failpoints`.
    """

    model_config = SettingsConfigDict(env_file=".env", extra="forbid", frozen=True)

    http_host: str = "127.0.0.1"
    http_port: int = Field(default=8080, ge=0, le=65535)
    data_dir: Path = Path("data")
    mongodb_uri: SecretStr = SecretStr("")
    mongo_driver: Literal["pymongo", "motor"] = "pymongo"
    timezone: str = "Asia/Shanghai"
    locale: Literal["zh-CN", "en"] = "zh-CN"
    currency: str = Field(default="CNY", pattern=r"^[A-Z]{3}$")
    packs: Annotated[frozenset[Pack], NoDecode] = frozenset({Pack.PERSONAL})
    onboarding: Literal["on", "off"] = "on"
    local_model: Literal["auto", "off"] = "auto"
    admin_ids: Annotated[frozenset[str], NoDecode] = frozenset()
    allowed_ids: Annotated[frozenset[str], NoDecode] = frozenset()
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

    @field_validator("timezone")
    @classmethod
    def _zone_exists(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ValueError("not an IANA zone such as Asia/Shanghai") from error
        return value


NAMES = frozenset(name.upper() for name in Settings.model_fields)


def load_settings(env_file: Path = Path(".env")) -> tuple[Settings, tuple[str, ...]]:
    """Return the settings and warnings about names that are nearly right.

    Raises:
        ConfigurationError: an unknown name or a wrong value; one line that says what to do.
    """
    environment = {name.upper(): value for name, value in os.environ.items()}  # noqa: TID251  # the one reader
    in_file = {name.upper() for name in dotenv_values(env_file)} if env_file.is_file() else set()
    for name in sorted(in_file - NAMES):
        raise ConfigurationError(f"{env_file}: unknown setting {name}{_suggest(name)}")
    for name in sorted(set(environment) - NAMES):
        if name.startswith(RESERVED_PREFIXES):
            raise ConfigurationError(f"unknown setting {name}{_suggest(name)}")
    overrides = _secrets_from_files(environment)
    try:
        settings = Settings(_env_file=env_file, **overrides)  # type: ignore[arg-type]  # names checked by pydantic
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).upper() if first["loc"] else "settings"
        raise ConfigurationError(f"{name}: {first['msg']}; see the README's settings") from error
    warnings = tuple(
        f"{name} is not a setting; did you mean {near[0]}?"
        for name in sorted(set(environment) - NAMES)
        if (near := difflib.get_close_matches(name, NAMES, n=1, cutoff=0.85))
    )
    return settings, warnings


def _secrets_from_files(environment: dict[str, str]) -> dict[str, str]:
    """Return settings given as ``NAME_FILE``, so that secrets need not be in the environment."""
    found: dict[str, str] = {}
    for name in NAMES:
        if path := environment.get(f"{name}_FILE"):
            try:
                found[name.lower()] = Path(path).read_text(encoding="utf-8").strip()
            except OSError as error:
                raise ConfigurationError(f"{name}_FILE: cannot read {path}") from error
    return found


def _suggest(name: str) -> str:
    near = difflib.get_close_matches(name, NAMES, n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else "; the README lists all settings"

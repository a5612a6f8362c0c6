"""The only reader of the environment: settings and secrets, from variables and from files."""

import difflib
import os
from pathlib import Path

from dotenv import dotenv_values
from pydantic import ValidationError
from pydantic_settings import SettingsConfigDict

from bot.core.errors import ConfigurationError
from bot.core.faults import plain_fault
from bot.core.service_file import read_services
from bot.core.services import ServiceConfig
from bot.settings import Settings

RESERVED_PREFIXES = ("TELEGRAM_", "FEISHU_")
"""Platform settings: an unknown one is a mistake, wherever it is set."""

NAMES = frozenset(name.upper() for name in Settings.model_fields)
FILE_NAMES = frozenset(f"{name}_FILE" for name in NAMES)
"""Each setting may be read from a file that the setting with this name leads to."""


class _Checked(Settings):
    """Settings of which the names are known to be right; those of files are no fields."""

    model_config = SettingsConfigDict(extra="ignore", env_ignore_empty=True)


def load_settings(env_file: Path = Path(".env")) -> tuple[Settings, tuple[str, ...]]:
    """Return the settings and warnings about names that are nearly right.

    Raises:
        ConfigurationError: an unknown name or a wrong value; one line that says what to do.
    """
    environment = {name.upper(): value for name, value in os.environ.items()}  # noqa: TID251  # the one reader
    written = dotenv_values(env_file) if env_file.is_file() else {}
    in_file = {name.upper(): value or "" for name, value in written.items()}
    for name in sorted(set(in_file) - NAMES - FILE_NAMES):
        raise ConfigurationError(f"{env_file}: unknown setting {name}{_suggest(name)}")
    for name in sorted(set(environment) - NAMES - FILE_NAMES):
        if name.startswith(RESERVED_PREFIXES):
            raise ConfigurationError(f"unknown setting {name}{_suggest(name)}")
    overrides = _secrets_from_files({**in_file, **environment})
    try:
        settings = _Checked(_env_file=env_file, **overrides)  # type: ignore[arg-type]  # names checked by pydantic
    except ValidationError as error:
        field, says = plain_fault(error)
        name = field.partition(".")[0].upper() or "settings"
        raise ConfigurationError(f"{name}: {says}; see the README's settings") from None
    warnings = tuple(
        f"{name} is not a setting; did you mean {near[0]}?"
        for name in sorted(set(environment) - NAMES)
        if (near := difflib.get_close_matches(name, NAMES, n=1, cutoff=0.85))
    )
    return settings, warnings


def load_services(settings: Settings) -> tuple[ServiceConfig, ...]:
    """Return the services of MCP_CONFIG; it reads files, so it runs in a thread.

    Raises:
        ConfigurationError: the file cannot be read, is not in order, or wants what is not set.
    """
    path = settings.mcp_config
    if path is None:
        return ()
    try:
        return read_services(path.read_text(encoding="utf-8"), _secret)
    except OSError as error:
        says = f"cannot be read ({error.strerror}); correct the path, or take MCP_CONFIG out"
        raise ConfigurationError(f"MCP_CONFIG: {path}: {says}") from error
    except UnicodeDecodeError:
        raise ConfigurationError(f"MCP_CONFIG: {path}: not UTF-8; save it as UTF-8") from None
    except ValueError as error:
        raise ConfigurationError(f"MCP_CONFIG: {path}: {error}") from error


def _secret(name: str) -> str | None:
    """Return a secret of the environment, or of the file that ``NAME_FILE`` names."""
    if value := os.environ.get(name):  # noqa: TID251  # the one reader
        return value
    path = os.environ.get(f"{name}_FILE")  # noqa: TID251
    if not path:
        return None
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ConfigurationError(f"{name}_FILE: cannot read {path}") from error


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

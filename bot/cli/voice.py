"""How commands speak, and what they are told by the environment."""

import sys

from bot.environment import load_settings
from bot.log import configure
from bot.settings import Settings


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)  # noqa: T201  # the command line's voice


def complain(line: str) -> None:
    """Print a line where it is no output."""
    print(f"switchboard: {line}", file=sys.stderr)  # noqa: T201  # the command line's voice


def settings_loaded() -> Settings:
    """Return the settings, set the log up by them, and warn of names that are nearly right.

    Raises:
        ConfigurationError: one is wrong.
    """
    settings, warnings = load_settings()
    configure(settings.log_level)
    for warning in warnings:
        complain(warning)
    return settings

"""How commands speak, and what they are told by the environment."""

import os
import sys

from bot.environment import load_settings
from bot.log import configure
from bot.settings import Settings

READER_GONE = 141
"""What a shell calls the end of a program whose output nobody reads: 128 + SIGPIPE."""


def say(line: str) -> None:
    """Print a line at once; end quietly when its reader has gone, as ``| head`` does.

    Source: https://docs.python.org/3/library/signal.html#note-on-sigpipe
    """
    try:
        print(line, flush=True)  # noqa: T201  # the command line's voice
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(READER_GONE)


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

"""Settings of the adapter that can be seen to be wrong without asking the platform."""

import re

from bot.core.errors import ConfigurationError

_WEBHOOK_WORD = r"[A-Za-z0-9_-]{16,256}"


def bot_of(token: str) -> str:
    """Return the bot's number, which its token begins with.

    Raises:
        ConfigurationError: it is no token.
    """
    number, _, secret = token.partition(":")
    if not number.isdecimal() or not secret:
        raise ConfigurationError(
            "TELEGRAM_BOT_TOKEN does not look like 123456:ABC...; ask @BotFather for it"
        )
    return number


def check_webhook(url: str, secret: str) -> None:
    """Check what a webhook needs.

    Raises:
        ConfigurationError: the address or the secret is missing.
    """
    if not url or not re.fullmatch(_WEBHOOK_WORD, secret):
        raise ConfigurationError(
            "TELEGRAM_MODE=webhook needs TELEGRAM_WEBHOOK_URL and TELEGRAM_WEBHOOK_SECRET "
            "(16 to 256 letters, digits, _ or -)"
        )

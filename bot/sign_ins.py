"""Sign-ins for the web chat, made on the machine that runs it."""

import hashlib
import secrets

from bot.app import opened
from bot.clock import SystemClock
from bot.core.errors import ConfigurationError
from bot.core.patterns import regex
from bot.core.transcripts import WebAccess
from bot.settings import Settings

_USER_ID = regex(r"[a-z0-9][a-z0-9_-]{0,31}")


async def new_sign_in(settings: Settings, user_id: str) -> str:
    """Make a sign-in and return its address; the token is shown once and stored hashed.

    Raises:
        ConfigurationError: the name cannot be a user id.
    """
    if _USER_ID.fullmatch(user_id) is None:
        raise ConfigurationError("token: the name must be a-z, 0-9, - or _, at most 32 characters")
    token = secrets.token_urlsafe(32)
    clock = SystemClock()
    async with opened(settings, clock) as app:
        await app.stores.web_tokens.add(
            WebAccess(
                token_hash=hashlib.sha256(token.encode()).hexdigest(),
                user_id=user_id,
                created_at=clock.now(),
            )
        )
    return f"http://{settings.http_host}:{settings.http_port}/?token={token}"


async def revoke_sign_ins(settings: Settings, user_id: str) -> int:
    """Delete all sign-ins of a user; return how many."""
    async with opened(settings, SystemClock()) as app:
        return await app.stores.web_tokens.revoke(user_id)

"""What `doctor` finds out about a Telegram bot, by asking the platform."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

import aiohttp

from adapters.telegram.client import API_BASE, Client
from adapters.telegram.configuration import bot_of, check_webhook
from adapters.telegram.failures import PollingConflictError, TokenRefusedError
from adapters.telegram.schemas import Me, WebhookInfo
from bot.core.errors import AdapterError, ConfigurationError
from bot.core.ports import Clock

MAX_CLOCK_SECONDS = 30.0


class Result(NamedTuple):
    """One test and how it went."""

    what: str
    ok: bool
    says: str


async def check(
    *,
    token: str,
    clock: Clock,
    mode: str,
    webhook_url: str = "",
    webhook_secret: str = "",
    api_base: str = API_BASE,
) -> list[Result]:
    """Return the findings; nothing is changed at the platform."""
    try:
        bot_of(token)
        if mode == "webhook":
            check_webhook(webhook_url, webhook_secret)
    except ConfigurationError as error:
        return [Result("telegram settings", ok=False, says=str(error))]
    client = Client(token=token, api_base=api_base)
    await client.open()
    try:
        try:
            me = Me.model_validate(await client.call("getMe"))
        except TokenRefusedError:
            says = "TELEGRAM_BOT_TOKEN is refused: copy it again from @BotFather"
            return [Result("telegram token", ok=False, says=says)]
        except AdapterError as error:
            says = f"{api_base} cannot be reached: {error}; check the network or a proxy"
            return [Result("telegram token", ok=False, says=says)]
        return [
            Result("telegram token", ok=True, says=f"belongs to @{me.username}"),
            *await _delivery(client, mode, webhook_url),
            _privacy(me),
            await _clock(api_base, clock),
        ]
    finally:
        await client.close()


async def _delivery(client: Client, mode: str, webhook_url: str) -> list[Result]:
    """Tell how updates come, and whether somebody else takes them."""
    try:
        info = WebhookInfo.model_validate(await client.call("getWebhookInfo"))
    except AdapterError as error:
        return [Result("telegram updates", ok=False, says=str(error))]
    if mode == "webhook":
        return [_webhook(info, webhook_url)]
    if info.url:
        says = (
            "a webhook of another program is set; `run` takes the updates over, so stop the "
            "other one or give it a token of its own"
        )
        return [Result("telegram updates", ok=False, says=says)]
    return [
        Result("telegram updates", ok=True, says=f"{info.pending_update_count} waiting"),
        await _second_instance(client),
    ]


def _webhook(info: WebhookInfo, webhook_url: str) -> Result:
    if info.last_error_message:
        at = datetime.fromtimestamp(info.last_error_date, UTC)
        says = f"the platform could not post at {at:%Y-%m-%d %H:%M} UTC: {info.last_error_message}"
        return Result("telegram updates", ok=False, says=says)
    if info.url not in {"", webhook_url}:
        says = "another program's webhook is set; `run` replaces it"
        return Result("telegram updates", ok=False, says=says)
    says = "the webhook is set" if info.url else "the webhook is set at the start"
    return Result("telegram updates", ok=True, says=says)


async def _second_instance(client: Client) -> Result:
    """Ask for nothing without acknowledging anything: a second poller is told of the first.

    Source: https://core.telegram.org/bots/api#getupdates
    """
    try:
        await client.call("getUpdates", {"timeout": 0, "limit": 1})
    except PollingConflictError:
        says = "another program polls with this token: stop it (this bot running counts too)"
        return Result("telegram second instance", ok=False, says=says)
    except AdapterError as error:
        return Result("telegram second instance", ok=False, says=str(error))
    return Result("telegram second instance", ok=True, says="nobody else polls")


def _privacy(me: Me) -> Result:
    """Explain what the bot gets to read in groups.

    Source: https://core.telegram.org/bots/features#privacy-mode
    """
    says = (
        "off: groups send everything here, and what is not addressed to the bot is ignored"
        if me.can_read_all_group_messages
        else "on: in groups the bot sees commands, @mentions and replies to it, and no more"
    )
    return Result("telegram privacy mode", ok=True, says=says)


async def _clock(api_base: str, clock: Clock) -> Result:
    """Compare our clock with the platform's: reminders go by ours."""
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as session,
            session.head(api_base, allow_redirects=False) as response,
        ):
            off = _seconds_off(response.headers, clock.now())
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        return Result("telegram clock", ok=False, says=f"no answer: {type(error).__name__}")
    if off is None:
        return Result("telegram clock", ok=True, says="the platform told no time")
    if abs(off) > MAX_CLOCK_SECONDS:
        says = f"this machine is {off:+.0f} s off: switch time synchronisation on"
        return Result("telegram clock", ok=False, says=says)
    return Result("telegram clock", ok=True, says=f"{off:+.0f} s off")


def _seconds_off(headers: Mapping[str, str], now: datetime) -> float | None:
    try:
        theirs = parsedate_to_datetime(headers["Date"])
    except (KeyError, ValueError):
        return None
    return (now - theirs).total_seconds()

"""What `doctor` finds out about a Feishu app, by asking the platform; it changes nothing there."""

from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

import aiohttp
from pydantic import JsonValue

from adapters.feishu.client import Client, EndpointRefusedError, base_of
from adapters.feishu.failures import CredentialsRefusedError
from adapters.feishu.identity import who_am_i
from adapters.feishu.library import load
from adapters.feishu.neighbours import online_connections
from adapters.feishu.schemas import MENU, MESSAGE, PRESS, RECALL
from adapters.feishu.signing import is_signed, signature
from bot.core.errors import AdapterError, RejectedError, UnparseableError
from bot.core.ports import Clock

MAX_CLOCK_SECONDS = 30.0
ACTIVE = 2
_SWITCHES = (
    "in the console, Events and Callbacks: subscribe the event im.message.receive_v1, subscribe "
    "the callback card.action.trigger (a tab of its own), choose the same way of delivery for "
    "both, and publish a version; without the callback every press shows 200340"
)
_ALONE = "give every environment an app of its own"
_SAMPLE_KEY, _SAMPLE = "test key", "P37w+VZImNgPEO1RBhJ6RtKl7n6zymIbEG1pReEzghk="
"""The platform's own example; it opens to ``hello world``.

Source: https://open.feishu.cn/document/server-docs/event-subscription-guide/event-subscription-configure-/encrypt-key-encryption-configuration-case
"""


class Result(NamedTuple):
    """One test and how it went."""

    what: str
    ok: bool
    says: str


async def check(
    *,
    app_id: str,
    secret: str,
    domain: str,
    mode: str,
    encrypt_key: str,
    verification_token: str,
    clock: Clock,
    runs: bool,
) -> list[Result]:
    """Return the findings; ``runs`` says whether the bot of this data folder is running."""
    client = Client(app_id=app_id, secret=secret, domain=domain, clock=clock)
    await client.open()
    try:
        try:
            await client.token()
        except CredentialsRefusedError:
            says = "refused: copy FEISHU_APP_ID and FEISHU_APP_SECRET from the console again"
            return [Result("feishu token", ok=False, says=says)]
        except AdapterError as error:
            says = f"{base_of(domain)} cannot be reached: {error}; check network and FEISHU_DOMAIN"
            return [Result("feishu token", ok=False, says=says)]
        return [
            Result("feishu token", ok=True, says="the app's secret is right"),
            await _bot(client),
            *await _subscriptions(client, app_id, mode),
            *(
                [await _encryption(encrypt_key, verification_token)]
                if mode == "webhook"
                else [await _connection(client)]
            ),
            await _second_instance(client, mode, runs=runs),
            await _clock(base_of(domain), clock),
        ]
    finally:
        await client.close()


async def _bot(client: Client) -> Result:
    try:
        me = await who_am_i(client)
    except AdapterError as error:
        says = f"unknown ({error}): switch the bot ability on; until then groups are not answered"
        return Result("feishu bot", ok=False, says=says)
    if me.activate_status != ACTIVE:
        says = f"{me.app_name} is not active: publish a version and let it be approved"
        return Result("feishu bot", ok=False, says=says)
    return Result("feishu bot", ok=True, says=f"is {me.app_name} ({me.open_id})")


async def _subscriptions(client: Client, app_id: str, mode: str) -> list[Result]:
    """Compare what the app is subscribed to with what we need.

    Source: https://open.feishu.cn/document/server-docs/application-v6/application/get
    """
    try:
        answer = await client.call(
            "GET", f"/open-apis/application/v6/applications/{app_id}", query=[("lang", "zh_cn")]
        )
    except RejectedError as error:
        says = f"not visible to the app ({error}); look yourself {_SWITCHES}"
        return [Result("feishu subscriptions", ok=True, says=says)]
    except AdapterError as error:
        return [Result("feishu subscriptions", ok=False, says=str(error))]
    app = _dict(answer.get("app"))
    event, callback = _dict(app.get("event")), _dict(app.get("callback"))
    events, callbacks = (
        _list(event.get("subscribed_events")),
        _list(callback.get("subscribed_callbacks")),
    )
    wanted = "websocket" if mode == "long" else "webhook"
    return [
        _subscribed("event", MESSAGE, events, event.get("subscription_type"), wanted),
        _subscribed("callback", PRESS, callbacks, callback.get("callback_type"), wanted),
        _optional("menu", MENU, events, "to use a bot menu"),
        _optional("recalls", RECALL, events, "so that messages taken back are not answered"),
    ]


def _optional(what: str, name: str, names: list[str], use: str) -> Result:
    says = "subscribed" if name in names else f"off: subscribe {name} {use}"
    return Result(f"feishu {what}", ok=True, says=says)


def _subscribed(kind: str, name: str, names: list[str], way: JsonValue, wanted: str) -> Result:
    what = f"feishu {kind}s"
    if name not in names:
        return Result(what, ok=False, says=f"{name} is not subscribed: {_SWITCHES}")
    if isinstance(way, str) and way and way != wanted:
        mode = "long" if way == "websocket" else "webhook"
        says = f"delivered by {way}: change it in the console, or set FEISHU_MODE={mode}"
        return Result(what, ok=False, says=says)
    return Result(what, ok=True, says=f"{name} is subscribed")


async def _connection(client: Client) -> Result:
    """Ask for a long connection without opening it: an open one would take events away."""
    try:
        await client.endpoint()
    except EndpointRefusedError as error:
        says = f"refused ({error}): choose the long connection in the console, and publish"
        return Result("feishu long connection", ok=False, says=says)
    except AdapterError as error:
        return Result("feishu long connection", ok=False, says=str(error))
    return Result("feishu long connection", ok=True, says="is given")


async def _second_instance(client: Client, mode: str, *, runs: bool) -> Result:
    """Count the connections of the app: each event goes to one of them, by chance."""
    what = "feishu second instance"
    try:
        online = await online_connections(client)
    except RejectedError as error:
        says = (
            f"could not be looked for: the platform does not tell the app how many are connected "
            f"({error}); {_ALONE}"
        )
        return Result(what, ok=True, says=says)
    except AdapterError as error:
        return Result(what, ok=False, says=f"could not be looked for: {error}")
    own = int(runs and mode == "long")
    if online > own:
        says = (
            f"seen: {online} connected as this app, {own} of them this bot; part of the events "
            f"goes there: stop it, or {_ALONE} (one that has just ended may count a while)"
        )
        return Result(what, ok=False, says=says)
    if online < own:
        says = "none, and this bot, though it runs, is not connected either: see its /healthz"
        return Result(what, ok=False, says=says)
    says = "not seen: one connection, as this bot runs" if own else "not seen: nobody is connected"
    return Result(what, ok=True, says=says)


async def _encryption(encrypt_key: str, verification_token: str) -> Result:
    """Open the platform's example; sign a body with our key, check it, and refuse another."""
    what = "feishu encryption"
    if not verification_token:
        says = "FEISHU_VERIFICATION_TOKEN is missing: nobody could tell a forged event"
        return Result(what, ok=False, says=says)
    if not encrypt_key:
        says = "off: set FEISHU_ENCRYPT_KEY here and in the console, so that events are signed"
        return Result(what, ok=False, says=says)
    _, opener = await load()
    try:
        opens = opener(_SAMPLE_KEY).text(_SAMPLE) == "hello world"
    except UnparseableError:
        opens = False
    body = verification_token.encode()
    signed = signature("1", "n", encrypt_key, body)
    checks = is_signed(signed, "1", "n", encrypt_key, body)
    refuses = not is_signed(signed, "2", "n", encrypt_key, body)
    works = opens and checks and refuses
    says = "opens, signs, checks and refuses" if works else "does not work: reinstall lark-oapi"
    return Result(what, ok=works, says=says)


async def _clock(base: str, clock: Clock) -> Result:
    """Compare our clock with the platform's: signatures live 5 minutes, reminders go by ours."""
    what = "feishu clock"
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as session,
            session.head(base, allow_redirects=False) as response,
        ):
            off = _seconds_off(response.headers, clock.now())
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        return Result(what, ok=False, says=f"no answer: {type(error).__name__}")
    if off is None:
        return Result(what, ok=True, says="the platform told no time")
    if abs(off) > MAX_CLOCK_SECONDS:
        says = f"this machine is {off:+.0f} s off: switch time synchronisation on"
        return Result(what, ok=False, says=says)
    return Result(what, ok=True, says=f"{off:+.0f} s off")


def _seconds_off(headers: Mapping[str, str], now: datetime) -> float | None:
    try:
        theirs = parsedate_to_datetime(headers["Date"])
    except (KeyError, ValueError):
        return None
    return (now - theirs).total_seconds()


def _dict(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _list(value: JsonValue) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []

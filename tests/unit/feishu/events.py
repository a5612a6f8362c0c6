"""Events as the platform sends them, made by the emulator without its server."""

from typing import Any

from adapters.feishu.parse import parse
from adapters.feishu.peek import Peek, peek
from bot.core.events import InboundEvent
from bot.core.inbox import RawUpdate, UpdateKind
from tests.emulators.feishu import APP_ID, BOT, Feishu
from tests.stage import TUESDAY

Json = dict[str, Any]


def api() -> Feishu:
    return Feishu(clock=TUESDAY.timestamp)


def said(**more: Any) -> Json:  # noqa: ANN401  # the emulator's arguments
    payload: Json = api().say(deliver=False, **more).payload
    return payload


def raw(event: Json, *, me: str = BOT, name: str = "", bot: str = APP_ID) -> RawUpdate:
    return RawUpdate(
        platform="feishu",
        bot=bot,
        delivery_key=looked(event, me=me).key,
        kind=UpdateKind.MESSAGE,
        lane="l",
        received_at=TUESDAY,
        body={"event": event, "me": me, "name": name},
    )


def parsed(event: Json, *, me: str = BOT, name: str = "") -> InboundEvent:
    return parse(raw(event, me=me, name=name))


def looked(event: Json, *, me: str = BOT, ours: str = "") -> Peek:
    return peek(event, bot=APP_ID, me=me, is_ours=lambda message_id: message_id == ours)

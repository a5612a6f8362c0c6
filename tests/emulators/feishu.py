"""Feishu's open platform over real HTTP and WebSocket, for tests and for trying by hand.

``python -m tests.emulators.feishu --port 8082`` prints the settings for the bot in another shell.
Lines typed into the emulator are said by one person; ``!3`` presses the third button of the
newest card.

Source: https://open.feishu.cn/document/server-docs/im-v1/message/create and its kin; what is
not documented is marked as a guess.
"""

import argparse
import asyncio
import itertools
import json
import re
import sys
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.emulators.feishu_link import Delivery, Link
from tests.emulators.feishu_rules import (
    BAD_PARAMETER,
    MAX_TEXT_BYTES,
    TOO_LONG,
    RefusedError,
    check_card,
    plain_of,
    walk,
)

APP_ID, APP_SECRET = "cli_a1b2c3d4e5f6", "secret-of-the-emulated-app"
BOT, TENANT = "ou_bot0000", "tenant-1"
ANNA, BEN, GROUP = "ou_anna", "ou_ben", "oc_group"
ENCRYPT_KEY, VERIFICATION = "encrypt-key-of-tests", "verification-token-of-tests"
TOKEN_SECONDS = 7200
STREAM_SECONDS = 600
TOKEN_INVALID, RATE_LIMITED, CHAT_RATE = 99991663, 99991400, 230020
STREAM_TIMEOUT, STREAM_CLOSED, SEQUENCE = 200850, 300309, 300317

Json = dict[str, Any]
Fault = Callable[["Call"], Awaitable[web.StreamResponse | None]]


@dataclass(slots=True)
class Call:
    """One call of ours as it came in."""

    operation: str
    path: str
    query: dict[str, str]
    body: Json
    files: dict[str, bytes] = field(default_factory=dict)
    at: float = 0.0
    code: int = 0


@dataclass(slots=True)
class Message:
    """A message as people see it."""

    message_id: str
    chat_id: str
    kind: str
    content: Json
    card_id: str = ""
    uuid: str = ""
    parent_id: str = ""
    thread_id: str = ""
    edits: int = 0
    recalled: bool = False
    entities: dict[str, "Entity"] = field(default_factory=dict)

    @property
    def card(self) -> Json:
        return self.entities[self.card_id].card if self.card_id else self.content

    @property
    def plain(self) -> str:
        if self.kind == "interactive":
            return plain_of(self.card)
        if self.kind == "post":
            return _post_text(self.content)
        return str(self.content.get("text", ""))

    @property
    def buttons(self) -> dict[str, Json]:
        if self.kind != "interactive":
            return {}
        return {
            e["text"]["content"]: e["behaviors"][0]["value"]
            for e in walk(self.card)
            if e["tag"] == "button" and e.get("behaviors")
        }

    @property
    def labels(self) -> list[str]:
        return list(self.buttons)


@dataclass(slots=True)
class Entity:
    """A card of CardKit."""

    card: Json
    created_at: float
    sequence: int = 0
    streaming: bool = False


class Feishu:
    """One app's side of the platform.

    Attributes:
        faults: what goes wrong next, by operation.
        names: what the address book knows.
        per_chat: how many messages a second one chat takes; None for any number.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.time,
        encrypt_key: str = "",
        verification_token: str = VERIFICATION,
    ) -> None:
        self.clock = clock
        self.link = Link(encrypt_key=encrypt_key, verification_token=verification_token)
        self.link.clock_ms = lambda: int(self.clock() * 1000)
        self.calls: list[Call] = []
        self.messages: dict[str, Message] = {}
        self.shown: list[Message] = []
        self.cards: dict[str, Entity] = {}
        self.images: dict[str, bytes] = {}
        self.resources: dict[tuple[str, str], bytes] = {}
        self.reactions: dict[str, list[str]] = defaultdict(list)
        self.faults: defaultdict[str, deque[Fault]] = defaultdict(deque)
        self.names = {ANNA: "小安", BEN: "Ben"}
        self.tokens: dict[str, float] = {}
        self.token_seconds = TOKEN_SECONDS
        self.per_chat: int | None = None
        self.gone: dict[str, int] = {}
        self.endpoint_answer: Json | int | None = None
        self.handshake: dict[str, str] = {}
        self.bot_open_id = BOT
        self.base = ""
        self.application: Json | None = {
            "event": {
                "subscription_type": "websocket",
                "subscribed_events": ["im.message.receive_v1", "application.bot.menu_v6"],
            },
            "callback": {
                "callback_type": "websocket",
                "subscribed_callbacks": ["card.action.trigger"],
            },
        }
        self._numbers = itertools.count(1)
        self._sent_at: dict[str, deque[float]] = defaultdict(deque)

    # --- scripting ------------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        return self.link.waiting

    def texts(self) -> list[str]:
        return [message.plain for message in self.shown]

    def last(self) -> Message:
        return self.shown[-1]

    def count(self, operation: str) -> int:
        return sum(call.operation == operation for call in self.calls)

    def fail(
        self,
        operation: str,
        code: int = 0,
        msg: str = "failed",
        *,
        status: int = 400,
        headers: dict[str, str] | None = None,
        html: str = "",
        times: int = 1,
    ) -> None:
        """Let the next calls fail like this."""

        async def answer(call: Call) -> web.StreamResponse:
            call.code = code or status
            if html:
                return web.Response(status=status, text=html, content_type="text/html")
            body = {"code": code, "msg": msg}
            return web.json_response(body, status=status, headers=headers)

        self.faults[operation].extend([answer] * times)

    def lose(self, operation: str, *, times: int = 1) -> None:
        """Do what is asked and let the answer be lost."""

        async def lose(call: Call) -> web.StreamResponse:
            await self._do(call)
            raise ConnectionResetError

        self.faults[operation].extend([lose] * times)

    def hang(self, operation: str) -> asyncio.Event:
        """Let the next call wait until the event is set."""
        release = asyncio.Event()

        async def wait(_call: Call) -> None:
            await release.wait()

        self.faults[operation].append(wait)
        return release

    def expire_tokens(self) -> None:
        self.tokens.clear()

    # --- what people do -------------------------------------------------------------------------

    def say(
        self,
        text: str | None = None,
        *,
        who: str = ANNA,
        chat: str | None = None,
        at: tuple[str, ...] = (),
        kind: str = "text",
        content: Json | None = None,
        message_id: str = "",
        event_id: str = "",
        edited: bool = False,
        parent_id: str = "",
        thread_id: str = "",
        sender_type: str = "user",
        age_seconds: float = 0.0,
        deliver: bool = True,
    ) -> Delivery:
        """Say something in a private chat, or in a group naming ``at``."""
        number = next(self._numbers)
        now = int((self.clock() - age_seconds) * 1000)
        mentions: list[Json] = []
        for place, named in enumerate(at, 1):
            key = "@_all" if named == "all" else f"@_user_{place}"
            ids = {"open_id": "", "union_id": "", "user_id": ""}
            if named != "all":
                ids = {"open_id": named, "union_id": f"on_{named}", "user_id": ""}
            name = self.names.get(named, "所有人" if named == "all" else "Switchboard")
            mentions.append({"key": key, "id": ids, "name": name, "tenant_key": TENANT})
        message: Json = {
            "message_id": message_id or f"om_user{number}",
            "create_time": str(now - (60_000 if edited else 0)),
            "update_time": str(now),
            "chat_id": chat or f"oc_p2p_{who}",
            "chat_type": "group" if chat else "p2p",
            "message_type": kind,
            "content": json.dumps(content or {"text": text or ""}, ensure_ascii=False),
        }
        if mentions:
            message["mentions"] = mentions
        if parent_id:
            message |= {"parent_id": parent_id, "root_id": parent_id}
        if thread_id:
            message |= {"thread_id": f"omt_{thread_id}", "root_id": thread_id}
        sender = {
            "sender_id": {"open_id": who, "union_id": f"on_{who}", "user_id": ""},
            "sender_type": sender_type,
            "tenant_key": TENANT,
        }
        event = {"sender": sender, "message": message}
        payload = self.envelope("im.message.receive_v1", event, event_id=event_id)
        return self.deliver(payload, deliver=deliver)

    def press(
        self,
        message: Message,
        label: str,
        *,
        who: str = ANNA,
        kind: str = "event",
        form: Json | None = None,
    ) -> Delivery:
        """Press a button; it is delivered once."""
        event: Json = {
            "operator": {"tenant_key": TENANT, "open_id": who, "union_id": f"on_{who}"},
            "token": f"c-{next(self._numbers)}",
            "action": {
                "value": message.buttons[label],
                "tag": "button",
                "timezone": "Asia/Shanghai",
            },
            "host": "im_message",
            "context": {"open_message_id": message.message_id, "open_chat_id": message.chat_id},
        }
        if form is not None:
            event["action"]["form_value"] = form
        payload = self.envelope("card.action.trigger", event)
        return self.link.deliver(payload, kind=kind, repeats=False)

    def menu(self, key: str, *, who: str = ANNA) -> Delivery:
        """Choose an entry of the bot's menu."""
        event = {
            "operator": {"operator_name": "", "operator_id": {"open_id": who}},
            "event_key": key,
            "timestamp": int(self.clock()),
        }
        return self.deliver(self.envelope("application.bot.menu_v6", event))

    def recall(self, message_id: str, *, chat: str = f"oc_p2p_{ANNA}") -> Delivery:
        """Take a message back.

        Source: https://open.feishu.cn/document/server-docs/im-v1/message/events/recalled
        """
        event = {
            "message_id": message_id,
            "chat_id": chat,
            "recall_time": str(int(self.clock() * 1000)),
            "recall_type": "message_owner",
        }
        return self.deliver(self.envelope("im.message.recalled_v1", event))

    def happen(self, event_type: str, event: Json) -> Delivery:
        """Let any other event happen."""
        return self.deliver(self.envelope(event_type, event))

    def deliver(self, payload: Json, *, deliver: bool = True) -> Delivery:
        if not deliver:
            return Delivery(payload["header"]["event_id"], payload)
        return self.link.deliver(payload)

    def envelope(self, event_type: str, event: Json, *, event_id: str = "") -> Json:
        header = {
            "event_id": event_id or f"ev{next(self._numbers)}",
            "event_type": event_type,
            "create_time": str(int(self.clock() * 1000)),
            "token": self.link.verification_token,
            "app_id": APP_ID,
            "tenant_key": TENANT,
        }
        return {"schema": "2.0", "header": header, "event": event}

    # --- serving --------------------------------------------------------------------------------

    @asynccontextmanager
    async def serving(self, port: int = 0) -> AsyncIterator[str]:
        """Serve while the context is open; yield the address."""
        app = web.Application(client_max_size=40 * 2**20)
        app.router.add_post("/callback/ws/endpoint", self._endpoint)
        app.router.add_get("/ws", self._socket)
        app.router.add_route("*", "/open-apis/{path:.*}", self._api)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2, handle_signals=False)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        self.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield self.base
        finally:
            await self.link.stop()
            await runner.cleanup()

    async def _endpoint(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        call = Call("endpoint", request.path, {}, body, at=self.clock())
        self.calls.append(call)
        while self.faults["endpoint"]:
            answer = await self.faults["endpoint"].popleft()(call)
            if answer is not None:
                return answer
        if isinstance(self.endpoint_answer, int):
            return web.Response(status=self.endpoint_answer, text="busy")
        if self.endpoint_answer is not None:
            return web.json_response(self.endpoint_answer)
        if (body.get("AppID"), body.get("AppSecret")) != (APP_ID, APP_SECRET):
            return web.json_response({"code": 514, "msg": "auth failed"})
        host = self.base.removeprefix("http")
        url = f"ws{host}/ws?device_id=77&service_id=33554678&access_key=KEY-TO-HIDE&ticket=T"
        data = {"URL": url, "ClientConfig": self.link.config}
        return web.json_response({"code": 0, "msg": "ok", "data": data})

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if self.handshake:
            return web.Response(status=403, headers=self.handshake)
        return await self.link.socket(request)

    async def _api(self, request: web.Request) -> web.StreamResponse:
        call = await self._read(request)
        self.calls.append(call)
        if call.operation != "token":
            token = request.headers.get("Authorization", "").removeprefix("Bearer ")
            if self.tokens.get(token, 0) <= self.clock():
                call.code = TOKEN_INVALID
                return _refused(TOKEN_INVALID, "Invalid access token for authorization.")
        try:
            while self.faults[call.operation]:
                answer = await self.faults[call.operation].popleft()(call)
                if answer is not None:
                    return answer
            return await self._do(call)
        except RefusedError as error:
            call.code = error.code
            return _refused(error.code, error.message)
        except ConnectionResetError:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)

    async def _read(self, request: web.Request) -> Call:
        path = request.match_info["path"]
        body: Json = {}
        files: dict[str, bytes] = {}
        if not request.content_type.startswith("multipart/"):
            raw = await request.read()
            body = json.loads(raw) if raw else {}
        else:
            form = await request.post()
            for name, value in form.items():
                if isinstance(value, web.FileField):
                    files[name] = value.file.read()
                else:
                    body[name] = str(value)
        operation = _operation(request.method, path)
        return Call(operation, path, dict(request.query), body, files, at=self.clock())

    async def _do(self, call: Call) -> web.StreamResponse:
        handle = getattr(self, f"_{call.operation}", None)
        if handle is None:
            return _refused(99991404, f"no such interface {call.path}", status=404)
        answer: web.StreamResponse = handle(call)
        return answer

    # --- tokens and people ----------------------------------------------------------------------

    def _token(self, call: Call) -> web.StreamResponse:
        if (call.body.get("app_id"), call.body.get("app_secret")) != (APP_ID, APP_SECRET):
            return web.json_response({"code": 10014, "msg": "app secret invalid"})
        token = f"t-{len(self.tokens)}-{next(self._numbers)}"
        self.tokens[token] = self.clock() + self.token_seconds
        body = {"tenant_access_token": token, "expire": self.token_seconds}
        return web.json_response({"code": 0, "msg": "ok", **body})

    def _bot_info(self, _call: Call) -> web.StreamResponse:
        bot = {"activate_status": 2, "app_name": "Switchboard", "open_id": self.bot_open_id}
        return web.json_response({"code": 0, "msg": "ok", "bot": bot})

    def _users(self, call: Call) -> web.StreamResponse:
        found = [
            {"user_id": who, "name": self.names[who]}
            for who in call.body.get("user_ids", [])
            if who in self.names
        ]
        return _ok({"users": found})

    def _application(self, _call: Call) -> web.StreamResponse:
        if self.application is None:
            raise RefusedError(99991672, "Access denied. [application:application:self_manage]")
        return _ok({"app": self.application})

    def _connection(self, _call: Call) -> web.StreamResponse:
        """Source: api/event/v1/model/get_connection_response_body.py of oapi-sdk-python."""
        return _ok({"online_instance_cnt": len(self.link.sockets)})

    def _chat(self, call: Call) -> web.StreamResponse:
        chat = call.path.rpartition("/")[2]
        return _ok({"chat_id": chat, "name": "群", "chat_mode": "group"})

    # --- messages -------------------------------------------------------------------------------

    def _send(self, call: Call) -> web.StreamResponse:
        target = call.body["receive_id"]
        if call.query["receive_id_type"] == "open_id":
            target = f"oc_p2p_{target}"
        return self._new(call, target)

    def _reply(self, call: Call) -> web.StreamResponse:
        parent_id = call.path.split("/")[-2]
        parent = self.messages.get(parent_id)
        if parent is not None and parent.recalled:
            raise RefusedError(230011, "The message was withdrawn.")
        delivery = next(
            (
                d.payload["event"]["message"]
                for d in self.link.deliveries.values()
                if d.payload["event"].get("message", {}).get("message_id") == parent_id
            ),
            None,
        )
        if parent is None and delivery is None:
            raise RefusedError(230011, "no such message")
        chat_id = parent.chat_id if parent else delivery["chat_id"] if delivery else ""
        return self._new(call, chat_id, parent_id=parent_id)

    def _new(self, call: Call, chat_id: str, *, parent_id: str = "") -> web.StreamResponse:
        if chat_id in self.gone:
            raise RefusedError(self.gone[chat_id], "Bot/User can NOT be out of the chat.")
        uuid = call.body.get("uuid", "")
        if len(uuid) > 50:
            raise RefusedError(BAD_PARAMETER, "uuid too long")
        if uuid:
            known = next((m for m in self.shown if m.uuid == uuid), None)
            if known is not None:
                return _ok({"message_id": known.message_id, "chat_id": chat_id})
        self._count(chat_id)
        kind, content, card_id = self._content(call)
        message = Message(
            message_id=f"om_bot{next(self._numbers)}",
            chat_id=chat_id,
            kind=kind,
            content=content,
            card_id=card_id,
            uuid=uuid,
            parent_id=parent_id,
            thread_id="omt_1" if str(call.body.get("reply_in_thread")) == "True" else "",
            entities=self.cards,
        )
        self.messages[message.message_id] = message
        self.shown.append(message)
        return _ok({"message_id": message.message_id, "chat_id": chat_id})

    def _content(self, call: Call) -> tuple[str, Json, str]:
        kind, content = call.body["msg_type"], call.body["content"]
        if kind == "interactive":
            given = json.loads(content)
            if given.get("type") == "card":
                card_id = given["data"]["card_id"]
                if card_id not in self.cards:
                    raise RefusedError(BAD_PARAMETER, "no such card")
                return kind, {}, card_id
            return kind, check_card(content), ""
        limit = MAX_TEXT_BYTES if kind == "text" else 30 * 1024
        if len(content.encode()) > limit:
            raise RefusedError(TOO_LONG, "The length of the message content reaches its limit.")
        return kind, json.loads(content), ""

    def _count(self, chat_id: str) -> None:
        if self.per_chat is None:
            return
        times, now = self._sent_at[chat_id], self.clock()
        while times and times[0] <= now - 1:
            times.popleft()
        if len(times) >= self.per_chat:
            raise RefusedError(CHAT_RATE, "This operation triggers the frequency limit.")
        times.append(now)

    def _patch(self, call: Call) -> web.StreamResponse:
        message = self.messages.get(call.path.rpartition("/")[2])
        if message is None or message.recalled:
            raise RefusedError(230011, "The message was withdrawn.")
        if message.kind != "interactive":
            raise RefusedError(BAD_PARAMETER, "not a card")
        if message.card_id:
            raise RefusedError(BAD_PARAMETER, "a card entity is changed by cardkit")  # a guess
        message.content = check_card(call.body["content"])
        message.edits += 1
        return _ok({})

    def _reaction(self, call: Call) -> web.StreamResponse:
        message_id = call.path.split("/")[-2]
        self.reactions[message_id].append(call.body["reaction_type"]["emoji_type"])
        return _ok({"reaction_id": f"r{next(self._numbers)}"})

    def _unreaction(self, call: Call) -> web.StreamResponse:
        self.reactions[call.path.split("/")[-3]].pop()
        return _ok({})

    # --- files ----------------------------------------------------------------------------------

    def _image(self, call: Call) -> web.StreamResponse:
        data = call.files["image"]
        if not data or len(data) > 10 * 2**20:
            raise RefusedError(234006, "The file size exceed the max value.")
        key = f"img_v3_{next(self._numbers)}"
        self.images[key] = data
        return _ok({"image_key": key})

    def _file(self, call: Call) -> web.StreamResponse:
        if not call.files["file"]:
            raise RefusedError(234010, "File's size can't be 0.")
        return _ok({"file_key": f"file_v3_{next(self._numbers)}"})

    def _resource(self, call: Call) -> web.StreamResponse:
        _, _, _, message_id, _, key = call.path.split("/")
        data = self.resources.get((message_id, key))
        if data is None or call.query.get("type") not in {"image", "file"}:
            raise RefusedError(234003, "File not in msg.")
        return web.Response(body=data, content_type="application/octet-stream")

    # --- CardKit --------------------------------------------------------------------------------

    def _card_create(self, call: Call) -> web.StreamResponse:
        card = check_card(call.body["data"])
        card_id = f"73{next(self._numbers):016}"
        streaming = bool(card.get("config", {}).get("streaming_mode"))
        self.cards[card_id] = Entity(card, self.clock(), streaming=streaming)
        return _ok({"card_id": card_id})

    def _entity(self, call: Call) -> Entity:
        entity = self.cards.get(call.path.split("/")[3])
        if entity is None:
            raise RefusedError(BAD_PARAMETER, "no such card")
        sequence = int(call.body["sequence"])
        if not 0 < sequence < 2**31:
            raise RefusedError(BAD_PARAMETER, "sequence is no positive int32")
        if sequence <= entity.sequence:
            raise RefusedError(SEQUENCE, "sequence number compare failed")
        return entity

    def _card_content(self, call: Call) -> web.StreamResponse:
        entity = self._entity(call)
        if entity.streaming and self.clock() - entity.created_at > STREAM_SECONDS:
            entity.streaming = False
            raise RefusedError(STREAM_TIMEOUT, "card streaming timeout")
        if not entity.streaming:
            raise RefusedError(STREAM_CLOSED, "streaming mode is closed")
        entity.sequence = int(call.body["sequence"])
        element_id = call.path.split("/")[5]
        for element in walk(entity.card):
            if element.get("element_id") == element_id:
                element["content"] = call.body["content"]
        return _ok({})

    def _card_settings(self, call: Call) -> web.StreamResponse:
        entity = self._entity(call)
        entity.sequence = int(call.body["sequence"])
        config = json.loads(call.body["settings"])["config"]
        entity.streaming = bool(config.get("streaming_mode", entity.streaming))
        return _ok({})

    def _card_update(self, call: Call) -> web.StreamResponse:
        entity = self._entity(call)
        entity.card = check_card(call.body["card"]["data"])
        entity.sequence = int(call.body["sequence"])
        entity.streaming = bool(entity.card.get("config", {}).get("streaming_mode"))
        for message in self.shown:
            message.edits += message.card_id == call.path.split("/")[3]
        return _ok({})

    def _id_convert(self, call: Call) -> web.StreamResponse:
        message = self.messages.get(call.body["message_id"])
        if message is None or not message.card_id:
            raise RefusedError(BAD_PARAMETER, "not a card entity")
        return _ok({"card_id": message.card_id})


_OPERATIONS = (
    ("POST", "auth/v3/tenant_access_token/internal", "token"),
    ("GET", "bot/v3/info", "bot_info"),
    ("POST", "contact/v3/users/basic_batch", "users"),
    ("GET", "application/v6/applications/[^/]+", "application"),
    ("GET", "event/v1/connection", "connection"),
    ("POST", "im/v1/messages", "send"),
    ("POST", "im/v1/messages/[^/]+/reply", "reply"),
    ("PATCH", "im/v1/messages/[^/]+", "patch"),
    ("POST", "im/v1/messages/[^/]+/reactions", "reaction"),
    ("DELETE", "im/v1/messages/[^/]+/reactions/[^/]+", "unreaction"),
    ("GET", "im/v1/messages/[^/]+/resources/[^/]+", "resource"),
    ("GET", "im/v1/chats/[^/]+", "chat"),
    ("POST", "im/v1/images", "image"),
    ("POST", "im/v1/files", "file"),
    ("POST", "cardkit/v1/cards", "card_create"),
    ("POST", "cardkit/v1/cards/id_convert", "id_convert"),
    ("PUT", "cardkit/v1/cards/[^/]+", "card_update"),
    ("PATCH", "cardkit/v1/cards/[^/]+/settings", "card_settings"),
    ("PUT", "cardkit/v1/cards/[^/]+/elements/[^/]+/content", "card_content"),
)


def _operation(method: str, path: str) -> str:
    for known, pattern, operation in _OPERATIONS:
        if method == known and re.fullmatch(pattern, path):
            return operation
    return "unknown"


def _ok(data: Json) -> web.Response:
    return web.json_response({"code": 0, "msg": "success", "data": data})


def _refused(code: int, msg: str, *, status: int = 400) -> web.Response:
    return web.json_response({"code": code, "msg": msg}, status=status)


def _post_text(content: Json) -> str:
    inner = next(iter(content.values()))
    return "\n".join("".join(str(n.get("text", "")) for n in line) for line in inner["content"])


async def _by_hand(port: int) -> None:
    api = Feishu()
    async with api.serving(port) as base:
        say(f"FEISHU_DOMAIN={base} FEISHU_APP_ID={APP_ID} FEISHU_APP_SECRET={APP_SECRET}")
        seen: dict[str, str] = {}
        while True:
            line = (await asyncio.to_thread(sys.stdin.readline)).strip()
            if not line:
                return
            labels = api.last().labels if api.shown else []
            if line[:1] == "!" and line[1:].isdecimal() and 0 < int(line[1:]) <= len(labels):
                api.press(api.last(), labels[int(line[1:]) - 1])
            else:
                api.say(line)
            await asyncio.sleep(1)
            for message in api.shown:
                buttons = " ".join(f"[{n}:{label}]" for n, label in enumerate(message.labels, 1))
                looks = f"{message.plain}\n{buttons}"
                if seen.get(message.message_id) != looks:  # new, or repainted
                    say(looks)
                seen[message.message_id] = looks


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201  # a program for the terminal


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, default=8082)
    asyncio.run(_by_hand(options.parse_args().port))

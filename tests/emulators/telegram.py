"""The Bot API over real HTTP, for tests and for trying things by hand.

``python -m tests.emulators.telegram --port 8081`` and then, in another shell, the bot with
``TELEGRAM_API_BASE=http://127.0.0.1:8081 TELEGRAM_BOT_TOKEN=42:test``. Lines typed into the
emulator are said by one person; ``!3`` presses the third button of the newest message.

Source: https://core.telegram.org/bots/api
"""

import argparse
import asyncio
import json
import sys
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web

from tests.emulators.telegram_rules import (
    MAX_CAPTION,
    MAX_TEXT,
    MAX_TOAST,
    RefusedError,
    keyboard,
    plain_text,
    read_rich,
    units,
)

TOKEN = "4242424242:AAtesttesttesttesttesttesttesttest0"  # noqa: S105  # of the emulator
USERNAME = "switch_bot"
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105
PRIVATE, GROUP = 1001, -100500
NEWER = {"sendRichMessage", "sendMessageDraft"}
"""What a server of an older Bot API does not have."""

Json = dict[str, Any]
Fault = Callable[["Call"], Awaitable[web.StreamResponse | None]]


@dataclass(slots=True)
class Call:
    """One call of ours as it came in."""

    method: str
    fields: dict[str, str]
    files: dict[str, bytes] = field(default_factory=dict)
    at: float = 0.0
    refused: str = ""


@dataclass(slots=True)
class Message:
    """A message as people see it."""

    chat_id: int
    message_id: int
    plain: str
    html: str = ""
    buttons: list[list[dict[str, str]]] = field(default_factory=list)
    keyboard: list[list[str]] | None = None
    photo: bytes | None = None
    reply_to: int | None = None
    table: list[list[str]] | None = None
    edits: int = 0

    def token(self, label: str) -> str:
        for row in self.buttons:
            for button in row:
                if button["text"] == label:
                    return button["callback_data"]
        raise LookupError(f"no button {label!r} among {self.labels}")

    @property
    def labels(self) -> list[str]:
        return [button["text"] for row in self.buttons for button in row]


class Changes:
    """Tells waiters that something changed; one who asks before it happens never misses it."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def tell(self) -> None:
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)

    async def next(self, seconds: float) -> None:
        """Return at the next change, or after so long."""
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.add(waiter)
        try:
            await asyncio.wait({waiter}, timeout=seconds)
        finally:
            self._waiting.discard(waiter)


class BotApi:
    """One bot's side of the platform."""

    def __init__(self, token: str = TOKEN, *, clock: Callable[[], float] = time.time) -> None:
        self.token = token
        self.clock = clock
        self.calls: list[Call] = []
        self.messages: dict[tuple[int, int], Message] = {}
        self.shown: list[Message] = []
        self.toasts: dict[str, str] = {}
        self.answered: set[str] = set()
        self.commands: dict[str, list[Json]] = {}
        self.files: dict[str, tuple[str, bytes, int]] = {}
        self.faults: defaultdict[str, deque[Fault]] = defaultdict(deque)
        self.webhook: dict[str, str] = {}
        self.moved: dict[int, int] = {}
        self.blocked: set[int] = set()
        self.flood: tuple[int, float] | None = None
        self.changed = Changes()
        self.reads_all = False
        self.is_old = False
        self.drafts: dict[int, str] = {}
        self.base = ""
        self._updates: list[Json] = []
        self._next_update = 100
        self._next_message = 10
        self._last_poll: tuple[float, object] | None = None
        self._sends: deque[float] = deque()
        self._runner: web.AppRunner | None = None

    # --- the platform's people --------------------------------------------------------------

    def user(self, who: int = PRIVATE, **more: object) -> Json:
        return {
            "id": who,
            "is_bot": False,
            "first_name": f"P{who}",
            "language_code": "zh-hans",
        } | more

    def say(
        self,
        text: str,
        *,
        who: int = PRIVATE,
        chat: int | None = None,
        update_id: int | None = None,
        deliver: bool = True,
        message_id: int | None = None,
        edited: bool = False,
        **more: object,
    ) -> Json:
        """Let a person write; mentions of the bot become entities, as on the platform."""
        message = self.message(who=who, chat=chat, message_id=message_id, text=text, **more)
        if not text:
            del message["text"]
        mention = f"@{USERNAME}"
        for name in ("text", "caption"):
            words = str(message.get(name, ""))
            at = words.find(mention)
            if at >= 0 and not words.startswith("/"):
                offset = units(words[:at])
                entity = {"type": "mention", "offset": offset, "length": len(mention)}
                message["entities" if name == "text" else "caption_entities"] = [entity]
        if edited:
            message["edit_date"] = int(self.clock())
        return self.push(
            {"edited_message" if edited else "message": message},
            update_id=update_id,
            deliver=deliver,
        )

    def message(
        self, *, who: int, chat: int | None = None, message_id: int | None = None, **more: object
    ) -> Json:
        chat_id = who if chat is None else chat
        if message_id is None:
            message_id = self._next_message
            self._next_message += 1
        kind = "private" if chat_id > 0 else "supergroup"
        return {
            "message_id": message_id,
            "date": int(self.clock()),
            "chat": {"id": chat_id, "type": kind},
            "from": self.user(who),
            **more,
        }

    def press(self, message: Message, label: str, *, who: int | None = None) -> str:
        """Let a person press a button; return the id of the query."""
        who = who or (message.chat_id if message.chat_id > 0 else PRIVATE)
        return self.press_data(message, message.token(label), who=who)

    def press_data(self, message: Message, data: str, *, who: int = PRIVATE) -> str:
        query_id = f"q{self._next_update}"
        kind = "private" if message.chat_id > 0 else "supergroup"
        self.push(
            {
                "callback_query": {
                    "id": query_id,
                    "from": self.user(who),
                    "chat_instance": "1",
                    "data": data,
                    "message": {
                        "message_id": message.message_id,
                        "date": 0,
                        "chat": {"id": message.chat_id, "type": kind},
                    },
                }
            }
        )
        return query_id

    def photo(self, data: bytes = b"\xff\xd8jpeg", size: int | None = None) -> list[Json]:
        """Return the photo field of a message, kept for getFile."""
        file_id = f"photo{len(self.files)}"
        self.files[file_id] = (f"photos/{file_id}.jpg", data, len(data) if size is None else size)
        return [
            {"file_id": f"{file_id}s", "width": 90, "height": 90},
            {"file_id": file_id, "width": 900, "height": 900, "file_size": self.files[file_id][2]},
        ]

    def push(self, content: Json, *, update_id: int | None = None, deliver: bool = True) -> Json:
        if update_id is None:
            update_id = self._next_update
        self._next_update = max(self._next_update, update_id + 1)
        update = {"update_id": update_id, **content}
        if deliver:
            self._updates.append(update)
            self.changed.tell()
        return update

    @property
    def waiting(self) -> int:
        """How many updates have not been acknowledged."""
        return len(self._updates)

    def texts(self, chat: int = PRIVATE) -> list[str]:
        """What a chat shows, from the first to the newest."""
        return [message.plain for message in self.shown if message.chat_id == chat]

    def last(self, chat: int = PRIVATE) -> Message:
        return [message for message in self.shown if message.chat_id == chat][-1]

    def count(self, method: str) -> int:
        return sum(call.method == method for call in self.calls)

    # --- faults -----------------------------------------------------------------------------

    def fail(
        self, method: str, code: int, description: str, *, times: int = 1, **parameters: int
    ) -> None:
        """Refuse the next calls of a method."""

        async def fault(_call: Call) -> web.StreamResponse:
            raise RefusedError(description, code, **parameters)

        self.faults[method].extend([fault] * times)

    def flood_wait(self, method: str, retry_after: int, *, times: int = 1) -> None:
        self.fail(
            method,
            429,
            f"Too Many Requests: retry after {retry_after}",
            times=times,
            retry_after=retry_after,
        )

    def html_page(self, method: str, status: int = 502) -> None:
        """Answer the next call as a gateway would."""

        async def fault(_call: Call) -> web.StreamResponse:
            return web.Response(status=status, text="<html>Bad Gateway</html>")

        self.faults[method].append(fault)

    def reset(self, method: str, *, after_work: bool = False) -> None:
        """Cut the connection of the next call, before or after doing what it asks."""

        async def fault(call: Call) -> web.StreamResponse | None:
            if after_work:
                await self._work(call)
            raise ConnectionResetError

        self.faults[method].append(fault)

    def hang(self, method: str) -> asyncio.Event:
        """Never answer the next call, until the returned event is set."""
        release = asyncio.Event()

        async def fault(_call: Call) -> web.StreamResponse | None:
            await release.wait()
            return None

        self.faults[method].append(fault)
        return release

    # --- HTTP -------------------------------------------------------------------------------

    @asynccontextmanager
    async def serving(self, port: int = 0) -> AsyncIterator[str]:
        """Serve; yields the API base."""
        app = web.Application(client_max_size=60 * 2**20)
        app.router.add_route("*", "/bot{token}/{method}", self._handle)
        app.router.add_get("/file/bot{token}/{path:.*}", self._file)
        app.router.add_post("/type", self._type)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        self.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield self.base
        finally:
            await runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["token"] != self.token:
            return _error(RefusedError("Unauthorized", 401))
        call = await _read(request)
        call.at = time.monotonic()
        self.calls.append(call)
        try:
            queue = self.faults.get(call.method)
            if queue:
                answer = await queue.popleft()(call)
                if answer is not None:
                    return answer
            result = await self._work(call)
        except RefusedError as refusal:
            call.refused = refusal.description
            return _error(refusal)
        except ConnectionResetError:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        finally:
            self.changed.tell()
        return web.json_response({"ok": True, "result": result})

    async def _work(self, call: Call) -> object:
        handler = getattr(self, f"_{call.method}", None)
        if self.is_old and call.method in NEWER:
            handler = None
        if handler is None:
            raise RefusedError("Not Found: method not found", 404)
        result = handler(call.fields, call)
        return await result if asyncio.iscoroutine(result) else result

    async def _file(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["token"] != self.token:
            return web.Response(status=404)
        for path, data, _ in self.files.values():
            if path == request.match_info["path"]:
                return web.Response(body=data)
        return web.Response(status=404)

    async def _type(self, request: web.Request) -> web.Response:
        """Say something by hand: ``curl -d 'text=午饭35' http://127.0.0.1:8081/type``."""
        form = await request.post()
        return web.json_response(
            self.say(str(form["text"]), who=int(str(form.get("who", PRIVATE))))
        )

    # --- methods ----------------------------------------------------------------------------

    def _getMe(self, _fields: dict[str, str], _call: Call) -> Json:  # noqa: N802
        return {
            "id": int(self.token.partition(":")[0]),
            "is_bot": True,
            "first_name": "Switchboard",
            "username": USERNAME,
            "can_read_all_group_messages": self.reads_all,
        }

    async def _getUpdates(self, fields: dict[str, str], call: Call) -> list[Json]:  # noqa: N802
        if self.webhook.get("url"):
            raise RefusedError(
                "Conflict: can't use getUpdates method while webhook is active; "
                "use deleteWebhook to delete the webhook first",
                409,
            )
        offset = int(fields.get("offset") or 0)
        until = time.monotonic() + min(float(fields.get("timeout") or 0), 50)
        self._updates = [u for u in self._updates if u["update_id"] >= offset]
        while not self._updates and time.monotonic() < until:
            await self.changed.next(until - time.monotonic())
        del call
        return self._updates[: int(fields.get("limit") or 100)]

    def _setWebhook(self, fields: dict[str, str], _call: Call) -> bool:  # noqa: N802
        self.webhook = {"url": fields["url"], "secret": fields.get("secret_token", "")}
        return True

    def _deleteWebhook(self, _fields: dict[str, str], _call: Call) -> bool:  # noqa: N802
        self.webhook = {}
        return True

    def _getWebhookInfo(self, _fields: dict[str, str], _call: Call) -> Json:  # noqa: N802
        return {"url": self.webhook.get("url", ""), "pending_update_count": len(self._updates)}

    def _sendMessage(self, fields: dict[str, str], _call: Call) -> Json:  # noqa: N802
        plain = plain_text(fields, "text", MAX_TEXT)
        return self._show(fields, plain, html=fields["text"])

    def _sendMessageDraft(self, fields: dict[str, str], _call: Call) -> bool:  # noqa: N802
        chat_id = self._chat(fields)
        if chat_id < 0:
            raise RefusedError("Bad Request: TEXTDRAFT_PEER_INVALID")
        if not int(fields["draft_id"]):
            raise RefusedError("Bad Request: draft_id must be non-zero")
        self.drafts[chat_id] = plain_text(fields, "text", MAX_TEXT)
        return True

    def _sendRichMessage(self, fields: dict[str, str], _call: Call) -> Json:  # noqa: N802
        html = json.loads(fields["rich_message"])["html"]
        plain, table = read_rich(html)
        shown = self._show(fields, plain, html=html)
        self.shown[-1].table = table
        return shown

    def _sendPhoto(self, fields: dict[str, str], call: Call) -> Json:  # noqa: N802
        plain = plain_text(fields, "caption", MAX_CAPTION)
        photo = call.files[fields["photo"].removeprefix("attach://")]
        if not photo or len(photo) > 10 * 2**20:
            raise RefusedError("Request Entity Too Large", 413)
        return self._show(fields, plain, html=fields.get("caption", ""), photo=photo)

    def _sendDocument(self, fields: dict[str, str], call: Call) -> Json:  # noqa: N802
        plain = plain_text(fields, "caption", MAX_CAPTION)
        document = call.files[fields["document"].removeprefix("attach://")]
        if not document or len(document) > 50 * 2**20:
            raise RefusedError("Request Entity Too Large", 413)
        return self._show(fields, plain, html=fields.get("caption", ""), photo=document)

    def _show(
        self, fields: dict[str, str], plain: str, *, html: str, photo: bytes | None = None
    ) -> Json:
        chat_id = self._chat(fields)
        buttons = keyboard(fields)
        self._flood_check()
        self.drafts.pop(chat_id, None)
        message_id = self._next_message
        self._next_message += 1
        reply = json.loads(fields["reply_parameters"]) if fields.get("reply_parameters") else {}
        markup = json.loads(fields["reply_markup"]) if fields.get("reply_markup") else {}
        message = Message(chat_id, message_id, plain, html, buttons, photo=photo)
        message.reply_to = reply.get("message_id")
        if "keyboard" in markup:
            message.keyboard = [[key["text"] for key in row] for row in markup["keyboard"]]
        elif markup.get("remove_keyboard"):
            message.keyboard = []
        self.messages[chat_id, message_id] = message
        self.shown.append(message)
        return self._as_json(message)

    def _as_json(self, message: Message) -> Json:
        kind = "private" if message.chat_id > 0 else "supergroup"
        return {
            "message_id": message.message_id,
            "date": int(self.clock()),
            "chat": {"id": message.chat_id, "type": kind},
            "text": message.plain,
        }

    def _chat(self, fields: dict[str, str]) -> int:
        chat_id = int(fields["chat_id"])
        if chat_id in self.moved:
            raise RefusedError(
                "Bad Request: group chat was upgraded to a supergroup chat",
                400,
                migrate_to_chat_id=self.moved[chat_id],
            )
        if chat_id in self.blocked:
            raise RefusedError("Forbidden: bot was blocked by the user", 403)
        return chat_id

    def _flood_check(self) -> None:
        if self.flood is None:
            return
        now = time.monotonic()
        most, seconds = self.flood
        while self._sends and now - self._sends[0] > seconds:
            self._sends.popleft()
        if len(self._sends) >= most:
            raise RefusedError("Too Many Requests: retry after 1", 429, retry_after=1)
        self._sends.append(now)

    def _edited(self, fields: dict[str, str]) -> Message:
        message = self.messages.get((self._chat(fields), int(fields["message_id"])))
        if message is None:
            raise RefusedError("Bad Request: message to edit not found")
        return message

    def _editMessageText(self, fields: dict[str, str], _call: Call) -> Json:  # noqa: N802
        message = self._edited(fields)
        plain = plain_text(fields, "text", MAX_TEXT)
        buttons = keyboard(fields)
        if message.photo is not None:
            raise RefusedError("Bad Request: there is no text in the message to edit")
        if (plain, buttons) == (message.plain, message.buttons):
            raise RefusedError(
                "Bad Request: message is not modified: specified new message content and reply "
                "markup are exactly the same as a current content and reply markup of the message"
            )
        message.plain, message.html, message.buttons = plain, fields["text"], buttons
        message.edits += 1
        return self._as_json(message)

    def _editMessageReplyMarkup(self, fields: dict[str, str], _call: Call) -> Json:  # noqa: N802
        message = self._edited(fields)
        buttons = keyboard(fields)
        if buttons == message.buttons:
            raise RefusedError("Bad Request: message is not modified")
        message.buttons = buttons
        message.edits += 1
        return self._as_json(message)

    def _answerCallbackQuery(self, fields: dict[str, str], _call: Call) -> bool:  # noqa: N802
        if units(fields.get("text", "")) > MAX_TOAST:
            raise RefusedError("Bad Request: MESSAGE_TOO_LONG")
        self.toasts[fields["callback_query_id"]] = fields.get("text", "")
        self.answered.add(fields["callback_query_id"])
        return True

    def _sendChatAction(self, fields: dict[str, str], _call: Call) -> bool:  # noqa: N802
        self._chat(fields)
        return True

    def _setMyCommands(self, fields: dict[str, str], _call: Call) -> bool:  # noqa: N802
        self.commands[fields.get("language_code", "")] = json.loads(fields["commands"])
        return True

    def _getFile(self, fields: dict[str, str], _call: Call) -> Json:  # noqa: N802
        if fields["file_id"] not in self.files:
            raise RefusedError("Bad Request: wrong file_id or the file is temporarily unavailable")
        path, _, size = self.files[fields["file_id"]]
        if size > 20 * 2**20:
            raise RefusedError("Bad Request: file is too big")
        return {"file_id": fields["file_id"], "file_size": size, "file_path": path}

    async def post_webhook(self, update: Json, *, secret: str | None = None, url: str = "") -> int:
        """Post an update as the platform does; return the status."""
        headers = {SECRET_HEADER: self.webhook.get("secret", "") if secret is None else secret}
        async with (
            aiohttp.ClientSession() as session,
            session.post(url or self.webhook["url"], json=update, headers=headers) as response,
        ):
            return response.status


async def _read(request: web.Request) -> Call:
    fields: dict[str, str] = {k: str(v) for k, v in request.query.items()}
    files: dict[str, bytes] = {}
    if request.content_type == "application/json":
        for name, value in (await request.json()).items():
            fields[name] = value if isinstance(value, str) else json.dumps(value)
    else:
        for name, value in (await request.post()).items():
            if isinstance(value, web.FileField):
                files[name] = value.file.read()
            elif isinstance(value, bytes | bytearray):
                files[name] = bytes(value)
            else:
                fields[name] = str(value)
    return Call(request.match_info["method"], fields, files)


def _error(refusal: RefusedError) -> web.Response:
    body: Json = {"ok": False, "error_code": refusal.code, "description": refusal.description}
    if refusal.parameters:
        body["parameters"] = refusal.parameters
    return web.json_response(body, status=refusal.code)


def typed(api: BotApi, words: str) -> None:
    """Press the button of the last message that ``!2`` numbers, or say the words."""
    if not (words.startswith("!") and words[1:].isdecimal()):
        api.say(words)
        return
    labels = api.last().labels if api.shown else []
    if 0 < int(words[1:]) <= len(labels):
        api.press(api.last(), labels[int(words[1:]) - 1])
    else:
        print("no such button under the last message", flush=True)  # noqa: T201


async def _by_hand(port: int) -> None:
    api = BotApi("42:test")
    async with api.serving(port) as base:
        print(f"TELEGRAM_API_BASE={base} TELEGRAM_BOT_TOKEN=42:test", flush=True)  # noqa: T201
        asyncio.create_task(_print_changes(api))  # noqa: RUF006
        while line := await asyncio.to_thread(sys.stdin.readline):
            words = line.strip()
            if words:
                typed(api, words)


async def _print_changes(api: BotApi) -> None:
    seen: dict[tuple[int, int], tuple[str, list[str]]] = {}
    while True:
        for key, message in list(api.messages.items()):
            state = (message.plain, message.labels)
            if seen.get(key) != state:
                seen[key] = state
                print(f"[{key[1]}] {message.plain}\n    {message.labels}", flush=True)  # noqa: T201
        await asyncio.sleep(0.1)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--port", type=int, default=8081)
    asyncio.run(_by_hand(arguments.parse_args().port))

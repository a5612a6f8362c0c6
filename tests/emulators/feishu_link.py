"""How the platform delivers: frames over a WebSocket, or posts to a webhook, until acknowledged.

The connections of an app are a cluster: each event goes to one of them, by chance.

Source: https://open.feishu.cn/document/server-docs/event-subscription-guide/overview (retries),
https://open.feishu.cn/document/server-docs/event-subscription-guide/event-subscription-configure-/encrypt-key-encryption-configuration-case
(signature and encryption).
"""

import asyncio
import base64
import hashlib
import json
import random
import secrets
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import WSMsgType, web
from Crypto.Cipher import AES

from adapters.feishu.frames import CONTROL, DATA, Frame, decode, encode

Json = dict[str, Any]
SERVICE = 33554678
REPEAT_SECONDS = 0.1
"""What 15 s, 5 min, 1 h and 6 h shrink to where nobody turns a clock."""


@dataclass(slots=True)
class Delivery:
    """One event on its way.

    Attributes:
        acks: status codes that came back, newest last.
        answer: what a callback was answered.
    """

    event_id: str
    payload: Json
    kind: str = "event"
    repeats: bool = True
    acks: list[int] = field(default_factory=list)
    answer: Json | None = None
    sent: int = 0
    answered_after: float = 0.0

    @property
    def is_done(self) -> bool:
        return 200 in self.acks or (not self.repeats and bool(self.acks))


class Link:
    """Delivers to whoever is connected, or to the webhook.

    Attributes:
        silent: take frames and answer none, not even pings.
        parts: into how many fragments a payload is cut.
    """

    def __init__(self, *, encrypt_key: str, verification_token: str) -> None:
        self.encrypt_key = encrypt_key
        self.verification_token = verification_token
        self.sockets: list[web.WebSocketResponse] = []
        self.deliveries: dict[str, Delivery] = {}
        self.silent = False
        self.parts = 1
        self.pings = 0
        self.connections = 0
        self.webhook_url = ""
        self.config: Json = {
            "ReconnectCount": -1,
            "ReconnectInterval": 120,
            "ReconnectNonce": 30,
            "PingInterval": 120,
        }
        self.clock_ms: Callable[[], int] = lambda: 0
        self._chance = random.Random(8)  # noqa: S311  # a choice, no secret
        self._flights: dict[str, tuple[str, float]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        return sum(not delivery.is_done for delivery in self.deliveries.values())

    def deliver(self, payload: Json, *, kind: str = "event", repeats: bool = True) -> Delivery:
        event_id = payload["header"]["event_id"] + ("" if repeats else uuid.uuid4().hex[:4])
        known = self.deliveries.get(event_id)
        delivery = known or Delivery(event_id, payload, kind=kind, repeats=repeats)
        self.deliveries[event_id] = delivery
        self.start(self._deliver(delivery))
        return delivery

    def again(self, delivery: Delivery, *, event_id: str | None = None) -> Delivery:
        """Deliver once more, as the platform does when it is not sure; maybe as a new event."""
        if event_id is None:
            self.start(self._deliver(delivery, once=True))
            return delivery
        header = {**delivery.payload["header"], "event_id": event_id}
        return self.deliver({**delivery.payload, "header": header}, kind=delivery.kind)

    def start(self, work: Any) -> None:  # noqa: ANN401  # a coroutine
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.drop()

    async def drop(self) -> None:
        """Close all connections."""
        for socket in tuple(self.sockets):
            with suppress(Exception):
                await asyncio.wait_for(socket.close(), 1)

    async def _deliver(self, delivery: Delivery, *, once: bool = False) -> None:
        if self.webhook_url:
            await self._post_until_taken(delivery, once=once)
        elif self.sockets:
            await self._send(delivery, self._chance.choice(self.sockets))

    # --- the long connection -------------------------------------------------------------------

    async def socket(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=32 * 2**20)
        await socket.prepare(request)
        self.sockets.append(socket)
        self.connections += 1
        for delivery in list(self.deliveries.values()):
            if not delivery.is_done and delivery.repeats:
                self.start(self._send(delivery, socket))
        try:
            async for message in socket:
                if message.type is WSMsgType.BINARY and not self.silent:
                    await self._heard(socket, decode(message.data))
        finally:
            self.sockets.remove(socket)
        return socket

    async def _heard(self, socket: web.WebSocketResponse, frame: Frame) -> None:
        if frame.method == CONTROL and frame.headers.get("type") == "ping":
            self.pings += 1
            pong = Frame(
                method=CONTROL,
                service=frame.service,
                headers={"type": "pong"},
                payload=json.dumps(self.config).encode(),
            )
            await socket.send_bytes(encode(pong))
        elif frame.method == DATA:
            self._acknowledged(frame)

    def _acknowledged(self, frame: Frame) -> None:
        assert "biz_rt" in frame.headers
        event_id, begun = self._flights[frame.headers["message_id"]]
        delivery = self.deliveries[event_id]
        answer = json.loads(frame.payload)
        delivery.acks.append(answer["code"])
        delivery.answered_after = asyncio.get_running_loop().time() - begun
        if answer.get("data"):
            delivery.answer = json.loads(base64.b64decode(answer["data"]))

    async def _send(self, delivery: Delivery, socket: web.WebSocketResponse) -> None:
        if self.silent:
            return
        flight = uuid.uuid4().hex
        self._flights[flight] = (delivery.event_id, asyncio.get_running_loop().time())
        delivery.sent += 1
        data = json.dumps(delivery.payload, ensure_ascii=False).encode()
        size = -(-len(data) // self.parts)
        for number in range(self.parts):
            headers = {
                "type": delivery.kind,
                "message_id": flight,
                "sum": str(self.parts),
                "seq": str(number),
                "trace_id": "trace",
            }
            frame = Frame(
                method=DATA,
                service=SERVICE,
                headers=headers,
                payload=data[number * size : (number + 1) * size],
                seq=7,
                log=9,
            )
            with suppress(ConnectionError):
                await socket.send_bytes(encode(frame))

    # --- the webhook ---------------------------------------------------------------------------

    async def _post_until_taken(self, delivery: Delivery, *, once: bool) -> None:
        while True:
            begun = asyncio.get_running_loop().time()
            try:
                status, answer = await self.post(delivery.payload)
            except (aiohttp.ClientError, TimeoutError):
                status, answer = 0, None
            delivery.sent += 1
            delivery.acks.append(status)
            delivery.answered_after = asyncio.get_running_loop().time() - begun
            if answer is not None:
                delivery.answer = answer
            if delivery.is_done or once:
                return
            await asyncio.sleep(REPEAT_SECONDS)

    async def post(
        self,
        payload: Json,
        *,
        encrypt: bool | None = None,
        sign: bool = True,
        age_seconds: float = 0.0,
        headers: dict[str, str] | None = None,
        lower: bool = False,
    ) -> tuple[int, Json | None]:
        """Post to the webhook; return the status and the answer."""
        encrypt = bool(self.encrypt_key) if encrypt is None else encrypt
        body: Json = {"encrypt": encrypted(payload, self.encrypt_key)} if encrypt else payload
        raw = json.dumps(body, ensure_ascii=False).encode()
        given: dict[str, str] = {"Content-Type": "application/json; charset=utf-8"}
        if sign and self.encrypt_key:
            timestamp = str(int(self.clock_ms() / 1000 - age_seconds))
            nonce = secrets.token_hex(8)
            text = (timestamp + nonce + self.encrypt_key).encode() + raw
            given |= {
                "X-Lark-Request-Timestamp": timestamp,
                "X-Lark-Request-Nonce": nonce,
                "X-Lark-Signature": hashlib.sha256(text).hexdigest(),
            }
        given |= headers or {}
        if lower:
            given = {name.lower(): value for name, value in given.items()}
        timeout = aiohttp.ClientTimeout(total=10)
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.post(self.webhook_url, data=raw, headers=given) as response,
        ):
            text_back = await response.text()
            answer = json.loads(text_back) if text_back.startswith("{") else None
            return response.status, answer


def encrypted(payload: Json, key: str) -> str:
    """Return the payload as the platform encrypts it: AES-256-CBC, key = sha256(encrypt key)."""
    data = json.dumps(payload, ensure_ascii=False).encode()
    padding = AES.block_size - len(data) % AES.block_size
    vector = secrets.token_bytes(AES.block_size)
    digest = hashlib.sha256(key.encode()).digest()
    cipher = AES.new(digest, AES.MODE_CBC, vector)
    sealed = cipher.encrypt(data + bytes([padding]) * padding)
    return base64.b64encode(vector + sealed).decode()

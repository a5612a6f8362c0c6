"""The long connection: frames in, acknowledged once the row is stored; it never stays deaf.

Source: ``ws/client.py`` of github.com/larksuite/oapi-sdk-python; that client drops its receiving
for good on a permanent code, answers nothing to ``card`` frames and never looks for a pong.
"""

import asyncio
import base64
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import aiohttp
import structlog
from pydantic import JsonValue, ValidationError

from adapters.feishu.client import Client, EndpointRefusedError
from adapters.feishu.frames import CONTROL, DATA, BrokenFrameError, Frame, decode, encode
from adapters.feishu.intake import Intake
from adapters.feishu.schemas import LinkConfig
from bot.core.errors import AdapterError, RetryableAdapterError
from bot.core.ports import Clock

IDLE = timedelta(minutes=30)
"""Connected, pongs, but no event for so long: a new connection is cheap, being deaf is not."""

LONGEST_PAUSE_SECONDS = 300.0
_FIRST_PAUSE_SECONDS = 1.0
_FRAGMENT_LIFE = timedelta(seconds=30)
_MOST_FRAGMENTS = 256
_AT_ONCE = 1000
"""Events being stored at the same time; a press behind them must not wait for a slow store."""

log = structlog.get_logger(__name__)


class _SilentError(Exception):
    """Nothing is heard any more: connect anew."""


class LongConnection:
    """Receives events for ever; no failure ends it.

    Attributes:
        trouble: what is wrong now, for the health page; empty when nothing is.
        connections: how often a connection was opened.
    """

    def __init__(
        self, *, client: Client, intake: Intake, clock: Clock, chance: Callable[[], float]
    ) -> None:
        """Prepare.

        Args:
            client: opens connections.
            intake: takes events.
            clock: the time.
            chance: a random number from 0 to 1, so that not all come back at once.
        """
        self._client = client
        self._intake = intake
        self._clock = clock
        self._chance = chance
        self._config = LinkConfig()
        self._heard_at = self._event_at = clock.now()
        self._fragments: dict[str, tuple[datetime, list[bytes | None]]] = {}
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self.trouble = "! not connected yet"
        self.connections = 0

    @property
    def silent_for(self) -> timedelta:
        """How long ago anything was heard."""
        return self._clock.now() - self._heard_at

    async def run(self) -> None:
        """Connect, receive, and connect again."""
        failures = 0
        while True:
            before = self.connections
            try:
                await self._once()
                why = "closed by the platform"
            except _SilentError:
                why = f"silent for {round(self.silent_for.total_seconds())} s"
            except EndpointRefusedError as error:
                why = f"refused: {error}"
                log.critical("long_connection_refused", reason=str(error))
            except AdapterError as error:
                why = str(error)
            failures = 0 if self.connections > before else failures + 1
            self.trouble = f"! not connected: {why}"
            pause = self._pause(failures)
            log.warning("long_connection_lost", why=why, pause=round(pause, 1))
            await self._clock.sleep(pause)

    def _pause(self, failures: int) -> float:
        """Return how long to wait: a random moment at first, then longer and longer."""
        if failures == 0:
            return self._chance() * self._config.ReconnectNonce
        limit = max(self._config.ReconnectInterval, _FIRST_PAUSE_SECONDS)
        grown: float = _FIRST_PAUSE_SECONDS * 2 ** min(failures, 10)
        return min(grown, limit, LONGEST_PAUSE_SECONDS) * (0.5 + self._chance() / 2)

    async def _once(self) -> None:
        """Hold one connection until it ends."""
        endpoint = await self._client.endpoint()
        if endpoint.ClientConfig is not None:
            self._config = endpoint.ClientConfig
        service = _service_of(endpoint.URL)
        socket = await self._client.connect(endpoint.URL)
        try:
            self._heard_at = self._event_at = self._clock.now()
            self.connections += 1
            self.trouble = ""
            await self._hold(socket, service)
        finally:
            with suppress(aiohttp.ClientError, TimeoutError, OSError):
                await socket.close()

    async def _hold(self, socket: aiohttp.ClientWebSocketResponse, service: int) -> None:
        receiving = asyncio.create_task(self._receive(socket))
        watching = asyncio.create_task(self._watch(socket, service))
        try:
            await asyncio.wait({receiving, watching}, return_when=asyncio.FIRST_COMPLETED)
            for task in (watching, receiving):
                if task.done():
                    task.result()
        finally:
            for task in (receiving, watching):
                task.cancel()
            await asyncio.gather(receiving, watching, return_exceptions=True)

    async def _watch(self, socket: aiohttp.ClientWebSocketResponse, service: int) -> None:
        """Send pings; one that a whole interval leaves without an answer ends the connection."""
        ping = encode(Frame(method=CONTROL, service=service, headers={"type": "ping"}))
        while True:
            asked_at = self._clock.now()
            try:
                await socket.send_bytes(ping)
            except (aiohttp.ClientError, OSError):
                return
            await self._clock.sleep(self._config.PingInterval)
            if self._heard_at < asked_at or self._clock.now() - self._event_at >= IDLE:
                raise _SilentError

    async def _receive(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async with asyncio.TaskGroup() as tasks:
            async for message in socket:
                self._heard_at = self._clock.now()
                if message.type is not aiohttp.WSMsgType.BINARY:
                    continue
                try:
                    frame = decode(message.data)
                except BrokenFrameError as error:
                    log.warning("broken_frame", error=str(error))
                    continue
                if frame.method == CONTROL:
                    self._control(frame)
                elif frame.method == DATA:
                    await self._slots.acquire()
                    tasks.create_task(self._answered(socket, frame))
                    await asyncio.sleep(0)  # a flood is taken one by one, others come between

    def _control(self, frame: Frame) -> None:
        if frame.headers.get("type") == "pong" and frame.payload:
            with suppress(ValidationError):
                self._config = LinkConfig.model_validate_json(frame.payload)

    async def _answered(self, socket: aiohttp.ClientWebSocketResponse, frame: Frame) -> None:
        try:
            self._event_at = begun = self._clock.now()
            payload = self._whole(frame)
            if payload is None:
                return
            answer = await self._taken(payload)
            took = round((self._clock.now() - begun).total_seconds() * 1000)
            reply = replace(
                frame,
                headers={**frame.headers, "biz_rt": str(took)},
                payload=json.dumps(answer).encode(),
            )
            with suppress(aiohttp.ClientError, OSError):
                await socket.send_bytes(encode(reply))
        finally:
            self._slots.release()

    async def _taken(self, payload: bytes) -> dict[str, JsonValue]:
        """Return what is answered: 200 means that the platform may forget."""
        body = _object(payload)
        if body is None:
            log.error("event_no_json")
            return {"code": 200}
        try:
            taken = await self._intake.take(body)
        except Exception:  # one event's bug must not end the connection; it comes again
            log.exception("event_not_taken")
            return {"code": 500}
        answer: dict[str, JsonValue] = {"code": 200 if taken.acknowledged else 500}
        if taken.answer is not None:
            data = json.dumps(taken.answer, ensure_ascii=False).encode()
            answer["data"] = base64.b64encode(data).decode()
        return answer

    def _whole(self, frame: Frame) -> bytes | None:
        """Return the payload once all its fragments are there."""
        try:
            count, place = int(frame.headers.get("sum", "1")), int(frame.headers.get("seq", "0"))
        except ValueError:
            return frame.payload
        if count <= 1:
            return frame.payload
        if count > _MOST_FRAGMENTS or not 0 <= place < count:
            log.error("broken_fragment", count=count, place=place)
            return None
        now = self._clock.now()
        for key, (since, _) in list(self._fragments.items()):
            if now - since > _FRAGMENT_LIFE:
                del self._fragments[key]
        key = frame.headers.get("message_id", "")
        _, parts = self._fragments.setdefault(key, (now, [None] * count))
        if place >= len(parts):
            return None
        parts[place] = frame.payload
        if any(part is None for part in parts):
            return None
        del self._fragments[key]
        return b"".join(part for part in parts if part is not None)


def _service_of(url: str) -> int:
    """Return the number that pings carry.

    Raises:
        RetryableAdapterError: the address has none.
    """
    values: Mapping[str, list[str]] = parse_qs(urlsplit(url).query)
    try:
        return int(values["service_id"][0])
    except (KeyError, ValueError):
        raise RetryableAdapterError("the endpoint names no service") from None


def _object(data: bytes) -> dict[str, JsonValue] | None:
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None

"""One page's conversation with us: frame in, receipt or words out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from pydantic import JsonValue, TypeAdapter

from adapters.web.client import Bucket, Connection
from adapters.web.history import History
from adapters.web.parse import (
    BOT,
    PLATFORM,
    FrameError,
    account_of,
    chat_of,
    delivery_key,
    kind_of,
    read_frame,
)
from adapters.web.render import own
from adapters.web.schemas import (
    MAX_FILES,
    MAX_TEXT_CHARS,
    Ack,
    Capsule,
    CapsuleState,
    Delivered,
    Edit,
    Failure,
    FileFacts,
    Hello,
    Message,
    Ping,
    Pong,
    Press,
    State,
    StoredStart,
    StoredUpdate,
    Trace,
    TraceRequest,
)
from bot.core.errors import StorageError
from bot.core.files import MAX_FILE_BYTES, Files
from bot.core.inbox import RawUpdate, Receipt, Sink
from bot.core.ports import Clock
from bot.core.views import ChatViews
from bot.core.words import Words, text
from bot.locales.catalogue import catalogue, nearest_locale, resolve

_FACTS: TypeAdapter[tuple[FileFacts, ...]] = TypeAdapter(tuple[FileFacts, ...])
_TEXTS = "web."


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What a conversation needs of the rest."""

    sink: Sink
    files: Files
    views: ChatViews
    clock: Clock
    history: History


async def push_state(connection: Connection, views: ChatViews) -> None:
    """Show what stands beside the messages, in the person's language."""
    user = connection.user
    view = await views.chat(chat_of(user), account_of(user, connection.hint))
    connection.locale = nearest_locale(view.locale)
    connection.push(
        State(
            user=user,
            locale=connection.locale,
            signed_in=connection.signed_in,
            capsules=tuple(
                CapsuleState(
                    intent=capsule.intent,
                    icon=capsule.icon,
                    label=resolve(capsule.label, connection.locale),
                    selected=capsule.selected,
                )
                for capsule in view.capsules
            ),
            texts=page_texts(connection.locale),
            limits={"text": MAX_TEXT_CHARS, "files": MAX_FILES, "bytes": MAX_FILE_BYTES},
        )
    )


def page_texts(locale: str) -> dict[str, str]:
    """Return the texts of the page by key without the noun."""
    return {
        key.removeprefix(_TEXTS): value
        for key, value in catalogue(locale).items()
        if key.startswith(_TEXTS)
    }


class Exchange:
    """What one open page says and hears."""

    def __init__(self, connection: Connection, services: Services) -> None:
        self._connection = connection
        self._services = services
        self._bucket = Bucket(services.clock.now())

    async def hear(self, data: str) -> None:
        """Take one frame; whatever is wrong with it is said in words and changes nothing."""
        try:
            frame = read_frame(data)
        except FrameError as error:
            allowed = self._bucket.take(self._services.clock.now())
            words = error.words if allowed else text("web.error_rate")
            self._fail(words, error.frame_id, retry=not allowed)
            return
        frame_id = getattr(frame, "id", None)
        if not self._bucket.take(self._services.clock.now()):
            self._fail(text("web.error_rate"), frame_id, retry=True)
            return
        try:
            await self._answer(frame)
        except StorageError:
            if isinstance(frame, Hello):
                self._connection.cut()  # the page comes back with its back-off
            self._fail(text("web.error_storage"), frame_id, retry=True)

    def refuse(self, words: Words) -> None:
        """Say why something that is no frame was not taken."""
        self._fail(words)

    async def _answer(self, frame: Hello | Delivered | TraceRequest | Ping) -> None:
        match frame:
            case Hello():
                await self._greet(frame)
            case Message() | Edit() | Press() | Capsule():
                async with self._services.history.order(self._connection.user):
                    await self._deliver(frame)
            case TraceRequest(event=event):
                await self._explain(event)
            case Ping():
                self._connection.push(Pong())
            case _:
                assert_never(frame)

    async def _greet(self, hello: Hello) -> None:
        connection, history = self._connection, self._services.history
        connection.hint = hello.locale or connection.hint
        await push_state(connection, self._services.views)
        async with history.order(connection.user):
            if not await history.replay(connection, hello.version):
                receipt = await self._sink(StoredStart(type="start"), ())
                if receipt.status == "refused":
                    self._fail(receipt.text or text("web.error_refused"))

    async def _deliver(self, frame: Delivered) -> None:
        user, history = self._connection.user, self._services.history
        files: Sequence[FileFacts] = ()
        if isinstance(frame, Message):
            files = await self._facts(frame.files)
            if len(files) < len(frame.files):
                self._fail(text("web.error_file_gone"), frame.id)
                return
        elif isinstance(frame, Edit):
            item = await history.own(user, frame.item)
            if item is None:
                self._fail(text("web.error_edit"), frame.id)
                return
            files = _FACTS.validate_python(item.payload.get("files", ()))
        receipt = await self._sink(frame, files)
        if receipt.status == "refused":
            self._fail(receipt.text or text("web.error_refused"), frame.id)
            return
        await self._show(frame, files, duplicate=receipt.status == "duplicate")
        toast = resolve(receipt.text, self._connection.locale) if receipt.text else None
        self._connection.push(Ack(id=frame.id, status=receipt.status, toast=toast))

    async def _show(
        self, frame: Delivered, files: Sequence[FileFacts], *, duplicate: bool
    ) -> None:
        """Put the person's own words into the chat.

        A duplicate is shown only if it is not there: it may have been edited since.
        """
        user, history, now = self._connection.user, self._services.history, self._now()
        if isinstance(frame, Message) and not (duplicate and await history.own(user, frame.id)):
            payload = own(frame.text, files)
            await history.show(user, frame.id, author="person", payload=payload, at=now)
        elif isinstance(frame, Edit):
            payload = own(frame.text, files, edited=True)
            await history.show(user, frame.item, author="person", payload=payload, at=now)

    async def _sink(self, frame: Delivered | StoredStart, files: Sequence[FileFacts]) -> Receipt:
        user = self._connection.user
        update = StoredUpdate(
            user=user, locale=self._connection.hint, frame=frame, files=tuple(files)
        )
        body: Mapping[str, JsonValue] = update.model_dump(mode="json")
        return await self._services.sink(
            RawUpdate(
                platform=PLATFORM,
                bot=BOT,
                delivery_key=delivery_key(user, frame),
                kind=kind_of(frame),
                lane=account_of(user).key,
                received_at=self._now(),
                body=body,
            )
        )

    async def _facts(self, file_ids: Sequence[str]) -> tuple[FileFacts, ...]:
        """Return the facts of those files that are this person's."""
        owner, facts = account_of(self._connection.user).key, list[FileFacts]()
        for file_id in file_ids:
            if found := await self._services.files.get(owner, file_id):
                file = found[0]
                facts.append(
                    FileFacts(
                        ref=file.file_id,
                        name=file.name,
                        mime=file.mime,
                        size_bytes=file.size_bytes,
                    )
                )
        return tuple(facts)

    async def _explain(self, event: str) -> None:
        account = account_of(self._connection.user, self._connection.hint)
        lines = await self._services.views.trace(account, event)
        shown = lines or (text("web.trace_empty"),)
        self._connection.push(
            Trace(
                event=event,
                lines=tuple(resolve(line, self._connection.locale) for line in shown),
            )
        )

    def _fail(self, words: Words, frame_id: str | None = None, *, retry: bool = False) -> None:
        said = resolve(words, self._connection.locale)
        self._connection.push(Failure(id=frame_id, text=said, retry=retry))

    def _now(self) -> datetime:
        return self._services.clock.now()

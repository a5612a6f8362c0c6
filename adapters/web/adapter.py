"""The web chat as a platform: its routes, and the adapter port."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager, suppress

from aiohttp import web

from adapters.charts import Charts
from adapters.web.access import Access
from adapters.web.client import Clients
from adapters.web.drawings import draw_charts
from adapters.web.exchange import Services, push_state
from adapters.web.history import History
from adapters.web.parse import BOT, PLATFORM, account_of, chat_of, own_words, parse
from adapters.web.render import own, render
from adapters.web.routes import Routes
from adapters.web.schemas import Preview, Typing
from bot.core.errors import RetryableAdapterError, StorageError
from bot.core.events import Account, Chat, InboundEvent
from bot.core.files import Files
from bot.core.inbox import InboxRow, RawUpdate, Sink
from bot.core.outbox import OutboxRow
from bot.core.ports import Capabilities, Clock, Growing
from bot.core.transcripts import Transcripts, WebTokens
from bot.core.views import ChatViews

PREVIEW_SECONDS = 0.2

Accepted = Callable[[str], Awaitable[InboxRow | None]]


class WebAdapter:
    """The local web chat.

    Attributes:
        access: the door; its `guard` protects other pages of the same server.
    """

    def __init__(
        self,
        *,
        sink: Sink,
        accepted: Accepted,
        transcripts: Transcripts,
        files: Files,
        tokens: WebTokens,
        views: ChatViews,
        clock: Clock,
        charts: Charts,
        host: str,
        allowed_hosts: Collection[str] = (),
    ) -> None:
        """Prepare the chat; serve `routes` and open `running` to begin.

        Args:
            sink: takes what people say.
            accepted: returns what the sink took, by event id.
            transcripts: what chats have shown.
            files: uploads and drawn charts.
            tokens: sign-ins.
            views: capsules, languages and traces.
            clock: the time.
            charts: draws.
            host: what the server is bound to; on loopback nobody has to sign in.
            allowed_hosts: further host names that people reach the server by.
        """
        self.access = Access(tokens=tokens, host=host, allowed_hosts=allowed_hosts)
        self._accepted = accepted
        self._files = files
        self._views = views
        self._clock = clock
        self._charts = charts
        self._clients = Clients()
        self._history = History(transcripts, self._clients)
        services = Services(
            sink=sink, files=files, views=views, clock=clock, history=self._history
        )
        self._routes = Routes(access=self.access, services=services, clients=self._clients)

    @property
    def platform(self) -> str:
        """The platform of every chat here."""
        return PLATFORM

    @property
    def bot(self) -> str:
        """There is one bot."""
        return BOT

    @property
    def capabilities(self) -> Capabilities:
        """Everything: the page is ours."""
        return Capabilities(edits=True, idempotent_send=True, capsules=True)

    def private_chat(self, account: Account) -> Chat:
        """Return the one chat that a web user has."""
        return chat_of(account.user_id)

    def parse(self, raw: RawUpdate) -> InboundEvent:
        """Return the event in ``raw``."""
        return parse(raw)

    async def send(self, row: OutboxRow) -> str:
        """Show the message; the same row shows one message, however often it is sent."""
        draft = row.draft
        user = draft.chat.chat_id
        item_id = draft.message.replaces or draft.outbox_id
        try:
            drawings = await draw_charts(
                draft.message,
                charts=self._charts,
                files=self._files,
                owner=account_of(user).key,
                now=self._clock.now(),
            )
            async with self._history.order(user):
                await self._show_own_words(user, draft.event_id)
                await self._history.show(
                    user,
                    item_id,
                    author="bot",
                    payload=render(draft, drawings),
                    at=self._clock.now(),
                )
        except StorageError as error:
            raise RetryableAdapterError("the transcript cannot be written now") from error
        return item_id

    async def _show_own_words(self, user: str, event_id: str) -> None:
        """Show what is answered here, should we have died between its receipt and its showing.

        Call it inside the order of the chat.
        """
        item_id = event_id.rpartition(":")[2]
        if not event_id or await self._history.own(user, item_id):
            return
        row = await self._accepted(event_id)
        said = own_words(row.update) if row is not None else None
        if row is not None and said is not None:
            message, files = said
            await self._history.show(
                user,
                message.id,
                author="person",
                payload=own(message.text, files),
                at=row.update.received_at,
            )

    async def show_typing(self, chat: Chat) -> None:
        """Show the dots on every open page."""
        self._clients.push(chat.chat_id, Typing())

    def preview_pause(self, chat: Chat) -> float:
        """Return how often a page is drawn anew."""
        del chat
        return PREVIEW_SECONDS

    async def preview(self, growing: Growing) -> str:
        """Show the growing answer on every open page; its item takes its place there."""
        self._clients.push(
            growing.chat.chat_id, Preview(event=growing.event_id, text=growing.text)
        )
        return ""

    async def refresh(self, chat: Chat, account: Account) -> None:
        """Push capsules, language and texts again."""
        del account  # a web chat has one person
        with suppress(StorageError):
            for connection in self._clients.of(chat.chat_id):
                await push_state(connection, self._views)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Take connections while the context is open, then send every page away."""
        return self._routes.open()

    def health(self) -> Mapping[str, str]:
        """Return how many pages are open."""
        return {"clients": str(len(self._clients))}

    def routes(self) -> list[web.RouteDef]:
        """Return what the server has to serve for this chat."""
        return self._routes.table()

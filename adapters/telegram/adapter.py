"""Telegram behind the adapter port: what is received goes to the sink, what is queued goes out."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Literal

import structlog
from aiohttp import web

from adapters.charts import Charts
from adapters.telegram.capsules import Bar, Bars, bar_of
from adapters.telegram.client import API_BASE, Client
from adapters.telegram.configuration import bot_of
from adapters.telegram.files import fetch
from adapters.telegram.intake import Intake
from adapters.telegram.library import ensure_installed, load
from adapters.telegram.limits import LIMITS, PREVIEW_PAUSES
from adapters.telegram.menu import set_menu
from adapters.telegram.parse import PLATFORM, parse
from adapters.telegram.pictures import Pictures
from adapters.telegram.polling import STALL, Poller
from adapters.telegram.quiet import QuietChats
from adapters.telegram.render import toast
from adapters.telegram.webhook import webhook_of
from bot.core.errors import AdapterError, RateLimitedError
from bot.core.events import Account, Attachment, CapsuleToggled, Chat, ChatKind, InboundEvent
from bot.core.files import Files
from bot.core.inbox import RawUpdate, Sink
from bot.core.outbox import OutboxRow
from bot.core.ports import Capabilities, Clock, Growing, PartSent, SendLimits
from bot.core.reach import Reach
from bot.core.views import ChatViews
from bot.core.words import Words
from bot.locales.catalogue import DEFAULT_LOCALE, nearest_locale, resolve

if TYPE_CHECKING:
    from adapters.telegram.calls import Calls
    from adapters.telegram.sender import Sender

_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 300.0
_MANY_NAMES = 2000

log = structlog.get_logger(__name__)


class TelegramAdapter:
    """One Telegram bot."""

    def __init__(
        self,
        *,
        token: str,
        sink: Sink,
        views: ChatViews,
        reach: Reach,
        files: Files,
        clock: Clock,
        charts: Charts,
        capsules: Mapping[str, str],
        commands: Sequence[str],
        api_base: str = API_BASE,
        mode: Literal["polling", "webhook"] = "polling",
        webhook_url: str = "",
        webhook_secret: str = "",
        locale: str = DEFAULT_LOCALE,
        limits: SendLimits = LIMITS,
    ) -> None:
        """Prepare the bot; serve `routes` and open `running` to begin.

        Args:
            token: from @BotFather; it appears nowhere but in requests to the platform.
            sink: takes what people say.
            views: capsules and languages.
            reach: is told when a chat is lost or back.
            files: uploads and pictures.
            clock: the time.
            charts: draws.
            capsules: intent by ``icon label`` in every language.
            commands: names for the command menu, in its order.
            api_base: where the Bot API is.
            mode: how updates come.
            webhook_url: public https address of the route, for the webhook.
            webhook_secret: what the platform has to say with each update.
            locale: language of people whose language is unknown.
            limits: how fast the platform takes messages.

        Raises:
            ConfigurationError: the bot cannot start like this.
        """
        ensure_installed()
        bot_id = bot_of(token)
        self._bot = bot_id
        self._token = token
        self._api_base = api_base
        self._clock = clock
        self._views = views
        self._files = files
        self._capsules = capsules
        self._commands = commands
        self._locale = locale
        self._limits = limits
        self._outgoing = Client(token=token, api_base=api_base)
        self._incoming = Client(token=token, api_base=api_base)
        self._intake = Intake(
            sink=sink,
            reach=reach,
            clock=clock,
            bot=bot_id,
            answer=self._answer,
            tell=self._tell,
        )
        self._poller = Poller(client=self._incoming, intake=self._intake, clock=clock)
        self._webhook = webhook_of(
            self._incoming, self._intake, clock, mode=mode, url=webhook_url, secret=webhook_secret
        )
        self._pictures = Pictures(charts, files)
        self._bars = Bars()
        self._names: dict[str, str] = {}
        self._quiet = QuietChats(clock)
        self._tools: tuple[Calls, Sender] | None = None

    @property
    def platform(self) -> str:
        """The platform of every chat here."""
        return PLATFORM

    @property
    def bot(self) -> str:
        """The bot's number, which its token begins with."""
        return self._bot

    @property
    def capabilities(self) -> Capabilities:
        """Edits and capsules; a send whose answer was lost may have arrived.

        A bot cannot begin a private chat: https://core.telegram.org/bots/faq
        """
        return Capabilities(
            edits=True, capsules=True, splits=True, whispers=False, limits=self._limits
        )

    def private_chat(self, account: Account) -> Chat:
        """Return the private chat, whose id is the person's.

        Source: https://core.telegram.org/bots/api#chat
        """
        return Chat(platform=PLATFORM, bot=self._bot, chat_id=account.user_id)

    def parse(self, raw: RawUpdate) -> InboundEvent:
        """Return the event in ``raw``."""
        event = parse(raw, capsules=self._capsules)
        if len(self._names) > _MANY_NAMES:
            self._names.clear()
        self._names[event.account.user_id] = event.account.display_name
        if isinstance(event, CapsuleToggled):
            self._bars.pressed(event.chat.chat_id)
        return event

    async def send(self, row: OutboxRow) -> str | PartSent:
        """Send the next part of the row."""
        _, sender = await self._loaded()
        chat_id = row.draft.chat.chat_id
        pictures = await self._pictures.of(row, bot=self._bot)
        name = self._names.get(row.draft.message.mention or "", "")
        with self._quiet.minding(chat_id):
            sent = await sender.send(row, pictures=pictures, name=name)
        if not isinstance(sent, PartSent):
            self._pictures.forget(row)
        return sent

    async def show_typing(self, chat: Chat) -> None:
        """Show the dots, unless the chat was told to be left alone."""
        if self._tools is None or self._quiet.has(chat.chat_id):
            return
        thread = int(chat.thread_id) if chat.thread_id else None
        with suppress(AdapterError), self._quiet.minding(chat.chat_id):
            await self._tools[0].show_typing((int(chat.chat_id), thread))

    def preview_pause(self, chat: Chat) -> float:
        """Return how many seconds the platform wants between two previews."""
        return PREVIEW_PAUSES[chat.kind]

    async def preview(self, growing: Growing) -> str:
        """Show a growing answer, unless the chat was told to be left alone."""
        _, sender = await self._loaded()
        chat_id = growing.chat.chat_id
        if left := self._quiet.seconds_left(chat_id):
            raise RateLimitedError(left)
        with self._quiet.minding(chat_id):
            name = self._names.get(growing.mention or "", "")
            return await sender.preview(growing, name=name)

    async def refresh(self, chat: Chat, account: Account) -> None:
        """Show the capsule bar again if it has changed."""
        if chat.kind is not ChatKind.PRIVATE:
            return
        bar = bar_of(await self._views.chat(chat, account))
        news = self._bars.want(chat.chat_id, bar)
        if news is None:
            return
        self._bars.stands(chat.chat_id, bar)
        if not await self._show_bar(chat, bar, news):
            self._bars.carry(chat.chat_id, bar)

    async def _show_bar(self, chat: Chat, bar: Bar, news: Words) -> bool:
        if self._tools is None or self._quiet.has(chat.chat_id):
            return False
        said = resolve(news, bar.locale)
        try:
            with self._quiet.minding(chat.chat_id):
                await self._tools[1].show_bar(chat, bar, said)
        except AdapterError as error:
            log.info("capsules_not_shown", error=str(error))
            return False
        return True

    async def fetch(self, attachment: Attachment, account: Account) -> Attachment | Words:
        """Return the attachment with its bytes in our file store, or what to tell the person."""
        calls, _ = await self._loaded()
        return await fetch(
            attachment,
            calls=calls,
            client=self._outgoing,
            files=self._files,
            owner=account.key,
            now=self._clock.now(),
        )

    def routes(self) -> list[web.RouteDef]:
        """Return what the server has to serve for this bot; nothing when it polls."""
        return self._webhook.routes() if self._webhook else []

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Be able to send while the context is open."""
        await self._outgoing.open()
        try:
            yield
        finally:
            await self._outgoing.close()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Receive while the context is open; the library is imported meanwhile."""
        await self._incoming.open()
        try:
            async with asyncio.TaskGroup() as tasks:
                self._intake.begin(tasks)
                receiving = self._webhook.register() if self._webhook else self._poller.run()
                jobs = [
                    tasks.create_task(receiving),
                    tasks.create_task(self._prepare()),
                ]
                try:
                    yield
                finally:
                    if self._webhook:
                        self._webhook.close()
                    for job in jobs:
                        job.cancel()
        finally:
            await self._incoming.close()

    def health(self) -> Mapping[str, str]:
        """Return how receiving and sending go."""
        me = self._intake.me
        facts = {
            "bot": f"@{me.username}" if me else "not known yet",
            "sending": "ready" if self._tools else "loading",
        }
        if self._webhook:
            facts["webhook"] = self._webhook.trouble or f"{self._webhook.received} updates"
            return facts
        silent = self._poller.silent_for
        seconds = round(silent.total_seconds())
        well = f"last answer {seconds} s ago, {self._poller.rebuilt} reconnections"
        deaf = f"! no answer for {seconds} s; reconnecting" if silent >= STALL else ""
        facts["polling"] = self._poller.trouble or deaf or well
        return facts

    # --- inside ---------------------------------------------------------------------------------

    async def _prepare(self) -> None:
        """Load the typed calls, then set the command menu."""
        calls, _ = await self._loaded()
        pause = _FIRST_PAUSE_SECONDS
        while True:
            try:
                await set_menu(calls, self._commands, self._locale)
            except AdapterError as error:
                log.warning("menu_not_set", error=str(error), pause=pause)
                await self._clock.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)
            else:
                return

    async def _loaded(self) -> "tuple[Calls, Sender]":
        if self._tools is None:
            calls_type, sender_type = await load()
            if self._tools is None:
                calls = calls_type(self._outgoing, token=self._token, api_base=self._api_base)
                sender = sender_type(calls, moved=self._intake.moved, bars=self._bars)
                self._tools = (calls, sender)
        return self._tools

    async def _answer(self, query_id: str, words: Words | None, hint: str) -> None:
        """Answer a press at once: the spinner stops, whatever the work does later."""
        calls, _ = await self._loaded()
        said = toast(words, self._language(hint)) if words is not None else ""
        try:
            await calls.answer_press(query_id, said)
        except AdapterError as error:
            log.info("press_not_answered", error=str(error))

    async def _tell(self, chat: Chat, words: Words, hint: str) -> None:
        _, sender = await self._loaded()
        if not self._quiet.has(chat.chat_id):
            with suppress(AdapterError), self._quiet.minding(chat.chat_id):
                await sender.say(chat, resolve(words, self._language(hint)))

    def _language(self, hint: str) -> str:
        return nearest_locale(hint) if hint else self._locale

"""Feishu behind the adapter port: what is received goes to the sink, what is queued goes out."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Literal

import structlog
from aiohttp import web

from adapters.feishu.capsules import Bars, bar_card, bar_of, with_bar
from adapters.feishu.client import Client
from adapters.feishu.directory import Directory
from adapters.feishu.files import fetch
from adapters.feishu.identity import who_am_i
from adapters.feishu.intake import ANSWER_WITHIN_SECONDS, Intake
from adapters.feishu.library import ensure_installed, load
from adapters.feishu.long_connection import LongConnection
from adapters.feishu.neighbours import Neighbours
from adapters.feishu.parse import PLATFORM, parse, private_chat
from adapters.feishu.pictures import Pictures
from adapters.feishu.sender import Sender
from adapters.feishu.typing_sign import TypingSign
from adapters.feishu.webhook import Webhook
from bot.core.errors import AdapterError, ConfigurationError
from bot.core.events import Account, Attachment, Chat, ChatKind, InboundEvent
from bot.core.files import Files
from bot.core.inbox import RawUpdate, Sink
from bot.core.outbox import OutboxRow
from bot.core.ports import Capabilities, Clock, Growing, PartSent, Rate, SendLimits
from bot.core.reach import Reach
from bot.core.views import ChatViews
from bot.core.words import Words
from bot.locales.catalogue import DEFAULT_LOCALE, resolve

if TYPE_CHECKING:
    from adapters.feishu.calls import Calls
    from adapters.feishu.secrecy import Opener

LIMITS = SendLimits(
    overall=Rate(burst=20, per_second=16),
    private=Rate(burst=2, per_second=3),
    group=Rate(burst=2, per_second=3),
)
"""1000 a minute and 50 a second in all, 5 a second to one person or group: burst and rate together
stay within each. The 5 of a group are shared by all bots in it.

Source: https://open.feishu.cn/document/server-docs/im-v1/message/create
"""

PREVIEW_PAUSE_SECONDS = 0.4
"""A card takes 10 changes a second; more than 3 nobody sees.

Source: https://open.feishu.cn/document/cardkit-v1/streaming-updates-openapi-overview
"""

_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 60.0
_MANY_PEOPLE = 5000

log = structlog.get_logger(__name__)


class FeishuAdapter:
    """One Feishu app with a bot."""

    def __init__(
        self,
        *,
        app_id: str,
        secret: str,
        sink: Sink,
        views: ChatViews,
        reach: Reach,
        files: Files,
        clock: Clock,
        domain: str = "feishu",
        mode: Literal["long", "webhook"] = "long",
        encrypt_key: str = "",
        verification_token: str = "",
        locale: str = DEFAULT_LOCALE,
        limits: SendLimits = LIMITS,
        chance: Callable[[], float] = random.random,
        answer_within: float = ANSWER_WITHIN_SECONDS,
    ) -> None:
        """Prepare the bot; serve `routes` and open `running` to begin.

        Args:
            app_id: from the developer console.
            secret: goes with it; it appears nowhere but in requests to the platform.
            sink: takes what people say.
            views: capsules and languages.
            reach: is told when a chat is lost or back.
            files: uploads and pictures.
            clock: the time.
            domain: ``feishu``, ``lark`` or the address of the open platform.
            mode: how events come.
            encrypt_key: signs and encrypts posted events.
            verification_token: what posted events carry.
            locale: language of people whose language is unknown.
            limits: how fast the platform takes messages.
            chance: a random number from 0 to 1.
            answer_within: seconds in which a press is answered.

        Raises:
            ConfigurationError: the bot cannot start like this.
        """
        ensure_installed()
        if not app_id or not secret:
            raise ConfigurationError(
                "FEISHU_APP_ID and FEISHU_APP_SECRET go together: copy both from the developer "
                "console, Credentials"
            )
        self._bot = app_id
        self._clock = clock
        self._views = views
        self._files = files
        self._locale = locale
        self._limits = limits
        self._client = Client(app_id=app_id, secret=secret, domain=domain, clock=clock)
        self._directory = Directory(self._name_of, clock)
        self._typing = TypingSign()
        self._intake = Intake(
            sink=sink,
            reach=reach,
            clock=clock,
            bot=app_id,
            directory=self._directory,
            is_ours=self._is_ours,
            heard=self._typing.heard,
            tell=self._tell,
            answer_within=answer_within,
        )
        self._link = LongConnection(
            client=self._client, intake=self._intake, clock=clock, chance=chance
        )
        self._neighbours = Neighbours(client=self._client, link=self._link, clock=clock)
        self._webhook = (
            Webhook(
                intake=self._intake,
                clock=clock,
                encrypt_key=encrypt_key,
                verification_token=verification_token,
                opener=_opener,
            )
            if mode == "webhook"
            else None
        )
        self._pictures = Pictures(files)
        self._bars = Bars()
        self._accounts: dict[str, Account] = {}
        self._tools: tuple[Calls, Sender] | None = None
        self._identity_trouble = "! not known yet: groups are not answered"

    @property
    def platform(self) -> str:
        """The platform of every chat here."""
        return PLATFORM

    @property
    def bot(self) -> str:
        """The app's id."""
        return self._bot

    @property
    def capabilities(self) -> Capabilities:
        """Edits, capsules and parts; a message sent twice under one uuid shows once."""
        return Capabilities(
            edits=True, idempotent_send=True, capsules=True, splits=True, limits=self._limits
        )

    def parse(self, raw: RawUpdate) -> InboundEvent:
        """Return the event in ``raw``."""
        event = parse(raw)
        if len(self._accounts) >= _MANY_PEOPLE:
            self._accounts.clear()
        self._accounts[event.account.user_id] = event.account
        return event

    async def send(self, row: OutboxRow) -> str | PartSent:
        """Send the next part of the row."""
        calls, sender = await self._loaded()
        chat = row.draft.chat
        owner = self._accounts.get(row.draft.message.mention or chat.chat_id)
        images = await self._pictures.of(row, calls=calls, owner=owner.key if owner else "")
        sent = await sender.send(row, images=images)
        await self._typing.hide(chat, calls)
        if not isinstance(sent, PartSent):
            self._pictures.forget(row)
        return sent

    async def show_typing(self, chat: Chat) -> None:
        """Show that an answer is under way."""
        if self._tools is not None:
            await self._typing.show(chat, self._tools[0])

    def private_chat(self, account: Account) -> Chat:
        """Return the private chat with a person; nobody has to begin it."""
        return private_chat(self._bot, account.user_id)

    def preview_pause(self, chat: Chat) -> float:
        """Return how many seconds the platform wants between two previews."""
        del chat
        return PREVIEW_PAUSE_SECONDS

    async def preview(self, growing: Growing) -> str:
        """Show a growing answer."""
        calls, sender = await self._loaded()
        shown = await sender.preview(growing)
        await self._typing.hide(growing.chat, calls)
        return shown

    async def refresh(self, chat: Chat, account: Account) -> None:
        """Show the capsule bar again if it has changed."""
        if chat.kind is not ChatKind.PRIVATE:
            return
        bar = bar_of(await self._views.chat(chat, account))
        if not self._bars.want(chat.chat_id, bar):
            return
        carrier = self._bars.carrier(chat.chat_id)
        _, sender = await self._loaded()
        try:
            if carrier is not None:
                card = with_bar(carrier.card, bar)
                await sender.repaint(carrier.message_id, card)
                shown = carrier.message_id
            else:
                card = bar_card(bar)
                shown = await sender.show(chat, card)
        except AdapterError as error:
            log.info("capsules_not_shown", error=str(error))
            return
        self._bars.stands(chat.chat_id, bar, message_id=shown, card=card)

    async def fetch(self, attachment: Attachment, account: Account) -> Attachment | Words:
        """Return the attachment with its bytes in our file store, or what to tell the person."""
        calls, _ = await self._loaded()
        return await fetch(
            attachment,
            calls=calls,
            files=self._files,
            owner=account.key,
            now=self._clock.now(),
        )

    def routes(self) -> list[web.RouteDef]:
        """Return what the server has to serve for this bot; nothing over a long connection."""
        return self._webhook.routes() if self._webhook else []

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Be able to send while the context is open."""
        await self._client.open()
        try:
            yield
        finally:
            await self._client.close()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Receive while the context is open; the library is imported meanwhile."""
        async with asyncio.TaskGroup() as tasks:
            jobs = [tasks.create_task(self._prepare())]
            if self._webhook:
                self._webhook.open()
            else:
                jobs.append(tasks.create_task(self._link.run()))
                jobs.append(tasks.create_task(self._neighbours.run()))
            try:
                yield
            finally:
                if self._webhook:
                    self._webhook.close()
                for job in jobs:
                    job.cancel()
                await self._intake.close()

    def health(self) -> Mapping[str, str]:
        """Return how receiving and sending go."""
        me = self._intake.me
        facts = {
            "bot": me.app_name or me.open_id if me else self._identity_trouble,
            "sending": "ready" if self._tools else "loading",
        }
        if self._webhook:
            facts["webhook"] = f"{self._webhook.received} events, {self._webhook.refused} refused"
            return facts
        seconds = round(self._link.silent_for.total_seconds())
        well = f"last heard {seconds} s ago, {self._link.connections} connections"
        facts["long connection"] = self._link.trouble or well
        facts["second instance"] = self._neighbours.says
        return facts

    # --- inside ---------------------------------------------------------------------------------

    async def _prepare(self) -> None:
        """Load the typed calls and find out who we are, however long it takes."""
        await self._loaded()
        pause = _FIRST_PAUSE_SECONDS
        while True:
            try:
                self._intake.me = await who_am_i(self._client)
            except AdapterError as error:
                self._identity_trouble = f"! not known: {error}; groups are not answered"
                log.warning("own_id_unknown", error=str(error), pause=pause)
                await self._clock.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)
            else:
                return

    async def _loaded(self) -> "tuple[Calls, Sender]":
        if self._tools is None:
            calls_type, _ = await load()
            if self._tools is None:
                calls = calls_type(self._client)
                self._tools = (calls, Sender(calls, clock=self._clock, bars=self._bars))
        return self._tools

    def _is_ours(self, message_id: str) -> bool:
        return self._tools is not None and self._tools[1].is_ours(message_id)

    async def _name_of(self, open_id: str) -> str:
        calls, _ = await self._loaded()
        return await calls.name_of(open_id)

    async def _tell(self, chat: Chat, words: Words) -> None:
        _, sender = await self._loaded()
        with suppress(AdapterError):
            await sender.say(chat, resolve(words, self._locale))


async def _opener() -> "type[Opener]":
    return (await load())[1]

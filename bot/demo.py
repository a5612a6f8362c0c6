"""A scripted conversation through the real pipeline, printed: no account, no key, no network."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bot.app import opened, working
from bot.clock import ManualClock
from bot.core.errors import UnparseableError
from bot.core.events import (
    Account,
    ButtonPressed,
    Chat,
    CommandReceived,
    InboundEvent,
    MessageReceived,
)
from bot.core.inbox import RawUpdate, UpdateKind
from bot.core.outbox import OutboxRow
from bot.core.ports import Capabilities
from bot.core.stores import Stores
from bot.locales.catalogue import resolve
from bot.outcomes import plain
from bot.settings import Settings

PLATFORM = "demo"
BEGIN = datetime(2026, 12, 1, 1, 0, tzinfo=UTC)
SETTLE_SECONDS = 0.005


@dataclass(frozen=True, slots=True)
class Step:
    """One thing the person does: say, edit the message before, press a label, or wait."""

    say: str = ""
    edit: str = ""
    press: str = ""
    wait_minutes: int = 0

    @property
    def shown(self) -> str:
        """The step as the transcript shows it."""
        if self.edit:
            return f"(edit) {self.edit}"
        return self.say or f"[{self.press}]"


SCRIPT = (
    Step(say="/start"),
    Step(press="中文"),
    Step(press="Asia/Shanghai"),
    Step(say="小林"),
    Step(say="午饭35"),
    Step(edit="午饭53"),
    Step(say="早上地铁5元,中午AA 40,晚上水果35"),
    Step(press="撤销"),
    Step(say="打车22.5"),
    Step(say="不是，是25"),
    Step(say="这个月花了多少"),
    Step(say="这个月各类花了多少"),
    Step(say="10分钟后提醒我喝水"),
    Step(wait_minutes=10),
    Step(press="完成"),
    Step(say="每周一、三、五早上8点提醒我跑步"),
    Step(say="我有哪些提醒"),
    Step(say="你能做什么"),
    Step(say="给我讲讲量子力学"),
    Step(say="/why"),
)


@dataclass(slots=True)
class Screen:
    """A platform that prints. It implements `bot.core.ports.Adapter`."""

    say: Callable[[str], None]
    shown: dict[str, OutboxRow] = field(default_factory=dict)
    platform: str = PLATFORM
    bot: str = PLATFORM
    capabilities: Capabilities = field(default_factory=lambda: Capabilities(idempotent_send=True))

    chat = Chat(platform=PLATFORM, bot=PLATFORM, chat_id="1")
    account = Account(platform=PLATFORM, bot=PLATFORM, user_id="1")

    def parse(self, raw: RawUpdate) -> InboundEvent:
        """Return the event that the script wrote."""
        body = {name: str(value) for name, value in raw.body.items()}
        match body:
            case {"token": token, "message": message_id}:
                return ButtonPressed(
                    event_id=raw.event_id,
                    chat=self.chat,
                    account=self.account,
                    occurred_at=raw.received_at,
                    message_id=message_id,
                    token=token,
                )
            case {"text": words, "message": message_id} if words.startswith("/"):
                name, _, argument = words[1:].partition(" ")
                return CommandReceived(
                    event_id=raw.event_id,
                    chat=self.chat,
                    account=self.account,
                    occurred_at=raw.received_at,
                    message_id=message_id,
                    name=name,
                    argument=argument,
                )
            case {"text": words, "message": message_id}:
                return MessageReceived(
                    event_id=raw.event_id,
                    chat=self.chat,
                    account=self.account,
                    occurred_at=raw.received_at,
                    message_id=message_id,
                    text=words,
                    edited=body.get("edited") == "True",
                )
            case _:
                raise UnparseableError("not a step of the script")

    async def send(self, row: OutboxRow) -> str:
        """Print the message and its buttons."""
        message = row.draft.message
        changed = "~" if message.replaces else " "
        for line in plain(message.blocks, message.locale).splitlines():
            self.say(f"  bot{changed}| {line}")
        for keys in message.keys:
            labels = " ".join(f"[{resolve(key.label, message.locale)}]" for key in keys)
            self.say(f"      | {labels}")
        message_id = message.replaces or row.draft.outbox_id
        self.shown[message_id] = row
        return message_id

    async def show_typing(self, chat: Chat) -> None:
        """Show nothing: the script does not wait for anybody."""

    async def refresh(self, chat: Chat, account: Account) -> None:
        """Show nothing beside the messages."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Nothing to connect to."""
        yield

    def health(self) -> Mapping[str, str]:
        """Return no facts."""
        return {}

    def find(self, label: str) -> tuple[str, str]:
        """Return (message id, token) of the newest button with this label.

        Raises:
            LookupError: no message shows such a button.
        """
        for message_id, row in reversed(self.shown.items()):
            message = row.draft.message
            for keys in message.keys:
                for key in keys:
                    if resolve(key.label, message.locale) == label:
                        return message_id, key.token
        raise LookupError(label)


async def demo(say: Callable[[str], None]) -> None:
    """Run the script and print both sides."""
    clock = ManualClock(BEGIN)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), local_model="off")
        screen = Screen(say)
        async with opened(settings, clock) as app, working(app, screen):
            for number, step in enumerate(SCRIPT):
                if step.wait_minutes:
                    say(f"\n  ... {step.wait_minutes} min later")
                    clock.turn(minutes=step.wait_minutes)
                    await app.scheduler.tick()
                else:
                    clock.turn(seconds=5)
                    say(f"\n you  | {step.shown}")
                    await app.dispatcher.accept(_update(step, number, screen, clock))
                await settled(app.stores)


def _update(step: Step, number: int, screen: Screen, clock: ManualClock) -> RawUpdate:
    body: dict[str, str] = {"text": step.say or step.edit, "message": f"u{number}"}
    kind = UpdateKind.MESSAGE
    if step.edit:
        body |= {"message": f"u{number - 1}", "edited": "True"}
    if step.press:
        message_id, token = screen.find(step.press)
        body, kind = {"token": token, "message": message_id}, UpdateKind.BUTTON
    return RawUpdate(
        platform=PLATFORM,
        bot=PLATFORM,
        delivery_key=str(number),
        kind=kind,
        lane="1",
        received_at=clock.now(),
        body=body,
    )


async def settled(stores: Stores) -> None:
    """Return once everything accepted is answered and everything queued is sent."""
    while True:
        inbox, outbox = await stores.inbox.counts(), await stores.outbox.counts()
        if not (inbox.get("new") or outbox.get("queued") or outbox.get("sending")):
            return
        await asyncio.sleep(SETTLE_SECONDS)

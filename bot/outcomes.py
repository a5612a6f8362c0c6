"""From an agent's value to what is stored: messages under stable ids, actions, links, session."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.core.actions import Action
from bot.core.agents import AgentResult
from bot.core.events import Chat, ChatKind
from bot.core.ids import derived_id
from bot.core.messages import (
    Block,
    Button,
    ChartBlock,
    FieldsBlock,
    ImageBlock,
    Key,
    OutboundMessage,
    TableBlock,
    TextBlock,
)
from bot.core.outbox import OutboxDraft
from bot.core.words import Words
from bot.locales.catalogue import resolve


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One result on its way out, with the agent that owns its buttons."""

    result: AgentResult
    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressed:
    """Where replies go and in which language."""

    event_id: str
    person_id: str
    chat: Chat
    locale: str
    account_id: str
    now: datetime
    pressed_message_id: str | None = None
    preview_id: str = ""
    private_chat: Chat | None = None


@dataclass(slots=True)
class Written:
    """What the replies become."""

    outbox: list[OutboxDraft] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    entities: list[str] = field(default_factory=list)


def write(replies: Sequence[Reply], to: Addressed) -> Written:
    """Return outbox rows and actions for the replies; ids derive from the event."""
    written = Written()
    for ordinal, reply in enumerate(replies):
        result = reply.result
        written.entities.extend(e for e in result.entities if e not in written.entities)
        if result.private is not None and to.private_chat is not None:
            _whisper(written, result.private, reply.agent, to, ordinal)
        if not result.blocks:
            continue
        outbox_id = message_id_of(to.event_id, ordinal)
        replaces = to.pressed_message_id if result.repaint else None
        if not any(
            draft.chat == to.chat for draft in written.outbox
        ):  # the first message takes over what was shown while it grew
            replaces = replaces or to.preview_id or None
        written.actions.extend(
            action_of(button, reply.agent, to, outbox_id)
            for row in result.buttons
            for button in row
        )
        written.outbox.append(
            OutboxDraft(
                outbox_id=outbox_id,
                chat=to.chat,
                person_id=to.person_id,
                event_id=to.event_id,
                purpose=result.purpose,
                entities=result.entities,
                message=OutboundMessage(
                    blocks=result.blocks,
                    locale=to.locale,
                    keys=keys_of(result.buttons),
                    replaces=replaces,
                    mention=to.account_id if to.chat.kind is ChatKind.GROUP else None,
                    asks=result.pending is not None,
                ),
            )
        )
        if not result.unrecorded:
            written.text.append(plain(result.blocks, to.locale))
    return written


def message_id_of(event_id: str, ordinal: int) -> str:
    """Return the id of the nth answer to an event: of its outbox row and of its buttons."""
    return derived_id("m", event_id, ordinal)


def _whisper(
    written: Written, result: AgentResult, agent: str, to: Addressed, ordinal: int
) -> None:
    """Add what only the person is to read; it stays out of the group's record."""
    chat = to.private_chat or to.chat
    there = replace(to, chat=chat)
    outbox_id = derived_id("m", to.event_id, ordinal, "private")
    written.actions.extend(
        action_of(button, agent, there, outbox_id) for row in result.buttons for button in row
    )
    written.outbox.append(
        OutboxDraft(
            outbox_id=outbox_id,
            chat=chat,
            person_id=to.person_id,
            event_id=to.event_id,
            purpose=result.purpose,
            entities=result.entities,
            message=OutboundMessage(
                blocks=result.blocks, locale=to.locale, keys=keys_of(result.buttons)
            ),
        )
    )


def action_of(button: Button, agent: str, to: Addressed, group: str) -> Action:
    """Return the stored action of a button."""
    draft = button.action
    return Action(
        token=button.token,
        owner_id=to.person_id,
        chat_key=to.chat.key,
        agent=agent,
        name=draft.name,
        arguments=draft.arguments,
        subject=draft.subject,
        revision=draft.revision,
        uses=draft.uses,
        group=group,
        expires_at=to.now + draft.lifetime,
    )


def keys_of(rows: Sequence[Sequence[Button]]) -> tuple[tuple[Key, ...], ...]:
    """Return the buttons as they go out: label and token only."""
    return tuple(
        tuple(Key(label=b.label, token=b.token, tone=b.tone) for b in row) for row in rows if row
    )


def plain(blocks: Sequence[Block], locale: str) -> str:
    """Return blocks as plain text: what history, export and logs-free summaries keep."""
    return "\n".join(_plain(block, locale) for block in blocks)


def _plain(block: Block, locale: str) -> str:
    def say(words: Words) -> str:
        return resolve(words, locale)

    match block:
        case TextBlock():
            return say(block.words)
        case FieldsBlock():
            lines = [f"{say(label)}: {say(value)}" for label, value in block.fields]
            return "\n".join([say(block.title), *lines] if block.title else lines)
        case TableBlock():
            rows = [block.header, *block.rows]
            return "\n".join(" | ".join(say(cell) for cell in row) for row in rows)
        case ChartBlock():
            return say(block.title)
        case ImageBlock():
            return say(block.alt)

"""An amount with a minus sign: money spent or money that came back is for the person to say."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn
from bot.core.codec import to_json
from bot.core.ledger import Direction, EntryDraft, from_minor
from bot.core.messages import Button, TextBlock
from bot.core.sessions import Expects, Pending
from bot.core.words import Lines, Text, Verbatim, text
from bot.locales.catalogue import money

INTENT = "ledger_manager"
SIGN = "sign"
"""The name of the question."""

_OFFERED = (Direction.EXPENSE, Direction.REFUND, Direction.INCOME)
_SAID = (
    (Direction.REFUND, re.compile(r"退|\brefund|money back", re.IGNORECASE)),
    (Direction.INCOME, re.compile(r"收入|进账|收到|\bincome|\bearned|received", re.IGNORECASE)),
    (Direction.EXPENSE, re.compile(r"支出|花|消费|开销|\bexpense|\bspent|\bcost", re.IGNORECASE)),
)


def asks_sign(drafts: Sequence[EntryDraft]) -> bool:
    """Whether no word says where the money went."""
    return bool(drafts) and all(draft.direction is Direction.EXPENSE for draft in drafts)


def ask_sign(turn: Turn, drafts: Sequence[EntryDraft]) -> AgentResult:
    """Ask where the money went, with each way as a button."""
    lines = Lines(tuple(Verbatim(_line(draft)) for draft in drafts))
    question = text("ledger.ask_sign", lines=lines)
    buttons = tuple(
        Button(
            label=text("ledger.button_sign", direction=_name(direction)),
            action=ActionDraft(
                name="book",
                arguments={
                    "entries": to_json(tuple[EntryDraft, ...], directed(drafts, direction))
                },
            ),
        )
        for direction in _OFFERED
    )
    cancel = Button(label=text("ledger.button_cancel"), action=ActionDraft(name="cancel"))
    return AgentResult(
        blocks=(TextBlock(question),),
        buttons=(buttons, (cancel,)),
        status=Status.CLARIFY,
        pending=Pending(
            agent=INTENT,
            name=SIGN,
            question=question,
            asked_at=turn.now,
            expects=(Expects.CONFIRM, Expects.WORDS),
            state={"entries": to_json(tuple[EntryDraft, ...], tuple(drafts))},
        ),
    )


def said_direction(words: str) -> Direction | None:
    """Return the direction that an answer names; None when it names none."""
    return next((direction for direction, pattern in _SAID if pattern.search(words)), None)


def directed(drafts: Sequence[EntryDraft], direction: Direction) -> tuple[EntryDraft, ...]:
    """Return the entries with another direction."""
    changed = tuple(replace(draft, direction=direction) for draft in drafts)
    if direction is not Direction.INCOME:
        return changed
    return tuple(replace(draft, category="other_income") for draft in changed)


def _name(direction: Direction) -> Text:
    return text(f"ledger.direction_{direction}")


def _line(draft: EntryDraft) -> str:
    return (
        f"{draft.item} -{money(from_minor(draft.minor, draft.currency), draft.currency)}".strip()
    )

"""Money spent or money that came back, where only the person can say which."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn
from bot.core.codec import to_json
from bot.core.ledger import Direction, EntryDraft, from_minor
from bot.core.messages import Button, TextBlock
from bot.core.patterns import regex
from bot.core.sessions import Expects, Pending
from bot.core.words import Lines, Text, Verbatim, text
from bot.locales.catalogue import money

INTENT = "ledger_manager"
SIGN = "sign"
"""The name of the question."""

_QUESTIONS = {
    "negative_amount": "ledger.ask_sign",
    "paid_back": "ledger.ask_paid_back",
    "others_paid": "ledger.ask_others_paid",
    "lent_or_borrowed": "ledger.ask_loan",
}
"""How it is asked, by what made it doubtful."""

_OFFERED = (Direction.EXPENSE, Direction.REFUND, Direction.INCOME)
_OFFERED_OF_OTHERS = (Direction.EXPENSE, Direction.BORROW)
"""What somebody else paid is one's own expense all the same, or owed to them."""

_OFFERED_OF_LOANS = (Direction.LEND, Direction.BORROW)

_SAID = (
    (Direction.LEND, regex(r"借出|借给|\blent\b", re.IGNORECASE)),
    (
        Direction.BORROW,
        regex(r"借入|欠[他她人]|我欠|算?我?借|\b(?:i )?owe\b|\bborrow", re.IGNORECASE),
    ),
    (Direction.REFUND, regex(r"退|\brefund|money back", re.IGNORECASE)),
    (
        Direction.INCOME,
        regex(r"收入|进账|收到|报销|到账|\bincome|\bearned|received", re.IGNORECASE),
    ),
    (
        Direction.EXPENSE,
        regex(r"支出|花|消费|开销|我自己|算我的|我付的?|\bexpense|\bspent|\bcost", re.IGNORECASE),
    ),
)


def asks_sign(reason: str, drafts: Sequence[EntryDraft]) -> bool:
    """Whether the doubt is where the money went, and no word says so."""
    is_expense = bool(drafts) and all(d.direction is Direction.EXPENSE for d in drafts)
    return reason in _QUESTIONS and is_expense


def ask_sign(turn: Turn, drafts: Sequence[EntryDraft], reason: str) -> AgentResult:
    """Ask where the money went, with each way as a button."""
    sign = "-" if reason == "negative_amount" else ""
    of_others = reason == "others_paid"
    lines = Lines(tuple(Verbatim(_line(draft, sign)) for draft in drafts))
    question = text(_QUESTIONS[reason], lines=lines)
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
        for direction in _offered(reason)
    )
    none = "ledger.button_book_none" if of_others else "ledger.button_cancel"
    cancel = Button(label=text(none), action=ActionDraft(name="cancel"))
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
            state={"entries": to_json(tuple[EntryDraft, ...], tuple(drafts)), "reason": reason},
        ),
    )


def _offered(reason: str) -> tuple[Direction, ...]:
    if reason == "lent_or_borrowed":
        return _OFFERED_OF_LOANS
    return _OFFERED_OF_OTHERS if reason == "others_paid" else _OFFERED


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


def _line(draft: EntryDraft, sign: str) -> str:
    shown = money(from_minor(draft.minor, draft.currency), draft.currency)
    return f"{draft.item} {sign}{shown}".strip()

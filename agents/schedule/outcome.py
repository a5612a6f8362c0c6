"""What a change of reminders says: done, changed meanwhile, unclear which one."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from pydantic import JsonValue

from agents.schedule import present
from agents.tools.schedules import StoredSchedules
from bot.core.agents import AgentResult, Status, Turn
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.errors import ConflictError, NotFoundError
from bot.core.messages import TextBlock
from bot.core.outbox import Purpose
from bot.core.schedules import Schedule
from bot.core.sessions import Expects, Pending
from bot.core.words import Verbatim, text

INTENT = "schedule_manager"
OFFERED = 6
SOFT = "stored"
LISTED = "listed"
"""The soft question after a reminder was set or changed."""

SOFT_MANY, REMOVED = "stored_many", "removed"
"""What an undo refers to after several were set, or after reminders were cancelled."""

Decide = Callable[[], Awaitable[Sequence[ToolCall]]]


async def changed(
    turn: Turn,
    decide: Decide,
    candidates: Sequence[Schedule],
    target: str,
    *,
    key: str = "schedule.changed",
) -> AgentResult:
    """Do what ``decide`` returns and confirm it; without calls, say what is unclear."""
    try:
        results = await turn.tools.perform(decide)
    except (ConflictError, NotFoundError):
        return say("schedule.changed_meanwhile", repaint=turn.action is not None)
    if not results:
        return unclear(candidates, target)
    call, stored = results[0]
    schedules = from_json(StoredSchedules, stored)
    if call.name == "schedule_delete":
        return removed(turn, schedules)
    return AgentResult(
        blocks=present.stored_blocks(schedules[0], turn.locale, key=key),
        buttons=present.stored_buttons(schedules[0]),
        entities=present.references(schedules),
        purpose=Purpose.CONFIRMATION,
        pending=just_stored(turn, schedules[:1], candidates[:1]),
        repaint=turn.action is not None,
    )


def just_stored(
    turn: Turn, schedules: Sequence[Schedule], before: Sequence[Schedule] = ()
) -> Pending:
    """Return the soft question that lets "不是，是9点" reach the reminder just stored.

    ``before`` holds what a changed reminder was, for the change to be undone.
    """
    pending = _soft(turn, SOFT if len(schedules) == 1 else SOFT_MANY, schedules)
    held = to_json(StoredSchedules, tuple(before))
    return replace(pending, state={**pending.state, "before": held}) if before else pending


def _soft(turn: Turn, name: str, schedules: Sequence[Schedule]) -> Pending:
    ids: JsonValue = [schedule.schedule_id for schedule in schedules]
    return Pending(
        agent=INTENT,
        name=name,
        question=text("schedule.ask_change_short"),
        asked_at=turn.now,
        expects=(Expects.CONFIRM, Expects.TIME) if name == SOFT else (),
        state={"schedule": schedules[0].schedule_id, "schedules": ids},
        soft=True,
    )


def just_listed(turn: Turn) -> Pending:
    """Return the soft question that lets "第二个改到9点" reach the list just shown."""
    return Pending(
        agent=INTENT,
        name=LISTED,
        question=text("schedule.ask_change_short"),
        asked_at=turn.now,
        soft=True,
    )


def removed(turn: Turn, schedules: StoredSchedules) -> AgentResult:
    """Return the confirmation of cancelled reminders, with Undo."""
    names = tuple(Verbatim(schedule.what) for schedule in schedules)
    return AgentResult(
        blocks=(TextBlock(text("schedule.removed", what=names)),),
        buttons=((present.restore_button(schedules),),),
        entities=present.references(schedules),
        purpose=Purpose.CONFIRMATION,
        pending=_soft(turn, REMOVED, schedules),
        repaint=turn.action is not None,
    )


def unclear(candidates: Sequence[Schedule], target: str, *, delete: bool = False) -> AgentResult:
    """Return the question which of several is meant, or say that there is none."""
    if len(candidates) > 1:
        button = present.delete_nth_button if delete else present.change_button
        rows = tuple(
            (button(schedule, ordinal=i),) for i, schedule in enumerate(candidates[:OFFERED], 1)
        )
        words = text("schedule.choose" if target else "schedule.choose_any", target=target)
        return AgentResult(blocks=(TextBlock(words),), buttons=rows, status=Status.CLARIFY)
    if candidates:
        return say("schedule.reject_past", status=Status.CLARIFY)
    return say("schedule.nothing_called" if target else "schedule.list_empty", target=target)


def say(
    key: str, *, target: str = "", repaint: bool = False, status: Status = Status.COMPLETED
) -> AgentResult:
    """Return one text of the catalogue."""
    return AgentResult(
        blocks=(TextBlock(text(key, target=target)),), repaint=repaint, status=status
    )

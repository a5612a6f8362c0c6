"""What stays of the reminders of a message that was taken back."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import JsonValue

from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Turn
from bot.core.messages import Button, TextBlock
from bot.core.schedules import Schedules
from bot.core.words import text


async def what_stays(
    schedules: Schedules, turn: Turn, ids: Sequence[str], recalled_at: datetime
) -> AgentResult:
    """Return that the reminders stay which the message made, with Undo, and not what they say.

    What the message only changed was there before it and is none of its reminders.
    """
    found = [await schedules.get(turn.person.person_id, schedule_id) for schedule_id in ids]
    made: list[JsonValue] = [
        s.schedule_id
        for s in found
        if s is not None
        and not s.cancelled
        and s.next_fire_at is not None
        and s.created_at >= recalled_at
    ]
    if not made:
        return AgentResult(blocks=())
    undo = Button(
        label=text("schedule.button_undo"),
        action=ActionDraft(name="delete", arguments={"schedules": made}),
    )
    return AgentResult(
        blocks=(TextBlock(text("schedule.recalled", n=len(made))),), buttons=((undo,),)
    )

"""What the buttons under reminders do."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from pydantic import JsonValue

from agents.schedule import habits
from agents.schedule.changes import ReminderChanges
from agents.schedule.due import DueButtons
from agents.schedule.moves import ReminderMoves
from agents.schedule.outcome import say
from agents.schedule.pauses import ReminderPauses
from agents.schedule.presses import Press
from agents.schedule.questions import Rules, Several
from agents.schedule.setting import ReminderSetting
from agents.schedule.shifts import ReminderShifts
from agents.schedule.skips import Skips
from bot.core.agents import AgentResult, HandOff, Turn
from bot.core.codec import from_json
from bot.core.events import HeldMessage
from bot.core.messages import TextBlock
from bot.core.recurrence import Rule
from bot.core.words import Verbatim, text

LEDGER = "ledger_manager"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderButtons:
    """Sends a press to what it is about."""

    changes: ReminderChanges
    moves: ReminderMoves
    due: DueButtons
    skips: Skips
    pauses: ReminderPauses
    shifts: ReminderShifts
    setting: ReminderSetting

    async def pressed(
        self, turn: Turn, name: str, arguments: Mapping[str, JsonValue]
    ) -> AgentResult:
        """Return what a press does."""
        press = Press(arguments)
        match name:
            case "pick" | "pick_all" | "book" | "move_once" | "move_all" | "keep":
                return await self._picked(turn, name, press)
            case "done" | "snooze" | "skip_next" | "skip_on" | "pause":
                return await self._of_one_that_rings(turn, name, press)
            case "change":
                return await self.changes.ask(turn, press.text("schedule"))
            case "delete":
                ids = press.texts("schedules") or [press.text("schedule")]
                return await self.changes.remove(turn, ids)
            case "shift_all":
                ids = press.texts("schedules")
                return await self.shifts.pressed(turn, ids, press.number("seconds"))
            case "restore":
                return await self.changes.restore(turn, press.texts("schedules"))
            case _:
                unmoved = name == "unmoved"
                return say("schedule.unchanged" if unmoved else "schedule.cancelled", repaint=True)

    async def _of_one_that_rings(self, turn: Turn, name: str, press: Press) -> AgentResult:
        """Return what becomes of what rang, or of the next times it rings."""
        match name:
            case "done":
                return await self.due.done(turn, press.text("delivery"))
            case "snooze":
                minutes = timedelta(minutes=press.number("minutes"))
                return await self.due.snooze(turn, press.schedule(turn), minutes)
            case "skip_on":
                return await self.skips.picked(turn, press.text("schedule"), press.text("day"))
            case "pause":
                return await self.pauses.pressed(turn, press)
            case _:
                return await self.due.skip_next(turn, press.schedule(turn))

    async def _picked(self, turn: Turn, name: str, press: Press) -> AgentResult:
        """Return what follows from a choice that a question of ours offered."""
        if name == "keep":
            return say("schedule.all_kept", repaint=True)
        if name == "book":
            return _booked_next(turn, press.text("said"))
        if name == "pick_all":
            wanted = from_json(Several, press.arguments.get("wanted"))
            return await self.setting.insert_all(turn, wanted)
        rule = from_json(Rule, press.arguments.get("rule"))
        if name == "move_once":
            day = press.text("day")
            return await self.moves.move_once(turn, press.text("schedule"), rule, day)
        if name == "move_all":
            return await self.moves.move_all(turn, press.text("schedule"), rule)
        candidates = from_json(Rules, press.arguments.get("habit") or [])
        also = (habits.remember(candidates, rule),) if candidates else ()
        return await self.setting.insert(turn, press.text("what"), rule, also=also)


def _booked_next(turn: Turn, said: str) -> AgentResult:
    held = HeldMessage(text=said, message_id=turn.message_id, occurred_at=turn.now)
    return AgentResult(
        blocks=(TextBlock(text("schedule.booking", said=Verbatim(said))),),
        hand_off=HandOff(message=held, intent=LEDGER),
    )

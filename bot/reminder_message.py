"""A due reminder as a message: its text verbatim, its moment, and what can be done with it."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.core.actions import Action, ActionDraft
from bot.core.agents import AgentResult
from bot.core.events import ChatKind
from bot.core.ids import derived_id
from bot.core.messages import Button, OutboundMessage, TextBlock, Tone
from bot.core.outbox import OutboxClass, OutboxDraft, Purpose
from bot.core.people import Person
from bot.core.schedules import Delivery, Schedule
from bot.core.words import Verbatim, text
from bot.locales.moments import moment
from bot.outcomes import Addressed, action_of, keys_of

SCHEDULE_AGENT = "schedule_manager"
SNOOZE_MINUTES = (10, 60)
PRESSABLE = timedelta(days=30)


def reminder_message(
    schedule: Schedule, person: Person, delivery: Delivery, *, now: datetime, again: bool
) -> tuple[OutboxDraft, tuple[Action, ...]]:
    """Return the outbox row and the stored actions of its buttons.

    Ids derive from the delivery, so the same moment is never queued twice.
    """
    words = Verbatim(schedule.what)
    block = TextBlock(text("schedule.due", what=words))
    if delivery.late:
        due = moment(delivery.due_at.astimezone(ZoneInfo(person.zone)), person.locale)
        block = TextBlock(text("schedule.due_late", what=words, due=due))
    result = AgentResult(blocks=(block,), buttons=_buttons(schedule, delivery, again=again))
    outbox_id = derived_id("m", delivery.delivery_id)
    to = Addressed(
        event_id=delivery.delivery_id,
        person_id=person.person_id,
        chat=schedule.chat,
        locale=person.locale,
        account_id=schedule.mention or "",
        now=now,
    )
    actions = tuple(
        action_of(button, SCHEDULE_AGENT, to, outbox_id)
        for row in result.buttons
        for button in row
    )
    draft = OutboxDraft(
        outbox_id=outbox_id,
        chat=schedule.chat,
        person_id=person.person_id,
        message=OutboundMessage(
            blocks=result.blocks,
            locale=person.locale,
            keys=keys_of(result.buttons),
            mention=schedule.mention if schedule.chat.kind is ChatKind.GROUP else None,
        ),
        outbox_class=OutboxClass.BULK,
        purpose=Purpose.REMINDER,
        entities=(f"schedule:{schedule.schedule_id}",),
        delivery_id=delivery.delivery_id,
    )
    return draft, actions


def _buttons(
    schedule: Schedule, delivery: Delivery, *, again: bool
) -> tuple[tuple[Button, ...], ...]:
    def button(name: str, *, tone: Tone = Tone.PLAIN, **arguments: str | int) -> Button:
        return Button(
            label=text(f"schedule.button_{name}", **arguments),
            tone=tone,
            action=ActionDraft(
                name=name,
                arguments={"delivery": delivery.delivery_id, **arguments},
                subject=f"schedule:{schedule.schedule_id}",
                revision=schedule.revision,
                lifetime=PRESSABLE,
            ),
        )

    first = (
        button("done", tone=Tone.PRIMARY),
        *(button("snooze", minutes=minutes) for minutes in SNOOZE_MINUTES),
    )
    return (first, (button("skip_next"),)) if again else (first,)

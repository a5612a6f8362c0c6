"""The state of one running turn, on the stack of the dispatcher and nowhere else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from bot.core.actions import Action, ActionDraft
from bot.core.agents import AgentResult, Status
from bot.core.events import (
    Attachment,
    CapsuleToggled,
    Chat,
    CommandReceived,
    HeldMessage,
    InboundEvent,
    MessageRecalled,
    MessageReceived,
)
from bot.core.messages import Button, TextBlock, Tone
from bot.core.people import Person
from bot.core.permissions import Profile
from bot.core.routing import UNKNOWN, Decision, Source, Wish
from bot.core.sessions import Pending, Session
from bot.core.turns import TurnRecord
from bot.core.words import Verbatim, Words, text
from bot.outcomes import Reply
from bot.undo_order import laid_over, uncovered

HUB = "hub"
"""Owner of the dispatcher's own buttons."""

ALSO = "also"
"""Name of the button that serves another wish of an earlier message."""

STALE = timedelta(minutes=30)
"""What was said so long ago neither changes nor deletes anything, nor is it sent on, unasked.

Source: pitfall PF28, an order that an outage has kept.
"""

_ANSWERING = frozenset({Source.PENDING, Source.ACTION, Source.EDIT, Source.CAPSULE})
"""Who sends a turn to an agent because of what is open there already."""

_TALK = frozenset({"chat_manager", "QA", "help_center"})
"""Who answers without doing anything: what was done last stays what an undo means."""

PROVING = frozenset({"bind"})
"""Commands whose argument proves who somebody is; no record keeps it."""

MAX_PARKED = 5
MAX_ANSWERED = 20
LONGEST_LABEL = 16


@dataclass(frozen=True, slots=True)
class Remembered:
    """What is stored of the conversation a turn belongs to; nothing is added while it runs.

    Attributes:
        turns: the last ones, oldest first.
        summary: of those before, if there are any.
    """

    conversation: str
    turns: Sequence[TurnRecord]
    summary: str


@dataclass(slots=True, kw_only=True)
class TurnState:
    """Everything that is known while one event is answered.

    Attributes:
        loaded: the session as it was read; `session` is what will be stored.
        refusal: why this account may not come in.
        said: what the person wrote or pressed, for the record.
        writes: effects that have happened in this turn.
        parked_now: the question that this turn put aside.
        recalled_at: when the message was said that is taken back; None for any other event.
        event_ids: all inbox rows that the turn consumes; an album has several.
        preview_id: the message that shows the growing answer, for the final one to take over.
        group_space: where the people of the group are; empty elsewhere.
        private_chat: where a person who spoke in a group reads what is for them alone.
        remembered: kept once it was read.
    """

    event: InboundEvent
    person: Person
    profile: Profile
    loaded: Session
    session: Session
    now: datetime
    began_at: datetime
    refusal: Words | None = None
    query: str = ""
    command: str = ""
    said: str = ""
    outcome: str = ""
    action: Action | None = None
    linked: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    intent: str = ""
    decision: Decision = field(
        default=Decision(intent=UNKNOWN, confidence=0.0, source=Source.GATE)
    )
    calls: tuple[Mapping[str, JsonValue], ...] = ()
    writes: int = 0
    parked_now: Pending | None = None
    recalled_at: datetime | None = None
    event_ids: tuple[str, ...] = ()
    preview_id: str = ""
    group_space: str = ""
    private_chat: Chat | None = None
    remembered: Remembered | None = None

    @property
    def space(self) -> str:
        """Where the person is: as they said, else as the group said."""
        return self.session.space or self.group_space

    @property
    def is_stale(self) -> bool:
        """Whether something was said so long ago that the person may have gone on meanwhile."""
        was_said = isinstance(self.event, MessageReceived | CommandReceived)
        return was_said and self.began_at - self.event.occurred_at >= STALE

    def decided(self, source: Source, intent: str, *, trace: tuple[str, ...] = ()) -> None:
        """Take a decision that needs no router: confidence 1.0."""
        self.intent = intent
        self.decision = Decision(
            intent=intent or UNKNOWN, confidence=1.0, source=source, trace=trace
        )

    def note(self, line: str) -> None:
        """Leave a line in the trace."""
        self.decision = replace(self.decision, trace=(*self.decision.trace, line))

    def reroute(self, intent: str, why: str) -> None:
        """Send the turn on to another agent, leaving a trace."""
        self.intent = intent
        self.decision = replace(self.decision, intent=intent, trace=(*self.decision.trace, why))

    def hub_reply(self, words: Words, *, outcome: str = "") -> list[Reply]:
        """Answer in the hub's own name."""
        self.outcome = outcome or self.outcome
        result = AgentResult(
            blocks=(TextBlock(words),),
            status=Status.REJECTED if outcome == "refused" else Status.COMPLETED,
        )
        return [Reply(result=result, agent=HUB)]

    def take_words(self, event: InboundEvent) -> None:
        """Give the agent what a message or a command says."""
        if isinstance(event, MessageReceived):
            self.query = event.text
        elif isinstance(event, CommandReceived):
            self.command = event.name
            self.query = event.argument

    def _hold(self) -> None:
        """Keep a newcomer's first message for the end of onboarding."""
        event = self.event
        if isinstance(event, MessageReceived) and self.session.held is None:
            held = HeldMessage(
                text=event.text,
                message_id=event.message_id,
                occurred_at=event.occurred_at,
                attachments=self.attachments,
            )
            self.session = replace(self.session, held=held)

    def begin_held(self, message: HeldMessage) -> None:
        """Go on with a held message: its text, its files, its time."""
        self.query = message.text
        self.attachments = message.attachments
        self.action = None
        self.command = ""
        self.now = message.occurred_at.astimezone(ZoneInfo(self.person.zone))
        self.session = replace(self.session, held=None)

    def uncover(self, words: str) -> None:
        """Let a further undo reach what another agent did before what is undone already."""
        pending = uncovered(self.session.pending, words, self.now)
        self.session = replace(self.session, pending=pending)

    def settle(self, result: AgentResult) -> None:
        """Update the session: the answering agent's question, and what had to wait for it."""
        if result.hold:
            self._hold()
        waiting = self.session.pending
        if waiting is not None and self._is_left_open(waiting, result):
            self.parked_now = waiting
            parked = (*self.session.parked, waiting)[-MAX_PARKED:]
            self.session = replace(self.session, parked=parked)
        elif waiting is not None and self._is_answered(waiting):
            answered = (*self.session.answered, waiting.group)[-MAX_ANSWERED:]
            self.session = replace(self.session, answered=answered)
        pending = result.pending
        is_talk = self.intent in _TALK or (self.command and not self.writes)
        if pending is None and waiting is not None and waiting.soft and is_talk:
            pending = replace(waiting, expects=())  # talk between changes nothing that was done
        else:
            pending = laid_over(waiting, pending, self.query)
        self.session = replace(self.session, pending=pending, agent=self.intent)
        if result.conversation is not None:
            self.session = replace(self.session, conversation=result.conversation)

    def _is_left_open(self, waiting: Pending, result: AgentResult) -> bool:
        """Whether the turn went past an open question instead of answering it."""
        if waiting.soft or waiting.agent != self.intent:
            return not waiting.soft
        if self.decision.source in _ANSWERING or _speaks_of(waiting, self.query):
            return False
        opened = result.pending
        if opened is not None and not opened.soft:
            return opened.question != waiting.question
        return self.decision.source in (Source.FAST_PATH, Source.COMMAND)

    def _is_answered(self, waiting: Pending) -> bool:
        """Whether words have answered a question, so that its buttons must not do it again."""
        if waiting.soft or not waiting.group:
            return False
        return self.decision.source is Source.PENDING or _speaks_of(waiting, self.query)

    def unpark(self, index: int, *, keep: bool) -> list[Reply]:
        """Take a parked question up again, or drop it."""
        parked = list(self.session.parked)
        if not 0 <= index < len(parked):
            return self.hub_reply(text("hub.parked_gone"))
        question = parked.pop(index)
        if not keep:
            self.session = replace(self.session, parked=tuple(parked))
            return [self._repaint(text("hub.parked_dropped"))]
        if self.session.pending is not None:
            parked.append(self.session.pending)
        self.session = replace(self.session, pending=question, parked=tuple(parked))
        return [self._repaint(question.question)]

    def name_elsewhere(self, wishes: Sequence[Wish]) -> list[Reply]:
        """Name the wishes for which nobody is here, so that none is lost unsaid."""
        if not wishes:
            return []
        said = tuple(Verbatim(wish.text) for wish in wishes)
        block = TextBlock(text("hub.also_not_here", said=said))
        return [Reply(result=AgentResult(blocks=(block,)), agent=HUB)]

    def mention_wishes(self, wishes: Sequence[tuple[Wish, str]]) -> list[Reply]:
        """Name the other wishes of the message, each with a button that serves it.

        Each has a message of its own: what a press brings takes the place of its message.
        """
        return [
            Reply(
                result=AgentResult(
                    blocks=(TextBlock(text("hub.also", names=(Verbatim(name),))),),
                    buttons=(
                        (
                            Button(
                                label=text(
                                    "hub.also_button", agent=name, words=_shortened(wish.text)
                                ),
                                action=ActionDraft(
                                    name=ALSO,
                                    arguments={"intent": wish.intent, "text": wish.text},
                                ),
                            ),
                        ),
                    ),
                ),
                agent=HUB,
            )
            for wish, name in wishes
        ]

    def take_wish(self, action: Action) -> None:
        """Go on with a wish that was named before: its words, its agent."""
        self.decided(Source.ACTION, str(action.arguments.get("intent", "")))
        self.query = str(action.arguments.get("text", ""))
        self.action = None

    def ask_whether_still(self) -> list[Reply]:
        """Leave an old order undone; said again it means what is there by then, and no other."""
        key = "hub.stale_order_partly" if self.writes else "hub.stale_order"
        words = text(key, said=Verbatim(self.said), n=self.writes)
        result = AgentResult(blocks=(TextBlock(words),), status=Status.CLARIFY)
        return [Reply(result=result, agent=HUB)]

    def is_over(self, action: Action) -> bool:
        """Whether a button belongs to a question that was answered in words meanwhile."""
        return action.group in self.session.answered

    def say_it_is_over(self) -> list[Reply]:
        """Say so in the place of the question; nothing is done a second time."""
        self.outcome = "answered_before"
        return [self._repaint(text("hub.question_over"))]

    def mention_parked(self) -> list[Reply]:
        """Say which question waits, with buttons to go on or to drop it."""
        question = self.parked_now
        if question is None:
            return []
        index = len(self.session.parked) - 1
        buttons = (
            Button(
                label=text("hub.resume"),
                action=ActionDraft(name="resume", arguments={"index": index}),
                tone=Tone.PRIMARY,
            ),
            Button(
                label=text("hub.drop"), action=ActionDraft(name="drop", arguments={"index": index})
            ),
        )
        block = TextBlock(text("hub.parked", question=question.question))
        return [Reply(result=AgentResult(blocks=(block,), buttons=(buttons,)), agent=HUB)]

    def toggle_capsule(self, intent: str) -> None:
        """Select the capsule, or clear it when it is the selected one (seed 002, 2.6.2)."""
        chosen = None if self.session.capsule == intent else intent
        self.session = replace(self.session, capsule=chosen)
        self.outcome = "capsule_on" if chosen else "capsule_off"

    @staticmethod
    def _repaint(words: Words) -> Reply:
        return Reply(result=AgentResult(blocks=(TextBlock(words),), repaint=True), agent=HUB)


def _speaks_of(waiting: Pending, words: str) -> bool:
    """Whether a new wish says the same as the question that is open, only better."""
    values = (value for value in waiting.state.values() if isinstance(value, str))
    return any(len(value) > 1 and value in words for value in values)


def _shortened(words: str) -> str:
    return words if len(words) <= LONGEST_LABEL else f"{words[: LONGEST_LABEL - 1]}…"


def spoken(event: InboundEvent) -> str:
    """Return what the person wrote or pressed, for the turn record."""
    match event:
        case MessageReceived():
            return event.text
        case CommandReceived():
            argument = "…" if event.argument and event.name in PROVING else event.argument
            return f"/{event.name} {argument}".strip()
        case CapsuleToggled():
            return f"[capsule {event.intent}]"
        case MessageRecalled():
            return "[recalled]"
        case _:
            return "[button]"

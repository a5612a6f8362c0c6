"""What agents and the router are told: built from the running turn and what is stored."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from bot.core.agents import Progress, Turn
from bot.core.conversations import Summaries
from bot.core.events import MessageReceived
from bot.core.routing import RoutingContext
from bot.core.turns import TurnRecord, Turns
from bot.overlaps import names_any_date
from bot.pictures import Pictures
from bot.tool_runner import JournaledTools
from bot.turn_state import TurnState

HISTORY_TURNS = 10
"""Turns an agent sees (seed 002, 5.1)."""

ROUTER_MESSAGES = 8
"""Messages the router sees (seed 000)."""


Keeper = Callable[[str], Awaitable[bool]]
"""Tells of a person id whether an agent keeps a date to come of this person's."""


class Briefing:
    """Builds requests; it reads what is stored and writes nothing.

    Args:
        keepers: who keeps dates, by the label of the agent.
    """

    def __init__(
        self,
        turns: Turns,
        summaries: Summaries,
        pictures: Pictures,
        *,
        keepers: Mapping[str, Keeper],
    ) -> None:
        self._turns = turns
        self._summaries = summaries
        self._pictures = pictures
        self._keepers = keepers

    async def for_agent(self, state: TurnState, tools: JournaledTools, progress: Progress) -> Turn:
        """Return the request to the agent that was decided for."""
        history = await self._recent(state, HISTORY_TURNS)
        pending = state.session.pending
        event = state.event
        return Turn(
            event_id=event.event_id,
            query=state.query,
            command=state.command,
            person=state.person,
            profile=state.profile,
            chat=event.chat,
            account_id=event.account.user_id,
            account_name=event.account.display_name,
            account_locale=event.account.locale,
            account_key=event.account.key,
            session_key=event.session_key,
            conversation=state.session.conversation,
            summary=await self._summary(state, is_long=len(history) == HISTORY_TURNS),
            message_id=getattr(event, "message_id", ""),
            now=state.now,
            decision=state.decision,
            tools=tools,
            progress=progress,
            action=state.action,
            pending=pending if pending and pending.agent == state.intent else None,
            linked=state.linked,
            edited=isinstance(event, MessageReceived) and event.edited,
            recalled_at=state.recalled_at,
            attachments=state.attachments,
            held=state.session.held,
            space=state.space,
            history=tuple(history),
            memo=_memo(history, state.intent),
        )

    async def for_router(self, state: TurnState) -> RoutingContext:
        """Return what may influence the decision."""
        recent = await self._recent(state, ROUTER_MESSAGES // 2)
        lines = [line for t in recent for line in (f"person: {t.text}", f"bot: {t.reply}")]
        return RoutingContext(
            text=state.query,
            now=state.now,
            locale=state.person.locale,
            chat_kind=state.event.chat.kind,
            has_image=any(a.kind == "image" for a in state.attachments),
            image_summary=await self._seen(state),
            capsule=state.session.capsule,
            pending=state.session.pending,
            last_agent=state.session.agent,
            history=tuple(lines),
            summary=await self._summary(state, is_long=len(recent) == ROUTER_MESSAGES // 2),
            keepers=await self._keeping(state),
        )

    async def _keeping(self, state: TurnState) -> frozenset[str]:
        if not names_any_date(state.query):
            return frozenset()
        person_id = state.person.person_id
        return frozenset(
            [label for label, keeps in self._keepers.items() if await keeps(person_id)]
        )

    async def _seen(self, state: TurnState) -> str:
        """Look at the picture, unless a capsule has decided already."""
        if state.session.capsule is not None:
            return ""
        return await self._pictures.summary(state.attachments, state.event.account)

    async def _recent(self, state: TurnState, limit: int) -> Sequence[TurnRecord]:
        return await self._turns.recent(
            state.event.session_key, limit=limit, conversation=state.session.conversation
        )

    async def _summary(self, state: TurnState, *, is_long: bool) -> str:
        """Return the summary of a conversation that is longer than what is read whole."""
        if not is_long:
            return ""
        found = await self._summaries.get(state.event.session_key, state.session.conversation)
        return found.text if found else ""


def _memo(history: Sequence[TurnRecord], intent: str) -> str:
    """Return what the agent that answered last left for another one; presses say nothing."""
    last = next((turn for turn in reversed(history) if turn.agent), None)
    return last.memo if last is not None and last.agent != intent else ""

"""What agents and the router are told: built from the running turn and what is stored."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from zoneinfo import ZoneInfo

from bot.core.agents import Progress, Turn
from bot.core.conversations import Summaries
from bot.core.events import MessageReceived
from bot.core.routing import RoutingContext
from bot.core.turns import TurnRecord, Turns
from bot.language.named_orders import LONGEST, NamedOrder, parse_named_order
from bot.language.wishes import MOST, between_commas, split_wishes
from bot.overlaps import names_any_date
from bot.pictures import Pictures
from bot.tool_runner import JournaledTools
from bot.turn_state import Remembered, TurnState

HISTORY_TURNS = 10
"""Turns an agent sees (seed 002, 5.1)."""

ROUTER_MESSAGES = 8
"""Messages the router sees (seed 000)."""


Keeper = Callable[[str, str], Awaitable[bool]]
"""Tells of a person id whether an agent keeps something of that name; of any, without a name."""


class Briefing:
    """Builds requests; it reads what is stored and writes nothing.

    Args:
        keepers: who keeps what, by the label of the agent.
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
        remembered = await self._remembered(state)
        history = remembered.turns
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
            summary=remembered.summary if len(history) == HISTORY_TURNS else "",
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
        remembered = await self._remembered(state)
        recent = remembered.turns[-(ROUTER_MESSAGES // 2) :]
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
            summary=remembered.summary,
            keepers=await self._keeping(state),
        )

    async def _keeping(self, state: TurnState) -> frozenset[str]:
        order = _named_in(state)
        if order is None and not names_any_date(state.query):
            return frozenset()
        person_id, name = state.person.person_id, order.name if order else ""
        return frozenset(
            [label for label, keeps in self._keepers.items() if await keeps(person_id, name)]
        )

    async def _seen(self, state: TurnState) -> str:
        """Look at the picture, unless a capsule has decided already."""
        if state.session.capsule is not None:
            return ""
        return await self._pictures.summary(state.attachments, state.event.account)

    async def _remembered(self, state: TurnState) -> Remembered:
        """Return the conversation's last turns, and the summary if it goes further back."""
        conversation = state.session.conversation
        if state.remembered is not None and state.remembered.conversation == conversation:
            return state.remembered
        session_key = state.event.session_key
        turns = await self._turns.recent(
            session_key, limit=HISTORY_TURNS, conversation=conversation
        )
        summary = ""
        if len(turns) >= ROUTER_MESSAGES // 2:
            found = await self._summaries.get(session_key, conversation)
            summary = found.text if found else ""
        state.remembered = Remembered(conversation, turns, summary)
        return state.remembered


def _named_in(state: TurnState) -> NamedOrder | None:
    """Return the order of a name that is all of a message, or one of its wishes."""
    zone, words = state.now.tzinfo, state.query
    if not isinstance(zone, ZoneInfo):
        return None
    parts = split_wishes(words)
    whole = parse_named_order(words, state.now, zone) if len(parts) == 1 else None
    if whole is not None or len(words) > 2 * LONGEST:
        return whole
    parts = parts if len(parts) > 1 else between_commas(words)
    orders = (parse_named_order(part, state.now, zone) for part in parts[:MOST])
    return next((order for order in orders if order is not None), None)


def _memo(history: Sequence[TurnRecord], intent: str) -> str:
    """Return what the agent that answered last left for another one; presses say nothing."""
    last = next((turn for turn in reversed(history) if turn.agent), None)
    return last.memo if last is not None and last.agent != intent else ""

"""Letting an agent answer: which one, whether it may be used, with which tools."""

from bot.briefing import Briefing
from bot.core.agents import AgentResult, HandOff, Status, silent
from bot.core.effects import Journal
from bot.core.ports import Clock
from bot.core.routing import Decision, Router
from bot.core.words import text
from bot.gates import Gates
from bot.kept_routes import BATCH, HAND_OFF_BATCH, kept_route
from bot.outcomes import Reply
from bot.platforms import Platforms
from bot.previews import Preview, preview_id_of
from bot.registry import Registry
from bot.tool_runner import JournaledTools, TurnControl
from bot.turn_state import TurnState

MAX_HAND_OFFS = 1


class Asking:
    """Routes, checks permissions, narrows tools and asks the agent."""

    def __init__(
        self,
        *,
        router: Router,
        registry: Registry,
        gates: Gates,
        briefing: Briefing,
        journal: Journal,
        platforms: Platforms,
        clock: Clock,
    ) -> None:
        self._router = router
        self._registry = registry
        self._gates = gates
        self._briefing = briefing
        self._journal = journal
        self._platforms = platforms
        self._clock = clock

    async def tools(self, state: TurnState, control: TurnControl) -> JournaledTools:
        """Return the runner of this event's tool calls; nothing is granted yet."""
        recorded = await self._journal.load(state.event.event_id)
        state.preview_id = preview_id_of(recorded)
        return JournaledTools(
            event_id=state.event.event_id,
            person=state.person,
            chat=state.event.chat,
            account_id=state.event.account.user_id,
            now=state.now,
            grant=self._registry.tools.narrowed(frozenset(), frozenset(), state.event.chat.kind),
            journal=self._journal,
            recorded=recorded,
            control=control,
            is_old=state.is_stale,
            account_key=state.event.account.key,
            session_key=state.event.session_key,
            conversation=state.session.conversation,
        )

    async def route(self, state: TurnState, tools: JournaledTools, batch: int = BATCH) -> None:
        """Decide who answers; a run after a crash decides the same."""

        async def route() -> Decision:
            return await self._router.route(await self._briefing.for_router(state))

        state.decision = await kept_route(
            self._journal, state.event.event_id, tools.recorded, batch, route
        )
        state.intent = state.decision.intent

    async def run(self, state: TurnState, tools: JournaledTools) -> list[Reply]:
        """Let the agent answer, showing its answer while it grows."""
        event = state.event
        preview = Preview(
            adapter=self._platforms.of(event.chat),
            event=event,
            locale=state.person.locale,
            journal=self._journal,
            clock=self._clock,
            message_id=state.preview_id,
        )
        try:
            return await self._ask(state, tools, preview)
        finally:
            state.preview_id = await preview.close()

    async def _ask(self, state: TurnState, tools: JournaledTools, preview: Preview) -> list[Reply]:
        """Permission check, the agent, and at most one hand-off."""
        replies: list[Reply] = []
        for _ in range(MAX_HAND_OFFS + 1):
            if not self._may_use(state, state.intent):
                refusal = state.hub_reply(text("hub.no_permission"), outcome="refused")
                return [*replies, *refusal, *self._other_wishes(state)]
            self._hand_over(state, tools, state.intent)
            turn = await self._briefing.for_agent(state, tools, preview.show)
            if turn.memo:
                state.note(f"memo: {turn.memo}")
            try:
                result = await self._registry.agent(state.intent).handle(turn)
            finally:
                state.writes = tools.writes
            if result.status is Status.REJECTED and state.intent != self._gates.fallback:
                state.reroute(self._gates.fallback, "rejected: to the fallback agent")
                continue
            replies.append(Reply(result=result, agent=state.intent))
            state.settle(result)
            if result.hand_off is None:
                break
            await self._follow(state, tools, result.hand_off)
        state.calls = tuple(tools.log)
        if any(str(call["name"]).startswith(("profile_", "account_")) for call in state.calls):
            state.person = await self._gates.reload(state)  # the answer's language is new
        return [*replies, *self._other_wishes(state), *state.mention_parked()]

    async def aside(
        self, state: TurnState, tools: JournaledTools, intent: str
    ) -> AgentResult | None:
        """Let an agent say something that answers nothing and leaves what is open as it is.

        None when it is not here, may not be used, or has nothing to say.
        """
        if intent not in self._registry.enabled or not self._may_use(state, intent):
            return None
        self._hand_over(state, tools, intent)
        turn = await self._briefing.for_agent(state, tools, silent)
        result = await self._registry.agent(intent).handle(turn)
        return result if result.blocks else None

    def _may_use(self, state: TurnState, intent: str) -> bool:
        return state.profile.may_use(self._registry.manifest(intent).branch_id)

    def _hand_over(self, state: TurnState, tools: JournaledTools, intent: str) -> None:
        grant = self._registry.tools.narrowed(
            self._registry.tools_of(intent), state.profile.permissions, state.event.chat.kind
        )
        tools.hand_over(grant, state.person, state.now)

    def _other_wishes(self, state: TurnState) -> list[Reply]:
        wishes = state.decision.secondary
        served = self._registry.names(wishes, state.profile, state.person.locale)
        elsewhere = [wish for wish in wishes if wish.intent not in self._registry]
        return [*state.mention_wishes(served), *state.name_elsewhere(elsewhere)]

    async def _follow(self, state: TurnState, tools: JournaledTools, onward: HandOff) -> None:
        """Go on with a held message, as if it had come in now but said at its own time."""
        state.person = await self._gates.reload(state)
        state.begin_held(onward.message)
        if onward.intent is not None:
            state.reroute(onward.intent, f"hand-off: {onward.intent}")
            return
        await self.route(state, tools, HAND_OFF_BATCH)

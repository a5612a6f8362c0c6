"""Who answers a turn: gates, presses, commands, the capsule, the router; then their answer."""

from bot.asking import Asking
from bot.attachments import Attachments, NotFetched
from bot.core.events import (
    ButtonPressed,
    CapsuleToggled,
    CommandReceived,
    InboundEvent,
    MessageRecalled,
    MessageReceived,
)
from bot.core.people import SETUP_DONE
from bot.core.routing import Source
from bot.core.turns import Turns
from bot.core.words import text
from bot.gates import Gates
from bot.outcomes import Reply
from bot.platforms import Platforms
from bot.presses import Presses
from bot.recalls import Recalls
from bot.registry import ONBOARDING
from bot.tool_runner import JournaledTools, TurnControl
from bot.turn_state import ALSO, HUB, TurnState


class Responder:
    """Chooses who answers and lets them; knows what runs, so that it can be stopped."""

    def __init__(
        self,
        *,
        asking: Asking,
        gates: Gates,
        presses: Presses,
        platforms: Platforms,
        turns: Turns,
    ) -> None:
        self._asking = asking
        self._gates = gates
        self._presses = presses
        self._platforms = platforms
        self._recalls = Recalls(turns=turns, asking=asking)
        self._attachments = Attachments()
        self._running: dict[str, TurnControl] = {}

    async def respond(self, state: TurnState) -> list[Reply]:
        """Return the answer.

        Raises:
            StoppedError: the person stopped it.
            StaleOrderError: an old order would overwrite what is newer.
            StorageError: the store failed.
        """
        control, key = TurnControl(), state.event.session_key
        if not _is_stop(state.event):
            self._running[key] = control
        try:
            return await self._choose(state, control)
        finally:
            if self._running.get(key) is control:
                del self._running[key]

    async def _choose(self, state: TurnState, control: TurnControl) -> list[Reply]:
        """The order of the design: the first that applies decides."""
        event = state.event
        if isinstance(event, MessageRecalled):
            return await self._recall(state, event, control)
        if state.refusal is not None:
            return state.hub_reply(state.refusal, outcome="refused")
        if _is_stop(event):
            return self._stop(state)
        tools = await self._asking.tools(state, control)
        missing = await self._fetch(state)
        if missing is not None and not tools.replaying:  # what was begun with it is not denied
            return state.hub_reply(missing.words, outcome="not_fetched")
        if isinstance(event, ButtonPressed):
            return await self._press(state, event, tools)
        if isinstance(event, CapsuleToggled):
            return self._gates.toggle_capsule(state, event.intent)
        if state.person.setup_stage < SETUP_DONE or tools.replays("profile_advance"):
            state.take_words(event)
            state.decided(Source.GATE, ONBOARDING, trace=("gate: setup_stage < 3",))
            return await self._asking.run(state, tools)
        if isinstance(event, CommandReceived):
            return await self._command(state, event, tools)
        return await self._message(state, event, tools)

    async def _recall(
        self, state: TurnState, event: MessageRecalled, control: TurnControl
    ) -> list[Reply]:
        if state.refusal is not None:
            return []
        return await self._recalls.follow(state, event, await self._asking.tools(state, control))

    async def _fetch(self, state: TurnState) -> NotFetched | None:
        """Take the person's files into our store; the turn goes on only with all of them."""
        event = state.event
        adapter = self._platforms.of(event.chat)
        fetched = await self._attachments.fetched(adapter, state.attachments, event.account)
        if isinstance(fetched, NotFetched):
            state.attachments = ()
            return fetched
        state.attachments = fetched
        return None

    async def _press(
        self, state: TurnState, event: ButtonPressed, tools: JournaledTools
    ) -> list[Reply]:
        press = await self._presses.claim(event)
        state.action = press.action
        state.decided(Source.ACTION, press.action.agent if press.action else "")
        if press.action is None:
            state.outcome = "not_granted"
            return list(press.replies)
        if state.is_over(press.action) and not tools.replaying:
            return state.say_it_is_over()
        if press.action.agent == HUB and press.action.name == ALSO:
            state.take_wish(press.action)
            return await self._asking.run(state, tools)
        if press.action.agent == HUB:
            index = press.action.arguments.get("index")
            keep = press.action.name == "resume"
            return state.unpark(index if isinstance(index, int) else -1, keep=keep)
        return await self._asking.run(state, tools)

    async def _command(
        self, state: TurnState, event: CommandReceived, tools: JournaledTools
    ) -> list[Reply]:
        answer = await self._gates.command(state, event)
        if isinstance(answer, str):
            state.query = event.argument
            state.command = event.name
            state.decided(Source.COMMAND, answer, trace=(f"command: /{event.name}",))
            return await self._asking.run(state, tools)
        return answer

    async def _message(
        self, state: TurnState, event: MessageReceived, tools: JournaledTools
    ) -> list[Reply]:
        state.query = event.text
        owner = await self._gates.owner_of_linked(state, event)
        if owner:
            state.decided(Source.EDIT, owner, trace=("edit or reply: linked entity",))
        elif (said := self._gates.spoken(state, event)) is not None:
            return await self._command(state, said, tools)
        else:
            state.uncover(event.text)
            await self._asking.route(state, tools)
            state.query = state.decision.focus or event.text
        return await self._asking.run(state, tools)

    def _stop(self, state: TurnState) -> list[Reply]:
        control = self._running.get(state.event.session_key)
        if control is None:
            return state.hub_reply(text("hub.nothing_running"), outcome="stopped")
        control.stop()
        return []


def _is_stop(event: InboundEvent) -> bool:
    return isinstance(event, CommandReceived) and event.name == "stop"

"""The flow of every event: accept, gates, route, permission, agent, commit."""

import asyncio
from collections.abc import Callable, Mapping

import structlog
from structlog.contextvars import bound_contextvars

from bot.albums import Albums
from bot.asking import Asking
from bot.attachments import Attachments, NotFetched
from bot.briefing import Briefing
from bot.conclusion import conclude
from bot.core.agents import AgentResult
from bot.core.errors import (
    ConflictError,
    StaleOrderError,
    StoppedError,
    StorageUnavailableError,
    UnparseableError,
)
from bot.core.events import (
    ButtonPressed,
    CapsuleToggled,
    CommandReceived,
    InboundEvent,
    MessageRecalled,
    MessageReceived,
)
from bot.core.failpoints import Failpoint, hit
from bot.core.inbox import InboxRow, InboxStatus, RawUpdate, Receipt
from bot.core.messages import TextBlock
from bot.core.people import SETUP_DONE
from bot.core.ports import Adapter, Clock
from bot.core.routing import Router, Source
from bot.core.stores import Stores
from bot.core.turns import TurnOutcome
from bot.core.words import text
from bot.gates import Gates
from bot.intake import Intake
from bot.lanes import Lanes
from bot.outcomes import Reply
from bot.platforms import Platforms
from bot.presses import Presses
from bot.reach import StoredReach
from bot.recalled import RecalledMessages
from bot.recalls import Recalls
from bot.registry import ONBOARDING, Registry
from bot.tool_runner import JournaledTools, TurnControl
from bot.turn_state import ALSO, HUB, TurnState

MAX_ATTEMPTS = 5
"""Lives in which work on one event began without an end: it may be what kills us."""

MAX_CONFLICTS = 20
TYPING_AFTER_SECONDS = 1.0

log = structlog.get_logger(__name__)


class Dispatcher:
    """Takes what adapters receive and leaves committed turns behind.

    `accept` is the sink of all adapters; `work` handles one accepted event whole.
    """

    def __init__(
        self,
        *,
        stores: Stores,
        router: Router,
        registry: Registry,
        gates: Gates,
        presses: Presses,
        reach: StoredReach,
        briefing: Briefing,
        clock: Clock,
        committed: Callable[[TurnOutcome], None],
    ) -> None:
        self._inbox = stores.inbox
        self._turns = stores.turns
        self._gates = gates
        self._presses = presses
        self._reach = reach
        self._clock = clock
        self._committed = committed
        self._running: dict[str, TurnControl] = {}
        self._attachments = Attachments()
        self._platforms = Platforms()
        self._albums = Albums(inbox=stores.inbox, parse=self._platforms.parse, clock=clock)
        self._asking = Asking(
            router=router,
            registry=registry,
            gates=gates,
            briefing=briefing,
            journal=stores.journal,
            platforms=self._platforms,
            clock=clock,
        )
        self._recalls = Recalls(turns=stores.turns, asking=self._asking)
        self._recalled = RecalledMessages(inbox=stores.inbox, journal=stores.journal)
        self.lanes = Lanes(self.work)
        self._intake = Intake(
            inbox=stores.inbox,
            presses=presses,
            platforms=self._platforms,
            lanes=self.lanes,
            recalled=self._recalled,
            clock=clock,
        )

    def attach(self, adapter: Adapter) -> None:
        """Let this adapter's updates be parsed."""
        self._platforms.attach(adapter)

    async def accept(self, raw: RawUpdate) -> Receipt:
        """Store an update and queue its work: the sink of all adapters."""
        return await self._intake.accept(raw)

    async def recover(self) -> int:
        """Queue everything that was accepted and not finished; return how much."""
        return await self._intake.recover()

    def health(self) -> Mapping[str, str]:
        """Return whether updates can be stored; a value starting with ``!`` means they cannot."""
        return self._intake.health()

    # --- the work ---------------------------------------------------------------------------

    async def work(self, event_id: str) -> None:
        """Handle one accepted event until it is committed, dead, or the process stops."""
        delay = 0.5
        tries = conflicts = 0
        hopeless = ""
        while True:
            try:
                if hopeless:
                    await self._give_up(event_id, hopeless)
                    return
                row = await self._inbox.begin(event_id)
                tries += 1
                if row is not None:
                    await self._handle(row, lives=row.attempts - tries + 1)
            except StorageUnavailableError:
                log.warning("store_unavailable", event_id=event_id, retry_in=delay)
                await self._clock.sleep(delay)
                delay = min(delay * 2, 30.0)
            except ConflictError:
                conflicts += 1
                log.info("session_moved_on", event_id=event_id, times=conflicts)
                if conflicts > MAX_CONFLICTS:
                    hopeless = "the session kept moving on"
            except Exception:  # last resort: one bad event must not stop the others
                log.exception("event_failed", event_id=event_id)
                if hopeless:
                    return  # it cannot even be buried: the next start tries again
                hopeless = "internal error"
            else:
                return

    async def _handle(self, row: InboxRow, *, lives: int) -> None:
        raw = row.update
        try:
            event = self._platforms.parse(raw)
        except UnparseableError as error:
            await self._bury(raw.event_id, str(error))
            return
        if await self._recalled.is_void(raw.event_id):
            await self._leave(raw.event_id, "taken back before it was handled")
            return
        with bound_contextvars(event_id=event.event_id, account=event.account.key):
            await self._reach.back(event.chat)
            event, event_ids = await self._albums.whole(row, event)
            state = await self._gates.enter(event)
            state.event_ids = event_ids
            state.private_chat = self._platforms.private_chat(event.chat, event.account)
            if lives > MAX_ATTEMPTS:
                await self._commit(state, self._apology(state), failure="too many attempts")
                return
            typing = asyncio.create_task(self._typing(event))
            try:
                await self._answer(state)
            finally:
                typing.cancel()

    async def _answer(self, state: TurnState) -> None:
        control = TurnControl()
        if not _is_stop(state.event):
            self._running[state.event.session_key] = control
        failure = ""
        try:
            replies = await self._respond(state, control)
        except StoppedError as stopped:
            key = "hub.stopped" if stopped.done else "hub.stopped_before_anything"
            replies = state.hub_reply(text(key, n=stopped.done), outcome="stopped")
        except StaleOrderError:
            replies = state.ask_whether_still()
        except (StorageUnavailableError, ConflictError):
            raise
        except Exception as error:  # an agent's bug: the person is told, the rest goes on
            log.exception("agent_failed", agent=state.intent)
            replies, failure = self._apology(state), type(error).__name__
        finally:
            if self._running.get(state.event.session_key) is control:
                del self._running[state.event.session_key]
        await self._commit(state, replies, failure=failure)

    async def _respond(self, state: TurnState, control: TurnControl) -> list[Reply]:
        """Choose who answers and let them: the order of the design, first match decides."""
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

    # --- the end -----------------------------------------------------------------------------

    async def _commit(self, state: TurnState, replies: list[Reply], *, failure: str = "") -> None:
        event = state.event
        outcome = conclude(state, replies, now=self._clock.now(), failure=failure)
        await self._turns.commit(outcome)
        hit(Failpoint.AFTER_COMMIT)
        self._committed(outcome)
        try:
            adapter = self._platforms.of(event.chat)
            await adapter.refresh(event.chat, event.account)
        except Exception:  # decoration: the turn is committed
            log.exception("refresh_failed")
        log.info(
            "event_handled",
            kind=type(event).__name__,
            agent=state.intent,
            source=str(state.decision.source),
            outcome=outcome.record.outcome,
            messages=len(outcome.outbox),
            duration_ms=round((self._clock.now() - state.began_at).total_seconds() * 1000, 1),
        )

    def _apology(self, state: TurnState) -> list[Reply]:
        state.session = state.loaded
        key = "hub.failed_partly" if state.writes else "hub.failed"
        result = AgentResult(blocks=(TextBlock(text(key, n=state.writes)),))
        return [Reply(result=result, agent=state.intent)]

    async def _leave(self, event_id: str, reason: str) -> None:
        log.info("event_left", event_id=event_id, reason=reason)
        await self._inbox.finish(
            event_id, status=InboxStatus.DONE, note=reason, now=self._clock.now()
        )

    async def _give_up(self, event_id: str, reason: str) -> None:
        """Say that it went wrong and keep nothing else; bury what cannot even be answered."""
        row = await self._inbox.begin(event_id)
        if row is None:
            return
        try:
            event = self._platforms.parse(row.update)
            state = await self._gates.enter(event)
            state.said = ""  # it may be what could not be stored
            await self._commit(state, self._apology(state), failure=reason)
        except StorageUnavailableError:
            raise
        except Exception:  # the row says what became of it
            log.exception("not_even_answered", event_id=event_id)
            await self._bury(event_id, reason)

    async def _bury(self, event_id: str, reason: str) -> None:
        log.error("dead_letter", event_id=event_id, reason=reason)
        await self._inbox.finish(
            event_id, status=InboxStatus.DEAD, note=reason, now=self._clock.now()
        )

    async def _typing(self, event: InboundEvent) -> None:
        await self._clock.sleep(TYPING_AFTER_SECONDS)
        await self._platforms.of(event.chat).show_typing(event.chat)


def _is_stop(event: InboundEvent) -> bool:
    return isinstance(event, CommandReceived) and event.name == "stop"

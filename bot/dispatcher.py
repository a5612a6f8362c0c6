"""The flow of every event: accept, gates, route, permission, agent, commit."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

import structlog
from structlog.contextvars import bound_contextvars

from bot.albums import Albums
from bot.attachments import Attachments, NotFetched
from bot.briefing import Briefing
from bot.conclusion import conclude
from bot.core.agents import AgentResult, HandOff, Status
from bot.core.errors import (
    ConflictError,
    StoppedError,
    StorageUnavailableError,
    UnparseableError,
)
from bot.core.events import (
    ButtonPressed,
    CapsuleToggled,
    Chat,
    ChatKind,
    CommandReceived,
    InboundEvent,
    MessageReceived,
)
from bot.core.failpoints import Failpoint, hit
from bot.core.inbox import InboxRow, InboxStatus, RawUpdate, Receipt, UpdateKind
from bot.core.messages import TextBlock
from bot.core.people import SETUP_DONE
from bot.core.ports import Adapter, Clock, Whispers
from bot.core.routing import Decision, Router, Source
from bot.core.stores import Stores
from bot.core.turns import TurnOutcome
from bot.core.words import text
from bot.gates import STOP_SUFFIX, Gates
from bot.kept_routes import BATCH, HAND_OFF_BATCH, kept_route
from bot.lanes import Lanes
from bot.outcomes import Reply
from bot.presses import Presses
from bot.previews import Preview, preview_id_of
from bot.reach import StoredReach
from bot.registry import ONBOARDING, Registry
from bot.tool_runner import JournaledTools, TurnControl
from bot.turn_state import ALSO, HUB, TurnState

MAX_ATTEMPTS = 5
"""Lives in which work on one event began without an end: it may be what kills us."""

MAX_CONFLICTS = 20
TYPING_AFTER_SECONDS = 1.0
MAX_HAND_OFFS = 1

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
        self._stores = stores
        self._router = router
        self._registry = registry
        self._gates = gates
        self._presses = presses
        self._reach = reach
        self._briefing = briefing
        self._albums = Albums(inbox=stores.inbox, parse=self._parse, clock=clock)
        self._attachments = Attachments()
        self._clock = clock
        self._committed = committed
        self._adapters: dict[tuple[str, str], Adapter] = {}
        self._running: dict[str, TurnControl] = {}
        self._trouble_since: datetime | None = None
        self.lanes = Lanes(self.work)

    def attach(self, adapter: Adapter) -> None:
        """Let this adapter's updates be parsed."""
        self._adapters[adapter.platform, adapter.bot] = adapter

    async def recover(self) -> int:
        """Queue everything that was accepted and not finished; return how much."""
        pending = await self._stores.inbox.pending()
        for event_id, lane in pending:
            self.lanes.put(lane, event_id)
        return len(pending)

    # --- the sink ---------------------------------------------------------------------------

    async def accept(self, raw: RawUpdate) -> Receipt:
        """Store the update and queue its work; a press is claimed here, for its toast."""
        if raw.kind is UpdateKind.STOP:
            raw = replace(raw, lane=raw.lane + STOP_SUFFIX)
        if not self.lanes.has_room(raw.lane):
            return Receipt(status="refused", text=text("hub.busy"))
        try:
            receipt = await asyncio.shield(self._store(raw))
        except StorageUnavailableError:
            log.warning("store_unavailable", event_id=raw.event_id)
            self._trouble_since = self._trouble_since or self._clock.now()
            raise
        self._trouble_since = None
        return receipt

    def health(self) -> Mapping[str, str]:
        """Return whether updates can be stored; a value starting with ``!`` means they cannot."""
        if self._trouble_since is None:
            return {"accepting": "yes"}
        return {"accepting": f"!nothing could be stored since {self._trouble_since:%H:%M:%S} UTC"}

    async def _store(self, raw: RawUpdate) -> Receipt:
        """Store and queue; shielded, so that a caller who goes away leaves nothing half done."""
        row = await self._stores.inbox.accept(raw)
        if row is None:
            stored = await self._stores.inbox.get(raw.event_id)
            if stored is not None and stored.status is InboxStatus.NEW:
                self.lanes.put(stored.update.lane, raw.event_id)
            return Receipt(status="duplicate")
        hit(Failpoint.AFTER_INBOX)
        try:
            toast = None
            if raw.kind is UpdateKind.BUTTON:
                toast = await self._presses.toast(self._parse(raw))
        except (UnparseableError, StorageUnavailableError):
            toast = None  # the work that follows says what is wrong
        finally:
            self.lanes.put(raw.lane, raw.event_id)
        return Receipt(status="accepted", text=toast)

    # --- the work ---------------------------------------------------------------------------

    async def work(self, event_id: str) -> None:
        """Handle one accepted event until it is committed, dead, or the process stops."""
        delay = 0.5
        tries = conflicts = 0
        hopeless = ""
        while True:
            try:
                if hopeless:
                    await self._bury(event_id, hopeless)
                    return
                row = await self._stores.inbox.begin(event_id)
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
            event = self._parse(raw)
        except UnparseableError as error:
            await self._bury(raw.event_id, str(error))
            return
        with bound_contextvars(event_id=event.event_id, account=event.account.key):
            await self._reach.back(event.chat)
            event, event_ids = await self._albums.whole(row, event)
            state = await self._gates.enter(event)
            state.event_ids = event_ids
            state.private_chat = self._private_chat(event)
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
        if state.refusal is not None:
            return state.hub_reply(state.refusal, outcome="refused")
        if _is_stop(event):
            return self._stop(state)
        tools = await self._tools(state, control)
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
            return await self._run(state, tools)
        if isinstance(event, CommandReceived):
            return await self._command(state, event, tools)
        return await self._message(state, event, tools)

    async def _fetch(self, state: TurnState) -> NotFetched | None:
        """Take the person's files into our store; the turn goes on only with all of them."""
        event = state.event
        adapter = self._adapters[event.chat.platform, event.chat.bot]
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
        if press.action.agent == HUB and press.action.name == ALSO:
            state.take_wish(press.action)
            return await self._run(state, tools)
        if press.action.agent == HUB:
            index = press.action.arguments.get("index")
            keep = press.action.name == "resume"
            return state.unpark(index if isinstance(index, int) else -1, keep=keep)
        return await self._run(state, tools)

    async def _command(
        self, state: TurnState, event: CommandReceived, tools: JournaledTools
    ) -> list[Reply]:
        answer = await self._gates.command(state, event)
        if isinstance(answer, str):
            state.query = event.argument
            state.command = event.name
            state.decided(Source.COMMAND, answer, trace=(f"command: /{event.name}",))
            return await self._run(state, tools)
        return answer

    async def _message(
        self, state: TurnState, event: MessageReceived, tools: JournaledTools
    ) -> list[Reply]:
        state.query = event.text
        owner = await self._gates.owner_of_linked(state, event)
        if owner:
            state.decided(Source.EDIT, owner, trace=("edit or reply: linked entity",))
        else:
            await self._route(state, tools, BATCH)
            state.query = state.decision.focus or event.text
        return await self._run(state, tools)

    async def _run(self, state: TurnState, tools: JournaledTools) -> list[Reply]:
        """Let the agent answer, showing its answer while it grows."""
        event = state.event
        preview = Preview(
            adapter=self._adapters[event.chat.platform, event.chat.bot],
            event=event,
            locale=state.person.locale,
            journal=self._stores.journal,
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
            manifest = self._registry.manifest(state.intent)
            if not state.profile.may_use(manifest.branch_id):
                refusal = state.hub_reply(text("hub.no_permission"), outcome="refused")
                return [*replies, *refusal, *self._other_wishes(state)]
            grant = self._registry.tools.narrowed(
                self._registry.tools_of(state.intent),
                state.profile.permissions,
                state.event.chat.kind,
            )
            tools.hand_over(grant, state.person, state.now)
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

    def _other_wishes(self, state: TurnState) -> list[Reply]:
        wishes = state.decision.secondary
        return state.mention_wishes(
            self._registry.names(wishes, state.profile, state.person.locale)
        )

    async def _follow(self, state: TurnState, tools: JournaledTools, onward: HandOff) -> None:
        """Go on with a held message, as if it had come in now but said at its own time."""
        state.person = await self._gates.reload(state)
        state.begin_held(onward.message)
        if onward.intent is not None:
            state.reroute(onward.intent, f"hand-off: {onward.intent}")
            return
        await self._route(state, tools, HAND_OFF_BATCH)

    async def _route(self, state: TurnState, tools: JournaledTools, batch: int) -> None:
        async def route() -> Decision:
            return await self._router.route(await self._briefing.for_router(state))

        state.decision = await kept_route(
            self._stores.journal, state.event.event_id, tools.recorded, batch, route
        )
        state.intent = state.decision.intent

    async def _tools(self, state: TurnState, control: TurnControl) -> JournaledTools:
        recorded = await self._stores.journal.load(state.event.event_id)
        state.preview_id = preview_id_of(recorded)
        return JournaledTools(
            event_id=state.event.event_id,
            person=state.person,
            chat=state.event.chat,
            account_id=state.event.account.user_id,
            now=state.now,
            grant=self._registry.tools.narrowed(frozenset(), frozenset(), state.event.chat.kind),
            journal=self._stores.journal,
            recorded=recorded,
            control=control,
            account_key=state.event.account.key,
            session_key=state.event.session_key,
            conversation=state.session.conversation,
        )

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
        await self._stores.turns.commit(outcome)
        hit(Failpoint.AFTER_COMMIT)
        self._committed(outcome)
        try:
            adapter = self._adapters[event.chat.platform, event.chat.bot]
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

    async def _bury(self, event_id: str, reason: str) -> None:
        log.error("dead_letter", event_id=event_id, reason=reason)
        await self._stores.inbox.finish(
            event_id, status=InboxStatus.DEAD, note=reason, now=self._clock.now()
        )

    def _parse(self, raw: RawUpdate) -> InboundEvent:
        adapter = self._adapters.get((raw.platform, raw.bot))
        if adapter is None:
            raise UnparseableError(f"no adapter for {raw.platform}")
        return adapter.parse(raw)

    def _private_chat(self, event: InboundEvent) -> Chat | None:
        adapter = self._adapters[event.chat.platform, event.chat.bot]
        in_group = event.chat.kind is ChatKind.GROUP
        return (
            adapter.private_chat(event.account)
            if in_group and isinstance(adapter, Whispers)
            else None
        )

    async def _typing(self, event: InboundEvent) -> None:
        await self._clock.sleep(TYPING_AFTER_SECONDS)
        await self._adapters[event.chat.platform, event.chat.bot].show_typing(event.chat)


def _is_stop(event: InboundEvent) -> bool:
    return isinstance(event, CommandReceived) and event.name == "stop"

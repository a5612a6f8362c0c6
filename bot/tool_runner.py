"""Runs the tool calls of one turn: journaled before they run, once each, stoppable in between."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

import structlog
from pydantic import JsonValue

from bot.core.effects import Effect, ExternalStatus, Journal, ToolCall
from bot.core.errors import (
    ConflictError,
    NotFoundError,
    StaleOrderError,
    StoppedError,
    ToolError,
    ToolUnknownError,
)
from bot.core.events import Chat
from bot.core.failpoints import Failpoint, hit
from bot.core.people import Person
from bot.core.tools import NOTE, SAY, Tool, ToolArguments, ToolContext, ToolGrant

RESULT_LIMIT = 2000
"""Characters of a tool result that the turn record keeps."""

UNKNOWN: JsonValue = {"unknown": "it may or may not have happened, and was not repeated"}
"""Result of a call to another service that may have been made by a run that died."""

log = structlog.get_logger(__name__)


class TurnControl:
    """Lets `/stop` reach a running turn."""

    def __init__(self) -> None:
        self._stop = asyncio.Event()

    @property
    def stopped(self) -> bool:
        """Whether the person said /stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """End the turn between two of its calls."""
        self._stop.set()

    async def until_stopped(self) -> None:
        """Return once the person said /stop."""
        await self._stop.wait()


@dataclass(frozen=True, slots=True)
class _Planned:
    """A call on its way; without a tool it is a note, or it fails with `problem`."""

    call: ToolCall
    effect: Effect
    tool: Tool | None = None
    arguments: ToolArguments | None = None
    problem: str = ""

    @property
    def is_reading(self) -> bool:
        return self.tool is None or not (self.tool.writes or self.tool.external)


class JournaledTools:
    """`bot.core.tools.ToolRunner` of one event.

    A write has ``effect_id = event id + ordinal``. On a re-run the journal gives the calls, so
    nothing is decided anew, and the store gives the results of writes that had happened. Calls of
    the journal are run to their end, whatever is stopped meanwhile: some may have happened.
    With ``is_old``, for an order that comes late, nothing is overwritten, and what a model would
    need a press for is not done by a rule either.
    """

    def __init__(
        self,
        *,
        event_id: str,
        person: Person,
        chat: Chat,
        account_id: str,
        now: datetime,
        grant: ToolGrant,
        journal: Journal,
        recorded: Mapping[int, tuple[ToolCall, ...]],
        control: TurnControl,
        is_old: bool = False,
        account_key: str = "",
        session_key: str = "",
        conversation: str = "",
    ) -> None:
        self._event_id = event_id
        self._person = person
        self._chat = chat
        self._account_id = account_id
        self._now = now
        self._grant = grant
        self._journal = journal
        self._recorded = recorded
        self._control = control
        self._is_old = is_old
        self._account_key = account_key
        self._session_key = session_key
        self._conversation = conversation
        self._batch = 0
        self._ordinal = 0
        self._kept = False
        self.writes = 0
        self.log: list[Mapping[str, JsonValue]] = []

    @property
    def recorded(self) -> Mapping[int, tuple[ToolCall, ...]]:
        """What an earlier run of the event has journaled."""
        return self._recorded

    @property
    def grant(self) -> ToolGrant:
        """The tools this turn may use."""
        return self._grant

    @property
    def granted(self) -> frozenset[str]:
        """Names of the tools this turn may use."""
        return self._grant.names

    @property
    def replaying(self) -> bool:
        """Whether the next `perform` is answered by the journal; see the port."""
        return self._batch in self._recorded

    def replays(self, prefix: str) -> bool:
        """Whether the journal's next batch calls a tool of this group."""
        return any(call.name.startswith(prefix) for call in self._recorded.get(self._batch, ()))

    def hand_over(self, grant: ToolGrant, person: Person, now: datetime) -> None:
        """Serve the next agent of the same turn; batches and ordinals go on."""
        self._grant = grant
        self._person = person
        self._now = now

    async def perform(
        self, decide: Callable[[], Awaitable[Sequence[ToolCall]]], *, by_model: bool = False
    ) -> Sequence[tuple[ToolCall, JsonValue]]:
        """Run the calls that ``decide`` names; see the port."""
        batch = self._batch
        self._batch += 1
        recorded = self._recorded.get(batch)
        if recorded is not None:
            calls = recorded
        elif by_model:
            calls = tuple(await self._unless_stopped(decide))
        else:
            calls = tuple(await decide())
        plan = [self._planned(call, by_model=by_model) for call in calls]
        if self._is_old and recorded is None and any(_is_for_now(p, by_model) for p in plan):
            raise StaleOrderError
        if recorded is not None:
            self._kept = True
        elif self._is_kept(plan, by_model=by_model):
            await self._journal.record(self._event_id, batch, calls)
            self._kept = True
            hit(Failpoint.AFTER_JOURNAL)
        results: list[tuple[ToolCall, JsonValue]] = []
        for _, group in groupby(enumerate(plan), key=_side_by_side):
            if self._control.stopped and recorded is None:
                raise StoppedError(self.writes)
            together = [planned for _, planned in group]
            found = await asyncio.gather(
                *(self._result(planned, by_model=by_model) for planned in together)
            )
            results.extend((p.call, result) for p, result in zip(together, found, strict=True))
        return results

    async def _unless_stopped(
        self, decide: Callable[[], Awaitable[Sequence[ToolCall]]]
    ) -> Sequence[ToolCall]:
        """Let a model decide, but not longer than the person wants to wait for it."""
        deciding = asyncio.ensure_future(decide())
        stop = asyncio.ensure_future(self._control.until_stopped())
        try:
            await asyncio.wait({deciding, stop}, return_when=asyncio.FIRST_COMPLETED)
            if self._control.stopped:
                raise StoppedError(self.writes)
            return await deciding
        finally:
            for task in (deciding, stop):
                task.cancel()
            await asyncio.gather(deciding, stop, return_exceptions=True)

    def _planned(self, call: ToolCall, *, by_model: bool) -> _Planned:
        effect = Effect(
            effect_id=f"{self._event_id}#{self._ordinal}",
            at=self._now,
            arguments=dict(call.arguments),
        )
        self._ordinal += 1
        if by_model and call.name.startswith(NOTE):
            return _Planned(call, effect)
        try:
            tool, arguments = self._grant.look_up(call)
        except ToolError as error:
            if not by_model:
                raise
            return _Planned(call, effect, problem=str(error))
        return _Planned(call, effect, tool, arguments)

    def _is_kept(self, plan: Sequence[_Planned], *, by_model: bool) -> bool:
        """Whether these calls go into the journal; of a model, all but an answer without calls."""
        if not by_model:
            return any(not planned.is_reading for planned in plan)
        return self._kept or any(planned.call.name != SAY for planned in plan)

    async def _result(self, planned: _Planned, *, by_model: bool) -> JsonValue:
        """Run one call; what fails is told to a model and raised to everybody else."""
        tool = planned.tool
        if tool is None:
            return {"error": planned.problem} if planned.problem else None
        context = ToolContext(
            person=self._person,
            chat=self._chat,
            account_id=self._account_id,
            now=self._now,
            effect=planned.effect,
            account_key=self._account_key,
            session_key=self._session_key,
            conversation=self._conversation,
        )
        try:
            if tool.external:
                result = await self._once(planned.call, context, tool, planned.arguments)
            else:
                result = await tool.run(context, planned.arguments)
        except (ToolError, NotFoundError, ConflictError) as error:
            if not by_model:
                raise
            result = {"error": str(error)}
        else:
            if not planned.is_reading:
                self.writes += 1
                hit(Failpoint.AFTER_EFFECT)
        self.log.append({"name": planned.call.name, "result": _capped(result)})
        return result

    async def _once(
        self, call: ToolCall, context: ToolContext, tool: Tool, arguments: ToolArguments | None
    ) -> JsonValue:
        """Make a call to another service, unless a run before this one made it or may have."""
        effect = context.effect
        noted = await self._journal.begin_external(effect, call, person_id=self._person.person_id)
        if noted is not None and noted.status is ExternalStatus.DONE:
            return noted.result
        status, result = ExternalStatus.UNKNOWN, UNKNOWN
        if noted is None:
            try:
                result = await tool.run(context, arguments)
                status = ExternalStatus.DONE
                hit(Failpoint.AFTER_EXTERNAL)
            except ToolUnknownError:
                log.warning("external_effect_unknown", tool=call.name)
            except ToolError as error:
                result, status = {"error": str(error)}, ExternalStatus.DONE
        await self._journal.end_external(effect.effect_id, status=status, result=result)
        return result


def _is_for_now(planned: _Planned, by_model: bool) -> bool:  # noqa: FBT001
    """Whether the call is not made for an old order; a model's press is asked for anyway."""
    tool = planned.tool
    return tool is not None and (tool.overwrites or (tool.confirm and not by_model))


def _side_by_side(numbered: tuple[int, _Planned]) -> tuple[bool, int]:
    """Group neighbours that change nothing; everything else stands alone."""
    number, planned = numbered
    return (True, 0) if planned.is_reading else (False, number)


def _capped(result: JsonValue) -> str:
    return json.dumps(result, ensure_ascii=False)[:RESULT_LIMIT]

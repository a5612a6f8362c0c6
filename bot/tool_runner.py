"""Runs the tool calls of one turn: journaled before they run, once each, stoppable in between."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime

from pydantic import JsonValue

from bot.core.effects import Effect, Journal, ToolCall
from bot.core.errors import StoppedError
from bot.core.events import Chat
from bot.core.failpoints import Failpoint, hit
from bot.core.people import Person
from bot.core.tools import ToolContext, ToolGrant

RESULT_LIMIT = 2000
"""Characters of a tool result that the turn record keeps."""


class TurnControl:
    """Lets `/stop` reach a running turn."""

    def __init__(self) -> None:
        self.stopped = False


class JournaledTools:
    """`bot.core.tools.ToolRunner` of one event.

    A write has ``effect_id = event id + ordinal``. On a re-run the journal gives the calls, so
    nothing is decided anew, and the store gives the results of writes that had happened. Calls of
    the journal are run to their end, whatever is stopped meanwhile: some may have happened.
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
        self._batch = 0
        self._ordinal = 0
        self.writes = 0
        self.log: list[Mapping[str, JsonValue]] = []

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
        self, decide: Callable[[], Awaitable[Sequence[ToolCall]]]
    ) -> Sequence[tuple[ToolCall, JsonValue]]:
        """Run the calls that ``decide`` names; see the port."""
        batch = self._batch
        self._batch += 1
        recorded = self._recorded.get(batch)
        calls = recorded if recorded is not None else tuple(await decide())
        looked_up = [self._grant.look_up(call) for call in calls]
        if recorded is None and any(tool.writes for tool, _ in looked_up):
            await self._journal.record(self._event_id, batch, calls)
            hit(Failpoint.AFTER_JOURNAL)
        results: list[tuple[ToolCall, JsonValue]] = []
        for call, (tool, arguments) in zip(calls, looked_up, strict=True):
            if self._control.stopped and recorded is None:
                raise StoppedError(self.writes)
            effect = Effect(
                effect_id=f"{self._event_id}#{self._ordinal}",
                at=self._now,
                arguments=dict(call.arguments),
            )
            self._ordinal += 1
            context = ToolContext(
                person=self._person,
                chat=self._chat,
                account_id=self._account_id,
                now=self._now,
                effect=effect,
            )
            result = await tool.run(context, arguments)
            if tool.writes:
                self.writes += 1
                hit(Failpoint.AFTER_EFFECT)
            self.log.append({"name": call.name, "result": _capped(result)})
            results.append((call, result))
        return results


def _capped(result: JsonValue) -> str:
    return json.dumps(result, ensure_ascii=False)[:RESULT_LIMIT]

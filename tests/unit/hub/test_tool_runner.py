"""The tools of a turn: granted only, journaled before, stoppable in between."""

from collections.abc import Mapping, Sequence

import pytest
from pydantic import JsonValue

from bot.core.effects import Effect, ExternalCall, ExternalEffect, ExternalStatus, ToolCall
from bot.core.errors import StoppedError, ToolDeniedError, ToolInputError
from bot.core.events import Chat, ChatKind
from bot.core.people import Person
from bot.core.permissions import Permission
from bot.core.tools import Tool, ToolArguments, ToolContext, ToolGrant
from bot.tool_runner import JournaledTools, TurnControl
from tests.stage import TUESDAY


class Number(ToolArguments):
    n: int


class Notebook:
    """A journal in memory that remembers when it was written."""

    def __init__(self) -> None:
        self.batches: dict[int, tuple[ToolCall, ...]] = {}
        self.external: dict[str, ExternalEffect] = {}

    async def record(self, event_id: str, batch: int, calls: Sequence[ToolCall]) -> None:
        del event_id
        self.batches.setdefault(batch, tuple(calls))

    async def load(self, event_id: str) -> Mapping[int, tuple[ToolCall, ...]]:
        del event_id
        return self.batches

    async def begin_external(
        self, effect: Effect, call: ToolCall, *, person_id: str
    ) -> ExternalEffect | None:
        del call, person_id
        noted = ExternalEffect(effect_id=effect.effect_id, status=ExternalStatus.PENDING)
        known = self.external.get(effect.effect_id)
        self.external.setdefault(effect.effect_id, noted)
        return known

    async def end_external(
        self, effect_id: str, *, status: ExternalStatus, result: JsonValue
    ) -> None:
        self.external[effect_id] = ExternalEffect(
            effect_id=effect_id, status=status, result=result
        )

    async def external_calls(self, person_id: str) -> Sequence[ExternalCall]:
        raise AssertionError(f"nobody lists the calls of {person_id} here")


class Counter:
    """A writing tool that counts, and stops the turn at its first run when told to."""

    def __init__(self, control: TurnControl, *, stops: bool = False) -> None:
        self.effects: list[str] = []
        self.control = control
        self.stops = stops

    async def run(self, context: ToolContext, arguments: Number) -> JsonValue:
        self.effects.append(context.effect.effect_id)
        if self.stops:
            self.control.stop()
        return arguments.n


def tool(counter: Counter) -> Tool:
    return Tool(
        name="add",
        description="adds",
        arguments=Number,
        run=counter.run,
        requires=frozenset({Permission.LEDGER_WRITE}),
        writes=True,
    )


def runner(counter: Counter, journal: Notebook) -> JournaledTools:
    return JournaledTools(
        event_id="e1",
        person=Person(person_id="p", locale="en", zone="UTC", currency="CNY", created_at=TUESDAY),
        chat=Chat(platform="x", bot="x", chat_id="1"),
        account_id="1",
        now=TUESDAY,
        grant=ToolGrant([tool(counter)]),
        journal=journal,
        recorded=dict(journal.batches),
        control=counter.control,
    )


async def two() -> Sequence[ToolCall]:
    return [ToolCall(name="add", arguments={"n": n}) for n in (1, 2)]


async def never() -> Sequence[ToolCall]:
    raise AssertionError("a re-run must not decide anew")


async def test_calls_are_in_the_journal_before_they_run_and_have_ids_of_their_own() -> None:
    counter, journal = Counter(TurnControl()), Notebook()

    results = await runner(counter, journal).perform(two)

    assert [result for _, result in results] == [1, 2]
    assert counter.effects == ["e1#0", "e1#1"]
    assert len(journal.batches[0]) == 2


async def test_stop_between_two_calls_keeps_the_first_and_leaves_the_second_out() -> None:
    counter = Counter(TurnControl(), stops=True)

    with pytest.raises(StoppedError) as stopped:
        await runner(counter, Notebook()).perform(two)

    assert stopped.value.done == 1
    assert counter.effects == ["e1#0"]


async def test_calls_of_the_journal_are_run_to_their_end_whatever_is_stopped() -> None:
    """Some may have happened before the crash: "nothing was changed" would be a lie."""
    counter, journal = Counter(TurnControl()), Notebook()
    await runner(counter, journal).perform(two)
    counter.control.stop()

    await runner(counter, journal).perform(never)

    assert counter.effects == ["e1#0", "e1#1"] * 2


async def test_a_tool_that_was_not_granted_does_not_exist() -> None:
    counter = Counter(TurnControl())
    tools = runner(counter, Notebook())

    async def invented() -> Sequence[ToolCall]:
        return [*await two(), ToolCall(name="drop_everything")]

    with pytest.raises(ToolDeniedError):
        await tools.perform(invented)
    assert counter.effects == []


async def test_wrong_arguments_are_named_and_nothing_runs() -> None:
    counter = Counter(TurnControl())

    async def wrong() -> Sequence[ToolCall]:
        return [ToolCall(name="add", arguments={"n": "many", "owner": "p2"})]

    with pytest.raises(ToolInputError, match="owner"):
        await runner(counter, Notebook()).perform(wrong)
    assert counter.effects == []


@pytest.mark.parametrize(
    ("names", "permissions", "granted"),
    [
        ({"add"}, {Permission.LEDGER_WRITE}, {"add"}),
        ({"add"}, {Permission.LEDGER_READ}, set()),
        (set(), {Permission.LEDGER_WRITE}, set()),
    ],
)
def test_a_grant_is_what_is_named_and_permitted(
    names: set[str], permissions: set[Permission], granted: set[str]
) -> None:
    grant = ToolGrant([tool(Counter(TurnControl()))])

    narrowed = grant.narrowed(frozenset(names), frozenset(permissions), ChatKind.PRIVATE)

    assert narrowed.names == granted

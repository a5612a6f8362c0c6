"""Calls that a model decided: kept before they run, never decided twice, told what failed."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from pydantic import JsonValue

from bot.core.effects import ToolCall
from bot.core.errors import NotFoundError, StaleOrderError, StoppedError, ToolUnknownError
from bot.core.events import Chat
from bot.core.people import Person
from bot.core.tools import Tool, ToolArguments, ToolContext, ToolGrant
from bot.tool_runner import UNKNOWN, JournaledTools, TurnControl
from tests.stage import TUESDAY
from tests.unit.hub.test_tool_runner import Notebook

Run = Callable[[ToolContext, "Nothing"], Awaitable[JsonValue]]


class Nothing(ToolArguments):
    pass


def tool(
    name: str,
    run: Run,
    *,
    writes: bool = False,
    external: bool = False,
    confirm: bool = False,
    overwrites: bool = False,
) -> Tool:
    return Tool(
        name=name,
        description=name,
        arguments=Nothing,
        run=run,
        requires=frozenset(),
        writes=writes,
        external=external,
        confirm=confirm,
        overwrites=overwrites,
    )


def runner(
    journal: Notebook, *tools: Tool, control: TurnControl | None = None, is_old: bool = False
) -> JournaledTools:
    return JournaledTools(
        event_id="e1",
        person=Person(person_id="p", locale="en", zone="UTC", currency="CNY", created_at=TUESDAY),
        chat=Chat(platform="x", bot="x", chat_id="1"),
        account_id="1",
        now=TUESDAY,
        grant=ToolGrant(tools),
        journal=journal,
        recorded=dict(journal.batches),
        control=control or TurnControl(),
        is_old=is_old,
    )


def deciding(*names: str) -> Callable[[], Awaitable[Sequence[ToolCall]]]:
    async def decide() -> Sequence[ToolCall]:
        return [ToolCall(name=name) for name in names]

    return decide


async def never() -> Sequence[ToolCall]:
    raise AssertionError("a re-run must not decide anew")


async def seven(_context: ToolContext, _arguments: Nothing) -> JsonValue:
    return 7


async def test_calls_that_only_read_are_kept_too_with_their_notes() -> None:
    journal = Notebook()
    look = tool("look", seven)
    first = await runner(journal, look).perform(deciding("$say", "look"), by_model=True)

    again = await runner(journal, look).perform(never, by_model=True)

    assert [(call.name, result) for call, result in first] == [("$say", None), ("look", 7)]
    assert again == first


async def test_an_answer_without_calls_costs_no_write_unless_calls_came_before_it() -> None:
    journal = Notebook()
    await runner(journal).perform(deciding("$say"), by_model=True)
    assert journal.batches == {}

    tools = runner(journal, tool("look", seven))
    await tools.perform(deciding("look"), by_model=True)
    await tools.perform(deciding("$say"), by_model=True)
    assert sorted(journal.batches) == [0, 1]


async def test_reads_run_side_by_side_and_writes_in_their_order() -> None:
    meeting = asyncio.Barrier(2)
    order: list[str] = []

    async def meet(_context: ToolContext, _arguments: Nothing) -> JsonValue:
        async with asyncio.timeout(5):
            await meeting.wait()
        return "met"

    async def write(context: ToolContext, _arguments: Nothing) -> JsonValue:
        order.append(context.effect.effect_id)
        await asyncio.sleep(0)
        return len(order)

    tools = runner(Notebook(), tool("meet", meet), tool("write", write, writes=True))
    results = await tools.perform(deciding("meet", "meet", "write", "write"), by_model=True)

    assert [result for _, result in results] == ["met", "met", 1, 2]
    assert order == ["e1#2", "e1#3"]


@pytest.mark.parametrize("by_model", [True, False])
async def test_an_old_order_overwrites_nothing_whoever_decides(by_model: bool) -> None:  # noqa: FBT001
    """PF28: and of such a batch nothing is kept that a run after a crash would do."""
    journal = Notebook()
    new, change = tool("new", seven, writes=True), tool("change", seven, overwrites=True)
    tools = runner(journal, new, change, is_old=True)

    await tools.perform(deciding("new"), by_model=by_model)
    with pytest.raises(StaleOrderError):
        await tools.perform(deciding("new", "change"), by_model=by_model)

    assert tools.writes == 1
    assert sorted(journal.batches) == [0]


async def test_a_model_may_propose_what_a_press_confirms_however_old_the_order_is() -> None:
    delete = tool("delete", seven, confirm=True)
    await runner(Notebook(), delete, is_old=True).perform(deciding("delete"), by_model=True)
    with pytest.raises(StaleOrderError):
        await runner(Notebook(), delete, is_old=True).perform(deciding("delete"))


async def test_a_change_begun_while_it_was_fresh_is_finished_by_a_late_run() -> None:
    journal = Notebook()
    change = tool("change", seven, writes=True, overwrites=True)
    await runner(journal, change).perform(deciding("change"))
    assert await runner(journal, change, is_old=True).perform(never) == [
        (ToolCall(name="change"), 7)
    ]


async def test_a_call_that_fails_is_told_and_the_others_run() -> None:
    async def gone(_context: ToolContext, _arguments: Nothing) -> JsonValue:
        raise NotFoundError("no such note")

    tools = runner(Notebook(), tool("gone", gone, writes=True), tool("look", seven))
    results = await tools.perform(deciding("gone", "invented", "look"), by_model=True)

    assert [result for _, result in results] == [
        {"error": "no such note"},
        {"error": "no such tool: invented"},
        7,
    ]
    assert tools.writes == 0


async def test_stop_ends_a_model_that_is_still_deciding() -> None:
    control = TurnControl()
    is_asked = asyncio.Event()

    async def slow() -> Sequence[ToolCall]:
        is_asked.set()
        await asyncio.Event().wait()
        return []

    performing = asyncio.create_task(
        runner(Notebook(), control=control).perform(slow, by_model=True)
    )
    await is_asked.wait()
    control.stop()
    with pytest.raises(StoppedError):
        await performing


async def test_a_call_to_another_service_is_made_once() -> None:
    calls: list[str] = []

    async def send(context: ToolContext, _arguments: Nothing) -> JsonValue:
        calls.append(context.effect.effect_id)
        return "sent"

    journal = Notebook()
    for decide in (deciding("send"), never):
        tools = runner(journal, tool("send", send, writes=True, external=True))
        assert (await tools.perform(decide, by_model=True))[0][1] == "sent"
    assert calls == ["e1#0"]


async def test_a_call_that_a_dead_run_had_begun_is_unknown_and_not_repeated() -> None:
    class KilledError(Exception):
        pass

    async def die(_context: ToolContext, _arguments: Nothing) -> JsonValue:
        raise KilledError

    journal = Notebook()
    with pytest.raises(KilledError):
        await runner(journal, tool("send", die, writes=True, external=True)).perform(
            deciding("send"), by_model=True
        )

    for _ in range(2):
        tools = runner(journal, tool("send", die, writes=True, external=True))
        assert (await tools.perform(never, by_model=True))[0][1] == UNKNOWN


async def test_a_call_whose_answer_was_lost_is_unknown_and_not_repeated() -> None:
    async def lost(_context: ToolContext, _arguments: Nothing) -> JsonValue:
        raise ToolUnknownError("no answer")

    async def unexpected(_context: ToolContext, _arguments: Nothing) -> JsonValue:
        raise AssertionError("it must not be made again")

    journal = Notebook()
    first = runner(journal, tool("send", lost, writes=True, external=True))
    assert (await first.perform(deciding("send"), by_model=True))[0][1] == UNKNOWN
    again = runner(journal, tool("send", unexpected, writes=True, external=True))
    assert (await again.perform(never, by_model=True))[0][1] == UNKNOWN

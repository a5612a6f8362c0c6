"""Decisions of a language model, kept: a run after a crash goes to the same agent, unasked."""

from collections.abc import Awaitable, Callable, Mapping

from bot.core.codec import from_json, to_json
from bot.core.effects import Journal, ToolCall
from bot.core.routing import Decision, Source

BATCH = -2
"""Where the journal keeps the decision on the message itself; see also `bot.previews.BATCH`."""

HAND_OFF_BATCH = -3
"""Where it keeps the decision on a message that was handed on in the same turn."""


async def kept_route(
    journal: Journal,
    event_id: str,
    recorded: Mapping[int, tuple[ToolCall, ...]],
    batch: int,
    route: Callable[[], Awaitable[Decision]],
) -> Decision:
    """Return the decision of an earlier run, or a new one, kept if a model made it.

    Other sources decide the same every time; what a model says next time nobody knows, and the
    calls in the journal belong to the agent that it said.

    Raises:
        StorageUnavailableError: it cannot be kept now.
    """
    if batch in recorded:
        return from_json(Decision, recorded[batch][0].arguments["decision"])
    decision = await route()
    if decision.source is Source.LLM:
        call = ToolCall(name="$route", arguments={"decision": to_json(Decision, decision)})
        await journal.record(event_id, batch, (call,))
    return decision

"""The loop of tool agents: a model asks for calls, the turn's tools run them, until it answers.

Everything a step decides is in the journal before it runs, so a re-run neither asks the model
again nor does anything twice. What the loop itself notes beside the calls (what was said, which
call needs a press, which was refused and why) are notes of the same journal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Protocol

import structlog
from pydantic import JsonValue

from agents.tool_steps import CONFIRM, REFUSED, Done, LoopResult, Step, asked_call, step_of
from bot.core.agents import Turn, silent
from bot.core.effects import ToolCall
from bot.core.errors import (
    ContextTooLongError,
    ModelError,
    ModelOutputError,
    ModelUnavailableError,
    ToolError,
)
from bot.core.manifests import Limits
from bot.core.model import (
    Completion,
    Finish,
    Model,
    ModelCall,
    ModelMessage,
    Show,
    SystemMessage,
    UserMessage,
    tool_spec,
)
from bot.core.ports import Clock
from bot.core.tools import SAY, Tool

TROUBLE = "$trouble"
"""The note that the model gave no answer: a re-run goes on as this run did, whoever answers."""

CALLS_AT_ONCE = 8
MAX_ERROR_ROUNDS = 2
"""Steps with nothing but errors; after them the model has to answer with what it has."""

REPEATED = "Not run: you made this very call before and have its result."


log = structlog.get_logger(__name__)


class Verdict(StrEnum):
    """What becomes of a call that a model asks for."""

    RUN = "run"
    CONFIRM = "confirm"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict; `why` is told to the model."""

    verdict: Verdict
    why: str = ""


RUN = Ruling(Verdict.RUN)


class Policy(Protocol):
    """Which of the granted and well-formed calls run; deterministic, never a model."""

    def __call__(self, tool: Tool, call: ToolCall, done: Sequence["Done"]) -> Ruling:
        """Return the ruling on this call, after those that were done in this turn."""
        ...


@dataclass(slots=True, kw_only=True)
class _Run:
    """The state of one running loop."""

    turn: Turn
    messages: Sequence[ModelMessage]
    policy: Policy
    show: Show
    began_at: datetime
    withheld: frozenset[str]
    steps: list[Step] = field(default_factory=list)
    error_rounds: int = 0

    @property
    def done(self) -> list[Done]:
        return [d for step in self.steps for d in step.done]


class ToolLoop:
    """Runs loops; it holds no state of a turn."""

    def __init__(self, model: Model, *, clock: Clock, limits: Limits) -> None:
        self._model = model
        self._clock = clock
        self._limits = limits

    async def run(
        self,
        turn: Turn,
        messages: Sequence[ModelMessage],
        *,
        policy: Policy,
        show: Show = silent,
        before: Sequence[Step] = (),
        withheld: frozenset[str] = frozenset(),
    ) -> LoopResult:
        """Return the answer to ``messages``, going on after the steps ``before`` a press.

        The model is not shown what is ``withheld``: such a tool does not exist for it.

        Raises:
            StoppedError, StorageError: as `ToolRunner.perform` raises them.
        """
        run = _Run(
            turn=turn,
            messages=messages,
            policy=policy,
            show=show,
            began_at=self._clock.now(),
            steps=list(before),
            withheld=withheld,
        )
        for _ in range(self._limits.steps + 1):
            made = await turn.tools.perform(partial(self._decide, run), by_model=True)
            if made and made[0][0].name == TROUBLE:
                kind = str(made[0][0].arguments["kind"])
                return LoopResult(text="", steps=tuple(run.steps), trouble=kind)
            step = step_of(made)
            if not step.done:
                return LoopResult(text=step.said, steps=tuple(run.steps), is_cut=step.is_cut)
            run.steps.append(step)
            run.error_rounds += all(d.is_error for d in step.done)
        trouble = ModelOutputError.__name__
        log.warning("model_without_end", steps=len(run.steps))
        return LoopResult(text="", steps=tuple(run.steps), trouble=trouble)

    async def _decide(self, run: _Run) -> Sequence[ToolCall]:
        """Ask the model for the next step, and rule on each call that it asks for."""
        tools = {t.name: t for t in run.turn.tools.grant if t.name not in run.withheld}
        if self._is_last(run):
            tools = {}
        try:
            answer = await self._ask(run, tools)
        except ModelError as error:
            return [ToolCall(name=TROUBLE, arguments={"kind": type(error).__name__})]
        calls: list[ToolCall] = []
        for place, asked in enumerate(answer.calls):
            call = ToolCall(name=asked.name, arguments=asked.arguments)
            ruling = _rule(run, tools, asked, call, calls)
            if place >= CALLS_AT_ONCE:
                ruling = Ruling(Verdict.REFUSE, f"at most {CALLS_AT_ONCE} calls at once")
            calls.append(_ruled(call, ruling))
        words: dict[str, JsonValue] = {"text": answer.text}
        if answer.finish is Finish.LENGTH:
            words["cut"] = True
        said = [ToolCall(name=SAY, arguments=words)] if answer.text else []
        return [*said, *calls]

    async def _ask(self, run: _Run, tools: Mapping[str, Tool]) -> Completion:
        seconds = (self._clock.now() - run.began_at).total_seconds()
        if seconds >= self._limits.seconds:
            raise ModelUnavailableError("the time of the turn is over")
        asking = partial(
            self._model.stream,
            show=run.show,
            tools=[tool_spec(tool) for tool in tools.values()],
            deadline=self._limits.seconds - seconds,
        )
        after = [m for number, step in enumerate(run.steps) for m in step.messages(number)]
        try:
            return await asking([*run.messages, *after])
        except ContextTooLongError:
            return await asking([*shorter(run.messages), *after])

    def _is_last(self, run: _Run) -> bool:
        """Whether the model has to answer now, with what it has."""
        return (
            len(run.steps) >= self._limits.steps
            or len(run.done) >= self._limits.calls
            or run.error_rounds >= MAX_ERROR_ROUNDS
        )


def _rule(
    run: _Run, tools: Mapping[str, Tool], asked: ModelCall, call: ToolCall, now: Sequence[ToolCall]
) -> Ruling:
    """Return what becomes of a call: a tool that was not granted does not exist."""
    tool = tools.get(call.name)
    if tool is None:
        return Ruling(Verdict.REFUSE, "there is no such tool")
    if asked.problem:
        return Ruling(Verdict.REFUSE, asked.problem)
    try:
        tool, _ = run.turn.tools.grant.look_up(call)
    except ToolError as error:
        return Ruling(Verdict.REFUSE, str(error))
    before = [asked_call(d.call) for d in run.done if not d.is_error]
    if call in before or call in now:
        return Ruling(Verdict.REFUSE, REPEATED)
    ruling = run.policy(tool, call, run.done)
    if tool.confirm and ruling.verdict is Verdict.RUN:
        return Ruling(Verdict.CONFIRM)
    return ruling


def _ruled(call: ToolCall, ruling: Ruling) -> ToolCall:
    if ruling.verdict is Verdict.RUN:
        return call
    name = CONFIRM if ruling.verdict is Verdict.CONFIRM else REFUSED
    arguments: dict[str, JsonValue] = {"name": call.name, "arguments": dict(call.arguments)}
    return ToolCall(name=name, arguments={**arguments, "why": ruling.why})


def shorter(messages: Sequence[ModelMessage]) -> list[ModelMessage]:
    """Return the instructions, the later half of what was said, and the last message."""
    instructions = [m for m in messages if isinstance(m, SystemMessage)]
    talk = [m for m in messages if not isinstance(m, SystemMessage)]
    kept = talk[len(talk) // 2 :] if len(talk) > 1 else talk
    while len(kept) > 1 and not isinstance(kept[0], UserMessage):
        kept = kept[1:]
    return [*instructions, *kept]

"""Calls that need a press: what is shown before it, and going on after it.

What the button will do is told from stored rows or argument by argument, never in the model's
words. The press runs it with the rights that its presser has then.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from agents.tool_steps import CONFIRM, RESULT_LIMIT, Done, Step, asked_call
from bot.core.actions import ActionDraft
from bot.core.agents import Turn
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.memory import Memory
from bot.core.messages import Block, Button, FieldsBlock, TextBlock, Tone
from bot.core.words import Verbatim, text

CONFIRMED = "confirm"
DECLINED = "decline"
Steps = tuple[Step, ...]
Calls = tuple[ToolCall, ...]
LONGEST_VALUE = 300


@dataclass(frozen=True, slots=True)
class Question:
    """What is shown for the calls that wait."""

    blocks: tuple[Block, ...] = ()
    buttons: tuple[tuple[Button, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """What a pressed button goes on with."""

    calls: Calls
    query: str
    steps: Steps

    @classmethod
    def of(cls, arguments: Mapping[str, JsonValue]) -> "Kept":
        """Return what `Confirming.ask` put into the button."""
        return cls(
            calls=from_json(Calls, arguments["calls"]),
            query=str(arguments["query"]),
            steps=from_json(Steps, arguments["steps"]),
        )

    async def decide(self) -> Sequence[ToolCall]:
        """Return the calls, as `ToolRunner.perform` asks for them."""
        return self.calls

    def steps_with(self, made: Sequence[Done]) -> Steps:
        """Return the steps with the results in place of "not done yet"."""
        results = {json.dumps(to_json(ToolCall, d.call)): d for d in made}

        def settled(d: Done) -> Done:
            key = json.dumps(to_json(ToolCall, asked_call(d.call)))
            return results.get(key, d) if d.call.name == CONFIRM else d

        return tuple(replace(s, done=tuple(settled(d) for d in s.done)) for s in self.steps)


class Confirming:
    """Builds the question; it reads notes and writes nothing."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def ask(self, turn: Turn, waiting: Calls, *, query: str, steps: Steps) -> Question:
        """Return the question for the calls that wait; nothing when there are none."""
        shown: list[Block] = []
        calls: list[ToolCall] = []
        for call in waiting:
            block = await self._described(turn, call)
            shown.append(block or TextBlock(text("chat.no_such_note")))
            if block is not None:
                calls.append(call)
        if not calls:
            return Question(tuple(shown))
        kept: dict[str, JsonValue] = {
            "calls": to_json(Calls, tuple(calls)),
            "query": query,
            "steps": to_json(Steps, tuple(_small(step) for step in steps)),
        }
        row = (
            Button(
                label=text("chat.button_confirm"),
                action=ActionDraft(name=CONFIRMED, arguments=kept),
                tone=Tone.DANGER,
            ),
            Button(label=text("chat.button_decline"), action=ActionDraft(name=DECLINED)),
        )
        return Question(tuple(shown), (row,))

    async def _described(self, turn: Turn, call: ToolCall) -> Block | None:
        if call.name != "memory_delete":
            fields = tuple(
                (Verbatim(name), Verbatim(str(value)[:LONGEST_VALUE]))
                for name, value in call.arguments.items()
            )
            return FieldsBlock(fields, title=text("chat.confirm_call", name=call.name))
        scope = turn.chat.key if turn.in_group else ""
        for note in await self._memory.list(turn.person.person_id, scope):
            if note.note_id == call.arguments.get("note_id"):
                return TextBlock(text("chat.confirm_forget", note=Verbatim(note.text)))
        return None


def _small(step: Step) -> Step:
    """Return the step with long results cut: it is kept in the button's row."""

    def cut(d: Done) -> Done:
        told = json.dumps(d.result, ensure_ascii=False)
        return d if len(told) <= RESULT_LIMIT else Done(d.call, told[:RESULT_LIMIT])

    return replace(step, done=tuple(cut(d) for d in step.done))

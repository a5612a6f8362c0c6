"""What is remembered, as a numbered list; one of them is forgotten by its number or its button."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from agents.tools.memory import Notes
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Turn
from bot.core.codec import from_json
from bot.core.effects import ToolCall
from bot.core.memory import Memory, MemoryNote
from bot.core.messages import Button, TextBlock
from bot.core.sessions import Pending
from bot.core.words import Lines, Verbatim, text
from bot.language.memory_orders import MemoryOrder, parse_memory_order
from bot.language.nth_entries import parse_nth_order

INTENT = "chat_manager"
LISTED = "remembered"
FORGET = "forget"
RESTORE = "restore_note"
MOST_SHOWN = 20
BUTTONS_A_ROW = 4


class Remembered:
    """Answers without a model. Writes are tool calls; numbers mean what was shown last."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def answer(self, turn: Turn) -> AgentResult | None:
        """Return the answer to an order about the notes; None to anything else."""
        order = parse_memory_order(turn.query) or _after_list(turn)
        if order is None:
            return None
        if order.kind == "list":
            return await self.show(turn)
        return await self._forget_nth(turn, order.n)

    async def show(self, turn: Turn, *, first: TextBlock | None = None) -> AgentResult:
        """Return the list, the oldest note first, with a button for each."""
        notes = await self._notes(turn)
        before = (first,) if first is not None else ()
        if not notes:
            return AgentResult(blocks=before or (TextBlock(text("chat.nothing_stored")),))
        shown = notes[:MOST_SHOWN]
        lines = tuple(
            text("chat.stored_line", n=n, note=Verbatim(" ".join(note.text.split())))
            for n, note in enumerate(shown, start=1)
        )
        if len(notes) > len(shown):
            lines = (*lines, text("chat.stored_more", n=len(notes) - len(shown)))
        question = text("chat.stored", lines=Lines(lines))
        return AgentResult(
            blocks=(*before, TextBlock(question)),
            buttons=_buttons(shown),
            pending=Pending(
                agent=INTENT,
                name=LISTED,
                question=question,
                asked_at=turn.now,
                state={"notes": [note.note_id for note in notes]},
                soft=True,
            ),
        )

    async def pressed(
        self, turn: Turn, name: str, arguments: Mapping[str, JsonValue]
    ) -> AgentResult:
        """Forget the note of the button, or take the forgetting back."""
        if name == FORGET:
            return await self._forgotten(turn, [str(arguments["note_id"])], 1)

        async def decide() -> Sequence[ToolCall]:
            kept = {"type": arguments["type"], "text": arguments["text"]}
            return [ToolCall(name="memory_save", arguments=kept)]

        ((_, result),) = await turn.tools.perform(decide, by_model=True)
        if isinstance(result, dict):
            return AgentResult(blocks=(TextBlock(text("chat.no_secrets")),), repaint=True)
        (note,) = from_json(Notes, result)
        said = TextBlock(text("chat.remembered", note=Verbatim(note.text)))
        return replace(await self.show(turn, first=said), repaint=True)

    async def _forget_nth(self, turn: Turn, n: int) -> AgentResult:
        ids: list[str] = []
        if turn.pending is not None and turn.pending.name == LISTED:
            kept = turn.pending.state.get("notes")
            ids = [str(i) for i in kept] if isinstance(kept, list) else []
        return await self._forgotten(turn, ids, n)

    async def _forgotten(self, turn: Turn, ids: Sequence[str], n: int) -> AgentResult:
        """Forget the n-th of these notes, or of all when none were shown."""

        async def decide() -> Sequence[ToolCall]:
            among = ids or [note.note_id for note in await self._notes(turn)]
            if not 0 < n <= len(among):
                return []
            return [ToolCall(name="memory_delete", arguments={"note_id": among[n - 1]})]

        made = await turn.tools.perform(decide, by_model=True)
        if not made:
            return await self.show(turn, first=TextBlock(text("chat.no_nth_note", n=n)))
        is_press = turn.action is not None
        result = made[0][1]
        if isinstance(result, dict):  # somebody forgot it before
            return AgentResult(blocks=(TextBlock(text("chat.no_such_note")),), repaint=is_press)
        (note,) = from_json(Notes, result)
        undo = ActionDraft(name=RESTORE, arguments={"type": str(note.type), "text": note.text})
        said = TextBlock(text("chat.forgotten", note=Verbatim(note.text)))
        left = await self.show(turn, first=said)
        undo_row = (Button(label=text("chat.button_restore"), action=undo),)
        return replace(left, buttons=(undo_row, *left.buttons), repaint=is_press)

    async def _notes(self, turn: Turn) -> Sequence[MemoryNote]:
        scope = turn.chat.key if turn.in_group else ""
        return await self._memory.list(turn.person.person_id, scope)


def _after_list(turn: Turn) -> MemoryOrder | None:
    """Return what "删掉第2条" means right after the list was shown."""
    if turn.pending is None or turn.pending.name != LISTED:
        return None
    order = parse_nth_order(turn.query)
    if order is None or order.kind != "delete" or order.noun:
        return None
    return MemoryOrder("forget", order.n)


def _buttons(notes: Sequence[MemoryNote]) -> tuple[tuple[Button, ...], ...]:
    keys = [
        Button(
            label=text("chat.button_forget", n=n),
            action=ActionDraft(name=FORGET, arguments={"note_id": note.note_id}),
        )
        for n, note in enumerate(notes, start=1)
    ]
    places = range(0, len(keys), BUTTONS_A_ROW)
    return tuple(tuple(keys[place : place + BUTTONS_A_ROW]) for place in places)

"""Chat: conversation by a language model; what is exact needs none, and without one it says so."""

from collections.abc import Sequence
from dataclasses import replace

from pydantic import JsonValue

from agents.chat.backing import backed_before, backed_by_reminders
from agents.chat.confirming import Confirming, Kept
from agents.chat.conversations import Talks
from agents.chat.grounding import Grounded
from agents.chat.notes import fitting
from agents.chat.plain import new_name, new_note, plain_words, small_talk, type_of
from agents.chat.prompt import messages_for
from agents.chat.receipts import deeds_of, receipts, spoken_name
from agents.claims import Checked, Deed, check_claims
from agents.tool_loop import Done, LoopResult, ToolLoop
from agents.tools.conversations import Conversations
from bot.core.actions import Action
from bot.core.agents import AgentResult, Turn
from bot.core.codec import from_json
from bot.core.effects import ToolCall
from bot.core.errors import ModelRefusalError
from bot.core.events import ChatKind
from bot.core.memory import Memory, MemoryNote
from bot.core.messages import Block, Button, TextBlock
from bot.core.model import Show
from bot.core.schedules import Schedules
from bot.core.turns import Turns
from bot.core.words import Verbatim, text

INTENT = "chat_manager"
MOST_LIVE = 50
TRUTH = {
    Deed.REMINDER: "chat.no_reminder",
    Deed.MEMORY: "chat.nothing_remembered",
    Deed.LEDGER: "chat.nothing_booked",
    Deed.NAME: "chat.not_renamed",
}
"""What is said in place of a promise that nothing backs."""


class ChatAgent:
    """Talks; writes through its tools only, and only what the person's own words ask for."""

    def __init__(
        self,
        *,
        memory: Memory,
        schedules: Schedules,
        turns: Turns,
        loop: ToolLoop | None = None,
        sees: bool = False,
    ) -> None:
        """Take what it reads, and the tool loop where a model is configured.

        Args:
            memory: what people asked to be remembered.
            schedules: their reminders, to tell a true promise from a false one.
            turns: earlier conversations.
            loop: None without a language model.
            sees: whether a model can look at pictures.
        """
        self._memory = memory
        self._schedules = schedules
        self._loop = loop
        self._sees = sees
        self._talks = Talks(turns)
        self._confirming = Confirming(memory)

    @property
    def intent(self) -> str:
        """Routing label."""
        return INTENT

    async def handle(self, turn: Turn) -> AgentResult:
        """Return the answer to a press, a command or a message."""
        if turn.action is not None:
            return await self._pressed(turn, turn.action)
        if turn.command == "new":
            return self._talks.begin(turn)
        if turn.command == "chats":
            return await self._talks.show(turn)
        exact = await self._exact(turn)
        if exact is not None:
            return exact
        if self._loop is None or (turn.attachments and not self._sees and not turn.query.strip()):
            return await self._without_model(turn, "chat.no_model")
        return await self._talk(turn, self._loop)

    # --- without a model -------------------------------------------------------------------------

    async def _exact(self, turn: Turn) -> AgentResult | None:
        """Answer what is better done by rule than by a model; a re-run takes the same way."""
        if name := new_name(turn.query):
            arguments: dict[str, JsonValue] = {"change": {"name": name}}
            return await self._write(turn, "profile_update", arguments)
        words = plain_words(turn)
        return AgentResult(blocks=(TextBlock(words),)) if words is not None else None

    async def _write(self, turn: Turn, tool: str, arguments: dict[str, JsonValue]) -> AgentResult:
        async def decide() -> Sequence[ToolCall]:
            return [ToolCall(name=tool, arguments=arguments)]

        made = await turn.tools.perform(decide)
        done = [Done(call, result) for call, result in made]
        return AgentResult(blocks=receipts(done, turn.tools.grant))

    async def _without_model(self, turn: Turn, key: str) -> AgentResult:
        if note := new_note(turn.query):
            kind = type_of(note).value
            return await self._write(turn, "memory_save", {"type": kind, "text": note})
        words = small_talk(turn)
        if words is None:
            no_words = turn.attachments and not turn.query.strip()
            words = text("chat.no_vision" if no_words and not self._sees else key)
        return AgentResult(blocks=(TextBlock(words),))

    # --- with a model ----------------------------------------------------------------------------

    async def _talk(self, turn: Turn, loop: ToolLoop) -> AgentResult:
        ended = await loop.run(
            turn,
            messages_for(turn, await self._notes(turn), sees=self._sees),
            policy=Grounded(turn.query, earlier=[record.text for record in turn.history]),
            show=self._showing(turn),
        )
        if ended.trouble and not ended.steps:
            if ended.trouble == ModelRefusalError.__name__:
                key = "chat.no_vision" if turn.attachments else "chat.refused"
                return AgentResult(blocks=(TextBlock(text(key)),))
            return await self._without_model(turn, "chat.model_down")
        return await self._ended(turn, ended, ended.done, query=turn.query)

    async def _ended(
        self, turn: Turn, ended: LoopResult, done: Sequence[Done], *, query: str
    ) -> AgentResult:
        """Return the model's words, what was stored, and buttons for what needs a press."""
        checked = await self._checked(turn, ended.text, query)
        blocks: list[Block] = []
        if checked.text:
            blocks.append(TextBlock(Verbatim(checked.text)))
        blocks.extend(receipts(done, turn.tools.grant))
        missing = checked.unbacked - deeds_of(done)
        blocks.extend(TextBlock(text(TRUTH[deed])) for deed in sorted(missing))
        asked = await self._confirming.ask(turn, ended.to_confirm, query=query, steps=ended.steps)
        blocks.extend(asked.blocks)
        if ended.trouble:
            blocks.append(TextBlock(text("chat.model_broke_off")))
        if not blocks:
            blocks.append(TextBlock(text("chat.nothing_to_say")))
        return AgentResult(
            blocks=tuple(blocks), buttons=(*asked.buttons, *self._switches(turn, done))
        )

    def _switches(self, turn: Turn, done: Sequence[Done]) -> tuple[tuple[Button, ...], ...]:
        """Return buttons to switch when the model has listed conversations."""
        listed = [d.result for d in done if d.call.name == "conversation_list"]
        return self._talks.buttons(turn, from_json(Conversations, listed[-1])) if listed else ()

    async def _checked(self, turn: Turn, said: str, query: str) -> Checked:
        """Take out what the model claims; but what an earlier turn did may be spoken of."""
        checked = check_claims(said, query=query, backed=frozenset())
        if not checked.unbacked:
            return checked
        backed = backed_before(turn.history, query, turn.now)
        if Deed.REMINDER in checked.unbacked - backed:
            live = await self._schedules.upcoming(turn.person.person_id, limit=MOST_LIVE)
            backed |= backed_by_reminders(live, turn.history, query, turn.now)
        return check_claims(said, query=query, backed=backed)

    async def _notes(self, turn: Turn) -> tuple[MemoryNote, ...]:
        scope = turn.chat.key if turn.chat.kind is ChatKind.GROUP else ""
        return fitting(await self._memory.list(turn.person.person_id, scope), turn.query)

    def _showing(self, turn: Turn) -> Show:
        """Return what shows the growing answer, without promises that may prove false.

        The longer the answer, the rarer it is looked through: a preview may lag a little.
        """
        due, last = 0, 0

        async def show(said: str) -> None:
            nonlocal due, last
            has_begun_anew, last = len(said) < last, len(said)
            if len(said) < due and not has_begun_anew:
                return
            due = len(said) + len(said) // 40
            shown = check_claims(said, query=turn.query, backed=frozenset()).text
            if shown:
                await turn.progress(shown)

        return show

    # --- presses ---------------------------------------------------------------------------------

    async def _pressed(self, turn: Turn, action: Action) -> AgentResult:
        match action.name:
            case "switch":
                return await self._talks.switch(turn, str(action.arguments["conversation"]))
            case "confirm":
                return await self._confirmed(turn, Kept.of(action.arguments))
            case _:
                return AgentResult(blocks=(TextBlock(text("chat.declined")),), repaint=True)

    async def _confirmed(self, turn: Turn, kept: Kept) -> AgentResult:
        """Run what was confirmed, then let the model go on where it waited."""

        async def decide() -> Sequence[ToolCall]:
            return kept.calls

        made = await turn.tools.perform(decide, by_model=True)
        confirmed = [Done(call, result) for call, result in made]
        done = [d for d in confirmed if not d.is_error]
        before = kept.steps_with(confirmed)
        ended = LoopResult(text="", steps=before)
        if done and self._loop is not None:
            asked = replace(turn, query=kept.query)
            ended = await self._loop.run(
                turn,
                messages_for(asked, await self._notes(asked), sees=self._sees),
                policy=Grounded(kept.query),
                before=before,
            )
            fresh = ended.steps[len(before) :]
            done += LoopResult(text="", steps=fresh).done
            ended = replace(ended, steps=fresh, trouble="")
        result = await self._ended(turn, ended, done, query=kept.query)
        failed = [
            TextBlock(text("chat.call_failed", name=spoken_name(d.call)))
            for d in confirmed
            if d.is_error
        ]
        return replace(result, blocks=(*failed, *result.blocks), repaint=True)

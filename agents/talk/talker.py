"""Talk by the tool loop: the model's words, checked, with what was stored and what needs a press.

What is written stands in the person's own words, what reaches out or deletes waits for a press,
and a promise that nothing stored backs gives way to the truth.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from agents.claims import Checked, Deed, check_claims
from agents.talk.backing import backed_before, backed_by_reminders
from agents.talk.confirming import CONFIRMED, DECLINED, Confirming, Kept
from agents.talk.figures import figures_of, without_strange_figures
from agents.talk.grounding import Grounded
from agents.talk.notes import fitting
from agents.talk.prompt import messages_for
from agents.talk.receipts import deeds_of, receipts, spoken_name
from agents.tool_loop import ToolLoop
from agents.tool_steps import Done, LoopResult
from bot.core.actions import Action
from bot.core.agents import AgentResult, Turn, silent
from bot.core.events import ChatKind
from bot.core.memory import Memory, MemoryNote
from bot.core.messages import Block, Button, TextBlock
from bot.core.model import ModelMessage, Show
from bot.core.schedules import Schedules
from bot.core.words import Verbatim, text

MOST_LIVE = 50
TRUTH = {
    Deed.REMINDER: "chat.no_reminder",
    Deed.MEMORY: "chat.nothing_remembered",
    Deed.LEDGER: "chat.nothing_booked",
    Deed.NAME: "chat.not_renamed",
    Deed.SETTING: "chat.no_setting_changed",
    Deed.REMOVAL: "chat.nothing_deleted",
}
"""What is said in place of a promise that nothing backs."""

Buttons = tuple[tuple[Button, ...], ...]


def _none(_turn: Turn, _done: Sequence[Done]) -> Buttons:
    return ()


@dataclass(frozen=True, slots=True)
class Silence:
    """The model gave no answer and nothing was done; `trouble` names the `ModelError`."""

    trouble: str


class Talker:
    """Talks for one agent. It holds no state of a turn."""

    def __init__(
        self,
        loop: ToolLoop | None,
        *,
        folder: str,
        memory: Memory,
        schedules: Schedules,
        sees: bool = False,
        withheld: frozenset[str] = frozenset(),
        about_money: bool = False,
        also: Callable[[Turn, Sequence[Done]], Buttons] = _none,
    ) -> None:
        """Take the loop and what it reads.

        Args:
            loop: None without a model; then it only follows presses of earlier answers.
            folder: the agent's folder, for its instructions.
            memory: what people asked to be remembered.
            schedules: their reminders, to tell a true promise from a false one.
            sees: whether a model can look at pictures.
            withheld: granted tools that a model is not shown: code calls them, with what it
                computed from the person's words.
            about_money: figures that nobody told the model are taken out of its words.
            also: further buttons, by what was done.
        """
        self._loop = loop
        self._folder = folder
        self._memory = memory
        self._schedules = schedules
        self._sees = sees
        self._withheld = withheld
        self._about_money = about_money
        self._also = also
        self._confirming = Confirming(memory)

    async def talk(self, turn: Turn) -> AgentResult | Silence:
        """Return the answer to a message, or that there is none."""
        if self._loop is None:
            return Silence("")
        ended = await self._loop.run(
            turn,
            await self._messages(turn),
            policy=Grounded(turn.query, earlier=[record.text for record in turn.history]),
            show=silent if self._about_money else _showing(turn),
            withheld=self._withheld,
        )
        if ended.trouble and not ended.steps:
            return Silence(ended.trouble)
        return await self._ended(turn, ended, ended.done, query=turn.query)

    def owns(self, action: Action) -> bool:
        """Whether the button is one of those that ask before a call."""
        return action.name in (CONFIRMED, DECLINED)

    async def pressed(self, turn: Turn, action: Action) -> AgentResult:
        """Run what was confirmed, then let the model go on where it waited; or do nothing."""
        if action.name != CONFIRMED:
            return AgentResult(blocks=(TextBlock(text("chat.declined")),), repaint=True)
        kept = Kept.of(action.arguments)
        made = await turn.tools.perform(kept.decide, by_model=True)
        confirmed = [Done(call, result) for call, result in made]
        done = [d for d in confirmed if not d.is_error]
        before = kept.steps_with(confirmed)
        ended = LoopResult(text="", steps=before)
        if done and self._loop is not None and before:
            ended = await self._loop.run(
                turn,
                await self._messages(replace(turn, query=kept.query)),
                policy=Grounded(kept.query),
                before=before,
                withheld=self._withheld,
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

    async def _ended(
        self, turn: Turn, ended: LoopResult, done: Sequence[Done], *, query: str
    ) -> AgentResult:
        """Return the model's words, what was stored, and buttons for what needs a press."""
        checked = await self._checked(turn, ended.text, query)
        said, has_strange = checked.text, False
        if self._about_money:
            said, has_strange = without_strange_figures(
                said, await self._known(turn, ended, query)
            )
        blocks: list[Block] = []
        if said:
            blocks.append(TextBlock(Verbatim(said)))
        if said and ended.is_cut:
            blocks.append(TextBlock(text("chat.cut_short")))
        if has_strange:
            blocks.append(TextBlock(text("chat.figures_left_out")))
        blocks.extend(receipts(done, turn.tools.grant))
        missing = checked.unbacked - deeds_of(done)
        blocks.extend(TextBlock(text(TRUTH[deed])) for deed in sorted(missing))
        asked = await self._confirming.ask(turn, ended.to_confirm, query=query, steps=ended.steps)
        blocks.extend(asked.blocks)
        if ended.trouble:
            blocks.append(TextBlock(text("chat.model_broke_off")))
        if not blocks:
            blocks.append(TextBlock(text("chat.nothing_to_say")))
        return AgentResult(blocks=tuple(blocks), buttons=(*asked.buttons, *self._also(turn, done)))

    async def _known(self, turn: Turn, ended: LoopResult, query: str) -> frozenset[Decimal]:
        """Return the figures that the model may speak of."""
        earlier = [words for record in turn.history for words in (record.text, record.reply)]
        notes = [note.text for note in await self._notes(turn)]
        today = turn.now.date().isoformat()
        return figures_of(ended.steps, [query, today, turn.summary, *earlier, *notes])

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

    async def _messages(self, turn: Turn) -> list[ModelMessage]:
        return messages_for(turn, await self._notes(turn), folder=self._folder, sees=self._sees)

    async def _notes(self, turn: Turn) -> tuple[MemoryNote, ...]:
        scope = turn.chat.key if turn.chat.kind is ChatKind.GROUP else ""
        return fitting(await self._memory.list(turn.person.person_id, scope), turn.query)


def _showing(turn: Turn) -> Show:
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

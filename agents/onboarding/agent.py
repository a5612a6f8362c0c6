"""Onboarding: language, zone, name and currency, in three stages that can all be skipped."""

from collections.abc import Sequence
from dataclasses import replace

from agents.onboarding.answers import (
    change_from_button,
    change_from_settings,
    change_from_words,
    only_greets,
    skips_all,
)
from agents.onboarding.questions import (
    ask,
    profile_block,
    settings_card,
)
from agents.onboarding.zone_change import ZoneChange
from bot.core.agents import AgentResult, HandOff, Turn
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.errors import ConflictError
from bot.core.events import HeldMessage
from bot.core.messages import Block, TextBlock
from bot.core.people import SETUP_DONE, Person, ProfileChange
from bot.core.schedules import Schedules
from bot.core.words import Text, text

INTENT = "onboarding"
SETTINGS_ACTIONS = frozenset({"change", "zone_wall", "zone_instant"})
"""Presses on the settings; the others belong to the three stages."""
MAX_KEPT_SHOWN = 60


class OnboardingAgent:
    """Asks newcomers three things, and changes them later through `/settings`."""

    def __init__(self, schedules: Schedules) -> None:
        """Take the schedules: a change of zone concerns those set in the old one."""
        self._zone_change = ZoneChange(schedules)

    @property
    def intent(self) -> str:
        """Routing label; no input is ever classified as it."""
        return INTENT

    async def handle(self, turn: Turn) -> AgentResult:
        """Take the answer of the present stage and ask the next, or show the settings."""
        replaying = turn.tools.replaying
        is_done = turn.person.setup_stage >= SETUP_DONE
        is_settings = turn.action is not None and turn.action.name in SETTINGS_ACTIONS
        if is_settings or (is_done and (turn.command or not replaying)):
            return await self._settings(turn)
        if turn.in_group and turn.action is None:
            return await self._in_group(turn)
        step = self._answer(turn)
        if step is None and not replaying:
            return self._ask_again(turn)
        try:
            person = await self._advance(turn, *(step or (SETUP_DONE, ProfileChange())))
        except ConflictError:
            return ask(turn.person, greet=False, unread=False)
        if person.setup_stage < SETUP_DONE:
            result = ask(person, greet=False, unread=False)
            return replace(result, repaint=turn.action is not None)
        return self._done(turn, person)

    @staticmethod
    def _ask_again(turn: Turn) -> AgentResult:
        """Ask the same question; a wish is kept and said to be kept."""
        result = ask(turn.person, greet=_is_first(turn), unread=_has_answer(turn))
        if turn.command or turn.action or only_greets(turn.query):
            return result
        if turn.held is not None and not _is_first(turn):
            later = TextBlock(text("onboarding.later", said=turn.query[:MAX_KEPT_SHOWN]))
            return replace(result, blocks=(later, *result.blocks))
        kept = TextBlock(text("onboarding.kept", said=turn.query[:MAX_KEPT_SHOWN]))
        blocks = [b for b in result.blocks if not _is_unread(b)]
        return replace(result, blocks=(kept, *blocks), hold=True)

    async def _in_group(self, turn: Turn) -> AgentResult:
        """Begin with the defaults and what the platform tells; a group is asked nothing."""
        try:
            person = await self._advance(turn, SETUP_DONE, ProfileChange())
        except ConflictError:
            person = turn.person
        card = settings_card(person, unread=False)
        private = replace(card, blocks=(TextBlock(text("onboarding.met_in_group")), *card.blocks))
        said = HeldMessage(
            text=turn.query,
            message_id=turn.message_id,
            occurred_at=turn.now,
            attachments=turn.attachments,
        )
        is_wish = bool(turn.query or turn.attachments) and not turn.command
        return AgentResult(
            blocks=(
                TextBlock(
                    text(
                        "onboarding.group_defaults", name=person.name or text("onboarding.friend")
                    )
                ),
            ),
            private=private,
            hand_off=HandOff(message=said) if is_wish else None,
        )

    # --- stages ------------------------------------------------------------------------------

    @staticmethod
    def _answer(turn: Turn) -> tuple[int, ProfileChange] | None:
        """Return the stage to move to and what was answered; None when nothing was."""
        stage = turn.person.setup_stage
        if turn.action is not None:
            value = str(turn.action.arguments.get("value", ""))
            asked = turn.action.arguments.get("stage")
            if turn.action.name == "skip_all":
                return SETUP_DONE, ProfileChange()
            if asked != stage:
                return None
            return stage + 1, change_from_button(stage, value)
        words = turn.query.strip()
        if turn.command == "skip":
            return SETUP_DONE, ProfileChange()
        if not words or turn.command or _is_first(turn):
            return None
        if skips_all(words):
            return SETUP_DONE, ProfileChange()
        change = change_from_words(stage, words)
        return None if change is None else (stage + 1, change)

    @staticmethod
    async def _advance(turn: Turn, to_stage: int, change: ProfileChange) -> Person:
        async def decide() -> Sequence[ToolCall]:
            arguments = {
                "from_stage": turn.person.setup_stage,
                "to_stage": to_stage,
                "change": to_json(ProfileChange, change),
            }
            return [ToolCall(name="profile_advance", arguments=arguments)]

        ((_, result),) = await turn.tools.perform(decide)
        return from_json(Person, result)

    @staticmethod
    def _done(turn: Turn, person: Person) -> AgentResult:
        blocks: tuple[Block, ...] = (
            TextBlock(text("onboarding.done", name=person.name or text("onboarding.friend"))),
            profile_block(person),
        )
        held = turn.held
        wish = held if held is not None and not only_greets(held.text) else None
        blocks = (*blocks, TextBlock(text("onboarding.serve" if wish else "onboarding.try")))
        return AgentResult(
            blocks=blocks,
            repaint=turn.action is not None,
            hand_off=HandOff(message=wish) if wish else None,
        )

    # --- settings ----------------------------------------------------------------------------

    async def _settings(self, turn: Turn) -> AgentResult:
        if turn.command == "start":
            name = turn.person.name or text("onboarding.friend")
            key = "onboarding.welcome_back" if turn.history else "onboarding.welcome"
            return AgentResult(
                blocks=(
                    TextBlock(text(key, name=name)),
                    TextBlock(text("onboarding.try")),
                )
            )
        if turn.action is not None and turn.action.name == "zone_instant":
            return self._zone_change.keep_instant()
        if turn.action is not None and turn.action.name == "zone_wall":
            ids = turn.action.arguments.get("schedules")
            zone = str(turn.action.arguments.get("zone", ""))
            chosen = [str(i) for i in ids] if isinstance(ids, list) else []
            return await self._zone_change.keep_wall(turn, chosen, zone)
        change = self._settings_change(turn)
        if change is None:
            return settings_card(turn.person, unread=bool(turn.query) and turn.action is None)

        async def decide() -> Sequence[ToolCall]:
            arguments = {"change": to_json(ProfileChange, change)}
            return [ToolCall(name="profile_update", arguments=arguments)]

        ((_, result),) = await turn.tools.perform(decide)
        return await self._changed(turn, from_json(Person, result), zone=change.zone is not None)

    async def _changed(self, turn: Turn, person: Person, *, zone: bool) -> AgentResult:
        """Show the settings; a changed zone asks what the reminders keep."""
        asked = await self._zone_change.question(turn, person.zone) if zone else None
        if asked is not None:
            return replace(asked, blocks=(profile_block(person), *asked.blocks))
        return replace(settings_card(person, unread=False), repaint=turn.action is not None)

    @staticmethod
    def _settings_change(turn: Turn) -> ProfileChange | None:
        if turn.action is not None:
            stage = turn.action.arguments.get("stage")
            value = str(turn.action.arguments.get("value", ""))
            return change_from_button(stage, value) if isinstance(stage, int) else None
        return change_from_settings(turn.query.strip())


def _is_first(turn: Turn) -> bool:
    """Whether nothing was asked yet, so that the text cannot be an answer."""
    return not turn.history


def _is_unread(block: Block) -> bool:
    return (
        isinstance(block, TextBlock)
        and isinstance(block.words, Text)
        and block.words.key.startswith("onboarding.unread")
    )


def _has_answer(turn: Turn) -> bool:
    return bool(turn.query.strip()) and not turn.command and not _is_first(turn)

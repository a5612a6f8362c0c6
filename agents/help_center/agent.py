"""Help: what the product can do, one page per agent, in the reader's language."""

import functools
from collections.abc import Sequence
from importlib.resources import files

from agents.about import about
from bot.core.actions import ActionDraft, Uses
from bot.core.agents import AgentResult, Turn
from bot.core.manifests import Manifest
from bot.core.messages import Button, TextBlock, Tone
from bot.core.words import Lines, Verbatim, Words, text

INTENT = "help_center"
PER_ROW = 2

EXAMPLES = 4
"""Of a remote agent, on its page."""


@functools.cache
def help_page(folder: str, locale: str) -> str:
    """Return an agent's help page.

    Raises:
        FileNotFoundError: the agent has no page in this language (a test holds that none lacks).
    """
    return (
        files("agents").joinpath(folder, f"help.{locale}.md").read_text(encoding="utf-8").strip()
    )


def _page(folder: str, manifest: Manifest, locale: str) -> Words:
    """Return the agent's page; a remote one's is made of its manifest."""
    if folder:
        return Verbatim(help_page(folder, locale))
    return text(
        "help.remote",
        name=manifest.display_name.in_locale(locale),
        description=manifest.description.in_locale(locale),
        examples=Lines(tuple(Verbatim(f"• {words}") for words in manifest.examples[:EXAMPLES])),
    )


class HelpAgent:
    """Answers from the pages of the agents that this person may use."""

    def __init__(self, pages: Sequence[tuple[str, Manifest]]) -> None:
        """Take (folder, manifest) of every agent in their order; a remote one has no folder."""
        self._pages = tuple(pages)

    @property
    def intent(self) -> str:
        """Routing label."""
        return INTENT

    async def handle(self, turn: Turn) -> AgentResult:
        """Return a fact about the assistant, the page that was asked for, or the overview."""
        fact = about(turn.query) if turn.action is None else None
        if fact is not None:
            return AgentResult(blocks=(TextBlock(fact),))
        topics = [
            (folder, manifest)
            for folder, manifest in self._pages
            if manifest.routable and turn.profile.may_use(manifest.branch_id)
        ]
        wanted = str(turn.action.arguments.get("topic", "")) if turn.action else ""
        for folder, manifest in topics:
            if manifest.intent == wanted or (not wanted and _speaks_of(manifest, turn)):
                page = TextBlock(_page(folder, manifest, turn.locale))
                return AgentResult(blocks=(page,), buttons=self._menu(topics, turn))
        return AgentResult(
            blocks=(
                TextBlock(text("help.overview")),
                self._list(topics, turn),
                *self._coming(topics, turn),
            ),
            buttons=self._menu(topics, turn),
        )

    @staticmethod
    def _list(topics: Sequence[tuple[str, Manifest]], turn: Turn) -> TextBlock:
        lines = [
            f"• {m.display_name.in_locale(turn.locale)} — {m.description.in_locale(turn.locale)}"
            for _, m in topics
            if m.intent != INTENT and m.status == "live"
        ]
        return TextBlock(Verbatim("\n".join(lines)))

    @staticmethod
    def _coming(topics: Sequence[tuple[str, Manifest]], turn: Turn) -> tuple[TextBlock, ...]:
        names = tuple(
            Verbatim(m.display_name.in_locale(turn.locale))
            for _, m in topics
            if m.status == "planned"
        )
        return (TextBlock(text("help.coming", names=names)),) if names else ()

    @staticmethod
    def _menu(
        topics: Sequence[tuple[str, Manifest]], turn: Turn
    ) -> tuple[tuple[Button, ...], ...]:
        buttons = [
            Button(
                label=Verbatim(manifest.display_name.in_locale(turn.locale)),
                tone=Tone.PLAIN,
                action=ActionDraft(
                    name="topic", arguments={"topic": manifest.intent}, uses=Uses.MANY
                ),
            )
            for _, manifest in topics
            if manifest.intent != INTENT and manifest.status == "live"
        ]
        return tuple(tuple(buttons[i : i + PER_ROW]) for i in range(0, len(buttons), PER_ROW))


_TOPIC_WORDS = {
    "ledger_manager": ("记账", "账单", "ledger", "expense", "spending"),
    "schedule_manager": ("提醒", "日程", "闹钟", "remind", "schedule"),
    "chat_manager": ("聊天", "对话", "chat"),
}


def _speaks_of(manifest: Manifest, turn: Turn) -> bool:
    words = turn.query.lower()
    names = (manifest.display_name.zh.lower(), manifest.display_name.en.lower())
    return manifest.intent != INTENT and any(
        word in words for word in (*names, *_TOPIC_WORDS.get(manifest.intent, ()))
    )

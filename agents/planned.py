"""Stands in for an agent that comes later: says so kindly and offers what works."""

from bot.core.agents import AgentResult, Turn
from bot.core.manifests import Manifest
from bot.core.messages import TextBlock
from bot.core.words import Verbatim, text


class PlannedAgent:
    """Answers for a manifest whose status is `planned`."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest

    @property
    def intent(self) -> str:
        """The label of the agent that comes later."""
        return self._manifest.intent

    async def handle(self, turn: Turn) -> AgentResult:
        """Return that this is not there yet."""
        name = Verbatim(self._manifest.display_name.in_locale(turn.locale))
        if turn.action is not None:
            return AgentResult(blocks=(TextBlock(text("help.planned", name=name)),), repaint=True)
        description = Verbatim(self._manifest.description.in_locale(turn.locale))
        words = text("help.planned_offer", name=name, description=description)
        return AgentResult(blocks=(TextBlock(words),))

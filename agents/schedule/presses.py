"""The arguments of a pressed button, read by type."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from bot.core.agents import Turn


@dataclass(frozen=True, slots=True)
class Press:
    """Arguments of an action, read by type."""

    arguments: Mapping[str, JsonValue]

    def text(self, name: str) -> str:
        """Return a string, empty when there is none."""
        value = self.arguments.get(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> int:
        """Return a whole number, 0 when there is none."""
        value = self.arguments.get(name)
        return value if isinstance(value, int) else 0

    def moment(self, name: str) -> datetime | None:
        """Return an aware moment, None when there is none."""
        value = self.text(name)
        return datetime.fromisoformat(value) if value else None

    def texts(self, name: str) -> list[str]:
        """Return a list of strings, empty when there is none."""
        value = self.arguments.get(name)
        return [str(v) for v in value] if isinstance(value, list) else []

    def schedule(self, turn: Turn) -> str:
        """The reminder that the action is about, from its subject."""
        return turn.action.subject.removeprefix("schedule:") if turn.action else ""

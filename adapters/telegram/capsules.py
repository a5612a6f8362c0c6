"""The capsule bar: a keyboard under the writing field of private chats.

The platform changes such a keyboard only together with a message. A changed choice is therefore
said in a short message of its own; after a restart, when it is not known what stands there, the
next message without buttons carries the bar along.
"""

from dataclasses import dataclass

from adapters.telegram.parse import SELECTED
from bot.core.views import ChatView
from bot.core.words import Verbatim, Words, text
from bot.locales.catalogue import nearest_locale, resolve


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A capsule bar as it stands in a chat.

    Attributes:
        labels: as shown, the selected one with its mark.
        selected: label of the selected capsule without the mark.
    """

    locale: str
    labels: tuple[str, ...]
    selected: str = ""


def bar_of(view: ChatView) -> Bar:
    """Return the bar that this view asks for."""
    locale = nearest_locale(view.locale)
    labels: list[str] = []
    selected = ""
    for capsule in view.capsules:
        label = f"{capsule.icon} {resolve(capsule.label, locale)}"
        if capsule.selected:
            selected = label
        labels.append(SELECTED + label if capsule.selected else label)
    return Bar(locale=locale, labels=tuple(labels), selected=selected)


class Bars:
    """What stands in which chat, as far as this process has seen to it."""

    def __init__(self) -> None:
        self._standing: dict[str, Bar] = {}
        self._wanted: dict[str, Bar] = {}
        self._pressed: set[str] = set()

    def pressed(self, chat_id: str) -> None:
        """Remember that somebody pressed a capsule here and waits for a sign."""
        self._pressed.add(chat_id)

    def want(self, chat_id: str, bar: Bar) -> Words | None:
        """Take note of what should stand there; return what to say when that is news.

        News is for the caller to show; everything else waits for a message to carry it.
        """
        before = self._standing.get(chat_id)
        waits = chat_id in self._pressed
        self._pressed.discard(chat_id)
        self._wanted.pop(chat_id, None)
        if before == bar and not waits:
            return None
        if before is None and not waits and not bar.selected:
            if bar.labels:
                self.carry(chat_id, bar)
            else:
                self.stands(chat_id, bar)
            return None
        return _news(before, bar)

    def carry(self, chat_id: str, bar: Bar) -> None:
        """Let the next message without buttons bring the bar."""
        self._wanted[chat_id] = bar

    def wanted(self, chat_id: str) -> Bar | None:
        """Return the bar that is still to be shown."""
        return self._wanted.get(chat_id)

    def stands(self, chat_id: str, bar: Bar) -> None:
        """Take note that it stands there now."""
        self._standing[chat_id] = bar
        if self._wanted.get(chat_id) == bar:
            del self._wanted[chat_id]


def _news(before: Bar | None, bar: Bar) -> Words:
    if not bar.labels:
        return text("telegram.capsules_gone")
    if bar.selected:
        return text("telegram.capsule_on", capsule=Verbatim(bar.selected))
    if before is None or before.selected:
        return text("telegram.capsule_off")
    return text("telegram.capsules")

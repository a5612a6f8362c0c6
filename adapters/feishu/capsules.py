"""The capsule bar: a row of buttons below a card of private chats.

The next message without buttons carries the row along; a changed choice repaints that card, or is
said on a card of its own when this process does not know of any.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from adapters.feishu.atoms import Element
from adapters.feishu.elements import button_row
from adapters.feishu.parse import CAPSULE
from adapters.feishu.render import card_of
from bot.core.messages import Tone
from bot.core.views import ChatView
from bot.core.words import Verbatim, text
from bot.locales.catalogue import nearest_locale, resolve

SELECTED = "✓ "


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A capsule bar as it stands in a chat.

    Attributes:
        capsules: intent, label and whether it is selected.
    """

    locale: str
    capsules: tuple[tuple[str, str, bool], ...]

    @property
    def selected(self) -> str:
        """Label of the selected capsule; empty when there is none."""
        return next((label for _, label, is_on in self.capsules if is_on), "")


def bar_of(view: ChatView) -> Bar:
    """Return the bar that this view asks for."""
    locale = nearest_locale(view.locale)
    return Bar(
        locale=locale,
        capsules=tuple(
            (c.intent, f"{c.icon} {resolve(c.label, locale)}", c.selected) for c in view.capsules
        ),
    )


def bar_elements(bar: Bar) -> list[Element]:
    """Return the bar as elements of a card."""
    row = button_row(
        [
            (
                SELECTED + label if is_on else label,
                Tone.PRIMARY if is_on else Tone.PLAIN,
                {CAPSULE: intent},
            )
            for intent, label, is_on in bar.capsules
        ]
    )
    return [{"tag": "hr"}, *row.parts] if bar.capsules else []


def bar_card(bar: Bar) -> dict[str, JsonValue]:
    """Return a card that says what is selected, with the bar below."""
    said = resolve(
        text("feishu.capsule_on", capsule=Verbatim(bar.selected))
        if bar.selected
        else text("feishu.capsule_off"),
        bar.locale,
    )
    words: Element = {"tag": "div", "text": {"tag": "plain_text", "content": said}}
    return card_of([words, *bar_elements(bar)], summary=said)


def with_bar(card: Mapping[str, JsonValue], bar: Bar) -> dict[str, JsonValue]:
    """Return a card that carried a bar with another one in its place."""
    body = card["body"]
    assert isinstance(body, dict)  # noqa: S101  # cards of ours
    elements = body["elements"]
    assert isinstance(elements, list)  # noqa: S101
    kept = elements[:-2]
    return {**card, "body": {**body, "elements": [*kept, *bar_elements(bar)]}}


@dataclass(frozen=True, slots=True)
class Carrier:
    """The card that shows a bar."""

    message_id: str
    card: Mapping[str, JsonValue]


class Bars:
    """What stands in which chat, as far as this process has seen to it."""

    def __init__(self) -> None:
        self._standing: dict[str, Bar] = {}
        self._wanted: dict[str, Bar] = {}
        self._carriers: dict[str, Carrier] = {}

    def want(self, chat_id: str, bar: Bar) -> bool:
        """Take note of what should stand there; return whether it is to be shown at once.

        What is not news waits for a message to carry it.
        """
        before = self._standing.get(chat_id)
        if before == bar:
            return False
        if (before is None and not bar.selected) or not bar.capsules:
            if bar.capsules:
                self._wanted[chat_id] = bar
            return False
        return True

    def wanted(self, chat_id: str) -> Bar | None:
        """Return the bar that is still to be shown."""
        return self._wanted.get(chat_id)

    def carrier(self, chat_id: str) -> Carrier | None:
        """Return the card that shows the bar."""
        return self._carriers.get(chat_id)

    def stands(
        self, chat_id: str, bar: Bar, *, message_id: str, card: Mapping[str, JsonValue]
    ) -> None:
        """Take note that it stands there now."""
        self._standing[chat_id] = bar
        self._wanted.pop(chat_id, None)
        self._carriers[chat_id] = Carrier(message_id, card)

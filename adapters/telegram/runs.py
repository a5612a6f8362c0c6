"""Styled text as runs, and their cutting into parts that the platform takes.

A run is cut only where a person would: paragraph, line, sentence, word; never inside an emoji
sequence, and a link or a short piece of code not at all while it fits into one part.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.core.characters import whole_characters
from bot.core.patterns import regex

MAX_TEXT_UNITS = 4096
"""UTF-16 units of a message. The platform counts them after parsing the markup; we count the
markup too, so that no reading of that rule makes a part too long.

Source: https://core.telegram.org/bots/api#sendmessage
"""

_COSTS = {"&": 5, "<": 4, ">": 4}
_BREAKS = (
    regex(r"\n\s*\n"),
    regex(r"\n"),
    regex(r"[。！？；…]+|[.!?;]+(?=\s)"),
    regex(r"[\s，、,]+"),
)
_ZWJ = "\u200d"


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one style.

    Attributes:
        tags: opening tags without their brackets, outermost first.
        whole: better put into the next part than cut.
    """

    text: str
    tags: tuple[str, ...] = ()
    whole: bool = False

    @property
    def html(self) -> str:
        """The run as markup."""
        opening = "".join(f"<{tag}>" for tag in self.tags)
        closing = "".join(f"</{tag.split()[0]}>" for tag in reversed(self.tags))
        return f"{opening}{escape(self.text)}{closing}"

    @property
    def frame_units(self) -> int:
        """What the tags alone cost."""
        return units(replace(self, text="").html)


def escape(text: str) -> str:
    """Return the text so that the platform reads it as it is.

    Source: https://core.telegram.org/bots/api#html-style
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def units(text: str) -> int:
    """Return how many UTF-16 units the text has."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def sendable(text: str) -> str:
    """Return the text without halves of surrogate pairs and without NUL, which cannot be sent."""
    return whole_characters(text).replace("\0", "\ufffd")


def html_of(runs: Iterable[Run]) -> str:
    """Return runs as one piece of markup."""
    return "".join(run.html for run in runs if run.text)


def plain_of(runs: Iterable[Run]) -> str:
    """Return runs as plain text."""
    return "".join(run.text for run in runs)


def cut(runs: Sequence[Run], limit: int = MAX_TEXT_UNITS) -> list[list[Run]]:
    """Return the runs as parts within the limit; parts of nothing but blanks are left out."""
    parts: list[list[Run]] = [[]]
    used = 0
    waiting = _merged(runs)[::-1]
    while waiting:
        run = waiting.pop()
        room = limit - used - run.frame_units
        size = _cost(run.text)
        if size <= room:
            parts[-1].append(run)
            used += run.frame_units + size
            continue
        fits_alone = size <= limit - run.frame_units
        place = 0 if run.whole and fits_alone else _place(run.text, room, used=used, limit=limit)
        if place == 0 and used == 0:
            place = _forced(run.text, room)
        if place:
            parts[-1].append(replace(run, text=run.text[:place]))
            run = replace(run, text=run.text[place:])
        waiting.append(run)
        parts.append([])
        used = 0
    return [part for part in parts if plain_of(part).strip()]


def _merged(runs: Iterable[Run]) -> list[Run]:
    """Return the runs with neighbours of one style as one, so that a cut sees their line ends."""
    merged: list[Run] = []
    for run in runs:
        last = merged[-1] if merged else None
        if last is not None and last.tags == run.tags and not (last.whole or run.whole):
            merged[-1] = replace(last, text=last.text + run.text)
        elif run.text:
            merged.append(run)
    return merged


def _cost(text: str) -> int:
    return sum(_char_cost(char) for char in text)


def _char_cost(char: str) -> int:
    return _COSTS.get(char, 2 if char > "\uffff" else 1)


def _longest(text: str, room: int) -> int:
    """Return how many characters fit."""
    used = 0
    for index, char in enumerate(text):
        used += _char_cost(char)
        if used > room:
            return index
    return len(text)


def _place(text: str, room: int, *, used: int, limit: int) -> int:
    """Return where to cut: the strongest break that leaves the part half full, else a character.

    Zero puts the whole run into the next part.
    """
    end = _longest(text, room)
    for pattern in _BREAKS:
        places = [match.end() for match in pattern.finditer(text, 0, end)]
        if places and used + _cost(text[: places[-1]]) >= limit // 2:
            return places[-1]
    if used >= limit // 2:
        return 0
    return _forced(text, room)


def _forced(text: str, room: int) -> int:
    """Return the last place that breaks no character sequence; progress is certain."""
    end = max(1, _longest(text, room))
    for place in range(end, max(0, end - 64), -1):
        if place >= len(text) or not _joined(text[place - 1], text[place], text, place):
            return place
    return end


def _joined(before: str, after: str, text: str, place: int) -> bool:
    """Whether two characters belong together on screen."""
    if _ZWJ in (before, after) or unicodedata.category(after) in {"Mn", "Me", "Mc"}:
        return True
    if (before, after) == ("\r", "\n"):
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return True
    return _is_flag(before) and _is_flag(after) and _flags_before(text, place) % 2 == 1


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, place: int) -> int:
    count = 0
    while place - count > 0 and _is_flag(text[place - count - 1]):
        count += 1
    return count

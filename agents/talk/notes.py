"""Which remembered notes fit what is being said, for the model to know them."""

from collections.abc import Sequence

from agents.talk.grounding import share_said
from bot.core.memory import MemoryNote, MemoryType

MOST_NOTES = 12
ALWAYS = (MemoryType.CONSTRAINT, MemoryType.PREFERENCE)
"""They bear on any answer, whatever its words."""


def fitting(notes: Sequence[MemoryNote], query: str) -> tuple[MemoryNote, ...]:
    """Return at most `MOST_NOTES` notes, oldest first: those that fit best, then the newest."""
    numbered = list(enumerate(notes))

    def rank(item: tuple[int, MemoryNote]) -> tuple[float, bool, int]:
        number, note = item
        return share_said(query, note.text), note.type in ALWAYS, number

    chosen = sorted(numbered, key=rank, reverse=True)[:MOST_NOTES]
    return tuple(note for _, note in sorted(chosen, key=lambda item: item[0]))

"""What a person means by "每隔两天": asked once, then remembered (time policy)."""

from collections.abc import Iterable

from bot.core.effects import ToolCall
from bot.core.memory import MemoryNote, MemoryType
from bot.core.patterns import regex
from bot.core.recurrence import Rule

REASON = "interval_or_gap"
_GAP = {0: "“每隔N天”的意思是每N天一次", 1: "“每隔N天”的意思是中间空N天"}
_INTERVAL = regex(r"INTERVAL=(\d+)")


def remembered_gap(notes: Iterable[MemoryNote]) -> int | None:
    """Return 0 when N days apart means every N days, 1 for N free days between; None unasked."""
    texts = {note.text for note in notes}
    return next((gap for gap, words in _GAP.items() if words in texts), None)


def chosen(candidates: tuple[Rule, ...], gap: int) -> Rule:
    """Return the candidate that the remembered meaning picks; the shorter one comes first."""
    return sorted(candidates, key=_interval)[min(gap, len(candidates) - 1)]


def remember(candidates: tuple[Rule, ...], picked: Rule) -> ToolCall:
    """Return the call that remembers which of the candidates was picked."""
    shortest = min(_interval(rule) for rule in candidates)
    text = _GAP[0 if _interval(picked) == shortest else 1]
    arguments = {"type": str(MemoryType.PREFERENCE), "text": text}
    return ToolCall(name="memory_save", arguments=dict(arguments))


def _interval(rule: Rule) -> int:
    found = _INTERVAL.search(rule.rrule)
    return int(found.group(1)) if found else 1

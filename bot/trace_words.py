"""The trace of a decision in a person's words; stored traces name stations and labels."""

from bot.locales.catalogue import catalogue
from bot.registry import Registry

_PHRASES = {
    "none": "none",
    "no": "no",
    "cannot tell": "cannot_tell",
    "a new wish": "new_wish",
    "cancelled": "cancelled",
    "answered": "answered",
    "an amount": "amount",
    "a time": "time",
    "in own words": "own_words",
    "every word explained": "explained",
    "linked entity": "linked",
    "setup_stage < 3": "setup",
    "nobody can tell": "nobody",
    "hand-off": "hand_off",
    "rejected": "rejected",
    "to the fallback agent": "fallback",
    "below 0.5": "below",
    "is selected": "selected",
    "wishes": "wishes",
    "memo": "memo",
    "overlap": "overlap",
    "the bare word asks for help": "rule_help",
    "small talk is no task": "rule_small_talk",
    "figures need evidence": "rule_figures",
    "a condition or an order makes a task": "rule_order",
    "the calendar is no reminder and no figure": "rule_calendar",
    "the only dates are reminders": "rule_reminders",
    "a meeting or a reminder": "rule_either",
    "a date of no kind is a meeting": "rule_meeting",
}


def trace_words(trace: tuple[str, ...], registry: Registry, locale: str) -> str:
    """Return the trace as lines; what has no words of its own is shown as it is."""
    return "\n".join(f"• {_line(line, registry, locale)}" for line in trace) or "—"


def _line(line: str, registry: Registry, locale: str) -> str:
    texts = catalogue(locale)
    parts = []
    for part in line.split(": "):
        phrase = _PHRASES.get(part)
        source = texts.get(f"hub.source_{part}")
        if phrase is not None:
            parts.append(texts[f"trace.{phrase}"])
        elif source is not None:
            parts.append(source)
        else:
            parts.append(" ".join(_word(word, registry, locale) for word in part.split(" ")))
    return texts["trace.colon"].join(parts)


def _word(word: str, registry: Registry, locale: str) -> str:
    label = word.rstrip(",")
    if label not in registry:
        return word
    return registry.manifest(label).display_name.in_locale(locale) + word[len(label) :]

"""What a model may write: only what the person asked for, in the person's own words."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from agents.talk.remembering import asks_to_remember
from agents.tool_loop import RUN, Ruling, Verdict
from agents.tool_steps import Done
from bot.core.effects import ToolCall
from bot.core.patterns import regex
from bot.core.tools import Tool
from bot.language.secret_words import is_secret

SHARE = 0.6
"""How much of a note has to stand in what the person said."""

_SHORT_LIVED = regex(
    r"今天|今晚|今早|明天|明早|明晚|后天|昨天|这周|本周|下周|这个?月|下个?月|现在|刚才|刚刚|待会|等会"
    r"|一会儿|马上|分钟后|小时后|天后|暂时|这次|此刻"
    r"|\btoday\b|\btonight\b|\btomorrow\b|\byesterday\b|\b(?:this|next) (?:week|month|morning|"
    r"afternoon|evening)\b|\bright now\b|\bcurrently\b|\bin (?:a|an|\d+) (?:minute|hour|day)s?\b"
    r"|\bfor now\b|\bjust now\b",
    re.IGNORECASE,
)
_PIECE = regex(r"[a-z0-9]+|[㐀-鿿]", re.IGNORECASE)
_ADDRESS = regex(r"https?://[^\s<>\"'）)】」]+", re.IGNORECASE)


def is_short_lived(text: str) -> bool:
    """Whether what the text says is over soon: such things are never kept."""
    return bool(_SHORT_LIVED.search(text))


def share_said(text: str, said: str) -> float:
    """Return how much of ``text`` stands in ``said``: words, or characters of Chinese; 0 to 1."""
    pieces = _PIECE.findall(text.casefold())
    known = set(_PIECE.findall(said.casefold()))
    return sum(piece in known for piece in pieces) / len(pieces) if pieces else 0.0


class Grounded:
    """`agents.tool_loop.Policy` of the chat agent.

    A page, a note or a tool's result may talk the model into anything; what it writes must still
    stand in the person's own message, and what reaches out must go where the person pointed.
    """

    def __init__(self, query: str, *, earlier: Sequence[str] = ()) -> None:
        """Take the person's message, and what they said before in this conversation."""
        self._query = query
        self._messages = (*earlier, query)
        self._said = "\n".join(self._messages)

    def __call__(self, tool: Tool, call: ToolCall, done: Sequence[Done]) -> Ruling:
        """Return the ruling on a call."""
        text = call.arguments.get("text")
        if tool.name in ("memory_save", "memory_append"):
            return self._note(str(text))
        if tool.name == "profile_update":
            return self._profile(call)
        if tool.name == "fetch_url":
            return self._address(str(call.arguments.get("url", "")))
        if tool.external and any(d.call.name in OUTSIDE for d in done):
            return Ruling(Verdict.CONFIRM)
        return RUN

    def _note(self, text: str) -> Ruling:
        if not asks_to_remember(self._query):
            return Ruling(Verdict.REFUSE, "the person did not ask in this message to remember it")
        if is_secret(text) or any(
            is_secret(said) and share_said(text, said) >= SHARE for said in self._messages
        ):
            return Ruling(Verdict.REFUSE, "passwords, PINs and card numbers are never kept")
        if is_short_lived(text):
            return Ruling(
                Verdict.REFUSE, "this is over soon, so it is not kept; a reminder fits it better"
            )
        if share_said(text, self._said) < SHARE:
            return Ruling(Verdict.REFUSE, "use the person's own words")
        return RUN

    def _profile(self, call: ToolCall) -> Ruling:
        change = call.arguments.get("change")
        fields = {n: v for n, v in change.items() if v} if isinstance(change, dict) else {}
        if set(fields) != {"name"}:
            return Ruling(Verdict.REFUSE, "only the name; the rest is changed with /settings")
        if str(fields["name"]).casefold() not in self._query.casefold():
            return Ruling(Verdict.REFUSE, "the person did not say this name")
        return RUN

    def _address(self, url: str) -> Ruling:
        hosts = {urlsplit(found).hostname for found in _ADDRESS.findall(self._said)}
        if urlsplit(url).hostname in hosts:
            return RUN
        return Ruling(Verdict.REFUSE, "the person did not name this site; ask for the address")


OUTSIDE = frozenset({"fetch_url", "mcp_call_tool", "maps_weather", "analyze_image"})
"""Tools whose results others wrote; after one of them an effect elsewhere needs a press."""

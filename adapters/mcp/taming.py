"""What a server says, made fit before the SDK reads it.

The SDK refuses a whole listing when one tool in it is wrong, and keeps a result whole however
long it is. So the messages are looked through on their way: wrong tools are taken out and
counted, long results cut.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.core.patterns import regex

LONGEST_RESULT = 20_000
"""Characters of a result that are kept."""

LONGEST_SCHEMA = 20_000
LONGEST_DESCRIPTION = 2_000
MOST_TOOLS = 64
"""Tools of one server; those beyond are left out."""

_TOOL_NAME = regex(r"[A-Za-z0-9_./-]{1,96}")
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})


@dataclass(slots=True)
class Taming:
    """Looks through the messages of one connection.

    Attributes:
        skipped: which tools of the present listing were left out, and why.
        names: the tools that were let through in the present listing.
    """

    skipped: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def begin_listing(self) -> None:
        """Forget the listing before."""
        self.skipped.clear()
        self.names.clear()

    def tame(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return a result of whatever request with what does not fit taken out."""
        if isinstance(result.get("tools"), list):
            kept = {**result, "tools": [_plain(t) for t in result["tools"] if self._is_kept(t)]}
            if not isinstance(kept.get("nextCursor"), str):
                kept.pop("nextCursor", None)
            return kept
        if isinstance(result.get("content"), list):
            return _shortened(result)
        return result

    def _is_kept(self, tool: object) -> bool:
        """Judge one tool of a listing."""
        problem = _problem(tool)
        name = str(tool.get("name", "?"))[:96] if isinstance(tool, dict) else "?"
        if not problem and name in self.names:
            problem = "the name comes twice"
        if not problem and len(self.names) >= MOST_TOOLS:
            problem = f"more than {MOST_TOOLS} tools"
        if problem:
            self.skipped.append(f"{name}: {problem}")
            return False
        self.names.add(name)
        return True


def _plain(tool: dict[str, Any]) -> dict[str, Any]:
    """Return what we use of a tool; the rest could be wrong too, and answers are not judged."""
    hints = tool.get("annotations")
    is_read_only = isinstance(hints, dict) and hints.get("readOnlyHint") is True
    return {
        "name": tool["name"],
        "description": str(tool.get("description") or "")[:LONGEST_DESCRIPTION],
        "inputSchema": tool["inputSchema"],
        "annotations": {"readOnlyHint": is_read_only},
    }


def _problem(tool: object) -> str:
    """Return what is wrong with a tool; empty when nothing is."""
    if not isinstance(tool, dict):
        return "no object"
    name = tool.get("name")
    if not isinstance(name, str) or not _TOOL_NAME.fullmatch(name):
        return "no usable name"
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return "its schema is no object"
    if len(json.dumps(schema)) > LONGEST_SCHEMA:
        return "its schema is too long"
    return _schema_problem(schema)


def _schema_problem(schema: Mapping[str, Any]) -> str:
    """Return what is wrong with an object's schema, as deep as a model has to read it."""
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    if not isinstance(properties, dict):
        return "its properties are no object"
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        return "its required names are no list"
    for name, each in properties.items():
        if isinstance(each, bool):
            continue
        if not isinstance(each, dict):
            return f"{name[:40]} has no schema"
        kinds = each.get("type", [])
        for kind in kinds if isinstance(kinds, list) else [kinds]:
            if not isinstance(kind, str) or kind not in _TYPES:
                return f"{name[:40]} is of no type"
    return ""


def _shortened(result: dict[str, Any]) -> dict[str, Any]:
    """Return a tool's result as one text, cut; what is no text is only named.

    Structured content counts where there is nothing else: it says the same again.
    """
    left = LONGEST_RESULT + 1  # one more, so that it shows that something was cut
    told: list[str] = []
    for part in result["content"]:
        words = _told(part)
        if words and left > 0:
            told.append(words[:left])
            left -= len(words) + 1
    structured = result.get("structuredContent")
    if not told and structured is not None:
        told.append(json.dumps(structured, ensure_ascii=False)[:left])
    kept = {name: value for name, value in result.items() if name != "structuredContent"}
    content = [{"type": "text", "text": "\n".join(told)}]
    return {**kept, "content": content, "isError": result.get("isError") is True}


def _told(part: object) -> str:
    """Return a part of a result in words."""
    if not isinstance(part, dict):
        return ""
    match part.get("type"):
        case "text":
            return str(part.get("text", ""))
        case "resource" if isinstance(part.get("resource"), dict):
            return str(part["resource"].get("text", "[a file that is no text]"))
        case "resource_link":
            return f"[{str(part.get('name', ''))[:200]}: {str(part.get('uri', ''))[:500]}]"
        case kind:
            return f"[{str(kind)[:40]}, not shown]"

"""Markdown as models write it, read into runs: what is not surely markup stays as it is.

Emphasis does not follow CommonMark's rule of flanking, which leaves ``**重要：**请注意`` literal
(https://github.com/commonmark/commonmark-spec/issues/650): a pair of ``**`` around something that
does not begin or end with a blank is bold wherever it stands. Single stars are emphasis only
between blanks or punctuation, underscores never, so that ``2*3*4`` and ``a_b_c`` survive.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from adapters.tables import aligned, records
from adapters.telegram.runs import Run, escape
from bot.core.patterns import regex

_FENCE = regex(r"^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$")
_HEADING = regex(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$")
_TABLE_RULE = regex(r"^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$")
_LANGUAGE = regex(r"[A-Za-z0-9_+#.-]{1,32}")
_URL = regex(r"(?:https?|tg|mailto):\S+")

MAX_HREF_CHARS = 1500
"""Longer addresses stay as they were written: each part with the link repeats them."""

_SPAN = regex(
    r"(?P<ticks>`+)(?P<code>[^\n]{1,2000}?)(?<!`)(?P=ticks)(?!`)"
    r"|\[(?P<label>[^\[\]\n]{1,500})\]\((?P<url>(?:[^()\s]|\([^()\s]*\)){1,1000})\)"
    r"|\*\*(?=[^\s*])(?P<bold>[^\n]{1,2000}?)(?<=\S)\*\*(?!\*)"
    r"|~~(?=[^\s~])(?P<strike>[^\n]{1,2000}?)(?<=\S)~~(?!~)"
    r"|(?<![\w*])\*(?=[^\s*])(?P<italic>[^*\n]{1,2000}?)(?<=[^\s*])\*(?![\w*])"
)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table in a text, its header first; the cells are still markdown."""

    rows: list[list[str]]


def read_markdown(text: str) -> list[Run]:
    """Return the runs of a text."""
    runs: list[Run] = []
    for piece in pieces(text):
        if isinstance(piece, Grid):
            runs += table_runs(piece.rows, lambda cell: styled(cell, ()))
        else:
            runs.append(piece)
    return [run for run in runs if run.text]


def pieces(text: str) -> Iterator[Run | Grid]:
    """Yield the runs of a text, with its tables still whole."""
    return _blocks(text.split("\n"))


def _blocks(lines: list[str]) -> Iterator[Run | Grid]:
    at = 0
    while at < len(lines):
        end_of_line = "\n" if at + 1 < len(lines) else ""
        if fence := _FENCE.match(lines[at]):
            at, run = _code(lines, at, fence[1], fence[2])
            yield run
            yield Run("\n" if at < len(lines) else "")
        elif at + 1 < len(lines) and "|" in lines[at] and _TABLE_RULE.match(lines[at + 1]):
            at, grid = _table(lines, at)
            yield grid
            yield Run("\n" if at < len(lines) else "")
        else:
            if heading := _HEADING.match(lines[at]):
                yield from styled(heading[1], ("b",))
            else:
                yield from styled(lines[at], ())
            yield Run(end_of_line)
            at += 1


def _code(lines: list[str], at: int, fence: str, language: str) -> tuple[int, Run]:
    """Return the line after the block and its run; a fence that is never closed ends the text."""
    end = at + 1
    while end < len(lines) and not _closes(lines[end], fence):
        end += 1
    return end + 1, code_run("\n".join(lines[at + 1 : end]), language)


def _closes(line: str, fence: str) -> bool:
    stripped = line.strip()
    return len(stripped) >= len(fence) and set(stripped) == {fence[0]}


def code_run(text: str, language: str = "") -> Run:
    """Return a block of code; every part it is cut into repeats the language.

    Source: https://core.telegram.org/bots/api#html-style
    """
    if _LANGUAGE.fullmatch(language):
        return Run(text, ("pre", f'code class="language-{language}"'), whole=True)
    return Run(text, ("pre",), whole=True)


def _table(lines: list[str], at: int) -> tuple[int, Grid]:
    end = at + 2
    while end < len(lines) and "|" in lines[end] and lines[end].strip():
        end += 1
    rows = [_cells(line) for line in (lines[at], *lines[at + 2 : end])]
    return end, Grid(rows)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def table_runs(rows: list[list[str]], say: Callable[[str], list[Run]]) -> list[Run]:
    """Return a table: aligned where it fits, else one record after the other."""
    shown = aligned([["".join(run.text for run in say(cell)) for cell in row] for row in rows])
    if shown is not None:
        return [code_run(shown)]
    runs: list[Run] = []
    if len(rows) == 1:
        for cell in rows[0]:
            runs += [Run("\n" if runs else ""), *say(cell)]
        return runs
    for record in records(rows):
        for name, value in record:
            runs += [Run("\n" if runs else ""), Run(f"{name}: " if name else "", ("b",))]
            runs += say(value)
        runs.append(Run("\n"))
    return runs[:-1]


def styled(text: str, tags: tuple[str, ...]) -> list[Run]:
    """Return the runs of one line."""
    runs: list[Run] = []
    at = 0
    for match in _SPAN.finditer(text):
        inner = _span(match, tags)
        if inner is None:
            continue
        runs += [Run(text[at : match.start()], tags), *inner]
        at = match.end()
    runs.append(Run(text[at:], tags))
    return [run for run in runs if run.text]


def _span(match: re.Match[str], tags: tuple[str, ...]) -> list[Run] | None:
    if match["code"] is not None:
        return [Run(match["code"].strip() or match["code"], ("code",), whole=True)]
    if match["label"] is not None:
        href = escape(match["url"]).replace('"', "&quot;")
        if not _URL.fullmatch(match["url"]) or len(href) > MAX_HREF_CHARS:
            return None
        link = f'a href="{href}"'
        return [
            replace(run, tags=(link, *run.tags), whole=True)
            for run in styled(match["label"], tags)
            if "code" not in run.tags
        ] or [Run(match["label"], (link,), whole=True)]
    for name, tag in (("bold", "b"), ("strike", "s"), ("italic", "i")):
        if match[name] is not None:
            return styled(match[name], tags if tag in tags else (*tags, tag))
    return None

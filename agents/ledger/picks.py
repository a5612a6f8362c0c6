"""Entries picked by their number or all at once: shown first, and asked before they go."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from pydantic import JsonValue

from agents.ledger import present
from agents.ledger.changes import INTENT, MOST_OFFERED, change_from_words, picked
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.ledger import Entry, EntryFilter, Ledger
from bot.core.messages import Button, TextBlock, Tone
from bot.core.sessions import Expects, Pending
from bot.core.words import Text, text
from bot.language.nth_entries import NthOrder
from bot.language.times import resolve_time

MOST_AT_ONCE = 20
"""As many as one call of the tool deletes."""


class EntryPicks:
    """Questions about which entries are meant; nothing is written here."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def which_nth(
        self, turn: Turn, order: NthOrder, ids: Sequence[str], lexicon: Mapping[str, str]
    ) -> AgentResult:
        """Say that there is no such entry, or ask which list was meant; offer what there is."""
        entries = await self._shown(turn, ids)
        if not entries:
            return _say("ledger.nothing_yet")
        key = "ledger.no_such_nth" if ids else "ledger.choose_any"
        change = change_from_words(turn, order.rest, lexicon) if order.rest else None
        rows = tuple(
            (
                present.row_button(
                    entry,
                    turn.locale,
                    _deletion(entry) if order.kind == "delete" else picked(entry, change),
                ),
            )
            for entry in entries[:MOST_OFFERED]
        )
        return AgentResult(
            blocks=(TextBlock(text(key, n=order.n, has=len(entries))),),
            buttons=rows,
            status=Status.CLARIFY,
        )

    async def ask_delete_all(self, turn: Turn, words: str) -> AgentResult:
        """Show how many entries there are (of the days in ``words``), and ask before they go."""
        times = resolve_time(words, now=turn.now, tz=zone_of(turn.now), mode="ledger")
        wanted = EntryFilter()
        if words.strip():
            first = times.times[0] if len(times.times) == 1 else None
            if times.status != "ok" or first is None or first.start is None or first.end is None:
                return _say("ledger.delete_which_days", status=Status.CLARIFY)
            last = first.end - timedelta(microseconds=1)
            wanted = EntryFilter(since=first.start.date(), until=last.date() + timedelta(days=1))
        owner = turn.person.person_id
        found = await self._ledger.find(owner, wanted, limit=MOST_AT_ONCE)
        if not found:
            return _say("ledger.nothing_to_delete")
        count = sum(total.count for total in await self._ledger.totals(owner, wanted))
        ids: JsonValue = [entry.entry_id for entry in found]
        key = "ledger.ask_delete_all" if count <= len(found) else "ledger.ask_delete_some"
        question = text(key, n=len(found), count=count)
        yes = Button(
            label=text("ledger.button_delete_all", n=len(found)),
            tone=Tone.DANGER,
            action=ActionDraft(name="undo", arguments={"entries": ids}),
        )
        no = Button(label=text("ledger.button_keep"), action=ActionDraft(name="cancel"))
        return AgentResult(
            blocks=(present.list_block(found, turn.locale), TextBlock(question)),
            buttons=((yes, no),),
            status=Status.CLARIFY,
            pending=Pending(
                agent=INTENT,
                name="delete_all",
                question=question,
                asked_at=turn.now,
                expects=(Expects.CONFIRM,),
                state={"entries": ids},
            ),
        )

    async def _shown(self, turn: Turn, ids: Sequence[str]) -> list[Entry]:
        """Return the entries that were shown and are still there; the latest without any."""
        owner = turn.person.person_id
        if not ids:
            return list(await self._ledger.latest(owner, EntryFilter(), limit=MOST_OFFERED))
        found = [await self._ledger.get(owner, entry_id) for entry_id in ids]
        return [entry for entry in found if entry is not None and not entry.voided]


def _deletion(entry: Entry) -> ActionDraft:
    return ActionDraft(
        name="undo",
        arguments={"entries": [entry.entry_id]},
        subject=f"ledger:{entry.entry_id}",
        revision=entry.revision,
    )


def _say(key: str, *, status: Status = Status.COMPLETED) -> AgentResult:
    return AgentResult(blocks=(TextBlock(Text(key)),), status=status)

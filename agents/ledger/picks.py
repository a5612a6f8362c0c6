"""Entries picked by their number or all at once: shown first, and asked before they go."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial

from pydantic import JsonValue

from agents.ledger import present
from agents.ledger.change_words import change_from_words
from agents.ledger.changes import INTENT
from agents.ledger.choosing import MOST_OFFERED, choose, deletion, picked
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.ledger import Entry, EntryDraft, EntryFilter, Ledger
from bot.core.messages import Button, TextBlock, Tone
from bot.core.sessions import Expects, Pending
from bot.core.words import Text, Verbatim, text
from bot.language.categories import DEFAULT
from bot.language.corrections import Correction
from bot.language.dated_orders import DatedOrder, Days
from bot.language.nth_entries import NthOrder
from bot.language.times import resolve_time
from bot.locales.moments import day_words

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
        has = len(entries) if ids else await self._count(turn)
        key = "ledger.no_such_nth" if order.n > has else "ledger.choose_any"
        change = change_from_words(turn, order.rest, lexicon) if order.rest else None
        action = deletion if order.kind == "delete" else partial(picked, change=change)
        question = text(key, n=order.n, has=has)
        return choose(turn, entries, "", action, question=question)

    async def which(
        self, turn: Turn, words: str, ids: Sequence[str], lexicon: Mapping[str, str]
    ) -> AgentResult:
        """Ask which of the entries shown, else of the latest, is to become what was said."""
        entries = await self._shown(turn, ids)
        if not entries:
            return _say("ledger.nothing_yet")
        change = change_from_words(turn, words, lexicon)
        question = text("ledger.choose_to_change", said=Verbatim(words))
        return choose(turn, entries, "", partial(picked, change=change), question=question)

    async def which_to_delete(self, turn: Turn, ids: Sequence[str]) -> AgentResult:
        """Ask which of the entries that were shown is to go."""
        found = await self._shown(turn, ids)
        if not found:
            return _say("ledger.gone")
        return choose(turn, found, "", deletion)

    async def dated(
        self, turn: Turn, order: DatedOrder, days: Days, lexicon: Mapping[str, str]
    ) -> AgentResult:
        """Offer the entries of the days when none of them is called as it was said."""
        change = change_from_words(turn, order.rest, lexicon) if order.rest else None
        action = deletion if order.kind == "delete" else partial(picked, change=change)
        first, last = days.since, days.until - timedelta(days=1)
        shown = Verbatim(
            " – ".join(day_words(day, turn.locale) for day in dict.fromkeys((first, last)))
        )
        wanted = EntryFilter(since=days.since, until=days.until)
        found = await self._ledger.find(turn.person.person_id, wanted, limit=MOST_AT_ONCE)
        if not found:
            words = text("ledger.none_on_day", day=shown)
            return AgentResult(blocks=(TextBlock(words),), status=Status.CLARIFY)
        category = DEFAULT.with_overlay(lexicon).category(order.what)
        alike = [entry for entry in found if _costs(entry, order.what)]
        alike = alike or [entry for entry in found if entry.category == category]
        question = text("ledger.choose_on_day", target=Verbatim(order.what), day=shown)
        return choose(turn, alike or found, "", action, question=question)

    async def several(self, turn: Turn, order: DatedOrder, days: Days) -> AgentResult | None:
        """Show the several entries of the days and ask before they go; None for fewer."""
        wanted = EntryFilter(since=days.since, until=days.until, item=order.what or None)
        found = await self._ledger.find(turn.person.person_id, wanted, limit=MOST_AT_ONCE)
        return await self._ask_delete(turn, wanted) if len(found) > 1 else None

    async def called(self, turn: Turn, target: str) -> Sequence[Entry]:
        """Return the entries with that name, the last written first."""
        wanted = EntryFilter(item=target)
        return await self._ledger.latest(turn.person.person_id, wanted, limit=MOST_AT_ONCE)

    @staticmethod
    def none_so_much(
        turn: Turn, fixed: Correction, found: Sequence[Entry], lexicon: Mapping[str, str]
    ) -> AgentResult:
        """Offer the entries of that name when none has the amount that was said."""
        change = change_from_words(turn, fixed.rest, lexicon)
        was = Verbatim(str(fixed.was))
        question = text("ledger.choose_amount", target=Verbatim(fixed.target), amount=was)
        return choose(turn, found, "", partial(picked, change=change), question=question)

    async def taken_back(self, turn: Turn, drafts: Sequence[EntryDraft]) -> AgentResult:
        """Book nothing of what was taken back, and offer to delete it where it is booked."""
        owner, same = turn.person.person_id, []
        if not turn.in_group:  # entries that are alike may be private
            latest = await self._ledger.latest(owner, EntryFilter(), limit=MOST_AT_ONCE)
            same = [e for e in latest if any(_is_alike(e, draft) for draft in drafts)]
        if not same:
            return _say("ledger.not_booked")
        return choose(turn, same, "", deletion, question=text("ledger.not_booked_again"))

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
        return await self._ask_delete(turn, wanted)

    async def _ask_delete(self, turn: Turn, wanted: EntryFilter) -> AgentResult:
        owner = turn.person.person_id
        found = await self._ledger.find(owner, wanted, limit=MOST_AT_ONCE)
        return self._ask_to_delete(turn, found, await self._count(turn, wanted))

    async def ask_delete_last(self, turn: Turn, number: int) -> AgentResult:
        """Show the entries that were written last, and ask before they go."""
        limit = min(number, MOST_AT_ONCE)
        if turn.in_group:  # what was written last may be private
            return _say("ledger.nothing_to_delete")
        found = await self._ledger.latest(turn.person.person_id, EntryFilter(), limit=limit)
        return self._ask_to_delete(turn, found, len(found))

    @staticmethod
    def _ask_to_delete(turn: Turn, found: Sequence[Entry], count: int) -> AgentResult:
        if not found:
            return _say("ledger.nothing_to_delete")
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

    async def _count(self, turn: Turn, wanted: EntryFilter | None = None) -> int:
        totals = await self._ledger.totals(turn.person.person_id, wanted or EntryFilter())
        return sum(total.count for total in totals)

    async def _shown(self, turn: Turn, ids: Sequence[str]) -> list[Entry]:
        """Return the entries that were shown and are still there; without any the latest.

        A group is offered only what it was shown: the latest may be private.
        """
        owner = turn.person.person_id
        if not ids and not turn.in_group:
            return list(await self._ledger.latest(owner, EntryFilter(), limit=MOST_OFFERED))
        found = [await self._ledger.get(owner, entry_id) for entry_id in ids]
        return [entry for entry in found if entry is not None and not entry.voided]


def _say(key: str, *, status: Status = Status.COMPLETED) -> AgentResult:
    return AgentResult(blocks=(TextBlock(Text(key)),), status=status)


def _is_alike(entry: Entry, draft: EntryDraft) -> bool:
    return (entry.item, entry.minor, entry.currency, entry.occurred_on) == (
        draft.item,
        draft.minor,
        draft.currency,
        draft.occurred_on,
    )


def _costs(entry: Entry, words: str) -> bool:
    """Whether the entry was named by its amount: 昨天的35."""
    return words.isdecimal() and entry.amount == int(words)

"""Changing, deleting and restoring entries that are there."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pydantic import JsonValue

from agents.ledger import present
from agents.ledger.change_words import change_from_words
from agents.ledger.choosing import MOST_OFFERED, choose, deletion, picked
from agents.tools.ledger import Entries
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.errors import ConflictError, NotFoundError
from bot.core.ledger import (
    Entry,
    EntryChange,
    EntryDraft,
    EntryFilter,
    Ledger,
    from_minor,
    to_minor,
)
from bot.core.messages import Button, TextBlock
from bot.core.outbox import Purpose
from bot.core.patterns import regex
from bot.core.sessions import Expects, Pending
from bot.core.words import Verbatim, text
from bot.language.categories import category_keys, category_name
from bot.language.dated_orders import Days
from bot.language.normalize import folded

INTENT = "ledger_manager"
CATEGORIES_PER_ROW = 4
_AND = regex(r"和|跟|、|以及|\band\b", re.IGNORECASE)


class EntryChanges:
    """What the ledger agent does to stored entries; every write is a tool call."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def by_words(
        self,
        turn: Turn,
        words: str,
        lexicon: Mapping[str, str],
        *,
        ids: Sequence[str] = (),
        target: str = "",
        days: Days | None = None,
    ) -> AgentResult:
        """Change the entry that is meant: one of ``ids``, one called ``target``, or the last."""
        change = change_from_words(turn, words, lexicon)
        candidates: list[Entry] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._meant(turn, ids, target, days))
            if len(candidates) != 1 or change is None:
                return []
            return [_update(candidates[0], _in_its_currency(turn, candidates[0], change))]

        return await self._changed(turn, decide, candidates, target, change=change)

    async def apply(self, turn: Turn, entry_id: str, change: EntryChange | None) -> AgentResult:
        """Change the entry of a press."""
        candidates: list[Entry] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._meant(turn, [entry_id], ""))
            return [
                _update(e, _in_its_currency(turn, e, change))
                for e in candidates[:1]
                if change is not None
            ]

        return await self._changed(turn, decide, candidates, "")

    async def replace(
        self, turn: Turn, ids: Sequence[str], drafts: Sequence[EntryDraft]
    ) -> AgentResult:
        """Make the entries of an edited message what the message says now."""
        candidates: list[Entry] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._meant(turn, ids, ""))
            if not candidates:
                return []
            if len(candidates) == len(drafts):
                pairs = zip(candidates, drafts, strict=True)
                return [_update(entry, _all_of(draft)) for entry, draft in pairs]
            held = to_json(tuple[EntryDraft, ...], tuple(drafts))
            return [
                ToolCall(
                    name="ledger_delete",
                    arguments={"entry_ids": [entry.entry_id for entry in candidates]},
                ),
                ToolCall(name="ledger_insert", arguments={"entries": held}),
            ]

        return await self._changed(turn, decide, candidates, "", gone_ids=ids)

    async def revert(self, turn: Turn, before: Entries) -> AgentResult:
        """Make changed entries again what they were."""
        candidates: list[Entry] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._meant(turn, [entry.entry_id for entry in before], ""))
            now = {entry.entry_id: entry for entry in candidates}
            return [
                _update(now[entry.entry_id], _all_of(entry))
                for entry in before
                if entry.entry_id in now
            ]

        return await self._changed(turn, decide, candidates, "", gone_ids=["before"])

    async def delete(self, turn: Turn, target: str, days: Days | None = None) -> AgentResult:
        """Delete the last entry, or the one called ``target``; several are offered."""
        candidates: list[Entry] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._meant(turn, (), target, days))
            if len(candidates) != 1 or _is_a_guess(candidates[0], target):
                return []
            return [_delete([candidates[0].entry_id])]

        results = await turn.tools.perform(decide)
        if results:
            return self._removed(turn, from_json(Entries, results[0][1]))
        if candidates:
            several = target if len(candidates) > 1 else ""
            return choose(turn, candidates, several, deletion)
        return _say("ledger.nothing_called" if target else "ledger.nothing_yet", target)

    async def remove(self, turn: Turn, ids: Sequence[str]) -> AgentResult:
        """Take the entries of a press out."""

        async def decide() -> Sequence[ToolCall]:
            return [_delete(ids)]

        try:
            ((_, stored),) = await turn.tools.perform(decide)
        except NotFoundError:
            return _say("ledger.gone", repaint=True)
        entries = from_json(Entries, stored)
        return self._removed(turn, entries) if entries else _say("ledger.gone", repaint=True)

    async def restore(self, turn: Turn, ids: Sequence[str]) -> AgentResult:
        """Bring deleted entries back."""

        async def decide() -> Sequence[ToolCall]:
            return [ToolCall(name="ledger_update", arguments={"restore": list(ids)})]

        ((_, stored),) = await turn.tools.perform(decide)
        entries = from_json(Entries, stored)
        if not entries:
            return _say("ledger.already_back", repaint=True)
        return AgentResult(
            blocks=(TextBlock(text("ledger.restored")), present.added_block(entries, turn.locale)),
            buttons=present.added_buttons(entries),
            entities=present.entry_refs(entries),
            purpose=Purpose.CONFIRMATION,
            repaint=True,
        )

    async def ask(self, turn: Turn, entry_id: str) -> AgentResult:
        """Ask what an entry shall become, with the categories as buttons."""
        entry = await self._ledger.get(turn.person.person_id, entry_id)
        if entry is None or entry.voided:
            return _say("ledger.gone", repaint=True)
        question = text("ledger.ask_edit", entry=present.entry_words(entry, turn.locale))
        buttons = [
            Button(
                label=Verbatim(category_name(key, turn.locale)),
                action=ActionDraft(
                    name="category",
                    arguments={"entry": entry_id, "category": key},
                    subject=f"ledger:{entry_id}",
                    revision=entry.revision,
                ),
            )
            for key in category_keys()
        ]
        rows = [
            tuple(buttons[i : i + CATEGORIES_PER_ROW])
            for i in range(0, len(buttons), CATEGORIES_PER_ROW)
        ]
        return AgentResult(
            blocks=(TextBlock(question),),
            buttons=(*rows, (present.delete_button(entry),)),
            status=Status.CLARIFY,
            pending=Pending(
                agent=INTENT,
                name="edit",
                question=question,
                asked_at=turn.now,
                expects=(Expects.AMOUNT, Expects.CONFIRM, Expects.WORDS),
                state={"entry": entry_id},
            ),
        )

    async def ask_about(self, turn: Turn, ids: Sequence[str]) -> AgentResult:
        """Ask what the one of ``ids``, or the entry written last, should be; offer several."""
        entries = await self._meant(turn, ids, "")
        if not entries:
            return _say("ledger.gone" if ids else "ledger.nothing_yet")
        if len(entries) > 1:
            return await self.offer(turn, ids)
        return await self.ask(turn, entries[0].entry_id)

    async def offer(
        self, turn: Turn, ids: Sequence[str], *, say: str = "ledger.ask_wrong"
    ) -> AgentResult:
        """Ask what is wrong with entries, with the ways to mend it as buttons."""
        entries = await self._meant(turn, ids, "")
        if not entries:
            return _say("ledger.gone")
        return AgentResult(
            blocks=(TextBlock(text(say)), present.added_block(entries, turn.locale)),
            buttons=present.added_buttons(entries),
            status=Status.CLARIFY,
            entities=present.entry_refs(entries),
        )

    # --- inside ------------------------------------------------------------------------------

    async def _meant(
        self, turn: Turn, ids: Sequence[str], target: str, days: Days | None = None
    ) -> list[Entry]:
        owner = turn.person.person_id
        if ids:
            found = [await self._ledger.get(owner, entry_id) for entry_id in ids]
            return [entry for entry in found if entry is not None and not entry.voided]
        if turn.in_group and not target and days is None:
            return await self._spoken_of(turn)
        called = await self._called(owner, target, days)
        if called or not target:
            return called
        parts = [part.strip() for part in _AND.split(target)]
        if len(parts) == 1 or not all(parts):
            return []
        found_by_part = [await self._called(owner, part, days) for part in parts]
        return [e for part in found_by_part for e in part] if all(found_by_part) else []

    async def _spoken_of(self, turn: Turn) -> list[Entry]:
        """Return what this group was shown last: words without a name mean nothing private."""
        held = turn.pending.state.get("entries") if turn.pending is not None else None
        ids = [str(i) for i in held] if isinstance(held, list) else []
        found = [await self._ledger.get(turn.person.person_id, entry_id) for entry_id in ids]
        return [entry for entry in found if entry is not None and not entry.voided]

    async def _called(self, owner: str, target: str, days: Days | None) -> list[Entry]:
        if days is not None:
            wanted = EntryFilter(item=target or None, since=days.since, until=days.until)
            return list(await self._ledger.find(owner, wanted, limit=MOST_OFFERED))
        wanted = EntryFilter(item=target or None)
        limit = MOST_OFFERED if target else 1
        return list(await self._ledger.latest(owner, wanted, limit=limit))

    async def _changed(
        self,
        turn: Turn,
        decide: Callable[[], Awaitable[Sequence[ToolCall]]],
        candidates: Sequence[Entry],
        target: str,
        *,
        gone_ids: Sequence[str] = (),
        change: EntryChange | None = None,
    ) -> AgentResult:
        try:
            results = await turn.tools.perform(decide)
        except (ConflictError, NotFoundError):
            return _say("ledger.changed_meanwhile", repaint=turn.action is not None)
        entries = tuple(
            entry
            for call, stored in results
            if call.name != "ledger_delete"
            for entry in from_json(Entries, stored)
        )
        if entries:
            return AgentResult(
                blocks=(
                    TextBlock(text("ledger.changed")),
                    present.added_block(entries, turn.locale),
                ),
                buttons=present.added_buttons(entries),
                entities=present.entry_refs(entries),
                purpose=Purpose.CONFIRMATION,
                pending=just_booked(turn, entries, _before(entries, candidates)),
                repaint=turn.action is not None,
            )
        if len(candidates) > 1:
            return choose(turn, candidates, target, partial(picked, change=change))
        if candidates:
            return _say("ledger.change_unread", status=Status.CLARIFY)
        if gone_ids:
            return _say("ledger.edit_gone")
        return _say("ledger.nothing_called" if target else "ledger.nothing_yet", target)

    def _removed(self, turn: Turn, entries: Entries) -> AgentResult:
        return AgentResult(
            blocks=(present.removed_block(entries, turn.locale),),
            buttons=((present.undo_button(entries, deleted=True),),),
            entities=present.entry_refs(entries),
            purpose=Purpose.CONFIRMATION,
            pending=_soft(turn, "removed", entries),
            repaint=turn.action is not None,
        )


def just_booked(turn: Turn, entries: Sequence[Entry], before: Sequence[Entry] = ()) -> Pending:
    """Return the soft question that lets "不是，是35" reach the entry just written.

    ``before`` holds what the entries were, for a change to be undone.
    """
    pending = _soft(turn, "booked", entries)
    held = to_json(Entries, tuple(before))
    return replace(pending, state={**pending.state, "before": held}) if before else pending


def _soft(turn: Turn, name: str, entries: Sequence[Entry]) -> Pending:
    return Pending(
        agent=INTENT,
        name=name,
        question=text("ledger.ask_edit_short"),
        asked_at=turn.now,
        expects=(Expects.CONFIRM,) if name == "booked" else (),
        state={"entries": [entry.entry_id for entry in entries]},
        soft=True,
    )


def _in_its_currency(turn: Turn, entry: Entry, change: EntryChange) -> EntryChange:
    """Return the change with an amount that was said without a currency in that of the entry."""
    own = turn.person.currency
    if change.minor is None or change.currency is not None or entry.currency == own:
        return change
    try:
        return replace(change, minor=to_minor(from_minor(change.minor, own), entry.currency))
    except ValueError:  # decimals that its currency does not have
        return replace(change, currency=own)


def _update(entry: Entry, change: EntryChange) -> ToolCall:
    learn = entry.item if change.category and not change.item else ""
    arguments: dict[str, JsonValue] = {
        "entry_id": entry.entry_id,
        "revision": entry.revision,
        "change": to_json(EntryChange, change),
        "learn": learn,
    }
    return ToolCall(name="ledger_update", arguments=arguments)


def _is_a_guess(entry: Entry, target: str) -> bool:
    """Whether one sign in a longer name is all that was said: 跑 stands in 跑腿费 as well."""
    return len(target) == 1 and folded(target) != folded(entry.item)


def _delete(ids: Sequence[str]) -> ToolCall:
    return ToolCall(name="ledger_delete", arguments={"entry_ids": list(ids)})


def _before(entries: Sequence[Entry], candidates: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return what changed entries were; nothing when they were written anew."""
    known = {entry.entry_id for entry in candidates}
    same = candidates and all(entry.entry_id in known for entry in entries)
    return tuple(candidates) if same and len(candidates) == len(entries) else ()


def _all_of(draft: EntryDraft | Entry) -> EntryChange:
    return EntryChange(
        minor=draft.minor,
        currency=draft.currency,
        direction=draft.direction,
        item=draft.item or None,
        category=draft.category,
        occurred_on=draft.occurred_on,
    )


def _say(
    key: str, target: str = "", *, repaint: bool = False, status: Status = Status.COMPLETED
) -> AgentResult:
    words = text(key, target=target)
    return AgentResult(blocks=(TextBlock(words),), repaint=repaint, status=status)

"""The ledger agent: books, corrects, deletes and answers from the person's own words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from agents.ledger import present
from agents.ledger.changes import LONGEST_NAME, EntryChanges, change_from_words
from agents.ledger.drafts import MOST_AT_ONCE, drafts_from, same_day_twin
from agents.ledger.queries import LedgerQuestions
from agents.orders import parse_order
from agents.reasons import reason_words
from agents.tools.ledger import Entries
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.ledger import Entry, EntryChange, EntryDraft, Ledger, from_minor
from bot.core.messages import Button, TextBlock, Tone
from bot.core.outbox import Purpose
from bot.core.sessions import Expects, Pending
from bot.core.words import Lines, Text, Verbatim, text
from bot.language.answers import classify_answer
from bot.language.categories import DEFAULT
from bot.language.ledger_queries import parse_ledger_query
from bot.language.money import AmountsResult, resolve_amounts
from bot.language.nth_entries import parse_nth_change
from bot.locales.catalogue import money

INTENT = "ledger_manager"
_QUESTION = re.compile(
    r"[?？]|[吗呢么]$|什么|怎么|多少|谁|哪|为什么|\b(?:what|how|who|why|when)\b", re.IGNORECASE
)
DraftList = tuple[EntryDraft, ...]


class LedgerAgent:
    """Understands by the grammar of `bot.language`; writes through its tools only."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger for reading what the person taught us about categories."""
        self._ledger = ledger
        self._changes = EntryChanges(ledger)
        self._questions = LedgerQuestions()

    @property
    def intent(self) -> str:
        """Routing label."""
        return INTENT

    async def handle(self, turn: Turn) -> AgentResult:
        """Return the answer to a press, an edit, an open question or a new wish."""
        if turn.action is not None:
            return await self._pressed(turn, turn.action.name, turn.action.arguments)
        lexicon = await self._ledger.learned_categories(turn.person.person_id)
        if turn.linked and turn.edited:
            return await self._edited(turn, lexicon)
        if turn.linked:
            return await self._changes.by_words(turn, turn.query, lexicon, ids=_ids(turn.linked))
        if turn.command:
            return await self._questions.recent(turn)
        if turn.pending is not None:
            answered = await self._answered(turn, turn.pending, lexicon)
            if answered is not None:
                return answered
        return await self._wish(turn, lexicon)

    # --- new wishes --------------------------------------------------------------------------

    async def _wish(self, turn: Turn, lexicon: Mapping[str, str]) -> AgentResult:
        if order := parse_order("ledger", turn.query):
            if order.kind == "delete":
                return await self._changes.delete(turn, order.target)
            return await self._changes.by_words(turn, order.rest, lexicon, target=order.target)
        query = parse_ledger_query(turn.query, now=turn.now, tz=zone_of(turn.now))
        if query is not None:
            return await self._questions.answer(turn, query)
        answer = classify_answer(turn.query)
        if answer.kind == "correct":
            return await self._changes.by_words(turn, answer.rest, lexicon)
        return await self._book(turn, self._amounts(turn, turn.query, lexicon), lexicon)

    def _amounts(self, turn: Turn, words: str, lexicon: Mapping[str, str]) -> AmountsResult:
        return resolve_amounts(
            words,
            now=turn.now,
            tz=zone_of(turn.now),
            locale=turn.locale,
            default_currency=turn.person.currency,
            lexicon=DEFAULT.with_overlay(lexicon),
        )

    async def _book(
        self, turn: Turn, amounts: AmountsResult, lexicon: Mapping[str, str]
    ) -> AgentResult:
        if amounts.status == "none" or amounts.reason == "no_amount":
            return self._ask_amount(turn, turn.query, lexicon)
        drafts = drafts_from(amounts, turn.now)
        if amounts.status == "ask":
            return self._review(turn, drafts.entries, doubt=reason_words(amounts.reason))
        if drafts.problem is not None:
            return AgentResult(blocks=(TextBlock(drafts.problem),), status=Status.CLARIFY)
        if len(drafts.entries) > MOST_AT_ONCE or turn.decision.ambiguous:
            return self._review(turn, drafts.entries)
        return await self._insert(turn, drafts.entries)

    async def _insert(self, turn: Turn, drafts: DraftList) -> AgentResult:
        async def decide() -> Sequence[ToolCall]:
            arguments = {"entries": to_json(DraftList, drafts)}
            return [ToolCall(name="ledger_insert", arguments=arguments)]

        ((_, stored),) = await turn.tools.perform(decide)
        return await self.added(turn, from_json(Entries, stored))

    async def added(self, turn: Turn, entries: Entries) -> AgentResult:
        """Return the confirmation, built from the stored rows."""
        blocks: tuple[TextBlock, ...] = (present.added_block(entries, turn.locale),)
        if await self._looks_double(turn, entries):
            blocks = (*blocks, TextBlock(text("ledger.maybe_double")))
        return AgentResult(
            blocks=blocks,
            buttons=present.added_buttons(entries),
            purpose=Purpose.CONFIRMATION,
            entities=present.entry_refs(entries),
            pending=just_booked(turn, entries),
            repaint=turn.action is not None,
            memo=f"ledger: {len(entries)} entries booked",
        )

    async def _looks_double(self, turn: Turn, entries: Entries) -> bool:
        if turn.edited or len(entries) > 1:
            return False

        async def decide() -> Sequence[ToolCall]:
            day = entries[0].occurred_on.isoformat()
            arguments: dict[str, JsonValue] = {"since": day, "limit": 50}
            return [ToolCall(name="ledger_list", arguments=arguments)]

        ((_, found),) = await turn.tools.perform(decide)
        others = [e for e in _listed(found) if e.entry_id != entries[0].entry_id]
        return same_day_twin([_as_draft(entries[0])], [_as_draft(e) for e in others])

    # --- questions of ours -------------------------------------------------------------------

    def _ask_amount(self, turn: Turn, said: str, lexicon: Mapping[str, str]) -> AgentResult:
        """Ask how much; as long as nothing is named, words are an answer too."""
        question = text("ledger.ask_amount")
        probe = self._amounts(turn, f"{said} 1", lexicon)
        is_bare = len(probe.entries) == 1 and not probe.entries[0].item
        words = (Expects.WORDS,) if is_bare else ()
        return AgentResult(
            blocks=(TextBlock(question),),
            status=Status.CLARIFY,
            pending=Pending(
                agent=INTENT,
                name="amount",
                question=question,
                asked_at=turn.now,
                expects=(Expects.AMOUNT, Expects.CONFIRM, *words),
                state={"said": said},
            ),
        )

    def _review(self, turn: Turn, drafts: DraftList, doubt: Text | None = None) -> AgentResult:
        """Ask before writing: because there are many, or because one is in doubt."""
        lines = Lines(tuple(Verbatim(f"{i}. {_line(d)}") for i, d in enumerate(drafts, 1)))
        question = text("ledger.review", n=len(drafts), lines=lines)
        held: JsonValue = to_json(DraftList, drafts)
        book = Button(
            label=text("ledger.button_book_all", n=len(drafts)),
            tone=Tone.PRIMARY,
            action=ActionDraft(name="book", arguments={"entries": held}),
        )
        pending = Pending(
            agent=INTENT,
            name="review" if drafts else "amount",
            question=question if drafts else doubt or question,
            asked_at=turn.now,
            expects=(Expects.CONFIRM, Expects.AMOUNT),
            state={"entries": held, "said": turn.query},
        )
        blocks = tuple(
            TextBlock(words) for words in (doubt, question if drafts else None) if words
        )
        return AgentResult(
            blocks=blocks,
            buttons=((book, _cancel_button()),) if drafts else ((_cancel_button(),),),
            status=Status.CLARIFY,
            pending=pending,
        )

    # --- answers to them ---------------------------------------------------------------------

    async def _answered(
        self, turn: Turn, pending: Pending, lexicon: Mapping[str, str]
    ) -> AgentResult | None:
        """Return what the text means for the open question; None when it is a new wish."""
        answer = classify_answer(turn.query)
        if pending.name == "booked":
            return await self._about_booked(turn, pending, lexicon)
        if answer.kind in {"cancel", "deny"}:
            return _say("ledger.cancelled")
        if pending.name == "edit":
            ids = [str(pending.state.get("entry", ""))]
            words = answer.rest if answer.kind == "correct" else turn.query
            return await self._changes.by_words(turn, words, lexicon, ids=ids)
        if pending.name == "review":
            if answer.kind == "confirm":
                return await self._insert(turn, from_json(DraftList, pending.state["entries"]))
            if answer.kind != "correct":
                return None
        words = answer.rest if answer.kind == "correct" else turn.query
        amounts = self._amounts(turn, words, lexicon)
        if amounts.status == "none" and Expects.WORDS in pending.expects:
            return self._named(turn, words.strip(), lexicon)
        if amounts.status == "none":
            return None
        said = str(pending.state.get("said", ""))
        joined = self._amounts(turn, f"{said} {words}", lexicon)
        named = amounts.entries and not amounts.entries[0].item and len(joined.entries) == 1
        return await self._book(turn, joined if named else amounts, lexicon)

    def _named(self, turn: Turn, words: str, lexicon: Mapping[str, str]) -> AgentResult | None:
        """Ask what the thing just named cost; a question or a speech is no name."""
        if len(words) > LONGEST_NAME or _QUESTION.search(words):
            return replace(_say("ledger.cancelled"), status=Status.REJECTED)
        return self._ask_amount(turn, words, lexicon)

    async def _about_booked(
        self, turn: Turn, pending: Pending, lexicon: Mapping[str, str]
    ) -> AgentResult | None:
        """Return what a short answer means right after a booking."""
        ids = [str(i) for i in _strings(pending.state.get("entries"))]
        nth = parse_nth_change(turn.query)
        if nth is not None and 0 < nth.n <= len(ids):
            chosen = [ids[nth.n - 1]]
            result = await self._changes.by_words(turn, nth.rest, lexicon, ids=chosen)
            return replace(result, pending=replace(pending, asked_at=turn.now))
        answer = classify_answer(turn.query)
        match answer.kind:
            case "confirm":
                return _say("ledger.fine")
            case "cancel" | "deny":
                return await self._changes.offer(turn, ids)
            case "correct":
                return await self._changes.by_words(turn, answer.rest, lexicon, ids=ids)
            case _:
                return None

    # --- edits and presses -------------------------------------------------------------------

    async def _edited(self, turn: Turn, lexicon: Mapping[str, str]) -> AgentResult:
        """Follow an edited message: the same entries, with what it says now."""
        ids = _ids(turn.linked)
        drafts = drafts_from(self._amounts(turn, turn.query, lexicon), turn.now)
        if drafts.problem is not None or not drafts.entries:
            return await self._changes.offer(turn, ids, say="ledger.edit_unread")
        return await self._changes.replace(turn, ids, drafts.entries)

    async def _pressed(
        self, turn: Turn, name: str, arguments: Mapping[str, JsonValue]
    ) -> AgentResult:
        ids = [str(i) for i in _strings(arguments.get("entries"))]
        match name:
            case "undo":
                return await self._changes.remove(turn, ids)
            case "restore":
                return await self._changes.restore(turn, ids)
            case "edit":
                return await self._changes.ask(turn, str(arguments.get("entry", "")))
            case "change":
                change = from_json(EntryChange, arguments.get("change"))
                return await self._changes.apply(turn, str(arguments.get("entry", "")), change)
            case "category":
                named = change_from_words(turn, str(arguments.get("category", "")), {})
                return await self._changes.apply(turn, str(arguments.get("entry", "")), named)
            case "book":
                drafts = from_json(DraftList, arguments.get("entries"))
                return await self._insert(turn, drafts)
            case _:
                return replace(_say("ledger.cancelled"), repaint=True)


def just_booked(turn: Turn, entries: Sequence[Entry]) -> Pending:
    """Return the soft question that lets "不是，是35" reach the entry just written."""
    return Pending(
        agent=INTENT,
        name="booked",
        question=text("ledger.ask_edit_short"),
        asked_at=turn.now,
        expects=(Expects.CONFIRM,),
        state={"entries": [entry.entry_id for entry in entries]},
        soft=True,
    )


def _say(key: str, *, status: Status = Status.COMPLETED) -> AgentResult:
    return AgentResult(blocks=(TextBlock(Text(key)),), status=status)


def _cancel_button() -> Button:
    return Button(label=text("ledger.button_cancel"), action=ActionDraft(name="cancel"))


def _ids(linked: Sequence[str]) -> list[str]:
    return [ref.removeprefix("ledger:") for ref in linked if ref.startswith("ledger:")]


def _strings(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _listed(found: JsonValue) -> Entries:
    return from_json(Entries, found["entries"]) if isinstance(found, dict) else ()


def _as_draft(entry: Entry) -> EntryDraft:
    return EntryDraft(
        minor=entry.minor,
        currency=entry.currency,
        direction=entry.direction,
        item=entry.item,
        category=entry.category,
        occurred_on=entry.occurred_on,
    )


def _money(draft: EntryDraft) -> str:
    return money(from_minor(draft.minor, draft.currency), draft.currency)


def _line(draft: EntryDraft) -> str:
    return f"{draft.item} {_money(draft)} · {draft.occurred_on:%m-%d}"

"""Booking: from words to written entries, with the questions that may come before."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from pydantic import JsonValue

from agents.ledger import present
from agents.ledger.change_words import LONGEST_NAME
from agents.ledger.changes import INTENT, just_booked
from agents.ledger.drafts import MOST_AT_ONCE, drafts_from, same_day_twin
from agents.ledger.signs import SIGN, ask_sign, asks_sign, directed, said_direction
from agents.reasons import reason_words
from agents.tools.ledger import Entries
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.ledger import Entry, EntryDraft, from_minor
from bot.core.messages import Button, TextBlock, Tone
from bot.core.outbox import Purpose
from bot.core.patterns import regex
from bot.core.sessions import Expects, Pending
from bot.core.words import Lines, Text, Verbatim, text
from bot.language.answers import Answer
from bot.language.categories import DEFAULT
from bot.language.money import AmountsResult, resolve_amounts
from bot.language.normalize import normalize
from bot.locales.catalogue import money

_QUESTION = regex(
    r"[?？]|[吗呢么]$|什么|怎么|多少|谁|哪|为什么"
    r"|\b(?:what|how|who|why|when|where|which|can you|could you|do i|did i)\b",
    re.IGNORECASE,
)
_SUM_ALONE = regex(
    r"[¥￥$€£]?\s*[\d,.]+\s*(?:块钱?|元|rmb|cny|usd|dollars?|bucks|euros?)?", re.IGNORECASE
)
_AS_IT_IS = regex(
    r"\s*(?:就?直接|就|先)?(?:记(?:上|下|账)?|这样)(?:吧|了|就行)?[。.!！]?\s*"
    r"|\s*(?:just )?(?:book|log) (?:it|that)[.!]?\s*",
    re.IGNORECASE,
)
"""Answers that an amount be booked without a name."""

_CODE = regex(r"\d{9,}")
HUGE = 10**8
"""Units of a currency from which on an amount is shown for review first."""

DraftList = tuple[EntryDraft, ...]


class EntryBooking:
    """New entries of the ledger agent; every write is a tool call."""

    def amounts(self, turn: Turn, words: str, lexicon: Mapping[str, str]) -> AmountsResult:
        """Return what words say about money, by the person's currency and categories."""
        return resolve_amounts(
            words,
            now=turn.now,
            tz=zone_of(turn.now),
            locale=turn.locale,
            default_currency=turn.person.currency,
            lexicon=DEFAULT.with_overlay(lexicon),
        )

    async def book(
        self, turn: Turn, amounts: AmountsResult, lexicon: Mapping[str, str]
    ) -> AgentResult:
        """Write what is certain; ask for what is missing or in doubt."""
        if amounts.status == "none" and (code := _CODE.search(turn.query)):
            return say("ledger.no_sum", said=code.group())
        if amounts.status == "none" or amounts.reason == "no_amount":
            return self._ask_amount(turn, turn.query, lexicon)
        drafts = drafts_from(amounts, turn.now)
        if asks_sign(amounts.reason, drafts.entries):
            return ask_sign(turn, drafts.entries, amounts.reason)
        no_day = amounts.reason == "no_such_date"  # and no other day is offered for it
        if amounts.status == "ask" and not no_day:
            return self._review(turn, drafts.entries, doubt=reason_words(amounts.reason))
        problem = reason_words(amounts.reason) if no_day else drafts.problem
        if problem is not None:
            return AgentResult(blocks=(TextBlock(problem),), status=Status.CLARIFY)
        if any(from_minor(d.minor, d.currency) >= HUGE for d in drafts.entries):
            return self._review(turn, drafts.entries, doubt=text("ledger.huge"))
        if len(drafts.entries) > MOST_AT_ONCE or turn.decision.ambiguous:
            return self._review(turn, drafts.entries)
        booked = await self.insert(turn, drafts.entries)
        if not amounts.unpriced or booked.pending is None:
            return booked
        day = drafts.entries[-1].occurred_on
        names = [_on_day(name, day, turn) for name in amounts.unpriced]
        return _ask_price(turn, booked, names, booked.pending.state.get("entries"))

    @staticmethod
    def _go_on(turn: Turn, pending: Pending, booked: AgentResult) -> AgentResult:
        """Ask for the price of the next thing that was told without one."""
        more = pending.state.get("more")
        if not isinstance(more, list) or not more or booked.pending is None:
            return booked
        names = [str(name) for name in more]
        return _ask_price(turn, booked, names, booked.pending.state.get("entries"))

    async def insert(self, turn: Turn, drafts: DraftList) -> AgentResult:
        """Write entries, all or none, and confirm them."""

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

    def _ask_amount(self, turn: Turn, said: str, lexicon: Mapping[str, str]) -> AgentResult:
        """Ask how much; as long as nothing is named, words are an answer too."""
        question = text("ledger.ask_amount")
        probe = self.amounts(turn, f"{said} 1", lexicon)
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

    def ask_what_for(self, turn: Turn, drafts: DraftList, said: str = "") -> AgentResult:
        """Ask what a bare amount was for; it can be booked without."""
        question = text("ledger.ask_what_for", amount=Verbatim(_money(drafts[0])))
        held: JsonValue = to_json(DraftList, drafts)
        book = Button(
            label=text("ledger.button_book_bare", amount=Verbatim(_money(drafts[0]))),
            action=ActionDraft(name="book", arguments={"entries": held}),
        )
        return AgentResult(
            blocks=(TextBlock(question),),
            buttons=((book, _cancel_button()),),
            status=Status.CLARIFY,
            pending=Pending(
                agent=INTENT,
                name="what_for",
                question=question,
                asked_at=turn.now,
                expects=(Expects.CONFIRM, Expects.WORDS),
                state={"entries": held, "said": said or turn.query},
            ),
        )

    async def about_held(
        self, turn: Turn, pending: Pending, answer: Answer, lexicon: Mapping[str, str]
    ) -> AgentResult | None:
        """Return what follows the question about an amount that is held; None for a new wish."""
        drafts = from_json(DraftList, pending.state["entries"])
        corrects = answer.kind == "correct"
        if corrects and (again := self._with_other_sum(turn, pending, answer.rest, lexicon)):
            return again
        if pending.name == SIGN:
            direction = said_direction(turn.query) if len(turn.query) <= LONGEST_NAME else None
            return await self.insert(turn, directed(drafts, direction)) if direction else None
        if answer.kind == "confirm" or _AS_IT_IS.fullmatch(turn.query):
            return await self.insert(turn, drafts)
        words = answer.rest if corrects else turn.query.strip()
        if self.amounts(turn, words, lexicon).status != "none":
            return None
        if len(words) > LONGEST_NAME or asks(words):
            return no_answer()
        joined = self.amounts(turn, f"{words} {pending.state.get('said', '')}", lexicon)
        named = joined.status == "ok" and len(joined.entries) == 1
        return await self.insert(turn, drafts_from(joined, turn.now).entries) if named else None

    def _with_other_sum(
        self, turn: Turn, pending: Pending, words: str, lexicon: Mapping[str, str]
    ) -> AgentResult | None:
        """Return the question of a held amount with another one; None where none is said."""
        told = drafts_from(self.amounts(turn, words, lexicon), turn.now).entries
        held = from_json(DraftList, pending.state["entries"])
        if len(told) != 1 or len(held) != 1 or told[0].item:
            return None
        if pending.name == SIGN:
            right = replace(held[0], minor=told[0].minor)
            return ask_sign(turn, [right], str(pending.state["reason"]))
        return self.ask_what_for(turn, told, words)

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

    async def reviewed(
        self, turn: Turn, pending: Pending, answer: Answer, lexicon: Mapping[str, str]
    ) -> AgentResult:
        """Book what was reviewed, or show it again with another amount for the one named."""
        drafts = from_json(DraftList, pending.state["entries"])
        if answer.kind == "confirm":
            return await self.insert(turn, drafts)
        told = drafts_from(self.amounts(turn, answer.rest, lexicon), turn.now).entries
        if len(drafts) == len(told) == 1:
            right = told[0] if told[0].item else replace(drafts[0], minor=told[0].minor)
            return self._review(turn, (right,))
        named = [number for number, d in enumerate(drafts) if d.item and d.item in turn.query]
        if len(told) != 1 or len(named) != 1:
            return self._review(turn, drafts, text("ledger.review_unread"))
        corrected = list(drafts)
        corrected[named[0]] = replace(drafts[named[0]], minor=told[0].minor)
        return self._review(turn, tuple(corrected))

    async def with_amount(
        self, turn: Turn, pending: Pending, words: str, lexicon: Mapping[str, str]
    ) -> AgentResult | None:
        """Book what the question was about with the amount in ``words``; None for a new wish."""
        amounts = self.amounts(turn, words, lexicon)
        if amounts.status == "none" and Expects.WORDS in pending.expects:
            return self._named(turn, words.strip(), lexicon)
        if amounts.status == "none":
            return None
        said = str(pending.state.get("said", ""))
        joined = self.amounts(turn, f"{said} {words}", lexicon)
        named = amounts.entries and not amounts.entries[0].item and len(joined.entries) == 1
        booked = await self.book(turn, joined if named else amounts, lexicon)
        return self._go_on(turn, pending, booked) if named else booked

    def _named(self, turn: Turn, words: str, lexicon: Mapping[str, str]) -> AgentResult | None:
        """Ask what the thing just named cost; a question or a speech is no name."""
        if len(words) > LONGEST_NAME or asks(words):
            return no_answer()
        return self._ask_amount(turn, words, lexicon)


def asks(words: str) -> bool:
    """Whether words are a question, and so no name of anything."""
    return _QUESTION.search(normalize(words).text) is not None


def no_answer() -> AgentResult:
    """Return that nothing was done, as others are meant by what was said."""
    return replace(say("ledger.cancelled"), status=Status.REJECTED)


def is_bare(words: str, amounts: AmountsResult) -> bool:
    """Whether an amount is all that was said."""
    if amounts.status != "ok" or len(amounts.entries) != 1:
        return False
    return _SUM_ALONE.fullmatch(words.strip()) is not None


def _ask_price(
    turn: Turn, booked: AgentResult, names: Sequence[str], entries: JsonValue
) -> AgentResult:
    """Return what was booked with the question what the first of the other things cost."""
    question = text("ledger.ask_price", item=Verbatim(names[0]))
    return replace(
        booked,
        blocks=(*booked.blocks, TextBlock(question)),
        pending=Pending(
            agent=INTENT,
            name="amount",
            question=question,
            asked_at=turn.now,
            expects=(Expects.AMOUNT, Expects.CONFIRM),
            state={"said": names[0], "more": list(names[1:]), "entries": entries},
        ),
    )


def _on_day(name: str, day: date, turn: Turn) -> str:
    """Return the name of a thing with its day, where that is not today."""
    return name if day == turn.now.date() else f"{day.isoformat()} {name}"


def _cancel_button() -> Button:
    return Button(label=text("ledger.button_cancel"), action=ActionDraft(name="cancel"))


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


def say(key: str, *, said: str = "", status: Status = Status.COMPLETED) -> AgentResult:
    """Return one text of the catalogue."""
    return AgentResult(blocks=(TextBlock(text(key, said=Verbatim(said))),), status=status)

"""One person, several accounts: `/bind` makes two people one, `/unbind` takes an account out.

Whoever reads a code on one platform and types it on the other has both accounts. What the press
then does runs through the journal; the answer is built from what the store says happened, in
words that do not depend on who the presser was before.
"""

import secrets
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from agents.account.present import grouped, held, listed, named, sides
from bot.core.actions import Action, ActionDraft, Uses
from bot.core.agents import AgentResult, Turn
from bot.core.binding import (
    CODE_FOR,
    UNDO_FOR,
    BindingCode,
    Bindings,
    Merge,
    Taking,
    Undoing,
    code_hash_of,
)
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.errors import ConflictError, NotFoundError
from bot.core.events import Account
from bot.core.ids import derived_id
from bot.core.messages import Button, TextBlock, Tone
from bot.core.people import People, Person, ProfileChange
from bot.core.words import Text, text
from bot.locales.moments import moment_with_zone

INTENT = "account"
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without letters and digits that look alike."""

CODE_LENGTH = 8
"""40 bits: nobody guesses it within its ten minutes."""

UNDO_SHOWN = 7 * UNDO_FOR
"""The button answers longer than it undoes, so that who is late reads why."""

_REFUSED = {
    Taking.UNKNOWN: "account.code_unknown",
    Taking.USED: "account.code_used",
    Taking.EXPIRED: "account.code_expired",
    Taking.OWN: "account.code_own",
}
_UNDOING = {
    Undoing.UNDONE: "account.undone",
    Undoing.TOO_LATE: "account.undo_too_late",
    Undoing.CHANGED: "account.undo_changed",
    Undoing.UNKNOWN: "account.undo_changed",
}


class AccountAgent:
    """Answers `/bind`, `/unbind` and their buttons, in private chats only."""

    def __init__(self, bindings: Bindings, people: People) -> None:
        self._bindings = bindings
        self._people = people

    @property
    def intent(self) -> str:
        """Routing label; no input is ever classified as it."""
        return INTENT

    async def handle(self, turn: Turn) -> AgentResult:
        """Offer or take a code, merge, undo, or let the account go."""
        if turn.in_group:
            return _say(text("account.private_only"))
        if turn.action is not None:
            try:
                return await self._pressed(turn, turn.action)
            except (ConflictError, NotFoundError):
                return _say(text("account.changed"), repaint=True)
        if turn.command == "unbind":
            return await self._ask_to_leave(turn)
        return await (self._take(turn) if turn.query.strip() else self._offer(turn))

    # --- codes ---------------------------------------------------------------------------------

    async def _offer(self, turn: Turn) -> AgentResult:
        """Show a code; the chat sees it, the turn's record and so later prompts do not."""
        accounts = await self._people.accounts(turn.person.person_id)
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        await self._bindings.offer(
            BindingCode(
                account=_own(turn, accounts),
                code_hash=code_hash_of(code),
                expires_at=turn.now + CODE_FOR,
            )
        )
        words = text(
            "account.code", code=grouped(code), minutes=int(CODE_FOR.total_seconds() // 60)
        )
        blocks = [TextBlock(words)]
        if len(accounts) > 1:
            blocks.append(TextBlock(text("account.bound", accounts=listed(accounts))))
            blocks.append(TextBlock(text("account.ask_home")))
        return AgentResult(blocks=tuple(blocks), buttons=homes(accounts), unrecorded=True)

    async def _take(self, turn: Turn) -> AgentResult:
        taken = await self._bindings.take(
            code_hash_of(turn.query),
            account_key=turn.account_key,
            event_id=turn.event_id,
            now=turn.now,
        )
        if taken.account is None:
            return _say(text(_REFUSED[taken.status]))
        other = await self._people.find(taken.account)
        if other is None:
            return _say(text("account.code_unknown"))
        if other.person_id == turn.person.person_id:
            accounts = await self._people.accounts(other.person_id)
            return _say(text("account.bound", accounts=listed(accounts)))
        return await self._ask_who_survives(turn, taken.account, other)

    async def _ask_who_survives(self, turn: Turn, account: Account, other: Person) -> AgentResult:
        me = turn.person.person_id
        mine = _own(turn, await self._people.accounts(me))
        lines = sides(
            (mine, await self._bindings.holdings(me)),
            (account, await self._bindings.holdings(other.person_id)),
        )
        return AgentResult(
            blocks=(TextBlock(text("account.who_survives", lines=lines)),),
            buttons=(
                (_keep(mine, survivor=me, other=other.person_id),),
                (_keep(account, survivor=other.person_id, other=me),),
                (_cancel(),),
            ),
        )

    # --- presses -------------------------------------------------------------------------------

    async def _pressed(self, turn: Turn, action: Action) -> AgentResult:
        match action.name:
            case "merge":
                return await self._merge(turn, action)
            case "undo":
                return await self._undo(turn, action)
            case "home":
                return await self._settle_home(turn, action)
            case "leave":
                return await self._leave(turn, action)
            case _:
                return _say(text("account.cancelled"), repaint=True)

    async def _merge(self, turn: Turn, action: Action) -> AgentResult:
        stored = await _performed(turn, "account_merge", action, "survivor_id", "other_id")
        merge = from_json(Merge, stored)
        survivor = await self._people.get(merge.survivor_id) or turn.person
        until = (merge.merged_at + UNDO_FOR).astimezone(ZoneInfo(survivor.zone))
        accounts = await self._people.accounts(merge.survivor_id)
        words = text(
            "account.merged",
            accounts=listed(accounts),
            moved=held(merge.moved),
            until=moment_with_zone(until, survivor.locale),
        )
        undo = Button(
            label=text("account.button_undo"),
            action=ActionDraft(
                name="undo", arguments={"merge_id": merge.merge_id}, lifetime=UNDO_SHOWN
            ),
        )
        return AgentResult(
            blocks=(TextBlock(words), TextBlock(text("account.ask_home"))),
            buttons=((undo,), *homes(accounts)),
            repaint=True,
        )

    async def _undo(self, turn: Turn, action: Action) -> AgentResult:
        stored = await _performed(turn, "account_undo", action, "merge_id")
        return _say(text(_UNDOING[from_json(Undoing, stored)]), repaint=True)

    async def _settle_home(self, turn: Turn, action: Action) -> AgentResult:
        """Let private reminders arrive in one chat from now on, those set before too."""

        async def decide() -> Sequence[ToolCall]:
            change = ProfileChange(home=str(action.arguments["account_key"]))
            arguments = {"change": to_json(ProfileChange, change)}
            return [ToolCall(name="profile_update", arguments=arguments)]

        ((_, stored),) = await turn.tools.perform(decide)
        person = from_json(Person, stored)
        chosen = [
            account
            for account in await self._people.accounts(person.person_id)
            if account.key == person.home
        ]
        if not chosen:
            return _say(text("account.home_anywhere"))
        return _say(text("account.home", who=named(chosen[0])))

    # --- leaving -------------------------------------------------------------------------------

    async def _ask_to_leave(self, turn: Turn) -> AgentResult:
        accounts = await self._people.accounts(turn.person.person_id)
        others = [account for account in accounts if account.key != turn.account_key]
        if not others:
            return _say(text("account.alone"))
        words = text("account.ask_leave", this=named(_own(turn, accounts)), others=listed(others))
        leave = Button(
            label=text("account.button_leave"),
            tone=Tone.DANGER,
            action=ActionDraft(name="leave", arguments={"from_id": turn.person.person_id}),
        )
        return AgentResult(blocks=(TextBlock(words),), buttons=((leave, _cancel()),))

    async def _leave(self, turn: Turn, action: Action) -> AgentResult:
        """Take the account out; what was said here before belongs to no new conversation."""
        await _performed(turn, "account_detach", action, "from_id")
        others = await self._people.accounts(str(action.arguments["from_id"]))
        return AgentResult(
            blocks=(TextBlock(text("account.left", others=listed(others))),),
            repaint=True,
            conversation=derived_id("c", turn.event_id),
        )


async def _performed(turn: Turn, tool: str, action: Action, *names: str) -> JsonValue:
    """Run a tool with these arguments of the button; return its result."""

    async def decide() -> Sequence[ToolCall]:
        return [ToolCall(name=tool, arguments={name: action.arguments[name] for name in names})]

    ((_, result),) = await turn.tools.perform(decide)
    return result


def _own(turn: Turn, accounts: Sequence[Account]) -> Account:
    """Return the account that the turn came by."""
    return next(account for account in accounts if account.key == turn.account_key)


def _keep(account: Account, *, survivor: str, other: str) -> Button:
    return Button(
        label=text("account.button_keep", who=named(account)),
        action=ActionDraft(
            name="merge",
            arguments={"survivor_id": survivor, "other_id": other},
            lifetime=CODE_FOR,
        ),
    )


def homes(accounts: Sequence[Account]) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons that say where private reminders arrive; none for a single account."""
    if len(accounts) == 1:
        return ()
    places = [(text("account.button_home", who=named(a)), a.key) for a in accounts]
    return tuple(
        (
            Button(
                label=label,
                action=ActionDraft(name="home", arguments={"account_key": key}, uses=Uses.MANY),
            ),
        )
        for label, key in (*places, (text("account.button_home_anywhere"), ""))
    )


def _cancel() -> Button:
    return Button(label=text("account.button_cancel"), action=ActionDraft(name="cancel"))


def _say(words: Text, *, repaint: bool = False) -> AgentResult:
    return AgentResult(blocks=(TextBlock(words),), repaint=repaint)

"""Button presses: one atomic claim, and words for every way it can end."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.core.actions import Action, Actions, ClaimStatus
from bot.core.agents import AgentResult
from bot.core.events import Account, ButtonPressed, InboundEvent
from bot.core.messages import TextBlock
from bot.core.outbox import Outbox
from bot.core.people import People
from bot.core.words import Words, text
from bot.outcomes import Reply
from bot.turn_state import HUB

_TOASTS = {
    ClaimStatus.UNKNOWN: "hub.press_unknown",
    ClaimStatus.FOREIGN: "hub.press_foreign",
    ClaimStatus.EXPIRED: "hub.press_expired",
    ClaimStatus.USED: "hub.press_used",
}


NOBODY = ""
"""Owner of no button: who has never spoken to us may be told whose a button is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A press: the action to run, or the replies when nothing runs."""

    action: Action | None = None
    replies: tuple[Reply, ...] = ()


class Presses:
    """Claims presses. The same event may claim twice: in the sink for the toast, then in work."""

    def __init__(
        self,
        *,
        actions: Actions,
        people: People,
        outbox: Outbox,
        may_enter: Callable[[Account], Awaitable[bool]],
    ) -> None:
        self._actions = actions
        self._people = people
        self._outbox = outbox
        self._may_enter = may_enter

    async def toast(self, event: InboundEvent) -> Words | None:
        """Claim and return what the presser is told at once; None when the action runs."""
        if not isinstance(event, ButtonPressed):
            return None
        status, _ = await self._claim(event)
        return text(_TOASTS[status]) if status in _TOASTS else None

    async def claim(self, event: ButtonPressed) -> Press:
        """Claim and return the action; nothing but a repainted message when it has expired."""
        status, action = await self._claim(event)
        if status is ClaimStatus.GRANTED:
            return Press(action=action)
        if status is not ClaimStatus.EXPIRED:
            return Press()
        shown = await self._outbox.find_sent(event.chat.key, event.message_id)
        if shown is None:
            return Press()
        blocks = (*shown.draft.message.blocks, TextBlock(text("hub.expired")))
        result = AgentResult(blocks=blocks, repaint=True, entities=shown.draft.entities)
        return Press(replies=(Reply(result=result, agent=HUB),))

    async def _claim(self, event: ButtonPressed) -> tuple[ClaimStatus, Action | None]:
        if not await self._may_enter(event.account):
            return ClaimStatus.UNKNOWN, None
        person = await self._people.find(event.account)
        claim = await self._actions.claim(
            event.token,
            person_id=person.person_id if person else NOBODY,
            chat_key=event.chat.key,
            event_id=event.event_id,
            now=event.occurred_at,
        )
        return claim.status, claim.action

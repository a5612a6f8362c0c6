"""What stays in the ledger of a message that was taken back."""

from collections.abc import Sequence
from datetime import datetime

from agents.ledger.present import undo_button
from bot.core.agents import AgentResult, Turn
from bot.core.ledger import Ledger
from bot.core.messages import TextBlock
from bot.core.words import text


async def what_stays(
    ledger: Ledger, turn: Turn, ids: Sequence[str], recalled_at: datetime
) -> AgentResult:
    """Return that the entries stay which the message made, with Undo, and not what they say.

    What the message only changed was there before it and is none of its entries.
    """
    found = [await ledger.get(turn.person.person_id, entry_id) for entry_id in ids]
    made = [e for e in found if e is not None and not e.voided and e.created_at >= recalled_at]
    if not made:
        return AgentResult(blocks=())
    return AgentResult(
        blocks=(TextBlock(text("ledger.recalled", n=len(made))),),
        buttons=((undo_button(made, deleted=False),),),
    )

"""The end of a turn: everything it leaves behind as one value for `Turns.commit`."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.core.events import ButtonPressed, CommandReceived, MessageReceived
from bot.core.messages import TextBlock
from bot.core.sessions import Session
from bot.core.turns import Link, TurnOutcome, TurnRecord
from bot.core.words import text
from bot.locales.moments import moment
from bot.outcomes import Addressed, Reply, Written, message_id_of, write
from bot.turn_state import HUB, TurnState

LATE = timedelta(seconds=60)
"""How long after it was said the work on a message may begin without a word about it."""


def conclude(
    state: TurnState, replies: Sequence[Reply], *, now: datetime, failure: str = ""
) -> TurnOutcome:
    """Return the outcome of a turn; ids derive from the event, so a re-run gives the same."""
    event = state.event
    written = write(
        _marked_late(state, replies),
        Addressed(
            event_id=event.event_id,
            person_id=state.person.person_id,
            chat=event.chat,
            locale=state.person.locale,
            account_id=event.account.user_id,
            now=now,
            pressed_message_id=event.message_id if isinstance(event, ButtonPressed) else None,
            preview_id=state.preview_id,
            private_chat=state.private_chat,
        ),
    )
    message_id = event.message_id if isinstance(event, MessageReceived) else ""
    return TurnOutcome(
        event_ids=state.event_ids or (event.event_id,),
        record=_record(state, replies, written, message_id, failure=failure),
        session=replace(
            _with_buttons(state.session, replies, event.event_id),
            person_id=state.person.person_id,  # whoever the account belongs to by now
            version=state.session.version + 1,
        ),
        expected_version=state.session.version,
        now=now,
        actions=tuple(written.actions),
        outbox=tuple(written.outbox),
        links=tuple(
            Link(
                chat_key=event.chat.key,
                message_id=message_id,
                entity=entity,
                event_id=event.event_id,
            )
            for entity in written.entities
            if message_id
        ),
        failure=failure,
    )


def _with_buttons(session: Session, replies: Sequence[Reply], event_id: str) -> Session:
    """Return the session with its new question told which buttons are its."""
    for ordinal, reply in enumerate(replies):
        asked = reply.result.pending
        kept = session.pending
        if asked is None or kept is None or not reply.result.buttons:
            continue
        if replace(kept, state=asked.state) == asked:
            group = message_id_of(event_id, ordinal)
            return replace(session, pending=replace(kept, group=group))
    return session


def _marked_late(state: TurnState, replies: Sequence[Reply]) -> Sequence[Reply]:
    """Say to which message an answer belongs that begins late, as after an outage."""
    event = state.event
    was_said = isinstance(event, MessageReceived | CommandReceived)
    if not was_said or state.began_at - event.occurred_at < LATE:
        return replies
    note = TextBlock(text("hub.late_reply", when=moment(state.now, state.person.locale)))
    for place, reply in enumerate(replies):
        if reply.result.blocks:
            result = replace(reply.result, blocks=(note, *reply.result.blocks))
            return (*replies[:place], replace(reply, result=result), *replies[place + 1 :])
    return replies


def _record(
    state: TurnState,
    replies: Sequence[Reply],
    written: Written,
    message_id: str,
    *,
    failure: str,
) -> TurnRecord:
    event = state.event
    own = [reply.result for reply in replies if reply.agent != HUB]
    said = own[-1:] or [reply.result for reply in replies[-1:]]
    last = said[0].status.value.lower() if said else "silent"
    return TurnRecord(
        event_id=event.event_id,
        session_key=event.session_key,
        person_id=state.person.person_id,
        account_key=event.account.key,
        message_id=message_id,
        at=event.occurred_at,
        text=state.said,
        reply="\n\n".join(written.text),
        agent=state.intent,
        intent=state.decision.intent,
        source=state.decision.source,
        confidence=state.decision.confidence,
        outcome="failed" if failure else state.outcome or last,
        calls=state.calls,
        trace=state.decision.trace,
        attachments=tuple(a.ref for a in state.attachments),
        memo=said[0].memo if said else "",
        conversation=state.loaded.conversation,
    )

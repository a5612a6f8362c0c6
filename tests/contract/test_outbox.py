"""Promises of `bot.core.outbox.Outbox`."""

from collections import defaultdict
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.errors import NotFoundError
from bot.core.ids import new_id
from bot.core.outbox import OutboxClass, OutboxDraft, OutboxRow, OutboxStatus
from bot.core.stores import Stores
from tests.contract.openers import Runner
from tests.contract.samples import CHAT, NOW, OTHER_CHAT, draft, later, outcome

INTERACTIVE, BULK = OutboxClass.INTERACTIVE, OutboxClass.BULK


async def queue(stores: Stores, *drafts: OutboxDraft, event_id: str = "e1") -> None:
    await stores.turns.commit(outcome(event_id, session_key=event_id, outbox=drafts))


async def row_of(stores: Stores, outbox_id: str) -> OutboxRow:
    row = await stores.outbox.get(outbox_id)
    assert row is not None
    return row


async def test_a_queued_message_comes_back_as_it_was_drafted(stores: Stores) -> None:
    await queue(stores, draft("o1", event_id="e1", entities=("ledger:e_1",)))

    row = await row_of(stores, "o1")
    assert row.draft == draft("o1", event_id="e1", entities=("ledger:e_1",))
    assert (row.status, row.attempts, row.error) == (OutboxStatus.QUEUED, 0, "")
    assert (row.created_at, row.not_before, row.message_id) == (NOW, NOW, None)


async def test_an_outbox_id_is_queued_once(stores: Stores) -> None:
    await queue(stores, draft("o1"), event_id="e1")
    await queue(stores, draft("o1", chat=OTHER_CHAT), draft("o2"), event_id="e2")

    assert await stores.outbox.counts() == {"queued": 2}
    assert (await row_of(stores, "o1")).draft.chat == CHAT


async def test_a_message_of_no_turn_is_queued_once_and_in_order(stores: Stores) -> None:
    await queue(stores, draft("o1"))
    await stores.outbox.put(draft("o2"), now=NOW)
    await stores.outbox.put(draft("o2", chat=OTHER_CHAT), now=later(hours=1))

    assert await stores.outbox.counts() == {"queued": 2}
    row = await row_of(stores, "o2")
    assert (row.draft.chat, row.created_at) == (CHAT, NOW)
    first = await stores.outbox.next_for(CHAT.key, INTERACTIVE)
    assert first is not None
    assert first.draft.outbox_id == "o1"


async def test_order_holds_per_chat_and_class(stores: Stores) -> None:
    await queue(
        stores,
        draft("b1", outbox_class=BULK),
        draft("i1"),
        draft("x1", chat=OTHER_CHAT),
        draft("i2"),
        draft("b2", outbox_class=BULK),
    )

    sent: dict[tuple[str, OutboxClass], list[str]] = {}
    for lane in await stores.outbox.open_chats():
        sent[lane] = []
        while row := await stores.outbox.next_for(*lane):
            sent[lane].append(row.draft.outbox_id)
            await stores.outbox.mark_sent(row.draft.outbox_id, message_id="m", now=NOW)

    assert sent == {
        (CHAT.key, BULK): ["b1", "b2"],
        (CHAT.key, INTERACTIVE): ["i1", "i2"],
        (OTHER_CHAT.key, INTERACTIVE): ["x1"],
    }
    assert list(await stores.outbox.open_chats()) == []


async def test_the_oldest_row_stays_first_while_it_is_sending_or_waits_for_a_retry(
    stores: Stores,
) -> None:
    await queue(stores, draft("o1"), draft("o2"))

    await stores.outbox.mark_sending("o1")
    row = await stores.outbox.next_for(CHAT.key, INTERACTIVE)
    assert row is not None
    assert (row.draft.outbox_id, row.status) == ("o1", OutboxStatus.SENDING)

    await stores.outbox.mark_retry("o1", not_before=later(hours=1), error="timeout")
    row = await stores.outbox.next_for(CHAT.key, INTERACTIVE)
    assert row is not None
    assert (row.draft.outbox_id, row.status) == ("o1", OutboxStatus.QUEUED)
    assert (row.not_before, row.error, row.attempts) == (later(hours=1), "timeout", 1)


async def test_every_sending_counts_an_attempt(stores: Stores) -> None:
    await queue(stores, draft("o1"))
    await stores.outbox.mark_sending("o1")
    await stores.outbox.mark_sending("o1")

    assert (await row_of(stores, "o1")).attempts == 2


async def test_a_sent_row_has_its_message_id_and_is_closed(stores: Stores) -> None:
    await queue(stores, draft("o1"))
    await stores.outbox.mark_sending("o1")
    await stores.outbox.mark_sent("o1", message_id="m1", now=later(seconds=1))

    row = await row_of(stores, "o1")
    assert (row.status, row.message_id, row.error) == (OutboxStatus.SENT, "m1", "")
    assert await stores.outbox.next_for(CHAT.key, INTERACTIVE) is None


async def test_a_sent_message_stands_for_the_entities_that_it_shows(stores: Stores) -> None:
    await queue(stores, draft("o1", event_id="e1", entities=("ledger:e_2", "ledger:e_1")))
    assert await stores.turns.linked(CHAT.key, "m1") == ()

    await stores.outbox.mark_sent("o1", message_id="m1", now=NOW)

    assert await stores.turns.linked(CHAT.key, "m1") == ("ledger:e_2", "ledger:e_1")
    assert await stores.turns.linked(OTHER_CHAT.key, "m1") == ()


async def test_a_failed_row_is_closed_with_its_reason(stores: Stores) -> None:
    await queue(stores, draft("o1"), draft("o2"))
    await stores.outbox.mark_failed("o1", error="blocked", now=NOW)

    row = await row_of(stores, "o1")
    assert (row.status, row.error, row.message_id) == (OutboxStatus.FAILED, "blocked", None)
    following = await stores.outbox.next_for(CHAT.key, INTERACTIVE)
    assert following is not None
    assert following.draft.outbox_id == "o2"


async def test_a_settled_row_never_changes_again(stores: Stores) -> None:
    await queue(stores, draft("o1"))
    await stores.outbox.mark_sent("o1", message_id="m1", now=NOW)
    settled = await row_of(stores, "o1")

    await stores.outbox.mark_sending("o1")
    await stores.outbox.mark_retry("o1", not_before=later(hours=1), error="late")
    await stores.outbox.mark_failed("o1", error="late", now=later(hours=1))
    await stores.outbox.mark_sent("o1", message_id="m2", now=later(hours=1))

    assert await row_of(stores, "o1") == settled


async def test_find_sent_returns_the_newest_row_that_shows_as_the_message(
    stores: Stores,
) -> None:
    await queue(stores, draft("o1"), draft("o2"), draft("x", chat=OTHER_CHAT))
    for outbox_id in ("o2", "o1", "x"):
        await stores.outbox.mark_sent(outbox_id, message_id="m1", now=NOW)

    row = await stores.outbox.find_sent(CHAT.key, "m1")
    assert row is not None
    assert row.draft.outbox_id == "o2"
    assert await stores.outbox.find_sent(CHAT.key, "m2") is None


async def test_counts_are_by_status(stores: Stores) -> None:
    await queue(stores, *(draft(f"o{number}") for number in range(5)))
    await stores.outbox.mark_sending("o0")
    await stores.outbox.mark_sent("o1", message_id="m", now=NOW)
    await stores.outbox.mark_failed("o2", error="gone", now=NOW)

    assert await stores.outbox.counts() == {"sending": 1, "sent": 1, "failed": 1, "queued": 2}


async def test_marking_a_row_that_does_not_exist_is_an_error(stores: Stores) -> None:
    with pytest.raises(NotFoundError):
        await stores.outbox.mark_sending("nothing")
    with pytest.raises(NotFoundError):
        await stores.outbox.mark_sent("nothing", message_id="m", now=NOW)
    with pytest.raises(NotFoundError):
        await stores.outbox.mark_retry("nothing", not_before=NOW, error="")
    with pytest.raises(NotFoundError):
        await stores.outbox.mark_failed("nothing", error="", now=NOW)
    assert await stores.outbox.get("nothing") is None


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(["queue", "sent", "failed", "retry", "sending"]),
            st.sampled_from(["1", "2"]),
            st.sampled_from(list(OutboxClass)),
        ),
        max_size=40,
    )
)
def test_whatever_happens_the_oldest_open_row_of_a_chat_and_class_is_next(
    run_with_stores: Runner, steps: list[tuple[str, str, OutboxClass]]
) -> None:
    async def check(stores: Stores) -> None:
        run = new_id("run")
        waiting: dict[tuple[str, OutboxClass], list[str]] = defaultdict(list)
        for number, (step, chat_id, outbox_class) in enumerate(steps):
            chat = replace(OTHER_CHAT, chat_id=f"{run}-{chat_id}")
            lane = waiting[chat.key, outbox_class]
            if step == "queue":
                lane.append(f"{run}-{number}")
                made = draft(lane[-1], chat=chat, outbox_class=outbox_class)
                await queue(stores, made, event_id=lane[-1])
            elif lane:
                await _mark(stores, step, lane[0])
                if step in ("sent", "failed"):
                    lane.pop(0)
            row = await stores.outbox.next_for(chat.key, outbox_class)
            assert (row.draft.outbox_id if row else None) == (lane[0] if lane else None)
        still_open = {lane for lane in await stores.outbox.open_chats() if run in lane[0]}
        assert still_open == {lane for lane, rows in waiting.items() if rows}

    run_with_stores(check)


async def _mark(stores: Stores, step: str, outbox_id: str) -> None:
    match step:
        case "sent":
            await stores.outbox.mark_sent(outbox_id, message_id=outbox_id, now=NOW)
        case "failed":
            await stores.outbox.mark_failed(outbox_id, error="gone", now=NOW)
        case "retry":
            await stores.outbox.mark_retry(outbox_id, not_before=later(hours=1), error="busy")
        case _:
            await stores.outbox.mark_sending(outbox_id)


async def test_parts_are_kept_in_order_and_each_begins_anew(stores: Stores) -> None:
    await queue(stores, draft("o1"))
    await stores.outbox.mark_sending("o1")
    await stores.outbox.mark_part("o1", message_id="11")
    await stores.outbox.mark_sending("o1")
    await stores.outbox.mark_part("o1", message_id="")

    row = await row_of(stores, "o1")
    assert row.parts == ("11", "")
    assert (row.status, row.attempts, row.message_id) == (OutboxStatus.QUEUED, 0, None)

    await stores.outbox.mark_sent("o1", message_id="13", now=NOW)
    await stores.outbox.mark_part("o1", message_id="14")
    row = await row_of(stores, "o1")
    assert (row.status, row.message_id, row.parts) == (OutboxStatus.SENT, "13", ("11", ""))


async def test_a_part_of_an_unknown_row_is_an_error(stores: Stores) -> None:
    with pytest.raises(NotFoundError):
        await stores.outbox.mark_part("nope", message_id="1")

"""Promises of `bot.core.conversations.Summaries` and of conversations among turns."""

from dataclasses import replace

from bot.core.conversations import Summary
from bot.core.stores import Stores
from tests.contract.samples import NOW, ODD, later, outcome

SUMMARY = Summary(
    session_key="s",
    conversation_id="c1",
    person_id="p_a",
    text=ODD,
    covers=10,
    last_event="e10",
)


async def said(stores: Stores, event_id: str, conversation: str, *, after: int = 0) -> None:
    drafted = outcome(event_id, expected_version=after)
    record = replace(
        drafted.record, text=event_id, conversation=conversation, at=later(minutes=after)
    )
    await stores.turns.commit(replace(drafted, record=record))


async def test_conversations_are_told_apart_latest_first(stores: Stores) -> None:
    for number, (event_id, conversation) in enumerate(
        [("e1", ""), ("e2", "c1"), ("e3", "c1"), ("e4", "")]
    ):
        await said(stores, event_id, conversation, after=number)

    found = await stores.turns.conversations("s", limit=10)
    assert [(c.conversation_id, c.title, c.turns) for c in found] == [
        ("", "e1", 2),
        ("c1", "e2", 2),
    ]
    assert (found[0].began_at, found[0].last_at) == (NOW, later(minutes=3))
    assert len(await stores.turns.conversations("s", limit=1)) == 1
    assert await stores.turns.conversations("other", limit=10) == []


async def test_a_conversation_is_named_by_the_first_words_that_are_no_command(
    stores: Stores,
) -> None:
    for number, (words, conversation) in enumerate(
        [("/start", ""), ("[press]", ""), ("午饭35", ""), ("晚饭40", ""), ("/start", "c1")]
    ):
        drafted = outcome(f"e{number}", expected_version=number)
        record = replace(drafted.record, text=words, conversation=conversation)
        await stores.turns.commit(replace(drafted, record=record))

    found = await stores.turns.conversations("s", limit=10)

    assert [(c.conversation_id, c.title) for c in found] == [("c1", "/start"), ("", "午饭35")]


async def test_recent_turns_are_those_of_one_conversation_or_of_all(stores: Stores) -> None:
    for number, (event_id, conversation) in enumerate([("e1", ""), ("e2", "c1"), ("e3", "")]):
        await said(stores, event_id, conversation, after=number)

    async def texts(**which: str) -> list[str]:
        return [turn.text for turn in await stores.turns.recent("s", limit=2, **which)]

    assert await texts() == ["e2", "e3"]
    assert await texts(conversation="") == ["e1", "e3"]
    assert await texts(conversation="c1") == ["e2"]


async def test_a_summary_that_covers_more_takes_the_place_of_the_stored_one(
    stores: Stores,
) -> None:
    assert await stores.summaries.get("s", "c1") is None
    await stores.summaries.put(SUMMARY)
    assert await stores.summaries.get("s", "c1") == SUMMARY

    await stores.summaries.put(replace(SUMMARY, text="late", covers=10, last_event="e9"))
    assert await stores.summaries.get("s", "c1") == SUMMARY

    more = replace(SUMMARY, text="more", covers=20, last_event="e20")
    await stores.summaries.put(more)
    assert await stores.summaries.get("s", "c1") == more
    assert await stores.summaries.get("s", "") is None


async def test_the_summaries_of_a_person_are_those_of_all_their_conversations(
    stores: Stores,
) -> None:
    other = replace(SUMMARY, session_key="t", conversation_id="", person_id=SUMMARY.person_id)
    strange = replace(SUMMARY, session_key="u", person_id="p_else")
    for summary in (SUMMARY, other, strange):
        await stores.summaries.put(summary)

    assert list(await stores.summaries.of_person(SUMMARY.person_id)) == [SUMMARY, other]

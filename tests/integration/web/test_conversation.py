"""What is said reaches the inbox once, and what is answered reaches every page."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest
from aiohttp import ClientSession

from adapters.web.client import BURST
from adapters.web.schemas import MAX_TEXT_CHARS
from bot.core.errors import RetryableAdapterError, StorageUnavailableError
from bot.core.events import ButtonPressed, CapsuleToggled, CommandReceived, MessageReceived
from bot.core.inbox import RawUpdate, Receipt, UpdateKind
from bot.core.messages import ChartBlock, ChartSeries, TextBlock
from bot.core.ports import Adapter, Capabilities, Growing
from bot.core.words import Verbatim
from bot.locales.catalogue import catalogue
from tests.integration.web.conftest import Page
from tests.integration.web.fakes import World

PRESSED = "tok"
ZH = catalogue("zh-CN")


async def test_a_newcomer_is_greeted_once_without_a_word_of_theirs(
    world: World, session: ClientSession
) -> None:
    for _ in range(2):
        page = await Page(session, world).open()
        await page.hear("items")
        await page.say(type="ping")
        await page.hear("pong")
        await page.close()

    commands = [e for e in world.parsed() if isinstance(e, CommandReceived)]
    assert [command.name for command in commands] == ["start"]
    assert commands[0].account.locale == "en"
    assert world.transcripts.chats == {}


async def test_somebody_with_a_history_is_not_greeted_again(
    world: World, session: ClientSession
) -> None:
    await world.say(TextBlock(Verbatim("你好")))

    page = await Page(session, world).open()

    assert [item["id"] for item in await page.hear_items()] == ["o_1"]
    assert world.inbox.accepted == []
    await page.close()


async def test_a_message_is_accepted_shown_and_acknowledged(world: World, page: Page) -> None:
    await page.say(type="message", id="message-1", text="午饭 35")

    shown, ack = await page.hear_items(), await page.hear("ack")
    assert [(item["id"], item["author"]) for item in shown] == [("message-1", "person")]
    assert ack == {"type": "ack", "id": "message-1", "status": "accepted", "toast": None}
    found = world.parsed()[-1]
    assert isinstance(found, MessageReceived)
    assert (found.text, found.message_id) == ("午饭 35", "message-1")
    assert world.inbox.accepted[-1].lane == found.account.key


async def test_a_message_sent_twice_is_one_message(world: World, page: Page) -> None:
    for _ in range(2):
        await page.say(type="message", id="message-1", text="午饭 35")

    assert [(await page.hear("ack"))["status"] for _ in range(2)] == ["accepted", "duplicate"]
    assert list(world.transcripts.chats["local"]) == ["message-1"]


async def test_a_message_accepted_before_a_crash_is_shown_when_it_comes_again(
    world: World, page: Page
) -> None:
    await page.say(type="message", id="message-1", text="午饭 35")
    await page.hear("ack")
    world.transcripts.chats.clear()

    await page.say(type="message", id="message-1", text="午饭 35")

    assert [item["id"] for item in await page.hear_items()] == ["message-1"]


async def test_a_late_repeat_does_not_undo_an_edit(world: World, page: Page) -> None:
    await page.say(type="message", id="message-1", text="午饭 35")
    await page.say(type="edit", id="edit-0001", item="message-1", text="午饭 36")
    await page.say(type="message", id="message-1", text="午饭 35")
    for _ in range(3):
        await page.hear("ack")

    item = world.transcripts.chats["local"]["message-1"]
    assert (item.payload["text"], item.payload["edited"]) == ("午饭 36", True)
    edited = world.parsed()[-1]
    assert isinstance(edited, MessageReceived)
    assert (edited.message_id, edited.edited) == ("message-1", True)


async def test_only_own_messages_can_be_edited(world: World, page: Page) -> None:
    await world.say(TextBlock(Verbatim("hi")), outbox_id="answer-01")

    await page.say(type="edit", id="edit-0001", item="answer-01", text="mine")

    assert (await page.hear("error"))["text"] == ZH["web.error_edit"]
    assert [type(event) for event in world.parsed()] == [CommandReceived]


async def test_an_answer_reaches_every_page_of_the_person_and_nobody_elses(
    world: World, session: ClientSession, page: Page
) -> None:
    await world.tokens.invite("anna", "sesame")
    second = await Page(session, world).open()
    anna = await Page(session, world).open(headers={"Authorization": "Bearer sesame"})
    for each in (second, anna):
        await each.hear("items")

    await world.say(TextBlock(Verbatim("for local")))
    await world.say(TextBlock(Verbatim("for anna")), user="anna")

    assert [(await each.hear_items())[0]["id"] for each in (page, second, anna)] == [
        "o_1",
        "o_1",
        "o_2",
    ]
    for each in (second, anna):
        await each.close()


async def test_a_page_that_was_away_gets_exactly_what_it_missed(
    world: World, session: ClientSession
) -> None:
    await world.say(TextBlock(Verbatim("one")))
    page = await Page(session, world).open()
    version = (await page.hear_items())[-1]["version"]
    assert isinstance(version, int)
    await page.close()
    await world.say(TextBlock(Verbatim("two")))
    await world.say(TextBlock(Verbatim("one, changed")), replaces="o_1")

    again = await Page(session, world).open(version)

    missed = await again.hear_items()
    assert [(item["id"], item["sequence"]) for item in missed] == [("o_2", 2), ("o_1", 1)]
    await again.close()


async def test_a_page_that_knows_another_history_begins_anew(
    world: World, session: ClientSession
) -> None:
    await world.say(TextBlock(Verbatim("one")))

    page = await Page(session, world).open(version=99)

    frame = await page.hear("items")
    items = frame["items"]
    assert isinstance(items, list)
    assert (frame["reset"], [item["id"] for item in items]) == (True, ["o_1"])
    await page.close()


async def test_a_page_that_cannot_be_greeted_is_cut_off_and_comes_back(
    world: World, session: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def down(*_: object) -> None:
        raise StorageUnavailableError

    monkeypatch.setattr(world.views, "chat", down)

    page = await Page(session, world).open()

    assert page.socket is not None
    async with asyncio.timeout(5):
        while not page.socket.closed:
            await page.socket.receive()


async def test_the_same_row_sent_twice_shows_one_message(world: World, page: Page) -> None:
    ids = [await world.say(TextBlock(Verbatim("hi")), outbox_id="o_x") for _ in range(2)]

    assert ids == ["o_x", "o_x"]
    assert len(world.transcripts.chats["local"]) == 1
    assert (await page.hear_items())[0]["id"] == "o_x"


async def test_a_replacing_message_keeps_the_place_and_the_id(world: World, page: Page) -> None:
    await world.say(TextBlock(Verbatim("one")))
    await world.say(TextBlock(Verbatim("two")))

    sent = await world.say(TextBlock(Verbatim("uno")), replaces="o_1")

    assert sent == "o_1"
    frames = [(await page.hear_items())[0] for _ in range(3)]
    assert (frames[2]["id"], frames[2]["sequence"]) == ("o_1", 1)


async def test_an_answer_never_stands_before_its_question(world: World, page: Page) -> None:
    sends: list[str] = []

    async def answer(raw: RawUpdate) -> None:
        del raw
        sends.append("begun")

    world.inbox.answer = answer
    async with world.adapter._history.order("local"):
        await page.say(type="message", id="message-1", text="?")
        await page.say(type="ping")
    await page.hear("ack")
    await world.say(TextBlock(Verbatim("!")))

    assert list(world.transcripts.chats["local"]) == ["message-1", "o_1"]
    assert sends == ["begun"]


async def test_a_question_that_a_crash_kept_from_being_shown_is_shown_before_its_answer(
    world: World, page: Page
) -> None:
    await page.say(type="message", id="message-1", text="午饭 35")
    await page.hear("ack")
    world.transcripts.chats.clear()  # as if we had died right after accepting it

    await world.say(TextBlock(Verbatim("已记")), event_id="web:web:local:message-1")

    shown = sorted(world.transcripts.chats["local"].values(), key=lambda item: item.sequence)
    assert [item.author for item in shown] == ["person", "bot"]
    assert shown[0].payload["text"] == "午饭 35"


async def test_an_answer_to_a_press_or_to_nobody_shows_no_words_of_the_person(
    world: World, page: Page
) -> None:
    await page.say(type="press", id="press-001", item="o_1", token=PRESSED)
    await page.hear("ack")

    await world.say(TextBlock(Verbatim("好")), event_id="web:web:local:press-001")
    await world.say(TextBlock(Verbatim("好")), event_id="web:web:local:forgotten")

    assert {item.author for item in world.transcripts.chats["local"].values()} == {"bot"}


async def test_a_press_is_answered_by_its_toast(world: World, page: Page) -> None:
    world.inbox.receipts["button"] = Receipt(status="accepted", text=Verbatim("记好了"))

    await page.say(type="press", id="press-001", item="o_1", token=PRESSED)

    assert (await page.hear("ack"))["toast"] == "记好了"
    assert isinstance(world.parsed()[-1], ButtonPressed)
    assert world.inbox.accepted[-1].kind is UpdateKind.BUTTON


async def test_a_capsule_is_taken_and_the_new_state_comes_by_refresh(
    world: World, page: Page
) -> None:
    await page.say(type="capsule", id="capsule-1", intent="MEETING")
    await page.hear("ack")
    event = world.parsed()[-1]
    assert isinstance(event, CapsuleToggled)
    world.views.selected["local"] = event.intent

    await world.adapter.refresh(event.chat, event.account)

    capsules = (await page.hear("state"))["capsules"]
    assert isinstance(capsules, list)
    assert [c["intent"] for c in capsules if c["selected"]] == ["MEETING"]


async def test_stop_does_not_wait_in_the_lane(world: World, page: Page) -> None:
    await page.say(type="message", id="message-1", text="/stop")
    await page.hear("ack")

    assert world.inbox.accepted[-1].kind is UpdateKind.STOP


async def test_a_refusal_is_said_and_not_shown(world: World, page: Page) -> None:
    world.inbox.receipts["local:message-1"] = Receipt(status="refused", text=Verbatim("排满了"))

    await page.say(type="message", id="message-1", text="hi")

    error = await page.hear("error")
    assert (error["id"], error["text"], error["retry"]) == ("message-1", "排满了", False)
    assert world.transcripts.chats == {}


async def test_what_cannot_be_stored_is_kept_by_the_page_and_taken_later(
    world: World, page: Page
) -> None:
    world.inbox.is_down = True
    await page.say(type="message", id="message-1", text="hi")
    error = await page.hear("error")
    world.inbox.is_down = False

    await page.say(type="message", id="message-1", text="hi")

    assert (error["id"], error["retry"]) == ("message-1", True)
    assert (await page.hear("ack"))["status"] == "accepted"


@pytest.mark.parametrize(
    "data",
    [
        "not json",
        "[]",
        '{"type":"hello","version":-1}',
        '{"type":"message","id":"message-1","text":"a\\u0000b"}',
        '{"type":"message","id":"message-1","text":"\\ud800"}',
        '{"type":"message","id":"message-1","text":""}',
        '{"type":"message","id":"../../x","text":"hi"}',
        '{"type":"press","id":"press-001","item":"o_1","token":"a b"}',
        json.dumps({"type": "message", "id": "message-1", "text": "a" * (MAX_TEXT_CHARS + 1)}),
        "x" * 500_000,
    ],
)
async def test_a_hostile_frame_is_answered_in_words_and_changes_nothing(
    world: World, page: Page, data: str
) -> None:
    await page.say_raw(data)

    assert (await page.hear("error"))["text"] in ZH.values()
    assert [raw.delivery_key for raw in world.inbox.accepted] == ["local:~start"]
    assert world.transcripts.chats == {}


async def test_a_binary_frame_is_answered_in_words(world: World, page: Page) -> None:
    await page.say_bytes(b"\x00\x01")

    assert (await page.hear("error"))["text"] == ZH["web.error_malformed"]
    assert len(world.inbox.accepted) == 1


async def test_who_says_too_much_at_once_is_asked_to_wait(world: World, page: Page) -> None:
    world.clock.fixed = datetime.now(UTC)
    for nth in range(BURST + 1):
        await page.say(type="message", id=f"message-{nth}", text="hi")

    error = await page.hear("error")
    assert (error["text"], error["retry"]) == (ZH["web.error_rate"], True)
    world.clock.fixed += timedelta(seconds=2)
    await page.say(type="message", id="message-later", text="hi")
    assert (await page.hear("ack"))["id"] == "message-later"


async def test_the_trace_is_told_to_whose_turn_it_was(
    world: World, session: ClientSession, page: Page
) -> None:
    world.views.traces[("anna", "web:web:anna:1")] = (Verbatim("因为"),)
    await world.tokens.invite("anna", "sesame")
    anna = await Page(session, world).open(headers={"Authorization": "Bearer sesame"})

    for each in (page, anna):
        await each.say(type="trace", event="web:web:anna:1")

    assert (await page.hear("trace"))["lines"] == [ZH["web.trace_empty"]]
    assert (await anna.hear("trace"))["lines"] == ["因为"]
    await anna.close()


async def test_typing_reaches_the_page(world: World, page: Page) -> None:
    await page.say(type="message", id="message-1", text="hi")
    await page.hear("ack")

    await world.adapter.show_typing(world.parsed()[-1].chat)

    assert await page.hear("typing") == {"type": "typing"}


async def test_a_growing_answer_reaches_the_page_and_stays_no_message(
    world: World, page: Page
) -> None:
    await page.say(type="message", id="message-1", text="hi")
    await page.hear("ack")
    chat = world.parsed()[-1].chat

    growing = Growing(event_id="web:web:local:message-1", chat=chat, text="一二", locale="en")
    assert await world.adapter.preview(growing) == ""

    assert await page.hear("preview") == {
        "type": "preview",
        "event": "web:web:local:message-1",
        "text": "一二",
    }


async def test_a_chart_arrives_as_pictures_of_the_person(world: World, page: Page) -> None:
    pytest.importorskip("matplotlib")
    chart = ChartBlock(
        chart="bar",
        title=Verbatim("支出"),
        labels=(Verbatim("一月"),),
        series=(ChartSeries(Verbatim("餐饮"), ("12",)),),
    )

    await world.say(chart)

    payload = (await page.hear_items())[0]["payload"]
    assert isinstance(payload, dict)
    block = payload["blocks"][0]
    owners = {owner for owner, _ in world.files.files}
    assert block["kind"] == "chart"
    assert {block["light"], block["dark"]} == {file_id for _, file_id in world.files.files}
    assert owners == {world.parsed()[0].account.key}


async def test_a_transcript_that_cannot_be_written_is_tried_again_later(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def down(*_: object, **__: object) -> None:
        raise StorageUnavailableError

    monkeypatch.setattr(world.transcripts, "put", down)

    with pytest.raises(RetryableAdapterError):
        await world.say(TextBlock(Verbatim("hi")))


async def test_the_state_carries_every_text_of_the_page_in_the_persons_language(
    world: World, session: ClientSession
) -> None:
    world.views.locale = "en"

    page = await Page(session, world).open()

    state = await page.hear("state")
    texts = state["texts"]
    assert isinstance(texts, dict)
    assert (state["locale"], texts["send"]) == ("en", "Send")
    await page.close()


async def test_the_adapter_is_what_the_hub_expects(world: World) -> None:
    adapter: Adapter = world.adapter

    assert (adapter.platform, adapter.bot) == ("web", "web")
    assert adapter.capabilities == Capabilities(edits=True, idempotent_send=True, capsules=True)


async def test_health_counts_the_open_pages(
    world: World, page: Page, session: ClientSession
) -> None:
    assert world.adapter.health() == {"clients": "1"}
    answer = await session.get(f"{world.origin}/healthz")
    assert await answer.json() == {"status": "ok", "parts": {"web": {"clients": "1"}}}
    assert page.socket is not None

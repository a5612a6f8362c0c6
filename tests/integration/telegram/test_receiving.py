"""Long polling: nothing lost, nothing doubled, in order, whatever the platform does."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from adapters.telegram import adapter, library
from bot.access import invite
from bot.clock import ManualClock
from bot.core.errors import ConflictError, StorageUnavailableError
from bot.core.events import Account
from bot.core.inbox import InboxStatus
from bot.core.turns import TurnOutcome, TurnRecord
from tests.emulators.telegram import GROUP, PRIVATE, USERNAME, BotApi
from tests.emulators.telegram_stage import TelegramStage, telegram_stage
from tests.stage import TUESDAY


def dead(update_id: int) -> str:
    return f"telegram:4242424242:{update_id}"


async def test_an_update_that_cannot_be_read_stops_nobody(hub: TelegramStage) -> None:
    """PT2: a dead letter in the middle of a batch; PT23: an unknown kind is passed over."""
    hub.api.push({"message": {"chat": "?", "rich_message": {}}}, update_id=300, deliver=True)
    hub.api.push({"brand_new_kind": {"x": 1}}, update_id=301)
    hub.api.say("午饭35", update_id=302)
    await hub.settle()

    row = await hub.app.stores.inbox.get(dead(300))
    assert row is not None
    assert row.status is InboxStatus.DEAD
    assert await hub.app.stores.inbox.get(dead(301)) is None
    assert await hub.items() == ["午饭 35.00"]
    assert hub.api.waiting == 0


async def test_ten_quick_messages_are_answered_in_their_order(hub: TelegramStage) -> None:
    """PT3."""
    things = ["咖啡", "奶茶", "早餐", "午饭", "晚饭", "水果", "地铁", "打车", "电影", "零食"]
    for number, thing in enumerate(things):
        hub.api.say(f"{thing}{number + 11}元")
    await hub.settle()

    assert await hub.items() == [f"{thing} {n + 11}.00" for n, thing in enumerate(things)]
    answers = hub.api.texts()
    assert all(thing in answer for thing, answer in zip(things, answers, strict=True))


async def test_updates_out_of_order_are_taken_in_order_and_doubles_once(
    hub: TelegramStage,
) -> None:
    release = hub.api.hang("getUpdates")
    second = hub.api.say("打车20", update_id=205, deliver=False)
    first = hub.api.say("午饭35", update_id=204, deliver=False)
    for update in (second, first, first, second):
        content = {k: v for k, v in update.items() if k != "update_id"}
        hub.api.push(content, update_id=update["update_id"])
    release.set()
    await hub.settle()

    assert await hub.items() == ["午饭 35.00", "打车 20.00"]


async def test_what_was_received_before_a_crash_is_handled_once_after_it(tmp_path: Path) -> None:
    """T07, PT1: the row is there, the offset was not acknowledged, the process is gone."""
    api = BotApi()
    async with telegram_stage(tmp_path, api=api) as hub:
        await hub.say("咖啡20")
        acknowledged = hub.app.stores.inbox.accept

        async def then_crash(update: object) -> None:
            await acknowledged(update)  # type: ignore[arg-type]
            raise StorageUnavailableError("the machine is gone")

        hub.app.stores.inbox.accept = then_crash  # type: ignore[method-assign]
        api.say("午饭35", update_id=900)
        await hub.until(lambda: api.count("getUpdates") >= 2)
        while await hub.app.stores.inbox.get(dead(900)) is None:
            await hub.breathe()
        assert api.waiting == 1

    async with telegram_stage(tmp_path, api=api) as hub:
        await hub.settle()
        assert await hub.items() == ["咖啡 20.00", "午饭 35.00"]
        assert sum("午饭" in words for words in api.texts()) == 1


async def test_a_store_that_is_away_keeps_the_update_with_the_platform(
    hub: TelegramStage,
) -> None:
    accept = hub.app.stores.inbox.accept
    away = asyncio.Event()

    async def unavailable(_update: object) -> None:
        away.set()
        raise StorageUnavailableError("away")

    hub.app.stores.inbox.accept = unavailable  # type: ignore[method-assign, assignment]
    hub.api.say("午饭35")
    await asyncio.wait_for(away.wait(), 5)
    assert hub.api.waiting == 1

    hub.app.stores.inbox.accept = accept  # type: ignore[method-assign]
    await hub.turn_until(lambda: hub.api.waiting == 0)
    await hub.settle()
    assert await hub.items() == ["午饭 35.00"]


async def test_a_deaf_connection_is_replaced_within_150_seconds(hub: TelegramStage) -> None:
    """T05: half open, while everything else works; the health page shows it meanwhile."""
    await hub.say("早餐8")
    never = hub.api.hang("getUpdates")
    hub.api.say("打车20")  # wakes the request that waits, the next one hangs
    await hub.until(lambda: not hub.api.faults["getUpdates"])
    hub.api.say("午饭35")
    assert "last answer" in hub.adapter.health()["polling"]

    hub.clock.turn(seconds=149)
    await hub.breathe()
    assert hub.adapter.health()["polling"].startswith("last answer 149")
    hub.clock.turn(seconds=1)
    assert hub.adapter.health()["polling"].startswith("!")
    await hub.turn_until(lambda: hub.api.waiting == 0)
    await hub.settle()

    assert await hub.items() == ["早餐 8.00", "打车 20.00", "午饭 35.00"]
    assert "1 reconnections" in hub.adapter.health()["polling"]
    never.set()


async def test_another_poller_is_told_of_on_the_health_page_and_waited_for(
    hub: TelegramStage,
) -> None:
    hub.api.fail(
        "getUpdates",
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance "
        "is running",
        times=2,
    )
    hub.api.say("午饭35")
    await hub.until(lambda: hub.adapter.health()["polling"].startswith("!"))
    assert "another program" in hub.adapter.health()["polling"]

    await hub.turn_until(lambda: hub.api.waiting == 0)
    await hub.settle()
    assert await hub.items() == ["午饭 35.00"]
    assert not hub.adapter.health()["polling"].startswith("!")


async def test_a_webhook_is_taken_off_without_dropping_what_waits(tmp_path: Path) -> None:
    api = BotApi()
    api.webhook = {"url": "https://old.example/hook", "secret": ""}
    api.say("午饭35")
    async with telegram_stage(tmp_path, api=api) as hub:
        await hub.settle()
        assert await hub.items() == ["午饭 35.00"]

        api.webhook = {"url": "https://again.example/hook", "secret": ""}
        api.say("打车20")
        await hub.turn_until(lambda: api.waiting == 0)
        await hub.settle()
        assert len(await hub.items()) == 2


async def test_a_platform_that_fails_in_every_way_loses_nothing(hub: TelegramStage) -> None:
    hub.api.html_page("getUpdates", 502)
    hub.api.fail("getUpdates", 500, "Internal Server Error")
    hub.api.reset("getUpdates")
    hub.api.flood_wait("getUpdates", 3)
    hub.api.fail("getUpdates", 401, "Unauthorized")
    hub.api.say("午饭35")

    await hub.turn_until(lambda: hub.api.waiting == 0)
    await hub.settle()
    assert await hub.items() == ["午饭 35.00"]


async def test_polling_begins_before_the_library_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 3, 5: intake needs only JSON; what is said meanwhile is answered afterwards."""
    ready = asyncio.Event()

    async def slow() -> object:
        await ready.wait()
        return await library.load()

    monkeypatch.setattr(adapter, "load", slow)
    async with telegram_stage(tmp_path) as hub:
        hub.api.say("午饭35")
        await hub.until(lambda: hub.api.waiting == 0)
        assert hub.adapter.health()["sending"] == "loading"
        assert hub.api.shown == []

        ready.set()
        await hub.settle()
        assert "35" in hub.api.last().plain


async def test_an_edit_changes_the_entry_it_made(hub: TelegramStage) -> None:
    """T09."""
    await hub.say("午饭35", message_id=70)
    (notice,) = await hub.say("午饭53", message_id=70, edited=True)

    assert await hub.items() == ["午饭 53.00"]
    assert "53" in notice.plain


async def test_a_reply_to_our_message_reaches_what_it_shows(hub: TelegramStage) -> None:
    (shown,) = await hub.say("午饭35")
    await hub.say("打车20")

    await hub.say("午饭45", reply_to_message={"message_id": shown.message_id})
    assert await hub.items() == ["午饭 45.00", "打车 20.00"]


async def test_two_quick_messages_are_two_entries_and_stop_passes_them_by(
    hub: TelegramStage,
) -> None:
    """T42: while a turn is held up, `/stop` is answered; what waits is done afterwards."""
    await album(hub, captions=("报销",))
    hub.api.say("午饭35")
    hub.api.say("打车20")
    hub.api.say("/stop")
    await hub.until(lambda: bool(hub.api.shown))
    assert await hub.items() == []

    await hub.turn_until(lambda: len(hub.api.shown) == 4)
    await hub.settle()
    assert await hub.items() == ["午饭 35.00", "打车 20.00"]
    assert ["午饭" in hub.api.texts()[2], "打车" in hub.api.texts()[3]] == [True, True]


async def test_a_group_hears_from_us_only_when_it_speaks_to_us(hub: TelegramStage) -> None:
    """PT21."""
    await hub.say("午饭35", chat=GROUP)
    await hub.say("/help@otherbot", chat=GROUP)
    assert hub.api.shown == []

    (booked,) = await hub.say(f"@{USERNAME} 午饭35", chat=GROUP)
    assert booked.chat_id == GROUP
    assert await hub.items() == ["午饭 35.00"]

    reply = {"message_id": booked.message_id, "from": {"id": 4242424242, "is_bot": True}}
    await hub.say("午饭45", chat=GROUP, reply_to_message=reply)
    assert await hub.items() == ["午饭 45.00"]
    assert f"tg://user?id={PRIVATE}" in hub.api.last(GROUP).html


async def test_what_is_no_text_is_answered_politely(hub: TelegramStage) -> None:
    for content in (
        {"location": {"latitude": 31.2, "longitude": 121.5}},
        {"sticker": {"file_id": "s"}},
    ):
        (answer,) = await hub.say("", **content)
        assert "位置、表情" in answer.plain
    (answer,) = await hub.say("", photo=hub.api.photo())
    assert answer.plain


async def album(
    hub: TelegramStage,
    *,
    captions: tuple[str, ...],
    chat: int = PRIVATE,
    pictures: tuple[bytes, ...] = (),
) -> None:
    for number, caption in enumerate(captions):
        more: dict[str, Any] = {"caption": caption} if caption else {}
        data = pictures[number] if pictures else b"\xff\xd8jpeg"
        hub.api.say("", chat=chat, media_group_id="g1", photo=hub.api.photo(data), **more)
    await hub.until(lambda: hub.api.waiting == 0)


async def stored(hub: TelegramStage, turn: TurnRecord) -> list[bytes]:
    """Return the bytes of a turn's attachments, as our own store holds them."""
    who = Account(platform="telegram", bot=hub.adapter.bot, user_id=str(PRIVATE))
    found = [await hub.app.stores.files.get(who.key, ref) for ref in turn.attachments]
    assert None not in found
    return [kept[1] for kept in found if kept is not None]


async def test_an_album_is_one_turn_with_all_its_pictures(hub: TelegramStage) -> None:
    """T10, PT17."""
    pictures = (b"one", b"two", b"three")
    await album(hub, captions=("报销", "", ""), pictures=pictures)
    await hub.turn_until(lambda: len(hub.api.shown) == 1)
    await hub.settle()

    turns = [await hub.app.stores.turns.get(dead(n)) for n in (100, 101, 102)]
    first = turns[0]
    assert first is not None
    assert (first.text, len(first.attachments)) == ("报销", 3)
    assert turns[1:] == [None, None]
    assert await stored(hub, first) == [b"one", b"two", b"three"]
    assert len(hub.api.shown) == 1
    assert (await hub.app.stores.inbox.counts()) == {"done": 3}


async def test_a_document_is_in_our_store_before_the_agent_runs(hub: TelegramStage) -> None:
    file_id = hub.api.photo(b"%PDF")[-1]["file_id"]
    document = {"file_id": file_id, "file_name": "a.pdf", "mime_type": "application/pdf"}
    await hub.say("", caption="看看", document=document)

    turn = await hub.app.stores.turns.get(dead(100))
    assert turn is not None
    assert await stored(hub, turn) == [b"%PDF"]


async def test_a_file_that_cannot_be_fetched_is_told_and_changes_nothing_else(
    hub: TelegramStage,
) -> None:
    """PT18: too big, and gone; the words beside it are not acted on without it."""
    big = await hub.say("", caption="午饭35", photo=hub.api.photo(b"x", size=21 * 2**20))
    hub.api.fail("getFile", 400, "Bad Request: wrong file_id")
    gone = await hub.say("", caption="午饭35", photo=hub.api.photo())

    assert ["20 MB" in big[0].plain, "再发一次" in gone[0].plain] == [True, True]
    assert (len(big), len(gone)) == (1, 1)
    assert await hub.items() == []
    turn = await hub.app.stores.turns.get(dead(101))
    assert turn is not None
    assert (turn.outcome, turn.attachments) == ("not_fetched", ())

    (asked,) = await hub.say("", caption="午饭35", photo=hub.api.photo())
    assert "午饭 ¥35.00" in asked.plain


async def test_a_turn_that_runs_again_fetches_nothing_twice(
    hub: TelegramStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, conflicts = hub.app.stores.turns.commit, [ConflictError("moved on")]

    async def commit_at_the_second_try(outcome: TurnOutcome) -> None:
        if conflicts:
            raise conflicts.pop()
        await commit(outcome)

    monkeypatch.setattr(hub.app.stores.turns, "commit", commit_at_the_second_try)
    await hub.say("", caption="午饭35", photo=hub.api.photo())

    assert conflicts == []
    assert hub.api.count("getFile") == 1
    assert "午饭 ¥35.00" in hub.api.last().plain


async def test_what_a_turn_has_done_is_not_denied_when_its_file_is_gone_at_the_rerun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, clock = BotApi(), ManualClock(TUESDAY)
    async with telegram_stage(tmp_path, api=api, clock=clock, shutdown_grace=0.05) as hub:
        begun = asyncio.Event()

        async def never(_outcome: TurnOutcome) -> None:
            begun.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(hub.app.stores.turns, "commit", never)
        file_id = api.photo()[-1]["file_id"]
        api.say("", caption="午饭35", document={"file_id": file_id})
        await begun.wait()
        asyncio.get_running_loop().call_later(0.1, lambda: clock.turn(seconds=0.1))
    api.files.clear()
    async with telegram_stage(tmp_path, api=api, clock=clock) as hub:
        await hub.settle()
        assert await hub.items() == ["午饭 35.00"]
        assert ["午饭" in words for words in api.texts()] == [True]


async def test_a_stranger_makes_us_fetch_nothing(tmp_path: Path) -> None:
    async with telegram_stage(tmp_path, allowed_ids="telegram:1001") as hub:
        await hub.say("", who=2002, photo=hub.api.photo())
        assert hub.api.count("getFile") == 0


async def test_a_picture_that_comes_late_takes_the_albums_words_along(hub: TelegramStage) -> None:
    """T10: 2 s late; it is answered too, as part of what the album was about."""
    await album(hub, captions=("报销", ""))
    await hub.turn_until(lambda: len(hub.api.shown) == 1)
    await album(hub, captions=("",))
    await hub.turn_until(lambda: len(hub.api.shown) == 2)
    await hub.settle()

    late = await hub.app.stores.turns.get(dead(102))
    assert late is not None
    assert (late.text, len(late.attachments)) == ("报销", 1)


async def test_an_album_in_a_group_is_let_in_by_the_one_caption_that_names_us(
    hub: TelegramStage,
) -> None:
    await album(hub, captions=(f"@{USERNAME} 报销", "", ""), chat=GROUP)
    await hub.turn_until(lambda: bool(hub.api.shown))
    await hub.settle()

    first = await hub.app.stores.turns.get(dead(100))
    assert first is not None
    assert len(first.attachments) == 3


async def test_an_album_that_was_interrupted_is_gathered_again(tmp_path: Path) -> None:
    api, clock = BotApi(), ManualClock(TUESDAY)
    async with telegram_stage(tmp_path, api=api, clock=clock, shutdown_grace=0.05) as hub:
        await album(hub, captions=("报销", "", ""))
        asyncio.get_running_loop().call_later(0.1, lambda: clock.turn(seconds=0.1))
    async with telegram_stage(tmp_path, api=api, clock=clock) as hub:
        await hub.turn_until(lambda: len(api.shown) == 1)
        await hub.settle()
        first = await hub.app.stores.turns.get(dead(100))
        assert first is not None
        assert len(first.attachments) == 3


async def test_only_listed_ids_come_in_by_every_kind_of_update(tmp_path: Path) -> None:
    """T44: numbers, never names; text, photo, edit and press alike."""
    async with telegram_stage(tmp_path, allowed_ids="telegram:1001") as hub:
        (mine,) = await hub.say("午饭35")
        stranger = 2002
        for content in (
            {"text": "午饭99"},
            {"text": "", "photo": hub.api.photo()},
            {"text": "午饭98", "message_id": 900, "edited": True},
            {"text": "/entries"},
        ):
            text = str(content.pop("text"))
            (refusal,) = await hub.say(text, who=stranger, **content)
            assert "telegram:2002" in refusal.plain
        toast, _ = await hub.press(mine, "撤销", who=stranger)
        assert toast != ""
        assert await hub.items() == ["午饭 35.00"]


async def test_a_start_link_with_a_code_lets_an_unlisted_person_in(tmp_path: Path) -> None:
    """https://core.telegram.org/bots/features#deep-linking: the payload comes behind /start."""
    async with telegram_stage(tmp_path, allowed_ids="telegram:1001") as hub:
        code = await invite(hub.app.stores.invitations, made_by="test", clock=hub.clock)
        (refusal,) = await hub.say("午饭35", who=2002)
        assert "telegram:2002" in refusal.plain

        (greeting,) = await hub.say(f"/start {code}", who=2002)
        assert "telegram:2002" not in greeting.plain
        (booked,) = await hub.say("午饭35", who=2002)
        assert "午饭" in booked.plain


async def test_more_than_a_lane_holds_is_said_once_and_not_in_silence(
    hub: TelegramStage,
) -> None:
    hub.app.dispatcher.lanes.has_room = lambda lane: not lane  # type: ignore[method-assign]
    for _ in range(3):
        hub.api.say("午饭35")
    await hub.until(lambda: hub.api.waiting == 0 and bool(hub.api.shown))

    assert len(hub.api.shown) == 1
    assert "消息太多" in hub.api.last().plain

"""What is remembered is listed and forgotten without any model."""

from pathlib import Path

import pytest

from tests.emulators.openai import Endpoint
from tests.integration.llm.chat_stage import asked, chat_stage
from tests.stage import Stage, stage

NOTES = ["我不吃香菜", "我喜欢爬山", "我在学吉他"]


async def remember(hub: Stage) -> None:
    for note in NOTES:
        await hub.say(f"记住{note}")


async def stored(hub: Stage, scope: str = "") -> list[str]:
    owner = (await hub.person()).person_id
    return [note.text for note in await hub.app.stores.memory.list(owner, scope)]


async def test_the_list_shows_every_note_with_its_number_and_button(tmp_path: Path) -> None:
    async with stage(tmp_path) as hub:
        await remember(hub)
        (shown,) = await hub.say("你记住了什么")
        assert [line for line in shown.text.splitlines() if line[0].isdigit()] == [
            f"{n}. {note}" for n, note in enumerate(NOTES, start=1)
        ]
        assert list(shown.buttons) == ["忘掉 1", "忘掉 2", "忘掉 3"]


@pytest.mark.parametrize("words", ["你记住了什么", "what do you remember about me"])
async def test_with_nothing_stored_it_says_so(tmp_path: Path, words: str) -> None:
    async with stage(tmp_path) as hub:
        (shown,) = await hub.say(words)
        assert "还没有让我记住的事" in shown.text
        assert not shown.buttons


@pytest.mark.parametrize("words", ["忘掉第2条", "删除第二条记忆", "forget number 2"])
async def test_a_number_forgets_that_note_and_undo_brings_it_back(
    tmp_path: Path, words: str
) -> None:
    async with stage(tmp_path) as hub:
        await remember(hub)
        (done,) = await hub.say(words)
        assert done.text.startswith("已忘记：我喜欢爬山")
        assert await stored(hub) == ["我不吃香菜", "我在学吉他"]
        (back,) = await hub.press(done, "撤销")
        assert "已记住：我喜欢爬山" in back.text
        assert await stored(hub) == ["我不吃香菜", "我在学吉他", "我喜欢爬山"]


async def test_right_after_the_list_a_bare_number_means_its_note(tmp_path: Path) -> None:
    async with stage(tmp_path) as hub:
        await remember(hub)
        await hub.say("你记住了什么")
        (done,) = await hub.say("删掉第3条")
        assert "已忘记：我在学吉他" in done.text
        (again,) = await hub.say("忘掉第2条")
        assert "已忘记：我喜欢爬山" in again.text


async def test_the_button_forgets_its_note_and_a_second_press_of_an_old_one_harms_nothing(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path) as hub:
        await remember(hub)
        (shown,) = await hub.say("你记住了什么")
        (older,) = await hub.say("你记住了什么")
        (done,) = await hub.press(shown, "忘掉 2")
        assert done.message_id == shown.message_id
        assert "已忘记：我喜欢爬山" in done.text
        assert "2. 我在学吉他" in done.text
        (gone,) = await hub.press(older, "忘掉 2")
        assert "没有找到这条记忆" in gone.text
        assert await stored(hub) == ["我不吃香菜", "我在学吉他"]


@pytest.mark.parametrize("words", ["忘掉第9条", "forget number 9"])
async def test_a_number_that_is_not_there_deletes_nothing_and_shows_the_list(
    tmp_path: Path, words: str
) -> None:
    async with stage(tmp_path) as hub:
        await remember(hub)
        (shown,) = await hub.say(words)
        assert "没有第 9 条" in shown.text
        assert "1. 我不吃香菜" in shown.text
        assert await stored(hub) == NOTES


async def test_a_group_is_shown_its_own_notes_only(tmp_path: Path) -> None:
    async with stage(tmp_path) as hub:
        await remember(hub)
        (shown,) = await hub.say("你记住了什么", chat="g1", group=True)
        assert "香菜" not in shown.text


async def test_a_model_is_not_asked_for_what_the_rows_say(tmp_path: Path) -> None:
    endpoint = Endpoint()
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("记住我不吃香菜")
        before = len(asked(endpoint))
        (shown,) = await hub.say("你记住了什么")
        (done,) = await hub.press(shown, "忘掉 1")
        assert "已忘记：我不吃香菜" in done.text
        assert await stored(hub) == []
        assert len(asked(endpoint)) == before

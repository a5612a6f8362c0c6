"""Small talk in the whole hub without a model."""

import pytest

from tests.stage import Stage

NO_MODEL = "没有配置语言模型"


@pytest.mark.parametrize("words", ["你真笨", "滚", "我好累", "哈哈哈哈", "你好", "再见", "谢谢"])
async def test_small_talk_gets_a_short_friendly_answer(hub: Stage, words: str) -> None:
    (answer,) = await hub.say(words)

    assert NO_MODEL not in answer.text
    assert len(answer.text) <= 60


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("你是谁", "我是 Switchboard"),
        ("你会忘记我说的吗", "不会自己忘"),
        ("我的数据存在哪", "export"),
        ("where is my data?", "export"),
        ("who are you?", "我是 Switchboard"),
    ],
)
async def test_questions_about_the_assistant_get_no_list_of_functions(
    hub: Stage, words: str, part: str
) -> None:
    (answer,) = await hub.say(words)

    assert part in answer.text
    assert "点按钮看用法" not in answer.text


async def test_what_is_not_to_be_forgotten_is_kept_without_a_model(hub: Stage) -> None:
    (answer,) = await hub.say("别忘了我不吃香菜")

    assert answer.text == "已记住：我不吃香菜"


async def test_a_password_is_not_kept_and_this_is_said(hub: Stage) -> None:
    (answer,) = await hub.say("记住：密码是hunter2")

    assert "没有存进记忆" in answer.text
    owner = (await hub.person()).person_id
    assert await hub.app.stores.memory.list(owner, "") == ()


async def test_a_newcomer_is_welcomed_and_a_known_person_welcomed_back(hub: Stage) -> None:
    (first,) = await hub.say("/start")
    await hub.say("午饭35")
    (second,) = await hub.say("/start")

    assert first.text.startswith("欢迎，朋友")
    assert second.text.startswith("欢迎回来，朋友")


async def test_a_conversation_is_named_by_its_first_words(hub: Stage) -> None:
    await hub.say("/start")
    await hub.say("午饭35")
    (listed,) = await hub.say("/chats")

    assert "午饭35" in listed.text
    assert "/start" not in listed.text


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        ("把我的货币改成美元", "currency", "USD"),
        ("切换成英文", "locale", "en"),
        ("时区改成纽约", "zone", "America/New_York"),
        ("我的货币是欧元", "currency", "EUR"),
        ("my time zone is Tokyo", "zone", "Asia/Tokyo"),
        ("我叫小明", "name", "小明"),
        ("my name is Anna Lee", "name", "Anna Lee"),
    ],
)
async def test_one_may_say_ones_settings_in_words(
    hub: Stage, words: str, field: str, value: str
) -> None:
    await hub.say(words)

    assert getattr(await hub.person(), field) == value


@pytest.mark.parametrize("words", ["我叫了外卖", "我叫你呢", "把奶茶改成英文名"])
async def test_what_only_sounds_like_settings_changes_none(hub: Stage, words: str) -> None:
    await hub.say("你好")
    before = await hub.person()
    await hub.say(words)

    assert await hub.person() == before


async def test_settings_in_words_are_heard_right_after_an_entry(hub: Stage) -> None:
    await hub.say("午饭35")
    await hub.say("把我的货币改成美元")

    assert (await hub.person()).currency == "USD"


@pytest.mark.parametrize(
    "words", ["/settings 东京 USD", "/settings USD，东京", "/settings Asia/Tokyo USD"]
)
async def test_several_settings_of_one_message_are_all_changed(hub: Stage, words: str) -> None:
    await hub.say(words)

    person = await hub.person()
    assert (person.zone, person.currency) == ("Asia/Tokyo", "USD")


async def test_settings_of_which_one_is_not_read_change_nothing_and_say_so(hub: Stage) -> None:
    await hub.say("你好")
    before = await hub.person()

    (answer,) = await hub.say("/settings 东京 USD 某某")

    assert "没看懂" in answer.text
    assert await hub.person() == before


async def test_the_question_for_a_setting_shows_it_and_changes_nothing(hub: Stage) -> None:
    (answer,) = await hub.say("我的货币是美元吗")

    assert "CNY" in answer.text
    assert (await hub.person()).currency == "CNY"

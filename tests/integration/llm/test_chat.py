"""The chat agent with a model: it talks, remembers, asks before it deletes, and stays honest."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import web
from pydantic import JsonValue

from bot.core.inbox import UpdateKind
from bot.core.memory import MemoryType
from tests.emulators.openai import Endpoint, failing, hanging
from tests.emulators.openai_mind import Answer, Prompt
from tests.integration.llm.chat_stage import asked, chat_stage
from tests.patience import PATIENCE_SECONDS
from tests.stage import Stage


async def notes(hub: Stage, who: str = "anna", scope: str = "") -> list[tuple[str, str]]:
    owner = (await hub.person(who)).person_id
    return [(n.type.value, n.text) for n in await hub.app.stores.memory.list(owner, scope)]


async def test_it_answers_and_knows_what_was_said_before(tmp_path: Path) -> None:
    endpoint = Endpoint()
    async with chat_stage(tmp_path, endpoint) as hub:
        (first,) = await hub.say("讲讲秋天")
        assert first.text == "你说的是：讲讲秋天"
        (second,) = await hub.say("我刚才说了什么")
        assert second.text == "你说过：讲讲秋天"


async def test_a_note_is_saved_on_request_confirmed_from_the_row_and_recalled(
    tmp_path: Path,
) -> None:
    async with chat_stage(tmp_path, Endpoint()) as hub:
        (saved,) = await hub.say("记住我不吃香菜")
        assert saved.text.endswith("已记住：我不吃香菜")
        assert await notes(hub) == [("constraint", "我不吃香菜")]
        (recalled,) = await hub.say("你还记得我的忌口吗")
        assert recalled.text == "我记得：我不吃香菜"


@pytest.mark.parametrize("kind", list(MemoryType))
async def test_each_type_of_note_can_be_kept(tmp_path: Path, kind: MemoryType) -> None:
    endpoint = Endpoint()
    call = Answer(calls=(("memory_save", {"type": kind.value, "text": "我常去爬山"}),))
    endpoint.mind.first.append(lambda p: None if p.results else call)
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("帮我记着我常去爬山")
        assert await notes(hub) == [(kind.value, "我常去爬山")]


async def test_what_is_over_soon_is_not_kept_whatever_the_model_wants(tmp_path: Path) -> None:
    endpoint = Endpoint()
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("记住我今天穿了红衣服")
        assert await notes(hub) == []
        result = asked(endpoint)[-1]["messages"][-1]["content"]
        assert "over soon" in result


async def test_forgetting_waits_for_a_press_and_goes_on_after_it(tmp_path: Path) -> None:
    endpoint = Endpoint()
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("记住我不吃香菜")
        (asks,) = await hub.say("忘掉香菜那条吧")
        assert "要忘记这条吗？\n我不吃香菜" in asks.text
        assert await notes(hub) == [("constraint", "我不吃香菜")]
        before = len(asked(endpoint))
        (done,) = await hub.press(asks, "确认")
        assert "已忘记：我不吃香菜" in done.text
        assert done.message_id == asks.message_id
        assert await notes(hub) == []
        resumed = asked(endpoint)[before]["messages"]
        assert "我不吃香菜" in str(resumed[-1]["content"])


async def test_declining_changes_nothing(tmp_path: Path) -> None:
    endpoint = Endpoint()
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("记住我不吃香菜")
        (asks,) = await hub.say("忘掉香菜那条吧")
        before = len(endpoint.requests)
        (done,) = await hub.press(asks, "不要")
        assert done.text == "好的，什么都没有做。"
        assert len(await notes(hub)) == 1
        assert len(endpoint.requests) == before


async def test_a_name_is_changed_by_rule_and_told_from_the_row(tmp_path: Path) -> None:
    endpoint = Endpoint()
    async with chat_stage(tmp_path, endpoint) as hub:
        (renamed,) = await hub.say("以后叫我老王")
        assert renamed.text == "好的，以后叫你老王。"
        (who,) = await hub.say("我叫什么")
        assert "老王" in who.text
        assert not asked(endpoint)


async def test_a_promise_without_a_call_is_replaced_by_the_truth(tmp_path: Path) -> None:
    """T31, first case."""
    endpoint = Endpoint()
    endpoint.mind.first.append(lambda _: Answer("好的，到时提醒你。路上小心。"))
    async with chat_stage(tmp_path, endpoint) as hub:
        (answer,) = await hub.say("陪我聊聊下个月的出差")
        assert "提醒你" not in answer.text
        assert "路上小心。" in answer.text
        assert "我没有设置提醒" in answer.text


async def test_a_promise_that_a_reminder_of_before_keeps_is_no_false_one(
    tmp_path: Path,
) -> None:
    """T31, second case: the reminder was set in an earlier turn."""
    endpoint = Endpoint()
    endpoint.mind.first.append(lambda _: Answer("好的，到时提醒你。"))
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("明早8点提醒我开会")
        (answer,) = await hub.say("太好了，有你真省心啊")
        assert answer.text == "好的，到时提醒你。"
        (other,) = await hub.say("下午3点的牙医也一样哦")
        assert "我没有设置提醒" in other.text


async def test_a_call_of_a_tool_that_chat_was_not_given_does_nothing(tmp_path: Path) -> None:
    endpoint = Endpoint()
    call = ("ledger_insert", {"drafts": [{"item": "x", "amount": "1"}]})
    endpoint.mind.first.append(lambda p: None if p.results else Answer(calls=(call,)))
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("随便聊聊")
        assert await hub.items() == []
        offered = {t["function"]["name"] for t in asked(endpoint)[0]["tools"]}
        assert "ledger_insert" not in offered
        assert "no such tool" in str(asked(endpoint)[-1]["messages"])


async def test_all_providers_down_is_one_honest_line_and_the_rest_goes_on(
    tmp_path: Path,
) -> None:
    """T41."""
    first, second = Endpoint(), Endpoint()
    first.down = second.down = failing(503, message="http://10.1.2.3 sk-abc")
    async with chat_stage(tmp_path, first, second) as hub:
        (answer,) = await hub.say("讲个故事吧")
        assert answer.text.startswith("语言模型现在连不上")
        for secret in ("http", "sk-", "503", "Error"):
            assert secret not in answer.text
        (booked,) = await hub.say("午饭35")
        assert "35" in booked.text
        (reminder,) = await hub.say("10分钟后提醒我喝水")
        assert "喝水" in reminder.text
        (due,) = await hub.later(minutes=10)
        assert "喝水" in due.text
        (help_,) = await hub.say("/help")
        assert help_.text
        (name,) = await hub.say("记住我不吃香菜")
        assert name.text == "已记住：我不吃香菜"
        first.down = None
        await hub.later(minutes=10)
        (again,) = await hub.say("讲个故事吧")
        assert again.text == "你说的是：讲个故事吧"


async def test_a_refused_key_reaches_the_administrator_once(tmp_path: Path) -> None:
    endpoint = Endpoint(key="sk-right")
    async with chat_stage(tmp_path, endpoint, admin_ids={"puppet:boss"}) as hub:
        await hub.say("/help", who="boss")
        for _ in range(2):
            await hub.say("讲个故事吧")
        await hub.later(seconds=1)
        told = [row for row in hub.puppet.sent if row.draft.chat.chat_id == "dm-boss"]
        assert sum("key_refused" in str(row.draft.message.blocks) for row in told) == 1


async def test_new_begins_afresh_and_the_list_leads_back(tmp_path: Path) -> None:
    endpoint = Endpoint()
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("讲讲秋天")
        (begun,) = await hub.say("/new")
        assert begun.text.startswith("开始新的对话")
        (asked_,) = await hub.say("我刚才说了什么")
        assert asked_.text == "你说过：-"
        (listed,) = await hub.say("/chats")
        assert "讲讲秋天" in listed.text
        (back,) = await hub.press(listed, "2. 讲讲秋天")
        assert back.text == "回到了“讲讲秋天”，接着说吧。"
        (again,) = await hub.say("我刚才说了什么")
        assert again.text == "你说过：讲讲秋天"


async def test_the_model_can_list_conversations_and_the_person_gets_buttons(
    tmp_path: Path,
) -> None:
    async with chat_stage(tmp_path, Endpoint()) as hub:
        await hub.say("讲讲秋天")
        await hub.say("/new")
        (listed,) = await hub.say("看看对话列表")
        assert "1. 讲讲秋天" in listed.buttons


async def test_a_group_has_its_own_memory_and_nobody_elses(tmp_path: Path) -> None:
    """T43."""
    async with chat_stage(tmp_path, Endpoint()) as hub:
        await hub.say("记住我的密码提示是蓝色")
        await hub.say("记住我喜欢爬山", chat="g1", group=True)

        (ben,) = await hub.say("你还记得我的喜好吗", who="ben")
        assert ben.text == "我记得：-"
        (in_group,) = await hub.say("你还记得我的喜好吗", chat="g1", group=True)
        assert in_group.text == "我记得：我喜欢爬山"
        (bens,) = await hub.say("你还记得我的喜好吗", who="ben", chat="g1", group=True)
        assert bens.text == "我记得：-"
        (private,) = await hub.say("你还记得我的喜好吗")
        assert private.text == "我记得：我的密码提示是蓝色"


async def test_a_long_conversation_is_summarised_outside_the_lane(tmp_path: Path) -> None:
    endpoint = Endpoint()

    def summary(prompt: Prompt) -> Answer | None:
        if "You keep the summary" not in prompt.system:
            return None
        return Answer(f"SUMMARY of {prompt.last.count('Person:')} turns")

    endpoint.mind.first.append(summary)
    async with chat_stage(tmp_path, endpoint) as hub:
        for number in range(20):
            await hub.say(f"第{number}件事")
        key = await session_of(hub)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await hub.app.stores.summaries.get(*key) is None:  # noqa: ASYNC110  # nobody tells
                await asyncio.sleep(0.01)
        found = await hub.app.stores.summaries.get(*key)
        assert found is not None
        assert found.covers >= 8
        await hub.say("后来呢")
        assert "SUMMARY of" in str(asked(endpoint)[-1]["messages"][0])


async def session_of(hub: Stage) -> tuple[str, str]:
    person = await hub.person()
    turns = await hub.app.stores.turns.of_person(person.person_id)
    return turns[-1].session_key, turns[-1].conversation


async def test_a_model_that_never_ends_is_ended(tmp_path: Path) -> None:
    endpoint = Endpoint()
    counter = iter(range(1000))
    endpoint.mind.first.append(
        lambda p: (
            Answer(calls=(("now_time", {"zone": f"Etc/GMT+{next(counter) % 12}"}),))
            if "now_time" in p.offered
            else None
        )
    )
    async with chat_stage(tmp_path, endpoint) as hub:
        (answer,) = await hub.say("讲个故事吧")
        assert answer.text
        assert len(asked(endpoint)) <= 8


async def test_the_same_call_is_not_made_twice(tmp_path: Path) -> None:
    endpoint = Endpoint()
    call = Answer(calls=(("memory_save", {"type": "fact", "text": "我常去爬山"}),))
    endpoint.mind.first.append(lambda p: call if "memory_save" in p.offered else None)
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("记住我常去爬山")
        assert await notes(hub) == [("fact", "我常去爬山")]


async def test_a_wrong_call_is_told_to_the_model_once_and_mended(tmp_path: Path) -> None:
    endpoint = Endpoint()
    wrong = Answer(calls=(("memory_save", {"type": "whim", "text": "我常去爬山"}),))
    right = Answer(calls=(("memory_save", {"type": "fact", "text": "我常去爬山"}),))

    def mend(prompt: Prompt) -> Answer | None:
        if not prompt.results:
            return wrong
        return right if "error" in prompt.results[-1] else None

    endpoint.mind.first.append(mend)
    async with chat_stage(tmp_path, endpoint) as hub:
        (answer,) = await hub.say("记住我常去爬山")
        assert await notes(hub) == [("fact", "我常去爬山")]
        assert answer.text.count("已记住") == 1


async def test_a_model_that_breaks_off_after_a_write_is_no_silence(tmp_path: Path) -> None:
    endpoint = Endpoint()

    def save_and_fail(_prompt: Prompt) -> Answer:
        endpoint.down = failing(500)
        return Answer(calls=(("memory_save", {"type": "fact", "text": "我常去爬山"}),))

    endpoint.mind.first.append(save_and_fail)
    async with chat_stage(tmp_path, endpoint) as hub:
        (answer,) = await hub.say("记住我常去爬山，然后讲个故事")
        assert "已记住：我常去爬山" in answer.text
        assert "中途断了" in answer.text


async def test_without_a_model_it_says_so(tmp_path: Path) -> None:
    async with chat_stage(tmp_path, Endpoint(), openai_model="") as hub:
        (answer,) = await hub.say("讲个故事吧")
        assert answer.text.startswith("没有配置语言模型")


async def test_stop_ends_an_answer_that_is_still_awaited(tmp_path: Path) -> None:
    endpoint = Endpoint()
    is_asked = asyncio.Event()

    async def hang(
        served: Endpoint, request: web.Request, body: dict[str, object]
    ) -> web.Response:
        is_asked.set()
        return await hanging(served, request, body)

    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("讲个故事吧")
        body: dict[str, JsonValue] = {"kind": "message", "text": "再讲个故事吧", "message": "m"}
        endpoint.down = hang
        await hub.feed(body, kind=UpdateKind.MESSAGE, who="anna", chat=None, settle=False)
        await is_asked.wait()
        is_asked.clear()
        hub.clock.turn(seconds=3)  # the routing call is over, chat asks
        await is_asked.wait()
        shown = await hub.say("/stop")
        assert "停" in shown[-1].text


async def test_a_longer_message_about_ones_name_goes_to_the_model(tmp_path: Path) -> None:
    async with chat_stage(tmp_path, Endpoint()) as hub:
        (answer,) = await hub.say("把“我的名字是小林，很高兴认识大家”这句话说得再正式一点好吗")
        assert answer.text.startswith("你说的是")

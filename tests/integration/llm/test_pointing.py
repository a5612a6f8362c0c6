"""What the grammar does not explain: a model points at words of the message, code computes."""

from pathlib import Path
from typing import Any

import pytest

from tests.emulators.openai import Endpoint, failing
from tests.emulators.openai_mind import Mind, Prompt
from tests.integration.llm.chat_stage import chat_stage
from tests.stage import Stage

ODD_REMINDER = "老板说周报得交了，你盯着我点，后天上午十点"


def pointing(title: str, value: dict[str, Any], intent: str) -> Endpoint:
    """Return a model that routes to the agent and points at these parts."""

    def route(_prompt: Prompt) -> dict[str, Any]:
        return {"intent": intent, "confidence": 0.95, "secondary": []}

    return Endpoint(mind=Mind(schemas={title: lambda _: value, "RoutingAnswer": route}))


def reminder(kind: str, what: str = "", when: str = "") -> Endpoint:
    value = {"kind": kind, "what": what, "when": when}
    return pointing("ReminderSpans", value, "schedule_manager")


def booking(*entries: tuple[str, str], day: str = "") -> Endpoint:
    value = {
        "kind": "book",
        "entries": [{"item": item, "amount": amount} for item, amount in entries],
        "day": day,
    }
    return pointing("LedgerSpans", value, "ledger_manager")


async def reminders(hub: Stage) -> list[tuple[str, str]]:
    person = await hub.person()
    found = await hub.app.stores.schedules.upcoming(person.person_id, limit=10)
    return [(s.what, f"{s.rule.dtstart_local:%m-%d %H:%M}") for s in found]


def was_asked(endpoint: Endpoint, title: str) -> bool:
    return any(title in str(request) for request in endpoint.requests)


async def test_a_model_that_agrees_changes_nothing(tmp_path: Path) -> None:
    endpoint = reminder("create", what="周报得交了", when="后天上午十点")
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say(ODD_REMINDER)
        assert was_asked(endpoint, "ReminderSpans")
        ((what, at),) = await reminders(hub)
        assert "周报得交了" in what
        assert at == "12-03 10:00"


async def test_a_model_that_reads_another_time_leads_to_a_question(tmp_path: Path) -> None:
    endpoint = reminder("create", what="周报得交了", when="周三上午十点")
    async with chat_stage(tmp_path, endpoint) as hub:
        (asks,) = await hub.say("老板说周报得交了，你盯着我点，下周三上午十点")
        assert await reminders(hub) == []
        assert len(asks.buttons) == 3
        await hub.press(asks, next(label for label in asks.buttons if "12-09" in label))
        assert await reminders(hub) == [("周报得交了", "12-09 10:00")]


async def test_a_wish_in_odd_words_is_done_by_the_words_that_were_pointed_at(
    tmp_path: Path,
) -> None:
    endpoint = reminder("delete", what="开会")
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("明早8点提醒我开会")
        await hub.say("开会那个事黄了，提醒也就不用留着了")
        assert await reminders(hub) == []


@pytest.mark.parametrize(
    ("what", "when"),
    [("交房租", "后天上午十点"), ("周报得交了", "明天早上八点"), ("周报得交了", "")],
)
async def test_words_that_nobody_said_set_nothing(tmp_path: Path, what: str, when: str) -> None:
    async with chat_stage(tmp_path, reminder("create", what=what, when=when)) as hub:
        await hub.say("老板说周报得交了，你盯着我点")
        assert await reminders(hub) == []


async def test_what_the_grammar_explains_never_reaches_the_model(tmp_path: Path) -> None:
    endpoint = reminder("create", what="喝水", when="明天")
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("明早8点提醒我开会")
        await hub.say("取消开会的提醒")
        await hub.say("我有哪些提醒")
        assert not was_asked(endpoint, "ReminderSpans")


async def test_a_model_cannot_delete_when_the_person_did_not_say_so(tmp_path: Path) -> None:
    async with chat_stage(tmp_path, reminder("delete", what="开会")) as hub:
        await hub.say("明早8点提醒我开会")
        await hub.say("那个开会的事情真烦人啊")
        assert [what for what, _ in await reminders(hub)] == ["开会"]


async def test_without_an_answer_of_the_model_the_grammar_goes_on(tmp_path: Path) -> None:
    endpoint = reminder("create")
    endpoint.down = failing(503)
    async with chat_stage(tmp_path, endpoint) as hub:
        (answer,) = await hub.say("10分钟后提醒我喝水")
        assert "喝水" in answer.text


async def test_an_entry_that_a_model_read_is_reviewed_before_it_is_booked(tmp_path: Path) -> None:
    said = "跟老同学聚了聚，最后我掏的腰包，一共是三百二，饭钱"
    async with chat_stage(tmp_path, booking(("饭钱", "三百二"))) as hub:
        (asks,) = await hub.say(said)
        assert "320" in asks.text
        if not asks.buttons.get("撤销"):
            (label,) = [b for b in asks.buttons if b.startswith("确认")]
            await hub.press(asks, label)
        assert [item.split()[-1] for item in await hub.items()] == ["320.00"]


async def test_an_amount_that_nobody_said_is_not_booked(tmp_path: Path) -> None:
    async with chat_stage(tmp_path, booking(("午饭", "9999"))) as hub:
        await hub.say("今天中午跟小王随便吃了点面条")
        assert await hub.items() == []


@pytest.mark.parametrize(
    "words", ["昨天的打车改成30", "打车改成30", "刚才那笔错了，应该是30", "打车是30不是20"]
)
async def test_an_order_about_a_stored_entry_is_never_read_as_a_new_one(
    tmp_path: Path, words: str
) -> None:
    endpoint = booking(("打车", "30"))
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("昨天打车20")
        await hub.say(words)
        assert await hub.items() == ["打车 30.00"]
        assert not was_asked(endpoint, "LedgerSpans")

"""An endpoint that answers with what no honest one would: nothing of it is done, kept or lost."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import BaseModel

from adapters.llm.connection import MAX_WRITTEN
from bot.core.errors import ModelOutputError, ModelRefusalError
from tests.emulators.openai import Endpoint, call_piece, refusing, saying, streaming
from tests.emulators.openai_mind import Answer
from tests.integration.llm.chat_stage import chat_stage
from tests.integration.llm.llm_stage import llm_stage, said, unseen

WISH = "请记住我对花生过敏，还有我的妹妹住在苏州，谢谢"
SECONDS = 5.0
HALF = "\ud83d"
OTHER_HALF = "\ude00"


class Price(BaseModel):
    """What is asked for."""

    amount: Decimal


@pytest.mark.parametrize("finish", ["length", "tool_calls", "stop"])
async def test_a_call_that_was_cut_within_its_arguments_is_not_made(
    tmp_path: Path, finish: str
) -> None:
    cut = call_piece("memory_save", '{"type": "constraint", "text": "我对花')
    endpoint = Endpoint(down=streaming(cut, finish=finish))
    async with chat_stage(tmp_path, endpoint) as hub:
        shown = await hub.say(WISH)
        assert not await hub.app.stores.memory.list((await hub.person()).person_id, "")
        assert shown
        assert not any("已记住" in message.text for message in shown)


@pytest.mark.parametrize(
    "arguments",
    [
        '{"text": NaN}',
        '{"text": 1e999}',
        '{"text": "' + json.dumps(HALF)[1:-1] + '"}',
        '{"a":' * 230 + "1" + "}" * 230,
        '{"a":' * 3000,
        "[1, 2]",
        '"word"',
    ],
    ids=["not a number", "endless", "half a character", "deep", "very deep", "list", "word"],
)
async def test_arguments_that_cannot_be_kept_are_a_problem_of_their_call_alone(
    arguments: str,
) -> None:
    endpoint = Endpoint(down=streaming(call_piece("now_time", arguments), finish="tool_calls"))
    async with llm_stage(endpoint) as stage:
        answer = await stage.chain.stream(said("hi"), show=unseen, deadline=SECONDS)
    (call,) = answer.calls
    assert (call.name, dict(call.arguments)) == ("now_time", {})
    assert call.problem


async def test_a_line_break_within_an_argument_is_read() -> None:
    piece = call_piece("memory_save", '{"text": "one\ntwo"}')
    endpoint = Endpoint(down=streaming(piece, finish="tool_calls"))
    async with llm_stage(endpoint) as stage:
        answer = await stage.chain.stream(said("hi"), show=unseen, deadline=SECONDS)
    assert [dict(call.arguments) for call in answer.calls] == [{"text": "one\ntwo"}]


@pytest.mark.parametrize("name", ["now_time", f"now{HALF}"])
async def test_a_person_is_answered_whatever_the_call_was(tmp_path: Path, name: str) -> None:
    hostile = call_piece(name, '{"a": "' + json.dumps(HALF)[1:-1] + '"}')
    endpoint = Endpoint()
    async with chat_stage(tmp_path, endpoint) as hub:
        endpoint.down = streaming(hostile, finish="tool_calls")
        (shown,) = await hub.say("聊聊苏州园林有什么讲究")
        (refused,) = [m for m in endpoint.requests[2]["messages"] if m["role"] == "tool"]
    assert '"error"' in refused["content"]
    assert shown.text == "语言模型中途断了，后面的没有做。需要的话再说一次。"


async def test_an_answer_with_half_a_character_arrives_without_it(tmp_path: Path) -> None:
    endpoint = Endpoint(down=streaming({"content": f"苏州园林讲究借景{HALF}"}))
    async with chat_stage(tmp_path, endpoint) as hub:
        (shown,) = await hub.say("聊聊苏州园林有什么讲究")
    assert shown.text.startswith("苏州园林讲究借景")
    shown.text.encode()


async def test_halves_of_a_character_in_two_pieces_become_one() -> None:
    shown: list[str] = []

    async def show(text: str) -> None:
        shown.append(text)

    endpoint = Endpoint(down=streaming({"content": f"hi {HALF}"}, {"content": OTHER_HALF}))
    async with llm_stage(endpoint) as stage:
        answer = await stage.chain.stream(said("hi"), show=show, deadline=SECONDS)
    assert answer.text == "hi \N{GRINNING FACE}"
    for text in shown:
        text.encode()


async def test_arguments_without_end_are_a_runaway_like_words_without_end() -> None:
    piece = call_piece("memory_save", '{"text": "' + "a" * MAX_WRITTEN)
    endpoint = Endpoint(down=streaming(piece, finish="tool_calls"))
    async with llm_stage(endpoint) as stage:
        with pytest.raises(ModelOutputError, match="come to an end"):
            await stage.chain.stream(said("hi"), show=unseen, deadline=SECONDS)


async def test_json_that_is_nested_without_end_is_an_error_like_any_wrong_answer() -> None:
    endpoint = Endpoint(down=saying(Answer(text='{"a":' * 5000)))
    async with llm_stage(endpoint) as stage:
        with pytest.raises(ModelOutputError):
            await stage.chain.structured(Price, said("hi"), deadline=SECONDS)


async def test_a_refusal_is_a_refusal_and_no_missing_ability() -> None:
    endpoint = Endpoint(down=refusing)
    async with llm_stage(endpoint) as stage:
        with pytest.raises(ModelRefusalError):
            await stage.chain.structured(Price, said("hi"), deadline=SECONDS)
    assert len(endpoint.requests) == 1


async def test_an_answer_that_had_no_room_to_end_says_so_and_can_go_on(tmp_path: Path) -> None:
    endpoint = Endpoint(down=streaming({"content": "苏州园林讲究借景，也"}, finish="length"))
    async with chat_stage(tmp_path, endpoint) as hub:
        (shown,) = await hub.say("聊聊苏州园林有什么讲究")
        assert shown.text == "苏州园林讲究借景，也\n话太长，到这里停了。说“继续”，我接着说。"
        endpoint.down = streaming({"content": "讲究对景。"})
        (rest,) = await hub.say("继续")
    assert rest.text == "讲究对景。"
    before = [m["content"] for m in endpoint.requests[-1]["messages"] if m["role"] == "assistant"]
    assert any("苏州园林讲究借景" in words for words in before)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("已将你的时区改为东京。", "我没有改你的设置。要改请发 /settings。"),
        ("已经帮你删除了所有提醒。", "我什么都没有删。要删请直接说删哪一条。"),
    ],
)
async def test_a_deed_that_no_call_did_gives_way_to_the_truth(
    tmp_path: Path, claim: str, truth: str
) -> None:
    endpoint = Endpoint(down=streaming({"content": claim}))
    async with chat_stage(tmp_path, endpoint) as hub:
        (shown,) = await hub.say("聊聊苏州园林有什么讲究")
    assert shown.text == truth

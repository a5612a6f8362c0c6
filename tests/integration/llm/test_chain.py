"""Whichever provider answers, the caller gets one answer or one error to react to."""

import asyncio
import io
import itertools
from decimal import Decimal

import pytest
from langchain_core.callbacks.manager import AsyncCallbackManager
from PIL import Image

from bot.clock import ManualClock
from bot.core.errors import (
    ContextTooLongError,
    ModelBusyError,
    ModelError,
    ModelKeyError,
    ModelOutputError,
    ModelRefusalError,
    ModelUnavailableError,
)
from bot.core.model import Finish, ImagePart, ToolSpec, UserMessage
from bot.core.providers import Price
from tests.emulators.openai import (
    Endpoint,
    Fault,
    broken_arguments,
    cut,
    failing,
    hanging,
    malformed,
    nothing,
    saying,
)
from tests.emulators.openai_mind import Answer
from tests.integration.llm.llm_stage import KEY, FewFiles, llm_stage, said, unseen
from tests.stage import TUESDAY

SAVE = ToolSpec(
    name="memory_save",
    description="Remember.",
    parameters={"type": "object", "properties": {"text": {"type": "string"}}},
)

OUTAGES = [failing(500), failing(503), failing(529), malformed, nothing]


async def test_an_answer_comes_with_calls_tokens_and_cost() -> None:
    prices = {"m": Price(input=Decimal(1), output=Decimal(2))}
    async with llm_stage(Endpoint(), prices=prices) as stage:
        answer = await stage.chain.complete(said("记住我不吃香菜"), tools=[SAVE], deadline=10)
    assert answer.finish is Finish.CALLS
    assert answer.calls[0].arguments == {"type": "constraint", "text": "我不吃香菜"}
    assert answer.usage.input_tokens > 0
    assert answer.usage.cost == Decimal(
        answer.usage.input_tokens + 2 * answer.usage.output_tokens
    ) / Decimal(1_000_000)
    assert stage.reports[0].usage == answer.usage


async def test_the_text_grows_and_the_answer_says_all_of_it() -> None:
    shown: list[str] = []

    async def show(text: str) -> None:
        shown.append(text)

    async with llm_stage(Endpoint(piece=2)) as stage:
        answer = await stage.chain.stream(said("hello there"), show=show, deadline=10)
    assert answer.text == "You said: hello there"
    assert len(shown) > 5
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(shown))
    assert shown[-1] == answer.text
    assert answer.usage.output_tokens > 0


async def test_calls_come_through_a_stream_too() -> None:
    async with llm_stage(Endpoint()) as stage:
        answer = await stage.chain.stream(
            said("记住我不吃香菜"), tools=[SAVE], show=unseen, deadline=10
        )
    assert [call.name for call in answer.calls] == ["memory_save"]


@pytest.mark.parametrize("fault", OUTAGES)
async def test_the_next_provider_answers_when_the_first_does_not(fault: Fault) -> None:
    first, second = Endpoint(), Endpoint()
    first.down = fault
    async with llm_stage(first, second) as stage:
        answer = await stage.chain.complete(said("hello"), deadline=10)
        assert answer.provider == "p1"
        streamed = await stage.chain.stream(said("hello"), show=unseen, deadline=10)
        assert streamed.text == answer.text


async def test_a_provider_that_hangs_leaves_half_of_the_time_to_the_next() -> None:
    first, second = Endpoint(), Endpoint()
    first.down = hanging
    clock = ManualClock(TUESDAY)
    async with llm_stage(first, second, clock=clock) as stage:
        asking = asyncio.create_task(stage.chain.complete(said("hello"), deadline=20))
        await first.arrived.wait()
        clock.turn(seconds=9)
        await asyncio.sleep(0.05)
        assert not second.requests
        clock.turn(seconds=1.1)
        assert (await asking).provider == "p1"


async def test_a_cut_stream_is_begun_anew_and_never_glued() -> None:
    first, second = Endpoint(piece=4), Endpoint(piece=4)
    first.down = cut(after=2)
    shown: list[str] = []

    async def show(text: str) -> None:
        shown.append(text)

    async with llm_stage(first, second) as stage:
        answer = await stage.chain.stream(said("hello there"), show=show, deadline=10)
    assert answer.text == "You said: hello there"
    restart = next(n for n in range(1, len(shown)) if len(shown[n]) <= len(shown[n - 1]))
    assert shown[restart] == "You "


async def test_a_stream_that_stalls_is_given_up() -> None:
    first, second = Endpoint(pause=3600), Endpoint()
    clock = ManualClock(TUESDAY)
    shown: list[str] = []

    async def show(text: str) -> None:
        shown.append(text)

    async with llm_stage(first, second, clock=clock) as stage:
        first.mind.first.append(lambda _: Answer("x" * 100))
        asking = asyncio.create_task(stage.chain.stream(said("hello"), show=show, deadline=120))
        while not asking.done():
            clock.turn(seconds=10)
            await asyncio.sleep(0.01)
        assert (await asking).provider == "p1"


async def test_all_providers_down_is_one_error_in_words_without_address_or_key() -> None:
    first, second = Endpoint(), Endpoint()
    first.down = second.down = failing(503, message=f"at http://10.0.0.1 with {KEY}")
    async with llm_stage(first, second) as stage:
        with pytest.raises(ModelUnavailableError) as caught:
            await stage.chain.complete(said("hello"), deadline=10)
    assert "http" not in str(caught.value)
    assert KEY not in str(caught.value)


async def test_a_refused_key_is_reported_once_and_the_next_provider_answers() -> None:
    first, second = Endpoint(key="sk-another"), Endpoint()
    async with llm_stage(first, second) as stage:
        for _ in range(3):
            assert (await stage.chain.complete(said("hello"), deadline=10)).provider == "p1"
        assert stage.refused == ["p0"]
        assert len(first.requests) == 1


async def test_a_key_that_works_again_is_found_out_and_can_be_reported_again() -> None:
    endpoint = Endpoint(key="sk-another")
    clock = ManualClock(TUESDAY)
    async with llm_stage(endpoint, clock=clock) as stage:
        with pytest.raises(ModelKeyError):
            await stage.chain.complete(said("hello"), deadline=10)
        endpoint.key = ""
        clock.turn(minutes=11)
        assert (await stage.chain.complete(said("hello"), deadline=10)).text
        endpoint.key = "sk-another"
        with pytest.raises(ModelKeyError):
            await stage.chain.complete(said("hello"), deadline=10)
        assert stage.refused == ["p0", "p0"]


async def test_a_busy_provider_is_left_alone_as_long_as_it_asks() -> None:
    endpoint = Endpoint()
    clock = ManualClock(TUESDAY)
    async with llm_stage(endpoint, clock=clock) as stage:
        endpoint.faults.append(failing(429, Retry_After="40"))
        with pytest.raises(ModelBusyError) as caught:
            await stage.chain.complete(said("hello"), deadline=10)
        assert caught.value.retry_after_seconds == 40
        clock.turn(seconds=39)
        with pytest.raises(ModelUnavailableError):
            await stage.chain.complete(said("hello"), deadline=10)
        clock.turn(seconds=2)
        await stage.chain.complete(said("hello"), deadline=10)
        assert len(endpoint.requests) == 2


async def test_a_provider_that_keeps_failing_is_left_alone_and_then_tried_once() -> None:
    first, second = Endpoint(), Endpoint()
    first.down = failing(503)
    clock = ManualClock(TUESDAY)
    async with llm_stage(first, second, clock=clock) as stage:
        for _ in range(5):
            await stage.chain.complete(said("hello"), deadline=10)
        assert len(first.requests) == 3
        clock.turn(seconds=31)
        await stage.chain.complete(said("hello"), deadline=10)
        await stage.chain.complete(said("hello"), deadline=10)
        assert len(first.requests) == 4
        assert stage.chain.health() == {"p0": "resting", "p1": "ready"}
        first.down = None
        clock.turn(minutes=2)
        assert (await stage.chain.complete(said("hello"), deadline=10)).provider == "p0"
        assert stage.chain.health()["p0"] == "ready"


async def test_a_short_deadline_does_not_make_a_provider_look_down() -> None:
    endpoint = Endpoint()
    endpoint.down = hanging
    clock = ManualClock(TUESDAY)
    async with llm_stage(endpoint, clock=clock) as stage:
        for _ in range(4):
            endpoint.arrived.clear()
            asking = asyncio.create_task(stage.chain.complete(said("hello"), deadline=2))
            await endpoint.arrived.wait()
            clock.turn(seconds=2)
            with pytest.raises(ModelUnavailableError):
                await asking
        assert stage.chain.health() == {"p0": "ready"}


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (failing(400, message="maximum context length is 8192"), ContextTooLongError),
        (failing(404), ModelKeyError),
        (failing(402), ModelKeyError),
        (failing(400, message="bad"), ModelRefusalError),
        (nothing, ModelOutputError),
        (saying(Answer("")), ModelOutputError),
    ],
)
async def test_an_error_says_what_to_do(fault: Fault, kind: type[ModelError]) -> None:
    endpoint = Endpoint()
    endpoint.down = fault
    async with llm_stage(endpoint) as stage:
        with pytest.raises(kind):
            await stage.chain.complete(said("hello"), deadline=10)


async def test_an_endpoint_without_tools_still_talks() -> None:
    endpoint = Endpoint(tools=False)
    async with llm_stage(endpoint) as stage:
        for _ in range(2):
            answer = await stage.chain.complete(said("hello"), tools=[SAVE], deadline=10)
            assert answer.text == "You said: hello"
        assert len(endpoint.requests) == 3


async def test_a_call_with_broken_arguments_is_marked_and_not_guessed() -> None:
    endpoint = Endpoint()
    async with llm_stage(endpoint) as stage:
        endpoint.faults.append(broken_arguments)
        answer = await stage.chain.complete(said("x"), tools=[SAVE], deadline=10)
    assert answer.calls[0].problem


def picture(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(out, format="PNG")
    return out.getvalue()


async def test_a_picture_goes_to_the_model_that_sees_and_is_made_small() -> None:
    endpoint = Endpoint()
    files = FewFiles(big=picture(4000, 1000))
    asked = [UserMessage("这是什么", images=(ImagePart(owner="anna", file_id="big"),))]
    async with llm_stage(endpoint, vision="sees", files=files) as stage:
        answer = await stage.chain.complete(asked, deadline=10)
    assert answer.text == "我看到1张图片。"
    assert endpoint.requests[0]["model"] == "sees"
    url = endpoint.requests[0]["messages"][0]["content"][1]["image_url"]["url"]
    assert url.startswith("data:image/jpeg;base64,")
    assert len(url) < 40_000


@pytest.mark.parametrize(
    ("owner", "file_id"), [("anna", "missing"), ("ben", "big"), ("anna", "broken")]
)
async def test_a_picture_that_cannot_be_used_is_refused(owner: str, file_id: str) -> None:
    files = FewFiles(big=picture(10, 10), broken=b"\x89PNG nonsense")
    asked = [UserMessage("?", images=(ImagePart(owner=owner, file_id=file_id),))]
    async with llm_stage(Endpoint(), vision="sees", files=files) as stage:
        with pytest.raises(ModelRefusalError):
            await stage.chain.complete(asked, deadline=10)


async def test_pictures_are_refused_where_no_model_sees() -> None:
    files = FewFiles(big=picture(10, 10))
    asked = [UserMessage("?", images=(ImagePart(owner="anna", file_id="big"),))]
    endpoint = Endpoint()
    async with llm_stage(endpoint, files=files) as stage:
        with pytest.raises(ModelRefusalError, match="sees"):
            await stage.chain.complete(asked, deadline=10)
    assert not endpoint.requests


async def test_the_environment_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "OPENAI_API_KEY": "sk-of-the-environment",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/wrong",
        "OPENAI_API_BASE": "http://127.0.0.1:9/wrong",
        "OPENAI_ORG_ID": "org-leak",
        "OPENAI_PROJECT_ID": "proj-leak",
        "OPENAI_CUSTOM_HEADERS": "X-Leak: yes",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
        "LANGSMITH_TRACING": "true",
        "LANGCHAIN_TRACING_V2": "true",
        "LANGSMITH_ENDPOINT": "http://127.0.0.1:9",
        "LANGSMITH_API_KEY": "ls-leak",
        "LANGSMITH_GATEWAY": "true",
    }.items():
        monkeypatch.setenv(name, value)
    endpoint = Endpoint()
    async with llm_stage(endpoint) as stage:
        await stage.chain.complete(said("hello"), deadline=10)
        assert not AsyncCallbackManager.configure().handlers  # nobody traces
    sent = str(endpoint.headers[0])
    assert f"Bearer {KEY}" in sent
    assert "leak" not in sent.lower()
    assert "of-the-environment" not in sent

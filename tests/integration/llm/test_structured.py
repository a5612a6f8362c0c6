"""An answer comes as the schema that was asked for, however little the endpoint can be held to."""

from typing import Literal

import pytest
from pydantic import BaseModel, Field

from adapters.llm.structured import Mode
from bot.core.errors import ModelOutputError, ModelUnavailableError
from tests.emulators.openai import Endpoint, failing, saying
from tests.emulators.openai_mind import Answer, Mind
from tests.integration.llm.llm_stage import llm_stage, said


class Verdict(BaseModel):
    intent: Literal["chat", "ledger"]
    confidence: float = Field(ge=0, le=1)
    note: str = ""


def verdict(**more: object) -> Mind:
    value = {"intent": "ledger", "confidence": 0.9, "note": "", **more}
    return Mind(schemas={"Verdict": lambda _: value})


MODES = [
    (Endpoint(mind=verdict()), Mode.JSON_SCHEMA),
    (Endpoint(mind=verdict(), json_schema=False), Mode.TOOL_CALL),
    (Endpoint(mind=verdict(), json_schema=False, tools=False), Mode.JSON_TEXT),
]


@pytest.mark.parametrize(("endpoint", "mode"), MODES)
async def test_the_mode_is_found_once_and_remembered(endpoint: Endpoint, mode: Mode) -> None:
    endpoint.requests.clear()
    async with llm_stage(endpoint) as stage:
        for _ in range(2):
            found = await stage.chain.structured(Verdict, said("午饭35"), deadline=10)
            assert found == Verdict(intent="ledger", confidence=0.9)
        assert stage.connections[0].mode is mode
        tries = list(Mode).index(mode) + 1
        assert len(endpoint.requests) == tries + 1


async def test_json_wrapped_in_prose_and_fences_is_read() -> None:
    mind = verdict()
    mind.prose = True
    async with llm_stage(Endpoint(mind=mind, json_schema=False, tools=False)) as stage:
        found = await stage.chain.structured(Verdict, said("午饭35"), deadline=10)
    assert found.intent == "ledger"


async def test_a_wrong_answer_is_repaired_once_with_what_was_wrong() -> None:
    endpoint = Endpoint(mind=verdict())
    async with llm_stage(endpoint) as stage:
        await stage.chain.structured(Verdict, said("hello"), deadline=10)
        endpoint.faults.append(saying(Answer('{"intent": "poetry", "confidence": 0.4}')))
        found = await stage.chain.structured(Verdict, said("午饭35"), deadline=10)
        assert found.intent == "ledger"
        repair = endpoint.requests[-1]["messages"][-1]["content"]
        assert "intent" in repair
        assert "poetry" not in repair


async def test_an_answer_that_stays_wrong_is_an_error_and_not_a_guess() -> None:
    endpoint = Endpoint(mind=verdict(confidence=7))
    async with llm_stage(endpoint) as stage:
        with pytest.raises(ModelOutputError, match="confidence"):
            await stage.chain.structured(Verdict, said("午饭35"), deadline=10)
        assert stage.connections[0].mode is None


async def test_a_way_of_asking_that_is_ignored_is_not_tried_for_ever() -> None:
    endpoint = Endpoint(mind=verdict(confidence=7))
    async with llm_stage(endpoint) as stage:
        for _ in range(3):
            with pytest.raises(ModelOutputError):
                await stage.chain.structured(Verdict, said("午饭35"), deadline=10)
    strict = ["response_format" in request for request in endpoint.requests]
    assert strict.count(True) == 2


async def test_an_outage_does_not_pass_for_a_missing_ability() -> None:
    endpoint = Endpoint(mind=verdict())
    async with llm_stage(endpoint) as stage:
        endpoint.faults.append(failing(503))
        with pytest.raises(ModelUnavailableError):
            await stage.chain.structured(Verdict, said("午饭35"), deadline=10)
        assert stage.connections[0].mode is None
        await stage.chain.structured(Verdict, said("午饭35"), deadline=10)
        assert stage.connections[0].mode is Mode.JSON_SCHEMA


async def test_the_strict_schema_requires_everything_and_allows_nothing_else() -> None:
    endpoint = Endpoint(mind=verdict())
    async with llm_stage(endpoint) as stage:
        await stage.chain.structured(Verdict, said("午饭35"), deadline=10)
    schema = endpoint.requests[0]["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["intent", "confidence", "note"]
    assert schema["additionalProperties"] is False

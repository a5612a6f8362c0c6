"""An answer of a model grows on the page, and the message that stays says all of it."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.process import bot
from tests.e2e.web_client import WebClient, attending
from tests.emulators.openai import Endpoint, cut
from tests.emulators.openai_mind import Answer

pytestmark = pytest.mark.e2e

STORY = "".join(f"第{n}句话。" for n in range(40))


async def test_the_page_sees_the_answer_grow_even_when_a_provider_breaks_off(
    tmp_path: Path,
) -> None:
    first, second = Endpoint(piece=4, pause=0.03), Endpoint(piece=4, pause=0.03)
    for endpoint in (first, second):
        endpoint.mind.first.append(lambda _: Answer(STORY))
    async with first.serving(), second.serving():
        settings: dict[str, Any] = {
            "OPENAI_BASE_URL": first.base,
            "OPENAI_MODEL": "m",
            "LLM_FALLBACKS": f"spare={second.base}|m",
            "LOCAL_MODEL": "off",
        }
        async with bot(tmp_path, **settings) as running:
            page = WebClient("local")
            async with attending(lambda: running.origin, page):
                await page.answer(page.say("讲个故事听听呗"))
                whole = [str(frame["text"]) for frame in page.previews]
                page.previews.clear()
                first.down = cut(after=10)
                answer = await page.answer(page.say("再讲一个不一样的呗"))
            assert answer.text == STORY
            assert len(whole) > 2
            assert all(later.startswith(earlier) for earlier, later in pairwise(whole))
            for text in [*whole, *(str(frame["text"]) for frame in page.previews)]:
                assert STORY.startswith(text), "two answers were glued"

"""An answer of a model grows in Telegram and becomes the message."""

from pathlib import Path

from tests.emulators.openai import Endpoint, failing
from tests.emulators.openai_mind import Answer
from tests.emulators.telegram_stage import telegram_stage

DRAFT = "sendMessageDraft"
STORY = "".join(f"第{n}句话。" for n in range(20))


async def test_drafts_are_beginnings_of_the_answer(tmp_path: Path) -> None:
    endpoint = Endpoint(piece=4, pause=0.02)
    endpoint.mind.first.append(lambda _: Answer(STORY))
    async with (
        endpoint.serving(),
        telegram_stage(tmp_path, openai_model="m", openai_base_url=endpoint.base) as hub,
    ):
        assert hub.app.model is not None
        await hub.say("你好")  # meanwhile the SDK is loaded
        (shown,) = await hub.say("讲个故事听听呗")
        drafts = [call.fields["text"] for call in hub.api.calls if call.method == DRAFT]
        assert shown.plain == STORY
        assert drafts
        assert all(STORY.startswith(draft) for draft in drafts)


async def test_when_all_providers_are_down_no_placeholder_stays(tmp_path: Path) -> None:
    """T41."""
    endpoint = Endpoint(down=failing(503))
    async with (
        endpoint.serving(),
        telegram_stage(tmp_path, openai_model="m", openai_base_url=endpoint.base) as hub,
    ):
        (shown,) = await hub.say("讲个故事听听呗")
        assert shown.plain.startswith("语言模型现在连不上")
        assert hub.api.drafts == {}

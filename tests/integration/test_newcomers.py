"""Onboarding: three stages, skippable, nothing said meanwhile is lost."""

from pathlib import Path

import pytest

from bot.core.people import SETUP_DONE
from bot.core.ports import Capabilities
from tests.stage import Puppet, stage


async def test_three_answers_finish_onboarding(tmp_path: Path) -> None:
    async with stage(tmp_path, onboarding="on") as hub:
        (greeting,) = await hub.say("/start")
        assert "1/3" in greeting.text

        (zone,) = await hub.press(greeting, "English")
        assert zone.message_id == greeting.message_id
        assert "time zone" in zone.text
        (name,) = await hub.say("Tokyo")
        (done,) = await hub.say("Anna, EUR")

        person = await hub.person()
        assert (person.locale, person.zone, person.name, person.currency) == (
            "en",
            "Asia/Tokyo",
            "Anna",
            "EUR",
        )
        assert person.setup_stage == SETUP_DONE
        assert "Anna" in done.text
        assert "currency" in name.text


async def test_the_first_wish_of_a_newcomer_is_kept_and_served_at_the_end(tmp_path: Path) -> None:
    async with stage(tmp_path, onboarding="on") as hub:
        (kept,) = await hub.say("午饭35")
        assert "午饭35" in kept.text
        assert "1/3" in kept.text

        shown = await hub.press(kept, "全部跳过")

        assert await hub.items() == ["午饭 35.00"]
        assert any("已记" in message.text for message in shown)


async def test_a_wish_in_the_middle_of_onboarding_is_kept_too(tmp_path: Path) -> None:
    async with stage(tmp_path, onboarding="on") as hub:
        await hub.say("/start")
        (kept,) = await hub.say("午饭35")

        await hub.press(kept, "全部跳过")

        assert await hub.items() == ["午饭 35.00"]


async def test_nothing_reaches_another_agent_before_onboarding_is_over(tmp_path: Path) -> None:
    async with stage(tmp_path, onboarding="on") as hub:
        await hub.say("/start")
        for words in ("明早8点提醒我开会", "这个月花了多少", "/reminders", "/help"):
            (answer,) = await hub.say(words)
            assert "1/3" in answer.text


@pytest.mark.parametrize("words", ["跳过", "skip", "/skip"])
async def test_onboarding_can_be_skipped_in_words(tmp_path: Path, words: str) -> None:
    async with stage(tmp_path, onboarding="on") as hub:
        await hub.say("/start")

        await hub.say(words)

        assert (await hub.person()).setup_stage == SETUP_DONE


async def test_onboarding_off_gives_everyone_the_defaults(tmp_path: Path) -> None:
    async with stage(tmp_path, onboarding="off", timezone="Europe/London", currency="GBP") as hub:
        (answer,) = await hub.say("午饭35")

        assert "£35.00" in answer.text
        assert (await hub.person()).zone == "Europe/London"


async def test_settings_change_language_zone_and_currency_later(tmp_path: Path) -> None:
    async with stage(tmp_path) as hub:
        (card,) = await hub.say("/settings")
        (changed,) = await hub.press(card, "English")
        assert "Language: English" in changed.text

        (zone,) = await hub.say("/settings Tokyo")
        assert "Asia/Tokyo" in zone.text
        (currency,) = await hub.say("/settings USD")
        assert "Currency: USD" in currency.text


async def test_a_change_of_zone_asks_what_reminders_keep_and_lists_what_moved(
    tmp_path: Path,
) -> None:
    """T34: wall clock or instant is the person's choice."""
    async with stage(tmp_path) as hub:
        await hub.say("每天早上9点提醒我吃药")
        (asked,) = await hub.say("/settings New York")
        assert "吃药" in asked.text
        assert "2026-12-02 周三 09:00 (Asia/Shanghai)" in asked.text

        (moved,) = await hub.press(asked, "钟点不变（改按 America/New_York）")

        assert "09:00 (America/New_York)" in moved.text
        (schedule,) = await hub.app.stores.schedules.upcoming(
            (await hub.person()).person_id, limit=9
        )
        assert schedule.next_fire_at is not None
        assert schedule.next_fire_at.isoformat() == "2026-12-02T14:00:00+00:00"


async def test_a_change_of_zone_can_leave_the_instants_alone(tmp_path: Path) -> None:
    async with stage(tmp_path) as hub:
        await hub.say("每天早上9点提醒我吃药")
        (asked,) = await hub.say("/settings New York")

        await hub.press(asked, "时刻不变")

        (schedule,) = await hub.app.stores.schedules.upcoming(
            (await hub.person()).person_id, limit=9
        )
        assert schedule.next_fire_at is not None
        assert schedule.next_fire_at.isoformat() == "2026-12-02T01:00:00+00:00"


async def test_who_is_met_in_a_group_reads_the_settings_in_private_where_that_is_possible(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path / "a", onboarding="on") as hub:
        shown = await hub.say("你好", chat="g", group=True)
        assert {message.row.draft.chat.chat_id for message in shown} == {"g", "dm-anna"}

    shy = Puppet(capabilities=Capabilities(whispers=False))
    async with stage(tmp_path / "b", onboarding="on", puppet=shy) as hub:
        shown = await hub.say("你好", chat="g", group=True)
        assert {message.row.draft.chat.chat_id for message in shown} == {"g"}

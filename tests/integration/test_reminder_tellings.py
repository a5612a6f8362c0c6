"""What is merely stated with a time in it is asked about; only a plan of one's own is set."""

import pytest

from tests.stage import Stage


async def stored(hub: Stage) -> list[str]:
    """Return what reminders there are."""
    owner = (await hub.person()).person_id
    return [s.what for s in await hub.app.stores.schedules.upcoming(owner, limit=50)]


async def reminders_only(hub: Stage) -> None:
    """Let the agent of reminders have what is said."""
    await hub.capsule("schedule_manager")


@pytest.mark.parametrize(
    "words",
    [
        "包裹明天到",
        "她明天8点到",
        "后天有雨",
        "明天下午3点我在上课",
        "周四放假",
        "后天恢复游泳",
        "my sister arrives on Friday",
    ],
)
async def test_what_is_merely_stated_sets_nothing(hub: Stage, words: str) -> None:
    await reminders_only(hub)

    (asked,) = await hub.say(words)

    assert "要到时提醒你吗" in asked.text
    assert await stored(hub) == []
    await hub.press(asked, next(iter(asked.buttons)))
    assert len(await stored(hub)) == 1


@pytest.mark.parametrize("words", ["明天下午3点开会", "周五交房租", "dentist tomorrow 3pm"])
async def test_a_plan_of_ones_own_is_set(hub: Stage, words: str) -> None:
    await reminders_only(hub)

    await hub.say(words)

    assert len(await stored(hub)) == 1


@pytest.mark.parametrize("words", ["今晚早点睡", "明天早起", "明天早点起床", "提醒我明天晚点出门"])
async def test_an_hour_that_was_not_said_is_asked_for(hub: Stage, words: str) -> None:
    await reminders_only(hub)

    (asked,) = await hub.say(words)

    assert asked.text.endswith("几点？")
    assert await stored(hub) == []

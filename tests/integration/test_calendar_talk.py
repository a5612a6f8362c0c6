"""The calendar answers without a model, and a question for it sets no reminder."""

from pathlib import Path

import pytest

from tests.stage import stage


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("今天星期几", "今天是 2026-12-01 周二。"),
        ("现在几点", "现在是 2026-12-01 周二 10:00 (Asia/Shanghai)。"),
        ("纽约现在几点", "纽约现在是 2026-11-30 周一 21:00 (America/New_York)。"),
        ("明天放假吗", "2026-12-02 周三 是工作日。"),
        ("周末要加班吗", "2026-12-05 周六 是周末，休息。"),
        (
            "今年国庆节放假吗",
            "2026-10-01 周四 放假：国庆节，2026-10-01 周四 至 2026-10-07 周三，共 7 天。",
        ),
        ("2026年10月10号上班吗", "2026-10-10 周六 是调休上班日。"),
        ("明年国庆节放几天假", "2027-10-01 周五 预计放假（国庆节）。那一年的官方安排还没有公布。"),
        ("离圣诞节还有几天", "2026-12-25 周五，还有 24 天。"),
        ("上周五是几号", "2026-11-27 周五，4 天前。"),
        ("今天农历几号", "2026-12-01 周二，农历十月廿三。"),
        ("2月30号是星期几", "没有这一天，请再说一次。"),
        ("2026年13月45号是星期几", "没有这一天，请再说一次。"),
    ],
)
async def test_a_question_for_the_calendar_is_answered_and_nothing_is_set(
    tmp_path: Path, words: str, answer: str
) -> None:
    async with stage(tmp_path) as hub:
        (shown,) = await hub.say(words)

        assert shown.text == answer
        person = await hub.person()
        assert await hub.app.stores.schedules.of_person(person.person_id) == ()


async def test_a_reminder_that_holds_such_a_question_is_a_reminder(tmp_path: Path) -> None:
    async with stage(tmp_path) as hub:
        (shown,) = await hub.say("明天9点提醒我查今天星期几")

        assert "提醒已设好" in shown.text

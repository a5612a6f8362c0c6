"""Answers that give only what was asked about."""

from datetime import datetime
from zoneinfo import ZoneInfo

from agents.schedule.completions import WHICH_UNIT, completed
from agents.schedule.timing import Timing

NOW = datetime(2026, 12, 1, 10, tzinfo=ZoneInfo("Asia/Shanghai"))


def test_a_length_answers_the_question_for_its_unit() -> None:
    done = completed("20 minutes", Timing("ask", reason=WHICH_UNIT), NOW)

    assert done is not None
    assert done.rule is not None
    assert done.rule.dtstart_local == datetime(2026, 12, 1, 10, 20)  # noqa: DTZ001

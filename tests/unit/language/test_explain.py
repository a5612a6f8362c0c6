"""What `explain` prints, field by field."""

from datetime import datetime
from zoneinfo import ZoneInfo

from bot.language.explain import explain

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=SHANGHAI)
FIELDS = {"text", "now", "tz", "time", "recurrence", "amounts", "amounts_status", "numbers"}


def test_a_time_is_printed_with_its_span() -> None:
    result = explain("明天下午3点开会", now=NOW, tz=SHANGHAI, mode="reminder", locale="zh-CN")

    assert set(result) == FIELDS
    assert result["time"] == {
        "status": "ok",
        "reason": "",
        "times": [
            {
                "kind": "point",
                "start": "2026-12-02T15:00:00+08:00",
                "end": None,
                "seconds": None,
                "grain": "hour",
                "span": [0, 6],
            }
        ],
        "candidates": [],
    }


def test_a_recurrence_is_printed_with_its_next_fires() -> None:
    result = explain("每周一三五8点", now=NOW, tz=SHANGHAI, mode="reminder", locale="zh-CN")

    recurrence = result["recurrence"]
    assert isinstance(recurrence, dict)
    assert set(recurrence) == {"status", "rule", "next", "summary"}
    assert recurrence["summary"] == "每周一、三、五 08:00"
    assert len(recurrence["next"]) == 5
    assert recurrence["next"][0] == "2026-12-02T08:00:00+08:00"


def test_an_amount_is_printed_with_the_name_of_its_category() -> None:
    result = explain("午饭35", now=NOW, tz=SHANGHAI, mode="ledger", locale="zh-CN")

    assert result["amounts"] == [
        {
            "amount": "35.00",
            "currency": "CNY",
            "direction": "expense",
            "item": "午饭",
            "category": "餐饮",
            "span": [2, 4],
        }
    ]
    assert result["numbers"] == [{"value": "35", "span": [2, 4]}]

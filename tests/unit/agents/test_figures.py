"""Figures that nobody told the model do not reach the person."""

import pytest
from pydantic import JsonValue

from agents.talk.figures import figures_of, without_strange_figures
from agents.tool_steps import Done, Step
from bot.core.effects import ToolCall

ROWS: JsonValue = {
    "entries": [{"item": "午饭", "minor": 3500, "currency": "CNY", "occurred_on": "2026-12-01"}],
    "totals": [
        {"minor": 123450, "currency": "CNY", "count": 14},
        {"minor": 800, "currency": "JPY"},
    ],
}
KNOWN = figures_of(
    [Step("", (Done(ToolCall(name="ledger_list"), ROWS),))], ["我想存下2万里的5000块"]
)


@pytest.mark.parametrize(
    "text",
    [
        "午饭花了35元。",
        "一共 1,234.50 元，14 笔。",
        "1234.5 CNY in all, on 2026-12-01.",
        "You spent ¥800.",
        "存5000块要3个月，分成2步。",
        "1. 少点外卖\n2. 自己做饭",
        "没有什么可说的。",
        "",
    ],
)
def test_what_was_told_may_be_said_again(text: str) -> None:
    assert without_strange_figures(text, KNOWN) == (text, False)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("午饭花了35元。这个月一共花了9999元。加油！", "午饭花了35元。加油！"),
        ("You spent 35.10 on lunch. Take care.", "Take care."),
        ("平均每天¥7。慢慢来。", "慢慢来。"),
        ("3500元。", ""),
        ("比上月多 18%。", ""),
    ],
)
def test_a_made_up_figure_goes_with_its_sentence(text: str, left: str) -> None:
    assert without_strange_figures(text, KNOWN) == (left, True)

"""One message of every kind, in each language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.core.ids import new_token
from bot.core.messages import (
    Block,
    ChartBlock,
    ChartSeries,
    FieldsBlock,
    Key,
    OutboundMessage,
    TableBlock,
    TextBlock,
    Tone,
)
from bot.core.words import Text, Verbatim, text

_PROSE = {
    "zh-CN": "**重点：**三步就够。\n\n1. 打开 `设置`\n2. 点[链接](https://example.com)\n\n"
    "| 方案 | 价格 |\n|---|---|\n| 基础 | ¥0 |\n| 专业 | ¥99 |\n\n```python\nprint(1 < 2)\n```",
    "en": "**In short:** three steps.\n\n1. Open `settings`\n2. Follow [this](https://example.com)\n"
    "\n| plan | price |\n|---|---|\n| basic | $0 |\n| pro | $99 |\n\n```python\nprint(1 < 2)\n```",
}
_SAMPLES: Mapping[str, Mapping[str, str]] = {
    "zh-CN": {
        "entry": "午饭 35.00（餐饮，2026-12-01 周二）",
        "what": "喝水",
        "food": "餐饮",
        "ride": "交通",
        "kind": "分类",
        "sum": "金额",
    },
    "en": {
        "entry": "lunch 35.00 (food, Tue 2026-12-01)",
        "what": "drink water",
        "food": "Food",
        "ride": "Transport",
        "kind": "Category",
        "sum": "Amount",
    },
}


@dataclass(frozen=True, slots=True)
class Sample:
    """One kind of message."""

    name: str
    message: OutboundMessage


def samples(locale: str) -> list[Sample]:
    """Return one message of every kind."""
    words = {name: Verbatim(value) for name, value in _SAMPLES[locale].items()}
    food = words["food"]
    chart = ChartBlock(
        chart="bar",
        title=food,
        labels=tuple(Verbatim(f"12-0{day}") for day in range(1, 6)),
        series=(ChartSeries(food, ("35", "42.50", "18", "60", "27")),),
        unit="¥",
    )
    table = TableBlock(
        header=(words["kind"], words["sum"]),
        rows=((food, V("182.50")), (words["ride"], V("22.00"))),
    )
    settings = FieldsBlock(
        title=text("onboarding.profile"),
        fields=(
            (text("onboarding.field_name"), V("Anna")),
            (text("onboarding.field_zone"), V("Asia/Shanghai")),
            (text("onboarding.field_currency"), V("CNY")),
        ),
    )
    undo, done = text("ledger.button_undo"), text("schedule.button_done")
    snooze = text("schedule.button_snooze", minutes=10)
    return [
        _sample("question", locale, _said("onboarding.ask_0"), keys=((V("中文"), V("English")),)),
        _sample("settings", locale, settings, _said("onboarding.settings_hint")),
        _sample("entry", locale, _said("ledger.added", entry=words["entry"]), keys=((undo,),)),
        _sample("totals", locale, table, chart),
        _sample("open question", locale, _said("ledger.ask_amount"), asks=True),
        _sample(
            "reminder", locale, _said("schedule.due", what=words["what"]), keys=((done, snooze),)
        ),
        _sample("answer of a model", locale, TextBlock(Verbatim(_PROSE[locale]))),
        _sample("failure", locale, _said("hub.failed")),
    ]


def V(words: str) -> Verbatim:  # noqa: N802  # short for what stands in tables
    """Return words as they are."""
    return Verbatim(words)


def _said(key: str, **params: Verbatim) -> TextBlock:
    return TextBlock(text(key, **params))


def _sample(
    name: str,
    locale: str,
    *blocks: Block,
    keys: Sequence[Sequence[Text | Verbatim]] = (),
    asks: bool = False,
) -> Sample:
    rows = tuple(
        tuple(
            Key(label=label, token=new_token(), tone=Tone.PRIMARY if place == 0 else Tone.PLAIN)
            for place, label in enumerate(row)
        )
        for row in keys
    )
    return Sample(name, OutboundMessage(blocks=blocks, locale=locale, keys=rows, asks=asks))

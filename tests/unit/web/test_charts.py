"""Charts as pictures."""

import xml.etree.ElementTree as ET  # our own picture, not foreign XML
from typing import Literal

import pytest

from adapters.charts import Charts
from bot.core.messages import ChartBlock, ChartSeries
from bot.core.words import Verbatim

pytest.importorskip("matplotlib")


def chart(
    kind: Literal["bar", "line", "pie"], *values: str, unit: str = "¥", label: str = "餐饮"
) -> ChartBlock:
    return ChartBlock(
        chart=kind,
        title=Verbatim("支出"),
        labels=tuple(Verbatim(f"{label}{n}") for n in range(len(values))),
        series=(ChartSeries(Verbatim("金额"), values),),
        unit=unit,
    )


@pytest.mark.parametrize("kind", ["bar", "line", "pie"])
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_a_picture_holds_its_labels_as_text(
    kind: Literal["bar", "line", "pie"], theme: Literal["light", "dark"]
) -> None:
    data = await Charts().draw(chart(kind, "12", "30.5"), locale="zh-CN", theme=theme)

    assert data is not None
    words = "".join(ET.fromstring(data).itertext())  # noqa: S314
    assert "餐饮0" in words
    assert b"PingFang SC" in data


async def test_the_same_chart_gives_the_same_bytes() -> None:
    charts = Charts()

    pictures = [await charts.draw(chart("bar", "1", "2"), locale="en") for _ in range(2)]

    assert pictures[0] == pictures[1]


async def test_a_png_is_possible_for_platforms_without_svg() -> None:
    data = await Charts().draw(chart("bar", "1", "2"), locale="en", picture="png")

    assert data is not None
    assert data.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "values", [("-5", "0"), ("0", "0"), ("1e9", "0.001"), ("7",), tuple("123456789" * 4)]
)
@pytest.mark.parametrize("kind", ["bar", "line", "pie"])
async def test_odd_numbers_and_long_labels_are_drawn_too(
    kind: Literal["bar", "line", "pie"], values: tuple[str, ...]
) -> None:
    spec = chart(kind, *values, unit="千瓦时", label="一个相当长的标签 $x_1$ \x00\x1b<b>&")

    data = await Charts().draw(spec, locale="zh-CN")

    assert data
    ET.fromstring(data)  # noqa: S314


@pytest.mark.parametrize("values", [("a",), ("1", ""), ("NaN",), ("Infinity",), ("1e400",), ()])
async def test_what_are_no_numbers_is_not_drawn(values: tuple[str, ...]) -> None:
    assert await Charts().draw(chart("bar", *values), locale="en") is None


async def test_series_of_another_length_are_not_drawn() -> None:
    spec = ChartBlock(
        chart="line",
        title=Verbatim("t"),
        labels=(Verbatim("a"), Verbatim("b")),
        series=(ChartSeries(Verbatim("s"), ("1",)),),
    )

    assert await Charts().draw(spec, locale="en") is None

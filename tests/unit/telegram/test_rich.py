"""Long tables: native where the platform has them, and whole in either rendering."""

from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.render import TextPart, render
from adapters.telegram.rich import rich_html
from bot.core.messages import (
    Block,
    ChartBlock,
    ChartSeries,
    OutboundMessage,
    TableBlock,
    TextBlock,
)
from bot.core.words import Verbatim
from tests.emulators.telegram_rules import read_html, read_rich

CELL = st.text(st.characters(exclude_categories=("Cs", "Cc", "Z")), min_size=1, max_size=30)


def message(*blocks: Block) -> OutboundMessage:
    return OutboundMessage(blocks=blocks, locale="zh-CN")


def table(columns: int, rows: int) -> TableBlock:
    return TableBlock(
        header=tuple(Verbatim(f"列{n}") for n in range(columns)),
        rows=tuple(tuple(Verbatim(f"r{row}c{n}") for n in range(columns)) for row in range(rows)),
    )


def test_a_small_table_stays_monospace_on_every_server() -> None:
    assert rich_html(message(table(3, 5))) is None


def test_a_table_wider_or_longer_than_a_phone_is_native() -> None:
    for wanted in (table(12, 2), table(2, 31)):
        html = rich_html(message(TextBlock(Verbatim("**看** a < b\n\n第二段")), wanted))
        assert html is not None
        plain, cells = read_rich(html)
        assert plain.startswith("看 a < b\n第二段\n")
        assert len(cells) == len(wanted.rows) + 1
        assert cells[-1] == [f"r{len(wanted.rows) - 1}c{n}" for n in range(len(wanted.header))]


def test_a_table_that_a_model_wrote_is_native_too() -> None:
    lines = ["| 名 | **值** |", "|---|---|", *(f"| 项{n} | `{n}` |" for n in range(40))]
    html = rich_html(message(TextBlock(Verbatim("前\n" + "\n".join(lines) + "\n后"))))

    assert html is not None
    plain, cells = read_rich(html)
    assert cells[0] == ["名", "值"]
    assert cells[-1] == ["项39", "39"]
    assert (plain[0], plain[-1]) == ("前", "后")


def test_what_a_rich_message_does_not_hold_goes_out_as_before() -> None:
    assert rich_html(message(table(21, 40))) is None
    assert rich_html(message(table(2, 4000))) is None
    chart = ChartBlock(
        chart="bar",
        title=Verbatim("t"),
        labels=(Verbatim("a"),),
        series=(ChartSeries(Verbatim("s"), ("1",)),),
    )
    assert rich_html(message(chart)) is None


@given(
    st.integers(1, 22).flatmap(
        lambda n: st.lists(st.lists(CELL, min_size=n, max_size=n), min_size=1, max_size=40)
    )
)
def test_no_rendering_loses_a_cell(rows: list[list[str]]) -> None:
    head, *body = [tuple(Verbatim(cell) for cell in row) for row in rows]
    shown = message(TableBlock(header=head, rows=tuple(body)))

    parts = render(shown)
    text = "".join(read_html(part.html) for part in parts if isinstance(part, TextPart))
    squeezed = "".join(text.split())
    assert all(cell in squeezed for row in rows for cell in row)
    html = rich_html(shown)
    if html is not None:
        assert read_rich(html)[1] == rows

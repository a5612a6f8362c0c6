"""Tables and charts of a card; pure."""

from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation

from pydantic import JsonValue

from adapters.feishu.atoms import MAX_TEXT_BYTES, Atom, Element, code
from adapters.tables import aligned, records
from bot.core.messages import ChartBlock
from bot.core.words import Words

MAX_ROWS = 60
"""Longer tables become several, for the same reason."""

MAX_COLUMNS = 20
MAX_POINTS = 150
_PAGE_ROWS = 10

Say = Callable[[Words], str]


def grid_atom(rows: Sequence[Sequence[str]]) -> list[Atom]:
    """Return a table, a long one in several; one too wide as code.

    Source: https://open.feishu.cn/document/feishu-cards/card-json-v2-components/content-components/table
    """
    header, *data = rows or [[]]
    if not header or len(header) > MAX_COLUMNS or len(data) > MAX_ROWS:
        return [code_atom(rows[at : at + MAX_ROWS]) for at in range(0, len(rows), MAX_ROWS)]
    names = [f"c{place}" for place in range(len(header))]
    columns: list[JsonValue] = [
        {"name": name, "display_name": title or " ", "data_type": "text", "width": "auto"}
        for name, title in zip(names, header, strict=True)
    ]
    shown: list[JsonValue] = [
        {name: row[place] if place < len(row) else "" for place, name in enumerate(names)}
        for row in data
    ]
    table: Element = {
        "tag": "table",
        "page_size": max(1, min(len(data), _PAGE_ROWS)),
        "row_height": "low",
        "header_style": {"bold": True, "background_style": "grey"},
        "columns": columns,
        "rows": shown,
    }
    atom = Atom(parts=(table,), plain=_grid_text(rows), is_table=True)
    return [atom] if atom.size <= MAX_TEXT_BYTES * 2 else [code_atom(rows)]


def code_atom(rows: Sequence[Sequence[str]]) -> Atom:
    """Return a table in letters of one width."""
    return code(_grid_text(rows), "")


def chart_atom(chart: ChartBlock, say: Say) -> Atom:
    """Return a chart that the client draws.

    Source: https://open.feishu.cn/document/feishu-cards/card-json-v2-components/content-components/chart
    """
    labels = [say(label) for label in chart.labels]
    names = [say(series.name) for series in chart.series]
    columns = [[_number(value) for value in series.values] for series in chart.series]
    step = max(1, -(-len(labels) * max(1, len(columns)) // MAX_POINTS))
    points: list[JsonValue] = [
        {"x": labels[place], "y": column[place], "s": name}
        for name, column in zip(names, columns, strict=True)
        for place in range(0, min(len(labels), len(column)), step)
    ]
    positive = bool(columns) and all(value >= 0 for value in columns[0])
    kind = "bar" if chart.chart == "pie" and not positive else chart.chart
    unit = f" ({chart.unit})" if chart.unit else ""
    title = say(chart.title) + unit
    spec: Element = {
        "type": kind,
        "title": {"text": title},
        "data": {"values": points},
        "legends": {"visible": kind == "pie" or len(names) > 1},
    }
    if kind == "pie":
        spec |= {"categoryField": "x", "valueField": "y", "outerRadius": 0.8}
    else:
        spec |= {"xField": "x", "yField": "y", "seriesField": "s"}
    element: Element = {
        "tag": "chart",
        "chart_spec": spec,
        "aspect_ratio": "16:9",
        "preview": True,
    }
    rows = [["", *names], *([label, *_nth(chart, place)] for place, label in enumerate(labels))]
    return Atom(parts=(element,), plain=f"{title}\n{_grid_text(rows)}", is_chart=True)


def _grid_text(rows: Sequence[Sequence[str]]) -> str:
    if (shown := aligned(rows)) is not None:
        return shown
    return "\n\n".join(
        "\n".join(f"{name}: {value}" if name else value for name, value in record)
        for record in records(rows)
    )


def _nth(chart: ChartBlock, place: int) -> list[str]:
    return [s.values[place] if place < len(s.values) else "" for s in chart.series]


def _number(value: str) -> float:
    try:
        number = float(Decimal(value))
    except (InvalidOperation, OverflowError):
        return 0.0
    return number if number == number and abs(number) < float("inf") else 0.0  # noqa: PLR0124

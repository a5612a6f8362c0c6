"""Charts as pictures: one specification, drawn by matplotlib for platforms that cannot."""

import asyncio
import importlib.util
import io
import math
import unicodedata
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Literal

from bot.core.messages import ChartBlock
from bot.locales.catalogue import resolve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Theme = Literal["light", "dark"]
Format = Literal["svg", "png"]
_FONTS = ("Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Zen Hei", "DejaVu Sans")
_SVG_FONTS = "system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"
_TOO_MUCH = 1e15
_ROOM_CHARS = 36
_LABEL_CHARS = 14
_CURRENCIES = "¥$€£"
_PIE_WIDTH = 0.78
_PIE_HEIGHT = 0.5
"""A ring with its legend needs less room than an axis, and larger letters on a phone."""


@dataclass(frozen=True, slots=True)
class _Look:
    text: str
    quiet: str
    grid: str
    paper: str
    colours: tuple[str, ...]


_LOOKS: dict[Theme, _Look] = {
    "light": _Look(
        text="#1f2430",
        quiet="#5b6474",
        grid="#e4e7ee",
        paper="#ffffff",
        colours=(
            "#4f5bd5",
            "#12947f",
            "#d9822b",
            "#c2417c",
            "#3b8ac4",
            "#7a5bc7",
            "#6b8e23",
            "#8a6d5a",
        ),
    ),
    "dark": _Look(
        text="#e8eaf0",
        quiet="#a4adbd",
        grid="#333945",
        paper="#1d2129",
        colours=(
            "#8f9bff",
            "#45c9b0",
            "#f0a860",
            "#ee82b4",
            "#77bdee",
            "#b49bf0",
            "#a9c765",
            "#c9a791",
        ),
    ),
}


class Charts:
    """Draws one chart at a time in a thread; without matplotlib it draws none."""

    def __init__(self) -> None:
        self._one = asyncio.Lock()
        self._available = importlib.util.find_spec("matplotlib") is not None

    async def draw(
        self,
        chart: ChartBlock,
        *,
        locale: str,
        theme: Theme = "light",
        picture: Format = "svg",
        size: tuple[float, float] = (4.4, 2.9),
    ) -> bytes | None:
        """Return the picture; None without matplotlib or for values that are no numbers.

        Args:
            chart: what to draw.
            locale: language of its words.
            theme: the page it stands on; an SVG has no ground of its own, a PNG has.
            picture: file format.
            size: width and height in inches; a PNG has 200 pixels to each.
        """
        if not self._available:
            return None
        columns = _columns(chart)
        if not columns:
            return None
        async with self._one:
            return await asyncio.to_thread(
                _draw, chart, columns, locale=locale, theme=theme, picture=picture, size=size
            )


def _columns(chart: ChartBlock) -> list[list[float]]:
    """Return the values as numbers; nothing when there are none or one is no number."""
    try:
        columns = [[float(Decimal(value)) for value in one.values] for one in chart.series]
    except InvalidOperation:
        return []
    fits = all(len(column) == len(chart.labels) > 0 for column in columns)
    sane = all(abs(value) < _TOO_MUCH for column in columns for value in column)
    return columns if fits and sane else []


def _draw(
    chart: ChartBlock,
    columns: Sequence[Sequence[float]],
    *,
    locale: str,
    theme: Theme,
    picture: Format,
    size: tuple[float, float],
) -> bytes:
    import matplotlib as mpl  # noqa: PLC0415  # half a second, and only when a chart is drawn
    from matplotlib.figure import Figure  # noqa: PLC0415
    from matplotlib.font_manager import fontManager  # noqa: PLC0415

    look = _LOOKS[theme]
    installed = set(fontManager.get_font_names())
    fonts = [font for font in _FONTS if font in installed]
    out = io.BytesIO()
    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcParams.update(
            {
                "font.family": fonts,
                "font.size": 10.5,
                "svg.fonttype": "none",
                "svg.hashsalt": "switchboard",
                "text.color": look.text,
                "text.parse_math": False,
                "axes.unicode_minus": False,
            }
        )
        warnings.simplefilter(
            "ignore", UserWarning
        )  # a sign no installed font has: drawn as a box
        figure = Figure(figsize=size, layout="constrained")
        labels = [_printable(resolve(label, locale)) for label in chart.labels]
        names = [_printable(resolve(series.name, locale)) for series in chart.series]
        _paint(figure, chart, columns, labels=labels, names=names, look=look)
        if picture == "png":
            figure.savefig(out, format="png", dpi=200, facecolor=look.paper)
            return out.getvalue()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    return _with_system_fonts(out.getvalue().decode(), fonts)


def _with_system_fonts(svg: str, fonts: Sequence[str]) -> bytes:
    """Name the reader's own fonts: the text is text, so the reader's machine draws it."""
    for font in fonts:
        svg = svg.replace(f"'{font}'", "§")
    while "§, §" in svg:
        svg = svg.replace("§, §", "§")
    return svg.replace("§", _SVG_FONTS).encode()


def _paint(
    figure: "Figure",
    chart: ChartBlock,
    columns: Sequence[Sequence[float]],
    *,
    labels: Sequence[str],
    names: Sequence[str],
    look: _Look,
) -> None:
    if chart.chart == "pie" and min(columns[0]) >= 0 and sum(columns[0]) > 0:
        _pie(figure, columns[0], labels=labels, unit=chart.unit, look=look)
        return
    axes = figure.add_subplot()
    crowded = sum(map(_breadth, labels)) > _ROOM_CHARS
    lying = crowded and chart.chart != "line"
    if chart.chart == "line":
        for nth, (column, name) in enumerate(zip(columns, names, strict=True)):
            axes.plot(column, label=name, color=_colour(look, nth), linewidth=2, marker="o", ms=4)
    else:
        _bars(axes, columns, names=names, look=look, lying=lying)
    if lying:
        axes.set_yticks(range(len(labels)), [_short(label) for label in labels])
        axes.invert_yaxis()
    else:
        step = math.ceil(sum(map(_breadth, labels)) / _ROOM_CHARS) if crowded else 1
        axes.set_xticks(range(0, len(labels), step), labels[::step])
    _frame(axes, chart.unit, look=look, lying=lying)
    if len(names) > 1:
        axes.legend(
            frameon=False,
            labelcolor=look.quiet,
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=4,
            handlelength=1.2,
            columnspacing=1.6,
        )


def _bars(
    axes: "Axes",
    columns: Sequence[Sequence[float]],
    *,
    names: Sequence[str],
    look: _Look,
    lying: bool,
) -> None:
    width = 0.72 / len(columns)
    for nth, (column, name) in enumerate(zip(columns, names, strict=True)):
        shift = (nth - (len(columns) - 1) / 2) * width
        at = [place + shift for place in range(len(column))]
        draw = axes.barh if lying else axes.bar
        draw(at, column, width * 0.9, label=name, color=_colour(look, nth), zorder=2)


def _frame(axes: "Axes", unit: str, *, look: _Look, lying: bool) -> None:
    numbers, base = (axes.xaxis, "left") if lying else (axes.yaxis, "bottom")
    axes.spines[["top", "right", "left", "bottom"]].set_visible(False)
    axes.spines[base].set(visible=True, color=look.grid)
    axes.tick_params(colors=look.quiet, length=0, pad=5)
    axes.grid(axis="x" if lying else "y", color=look.grid, linewidth=0.9)
    axes.set_axisbelow(True)
    axes.margins(x=0.12 if lying else None, y=None if lying else 0.12)
    numbers.set_major_formatter(lambda value, _place: _amount(value, unit))
    if unit and unit not in _CURRENCIES:
        axes.set_title(unit, loc="right", fontsize=9.5, color=look.quiet)


def _pie(
    figure: "Figure", values: Sequence[float], *, labels: Sequence[str], unit: str, look: _Look
) -> None:
    """Draw a ring on the left and its legend on the right, where words have room to differ."""
    figure.set_layout_engine("none")
    width = figure.get_figwidth() * _PIE_WIDTH
    figure.set_size_inches(width, width * max(_PIE_HEIGHT, 0.09 * len(labels)))
    axes = figure.add_axes((0.01, 0.04, 0.42, 0.92))
    wedges = axes.pie(
        values,
        colors=[_colour(look, nth) for nth in range(len(values))],
        startangle=90,
        counterclock=False,
        wedgeprops={"width": 0.4, "edgecolor": look.paper, "linewidth": 2},
    )[0]
    whole = sum(values)
    lines = [
        f"{_short(label)} · {_amount(value, unit)} · {value / whole:.0%}"
        for label, value in zip(labels, values, strict=True)
    ]
    figure.legend(
        wedges,
        lines,
        frameon=False,
        loc="center left",
        bbox_to_anchor=(0.45, 0.5),
        fontsize=10,
        labelcolor=look.text,
        handlelength=0.9,
        handleheight=0.9,
        labelspacing=0.8,
    )


def _amount(value: float, unit: str) -> str:
    sign, number = "-" if value < 0 else "", f"{abs(value):,.10g}"
    return f"{sign}{unit}{number}" if unit and unit in _CURRENCIES else f"{sign}{number}"


def _breadth(label: str) -> int:
    """Return the label's breadth in narrow letters, with room beside it."""
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in label) + 2


def _printable(words: str) -> str:
    """Return the words without what no picture can hold."""
    return "".join(sign for sign in words if sign.isprintable())


def _short(label: str) -> str:
    return label if len(label) <= _LABEL_CHARS else label[: _LABEL_CHARS - 1] + "…"


def _colour(look: _Look, nth: int) -> str:
    return look.colours[nth % len(look.colours)]

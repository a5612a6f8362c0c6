"""Charts as pictures: one specification, drawn by matplotlib for platforms that cannot."""

import asyncio
import importlib.util
import io
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
_SLANTED_FROM_CHARS = 40


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
        size: tuple[float, float] = (6.4, 3.6),
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
        try:
            columns = [[float(Decimal(v)) for v in series.values] for series in chart.series]
        except InvalidOperation:
            return None
        if not columns or any(len(column) != len(chart.labels) for column in columns):
            return None
        async with self._one:
            return await asyncio.to_thread(
                _draw, chart, columns, locale=locale, theme=theme, picture=picture, size=size
            )


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
                "font.size": 11.5,
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
        labels = [resolve(label, locale) for label in chart.labels]
        names = [resolve(series.name, locale) for series in chart.series]
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
    axes = figure.add_subplot()
    values = columns[0] if columns else []
    if chart.chart == "pie" and min(values, default=-1) >= 0 and sum(values) > 0:
        _pie(axes, values, labels=labels, unit=chart.unit, look=look)
        return
    places = range(len(labels))
    if chart.chart == "line":
        for column, name, colour in zip(columns, names, _cycle(look, len(names)), strict=True):
            axes.plot(
                places, column, label=name, color=colour, linewidth=2.2, marker="o", markersize=4.5
            )
    else:
        width = 0.72 / len(columns)
        for nth, (column, name) in enumerate(zip(columns, names, strict=True)):
            shift = (nth - (len(columns) - 1) / 2) * width
            at = [place + shift for place in places]
            colour = look.colours[nth % len(look.colours)]
            axes.bar(at, column, width * 0.92, label=name, color=colour, zorder=2)
    slanted = sum(map(len, labels)) > _SLANTED_FROM_CHARS
    axes.set_xticks(
        list(places), labels, rotation=30 if slanted else 0, ha="right" if slanted else "center"
    )
    _frame(axes, chart.unit, look)
    if len(names) > 1:
        axes.legend(
            frameon=False, labelcolor=look.quiet, loc="lower left", bbox_to_anchor=(0, 1), ncols=4
        )


def _frame(axes: "Axes", unit: str, look: _Look) -> None:
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(look.grid)
    axes.tick_params(colors=look.quiet, length=0, pad=6)
    axes.grid(axis="y", color=look.grid, linewidth=0.9)
    axes.set_axisbelow(True)
    axes.margins(y=0.12)
    axes.yaxis.set_major_formatter(lambda value, _place: f"{value:,.10g}")
    if unit:
        axes.set_ylabel(
            unit, color=look.quiet, rotation=0, ha="right", va="top", y=1.02, labelpad=4
        )


def _pie(
    axes: "Axes", values: Sequence[float], *, labels: Sequence[str], unit: str, look: _Look
) -> None:
    whole = sum(values)
    wedges = axes.pie(
        values,
        colors=_cycle(look, len(values)),
        startangle=90,
        counterclock=False,
        wedgeprops={"width": 0.42, "edgecolor": look.paper, "linewidth": 2},
    )[0]
    lines = [
        f"{label}  {value:,.10g}{unit and ' ' + unit}  {value / whole:.0%}"
        for label, value in zip(labels, values, strict=True)
    ]
    axes.legend(
        wedges,
        lines,
        frameon=False,
        loc="center left",
        bbox_to_anchor=(1.02, 0.5),
        labelcolor=look.text,
    )


def _cycle(look: _Look, count: int) -> list[str]:
    return [look.colours[nth % len(look.colours)] for nth in range(count)]

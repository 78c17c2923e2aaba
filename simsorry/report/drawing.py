"""What all figures are made with: a picture becomes SVG and PNG that are the same bytes for the same numbers.

Figures are drawn narrow (about 350 points), so that they can be read on a phone. Colors are placeholders of a light
scheme; inside the HTML page they become CSS variables with a second value for dark screens. Series
differ by marker and dash as well as by color.
"""

import io
import re
import textwrap
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter
from PIL import Image

from simsorry import stats
from simsorry.report import words

WIDTH = 4.8  # inches; 346 points
DPI = 200
PALETTE = 128  # colors of a PNG
TITLE_CHARS, LABEL_CHARS = 49, 40

INK, FAINT, GRID, PAPER = "#1b1f24", "#59636e", "#d5dae0", "#fffffe"
SERIES = ("#0072b2", "#c44e00", "#00795c", "#a3407f", "#7f6000", "#4d4d4d")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)), (0, (8, 3)))
STACK = ("#5b6570", "#c3ccd5", "#0072b3", "#a84300")  # dark, pale, strong, strong and warm: parts of a bar
STACK_TEXT = ("#fffffd", "#1b1f25", "#fffffc", "#fffffb")
SHADES = ("#eff4f9", "#cfe1f1", "#9cc3e4", "#66a3d4", "#2a6fab", "#0b3c6f")  # of one hue, from little to much
SHADES_TEXT = ("#1b1f26", "#1b1f27", "#1b1f28", "#1b1f29", "#fffffa", "#fffff9")
COLORS = {"red": "#c1272d", "blue": "#1f5fc0", "yellow": "#8a6b00", "green": "#1b7a38"}  # of players
BAND = "#e8eef4"


def _scheme(name: str, light: Sequence[str], dark: Sequence[str]) -> dict[str, tuple[str, str, str]]:
    """Entries of the scheme for colors of one kind, numbered."""
    return {color: (f"{name}-{at}", color, other) for at, (color, other) in enumerate(zip(light, dark, strict=True))}


# Placeholder -> (CSS variable, its value on a light screen, its value on a dark one).
SCHEME = {
    INK: ("ink", INK, "#e6e9ec"),
    FAINT: ("faint", FAINT, "#a3adb8"),
    GRID: ("grid", GRID, "#3a424b"),
    PAPER: ("paper", "#ffffff", "#14181d"),
    BAND: ("band", BAND, "#25303b"),
    **_scheme("series", SERIES, ("#5ab4f0", "#ff9447", "#2cc79a", "#e593c2", "#e0c04c", "#c8c8c8")),
    **_scheme("stack", STACK, ("#8d98a3", "#46505a", "#5ab4f0", "#ff9447")),
    **_scheme("on-stack", STACK_TEXT, ("#14181d", "#f0f2f4", "#14181d", "#14181d")),
    **_scheme("shade", SHADES, ("#1d2833", "#27405a", "#2f5d88", "#5a9ccf", "#93c4ea", "#d6ebfa")),
    **_scheme("on-shade", SHADES_TEXT, ("#f0f2f4", "#f0f2f4", "#f0f2f4", "#14181d", "#14181d", "#14181d")),
    **_scheme("of", tuple(COLORS.values()), ("#ff7d7d", "#82b1ff", "#e0c04d", "#5cc97c")),
}

STYLE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "simsorry",
    "axes.unicode_minus": True,
}


@dataclass(frozen=True)
class Picture:
    """One figure of a report: what it found, what it shows, and its drawing."""

    name: str  # file name without ending, and prefix of the ids in its SVG
    finding: str  # the title: a sentence
    shows: str  # what is drawn, in which unit, over how many games
    draw: Callable[[Figure], None]
    height: float  # inches, without the title

    def files(self) -> "PictureFiles":
        """Draws it: laid out once, with the finding on top for the files and without it for the page."""
        lines = textwrap.wrap(self.finding, TITLE_CHARS, break_on_hyphens=False)
        top = 0.18 * len(lines) + 0.08  # inches
        total = self.height + top
        with mpl.rc_context(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing")
            mpl.rcdefaults()  # a matplotlibrc of the user's must not change the report
            mpl.rcParams.update(STYLE)
            figure = Figure(figsize=(WIDTH, total), dpi=DPI)
            figure.set_layout_engine("constrained", rect=(0, 0, 1, self.height / total))
            self.draw(figure)
            FigureCanvasAgg(figure)
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
            figure.patch.set_facecolor("none")
            inline = self._inline(_svg(figure), total * 72, top * 72)
            figure.patch.set_facecolor(PAPER)
            title = {"fontsize": 10.5, "fontweight": "bold", "va": "top", "linespacing": 1.2}
            figure.text(0.012, 1 - 0.06 / total, "\n".join(lines), title)
            return PictureFiles(_clean(_svg(figure)), _png(figure), inline)

    def _inline(self, svg: str, height: float, cut: float) -> str:
        """For the page: colors as CSS variables, ids of its own, no fixed size, without the room for the title."""
        text = _clean(svg)
        text = text[text.index("<svg") :]
        text = (
            f'<svg viewBox="0 {cut:g} {WIDTH * 72:g} {height - cut:g}" aria-hidden="true" focusable="false">' + text[text.index(">") + 1 :]
        )
        text = re.sub(r'\bid="', f'id="{self.name}-', text)
        text = text.replace('xlink:href="#', f'href="#{self.name}-').replace("url(#", f"url(#{self.name}-")
        for color, (name, _, _) in SCHEME.items():
            text = text.replace(color, f"var(--{name})")
        return text.replace("'DejaVu Sans'", "var(--figure-font)")


@dataclass(frozen=True)
class PictureFiles:
    """A picture as a file of its own, as pixels, and as a piece of the HTML page."""

    svg: str
    png: bytes
    inline: str


def _svg(figure: Figure) -> str:
    figure.set_dpi(72)
    target = io.StringIO()
    FigureCanvasSVG(figure).print_svg(target, metadata={"Date": None, "Creator": None})  # type: ignore[no-untyped-call]
    return target.getvalue()


def _png(figure: Figure) -> bytes:
    figure.set_dpi(DPI)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")  # type: ignore[no-untyped-call]
    target = io.BytesIO()
    # A palette says all that lines, bars and text need, in a third of the bytes.
    pixels.quantize(PALETTE, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(target, "PNG", optimize=True)
    return target.getvalue()


def _clean(svg: str) -> str:
    """Without the metadata block: it says nothing about the picture and names remote addresses."""
    return re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)


# -- shared pieces ---------------------------------------------------------------------------------


def clip(label: str, chars: int = LABEL_CHARS) -> str:
    """A label short enough to stand in a figure, on one line."""
    label = " ".join(label.split())
    if len(label) <= chars:
        return label
    end = chars // 3  # where names of house rules differ
    return f"{label[: chars - end - 1]}…{label[-end:]}"


def dash(at: int) -> Any:
    """A dash for the at-th line: where colors come round again, another dash goes with each."""
    return DASHES[(at + at // len(SERIES)) % len(DASHES)]


def look(at: int) -> dict[str, Any]:
    """Color and marker of the at-th series."""
    return {"color": SERIES[at % len(SERIES)], "marker": MARKERS[at % len(MARKERS)]}


LINE = 0.18  # inches, of a legend


def legend_lines(labels: Sequence[str]) -> int:
    """One line for two short names, else a line each."""
    return 1 if len(labels) == 2 and sum(map(len, labels)) <= LABEL_CHARS - 4 else len(labels)


def legend(axes: Axes, labels: Sequence[str]) -> None:
    """Above the axes, so that it never lies on the data."""
    columns = 2 if legend_lines(labels) < len(labels) else 1
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=columns, borderaxespad=0.2, handlelength=2.6, columnspacing=1.2)


def percent(axis: Any) -> None:
    """Labels an axis of shares in percent."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{words.number(value * 100, 0 if _is_whole(value * 100) else 1)}%"))


def _is_whole(value: float) -> bool:
    return abs(value - round(value)) < 1e-6


def whiskers(*estimates: stats.Estimate) -> list[list[float]]:
    """How far intervals reach below and above their values."""
    return [[max(each.value - each.low, 0.0) for each in estimates], [max(each.high - each.value, 0.0) for each in estimates]]

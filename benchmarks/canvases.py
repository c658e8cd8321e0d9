"""The same map on other canvases: flat ground and all that changes, drawn by cairo and by Skia, beside our
own renderer, in one run.

Not part of ``make bench``, for it wants libraries that pbem does without: ``pip install skia-python
cairocffi`` (or pycairo), then
``python -m benchmarks.canvases``. What is not installed is named and left out.
"""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol
from unittest import mock

from benchmarks.bare import pillow
from benchmarks.large_map import NAME, WIDTH, scene
from pbem.core.scene import Scene, Token, Trace
from pbem.referee.explain.draw import painter

Spot = tuple[float, float]
Colour = tuple[int, int, int]
FONT = "DejaVu Sans"
ROUNDS = 9
INK, PAPER, GOLD, RED, DEEP = (40, 28, 16), (250, 244, 228), (226, 170, 20), (176, 20, 30), (86, 20, 80)


class Canvas(Protocol):
    """A sheet on which shapes are drawn with smooth edges."""

    def copy(self) -> Canvas:
        """Return the sheet as it is, to draw further on."""

    def shape(
        self, points: Sequence[Spot], fill: Colour | None, line: Colour | None = None, width: float = 0
    ) -> None:
        """Draw a closed shape."""

    def line(self, points: Sequence[Spot], colour: Colour, width: float, dash: float = 0) -> None:
        """Draw a line with round ends."""

    def words(
        self, x: float, y: float, text: str, size: float, colour: Colour, halo: Colour | None = None
    ) -> None:
        """Write words with their middle at a place."""

    def png(self) -> bytes:
        """Return the sheet as its own library encodes it."""

    def pixels(self) -> bytes:
        """Return the sheet as bytes, four each pixel: blue, green, red, nothing."""


class Cairo:
    """A canvas of cairo."""

    def __init__(self, size: tuple[int, int], page: Colour | None) -> None:
        self.cairo: Any = import_module("cairo" if find_spec("cairo") else "cairocffi")
        self.size = size
        self.sheet = self.cairo.ImageSurface(self.cairo.FORMAT_RGB24, *size)
        self.pen = self.cairo.Context(self.sheet)
        self.pen.select_font_face(FONT)
        self.pen.set_line_cap(self.cairo.LINE_CAP_ROUND)
        self.pen.set_line_join(self.cairo.LINE_JOIN_ROUND)
        if page is not None:
            self._ink(page)
            self.pen.paint()

    def copy(self) -> Cairo:
        found = Cairo(self.size, None)
        found.pen.set_source_surface(self.sheet, 0, 0)
        found.pen.paint()
        return found

    def _ink(self, colour: Colour) -> None:
        self.pen.set_source_rgb(*(part / 255 for part in colour))

    def _path(self, points: Sequence[Spot]) -> None:
        self.pen.move_to(*points[0])
        for point in points[1:]:
            self.pen.line_to(*point)

    def shape(
        self, points: Sequence[Spot], fill: Colour | None, line: Colour | None = None, width: float = 0
    ) -> None:
        self._path(points)
        self.pen.close_path()
        if fill is not None:
            self._ink(fill)
            self.pen.fill_preserve()
        if line is not None:
            self._ink(line)
            self.pen.set_line_width(width)
            self.pen.stroke_preserve()
        self.pen.new_path()

    def line(self, points: Sequence[Spot], colour: Colour, width: float, dash: float = 0) -> None:
        self._ink(colour)
        self.pen.set_line_width(width)
        self.pen.set_dash([dash, dash] if dash else [])
        self._path(points)
        self.pen.stroke()
        self.pen.set_dash([])

    def words(
        self, x: float, y: float, text: str, size: float, colour: Colour, halo: Colour | None = None
    ) -> None:
        self.pen.set_font_size(size)
        _, top, wide, high = tuple(self.pen.text_extents(text))[:4]
        self.pen.move_to(x - wide / 2, y - top - high / 2)
        if halo is not None:
            self.pen.text_path(text)
            self._ink(halo)
            self.pen.set_line_width(size * 0.2)
            self.pen.stroke_preserve()
            self._ink(colour)
            self.pen.fill()
        else:
            self._ink(colour)
            self.pen.show_text(text)

    def png(self) -> bytes:
        out = io.BytesIO()
        self.sheet.write_to_png(out)
        return out.getvalue()

    def pixels(self) -> bytes:
        self.sheet.flush()
        return bytes(self.sheet.get_data())


class Skia:
    """A canvas of Skia, without a graphics card."""

    def __init__(self, size: tuple[int, int], page: Colour | None) -> None:
        self.skia: Any = import_module("skia")
        self.size = size
        info = self.skia.ImageInfo.Make(*size, self.skia.kBGRA_8888_ColorType, self.skia.kPremul_AlphaType)
        self.sheet = self.skia.Surface.MakeRaster(info)
        self.pen = self.sheet.getCanvas()
        self.face = self.skia.Typeface(FONT)
        if page is not None:
            self.pen.clear(self.skia.ColorSetRGB(*page))

    def copy(self) -> Skia:
        found = Skia(self.size, None)
        found.pen.drawImage(self.sheet.makeImageSnapshot(), 0, 0)
        return found

    def _ink(self, colour: Colour, width: float = 0) -> Any:
        ink = self.skia.Paint(AntiAlias=True, Color=self.skia.ColorSetRGB(*colour))
        if width:
            ink.setStyle(self.skia.Paint.kStroke_Style)
            ink.setStrokeWidth(width)
            ink.setStrokeCap(self.skia.Paint.kRound_Cap)
            ink.setStrokeJoin(self.skia.Paint.kRound_Join)
        return ink

    def _path(self, points: Sequence[Spot], close: bool) -> Any:
        path = self.skia.Path()
        path.addPoly([self.skia.Point(*point) for point in points], close)
        return path

    def shape(
        self, points: Sequence[Spot], fill: Colour | None, line: Colour | None = None, width: float = 0
    ) -> None:
        path = self._path(points, True)
        if fill is not None:
            self.pen.drawPath(path, self._ink(fill))
        if line is not None:
            self.pen.drawPath(path, self._ink(line, width))

    def line(self, points: Sequence[Spot], colour: Colour, width: float, dash: float = 0) -> None:
        ink = self._ink(colour, width)
        if dash:
            ink.setPathEffect(self.skia.DashPathEffect.Make([dash, dash], 0))
        self.pen.drawPath(self._path(points, False), ink)

    def words(
        self, x: float, y: float, text: str, size: float, colour: Colour, halo: Colour | None = None
    ) -> None:
        font = self.skia.Font(self.face, size)
        left, low = x - font.measureText(text) / 2, y + size * 0.36
        if halo is not None:
            self.pen.drawString(text, left, low, font, self._ink(halo, size * 0.2))
        self.pen.drawString(text, left, low, font, self._ink(colour))

    def png(self) -> bytes:
        return bytes(self.sheet.makeImageSnapshot().encodeToData(self.skia.kPNG, 100))

    def pixels(self) -> bytes:
        return bytes(self.sheet.makeImageSnapshot().tobytes())


def ground(canvas: Canvas, shown: Scene, frame: Any, theme: Any, look: Callable[[str], str]) -> None:
    """Draw every hex in its tint with its border, middle and number, walls and other edges as thick lines,
    and names.
    """
    unit = frame.hex
    for area in shown.areas:
        canvas.shape(frame.spots(area.corners), theme.ground(look(area.ground))[0], theme.grid, unit * 0.034)
    for edge in shown.edges:
        ends = frame.spots((edge.a, edge.b))
        canvas.line(ends, INK, unit * 0.26)
        canvas.line(ends, (190, 186, 178), unit * 0.16)
    for area in shown.areas:
        x, y = frame.spot(area.centre)
        canvas.words(x, y - unit * 0.69, area.at, unit * 0.27, INK, PAPER)
    for note in shown.notes:
        x, y = frame.spot(note.at)
        canvas.words(x, y + unit * 0.61, note.text, unit * 0.5, INK, PAPER)


def action(canvas: Canvas, shown: Scene, frame: Any, colours: dict[str, Colour]) -> None:
    """Draw what changes: rims, engines, ways, shots, counters, results."""
    unit = frame.hex
    for area in shown.areas:
        if area.changed:
            canvas.shape(frame.spots(area.corners), None, INK, unit * 0.17)
            canvas.shape(frame.spots(area.corners), None, GOLD, unit * 0.1)
    for thing in shown.things:
        for x, y in frame.spots(thing.cells):
            box = _box(x, y, unit * 0.8)
            canvas.shape(box, (128, 92, 56), INK, unit * 0.08)
            for step in range(1, 6):
                at = y - unit * 0.8 + step * unit * 0.27
                canvas.line([(x - unit * 0.8, at), (x + unit * 0.8, at)], INK, unit * 0.03)
    for trace in shown.traces:
        if len(trace.path) > 1:
            _way(canvas, trace, frame, colours.get(trace.side, INK))
    for token in shown.tokens:
        for x, y in frame.spots(token.cells):
            _counter(canvas, token, x, y + unit * 0.13, unit, colours.get(token.side, INK))
    for trace in shown.traces:
        if trace.text and trace.path:
            (ax, ay), (bx, by) = frame.spots((trace.path[0], trace.path[-1]))
            x, y = (ax + bx) / 2, (ay + by) / 2
            wide, high = unit * 0.1 * len(trace.text) + unit * 0.15, unit * 0.2
            canvas.shape(
                [(x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high)],
                PAPER,
                DEEP,
                2,
            )
            canvas.words(x, y, trace.text, unit * 0.27, DEEP)


def _box(x: float, y: float, half: float) -> list[Spot]:
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _way(canvas: Canvas, trace: Trace, frame: Any, colour: Colour) -> None:
    unit = frame.hex
    spots = painter("ways").smooth(frame.spots(trace.path))
    if trace.kind in ("shot", "fight", "strike"):
        canvas.line(spots, PAPER, unit * 0.16)
        canvas.line(spots, DEEP, unit * 0.07, unit * 0.2)
        return
    canvas.line(spots, PAPER, unit * 0.25)
    canvas.line(spots, colour, unit * 0.15)
    (x, y), (px, py) = spots[-1], spots[-2]
    long = ((x - px) ** 2 + (y - py) ** 2) ** 0.5 or 1.0
    dx, dy = (x - px) / long * unit * 0.36, (y - py) / long * unit * 0.36
    canvas.shape(
        [(x + dx, y + dy), (x - dy * 0.62, y + dx * 0.62), (x + dy * 0.62, y - dx * 0.62)],
        colour,
        PAPER,
        unit * 0.05,
    )


def _counter(canvas: Canvas, token: Token, x: float, y: float, unit: float, colour: Colour) -> None:
    half = unit * 0.615
    canvas.shape(_box(x + unit * 0.05, y + unit * 0.07, half), (70, 60, 44))
    canvas.shape(_box(x, y, half), colour)
    canvas.shape(_box(x, y + half * 0.27, half * 0.7), PAPER)
    canvas.words(x, y - half * 0.75, token.name[:12], unit * 0.24, (255, 255, 255))
    for turn in (-0.3, 0.0, 0.3):
        canvas.line(
            [(x - unit * 0.2, y + turn * unit * 0.3), (x + unit * 0.2, y - turn * unit * 0.3)],
            colour,
            unit * 0.06,
        )
    canvas.shape(_box(x, y - unit * 0.05, unit * 0.08), colour, INK, 1)
    canvas.words(x, y + half * 0.7, "-".join(token.numbers), unit * 0.32, INK)


@mock.patch.dict(os.environ, {"PBEM_CACHE": "off"})
def main() -> int:
    """Measure and print."""
    png, base, themes = painter(), painter("painted.base"), painter("themes")
    shown = scene()
    theme = themes.theme_of("print")
    frame = png.framed(shown, WIDTH, None, theme)
    look = painter("palette").look
    colours = {side.side: theme.side(side.colour) for side in shown.sides}

    def ours_ground() -> Any:
        base.forget()
        return base.base(shown, frame)

    kept = base.base(shown, frame)

    def ours_action() -> Any:
        sheet = kept.copy()
        painter("action").draw_action(sheet, shown, frame)
        return sheet

    last = ours_action()
    rows = [("pbem (Pillow, printed look)", ours_ground, ours_action, lambda: png.encode(last))]
    missing = []
    for name, canvas, libraries in (("cairo", Cairo, ("cairo", "cairocffi")), ("Skia", Skia, ("skia",))):
        if not any(find_spec(library) for library in libraries):
            missing.append(
                f"{name}: not installed (pip install "
                f"{'skia-python' if name == 'Skia' else 'pycairo, or cairocffi'})"
            )
            continue
        rows.append(_row(name, canvas, shown, frame, theme, look, colours))
    print(
        f"{NAME}, {WIDTH} x {frame.height} px, without title and legend; processor time, the least of "
        f"{ROUNDS} runs in turn"
    )
    print(
        f"{'':30}{'flat ground':>14}{'what changes':>14}{'its own PNG':>14}{'palette PNG':>14}{'bytes':>10}"
    )
    flat = [work for _, *works in rows for work in works]
    times = busy(*flat)
    reduced = png.encode(last)
    image = pillow.opened(reduced)
    (bare,) = busy(lambda: pillow.encode(image))
    for number, (name, *_, encode) in enumerate(rows):
        one, two, three = times[3 * number : 3 * number + 3]
        into = f"{three * 1000:.1f}" if number == 0 else f"{_reduced(rows[number], frame):.1f}"
        own = "" if number == 0 else f"{three * 1000:.1f} ms"
        print(
            f"{name:30}{one * 1000:11.1f} ms{two * 1000:11.1f} ms{own:>14}{into:>11} ms{len(encode()):>10,}"
        )
    print(f"{'Pillow, encoding alone':30}{'':>14}{'':>14}{'':>14}{bare * 1000:11.1f} ms{len(reduced):>10,}")
    print("\n".join(missing))
    return 0


def _row(
    name: str,
    make: Callable[..., Any],
    shown: Scene,
    frame: Any,
    theme: Any,
    look: Callable[[str], str],
    colours: dict[str, Colour],
) -> tuple[str, Callable[[], Any], Callable[[], Any], Callable[[], bytes]]:
    size = (frame.width, frame.height)

    def below() -> Any:
        sheet = make(size, theme.page)
        ground(sheet, shown, frame, theme, look)
        return sheet

    kept = below()

    def above() -> Any:
        sheet = kept.copy()
        action(sheet, shown, frame, colours)
        return sheet

    return name, below, above, above().png


def _reduced(row: Any, frame: Any) -> float:
    """Return the milliseconds in which the sheet of a canvas becomes a PNG of few colours, as we post it."""
    from PIL import Image

    sheet, png = row[2](), painter()
    size = (frame.width, frame.height)
    (seconds,) = busy(lambda: png.encode(Image.frombuffer("RGB", size, sheet.pixels(), "raw", "BGRX", 0, 1)))
    return seconds * 1000


def busy(*works: Callable[[], object]) -> list[float]:
    """Return the least seconds of a processor that each work takes; they take turns, and what else the
    machine does counts little.
    """
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for number, work in enumerate(works):
            begin = time.process_time()
            work()
            best[number] = min(best[number], time.process_time() - begin)
    return best


if __name__ == "__main__":
    sys.exit(main())

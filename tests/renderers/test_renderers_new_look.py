"""A further look of the ground is one row of one file, and every map has it: painted, printed, in high contrast,
as SVG, in characters; on hexes and on a table.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROW = '    "marsh": Ground((60, 90, 200), (60, 90, 200), (61, 91, 201), (62, 92, 202), "m", "scrub"),\n'
MARKED = "LOOKED: dict[str, Ground] = {\n"
TRY = """
import importlib.util, sys
from msgspec.structs import replace
sys.path[:0] = [{root!r}, {root!r} + "/tests/outside", {root!r} + "/tests/renderers"]
import pbem.renderers
spec = importlib.util.spec_from_file_location("pbem.renderers.palette", {path!r})
palette = sys.modules["pbem.renderers.palette"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(palette)
pbem.renderers.palette = palette
from inch_table import table
from pbem.core.scene import Area
from pbem.renderers import png, svg, text, themes
from scenes import centre, corners
hexes = tuple(Area(at, centre(at), corners(at), "marsh", "marsh") for at in ("0101", "0102", "0201", "0202"))
wet = tuple(replace(area, ground="marsh", name="marsh") for area in table().areas)
for scene in (
    replace(table(), measure=None, cell=("hex", "hexes"), areas=hexes, tokens=(), things=(), traces=(), roads=(), sectors=(), spans=()),
    table(areas=wet),
):
    for theme, wanted in zip(themes.THEMES.values(), ((60, 90, 200), (61, 91, 201), (62, 92, 202)), strict=True):
        found = png.still(scene, width=400, theme=theme).convert("RGB")
        near = sum(count for count, pixel in found.getcolors(1 << 24) if max(abs(a - b) for a, b in zip(pixel, wanted)) < 12)
        assert near > found.width * found.height * 0.05, (theme.name, near)
        assert "#%02x%02x%02x" % theme.grounds["marsh"][0] in svg.render(scene, theme=theme), theme.name
    assert "marsh" in text.render(scene)
said = text.render(replace(table(), measure=None, cell=("hex", "hexes"), areas=hexes, tokens=(), things=(), traces=()))
assert "Signs: m marsh" in said, said
"""


def test_a_further_look_of_the_ground_is_one_row_of_one_file(tmp_path: Path) -> None:
    source = (ROOT / "renderers/palette.py").read_text("utf-8")
    assert source.count(MARKED) == 1
    (tmp_path / "palette.py").write_text(source.replace(MARKED, MARKED + ROW), "utf-8")
    code = TRY.format(root=str(ROOT), path=str(tmp_path / "palette.py"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

"""Maps of one's own, looked at from the command line: every shipped one, as characters and as a picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import cli
from pbem.resources import folder

MAPS = sorted(folder("scenarios").rglob("maps/*.yaml"))


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_a_shipped_map_is_drawn(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "map.png"
    ran = CliRunner().invoke(cli, ["map", "show", str(path), "-o", str(out)])
    assert (ran.exit_code, ran.stdout) == (0, f"The map is in {out}.\n")
    assert out.read_bytes().startswith(b"\x89PNG")
    words = tmp_path / "map.txt"
    assert CliRunner().invoke(cli, ["map", "show", str(path), "-o", str(words)]).exit_code == 0
    assert "hexes" in words.read_text("utf-8")
    characters = CliRunner().invoke(cli, ["map", "show", str(path)])
    assert characters.stdout.startswith(" 01 ")


def test_a_map_with_a_mistake_is_not_drawn(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(MAPS[0].read_text("utf-8").replace("flat", "flatt", 1), "utf-8")
    out = tmp_path / "map.png"
    ran = CliRunner().invoke(cli, ["map", "show", str(wrong), "-o", str(out)])
    assert ran.exit_code == 1
    assert "did you mean 'flat'" in ran.stderr
    assert not out.exists()

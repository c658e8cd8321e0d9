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
    ruleset = path.parts[-3]
    show = ["map", "show", str(path)]
    ran = CliRunner().invoke(cli, [*show, "-o", str(out)])
    assert (ran.exit_code, ran.stdout) == (0, f"The map is in {out}.\n")
    assert out.read_bytes().startswith(b"\x89PNG")
    words = tmp_path / "map.txt"
    assert CliRunner().invoke(cli, [*show, "-o", str(words)]).exit_code == 0
    inches = ruleset == "castle"
    assert ("inches" if inches else "hexes") in words.read_text("utf-8")
    characters = CliRunner().invoke(cli, show)
    assert characters.stdout and (inches or characters.stdout.startswith(" 01 "))


def test_a_map_with_a_mistake_is_not_drawn(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(MAPS[-1].read_text("utf-8").replace("flat", "flatt", 1), "utf-8")
    out = tmp_path / "map.png"
    ran = CliRunner().invoke(cli, ["map", "show", str(wrong), "-o", str(out)])
    assert ran.exit_code == 1
    assert "did you mean 'flat'" in ran.stderr
    assert not out.exists()


def test_a_map_is_read_by_the_game_that_knows_most_of_it(tmp_path: Path) -> None:
    path = tmp_path / "wenna.yaml"
    good = (folder("scenarios") / "anarchy/maps/saint-wenna.yaml").read_text("utf-8")
    path.write_text(good.replace("church_window", "church_windoow", 1), "utf-8")
    told = CliRunner().invoke(cli, ["map", "check", str(path)]).stderr
    assert "did you mean" in told
    assert told.count(": map.") == 1
    named = CliRunner().invoke(cli, ["map", "check", "--ruleset", "cry_havoc", str(path)]).stderr
    assert named.count(": map.") > 1


WRONG = """\
map: thornby
title: Thornby
size: 6 x 4
key: {".": flat, "~": deep_watr}
terrain: |
  col 01 02 03 04 05 06
  01  .  .  .  .  .  .
  02  .  q  .  .  .  .
  03  .  .  .  ~  .  .
  04  .  .  .  .  .
colour: red
"""


def test_all_mistakes_of_a_map_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "thornby.yaml"
    path.write_text(WRONG)
    told = CliRunner().invoke(cli, ["map", "check", str(path)]).stderr
    for code in ("map.terrain", "map.word", "map.row", "schema.unknown-key"):
        assert told.count(f": {code}: ") == 1, code


def test_what_has_no_rules_yet_is_said_to_have_none(tmp_path: Path) -> None:
    path = tmp_path / "thornby.yaml"
    good = (
        WRONG.replace("deep_watr", "deep_water").replace("q", ".").replace("  .\ncolour: red\n", "  .  .\n")
    )
    path.write_text(f"{good}sides:\n  hedge:\n    n: 0303\n")
    assert (
        "no ruleset here has the module village yet: leave it off the map"
        in CliRunner().invoke(cli, ["map", "check", str(path)]).stderr
    )

"""Pictures on the command line: suffixes, themes, sizes, whose view; and what is typed wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from pbem.renderers.themes import THEMES as DRAWN
from PIL import Image

from pbem.cli import cli
from pbem.referee.explain.look import THEMES

ROOT = Path(__file__).resolve().parents[2]
GAME = str(ROOT / "examples" / "alder-ford" / "archive.zip")
MAP = str(ROOT / "scenarios" / "cry_havoc" / "maps" / "winding-lane.yaml")


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def test_the_names_of_the_themes_are_those_that_can_be_drawn() -> None:
    assert list(THEMES) == list(DRAWN)


@pytest.mark.parametrize("theme", THEMES)
def test_each_theme_gives_a_picture_of_its_own(theme: str, tmp_path: Path) -> None:
    for suffix in (".png", ".svg"):
        made = [tmp_path / f"{name}{suffix}" for name in ("one", "other")]
        other = THEMES[(THEMES.index(theme) + 1) % len(THEMES)]
        for path, name in zip(made, (theme, other), strict=True):
            result = run("render", GAME, "--slot", "9", "--scale", "0.3", "--theme", name, "-o", str(path))
            assert result.exit_code == 0, result.output
        assert made[0].read_bytes() != made[1].read_bytes()


@pytest.mark.parametrize(("scale", "width"), [("0.25", 350), ("0.5", 700), ("1.5", 2100)])
def test_a_scale_is_a_share_of_1400_pixels(scale: str, width: int, tmp_path: Path) -> None:
    assert run("map", "show", MAP, "--scale", scale, "-o", str(tmp_path / "map.png")).exit_code == 0
    with Image.open(tmp_path / "map.png") as picture:
        assert picture.width == width
    assert run("map", "show", MAP, "--scale", scale, "-o", str(tmp_path / "map.svg")).exit_code == 0
    assert ElementTree.parse(tmp_path / "map.svg").getroot().get("width") == str(width)


def test_a_seat_sees_the_map_too() -> None:
    umpire, seat = run("render", GAME), run("render", GAME, "--seat", "west")
    assert seat.exit_code == 0
    assert seat.output == umpire.output, "nothing is hidden once a battle has begun"


@pytest.mark.parametrize(
    ("words", "answer", "said"),
    [
        (("render", GAME, "--seat", "north"), 1, "the seats are east, west"),
        (("render", GAME, "--theme", "pink", "-o", "a.png"), 2, "parchment"),
        (("render", GAME, "--scale", "9", "-o", "a.png"), 2, "0.25<=x<=3.0"),
        (("render", GAME, "--scale", "nan", "-o", "a.png"), 2, "--scale"),
        (("render", GAME, "-o", "a.bmp"), 1, "one of .png, .svg, .txt"),
        (("render", GAME, "--slot", "99", "-o", "a.png"), 3, "99"),
        (("render", GAME, "--since", "last", "-o", "a.png"), 2, "--seat"),
        (("render", GAME, "--since", "-1", "-o", "a.png"), 2, "a number, or last"),
        (("render", GAME, "--since", "7", "--slot", "4", "-o", "a.png"), 1, "slot 7 is not before slot 4"),
        (("render", GAME, "--since", "7", "--sheet", "-o", "a.png"), 2, "--since"),
    ],
)
def test_what_is_typed_wrong_is_said(
    words: tuple[str, ...], answer: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code == answer, result.output
    assert said in " ".join((result.output + result.stderr).split())
    assert not list(tmp_path.iterdir())


def test_a_folder_in_the_place_of_a_picture_is_named_as_it_was_typed(tmp_path: Path) -> None:
    result = run("render", GAME, "-o", str(tmp_path))
    assert result.exit_code == 1 and "one of .png, .svg, .txt" in result.stderr
    (tmp_path / "map.png").mkdir()
    result = run("render", GAME, "--scale", "0.25", "-o", str(tmp_path / "map.png"))
    assert (result.exit_code, result.stderr) == (3, f"{tmp_path / 'map.png'}: file.system: Is a directory\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a file that is always full")
def test_a_full_disk_is_no_fault_of_the_program() -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "pbem", "render", GAME],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ran.returncode == 3
    assert (
        "has no room where it goes" in ran.stderr
        and "fault" not in ran.stderr
        and "Traceback" not in ran.stderr
    )


def test_what_changed_is_told_below_its_picture(tmp_path: Path) -> None:
    out = tmp_path / "changes.png"
    result = run("render", GAME, "--slot", "9", "--since", "5", "--scale", "0.3", "-o", str(out))
    assert result.exit_code == 0, result.output
    assert "Since turn 2, The Reeve of Westry: 16 moved, 4 killed and 2 wounded." in result.output
    assert "Einion Ddu from 0210 to 0511" in result.output
    with Image.open(out) as picture:
        assert "since turn 2, The Reeve of Westry" in picture.info["Title"]


def test_a_seat_may_ask_for_what_changed_since_its_last_turn() -> None:
    result = run("render", GAME, "--seat", "west", "--since", "last")
    assert "Since turn 10, The Reeve of Eastholt: 2 moved." in result.output

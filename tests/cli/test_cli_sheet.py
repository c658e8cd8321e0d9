"""The record sheet of a siege on the command line, and along with the report of a day that changed it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from pbem.cli import cli

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rulesets" / "siege"))

import siege_castle


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def fine(*words: str) -> str:
    result = run(*words)
    assert result.exit_code == 0, (words, result.output, result.exception)
    return result.stdout


@pytest.fixture(name="resolve")
def resolve_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Begin the little siege here; return what locks and resolves its open slot with a map."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    Path("maps").mkdir()
    Path("maps/little-castle.yaml").write_text(siege_castle.MAP)
    Path("little-siege.yaml").write_text(siege_castle.SCENARIO)
    fine("new", "little-siege.yaml", "game", "--seat", "baron=Ada", "--seat", "garrison=Ben", "--umpire")
    for seat in ("baron", "garrison"):
        fine("admit", "game", "--seat", seat, "--words", "yes, I play")

    def resolve() -> str:
        for seat in json.loads(fine("lock", "game", "--deadline", "--json"))["asked"]:
            fine("go", "game", "--seat", seat, "--luck", f"a go of {seat}")
        return fine("resolve", "game")

    return resolve


def test_a_day_of_bombardment_has_its_sheet_on_paper_in_words_and_in_the_report(
    resolve: Callable[[], str],
) -> None:
    Path("day.yaml").write_text(
        "seat: baron\nluck: stones and stones\nturn: d1\nday:\n- trebuchet1, trebuchet2 bombard 0303\n"
    )
    fine("submit", "day.yaml", "--game", "game", "--no-lock")
    resolve()
    sheet = Path("game/maps/s0001-sheet.png")
    with Image.open(sheet) as drawn:
        assert drawn.info["Title"] == "Siege record: A little siege"
    assert "maps/s0001-sheet.png" in fine("report", "game", "--format", "markdown")
    page = fine("report", "game", "--format", "html")
    assert page.count("what is kept beside the map") == 1
    assert page.count("a part of the map") == len(list(Path("game/maps").glob("s0001-[0-9].png")))

    said = fine("render", "game", "--sheet")
    assert said.startswith("Siege record: A little siege")
    # The dice of the evening may cost an engine points, and one of the two its last.
    assert re.search(r"^- trebuchet[12], trebuchet, [1-3] of 3, 0303", said, re.MULTILINE)
    assert "The sheet is in sheet.png." in fine("render", "game", "--sheet", "-o", "sheet.png")
    with Image.open("sheet.png") as drawn:
        assert drawn.width == 1240
    assert "The sheet is in sheet.txt." in fine("render", "game", "--sheet", "-o", "sheet.txt")
    start = fine("render", "game", "--sheet", "--slot", "0")
    assert "Walls that are damaged\n- none" in start

    for name in ("sheet.doc", "sheet.svg"):
        wrong = run("render", "game", "--sheet", "-o", name)
        assert (wrong.exit_code, "one of .png, .txt" in wrong.stderr, Path(name).exists()) == (1, True, False)
    assert "The sheet is in" in fine(
        "render", "game", "--sheet", "--theme", "contrast", "--seat", "baron", "-o", "dark.png"
    )
    assert Path("dark.png").read_bytes() != Path("sheet.png").read_bytes()
    both = run("render", "game", "--sheet", "--details", "-o", "sheet.png")
    assert (both.exit_code, "leave them out with --sheet" in both.stderr) == (2, True)


def test_a_game_without_walls_keeps_no_sheet(resolve: Callable[[], str]) -> None:
    scenario = Path(__file__).resolve().parents[2] / "scenarios" / "cry_havoc" / "alder-ford.yaml"
    fine("new", str(scenario), "ford", "--seat", "east=Ada", "--seat", "west=Ben", "--umpire")
    for seat in ("east", "west"):
        fine("admit", "ford", "--seat", seat, "--words", "yes, I play")
    none = run("render", "ford", "--sheet")
    assert none.exit_code == 1
    assert "keeps no sheet beside this map" in none.stderr
    assert "there is one of a siege, and of a game with dials" in none.stderr

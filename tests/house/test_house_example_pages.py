"""The pages that lead through recorded games: whatever they quote was said in that game, and the files they
name are there.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from house import EXAMPLES, recorded

from pbem.cli.refused import located
from pbem.referee.game.refusal import Refused
from pbem.referee.play.playthrough import Playthrough, read_script
from pbem.text.located import render

PAGES = [example / "README.md" for example in EXAMPLES if (example / "README.md").is_file()]
each = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.parent.name)


def plain(text: str) -> str:
    """Return a text with one space for each gap, so that it does not matter where its lines end."""
    return " ".join(text.split())


def quotations(page: str) -> list[str]:
    """Return the blocks of a page that are set in as what the program says; commands are none."""
    blocks = (
        "\n".join(line[4:] for line in block.splitlines())
        for block in re.findall(r"(?:^ {4}.*\n)+", page, flags=re.MULTILINE)
    )
    return [block for block in blocks if not block.startswith(("pbem ", "make "))]


def refusals(example: Path, root: Path) -> list[str]:
    """Return what was said to each order file of an example that was refused."""
    script = read_script(example)
    play = Playthrough(script, root / "game", root / "home", pictures=False)
    play.begin()
    last = max((number for number, step in enumerate(script.steps) if "refused" in step), default=-1)
    said = []
    for step in script.steps[: last + 1]:
        try:
            play.perform(step)
        except Refused as refusal:
            said += [render(problem).replace(f"{example}/", "") for problem in located(refusal)]
    return said


def test_there_are_pages() -> None:
    assert {page.parent.name for page in PAGES} >= {"millers-ladders", "six-days"}


@each
def test_what_a_page_quotes_was_said_in_that_game(page: Path, tmp_path: Path) -> None:
    reports = [data.decode() for name, data in recorded(page.parent).items() if name.startswith("reports/")]
    said = plain("\n".join([*reports, *refusals(page.parent, tmp_path)]))
    quoted = quotations(page.read_text("utf-8"))
    assert quoted
    assert [block for block in quoted if plain(block) not in said] == []


@each
def test_the_files_a_page_names_are_there(page: Path) -> None:
    named = re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8"))
    assert any(name.startswith("orders/") for name in named)
    assert [name for name in named if not (page.parent / name).exists()] == []

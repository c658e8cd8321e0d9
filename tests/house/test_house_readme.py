"""The README: its first game, typed line by line as it stands there, its length, and that it leads to every page."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from house import ROOT

from pbem.cli import cli


def first_game() -> list[list[str]]:
    """Return the commands of the section, in order."""
    section = (ROOT / "README.md").read_text("utf-8").partition("## Your first game\n")[2].partition("\n## ")[0]
    return [shlex.split(line, comments=True) for line in section.splitlines() if line.startswith("    ")]


def uncommented(sheet: str) -> Iterator[str]:
    """Fill in the first section of an order sheet as a person does: to each figure one order, and a place that nobody else has."""
    taken: set[str] = set()
    lines = sheet.splitlines()
    listed: list[str] = []
    sections = 0
    figure = ""
    for n, line in enumerate(lines):
        sections += bool(re.fullmatch(r"[a-z-]+:", line))
        if not line.startswith("#- ") or sections > 1 or line.split()[1] == figure:
            yield line
            continue
        figure = line.split()[1]
        start, _, place = line[1:].rpartition(" ")
        own = re.findall(r"\b\d{4}\b", " ".join([place, *(more for more in rest_of(lines[n + 1 :]))]))
        listed = own if len(own) > 1 else listed
        free = [hex_ for hex_ in reversed(listed) if hex_ not in taken]
        if re.fullmatch(r"\d{4}", place):
            place = free[0]
            taken.add(place)
        yield f"{start} {place}"


def rest_of(lines: list[str]) -> Iterator[str]:
    """Yield the comment lines that go with an order."""
    for line in lines:
        if not line.startswith("#    "):
            return
        yield line


def test_every_line_of_the_first_game_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = first_game()
    assert [words[:2] for words in commands][:3] == [["pbem", "new"], ["pbem", "admit"], ["pbem", "options"]]
    assert ["pbem", "verify", "mygame"] in commands
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    said = ""
    for name, *words in commands:
        assert name == "pbem"
        answer = CliRunner().invoke(cli, words)
        assert answer.exit_code == 0, (words, answer.output)
        said = answer.stdout
        if words[0] == "options":
            sheet = Path(words[words.index("-o") + 1])
            text = "\n".join(uncommented(sheet.read_text("utf-8"))) + "\n"
            assert "\n- " in text, "there is nothing to order"
            sheet.write_text(text.replace("# luck: any words", "luck: any words of his; really any"), "utf-8")
        if words[0] == "lock":
            assert "East's orders are fixed (" in said
            assert "Reply to this mail with a line `luck: any words`, or run `pbem go`." in said
    assert said.startswith("PASS")
    maps, reports = Path("mygame/maps"), Path("mygame/reports")
    assert all((maps / f"{slot}.png").is_file() and (reports / f"{slot}.txt").is_file() for slot in ("s0001", "s0002"))


def test_the_readme_is_two_screens() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert len(lines) <= 100


def linked(page: Path) -> set[Path]:
    """Return the pages of the project that a page has links to."""
    targets = re.findall(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)", page.read_text("utf-8"))
    return {(page.parent / target).resolve() for target in targets}


def test_the_readme_leads_to_every_page() -> None:
    found, new = set(), {ROOT / "README.md"}
    while new:
        found |= new
        new = {page for known in new for page in linked(known)} - found
    assert set((ROOT / "docs").rglob("*.md")) <= found

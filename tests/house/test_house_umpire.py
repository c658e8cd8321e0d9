"""The umpire's days: every line of docs/umpire.md that is to be typed, typed as it stands there, in its order."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_house_readme import typed

from pbem.cli import cli

SETTINGS = """[office]
name = "The club"
address = "orders@example.org"
[deadlines]
length = "3 days"
[players.bob]
name = "Bob"
address = "bob@example.org"
[players.fay]
name = "Fay"
address = "fay@example.org"
[players.dora]
name = "Dora"
address = "dora@example.org"
"""
DAYS = ("## A first evening", "## A normal day", "## A bad day")


def fine(line: str) -> str:
    """Type a line; return what is printed."""
    words = shlex.split(line, comments=True)
    assert words[0] == "pbem", line
    result = CliRunner().invoke(cli, words[1:], catch_exceptions=False)
    assert result.exit_code == 0, (line, result.output)
    return result.output


def test_every_line_of_the_three_days(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    Path("games").mkdir()
    Path("games/pbem.toml").write_text(SETTINGS)
    evening, day, bad = (typed("docs/umpire.md", heading) for heading in DAYS)
    assert len(evening) >= 5 and len(day) >= 7 and len(bad) >= 8
    for line in evening:
        fine(line)
    for seat in ("east", "west"):
        fine(f'pbem admit games/ford --seat {seat} --words "yes, I play"')
    Path("west.yaml").write_text("setup:\n- meurig at 0607\nfinal: yes\n")
    fine("pbem submit west.yaml --game games/ford --seat west")
    for line in day:
        said = fine(line)
        if line.startswith("pbem desk"):
            assert "needs you" in said and "pbem mail send games --dry-run" in said
    assert "Toll at the Alder Ford" in Path("pages/index.html").read_text()
    assert Path("desk/index.html").is_file()
    for line in bad:
        fine(line)
    assert "dora" in fine("pbem mail seats games").lower()

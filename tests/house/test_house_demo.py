"""``make demo``: it ends well, names files that are there, and its pages show their pictures wherever they
are written.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from house import ROOT, pbem, program


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def done(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the demo, once."""
    return program("demo", "--out", "shown", cwd=folder, home=folder / "home")


def pictures(page: Path) -> list[str]:
    return re.findall(r'<img[^>]* src="([^"]+)"', page.read_text("utf-8"))


def test_it_ends_well_and_names_files_that_are_there(
    done: subprocess.CompletedProcess[str], folder: Path
) -> None:
    assert done.returncode == 0, done.stderr
    assert "Playing alder-ford" in done.stdout
    assert not (folder / "home").exists()
    said = done.stdout.splitlines()
    named = [folder / line.split()[0] for line in said[said.index("Look at:") + 1 : -1]]
    assert [path.suffix for path in named] == [".png", ".html", ".html"]
    assert all(path.is_file() and path.stat().st_size for path in named), named
    assert re.match(r"\d+ records, \d+ dice: every die follows", said[-1])
    assert pbem("verify", "shown/game", cwd=folder, home=folder / "home").returncode == 0


def test_a_page_shows_its_pictures(
    done: subprocess.CompletedProcess[str], folder: Path, tmp_path: Path
) -> None:
    assert done.returncode == 0, done.stderr
    page = folder / "shown" / "last-turn.html"
    found = pictures(page)
    assert len(found) >= 2
    assert all((page.parent / path).is_file() for path in found)
    (folder / "post").mkdir()
    for place in ("turn.html", "post/turn.html", "shown/game/reports/turn.html"):
        ran = pbem(
            "report",
            "shown/game",
            "--slot",
            "9",
            "--format",
            "html",
            "-o",
            place,
            cwd=folder,
            home=folder / "home",
        )
        assert ran.returncode == 0, ran.stderr
        found = pictures(folder / place)
        assert len(found) >= 2
        assert all(((folder / place).parent / path).is_file() for path in found), found
    archive = next((folder / "shown").glob("*.zip")).relative_to(folder)
    ran = pbem(
        "report", str(archive), "--format", "html", "-o", "bare.html", cwd=folder, home=folder / "home"
    )
    assert ran.returncode == 0, ran.stderr
    assert pictures(folder / "bare.html") == []


def test_the_demo_of_the_makefile_is_this_one() -> None:
    assert "pbem demo --out demo" in (ROOT / "Makefile").read_text("utf-8")

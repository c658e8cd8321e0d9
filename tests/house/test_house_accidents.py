"""docs/when-things-go-wrong.md: each accident befalls a game, and every command of the page says what the
page says.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from accidents import ACCIDENTS, Toll
from click.testing import CliRunner
from house import ROOT
from msgspec.structs import replace

from pbem.cli import cli
from pbem.referee.game import environment

PAGE = ROOT / "docs" / "when-things-go-wrong.md"


def told() -> dict[str, list[tuple[str, list[str]]]]:
    """Return for each heading its commands, each with the lines that it says."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for heading, text in re.findall(
        r"^### (.*?)\n(.*?)(?=^##|\Z)", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    ):
        commands = found.setdefault(heading, [])
        for block in re.findall(r"^```text\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            for line in block.splitlines():
                if line.startswith("$ "):
                    commands.append((line[2:], []))
                else:
                    commands[-1][1].append(line)
    return found


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toll]:
    yield Toll(tmp_path_factory.mktemp("once")).begin()


@pytest.fixture
def at(once: Toll, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toll:
    """A copy of the game, at a terminal beside it."""
    root = tmp_path / "at"
    shutil.copytree(once.root, root)
    at = Toll(root)
    at.env.keyring.told_file("toll-0a1b2c").write_bytes(
        at.env.keyring.told_file("toll-0a1b2c")
        .read_bytes()
        .replace(str(once.game.resolve()).encode(), str(at.game.resolve()).encode())
    )
    at.moment, at.count = once.moment, once.count
    monkeypatch.chdir(root)
    monkeypatch.setattr(environment, "own_environment", lambda **more: replace(at.env, **more))
    return at


def pattern(lines: list[str]) -> str:
    """Return what fits lines of the page: ``…`` stands for anything, on a line of its own for any lines."""
    parts = [
        r"(?:.*\n)*?" if line == "…" else ".*?".join(map(re.escape, line.split("…"))) + r"\n"
        for line in lines
    ]
    return "".join(parts)


@pytest.mark.parametrize("heading", ACCIDENTS)
def test_an_accident_is_told_as_on_the_page_and_the_way_out_leads_out(
    heading: str, at: Toll, monkeypatch: pytest.MonkeyPatch
) -> None:
    ACCIDENTS[heading](at, monkeypatch)
    commands = told()[heading]
    assert commands
    for command, lines in commands:
        words = shlex.split(command)
        assert words[0] == "pbem"
        answer = CliRunner().invoke(cli, words[1:])
        assert answer.exit_code in (0, 1, 3), answer.output
        assert re.fullmatch(pattern(lines), answer.output), f"{command}\n{answer.output}"


def test_every_accident_of_the_page_is_played() -> None:
    assert list(told()) == list(ACCIDENTS)

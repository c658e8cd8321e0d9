"""A game of two friends by the command line alone, and what it says on the way."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from table import SCENARIOS, Table

from pbem.cli import cli


class Terminal:
    """Two people at one machine, each with a data folder of his own."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.table = Table(root)
        self.monkeypatch = monkeypatch
        monkeypatch.chdir(root)

    def __call__(self, *words: str, who: str = "home") -> Result:
        self.monkeypatch.setenv("PBEM_HOME", str(self.root / who))
        return CliRunner().invoke(cli, list(words))

    def fine(self, *words: str, who: str = "home") -> str:
        result = self(*words, who=who)
        assert result.exit_code == 0, (words, result.output, result.exception)
        return result.stdout

    def json(self, *words: str, who: str = "home") -> object:
        return json.loads(self.fine(*words, "--json", who=who))

    def file(self, name: str, text: str) -> str:
        (self.root / name).write_text(text)
        return name


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    return Terminal(tmp_path, monkeypatch)


def begin(terminal: Terminal) -> None:
    key = terminal.table.key_file("south")
    out = terminal.fine(
        "new", str(SCENARIOS / "tug.yaml"), "toll", "--seat", "north=Ada", "--seat", f"south=Ben,{key}.pub"
    )
    assert "outbox/invitation.zip and the letter beside it to south" in out.replace("\\", "/")
    shutil.copy(terminal.root / "toll/outbox/invitation.zip", terminal.root / "invite.zip")
    out = terminal.fine("join", "invite.zip", "--key", str(key), "-o", "join.txt", who="ben")
    assert "as south. Send join.txt to the umpire." in out
    assert "The game has started." in terminal.fine("admit", "toll", "join.txt")


def test_whoever_said_no_is_not_taken_in(terminal: Terminal) -> None:
    terminal.fine("new", str(SCENARIOS / "tug.yaml"), "toll", "--seat", "north=Ada", "--seat", "south=Ben")
    said = terminal("admit", "toll", "--seat", "south", "--words", "No, thanks").output
    assert "join.says-no: 'No, thanks' does not say that south plays" in said
    assert "south is in." in terminal.fine(
        "admit", "toll", "--seat", "south", "--words", "Nicht schlecht, ja!"
    )


def test_two_friends_play_two_slots(terminal: Terminal) -> None:
    begin(terminal)
    key = str(terminal.root / "south.key")
    status = terminal.json("status", "toll")
    assert status["phase"] == "t1.north.jeering"
    assert status["waiting_for"] == [{"seat": "north", "for": "orders"}]

    # The umpire's own turn: orders, lock, the other's go.
    terminal.file("north.yaml", "side: north\npull:\n- north-team pulls\n")
    assert terminal.json("check", "north.yaml", "--game", "toll") == {
        "ok": True,
        "doubts": [],
        "problems": [],
    }
    assert "These orders are stored." in terminal.fine("submit", "north.yaml", "--game", "toll")
    out = terminal.fine("lock", "toll")
    assert "waits for the go of south: send outbox/lock-s0001-south.txt" in out
    letter = (terminal.root / "toll/outbox/lock-s0001-south.txt").read_text()
    assert (
        letter.startswith("Subject: [toll-")
        and "to give words\n\nA rope across the yard (game toll-" in letter
    )
    assert (
        "North's orders are fixed (" in letter
        and "or run `pbem go`. Then the dice are rolled; nobody knows them yet." in letter
    )
    assert "There is no deadline" in letter
    waits = terminal("resolve", "toll")
    assert (waits.exit_code, "waits for the go of south" in waits.stderr) == (3, True)
    terminal.fine("pack", "toll", "toll.zip")
    terminal.fine("go", "toll.zip", "--key", key, "-o", "go.txt", who="ben")
    assert "south goes. Now resolve." in terminal.fine("submit", "go.txt", "--game", "toll")
    done = terminal.json("resolve", "toll")
    assert (done["slot"], done["over"], done["map"]) == (1, False, str(Path("toll/maps/s0001.png")))
    assert (terminal.root / done["map"]).read_bytes().startswith(b"\x89PNG")

    # His turn: signed orders with his value, then the dice at once.
    terminal.fine("pack", "toll", "toll.zip")
    seat = terminal.json("status", "toll.zip", who="ben")["waiting_for"][0]
    if seat["for"] == "answer":
        terminal.file("south.yaml", "seat: south\nanswers:\n  q1: hold\n")
    else:
        terminal.file("south.yaml", "seat: south\npull:\n- south-team pulls\n")
    out = terminal.fine(
        "sign", "south.yaml", "--game", "toll.zip", "--key", key, "-o", "south.txt", who="ben"
    )
    assert "Final: send south.txt and south.txt.sig to the umpire." in out
    assert f"ssh-keygen -Y sign -f {key} -n pd1-orders/toll-" in out
    out = terminal.fine("submit", "south.txt", "--game", "toll")
    assert "Final. These orders and this value are used." in out
    assert "slot 2 is locked" in out
    assert terminal.json("resolve", "toll")["slot"] == 2

    terminal.fine("pack", "toll", "toll.zip")
    verdict = json.loads(terminal("verify", "toll.zip", "--json", who="ben").stdout)
    assert (verdict["failures"], verdict["slots"]) == ([], 2)
    assert terminal("verify", "toll").stdout.startswith(("PASS", "CANNOT DECIDE"))
    assert terminal("verify", "toll.zip", "--no-replay").exit_code == 3

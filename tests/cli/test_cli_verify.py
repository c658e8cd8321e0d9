"""The verb verify as typed: what is not proven and who was lucky, a player's own letters, a
folder of games.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from table import Table

from pbem.cli import cli

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas" / "cli"


def typed(*words: str) -> Any:
    return CliRunner().invoke(cli, list(words))


def facts(schema: str, *words: str) -> Any:
    found = json.loads(typed(*words, "--json").stdout)
    jsonschema.validate(found, json.loads((SCHEMAS / f"{schema}.schema.json").read_text("utf-8")))
    return found


@pytest.fixture
def played(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.chdir(table.root)
    monkeypatch.setenv("PBEM_HOME", str(table.root / "home"))
    table.started(keyed=("south",))
    box = table.root / "box"
    box.mkdir()
    table.turn()
    signed = table.signed("south", "pull:\n- south-team pulls\n")
    (box / "final.txt").write_bytes(signed.data)
    (box / "final.txt.sig").write_text(signed.signature)
    (box / "hello.txt").write_text("hello")
    return table


def test_verify_says_what_is_not_proven_and_who_was_lucky(played: Table) -> None:
    answer = typed("verify", "game")
    assert answer.exit_code == 0
    lines = answer.stdout.splitlines()
    assert lines[0].startswith("PASS  tug-0a1b2c   rules replayed   ")
    assert "Not proven:" in lines
    assert lines.index("Not proven:") > next(
        at for at, line in enumerate(lines) if line.startswith(" slot 1")
    )
    assert lines[-3].split() == ["dice", "mean", "expected", "lowest", "highest", "expected"]
    assert lines[-1].startswith("  north: in ")
    found = facts("verify", "verify", "game")
    assert found["luck"][0]["side"] == "north"
    assert found["luck"][0]["sizes"][0]["expected_mean"] == 3.5
    assert len(found["not_proven"]) >= 4


def test_only_luck(played: Table) -> None:
    answer = typed("verify", "game", "--luck")
    assert (answer.exit_code, answer.stdout.splitlines()[0][:6]) == (0, "Luck. ")
    assert [side["side"] for side in json.loads(typed("verify", "game", "--luck", "--json").stdout)] == [
        "north"
    ]
    (played.game / "rolls" / "s0001.jsonl").write_bytes(b"")
    answer = typed("verify", "game", "--luck")
    assert (answer.exit_code, answer.stdout.splitlines()[0][:40]) == (
        1,
        "The proof of this game does not hold, or",
    )


def test_mine(played: Table) -> None:
    waiting = typed("verify", "game", "--mine", "box")
    assert waiting.exit_code == 0
    first, line, others = waiting.stdout.splitlines()
    assert first.startswith("ALL THERE  tug-0a1b2c   head ")
    assert first.endswith("   1 letters, 0 missing")
    assert line == "  final.txt  orders   slot 2    slot 2 is not locked in this copy of the game"
    assert others == "Not letters of this program: hello.txt"
    played.orders("south", "pull:\n- south-team rests\n", draft=True)
    played.lock(deadline=True)
    dropped = typed("verify", "game", "--mine", "box")
    assert dropped.exit_code == 1
    assert dropped.stdout.splitlines()[0].startswith("NOT ALL THERE  tug-0a1b2c")
    assert dropped.stdout.splitlines()[1].startswith(
        "! final.txt  orders   slot 2    NOT USED though final: the lock of slot 2 has another"
    )
    found = facts("verify-mine", "verify", "game", "--mine", "box")
    assert (found["answer"], found["letters"][0]["answer"], found["others"]) == (1, "missing", ["hello.txt"])
    assert typed("verify", "game", "--mine", "nowhere").exit_code == 3
    (played.root / "none").mkdir()
    nothing = typed("verify", "game", "--mine", "none")
    assert (nothing.exit_code, nothing.stdout[:20]) == (3, "NOTHING OF THIS GAME")
    (played.game / "rolls" / "s0001.jsonl").write_bytes(b"")
    assert (
        "The game itself does not hold: E14 rolls/s0001.jsonl"
        in typed("verify", "game", "--mine", "none").stdout
    )


def test_all(played: Table) -> None:
    shutil.copytree(played.game, played.root / "games" / "one")
    fine = typed("verify", "--all", "games")
    assert fine.exit_code == 0
    assert fine.stdout.splitlines() == ["PASS           one  1 slots, 1 dice", "1 game: 1 hold"]
    (played.root / "games" / "junk.zip").write_bytes(b"junk")
    found = facts("verify-all", "verify", "--all", "games", "--jobs", "1")
    assert (found["answer"], [game["verdict"] for game in found["games"]]) == (3, ["undecided", "pass"])
    told = typed("verify", "--all", "games", "--jobs", "1")
    assert told.exit_code == 3
    assert told.stdout.splitlines()[-1] == "2 games: 1 hold, 1 cannot be decided"
    assert typed("verify", "--all", "nowhere").exit_code == 3
    empty = typed("verify", "--all", "box")
    assert (empty.exit_code, empty.stdout) == (3, "There is no game below box.\n")


def test_typed_wrong(played: Table) -> None:
    for words, said in (
        (("verify",), "name a game, or a folder of games with --all"),
        (("verify", "game", "--all", "games"), "name a game, or a folder of games with --all"),
        (("verify", "game", "--mine", "box", "--with", "game"), "one at a time: --with or --mine"),
        (("verify", "game", "--die", "x"), "--die needs --slot"),
    ):
        answer = typed(*words)
        assert (answer.exit_code, said in answer.stderr) == (2, True), answer.stderr

"""The verb mend as typed, and every other verb that stops at a loss: it says what is lost, and names the
cure.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from table import Table, pull

from pbem.cli import cli
from pbem.store import disk

SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "cli" / "mend.schema.json"


def typed(*words: str) -> Any:
    return CliRunner().invoke(cli, list(words))


@pytest.fixture
def played(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.chdir(table.root)
    monkeypatch.setenv("PBEM_HOME", str(table.root / "home"))
    table.started(umpire=True, keyed=())
    table.orders("north", pull("north", "luck: seven drunken herons\n"))
    table.resolve()
    Path("s.yaml").write_text(pull("south", "luck: one sober stork\n"))
    return table


NO_STATE = "pbem: game.no-state: the state after slot 1 (state/s0001.json) is missing"
NO_LOG = "game: proof.broken: E00 rolls/s0001.jsonl: missing"
NO_EVENTS = "pbem: game.events: the events of slot 1 (events/s0001.jsonl) are missing or cannot be read"
CURED = [
    ("state/s0001.json", ["status", "game"], NO_STATE),
    ("state/s0001.json", ["submit", "s.yaml", "--game", "game"], NO_STATE),
    ("rolls/s0001.jsonl", ["status", "game"], NO_LOG),
    ("rolls/s0001.jsonl", ["resolve", "game"], NO_LOG),
    ("events/s0001.jsonl", ["report", "game"], NO_EVENTS),
    ("events/s0001.jsonl", ["render", "game"], NO_EVENTS),
]


@pytest.mark.parametrize(("lost", "words", "said"), CURED)
def test_a_verb_that_stops_at_a_loss_tells_it_and_the_cure_works(
    played: Table, lost: str, words: list[str], said: str
) -> None:
    (played.game / lost).unlink()
    stopped = typed(*words)
    assert stopped.exit_code == 3
    assert stopped.stderr.startswith(said)
    assert stopped.stderr.endswith("\n    pbem mend game\n")
    assert typed("mend", "game").exit_code == 0
    assert said not in typed(*words).stderr


def test_what_was_done_is_said_line_by_line(played: Table) -> None:
    (played.game / "state/s0001.json").unlink()
    (played.game / "rolls/s0001.jsonl").write_bytes(b"{}\n")
    dry = typed("mend", "game", "--dry-run")
    assert dry.stdout.splitlines()[:3] == [
        "made again    rolls/s0001.jsonl  from what is signed",
        "made again    state/s0001.json   from what is signed",
        "Nothing was changed: without --dry-run this is done.",
    ]
    done = typed("mend", "game")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[:2] == [
        "made again    rolls/s0001.jsonl  from what is signed; what was there is now "
        "aside/1/rolls/s0001.jsonl",
        "made again    state/s0001.json   from what is signed",
    ]
    assert done.stdout.splitlines()[2].startswith("PASS  tug-0a1b2c   rules replayed")
    again = typed("mend", "game")
    assert again.stdout.startswith("There is nothing to mend.\nPASS")


def test_as_json(played: Table) -> None:
    (played.game / "events/s0001.jsonl").unlink()
    found = json.loads(typed("mend", "game", "--json").stdout)
    jsonschema.validate(found, json.loads(SCHEMA.read_text("utf-8")))
    assert [one["file"] for one in found["games"][0]["deeds"]] == ["events/s0001.jsonl"]


def test_a_folder_of_games_is_mended_game_by_game(played: Table) -> None:
    Path("games").mkdir()
    for name in ("fine", "lost", "bad"):
        shutil.copytree("game", f"games/{name}")
    Path("games/lost/state/s0001.json").unlink()
    Path("games/bad/ledger/00002-start.json").unlink()
    done = typed("mend", "games")
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.endswith(":")] == ["games/bad:", "games/fine:", "games/lost:"]
    assert lines[lines.index("games/fine:") + 1] == "There is nothing to mend."
    assert lines[lines.index("games/lost:") + 1] == "made again    state/s0001.json  from what is signed"
    found = json.loads(typed("mend", "games", "--json").stdout)
    jsonschema.validate(found, json.loads(SCHEMA.read_text("utf-8")))
    assert [one["answer"] for one in found["games"]] == [1, 0, 0]


def test_an_archive_needs_a_place_for_the_mended_one(played: Table) -> None:
    typed("pack", "game", "toll.zip")
    stopped = typed("mend", "toll.zip")
    assert (stopped.exit_code, stopped.stderr) == (
        1,
        "toll.zip: mend.out: an archive is never changed; the mended one goes into another file\n"
        "    pbem mend toll.zip -o toll-mended.zip\n",
    )
    assert typed("mend", "toll.zip", "-o", "new.zip").exit_code == 0
    assert not Path("new.zip").exists()


def test_what_is_no_game(played: Table) -> None:
    assert typed("mend", "nowhere").exit_code == 3
    assert typed("mend", "s.yaml", "-o", "x.zip").exit_code == 3
    Path("empty").mkdir()
    assert typed("mend", "empty").stderr == "empty: game.none: there is no game in empty\n"


def test_another_program_in_the_game_is_not_disturbed(played: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(folder: Path) -> None:
        raise disk.Busy(folder / ".lock", "4711 here")

    monkeypatch.setattr(disk, "exclusive", busy)
    stopped = typed("mend", "game")
    assert stopped.exit_code == 3
    assert "game.busy: another pbem is writing in this game (4711 here)" in stopped.stderr


# --- copies and programs, as typed


def test_a_restored_backup_is_refused_and_i_know_goes_on(played: Table) -> None:
    shutil.copytree("game", "backup")
    assert typed("submit", "s.yaml", "--game", "game").exit_code == 0
    assert typed("resolve", "game", "--no-map").exit_code == 0
    shutil.rmtree("game")
    shutil.move("backup", "game")
    stopped = typed("submit", "s.yaml", "--game", "game")
    assert stopped.exit_code == 1
    assert stopped.stderr.startswith("game: story.older: this copy of tug-0a1b2c ends at slot 1 (head ")
    assert "--i-know" in stopped.stderr
    assert "! " not in typed("status", "game").stdout
    assert "this copy of tug-0a1b2c ends at slot 1" in typed("status", "game").stdout
    assert "\n!    this copy of tug-0a1b2c ends at slot 1" in typed("verify", "game").stdout
    for verb in (["lock", "game"], ["resolve", "game"], ["undo", "game", "--to", "1"]):
        assert typed(*verb).stderr.startswith("game: story.older: ")
    assert typed("submit", "s.yaml", "--game", "game", "--i-know", "--no-lock").exit_code == 0
    assert typed("lock", "game").exit_code == 0
    assert "this copy" not in typed("status", "game").stdout


def test_an_upgrade_is_said_on_the_way_and_in_verify(played: Table) -> None:
    said = typed("status", "game").stdout
    assert "  tug-0a1b2c: this is pbem 0." in said
    typed("submit", "s.yaml", "--game", "game", "--no-lock")
    done = typed("resolve", "game", "--no-map")
    assert done.exit_code == 0
    assert done.stderr.startswith("pbem: note: tug-0a1b2c: this is pbem ")
    assert (
        "!    this game began with pbem 0.1.0 (engine 00000000); slot 2 was played by pbem "
        in typed("verify", "game").stdout
    )
    found = json.loads(typed("verify", "game", "--json").stdout)
    jsonschema.validate(found, json.loads((SCHEMA.parent / "verify.schema.json").read_text("utf-8")))
    assert [(one["first"], one["last"]) for one in found["engines"]] == [(0, 1), (2, 2)]
    assert found["notices"][0].startswith("this game began with pbem 0.1.0")


def test_a_backup_is_brought_up_from_an_archive(played: Table) -> None:
    shutil.copytree("game", "backup")
    typed("submit", "s.yaml", "--game", "game")
    typed("resolve", "game", "--no-map")
    typed("pack", "game", "toll.zip")
    shutil.rmtree("game")
    shutil.move("backup", "game")
    done = typed("mend", "game", "--from", "toll.zip")
    assert done.exit_code == 0
    assert "taken over    ledger/00006-s0002-result.json" in done.stdout
    assert "ends at slot 1" not in typed("status", "game").stdout

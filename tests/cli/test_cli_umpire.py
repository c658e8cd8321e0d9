"""What an umpire types about time, and what the program tells him: run and status say the same."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from office_table import OfficeTable

from pbem.cli import cli

SCHEMA = Path(__file__).resolve().parents[2] / "schemas/cli/umpire.schema.json"
WHY = ("--why", "Ann moves house")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game of an office with deadlines, begun now by the terminal's clock."""
    table = OfficeTable(tmp_path, '[deadlines]\nlength = "3 days"\nleave = { days = 4 }\n')
    table.at_the_terminal(monkeypatch)
    table.moment = datetime.now(UTC).replace(microsecond=0)
    table.started(umpire=True, keyed=())
    fine("run", ".")
    return str(table.game.relative_to(table.root))


def typed(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def fine(*words: str) -> str:
    result = typed(*words)
    assert result.exit_code == 0, (words, result.output, result.exception)
    return result.stdout


def facts(*words: str) -> Any:
    found = json.loads(fine("umpire", *words, "--json"))
    jsonschema.validate(found, json.loads(SCHEMA.read_text()))
    return found


def test_more_time(game: str) -> None:
    said = fine("umpire", "extend", game, "--by", "3 days", *WHY)
    assert said.startswith("Slot 1 is due on ") and "(Europe/Berlin)" in said
    assert "It stands in the ledger and cannot be taken back." in said and "pbem run ." in said
    found = facts("extend", game, "--until", "2060-01-02 21:00", *WHY)
    assert found == {
        "does": "extend",
        "slot": 1,
        "due": "2060-01-02T20:00:00Z",
        "until": "2060-01-02T20:00:00Z",
    }
    ran = fine("run", ".")
    assert "north: nora@example.org" in ran and "south: sam@example.net" in ran
    # Whoever runs a round with nothing to do is told for whom the game waits, and how long still.
    idle = fine("run", ".")
    assert "Nothing to do now:" in idle and "for North" in idle and "days" in idle, idle
    assert "days" in fine("status", ".")


def test_a_pause(game: str) -> None:
    said = fine("umpire", "pause", game, *WHY)
    assert "Nothing is due in it before it goes on." in said
    assert f"the way back: pbem umpire resume {game} --why" in said
    assert "Nothing is due in it.\n" in fine("umpire", "say", game, "the club house is closed")
    assert "Something is due in" in fine("next", ".")
    assert "hold" in fine("status", ".") and "put on hold by the umpire" in fine("status", game)
    fine("run", ".")
    assert "hold" in fine("run", ".")
    fine("mail", "send", ".", "--sent")
    assert "pbem umpire resume" in fine("next", ".")
    assert facts("resume", game, *WHY)["due"] > datetime.now(UTC).strftime("%Y-%m-%d")


def test_leave(game: str) -> None:
    first = (datetime.now(UTC) + timedelta(days=2)).strftime("%Y-%m-%d")
    last = (datetime.now(UTC) + timedelta(days=4)).strftime("%Y-%m-%d")
    found = facts("absent", game, "--seat", "south", "--from", first, "--to", last, *WHY)
    assert (found["seat"], found["first"], found["last"]) == ("south", first, last)
    assert found["zone"] == "America/New_York"
    refused = typed(
        "umpire", "absent", game, "--seat", "south", "--from", "2060-01-01", "--to", "2060-01-09", *WHY
    )
    assert (
        refused.exit_code == 1
        and "south does not have that many days of leave left: 4 (2060)" in refused.stderr
    )
    assert "--anyway" in refused.stderr
    fine(
        "umpire",
        "absent",
        game,
        "--seat",
        "south",
        "--from",
        "2060-01-01",
        "--to",
        "2060-01-09",
        "--anyway",
        *WHY,
    )


def test_a_reminder(game: str) -> None:
    said = fine("umpire", "remind", game, *WHY)
    assert said.startswith("1 letter to ") and "; it goes out with the next round" in said
    assert facts("remind", game, *WHY)["seats"]


@pytest.mark.parametrize(
    ("words", "answer", "said"),
    [
        (("extend",), 2, "one of --by and --until"),
        (("extend", "--by", "1 day", "--until", "2060-01-01 10:00"), 2, "one of --by and --until"),
        (("extend", "--by", "three days"), 1, "'three days' is no length of time; one looks like 3 days"),
        (
            ("extend", "--until", "tomorrow"),
            1,
            "'tomorrow' is no day and time; one looks like 2026-12-24 21:00",
        ),
        (("extend", "--until", "2020-01-01 10:00"), 1, "a word of yours never takes time away"),
        (("absent", "--from", "2060-01-01", "--to", "2060-01-02"), 2, "--seat"),
        (("absent", "--seat", "south", "--from", "1 May", "--to", "2060-01-02"), 1, "'1 May' is no day"),
        (
            ("absent", "--seat", "pink", "--from", "2060-01-01", "--to", "2060-01-02"),
            1,
            "there are north, south",
        ),
        (("resume",), 1, "the game is not paused"),
    ],
)
def test_what_cannot_be_is_said(game: str, words: tuple[str, ...], answer: int, said: str) -> None:
    result = typed("umpire", words[0], game, *words[1:], *WHY)
    assert result.exit_code == answer and said in result.stderr, result.stderr
    assert "Traceback" not in result.output


def test_who_has_no_address_is_named(game: str) -> None:
    file = Path("pbem.toml")
    assert "But nobody" not in fine("umpire", "pause", game, *WHY)
    file.write_text(file.read_text().replace('name = "South"', 'name = "Sam"'))
    said = fine("umpire", "resume", game, *WHY)
    assert "But nobody has an address for South here: tell that player yourself" in said


def test_there_is_always_a_reason(game: str) -> None:
    for verb in ("extend", "pause", "resume", "absent", "remind", "substitute", "end", "reopen"):
        result = typed("umpire", verb, game)
        assert result.exit_code == 2 and "Missing option" in result.stderr
        assert f"pbem umpire {verb} " in fine("umpire", verb, "--help")


def test_a_word(game: str) -> None:
    said = fine("umpire", "say", game, "the rope is wet")
    assert "It stands in the ledger and cannot be taken back." in said
    assert facts("say", game, "the rope is wet")["does"] == "say"
    to_one = fine("umpire", "say", game, "only you", "--seat", "south")
    assert to_one.startswith("1 letter to south; it goes out with the next round: pbem run .")
    assert "nothing of it stands in the ledger" in to_one
    assert facts("say", ".", "all of you")["players"] == ["North", "South"]
    empty = typed("umpire", "say", game, "  ")
    assert empty.exit_code == 1 and "there is nothing in what you say" in empty.stderr


def test_another_player(game: str) -> None:
    file = Path("pbem.toml")
    refused = typed("umpire", "substitute", game, "--seat", "south", "--player", "carl", *WHY)
    assert refused.exit_code == 1 and "put a section [players.carl] there first" in refused.stderr
    file.write_text(file.read_text() + '[players.carl]\naddress = "carl@example.com"\n')
    said = fine("umpire", "substitute", game, "--seat", "south", "--player", "Carl", *WHY)
    assert "a code of his own" in said
    assert f"the way back: pbem umpire substitute {game} --seat south --player sam --why" in said
    assert "south: carl@example.com" in fine("run", ".")
    assert typed("umpire", "substitute", game, "--player", "carl", *WHY).exit_code == 2
    found = facts("substitute", game, "--seat", "south", "--player", "sam", *WHY)
    assert (found["player"], found["was"]) == ("sam", "carl")


def test_the_end(game: str) -> None:
    said = fine("umpire", "adjudicate", game)
    assert said.startswith("Score as it stands: North 0, South 0\nIf it ended as it stands: a draw.\n")
    assert facts("adjudicate", game)["leads"] == "draw"
    ended = fine("umpire", "end", game, "--resigned", "south", *WHY)
    assert ended.startswith("The game is over: victory for North.\n") and "pbem umpire reopen" in ended
    assert "North wins: South resigned" in fine("status", game)
    assert "end resigned, won by north, asked by south at slot 1" in fine("verify", game)
    fine("run", ".")
    assert facts("reopen", game, *WHY)["does"] == "reopen"
    assert "wins" not in fine("status", game)
    assert facts("end", game, "--agreed", "--draw", *WHY)["by"] == ["north", "south"]
    facts("reopen", game, *WHY)
    assert facts("adjudicate", game, "--winner", "north", *WHY)["winner"] == "north"
    again = typed("umpire", "adjudicate", game)
    assert again.exit_code == 1 and "is over" in again.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("end",), "one of --resigned and --agreed"),
        (("end", "--agreed"), "--draw or --winner"),
        (("end", "--agreed", "--draw", "--winner", "north"), "one of --draw and --winner"),
        (("adjudicate", "--draw", "--as-it-stands"), "one of --draw, --winner and --as-it-stands"),
    ],
)
def test_an_end_that_is_not_clear(game: str, words: tuple[str, ...], said: str) -> None:
    result = typed("umpire", words[0], game, *words[1:], *WHY)
    assert result.exit_code == 2 and said in result.stderr


def test_an_adjudication_needs_a_reason(game: str) -> None:
    result = typed("umpire", "adjudicate", game, "--draw")
    assert result.exit_code == 2 and "a result needs a reason" in result.stderr


def test_verify_tells_what_the_umpire_did(game: str) -> None:
    fine("umpire", "pause", game, *WHY)
    assert "pause at slot 1, on the word of the GM: Ann moves house" in fine("verify", game)


def test_a_ruling_and_a_correction(game: str) -> None:
    assert typed("umpire", "rule", game, "--why", "x").exit_code == 2
    where = Path(game)
    (where.parent / "patch.yaml").write_text("set:\n  rope: 2\n  ropes.x: 1\n")
    wrong = typed("umpire", "rule", game, "--patch", str(where.parent / "patch.yaml"), *WHY)
    assert wrong.exit_code == 1 and "patch.yaml:3:" in wrong.stderr and "rope" in wrong.stderr
    wrong = typed("umpire", "rule", game, "--set", "rope=far", *WHY)
    assert wrong.exit_code == 1 and "this is no state of the game" in wrong.stderr
    proposed = facts("rule", game, "--set", "rope=1", *WHY, "--propose", str(where.parent / "act.json"))
    assert (proposed["entered"], proposed["slot"], proposed["open"]) == (False, 1, 2)
    said = fine("umpire", "rule", game, "--set", "rope=1", *WHY)
    assert "Ruling in slot 1" in said and "rope: 0 → 1" in said and "pbem undo" in said
    ran = fine("run", ".")
    assert "north: nora@example.org" in ran and "south: sam@example.net" in ran
    letters = [path.read_text() for path in Path("post/out").glob("turn-*-s0001-*.eml")]
    assert len(letters) == 2 and all("The umpire has ruled" in text for text in letters)
    refused = typed("umpire", "correct", game, "--slot", "1")
    assert refused.exit_code == 1 and "is a ruling" in refused.stderr
    assert fine("verify", game).startswith("PASS")


def test_a_dossier(game: str) -> None:
    found = facts("dossier", game, "-o", "toll.html")
    assert found == {"does": "dossier", "file": "toll.html", "archive": True, "left_out": 0}
    assert Path("toll.html").read_bytes().startswith(b"<!doctype html>")
    assert f"pbem umpire adjudicate {game} --winner" in fine("umpire", "dossier", game)

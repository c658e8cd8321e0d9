"""The verbs round a log as typed: made, added to, cosigned, looked into, and asked about a copy."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from log_table import LogTable
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
def at(table: Table, monkeypatch: pytest.MonkeyPatch) -> LogTable:
    table.at_the_terminal(monkeypatch)
    return LogTable(table)


def test_a_log_from_its_first_day_to_a_fork(at: LogTable, monkeypatch: pytest.MonkeyPatch) -> None:
    made = typed("witness", "new", "mine", "--origin", "example.org/mine")
    assert made.exit_code == 0
    key = made.stdout.splitlines()[-1].strip()
    at.forked()
    added = typed("witness", "add", "mine", "game")
    assert added.exit_code == 0, added.output
    count = at.table.open().ledger.next_n - 1
    assert added.stdout.splitlines()[0] == f"tug-0a1b2c: {count} new heads, up to record {count}"
    signed = typed("witness", "sign", "mine", "--name", "ann.example", "-o", "cosigned.txt", "--log-key", key)
    assert signed.exit_code == 0, signed.output
    witness = next(line.strip() for line in signed.stdout.splitlines() if line.startswith("  ann.example+"))
    assert "you cosign it for the first time" in signed.stdout
    taken = typed("witness", "take", "mine", "cosigned.txt", "--witness-key", witness)
    assert taken.stdout.startswith("cosigned by ann.example at 20")
    shown = typed("witness", "show", "mine", "--witness-key", witness)
    assert [line.split(":")[0] for line in shown.stdout.splitlines()[:2]] == [
        "example.org/mine",
        "key (as before)",
    ]
    assert shown.stdout.splitlines()[-1] == f"  tug-0a1b2c  {count} heads, up to record {count}"
    assert (
        facts("witness-show", "witness", "show", "mine", "--witness-key", witness)["cosigned"][0]["name"]
        == "ann.example"
    )
    asked = typed("verify", "game", "--log", "mine", "--log-key", key, "--witness-key", witness)
    assert asked.exit_code == 0, asked.output
    lines = asked.stdout.splitlines()
    assert lines[0].startswith(
        f"IN THE LOG  tug-0a1b2c   head {at.table.open().ledger.head_digest}   {count} of {count} records"
    )
    assert lines[1].startswith(
        f"Everything up to the result of slot 2 (record {count}) was in the log example.org/mine by 20"
    )
    assert lines[1].endswith("Z, cosigned by ann.example.")
    alone = typed("verify", "game", "--log", "mine").stdout.splitlines()
    assert (
        alone[1]
        == f"Everything up to the result of slot 2 (record {count}) is in the log example.org/mine now."
    )
    assert "Another history of this game is NOT in it." in lines
    proved = typed("witness", "prove", "game", "mine", "--witness-key", witness)
    place = f"game/witness/{count:05d}.tlog-proof"
    assert (proved.exit_code, proved.stdout.split(":")[0]) == (0, place)
    proof = typed("verify", "game", "--log", place, "--log-key", key, "--witness-key", witness)
    said = f"Everything up to the result of slot 2 (record {count}) was in the log by 20"
    assert (proof.exit_code, proof.stdout.splitlines()[1].startswith(said)) == (0, True)
    assert (
        facts("verify-proof", "verify", "game", "--log", place, "--witness-key", witness)["newest"] == count
    )
    assert typed("pack", "game", "game.zip").exit_code == 0
    assert place.removeprefix("game/") in zipfile.ZipFile("game.zip").namelist()
    fork = typed("verify", "other", "--log", "mine")
    assert (fork.exit_code, fork.stdout.splitlines()[0].split()[0]) == (1, "FORK")
    assert fork.stdout.splitlines()[1].startswith(
        "record 5 (the lock of slot 2) is there twice, and the GM signed both: "
    )
    assert facts("verify-log", "verify", "other", "--log", "mine")["forks"][0]["n"] == 5
    assert (
        facts("verify-log", "verify", "game", "--log", "mine", "--witness-key", witness)["witnesses"][0][
            "newest"
        ]
        == count
    )
    refused = typed("witness", "add", "mine", "other")
    assert (refused.exit_code, refused.stderr.split(":")[1].strip()) == (1, "witness.fork")
    assert typed("witness", "add", "mine", "other", "--i-know").exit_code == 0
    shown = typed("witness", "show", "mine")
    assert (shown.exit_code, "FORK: two heads for record 5" in shown.stdout) == (1, True)


def test_heads_for_a_log_of_somebody_else(at: LogTable) -> None:
    assert typed("witness", "heads", "game", "-o", "heads.txt").exit_code == 0
    assert typed("witness", "heads", "game").stdout == Path("heads.txt").read_text()
    assert typed("witness", "add", "log", "heads.txt").exit_code == 0
    assert facts("witness-show", "witness", "show", "log")["games"] == [
        {"game": "tug-0a1b2c", "heads": 4, "newest": 4, "forks": []}
    ]


def test_what_a_key_is_not_is_said(at: LogTable) -> None:
    Path("key.txt").write_text(at.key + "\n")
    assert typed("witness", "show", "log", "--log-key", "key.txt").exit_code == 0
    for key, code in (
        ("nonsense+1", "witness.key-form"),
        (at.key.replace("+", "+0", 1)[:-1], "witness.key-form"),
        (at.key.replace("club", "clubs"), "witness.key-id"),
    ):
        answer = typed("witness", "show", "log", "--log-key", key)
        assert (answer.exit_code, answer.stderr.split(":")[1].strip()) == (1, code)
    assert typed("witness", "show", "log", "--log-key", "nowhere.txt").exit_code == 3
    assert (
        typed("witness", "show", "log", "--witness-key", at.key).stderr.split(":")[1].strip()
        == "witness.key-witness"
    )


def test_what_cannot_be_asked_is_misuse_or_undecided(at: LogTable) -> None:
    assert typed("verify", "game", "--log-key", at.key).exit_code == 2
    assert typed("verify", "game", "--log", "log", "--with", "game").exit_code == 2
    assert typed("verify", "game", "--log", "nowhere").exit_code == 3
    silent = typed("verify", "game", "--log", "http://127.0.0.1:9")
    assert (silent.exit_code, "witness.unanswered: the log does not answer: " in silent.stderr) == (3, True)
    empty = typed("verify", "game", "--log", "log")
    assert (empty.exit_code, empty.stdout.split("  ")[0]) == (3, "CANNOT DECIDE")
    shutil.rmtree("log")
    assert typed("witness", "add", "log", "game").exit_code == 3


def test_names_in_a_log_cannot_move_the_cursor(at: LogTable, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.proof.note import Checkpoint, Note, key_of, sign
    from pbem.proof.signing import new_private
    from pbem.store.logdir import LogFolder

    private = new_private()
    tree = Checkpoint(
        "\x9b2Jexample\u202e.org",
        0,
        bytes.fromhex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    )
    key = key_of(private, "example.org/strange", 1)
    note = Note(tree.text, (sign(private, "example.org/strange", tree.text),))
    LogFolder(Path("strange")).put({"checkpoint": note.data, "public-key": f"{key.line}\n".encode()})
    for answer in (typed("witness", "show", "strange"), typed("verify", "game", "--log", "strange")):
        assert "\x9b" not in answer.output
        assert "\u202e" not in answer.output
        assert r"\x9b" in answer.output

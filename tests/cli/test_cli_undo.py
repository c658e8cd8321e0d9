"""Undo and consent as typed: two people and a bad map."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner
from table import Table

from pbem.cli import cli


def typed(*words: str) -> Any:
    return CliRunner().invoke(cli, list(words))


def test_a_slot_is_taken_back_by_two_people(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(table.root)
    monkeypatch.setenv("PBEM_HOME", str(table.root / "home"))
    table.started(keyed=("south",))
    table.turn()
    key = str(table.key_file("south"))
    early = typed("undo", "game", "--to", "1")
    assert early.exit_code == 3
    assert "the consent of south is missing" in early.stderr
    assert "pbem consent GAME --to 1 --key KEY" in early.stderr
    shown = typed("consent", "game", "--to", "1", "--key", key)
    assert '"type":"consent"' in shown.stdout
    assert typed("consent", "game", "--to", "1", "--key", key, "-o", "consent.txt").stdout == "Send consent.txt to the umpire.\n"
    assert typed("consent", "game", "consent.txt").stdout == "south consents.\n"
    told = json.loads(typed("undo", "game", "--to", "1", "--why", "wrong map", "--json").stdout)
    assert (told["to"], told["slot"], told["consents"]) == (1, 2, ["south"])
    assert typed("verify", "game").exit_code == 0


def test_undo_and_consent_typed_wrong(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(table.root)
    monkeypatch.setenv("PBEM_HOME", str(table.root / "home"))
    table.started(keyed=("south",))
    table.turn()
    assert typed("consent", "game").exit_code == 2
    assert typed("undo", "game").exit_code == 2
    wrong = typed("undo", "game", "--to", "9")
    assert (wrong.exit_code, "slot 9 cannot be taken back" in wrong.stderr) == (1, True)
    (table.root / "hello.txt").write_text("hello")
    assert "this is no consent" in typed("consent", "game", "hello.txt").stderr
    other = typed("consent", "game", "--to", "1", "--key", str(table.key_file("stranger")))
    assert other.exit_code == 1


def test_a_substitute_gets_keys_by_four_commands(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(table.root)
    table.started(keyed=("north", "south"), umpire=True)
    monkeypatch.setenv("PBEM_HOME", str(table.root / "substitute"))
    new, old = str(table.key_file("substitute")), str(table.key_file("north"))
    assert "pbem consent GAME --change c.json" in typed("keys", "rekey", "game", "--of", "south", "--key", new, "-o", "c.json").stdout
    assert typed("consent", "game", "--change", "c.json", "--key", old, "-o", "yes.txt").exit_code == 0
    assert typed("consent", "game", "yes.txt").stdout == "north consents.\n"
    monkeypatch.setenv("PBEM_HOME", str(table.root / "home"))
    assert typed("keys", "rekey", "game", "c.json", "--why", "ill").stdout == "south has new keys for what is announced from slot 1 on.\n"
    assert typed("verify", "game").exit_code == 0
    assert typed("keys", "rekey", "game").exit_code == 2
    shown = typed("keys", "export", "game").stdout
    assert shown.startswith('gm@tug-0a1b2c namespaces="pd1-gm/tug-0a1b2c,pd1-pack/tug-0a1b2c" ssh-ed25519 ')
    assert len(shown.splitlines()) == 3

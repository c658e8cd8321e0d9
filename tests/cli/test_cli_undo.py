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
    assert (
        typed("consent", "game", "--to", "1", "--key", key, "-o", "consent.txt").stdout
        == "Send consent.txt to the umpire.\n"
    )
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
    assert "this is not a consent" in typed("consent", "game", "hello.txt").stderr
    other = typed("consent", "game", "--to", "1", "--key", str(table.key_file("stranger")))
    assert other.exit_code == 1


def test_a_substitute_gets_keys_by_four_commands(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(table.root)
    table.started(keyed=("north", "south"), umpire=True)
    monkeypatch.setenv("PBEM_HOME", str(table.root / "substitute"))
    new, old = str(table.key_file("substitute")), str(table.key_file("north"))
    made = typed("keys", "rekey", "game", "--of", "south", "--key", new, "-o", "c.json").stdout
    assert "pbem consent GAME --change c.json" in made
    assert "Your recovery code, shown this once:" in made
    assert typed("consent", "game", "--change", "c.json", "--key", old, "-o", "yes.txt").exit_code == 0
    assert typed("consent", "game", "yes.txt").stdout == "north consents.\n"
    monkeypatch.setenv("PBEM_HOME", str(table.root / "home"))
    entered = typed("keys", "rekey", "game", "c.json", "--why", "ill").stdout
    assert entered.startswith(
        "south has new keys for what is announced from slot 1 on.\nEverybody is told so: rekey of south, "
    )
    assert "NOT signed by south, on the word of gm, north" in entered
    assert typed("verify", "game").exit_code == 0
    assert typed("keys", "rekey", "game").exit_code == 2
    shown = typed("keys", "export", "game").stdout
    assert shown.startswith('gm@tug-0a1b2c namespaces="pd1-gm/tug-0a1b2c,pd1-pack/tug-0a1b2c" ssh-ed25519 ')
    assert len(shown.splitlines()) == 5, "keys of all times, and that of the recovery code"


def test_a_lost_computer_is_replaced_by_what_was_written_down(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.root)
    umpire, first, second = (str(table.root / name) for name in ("home", "old computer", "new computer"))
    table.new()
    monkeypatch.setenv("PBEM_HOME", first)
    joined = typed("join", "game/outbox/invitation.zip", "--key", str(table.key_file("south"))).stdout
    code = next(line.strip() for line in joined.splitlines() if line.startswith("    "))
    assert len(code.split("-")) == 7
    assert "no umpire asks for it" in joined
    monkeypatch.setenv("PBEM_HOME", umpire)
    assert typed("admit", "game", "join.txt").exit_code == 0
    assert typed("pack", "game", "toll.zip").exit_code == 0
    monkeypatch.setenv("PBEM_HOME", second)
    new = str(table.key_file("new"))
    wrong = typed(
        "keys", "recover", "toll.zip", "--key", new, "--code", code[:-1] + ("2" if code[-1] != "2" else "3")
    )
    assert (wrong.exit_code, "one letter is wrong, or two are swapped" in wrong.stderr) == (1, True)
    asked = CliRunner().invoke(
        cli, ["keys", "recover", "toll.zip", "--key", new, "-o", "recover.txt"], input=f"{code.lower()}\n"
    )
    assert "pbem keys rekey GAME recover.txt" in asked.stdout
    assert code not in (table.root / "recover.txt").read_text()
    assert (
        json.loads(typed("keys", "recover", "toll.zip", "--key", new, "--code", code, "--json").stdout)[
            "consents_needed"
        ]
        == []
    )
    monkeypatch.setenv("PBEM_HOME", umpire)
    entered = json.loads(typed("keys", "rekey", "game", "recover.txt", "--json").stdout)
    assert (entered["own"], entered["consents"]) == ("recovery code", ["south"])
    assert (
        "New keys for South as soon as the next turn is announced; the change"
        in typed("status", "game").stdout
    )

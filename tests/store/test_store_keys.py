"""Secrets: where they lie, who may read them, and that no game ever holds one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from table import Table, pull

from pbem.referee.proving.pack import pack
from pbem.store.keys import Given, Keyring, SecretExists, home
from pbem.store.zips import open_zip


def test_home() -> None:
    assert home({"PBEM_HOME": "/x/y"}) == Path("/x/y")
    assert home({"XDG_DATA_HOME": "/x"}, "linux") == Path("/x/pbem")
    assert home({}, "linux") == Path.home() / ".local/share/pbem"
    assert home({}, "darwin") == Path.home() / "Library/Application Support/pbem"
    assert home({"LOCALAPPDATA": "/l"}, "win32") == Path("/l/pbem")
    assert home({}, "win32") == Path.home() / ".local/share/pbem"


def test_a_secret_is_kept_once(tmp_path: Path) -> None:
    ring = Keyring(tmp_path)
    assert ring.secrets("game-0001", "gm") == ()
    assert ring.keys("game-0001") == ()
    ring.keep_secret("game-0001", "gm", bytes(32))
    assert ring.secrets("game-0001", "gm") == (bytes(32),)
    with pytest.raises(SecretExists):
        ring.keep_secret("game-0001", "gm", bytes(range(32)))
    assert ring.secrets("game-0001", "gm") == (bytes(32),)
    ring.keep_key("game-0001", b"key")
    with pytest.raises(SecretExists):
        ring.keep_key("game-0001", b"other")
    assert ring.keys("game-0001") == (b"key",)
    if os.name != "nt":
        assert {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_file()} == {0o600}


@pytest.mark.parametrize("text", ["", "zz", "00" * 31, "00" * 33, "\xff"])
def test_a_secret_that_is_none(tmp_path: Path, text: str) -> None:
    ring = Keyring(tmp_path)
    path = ring.chain_file("game-0001", "gm")
    path.parent.mkdir(parents=True)
    path.write_text(text, "latin-1")
    assert ring.secrets("game-0001", "gm") == ()


def test_what_was_given_out_is_noted(tmp_path: Path) -> None:
    ring = Keyring(tmp_path)
    assert ring.given("game-0001", "blue") == {}
    ring.note_given("game-0001", "blue", 3, Given("2026-03-03T10:00:00Z", "ab"))
    ring.note_given("game-0001", "blue", 12, Given("2026-03-04T10:00:00Z", "cd"))
    assert ring.given("game-0001", "blue") == {
        3: Given("2026-03-03T10:00:00Z", "ab"),
        12: Given("2026-03-04T10:00:00Z", "cd"),
    }
    for junk in (b"[]", b"{", b'{"a":1}', b'{"1":{"at":"x"}}', b'{"1":7}'):
        (tmp_path / "games/game-0001/blue.given.json").write_bytes(junk)
        assert ring.given("game-0001", "blue") == {}


def test_no_secret_is_in_a_game_or_in_any_pack(table: Table) -> None:
    table.started(keyed=("south",))
    table.orders("north", pull("north"))
    table.lock()
    table.go("south")
    table.resolve(pictures=True)
    table.orders("south", "answers:\n  q1: hold\n" if table.open().questions else pull("south"))
    to = table.root / "pack.zip"
    pack(table.env, table.game, to)
    archive = open_zip(to)
    packed = {path: archive[path] for path in archive}
    secrets = {
        path: path.read_bytes().strip()
        for home_ in ("home", "player")
        for path in (table.root / home_).rglob("*")
        if path.is_file()
    }
    assert {path.name for path in secrets} >= {"gm.chain", "gm.key", "south.chain"}
    for path, secret in secrets.items():
        if path.suffix == ".json":
            continue
        pieces = {secret}
        if path.suffix == ".chain":
            pieces |= {bytes.fromhex(secret.decode())}
        if path.suffix == ".key":
            pieces |= {line for line in secret.splitlines() if not line.startswith(b"-----")}
        for piece in pieces:
            assert not [name for name, data in {**packed, **table.files()}.items() if piece in data], path
    assert not any(name.startswith(("mail/", "outbox/", "game.toml")) for name in packed)
    pending = next(data for name, data in table.files().items() if name.startswith("mail/s0002-south"))
    assert not [name for name, data in packed.items() if pending[-40:] in data]

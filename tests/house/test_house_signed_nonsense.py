"""A game master who signs a state that makes no sense: whoever looks at the game is told so, and verify says
no.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli import cli
from pbem.proof.archive import gm_namespace
from pbem.proof.canonical import decode, encode
from pbem.proof.signing import load_private, sign

NONSENSE: dict[str, Any] = {
    "a tower off the map": {"things": {"tower1": {"at": ["9999"]}}},
    "a ladder that looks nowhere": {
        "things": {"ladder1": {"facing": "x", "stands": "raised", "at": ["0101"]}}
    },
    "a ladder carried by nobody": {"things": {"ladder1": {"by": ["nobody"], "stands": "carried"}}},
    "a man nobody knows": {"units": {"hugo": {"person": "nobody"}}},
    "a phase that is none": {"at": {"phase": "tea"}},
}


def tampered(game: Path, key: bytes, change: dict[str, Any]) -> None:
    """Change the state at the start, and sign the record that names its hash anew."""
    path = game / "state" / "s0000.json"
    plain = decode(path.read_bytes())
    plain["at"].update(change.get("at", {}))
    for list_ in ("things", "units"):
        for one in plain[list_]:
            one.update(change.get(list_, {}).get(one["id"], {}))
    path.write_bytes(encode(plain))
    (ledger,) = game.glob("ledger/*-start.json")
    record = decode(ledger.read_bytes())
    record["state"] = hashlib.sha256(path.read_bytes()).hexdigest()
    ledger.write_bytes(encode(record))
    signature = sign(load_private(key), gm_namespace(record["game"]), ledger.read_bytes())
    ledger.with_name(f"{ledger.name}.sig").write_text(signature, "utf-8", newline="\n")


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_with_a_good_signature_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    game = tmp_path / "game"
    made = CliRunner().invoke(
        cli, ["new", "wheels", str(game), "--seat", "besiegers=gm", "--seat", "defenders=Ann"]
    )
    assert made.exit_code == 0, made.output
    words = ["admit", str(game), "--seat", "defenders", "--words", "yes, I play"]
    assert CliRunner().invoke(cli, words).exit_code == 0
    (key,) = (
        path
        for path in (tmp_path / "home").rglob("*")
        if path.is_file() and b"PRIVATE KEY" in path.read_bytes()
    )
    tampered(game, key.read_bytes(), NONSENSE[name])
    for verb in (["status"], ["render"], ["render", "--sheet"], ["options"], ["replay"], ["report"]):
        answer = CliRunner().invoke(cli, [verb[0], str(game), *verb[1:]])
        assert answer.exit_code in (1, 3), (verb, answer.output)
        assert "fault of pbem" not in answer.output
    assert "game.bad-state" in CliRunner().invoke(cli, ["status", str(game)]).stderr
    answer = CliRunner().invoke(cli, ["verify", str(game)])
    assert (answer.exit_code, "E28" in answer.output) == (1, True)

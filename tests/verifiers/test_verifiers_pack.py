"""What travels in an archive: the verifiers, and a HOWTO whose every command prints what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import Any

import pytest
from verifier_ground import HERE, ROOT, unzipped
from verifier_mutations import HONEST, beacon_game

from pbem.proof.archive import MemoryArchive
from pbem.proof.ledger import read_ledger
from pbem.proof.signing import load_private, public_of, sign
from pbem.referee.game.environment import Environment
from pbem.referee.proving.howto import howto
from pbem.referee.proving.pack import HOWTO, pack
from pbem.store.keys import Keyring
from pbem.store.library import engine, verifiers

VERIFY = {HOWTO, "verify/pd1_bls.py", "verify/pd1_verify.html", "verify/pd1_verify.py"}


def lay_out(files: dict[str, bytes], where: Path) -> Path:
    for name, data in files.items():
        (where / name).parent.mkdir(parents=True, exist_ok=True)
        (where / name).write_bytes(data)
    return where


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command and the lines that it has to print."""
    lines = [line for line in text.splitlines() if line.startswith(("$ ", "= "))]
    for place, line in enumerate(lines):
        if line.startswith("$ "):
            wanted = takewhile(lambda line: line.startswith("= "), lines[place + 1 :])
            yield line[2:], [line[2:] for line in wanted]


def differing(text: str, where: Path) -> tuple[int, list[str]]:
    """Run every command; return how many there are, and what those print that do not print what they have to,
    to the letter.
    """
    count, wrong = 0, []
    for command, wanted in commands(text):
        ran = subprocess.run(
            ["sh", "-c", command], cwd=where, stdout=PIPE, stderr=STDOUT, text=True, check=False
        )
        if ran.stdout.splitlines() != wanted:
            wrong.append(f"{command}: {ran.stdout}")
        count += 1
    return count, wrong


def tried(text: str, where: Path) -> int:
    count, wrong = differing(text, where)
    assert wrong == []
    return count


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Lay out the recorded example as a game and pack it, twice."""
    root, example = tmp_path_factory.mktemp("played"), ROOT / "examples" / "alder-ford"
    files = {
        name: data
        for name, data in unzipped(example / "archive.zip").items()
        if not name.startswith(("FILES", "verify/"))
    }
    lay_out(files, root / "game")
    keyring = Keyring(root / "home")
    keyring.keep_key("alder-ford-e1f00d", (example / "keys" / "gm.key").read_bytes())
    for name in ("one.zip", "two.zip"):
        pack(Environment(keyring), root / "game", root / name)
    assert (root / "one.zip").read_bytes() == (root / "two.zip").read_bytes()
    return unzipped(root / "one.zip")


def test_the_verifiers_are_in_every_pack(packed: dict[str, bytes]) -> None:
    assert {name for name in packed if name.startswith("verify/")} == VERIFY
    listed = {line[66:] for line in packed["FILES"].decode().splitlines()}
    assert listed >= VERIFY
    for name in VERIFY - {HOWTO}:
        assert packed[name] == (HERE / name.removeprefix("verify/")).read_bytes() == verifiers()[name]


def test_the_archive_verifies_itself(packed: dict[str, bytes], tmp_path: Path) -> None:
    where = lay_out(packed, tmp_path / "unpacked")
    before = sorted(where.rglob("*"))
    ran = subprocess.run(
        [sys.executable, "verify/pd1_verify.py", "."], cwd=where, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr, ran.stdout.splitlines()[0][:22]) == (0, "", "PASS  alder-ford-e1f00")
    assert "derived file differs" not in ran.stdout
    assert sorted(where.rglob("*")) == before


def test_every_command_of_the_howto(packed: dict[str, bytes], tmp_path: Path, need: Any) -> None:
    for program in ("ssh-keygen", "openssl", "sha256sum"):
        need(program)
    text = packed[HOWTO].decode()
    assert tried(text, lay_out(packed, tmp_path / "game")) >= 20
    for step in ("1. Whose key", "2. The files", "3. Slot ", "4. The seed", "5. The die"):
        assert f"\n{step}" in text


@pytest.mark.parametrize("name", [*HONEST, "beacon", "nothing rolled"])
def test_the_howto_of_other_games(name: str, tmp_path: Path, need: Any) -> None:
    for program in ("ssh-keygen", "openssl", "sha256sum"):
        need(program)
    game = beacon_game() if name == "beacon" else HONEST["friends" if name == "nothing rolled" else name]()
    files = game.pack()
    if name == "nothing rolled":
        files = MemoryArchive(
            {
                path: data
                for path, data in files.items()
                if not path.startswith("ledger/") or path < "ledger/00003"
            }
        )
    text = howto(read_ledger(files), files).decode()
    if name == "nothing rolled":
        assert "No dice have been rolled" in text
    else:
        assert tried(text, lay_out(files, tmp_path / "game")) >= 12
    assert ("red has no key: that red typed these words, only red can say." in text) == (name == "umpire")


def test_forged_orders_with_a_forged_list_of_signers_are_noticed(
    packed: dict[str, bytes], tmp_path: Path, need: Any
) -> None:
    """The game master signs east's orders anew with his own key, names that key in keys/allowed_signers, and
    packs.
    """
    need("ssh-keygen")
    gm = load_private((ROOT / "examples" / "alder-ford" / "keys" / "gm.key").read_bytes())
    text, files, signers = packed[HOWTO].decode(), dict(packed), packed["keys/allowed_signers"].decode()
    (check,) = re.findall(r"-n (pd1-orders/\S+) -s (\S+)\.sig ", text)
    namespace, path = check
    files[f"{path}.sig"] = sign(gm, namespace, files[path]).encode()
    files["keys/allowed_signers"] = re.sub(
        r"(?m)^(east@.*) ssh-ed25519 .*", rf"\1 {public_of(gm).line}", signers
    ).encode()
    where = lay_out(files, tmp_path / "game")
    believed = (
        f"ssh-keygen -Y verify -f keys/allowed_signers -I east@alder-ford-e1f00d -n {namespace} -s "
        f"{path}.sig < {path}"
    )
    assert subprocess.run(["sh", "-c", believed], cwd=where, stdout=PIPE, check=False).stdout.startswith(
        b"Good "
    )
    _, wrong = differing(text, where)
    assert [one for one in wrong if namespace in one and "Could not verify signature" in one]


def test_a_signature_that_is_not_there_is_not_asked_for() -> None:
    files = HONEST["friends"]().pack()
    for name in [name for name in files if name.endswith(".sig")]:
        del files[name]
    assert "-n pd1-orders/" not in howto(read_ledger(files), files).decode()


def test_the_engine_is_the_same_with_other_verifiers(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are no modules of the engine, so that a better verifier does not make it another engine."""
    bare = getattr(engine, "__wrapped__", engine)
    before, read = bare(), Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda path: b"better" if path.name.startswith("pd1_") else read(path)
    )
    assert bare() == before
    monkeypatch.setattr(Path, "read_bytes", lambda path: b"other" if path.name == "melee.py" else read(path))
    assert bare() != before

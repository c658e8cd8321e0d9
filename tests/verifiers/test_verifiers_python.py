"""pd1_verify.py, the verifier in one file: it agrees with pbem on every archive, and shares
nothing with it.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import keyword
import os
import subprocess
import sys
import time
import tokenize
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import test_proof_attacks as attacks
from proof_simulator import friends_game, line, private, umpire
from thorough import deeper, thorough
from verifier_big import big_game
from verifier_ground import (
    ARCHIVES,
    HERE,
    MUTANTS,
    ROOT,
    SEED,
    judged_by_python,
    module,
    said_by_pbem,
    said_of,
    unzipped,
)
from verifier_mutations import HONEST, beacon_game, mutants
from verifier_tampered import tampered, verdicts
from verifier_zips import BAD, GOOD

from pbem.proof.archive import MemoryArchive
from pbem.proof.verify import verify
from pbem.store import zips

FILE = HERE / "pd1_verify.py"
V: dict[str, Any] = json.loads((ROOT / "tests" / "proof" / "vectors" / "pd1.json").read_text("utf-8"))
pd1 = module("pd1_verify")
bls = module("pd1_bls")
ALLOWED = {
    *(
        "__future__",
        "argparse",
        "base64",
        "binascii",
        "bisect",
        "collections",
        "contextlib",
        "datetime",
        "hashlib",
        "hmac",
        "importlib",
    ),
    *("itertools", "json", "os", "re", "stat", "struct", "sys", "typing", "unicodedata", "zlib"),
}


# the same verdict and the same first code as pbem


@pytest.mark.parametrize("name", attacks.ATTACKS)
def test_every_attack_raises_its_code_first(name: str) -> None:
    code, build = attacks.ATTACKS[name]
    files = build().archive
    assert (
        judged_by_python(files) == said_by_pbem(files) == ("CANNOT DECIDE" if code == "E00" else "FAIL", code)
    )


def test_everything_that_the_proof_is_tested_with() -> None:
    codes = set()
    for name, files in tampered().items():
        audit = pd1.judge(pd1.Memory(dict(files)))
        ours = audit.verdict, audit.failures[0][0] if audit.failures else ""
        theirs = verdicts()[name]
        if name.startswith("beacon"):  # pbem may look at the signature of drand, or say that it does not
            assert said_of(theirs) in (ours, judged_by_python(files, bls)), name
            codes |= {code for code, _, _ in audit.failures}
            continue
        assert ours == said_of(theirs), name
        if len(theirs.failures) < 1000:
            assert [code for code, _, _ in audit.failures] == [found.code for found in theirs.failures], name
            assert [where for _, where, _ in audit.failures] == [found.where for found in theirs.failures], (
                name
            )
        assert sorted(where for where, _ in audit.warnings) == sorted(
            found.where for found in theirs.warnings
        ), name
        codes |= {code for code, _, _ in audit.failures}
    assert codes == {
        f"E{number:02d}" for number in (*range(13), 13, 14, 15, 16, 18, 20, 21, 23, 24, 25, 27, 28)
    }


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "pack"])
@pytest.mark.parametrize("name", HONEST)
def test_honest_games_pass_and_the_trust_lines_are_those_of_pbem(name: str, packed: bool) -> None:
    game = HONEST[name]()
    files = game.pack() if packed else game.archive
    theirs = verify(files, replay=None)
    audit = pd1.Audit(pd1.Memory(dict(files)))
    assert judged_by_python(files) == said_by_pbem(files)
    assert audit.failures == []
    assert [(line.slot, line.foreknowledge, line.dice) for line in theirs.trust] == [
        (slot.number, audit.foreknown(slot), slot.dice) for slot in audit.slots.values()
    ]
    assert (theirs.signatures, theirs.dice, theirs.records, theirs.head) == (
        audit.signatures,
        audit.dice,
        len(audit.ids),
        audit.head,
    )
    assert sorted(found.where for found in theirs.warnings) == sorted(where for where, _ in audit.warnings)


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_archives_of_the_repository(path: Path) -> None:
    assert judged_by_python(unzipped(path)) == said_by_pbem(unzipped(path)) == ("PASS", "")


@deeper
def test_archives_changed_in_many_ways() -> None:
    examples = {path.parent.name: unzipped(path) for path in ARCHIVES}
    seen: dict[str, int] = {}
    for name, files in mutants(SEED, MUTANTS, examples):
        said = judged_by_python(files)
        assert said == said_by_pbem(files), name
        seen[said[1]] = seen.get(said[1], 0) + 1
    assert {"", "E01", "E02", "E04", "E07", "E08", "E14", "E27"} <= set(seen)


HOSTILE = (
    *(
        b"",
        b"\n",
        b"{",
        b"{}\n",
        b"[]\n",
        b"\xff\xfe",
        b"x" * 5000,
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"a":' + b"9" * 5000 + b"}\n",
    ),
    *(
        b'{"type":"lock"}\n',
        b'{"constructor":1,"type":"start"}\n',
        b'{"a":"' + b'\\"' * 9000 + b'"}\n',
        '{"a":"e\u0301"}\n'.encode(),
    ),
    b'{"a":' + b"[" * 16 + b"]" * 16 + b"}\n",
)


def test_any_bytes_in_any_file() -> None:
    good = dict(HONEST["friends"]().pack())
    for number, name in enumerate(good):
        for data in HOSTILE[number % 4 :: 4]:
            files = {**good, name: data}
            assert judged_by_python(files) == said_by_pbem(MemoryArchive(files)), (name, data[:20])


def test_no_archive_and_too_many_failures() -> None:
    assert judged_by_python({}) == said_by_pbem({}) == ("CANNOT DECIDE", "E00")
    game = attacks.locked()
    game.result([(f"t1.other.melee/a{number}", 6, 1) for number in range(1100)])
    audit = pd1.Audit(pd1.Memory(dict(game.archive)))
    assert (len(audit.failures), judged_by_python(game.archive)) == (1000, said_by_pbem(game.archive))


# the vectors


def test_vectors_of_seeds_and_words() -> None:
    for want in V["seeds"]:
        given = {who: {"x": x} for who, x in want["values"].items()}
        text = pd1.seed_text(V["game"], want["slot"], given, want["beacon"])
        assert pd1.hmac.digest(bytes.fromhex(want["key"]), text.encode(), "sha256").hex() == want["seed"]
    for want in V["luck"]:
        assert pd1.normal(want["typed"]) == want["words"]
        text = pd1.seed_text(
            V["game"], want["slot"], {"gm": {"x": "-"}, want["seat"]: {"luck": want["words"]}}, "-"
        )
        assert f"\n{want['seat']} {want['value']}\n" in text
    assert [pd1.normal(typed) for typed in V["luck_refused"]] == [None] * len(V["luck_refused"])
    assert pd1.round_at(V["beacon_rule"]["lock_at"], V["beacon_rule"]) == V["beacon_rule"]["round"]


def test_vectors_of_dice() -> None:
    for want in V["dice"]:
        faces = [
            pd1.die_of(bytes.fromhex(want["seed"]), want["label"], want["sides"], i)[0]
            for i in range(want["n"])
        ]
        assert faces == want["values"]
    key = bytes.fromhex(V["function"]["key"])
    for want in V["function"]["dice"]:
        assert pd1.die_of(key, want["label"], want["sides"], want["i"])[0] == want["value"]
    for want in V["function"]["rejection"]:
        face, _, _, _, refused = pd1.die_of(key, want["label"], want["sides"], want["i"])
        assert (face, len(refused)) == (want["value"], want["words_rejected"])


def test_vectors_of_records_and_signatures() -> None:
    for text in V["refused_records"]:
        with pytest.raises(pd1.Malformed):
            pd1.parse_record(text.encode())
    for want in (V["record"], V["orders"]):
        digest = hashlib.sha512(want["file"].encode()).digest()
        key, seal, use = pd1.key_of(want["key"]), want["sig"].encode(), want["namespace"].encode()
        assert pd1.sealed_for(key, use, digest, seal) is not None
        assert pd1.sealed_for(key, use + b"x", digest, seal) is None
        assert pd1.sealed_for(key, use, digest[::-1], seal) is None
        assert pd1.sealed_for(key, use, digest, seal.replace(b"\n", b"\r\n\n", 2)) is not None
        assert pd1.sealed_for(key, use, digest, seal.replace(b"\nU", b"\nx U", 1)) is None
    assert pd1.form_of(pd1.parse_record(V["record"]["file"].encode())) == ""
    want = V["orders"]
    signed = pd1.sealed_for(
        pd1.key_of(want["key"]),
        want["namespace"][:-64].encode() + b"\0" * 64,
        bytes.fromhex(want["sha512"]),
        want["sig"].encode(),
    )
    assert signed == want["namespace"][-64:].encode()


def test_a_signature_is_held_to_s_below_the_order() -> None:
    want = V["signature_as_seed"]
    line = "ssh-ed25519 " + pd1.base64.b64encode(pd1.wire(b"ssh-ed25519", bytes.fromhex(want["pk"]))).decode()
    key, signature = pd1.key_of(line), bytes.fromhex(want["sig"])
    assert key.holds(signature, want["msg"].encode())
    assert not key.holds(signature, want["msg"].encode() + b"!")
    higher = int.from_bytes(signature[32:], "little") + pd1.ORDER
    assert not key.holds(signature[:32] + higher.to_bytes(32, "little"), want["msg"].encode())


@pytest.mark.parametrize(
    "raw",
    [
        (1).to_bytes(32, "little"),  # the neutral point
        (pd1.P - 1).to_bytes(32, "little"),  # of order 2
        bytes(32),  # of order 4
        bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),  # of order 8
        (pd1.P + 1).to_bytes(32, "little"),  # not canonical
        (1 | 1 << 255).to_bytes(32, "little"),  # x = 0 and odd
        (2).to_bytes(32, "little"),  # on no point
    ],
    ids=lambda raw: raw.hex()[:8],
)
def test_keys_that_are_none(raw: bytes) -> None:
    line = "ssh-ed25519 " + pd1.base64.b64encode(pd1.wire(b"ssh-ed25519", raw)).decode()
    with pytest.raises(pd1.Malformed):
        pd1.key_of(line)


def test_a_key_of_mixed_order_is_refused() -> None:
    x, y, z, t = pd1.point_of(bytes.fromhex(V["signature_as_seed"]["pk"]))
    twisted = pd1.plus((x, y, z, t), pd1.ready((0, pd1.P - 1, 1, 0)))
    inverse = pow(twisted[2], -1, pd1.P)
    raw = (twisted[1] * inverse % pd1.P | (twisted[0] * inverse % pd1.P & 1) << 255).to_bytes(32, "little")
    line = "ssh-ed25519 " + pd1.base64.b64encode(pd1.wire(b"ssh-ed25519", raw)).decode()
    with pytest.raises(pd1.Malformed, match="prime order"):
        pd1.key_of(line)


# reading


def write(tmp_path: Path, files: dict[str, bytes], name: str = "game") -> tuple[Path, Path]:
    """Write an archive as a zip and as a folder."""
    packed, folder = tmp_path / f"{name}.zip", tmp_path / name
    packed.write_bytes(zips.write_zip(files))
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return packed, folder


def run(
    *arguments: object, python: str = sys.executable, file: Path = FILE
) -> subprocess.CompletedProcess[str]:
    command = [python, "-W", "error", "-I", str(file), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=60)


def test_a_zip_and_a_folder_say_the_same(tmp_path: Path) -> None:
    for path in write(tmp_path, friends_game().pack()):
        ran = run(path)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout.startswith("PASS  siege-0a1b2c   rules not replayed   10 records, ")
        assert "known beforehand only to both sides together" in ran.stdout


def test_links_and_private_files_of_a_folder_are_not_there(tmp_path: Path) -> None:
    _, folder = write(tmp_path, friends_game().archive)
    (folder / "mail").mkdir()
    (folder / "mail" / "x").write_bytes(b"")
    (folder / "game.toml").write_bytes(b"")
    (folder / ".hidden").write_bytes(b"")
    box = pd1.Folder(str(folder))
    assert box.names == sorted(friends_game().archive)
    assert (box.read("mail/x"), box.read("game.toml"), box.read("../game.zip"), box.read("ledger")) == (
        None,
        None,
        None,
        None,
    )
    path = folder / "ledger" / "00001-manifest.json"
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert pd1.Folder(str(folder)).read("ledger/00001-manifest.json") is None
    assert run(folder).returncode == 1


@pytest.mark.parametrize("name", BAD)
def test_zips_that_could_do_harm_are_not_read_and_accuse_nobody(tmp_path: Path, name: str) -> None:
    path = tmp_path / "z.zip"
    path.write_bytes(BAD[name]())
    with pytest.raises(pd1.Unread):
        pd1.Zip(str(path))
    with pytest.raises(zips.BadZip):
        zips.open_zip(path)


def test_what_is_not_read_is_not_judged_by_python(tmp_path: Path) -> None:
    path = tmp_path / "z.zip"
    path.write_bytes(BAD["cut off"]())
    ran = run(path)
    assert (ran.returncode, ran.stdout) == (
        3,
        "CANNOT DECIDE  -   not an archive that is read, so nothing is judged: cut off, its end is missing: "
        "ask for it again\n",
    )
    assert run(tmp_path / "nothing.zip").returncode == 3


@pytest.mark.parametrize("name", GOOD)
def test_zips_as_people_and_systems_make_them(tmp_path: Path, name: str) -> None:
    path = tmp_path / "z.zip"
    path.write_bytes(GOOD[name](dict(friends_game().pack())))
    archive, box = zips.open_zip(path), pd1.Zip(str(path))
    assert sorted(archive) == box.names
    assert {inside: archive[inside] for inside in archive} == {
        inside: box.read(inside) for inside in box.names
    }
    audit = pd1.Audit(box)
    assert (audit.verdict, audit.failures, said_by_pbem(archive)) == ("PASS", [], ("PASS", ""))


def test_an_entry_that_is_not_what_the_zip_says_is_missing(tmp_path: Path) -> None:
    packed, _ = write(tmp_path, friends_game().archive)
    data = bytearray(packed.read_bytes())
    at = data.index(b"ledger/00001-manifest.json") + 40
    data[at] ^= 1
    packed.write_bytes(bytes(data))
    ran = run(packed)
    assert (ran.returncode, "E00  ledger/00001-manifest.json" in ran.stdout) == (3, True)
    assert verify(zips.open_zip(packed), replay=None).failures[0].code == "E00"


# one die, two copies, the beacon


def test_one_die_from_the_values_to_its_face(tmp_path: Path, need: Any) -> None:
    need("openssl")
    packed, _ = write(tmp_path, friends_game().pack())
    ran = run(packed, "--die", "fight/hob/1", "--slot", "2")
    assert ran.returncode == 0
    assert (
        ran.stdout.splitlines()[0]
        == "slot 2  t1.red.melee/fight/hob/1  d6: " + ran.stdout.splitlines()[0].rpartition(": ")[2]
    )
    commands = [line.strip() for line in ran.stdout.splitlines() if " openssl dgst " in line]
    assert len(commands) == 3
    for command in commands:
        digest = subprocess.run(
            ["sh", "-c", command], capture_output=True, text=True, check=True
        ).stdout.split()[-1]
        assert f"   {digest}\n" in ran.stdout
    assert "no roll fight/nobody" in run(packed, "--die", "fight/nobody").stdout


def test_the_die_of_the_vectors_is_explained() -> None:
    key = bytes.fromhex(V["function"]["key"])
    _, message, digest, word, refused = pd1.die_of(key, "reject", 2147483649, 3)
    assert (word % 2147483649 + 1, len(refused)) == (1022932284, 3)
    assert pd1.openssl(message, key).startswith(
        "printf 'pd1/die\\nreject\\n2147483649\\n3\\n0\\n' | openssl dgst -sha256 -mac HMAC"
    )
    assert len(digest) == 64


def test_the_line_for_windows_computes_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    key, message = bytes.fromhex(V["function"]["key"]), "pd1/die\na/b\n6\n0\n0\n"
    monkeypatch.setattr(pd1.sys, "platform", "win32")
    line = pd1.openssl(message, key)
    assert line.startswith('py -c "import hmac; ') and line.count('"') == 2 and "%" not in line
    ran = subprocess.run(
        [sys.executable, "-c", line.split('"')[1]], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == pd1.hmac.digest(key, message.encode(), "sha256").hex()


def test_help_and_words_on_a_console_that_knows_few_letters(tmp_path: Path) -> None:
    game = umpire()
    game.lock(blue="go", green="go", red="go")
    game.go("blue")
    game.go("green", "nine tired owls")
    game.go("red", "\u6f22\u5b57 and seven owls")
    game.result([("t1.blue.melee/a", 6, 1)])
    packed, _ = write(tmp_path, game.archive)
    env = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    for arguments, wanted in (
        (("--help",), b"On Windows: py pd1_verify.py ARCHIVE"),
        ((packed,), b"\\u6f22\\u5b57 and seven owls"),
    ):
        ran = subprocess.run(
            [sys.executable, str(FILE), *map(str, arguments)], capture_output=True, check=True, env=env
        )
        assert wanted in ran.stdout and b"\x1b" not in ran.stdout and ran.stderr == b""


def test_two_copies(tmp_path: Path) -> None:
    long, _ = write(tmp_path, friends_game().archive, "long")
    short_game = {
        path: data
        for path, data in friends_game().archive.items()
        if path < "ledger/00005" or not path.startswith("ledger/")
    }
    short, _ = write(tmp_path, short_game, "short")
    ran = run(long, "--with", short)
    assert (ran.returncode, ran.stdout.splitlines()[0][:33]) == (0, "one history: 4 records in common;")
    other, _ = write(
        tmp_path, attacks.first_slot(change=lambda record: record.update(note="other")).archive, "other"
    )
    ran = run(long, "--with", other)
    assert (ran.returncode, ran.stdout[:27]) == (1, "FORK: 3 records in common; ")


def test_a_beacon_is_not_decided_without_the_other_file(tmp_path: Path) -> None:
    alone = tmp_path / "pd1_verify.py"
    alone.write_bytes(FILE.read_bytes())
    files = beacon_game().archive
    assert (judged_by_python(files), judged_by_python(files, bls)) == (("CANNOT DECIDE", ""), ("PASS", ""))
    assert said_by_pbem(files) in (judged_by_python(files), judged_by_python(files, bls))
    packed, _ = write(tmp_path, files)
    ran = run(packed, file=alone)
    assert (ran.returncode, "pd1_bls.py checks quicknet" in ran.stdout) == (3, True)


# the file itself


def test_it_is_python_3_9_of_the_standard_library() -> None:
    tree = ast.parse(FILE.read_text("utf-8"), feature_version=(3, 9))
    found = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    found |= {
        str(node.module).partition(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
    }
    assert found == ALLOWED


def pythons() -> list[str]:
    """Return every Python 3.9 or later that is on the path, or beside the one in use."""
    import shutil

    beside = [
        path for minor in range(9, 20) for path in Path(sys.base_prefix).parent.glob(f"*/bin/python3.{minor}")
    ]
    named = [*(shutil.which(f"python3.{minor}") for minor in range(9, 20)), *map(str, beside)]
    right = [
        path
        for path in named
        if path and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0
    ]
    return sorted(set(right))


def test_it_runs_on_every_python(tmp_path: Path) -> None:
    packed, _ = write(tmp_path, HONEST["amended"]().pack())
    said = {run(packed, python=python).stdout for python in [*pythons(), sys.executable]}
    assert len(said) == 1
    assert said.pop().startswith("PASS  ")


def test_a_long_game(tmp_path: Path) -> None:
    packed, _ = write(tmp_path, dict(big_game(6)), "big")
    audit = pd1.Audit(pd1.Zip(str(packed)))
    assert (audit.verdict, audit.signatures, audit.dice) == ("PASS", 89, 1800)


def spent(work: Callable[[], Any]) -> float:
    """Return the seconds of a processor that something takes."""
    before = time.process_time()
    work()
    return time.process_time() - before


@thorough
def test_sixty_slots_take_three_seconds_at_most(tmp_path: Path) -> None:
    """Or, on a machine that needs more than a millisecond for a signature, as long as 3,000 of them take there."""
    packed, _ = write(tmp_path, dict(big_game()), "big")
    audits: list[Any] = []
    whole = spent(lambda: audits.append(pd1.Audit(pd1.Zip(str(packed)))))
    (audit,) = audits
    assert (audit.verdict, audit.signatures, audit.dice) == ("PASS", 791, 18_000)
    key, signature = pd1.Key(line("gm")), private("gm").sign(b"0")
    thirty = spent(lambda: [key.holds(signature, str(number).encode()) for number in range(30)])
    assert whole < max(3, 100 * thirty)


# no code in common


def tokens(path: Path) -> list[str]:
    left_out = (
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
        tokenize.ENCODING,
    )
    made = tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
    return [token.string for token in made if token.type not in left_out]


def runs(found: list[str], length: int) -> set[tuple[str, ...]]:
    return {tuple(found[at : at + length]) for at in range(len(found) - length + 1)}


def test_it_shares_no_code_with_the_proof() -> None:
    ours = [tokens(path) for path in sorted((ROOT / "pbem" / "proof").glob("*.py"))]
    for name in sorted(HERE.glob("*.py")):
        theirs = tokens(name)
        same = {
            length: runs(theirs, length) & set().union(*(runs(one, length) for one in ours))
            for length in (12, 25)
        }
        assert same[25] == set(), name
        assert len(same[12]) * 100 < len(runs(theirs, 12)), name
        named = {token for token in theirs if token.isidentifier() and not keyword.iskeyword(token)}
        assert "pbem" not in named

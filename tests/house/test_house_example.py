"""The recorded games: played again, recomputed from nothing but orders and chain values, and damaged byte by
byte.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from house import EXAMPLES, FORD, PROOF, differing, inside, lay_out, pbem, program, recorded, told
from msgspec import Struct
from thorough import deeper, some, tries

from pbem.proof.archive import MemoryArchive
from pbem.proof.verify import verify as judge
from pbem.referee.play.playthrough import Playthrough, read_script
from pbem.referee.proving.pack import pack
from pbem.referee.proving.verify import verdict_of

each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)


class Played(Struct, frozen=True):
    """An example that was played in empty folders: the game, the secrets of all, and the pack."""

    game: Path
    home: Path
    zip: Path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> object:
    """Return a function that plays an example, once."""

    @cache
    def of(example: Path) -> Played:
        root = tmp_path_factory.mktemp(example.name)
        play = Playthrough(read_script(example), root / "game", root / "home", pictures=False)
        for _ in play.play():
            pass
        pack(play.env, root / "game", root / "game.zip")
        return Played(root / "game", root / "home", root / "game.zip")

    return of


def test_there_is_a_recorded_game() -> None:
    assert EXAMPLES
    for example in EXAMPLES:
        names = recorded(example)
        assert len([name for name in names if name.endswith("-result.json")]) >= 4, example.name


@each
def test_the_script_gives_the_recorded_bytes(example: Path, played: object) -> None:
    game = played(example).game  # type: ignore[operator]
    assert differing(told(inside(game)), told(recorded(example))) == []


@each
@pytest.mark.parametrize("hash_seed", some("01", "1"))
def test_states_rolls_and_events_follow_from_orders_and_values(
    example: Path, hash_seed: str, tmp_path: Path
) -> None:
    files = recorded(example)
    bare = {
        name: data
        for name, data in files.items()
        if name.partition("/")[0] in ("scenario", "tables", "ledger", "seats")
    }
    lay_out(bare, tmp_path / "bare")
    script = Path(__file__).with_name("recompute.py")
    around = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "bare"), str(tmp_path / "out")],
        env=around,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert differing(inside(tmp_path / "out"), told(files, ("state", "rolls", "events"))) == []


@each
def test_game_and_pack_are_verified(example: Path, played: object, tmp_path: Path) -> None:
    """The rules are replayed over the game and over the recorded pack; the new pack holds the same, byte for byte."""
    made = played(example)  # type: ignore[operator]
    with zipfile.ZipFile(made.zip) as packed:
        in_pack = {name: packed.read(name) for name in packed.namelist()}
    assert differing(told(in_pack), told(inside(made.game))) == []
    for archive, run in ((made.game, pbem), (example / "archive.zip", program)):
        done = run("verify", archive, cwd=tmp_path, home=tmp_path / "nobody")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("PASS")
        assert "rules replayed" in done.stdout
        assert "0 failures" in done.stdout
    done = pbem("verify", "--no-replay", made.zip, cwd=tmp_path, home=tmp_path / "nobody")
    assert (done.returncode, done.stderr) == (3, "")
    assert "0 failures" in done.stdout


@each
def test_states_that_are_left_out_are_made_again_by_verify(example: Path) -> None:
    without = {
        name: data for name, data in recorded(example).items() if not name.startswith(("state/", "FILES"))
    }
    verdict = verdict_of(MemoryArchive(without))
    assert (verdict.verdict, [one.code for one in verdict.failures]) == ("pass", [])


def places(data: bytes) -> tuple[int, ...]:
    """Return where a file is changed: in the middle, in small ones also at the end."""
    middle = len(data) // 2
    return tuple(sorted({middle, len(data) - 1})) if len(data) <= 400 else (middle,)


def touched(example: Path) -> dict[str, bytes]:
    """Return the files of a recorded game that are changed and taken away: all of one game, every eighth of
    the others or all as well.
    """
    stride = 1 if example == FORD else tries(8, 1)
    return dict(list(recorded(example).items())[::stride])


@deeper
@each
def test_every_changed_byte_of_a_pack_is_noticed(example: Path) -> None:
    """The rules are not replayed here: signatures and digests alone have to show it (replaying is the last
    line of defence).
    """
    files = recorded(example)
    assert judge(MemoryArchive(files), replay=None).failures == ()
    tried = 0
    for name, data in touched(example).items():
        for place in places(data) if data else ():
            wrong = bytearray(data)
            wrong[place] ^= 1 << place % 8
            verdict = judge(MemoryArchive({**files, name: bytes(wrong)}), replay=None)
            proof = name.partition("/")[0] in PROOF or name in ("FILES", "FILES.sig")
            assert bool(verdict.failures) == proof, (name, place)
            if not proof:
                told_of = [one.message for one in verdict.warnings if one.where == "FILES"]
                assert [said.rpartition(": ")[2] for said in told_of] == [name], name
            tried += 1
    assert tried >= len(touched(example))


@deeper
@each
def test_a_file_that_is_taken_away_or_added_is_noticed(example: Path) -> None:
    files = recorded(example)
    for name in touched(example):
        verdict = judge(
            MemoryArchive({other: data for other, data in files.items() if other != name}), replay=None
        )
        assert verdict.failures or verdict.warnings, name
        if name.partition("/")[0] in ("ledger", "seats", "rolls", "scenario", "tables"):
            assert verdict.failures, name
    more = judge(MemoryArchive({**files, "rolls/s9999.jsonl": b""}), replay=None)
    assert more.failures or more.warnings


@each
def test_one_byte_of_the_zip_itself(example: Path, tmp_path: Path) -> None:
    """Whatever is done to the container: the answer is no, or cannot decide, or nothing that counts has
    changed.
    """
    whole = (example / "archive.zip").read_bytes()
    files = recorded(example)
    plain = pbem("verify", "--no-replay", example / "archive.zip", cwd=tmp_path, home=tmp_path)
    assert plain.returncode == 3
    for part in range(12):
        wrong = bytearray(whole)
        wrong[len(wrong) * part // 12] ^= 0x10
        path = tmp_path / f"{part}.zip"
        path.write_bytes(wrong)
        done = pbem("verify", "--no-replay", path, cwd=tmp_path, home=tmp_path)
        assert done.returncode in (1, 3), (part, done.stdout, done.stderr)
        assert "fault of pbem" not in done.stderr
        assert done.stdout != plain.stdout or holds(path, files), part


def holds(path: Path, files: Mapping[str, bytes]) -> bool:
    """Tell whether a zip still gives all of some files."""
    with zipfile.ZipFile(path) as packed:
        return {name: packed.read(name) for name in packed.namelist()} == files


@each
def test_no_secret_is_in_game_or_pack(example: Path, played: object) -> None:
    made = played(example)  # type: ignore[operator]
    secrets = set()
    for path in [*(example / "keys").glob("*"), *made.home.rglob("*")]:
        if path.suffix == ".chain":
            secrets |= {path.read_bytes().strip(), bytes.fromhex(path.read_text().strip())}
        if path.suffix == ".key":
            body = b"".join(path.read_bytes().splitlines()[1:-1])
            secrets |= {
                path.read_bytes().strip(),
                body,
                *(line for line in path.read_bytes().splitlines()[2:-1]),
            }
            from pbem.proof.signing import load_private

            raw = load_private(path.read_bytes()).private_bytes_raw()
            secrets |= {raw, raw.hex().encode()}
    assert len(secrets) >= 10
    with zipfile.ZipFile(made.zip) as packed:
        in_pack = {name: packed.read(name) for name in packed.namelist()}
    for name, data in {**inside(made.game), **in_pack, **recorded(example)}.items():
        assert not [secret for secret in secrets if secret in data], name


PLACED = [
    path
    for path in EXAMPLES
    if any("\nsetup:" in file.read_text("utf-8") for file in (path / "orders").iterdir())
]


@pytest.mark.parametrize("example", PLACED, ids=lambda path: path.name)
def test_diff_names_the_first_event_that_differs(example: Path, tmp_path: Path) -> None:
    copy = tmp_path / example.name
    shutil.copytree(example, copy)
    script = (copy / "play.yaml").read_text("utf-8")
    head, steps, _ = script.partition("steps:\n")
    lines = script[len(head) + len(steps) :].splitlines()
    named = {
        n: line.partition("file:")[2].split(",")[0].strip(" }")
        for n, line in enumerate(lines)
        if "submit:" in line
    }
    start, first = next(
        (n, file) for n, file in named.items() if "\nsetup:" in (copy / "orders" / file).read_text("utf-8")
    )
    end = next(n for n, line in enumerate(lines) if n > start and "resolve:" in line)
    slot = sum("resolve:" in line for line in lines[: end + 1])
    (copy / "play.yaml").write_text(head + steps + "\n".join(lines[: end + 1]) + "\n", "utf-8")
    orders = copy / "orders" / first
    changed, (one, other) = swap_places(orders.read_text("utf-8"))
    orders.write_text(changed, "utf-8")
    (copy / "archive.zip").unlink()
    for _ in Playthrough(read_script(copy), tmp_path / "game", tmp_path / "home", pictures=False).play():
        pass
    same = pbem("diff", example / "archive.zip", example / "archive.zip", cwd=tmp_path, home=tmp_path)
    assert (same.returncode, same.stdout) == (0, "")
    done = pbem("diff", example / "archive.zip", tmp_path / "game", cwd=tmp_path, home=tmp_path)
    assert done.returncode == 1
    where, before, after = done.stdout.splitlines()[:3]
    assert where == f"slot {slot} event 1"
    assert json.loads(before[2:])["order"] == one
    assert json.loads(after[2:])["order"] == other


def swap_places(text: str) -> tuple[str, tuple[str, str]]:
    """Let the first two figures of a setup stand where the other was to stand; return the first order before
    and after.
    """
    lines = text.splitlines()
    at = [n for n, line in enumerate(lines) if line.startswith("- ") and " at " in line][:2]
    places_ = [lines[n].partition(" at ")[2].split()[0] for n in at]
    before = lines[at[0]].partition("#")[0].strip()[2:]
    for n, old, new in ((at[0], places_[0], places_[1]), (at[1], places_[1], places_[0])):
        lines[n] = lines[n].replace(f" at {old}", f" at {new}", 1)
    return "\n".join(lines) + "\n", (before, lines[at[0]].partition("#")[0].strip()[2:])

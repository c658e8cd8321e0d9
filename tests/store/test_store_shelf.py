"""The shelf for painted pictures: what it gives back is what was put there, and nothing that is wrong with it
does any harm.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from pbem.store import shelf
from pbem.store.shelf import Shelf

A, B, C = ("a" * 64, "b" * 64, "c" * 64)
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(name="own")
def own_(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "deep" / "pictures")


def lies(own: Shelf, key: str) -> Path:
    return own.folder / f"{key}.kept"


def test_what_is_put_is_there_and_nothing_else(own: Shelf) -> None:
    assert own.get(A) is None
    own.put(A, b"one")
    own.put(B, b"")
    assert (own.get(A), own.get(B), own.get(C)) == (b"one", b"", None)
    own.put(A, b"another")
    assert own.get(A) == b"another"
    assert sorted(path.name for path in own.folder.iterdir()) == [f"{A}.kept", f"{B}.kept"]
    if os.name != "nt":
        assert own.folder.stat().st_mode & 0o077 == 0
        assert lies(own, A).stat().st_mode & 0o077 == 0


def wrong_files(good: bytes, other: bytes) -> dict[str, bytes]:
    return {
        "empty": b"",
        "cut in the head": good[:20],
        "cut in the middle": good[:-1],
        "longer": good + b"x",
        "one bit": good[:-3] + bytes([good[-3] ^ 1]) + good[-2:],
        "another seal": good[:15] + bytes([good[15] ^ 1]) + good[16:],
        "another format": b"pbem shelf 0\n" + good[13:],
        "of another key": other,
        "none of ours": b"\x89PNG\r\n" * 99,
    }


def test_a_file_that_is_wrong_is_as_none_and_is_replaced(own: Shelf) -> None:
    own.put(A, b"what was painted" * 9)
    own.put(B, b"what was painted" * 9)
    good, other = lies(own, A).read_bytes(), lies(own, B).read_bytes()
    for name, data in wrong_files(good, other).items():
        lies(own, A).write_bytes(data)
        assert own.get(A) is None, name
        own.put(A, b"painted anew")
        assert own.get(A) == b"painted anew", name


def test_a_file_that_is_too_large_is_not_read(own: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    own.put(A, b"x" * 1000)
    monkeypatch.setattr(shelf, "LARGEST", 500)
    assert own.get(A) is None
    own.put(B, b"x" * 1000)
    assert own.get(B) is None
    assert not lies(own, B).exists()


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
def test_what_is_no_file_is_neither_followed_nor_waited_for(
    own: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own.put(A, b"one")
    lies(own, B).symlink_to(lies(own, A))
    os.mkfifo(lies(own, C))
    assert own.get(B) is None
    assert own.get(C) is None
    own.put(B, b"two")  # in the place of the link, not through it
    own.put(C, b"three")
    assert (own.get(A), own.get(B), own.get(C)) == (b"one", b"two", b"three")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert own.get(A) is None  # what somebody else laid there is not believed


def test_no_key_is_a_way_out_of_the_folder(own: Shelf) -> None:
    for key in ("../../x", "", "A" * 64, "a" * 63, "a" * 64 + "\n", "/etc/passwd"):
        with pytest.raises(ValueError):
            own.get(key)
        with pytest.raises(ValueError):
            own.put(key, b"")


def test_the_one_unused_for_longest_goes_first_and_nothing_of_others(tmp_path: Path) -> None:
    own = Shelf(tmp_path, most=3600)
    strange = tmp_path / "letter.txt"
    strange.write_bytes(b"x" * 9000)
    (tmp_path / f"{A}.kept.bak").write_bytes(b"x" * 9000)
    for number, key in enumerate((A, B, C)):
        own.put(key, b"x" * 1000)
        os.utime(lies(own, key), (1_000_000 + number, 1_000_000 + number))
    assert own.get(A) == b"x" * 1000  # is used, and so is newer than B
    own.put("d" * 64, b"y" * 1000)
    assert [own.get(key) is not None for key in (A, B, C, "d" * 64)] == [True, False, True, True]
    own.put("e" * 64, b"z" * 5000)
    assert own.get("e" * 64) is None  # larger than all the room there is: nothing makes way for it
    assert own.get(A) is not None
    assert strange.read_bytes() == b"x" * 9000


def test_what_an_ended_program_left_half_written_goes(own: Shelf) -> None:
    own.put(A, b"one")
    old, new = own.folder / f".{B}.0123abcd.tmp", own.folder / f".{C}.0123abcd.tmp"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (1_000_000, 1_000_000))
    own.put("0" * 64, b"two")
    assert not old.exists()
    assert new.exists()


def test_a_folder_is_not_gone_through_for_every_small_file_and_stays_within_its_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, looked = Shelf(tmp_path, most=500_000), Mock(side_effect=os.scandir)
    monkeypatch.setattr(os, "scandir", looked)
    for number in range(3000):
        own.put(sha256(b"%d" % number).hexdigest(), bytes(200 if number % 100 else 20_000))
    assert 3000 / 64 < looked.call_count < 3000 / 10
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 1.1 * own.most


def test_a_folder_that_cannot_be_is_no_matter(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for folder in (
        tmp_path / "file",
        tmp_path / "file" / "below",
        tmp_path / ("x" * 300),
        tmp_path / "nul\0",
    ):
        own = Shelf(folder)
        own.put(A, b"one")
        assert own.get(A) is None


def test_a_disk_that_is_full_leaves_nothing_behind(own: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    own.put(A, b"one")
    real = shelf.disk.effect

    def full(kind: str, path: Path, act: Any) -> Any:
        if kind == "write":
            raise OSError(28, "No space left on device")
        return real(kind, path, act)

    monkeypatch.setattr(shelf.disk, "effect", full)
    own.put(A, b"two")
    own.put(B, b"two")
    assert own.get(A) == b"one"
    assert [path.name for path in own.folder.iterdir()] == [f"{A}.kept"]


def test_many_at_once_find_something_whole_or_nothing(own: Shelf) -> None:
    wrong: list[bytes | None] = []
    done = threading.Event()

    def write(letter: bytes) -> None:
        while not done.is_set():
            own.put(A, letter * 200_000)

    writers = [threading.Thread(target=write, args=(letter,)) for letter in (b"x", b"y")]
    for writer in writers:
        writer.start()
    for _ in range(150):
        found = own.get(A)
        if found is not None and found not in (b"x" * 200_000, b"y" * 200_000):
            wrong.append(found)
    done.set()
    for writer in writers:
        writer.join()
    assert wrong == []
    assert own.get(A) is not None


def test_where_it_stands() -> None:
    home = Path.home()
    assert shelf.folder({"PBEM_CACHE": "/x"}, "linux") == Path("/x")
    assert shelf.folder({"PBEM_CACHE": "off"}, "linux") is None
    assert shelf.folder({"XDG_CACHE_HOME": "/c"}, "linux") == Path("/c/pbem")
    assert shelf.folder({}, "linux") == home / ".cache/pbem"
    assert shelf.folder({}, "darwin") == home / "Library/Caches/pbem"
    assert shelf.folder({"LOCALAPPDATA": "/l"}, "win32") == Path("/l/pbem/cache")


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PBEM_CACHE", "off")
    assert shelf.own() is None
    monkeypatch.setenv("PBEM_CACHE", str(tmp_path))
    assert shelf.own() == Shelf(tmp_path / "pictures", shelf.MOST[shelf.PAINTED])
    assert shelf.own(shelf.FINISHED) == Shelf(tmp_path / "finished", shelf.MOST[shelf.FINISHED])
    assert list(tmp_path.iterdir()) == []  # nothing is made before something is kept


PAINT = """
import sys
sys.path[:0] = [{root!r}, {scenes!r}]
from hashlib import sha256
from msgspec.structs import replace
from scenes import areas, ford
from pbem.renderers import keeping, png
from pbem.renderers.painted import base, counters
from pbem.store import shelf
keeping.use(shelf.own())
painted, real = [], base.paint
base.paint = lambda *words: painted.append(1) or real(*words)
inked, pen = [], counters.draw_symbol
counters.draw_symbol = lambda *words: inked.append(1) or pen(*words)
scene = ford()
if "burnt" in sys.argv:
    scene = ford(areas=tuple(replace(area, ground="burnt") if area.at == "0303" else area for area in areas()))
if "renamed" in sys.argv:
    scene = ford(static_key="another name", title="Another", tokens=())
picture = png.picture(scene, width=int(sys.argv[1]))
print(len(painted) + ("counters" in sys.argv) * len(inked), sha256(picture.tobytes()).hexdigest())
"""


def paint(cache: Path | str, *words: str) -> tuple[int, str]:
    """Paint the ford in a new process; return how often its ground was painted, and a
    digest of the picture.
    """
    code = PAINT.format(root=str(ROOT), scenes=str(ROOT / "tests" / "renderers"))
    command = [sys.executable, "-c", code, *(words or ("300",))]
    done = subprocess.run(
        command, env={**os.environ, "PBEM_CACHE": str(cache)}, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    painted, digest = done.stdout.split()
    return int(painted), digest


def test_a_second_process_does_not_paint_again(tmp_path: Path) -> None:
    first, digest = paint(tmp_path)
    assert first == 1
    assert paint(tmp_path) == (0, digest)
    # what it is called, and who stands on it, is not part of the ground
    assert paint(tmp_path, "300", "renamed")[0] == 0
    assert paint(tmp_path, "300", "counters") == (0, digest)  # nor is any counter drawn again
    times, burnt = paint(tmp_path, "300", "burnt")
    assert (times, burnt != digest) == (1, True)
    assert paint(tmp_path, "310")[0] == 1
    # whatever lies there: the picture is the same
    for path in (tmp_path / "pictures").iterdir():
        path.write_bytes(path.read_bytes()[:-7] + b"hostile")
    assert paint(tmp_path) == (1, digest)
    assert paint(tmp_path) == (0, digest)
    assert paint("off", "300", "counters")[0] > 10


DRAW = """
import sys
sys.path[:0] = [{root!r}, {scenes!r}]
from hashlib import sha256
from scenes import ford
from pbem.referee.explain import draw
from pbem.referee.explain.look import Look
scene = ford(tokens=ford().tokens[:-1]) if "fewer" in sys.argv else ford()
data = draw.drawn(scene, ".png", Look("print" if "print" in sys.argv else "parchment", 0.25))
print(int("PIL.Image" in sys.modules), sha256(data).hexdigest())
"""


def draw(cache: Path | str, *words: str) -> tuple[int, str]:
    """Draw the ford in a new process; return whether what draws was loaded for it, and a
    digest of the file.
    """
    code = DRAW.format(root=str(ROOT), scenes=str(ROOT / "tests" / "renderers"))
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        env={**os.environ, "PBEM_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    loaded, digest = done.stdout.split()
    return int(loaded), digest


def test_a_file_that_is_ready_is_not_drawn_again(tmp_path: Path) -> None:
    first = draw(tmp_path)
    assert first[0] == 1
    assert draw(tmp_path) == (0, first[1])
    # another figure, another look: another file
    others = [draw(tmp_path, word) for word in ("fewer", "print")]
    assert [loaded for loaded, _ in others] == [1, 1]
    assert len({first[1], *(digest for _, digest in others)}) == 3
    for path in (tmp_path / "finished").iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    assert draw(tmp_path) == first

"""A game is opened once by each verb, and what an earlier opening came to is believed only where every file is
as it was: whoever opens it finds what he would find without.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from readings import plain
from table import Table, pull

from pbem.proof import signing
from pbem.proof.history import Ledger
from pbem.referee.game import opening
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.refusal import Refused
from pbem.referee.proving.mend import mend
from pbem.referee.proving.pack import pack
from pbem.referee.proving.verify import verify
from pbem.referee.turn.lock import lock
from pbem.referee.turn.resolve import resolve
from pbem.referee.turn.submit import submit
from pbem.rulesets import tables
from pbem.store import disk, sent_records, shelf, watching
from pbem.store import plain as plain_files
from pbem.store.shelf import Shelf


@pytest.fixture(autouse=True)
def kept_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep every reading, on a shelf of the test's own."""
    monkeypatch.setattr(opening, "EVERY", 1)
    monkeypatch.setenv("PBEM_CACHE", str(tmp_path / "shelf"))


@pytest.fixture
def long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no file count as just written."""
    monkeypatch.setattr(watching, "FRESH", -(10**15))


def outcome(where: Path, *, anew: bool) -> object:
    """Return what an opening comes to: what the ledger says, or why it is refused."""
    try:
        return plain(open_game(where, anew=anew).ledger)
    except Refused as refusal:
        return refusal.answer, [(one.code, dict(one.args), one.help) for one in refusal.problems]


def agree(where: Path) -> None:
    """Open a game twice with what is kept and once without, and find the same."""
    right = outcome(where, anew=True)
    assert [outcome(where, anew=False), outcome(where, anew=False)] == [right, right]


def stages(table: Table) -> Iterator[str]:
    """Yield at every stage of a game: begun, ordered, locked with a file that stays closed, answered, taken
    back, with new keys.
    """
    table.new(keyed=("north", "south"))
    yield "made"
    table.join_all()
    yield "joined"
    table.orders("north", pull("north"))
    yield "ordered"
    table.lock()
    yield "locked"
    table.go("south")
    yield "gone"
    table.resolve()
    yield "a question, and orders that are not published"
    table.turn()
    yield "published"
    for _ in range(2):
        table.turn()
        yield "on"


def kept(where: Path) -> Path:
    """Return the one file on the shelf that a reading is kept in; sentences may lie beside it."""
    every = (where.parent / "shelf" / shelf.READ).glob("*.kept")
    (found,) = (one for one in every if b'"watch":' in one.read_bytes())
    return found


@pytest.mark.parametrize("fresh", [True, False])
def test_with_what_is_kept_a_game_is_the_same_at_every_stage(
    table: Table, monkeypatch: pytest.MonkeyPatch, fresh: bool
) -> None:
    if not fresh:
        monkeypatch.setattr(watching, "FRESH", -(10**15))
    for stage in stages(table):
        agree(table.game)
        again = open_game(table.game).reading
        assert again is not None and again.kept == len(again.ledger.records), f"read anew where it is {stage}"


def test_what_was_published_since_need_not_be_read_anew(table: Table, long_ago: None) -> None:
    seen = []
    for stage in stages(table):
        found = opening._taken_up(Shelf(table.root / "shelf" / shelf.READ), open_game(table.game).folder)  # type: ignore[arg-type]
        seen.append((stage, found is not None))
    assert dict(seen)["published"]


def changed(data: bytes) -> bytes:
    """Return as many bytes, one of them another."""
    at = len(data) // 2
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def watched(where: Path) -> list[str]:
    """Return files of a game that its reading looked at: the first and the last of each folder."""
    reading = open_game(where, anew=True).reading
    assert reading is not None
    folders: dict[str, list[str]] = {}
    for path in sorted(reading.watch.marks):
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    return sorted({path for paths in folders.values() for path in (paths[0], paths[-1])})


def test_a_file_that_was_changed_is_found_whatever_its_time_says(table: Table, long_ago: None) -> None:
    for _ in stages(table):
        pass
    for path in watched(table.game):
        open_game(table.game)
        place = table.game / path
        data, times = place.read_bytes(), place.stat()
        place.write_bytes(changed(data))
        os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))
        agree(table.game)
        place.write_bytes(data)


def test_a_file_of_another_age_is_known_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that was wrong once, and files from before 1970, which have a negative time."""
    monkeypatch.setattr(watching, "FRESH", -(10**20))
    for _ in stages(table):
        pass
    for path in watched(table.game):
        os.utime(table.game / path, ns=(0, -1_000_000_007))
    open_game(table.game)
    reading = open_game(table.game).reading
    assert reading is not None and reading.kept == len(reading.ledger.records)
    agree(table.game)


def test_a_file_with_a_number_of_more_than_64_bits_is_known_again(
    table: Table, monkeypatch: pytest.MonkeyPatch, long_ago: None
) -> None:
    """As some systems give them (ReFS)."""
    real = watching._mark
    monkeypatch.setattr(watching, "_mark", lambda found: (*real(found)[:-1], found.st_ino << 64))
    for _ in stages(table):
        pass
    open_game(table.game)
    reading = open_game(table.game).reading
    assert reading is not None and reading.kept == len(reading.ledger.records)
    agree(table.game)


def test_marks_are_the_same_however_they_are_taken(
    table: Table, monkeypatch: pytest.MonkeyPatch, long_ago: None
) -> None:
    """Within an open folder, or by whole names, where a system cannot do the first."""
    for _ in stages(table):
        pass
    open_game(table.game)
    for at_folder in (False, watching._AT_FOLDER):
        monkeypatch.setattr(watching, "_AT_FOLDER", at_folder)
        reading = open_game(table.game).reading
        assert reading is not None and reading.kept == len(reading.ledger.records)


def test_a_file_that_was_changed_in_the_same_moment_is_found_too(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in stages(table):
        pass
    # A file system whose clock stands still, and which writes in place.
    monkeypatch.setattr(watching, "FRESH", 10**15)  # however busy the machine is
    monkeypatch.setattr(watching, "_mark", lambda found: (found.st_mode, found.st_size, 0, 0, found.st_ino))
    monkeypatch.setattr(watching, "_AT_FOLDER", False)
    for path in watched(table.game):
        open_game(table.game)
        place = table.game / path
        data = place.read_bytes()
        place.write_bytes(changed(data))
        agree(table.game)
        place.write_bytes(data)


def test_files_that_went_came_or_became_links_are_found(table: Table, long_ago: None) -> None:
    for _ in stages(table):
        pass
    for path in watched(table.game):
        open_game(table.game)
        place = table.game / path
        place.rename(table.root / "aside")
        agree(table.game)
        place.symlink_to(table.root / "aside")
        agree(table.game)
        place.unlink()
        (table.root / "aside").rename(place)
    newest = open_game(table.game).ledger.records[-1].path
    for name in ("ledger/00001-lock.json", "ledger/00002-undo.json", newest.replace("-s", "-s9")):
        open_game(table.game)
        (table.game / name).write_bytes(b"{}")
        agree(table.game)
        (table.game / name).unlink()
    (table.game / "ledger").rename(table.root / "elsewhere")
    (table.game / "ledger").symlink_to(table.root / "elsewhere")
    agree(table.game)


def test_a_copy_and_another_game_at_the_same_place_are_read_anew(table: Table, long_ago: None) -> None:
    for _ in stages(table):
        pass
    before = open_game(table.game)
    shutil.copytree(table.game, table.root / "copy")
    reading = open_game(table.root / "copy").reading
    assert reading is not None and reading.kept == 0
    shutil.rmtree(table.game)
    (table.root / "copy").rename(table.game)
    newest = table.game / before.ledger.records[-1].path
    newest.unlink()
    Path(f"{newest}.sig").unlink()
    agree(table.game)
    assert len(open_game(table.game).ledger.records) == len(before.ledger.records) - 1


def test_nothing_in_the_folder_of_a_game_is_believed(table: Table, long_ago: None) -> None:
    for _ in stages(table):
        pass
    open_game(table.game)
    assert kept(table.game).read_bytes()
    assert not [path for path in table.files() if "kept" in path or "snapshot" in path]


def test_whatever_happened_to_what_is_kept_the_game_is_the_same(table: Table, long_ago: None) -> None:
    for _ in stages(table):
        pass
    open_game(table.game)
    place = kept(table.game)
    data = place.read_bytes()
    damaged: list[bytes] = [b"", b"{}", data[:10], data[: len(data) // 2], data[:-1], data + b"x", data[::-1]]
    damaged += [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in range(0, len(data), 499)]
    right = outcome(table.game, anew=True)
    for bad in damaged:
        place.write_bytes(bad)
        assert opening._taken_up(Shelf(place.parent), open_game(table.game, anew=True).folder) is None  # type: ignore[arg-type]
    place.write_bytes(damaged[3])
    assert outcome(table.game, anew=False) == right
    place.unlink()
    place.mkdir()
    assert outcome(table.game, anew=False) == right


def test_lines_that_are_not_what_was_put_down_are_dropped(table: Table, long_ago: None) -> None:
    """Sealed as they should be, and yet wrong: as another program might have written them."""
    for _ in stages(table):
        pass
    game = open_game(table.game)
    own, place = Shelf(kept(table.game).parent), kept(table.game)
    data = own.get(place.stem)
    assert data is not None and game.folder is not None
    head, _, body = data.partition(b"\n")
    first = game.ledger.records[0].path.encode() + b" "
    other = [
        head.replace(b'"format":2', b'"format":1') + b"\n" + body,
        head.replace(b'"program":"', b'"program":"0') + b"\n" + body,
        head.replace(b'"folder":"', b'"folder":"/x') + b"\n" + body,
        head.replace(b'"watch":', b'"watched":') + b"\n" + body,
        head.replace(b'"slots":[', b'"slots":[1,') + b"\n" + body,
        head.replace(b'"slots":[', b'"slots":["1",') + b"\n" + body,
        head.replace(b'"records":', b'"recorded":') + b"\n" + body,
        data[:-1],
        data + data[-1:],
        head + b"\n{}",
        head + b"\n" + body.replace(b"\n", b" ", 1),
        head + b"\n" + body.replace(first, b"ledger/00001-start.json "),
        head + b"\n",
        head,
        b"\n" + body,
        b"",
    ]
    assert data not in other
    for bad in other:
        own.put(place.stem, bad)
        assert opening._taken_up(own, game.folder) is None
        agree(table.game)


@pytest.mark.parametrize("off", ["off", "/dev/null/nowhere"])
def test_without_a_shelf_a_game_is_opened_as_ever(
    table: Table, monkeypatch: pytest.MonkeyPatch, off: str
) -> None:
    monkeypatch.setenv("PBEM_CACHE", off)
    for _ in stages(table):
        agree(table.game)


def test_who_proves_reads_everything_himself(
    table: Table, monkeypatch: pytest.MonkeyPatch, long_ago: None
) -> None:
    for _ in stages(table):
        pass
    open_game(table.game)
    monkeypatch.setattr(tables, "_keeps", plain_files.plain)  # as a verb that looks has left it
    looked: list[str] = []
    monkeypatch.setattr(Shelf, "get", lambda self, key: looked.append(self.folder.name))
    assert not verify(table.game).failures
    pack(table.env, table.game, table.root / "toll.zip")
    assert not verify(table.root / "toll.zip").failures
    mend(table.env, table.game)
    assert shelf.READ not in looked


class Counted:
    """How often a game was opened, and how many signatures were checked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened = self.signatures = 0
        read, holds = opening.read_folder, signing._holds

        def reads(*args: object, **more: object) -> object:
            self.opened += 1
            return read(*args, **more)  # type: ignore[arg-type]

        def checks(*args: object) -> object:
            self.signatures += 1
            return holds(*args)

        monkeypatch.setattr("pbem.referee.game.game.read_folder", reads)
        monkeypatch.setattr(signing, "_holds", checks)

    def by(self, act: Callable[[], object]) -> tuple[int, int]:
        """Do something and return how often it opened a game, and how many signatures it checked."""
        self.opened = self.signatures = 0
        act()
        return self.opened, self.signatures


def test_a_verb_opens_a_game_once_and_checks_no_signature_twice(
    table: Table, monkeypatch: pytest.MonkeyPatch, long_ago: None
) -> None:
    table.new(keyed=())
    table.join_all()
    counted = Counted(monkeypatch)
    found = []
    for _ in range(3):
        (seat,) = table.open().announced()["waits"]
        yaml = "answers: {q1: let-go}\n" if table.open().questions else pull(seat)
        luck = f"luck: seven drunken herons {len(found)}\n"
        orders = (yaml + luck).encode()
        ordered = counted.by(
            lambda orders=orders, seat=seat: submit(  # type: ignore[misc]
                table.env, table.game, "o", orders, seat=seat, auto_lock=False
            )
        )
        locked = counted.by(lambda: lock(table.env, table.game))
        slot = table.open().ledger.locked
        for asked in () if slot is None else slot.asked:
            table.go(asked, f"nine sober cranes {len(found)}")
        found.append((ordered, locked, counted.by(lambda: resolve(table.env, table.game, pictures=False))))
    assert found[1:] == [((1, 0), (1, 1), (1, 0))] * 2, "a signature is checked once: where it was written"


def test_orders_list_the_ledger_once_and_what_is_told_is_the_newest_record(
    table: Table, monkeypatch: pytest.MonkeyPatch, long_ago: None
) -> None:
    table.started()
    listed: list[str] = []
    real = os.listdir
    monkeypatch.setattr(os, "listdir", lambda place: (listed.append(Path(place).name), real(place))[1])

    def told() -> str:
        return sent_records.read(table.game / sent_records.FILE)[-1].id

    submit(table.env, table.game, "o", pull("north").encode(), seat="north")
    assert listed.count("ledger") == 1
    lock(table.env, table.game)
    assert told() == table.open().ledger.records[-1].id
    table.go("south", "nine sober cranes")
    resolve(table.env, table.game, pictures=False)
    assert told() == table.open().ledger.records[-1].id


def test_a_lock_that_follows_the_last_orders_is_read_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.started()
    counted = Counted(monkeypatch)
    (seat,) = table.open().announced()["waits"]
    assert counted.by(lambda: table.orders(seat, pull(seat)))[0] <= 4


def test_what_is_read_on_is_what_is_read_anew(table: Table) -> None:
    from pbem.referee.game.game import again

    table.started()
    before: Game = table.open()
    ledger: Ledger = before.ledger
    (seat,) = before.announced()["waits"]
    table.orders(seat, pull(seat))
    table.lock()
    found = again(before)
    assert found.ledger is ledger and found.ledger.locked is not None
    assert plain(found.ledger) == outcome(table.game, anew=True)


def test_a_slot_waits_for_the_disk_as_seldom_as_nothing_can_be_lost(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file and its folder each: orders; the lock, its signature, the letter that asks, what was told; then
    dice, state, events, result and signature, what was told, letters. A report, what is told in the folder of
    the game, and all letters but the last wait for the file alone.
    """
    table.new(keyed=())
    table.join_all()
    waits: dict[str, int] = {}
    real = disk.effect

    def counted(act: Callable[[], object]) -> int:
        seen: list[str] = []

        def noted(kind: str, path: Path, act: Callable[[], object]) -> object:
            seen.append(kind)
            return real(kind, path, act)

        with monkeypatch.context() as patch:
            patch.setattr(disk, "effect", noted)
            act()
        return seen.count("sync") + seen.count("sync-folder")

    orders = (pull("north") + "luck: seven drunken herons\n").encode()
    waits["submit"] = counted(
        lambda: submit(table.env, table.game, "o", orders, seat="north", auto_lock=False)
    )
    waits["lock"] = counted(lambda: lock(table.env, table.game))
    table.go("south", "nine sober cranes")
    waits["resolve"] = counted(lambda: resolve(table.env, table.game, pictures=False))
    assert waits == {"submit": 2, "lock": 9, "resolve": 18}

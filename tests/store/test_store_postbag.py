"""Letters that were taken in: none lost, none twice, whatever happens between any two changes on disk."""

from __future__ import annotations

import json
import os
import shutil
import time
import tracemalloc
from pathlib import Path

import pytest
from killing import everywhere

from pbem.post.mail import mime
from pbem.store import disk
from pbem.store.postbag import Postbag, WaitingLetter, identify
from pbem.store.spool import MOST

ONE, TWO, THREE = b"Subject: one\r\n\r\nx\r\n", b"Subject: two\n\ny", b""
AT = "2026-03-01T18:00:00Z"
LATER = "2026-03-01T19:30:00+01:00"


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_letter_is_kept_as_it_came(tmp_path: Path) -> None:
    bag = Postbag(tmp_path / "post")
    assert list(bag.waiting()) == []
    id = bag.keep(ONE, AT, "box#1")
    assert id == identify(ONE) == "".join(f"{byte:02x}" for byte in bytes.fromhex(id))
    assert len(id) == 32
    (kept,) = bag.waiting()
    assert kept == WaitingLetter(id, AT, "box#1", ONE, len(ONE), f"20260301T180000Z-000001-{id}.eml")
    assert (
        tmp_path / "post/new" / kept.name
    ).read_bytes() == b"X-PBEM-Kept: %s; size 19; box#1\r\n" % AT.encode() + ONE
    for data in (TWO, THREE, b"X-PBEM-Kept: " + AT.encode() + b"; size 5; forged\r\n\r\nx"):
        assert next(kept for kept in [bag.keep(data, AT, "")] if bag.knows(kept)) == identify(data)
        assert data in [kept.data for kept in bag.waiting()]


def test_no_letter_is_kept_twice(tmp_path: Path) -> None:
    bag = Postbag(tmp_path)
    assert bag.keep(ONE, AT, "a") == bag.keep(ONE, LATER, "b")
    assert Postbag(tmp_path).keep(ONE, LATER, "c") == identify(ONE)
    (kept,) = Postbag(tmp_path).waiting()
    assert (kept.arrived, kept.source) == (AT, "a")
    bag.finish(kept, {"accepted": True})
    assert list(bag.waiting()) == []
    for again in (bag, Postbag(tmp_path)):
        assert again.keep(ONE, LATER, "d") == kept.id
        assert again.knows(kept.id)
        assert again.is_done(kept.id)
        assert list(again.waiting()) == []
    assert not bag.knows(identify(TWO))


def test_the_order_is_that_of_arrival(tmp_path: Path) -> None:
    bag = Postbag(tmp_path)
    letters = [b"%d" % number for number in range(12)]
    for letter in letters:
        bag.keep(letter, LATER, "")
    bag.keep(b"early", AT, "")
    bag = Postbag(tmp_path)
    bag.keep(b"last", LATER, "")
    assert [kept.data for kept in bag.waiting()] == [b"early", *letters, b"last"]
    assert {kept.arrived for kept in bag.waiting()} == {AT, "2026-03-01T18:30:00Z"}
    with pytest.raises(ValueError, match="Invalid isoformat"):
        bag.keep(b"never", "", "")


def test_finishing_puts_a_letter_and_its_outcome_away(tmp_path: Path) -> None:
    bag = Postbag(tmp_path)
    bag.keep(ONE, AT, "a")
    (kept,) = bag.waiting()
    assert not bag.is_done(kept.id)
    bag.finish(kept, {"answer": "é"})
    stem = kept.name.removesuffix(".eml")
    assert names(tmp_path) == [f"done/2026-03/{stem}.eml", f"done/2026-03/{stem}.json"]
    assert json.loads((tmp_path / f"done/2026-03/{stem}.json").read_text("utf-8")) == {"answer": "é"}
    assert (tmp_path / f"done/2026-03/{stem}.eml").read_bytes().endswith(ONE)
    bag.finish(kept, {"answer": "2"})
    assert names(tmp_path) == [f"done/2026-03/{stem}.eml", f"done/2026-03/{stem}.json"]


def test_a_letter_that_is_too_long_stays_too_long(tmp_path: Path) -> None:
    bag = Postbag(tmp_path)
    head = b"From: bob@example.org\r\n\r\n"
    exact, more = head + b"x" * (MOST - len(head)), head + b"x" * (MOST + 1 - len(head))
    bag.keep(exact, AT, "exact")
    bag.keep(more, AT, "more")
    bag.keep(head, AT, "beginning", size=9_000_000)
    found = {kept.source: kept for kept in bag.waiting()}
    assert found["exact"].data == exact
    assert [(kept.size, len(kept.data)) for kept in found.values()] == [
        (MOST, MOST),
        (MOST + 1, MOST + 1),
        (9_000_000, MOST + 1),
    ]
    assert found["beginning"].data.strip(b"\n") == head.strip(b"\n")
    assert found["more"].data.startswith(more[:262_144] + b"\n")
    assert all(
        (tmp_path / "new" / kept.name).stat().st_size < 263_000 for kept in found.values() if kept.size > MOST
    )


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_letters_are_for_their_owner(tmp_path: Path) -> None:
    bag = Postbag(tmp_path / "post")
    bag.keep(ONE, AT, "a")
    bag.keep(TWO, AT, "a")
    bag.finish(next(bag.waiting()), {})
    assert {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_file()} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_dir()} == {0o700}


def test_what_else_lies_there_is_no_letter(tmp_path: Path) -> None:
    bag = Postbag(tmp_path)
    bag.keep(ONE, AT, "a\r\nBcc: x\x1b[2J" + "y" * 500)
    (tmp_path / "new" / "note.eml").write_bytes(b"x")
    (tmp_path / "new" / f"20260301T180000Z-000002-{'0' * 32}.eml").symlink_to(tmp_path / "secret")
    (tmp_path / "new" / f".20260301T180000Z-000002-{'1' * 32}.eml.tmp").write_bytes(b"half")
    (tmp_path / "done").mkdir()
    (tmp_path / "done" / "link").symlink_to(tmp_path / "new")
    (kept,) = Postbag(tmp_path).waiting()
    assert kept.data == ONE
    assert kept.source.startswith("a··Bcc: x·[2Jyyy")
    assert len(kept.source) == 300
    assert not Postbag(tmp_path).is_done(kept.id)


def test_a_letter_whose_first_line_was_taken_away_by_hand(tmp_path: Path) -> None:
    bag = Postbag(tmp_path)
    bag.keep(ONE, AT, "a")
    (path,) = (tmp_path / "new").iterdir()
    path.write_bytes(ONE)
    (kept,) = bag.waiting()
    assert (kept.data, kept.arrived, kept.source, kept.size) == (ONE, AT, "", len(ONE))


def test_killed_while_a_letter_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    post = tmp_path / "post"

    def begin() -> None:
        shutil.rmtree(post, ignore_errors=True)
        Postbag(post).keep(TWO, AT, "before")

    def act() -> None:
        Postbag(post).keep(ONE, AT, "x")

    def look() -> None:
        assert [kept.data for kept in Postbag(post).waiting()] in ([TWO], [TWO, ONE])
        act()
        assert [kept.data for kept in Postbag(post).waiting()] == [TWO, ONE]

    assert everywhere(monkeypatch, act, begin, look) >= 5


def test_killed_while_a_letter_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    post, done = tmp_path / "post", []

    def begin() -> None:
        shutil.rmtree(post, ignore_errors=True)
        Postbag(post).keep(ONE, AT, "x")
        Postbag(post).keep(TWO, AT, "x")

    def act() -> None:
        bag = Postbag(post)
        for kept in bag.waiting():
            bag.finish(kept, {"id": kept.id})

    def look() -> None:
        waiting = [kept.id for kept in Postbag(post).waiting()]
        done.append(len(waiting))
        act()
        assert list(Postbag(post).waiting()) == []
        files = [name for name in names(post / "done") if not Path(name).name.startswith(".")]
        assert [Path(name).suffix for name in files] == [".eml", ".json"] * 2
        for name in files:
            if name.endswith(".json"):
                assert json.loads((post / "done" / name).read_text()) == {"id": name[-37:-5]}
        assert not [name for name in names(post / "new") if not name.startswith(".")]

    assert everywhere(monkeypatch, act, begin, look) >= 16
    assert set(done) == {0, 1, 2}


def test_an_outcome_that_is_written_counts_although_the_letter_still_lies_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bag = Postbag(tmp_path)
    bag.keep(ONE, AT, "x")
    (kept,) = bag.waiting()
    with monkeypatch.context() as patch:
        patch.setattr(disk, "move", lambda path, to: None)
        bag.finish(kept, {"first": True})
    assert names(tmp_path / "new") == [kept.name]
    again = Postbag(tmp_path)
    assert list(again.waiting()) == []
    assert again.is_done(kept.id)
    assert names(tmp_path / "new") == []


def test_ten_thousand_letters_are_known_at_once_and_take_little_room(tmp_path: Path) -> None:
    folder = tmp_path / "done" / "2026-03"
    folder.mkdir(parents=True)
    (tmp_path / "new").mkdir()
    for number in range(10_000):
        name = f"20260301T180000Z-{number + 1:06d}-{identify(b'%d' % number)}.eml"
        (folder / name if number % 2 else tmp_path / "new" / name).touch()
    tracemalloc.start()
    begun = time.process_time()
    bag = Postbag(tmp_path)
    assert all(bag.knows(identify(b"%d" % number)) for number in range(10_000))
    took = time.process_time() - begun
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert took < 5
    assert peak < 8_000_000
    assert sum(1 for _ in bag.waiting()) == 5_000


def test_a_letter_that_is_too_long_is_too_long_for_the_reader(tmp_path: Path) -> None:
    bag = Postbag(tmp_path)
    head = b"From: bob@example.org\r\nSubject: x\r\n\r\n"
    bag.keep(head + b"x" * (MOST - len(head)), AT, "")
    bag.keep(head, AT, "", size=MOST + 1)
    codes = [[problem.code for problem in mime.read(kept.data).refused] for kept in bag.waiting()]
    assert codes == [[], ["mail.too-big"]]

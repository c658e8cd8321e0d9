"""Letters to send: each has one name and goes once; what became of it is never forgotten, whatever happens
between two changes.
"""

from __future__ import annotations

import json
import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killing import everywhere

from pbem.store.outbox import FAILED, HELD, OUT, SENT, Envelope, Outbox

NOW = datetime(2026, 3, 1, 18, tzinfo=UTC)
LETTER = (
    b"From: o@example.org\r\nMessage-ID:\r\n <turn-1.abc@example.org>\r\nSubject: x\r\n\r\nMessage-ID: "
    b"<other@x>\r\n"
)
TO = ("bob@example.org", "ann@example.org")


def files(folder: Path) -> list[str]:
    return sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name[0] != "."
    )


@pytest.fixture(name="box")
def box_fixture(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path)


def test_a_letter_is_queued_once(box: Outbox, tmp_path: Path) -> None:
    assert not box.knows("turn-1")
    assert box.queue("turn-1", LETTER, "", TO)
    assert box.envelope("turn-1") == Envelope("turn-1", "", TO, "<turn-1.abc@example.org>")
    assert box.letter("turn-1") == LETTER
    assert files(tmp_path) == ["envelopes/turn-1.json", "out/turn-1.eml"]
    for again in (box, Outbox(tmp_path)):
        assert again.knows("turn-1")
        assert not again.queue("turn-1", b"other", "x@y.z", ("c@d.e",))
    assert box.letter("turn-1") == LETTER
    box.queue("turn-0", b"Subject: x\n\nMessage-ID: <a@b>\n", "o@example.org", [*TO, TO[0]])
    assert box.envelope("turn-0") == Envelope("turn-0", "o@example.org", TO)
    assert [envelope.key for envelope in box.due(NOW)] == ["turn-1", "turn-0"]
    assert box.keys() == ("turn-0", "turn-1")
    assert box.keys("turn-", "-1") == ("turn-1",)
    assert box.keys("reply") == ()
    assert box.envelope("none") is None
    assert box.letter("none") is None


@pytest.mark.parametrize(
    ("key", "sender", "to"),
    [
        ("../x", "", TO),
        ("", "", TO),
        (".x", "", TO),
        ("x" * 152, "", TO),
        ("a/b", "", TO),
        ("a", "o@x\r\nDATA", TO),
        ("a", "", ("bob@example.org>\r\nRCPT TO:<eve@example.org",)),
        ("a", "", ("bob@exa mple.org",)),
        ("a", "", ("bob",)),
        ("a", "", ("",)),
        ("a", "", ()),
    ],
)
def test_what_is_no_name_and_no_address(
    box: Outbox, tmp_path: Path, key: str, sender: str, to: tuple[str, ...]
) -> None:
    with pytest.raises(ValueError):
        box.queue(key, LETTER, sender, to)
    assert files(tmp_path) == []
    assert box.envelope(key) is None


def test_the_states_of_an_envelope() -> None:
    one = Envelope("k", "", TO)
    assert one.state == OUT
    assert one.sending(TO[:1]).state == HELD
    assert one.sending(TO[:1]).gone() == Envelope("k", "", TO[1:], sent=TO[:1])
    assert one.sending(TO).gone().state == SENT
    assert one.refused(TO[:1], "550 no").state == OUT
    assert one.refused(TO, "550 no").state == FAILED
    half = one.refused(TO[:1], "550 no").sending(TO[1:]).gone()
    assert (half.state, half.sent, half.failed, half.said) == (FAILED, TO[1:], {TO[0]: "550 no"}, "550 no")
    assert half.anew() == Envelope("k", "", TO[:1], sent=TO[1:], said="550 no")
    assert one.sending(TO).refused(TO, "554").doubt == ()
    assert one.sending(TO).later(NOW, "451").doubt == ()
    assert one.sending(TO).anew() == one


def test_how_long_a_letter_waits_and_when_it_is_given_up() -> None:
    envelope, now, waits = Envelope("k", "", TO), NOW, []
    while envelope.state == OUT:
        envelope = envelope.later(now, "451 not now")
        following = datetime.fromisoformat(envelope.next)
        waits.append((following - now) // timedelta(minutes=1))
        now = following
        assert envelope.since == "2026-03-01T18:00:00Z"
    assert waits[:7] == [1, 5, 15, 60, 240, 240, 240]
    assert NOW + timedelta(days=5) <= now < NOW + timedelta(days=5, hours=4)
    assert envelope.state == FAILED
    assert envelope.failed == dict.fromkeys(TO, "451 not now")
    assert envelope.tries == len(waits)


def test_what_is_due(box: Outbox) -> None:
    for key in ("a", "b", "c", "d"):
        box.queue(key, LETTER, "", TO)
    box.note(Envelope("b", "", TO).later(NOW, "451"))
    box.note(Envelope("c", "", TO).sending(TO))
    box.note(Envelope("d", "", TO).sending(TO).gone())
    assert [envelope.key for envelope in box.due(NOW)] == ["a"]
    assert [envelope.key for envelope in box.due(NOW + timedelta(seconds=59))] == ["a"]
    assert [envelope.key for envelope in box.due(NOW + timedelta(seconds=60))] == ["a", "b"]
    assert [envelope.key for envelope in box.held()] == ["c"]
    assert [envelope.key for envelope in box.waiting()] == ["a", "b", "c"]


def test_who_holds_the_office_reads_each_envelope_once(box: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    box.queue("one", LETTER, "", TO)
    box.queue("two", LETTER, "", TO)
    read: list[str] = []
    real = Outbox.envelope

    def counting(box: Outbox, key: str) -> Envelope | None:
        read.append(key)
        return real(box, key)

    monkeypatch.setattr(Outbox, "envelope", counting)
    assert [len(list(box.waiting())), len(list(box.due(NOW))), len(box.held())] == [2, 2, 0]
    assert read == ["one", "two"]
    sending = next(box.waiting()).sending(TO)
    box.note(sending)
    assert box.held() == (sending,) and read == ["one", "two", "one"]


def test_where_a_letter_lies(box: Outbox, tmp_path: Path) -> None:
    box.queue("a", LETTER, "", TO)
    box.note(Envelope("a", "", TO).sending(TO))
    assert files(tmp_path) == ["envelopes/a.json", "out/a.eml"]
    assert not box.settled("b")
    assert box.settled("a")
    assert files(tmp_path) == ["envelopes/a.json", "sent/a.eml"]
    assert not box.settled("a")
    assert not box.again("a")
    box.queue("b", LETTER, "", TO)
    assert not box.again("b")
    box.note(Envelope("b", "", TO).refused(TO, "550"))
    assert files(tmp_path) == ["envelopes/a.json", "envelopes/b.json", "failed/b.eml", "sent/a.eml"]
    assert not box.queue("b", LETTER, "", TO)
    assert box.again("b")
    assert files(tmp_path) == ["envelopes/a.json", "envelopes/b.json", "out/b.eml", "sent/a.eml"]
    assert [envelope.key for envelope in box.due(NOW)] == ["b"]
    box.note(Envelope("b", "", TO).sending(TO))
    assert list(box.due(NOW)) == []
    assert box.again("b")
    assert [envelope.doubt for envelope in box.due(NOW)] == [()]
    box.note(Envelope("b", "", TO).refused(TO, "550"))
    (tmp_path / "failed/b.eml").unlink()
    assert not box.again("b")


def test_a_letter_that_its_owner_took_away_is_not_queued_again(box: Outbox, tmp_path: Path) -> None:
    box.queue("a", LETTER, "", TO)
    (tmp_path / "out" / "a.eml").unlink()
    assert not Outbox(tmp_path).queue("a", LETTER, "", TO)
    assert list(Outbox(tmp_path).due(NOW)) == []


def test_strange_things_in_the_folder_are_no_letters(box: Outbox, tmp_path: Path) -> None:
    box.queue("a", LETTER, "", TO)
    (tmp_path / "out" / "own.eml").write_bytes(b"x")
    (tmp_path / "out" / "link.eml").symlink_to("a.eml")
    (tmp_path / "out" / "note.txt").write_bytes(b"x")
    (tmp_path / "out" / ".b.eml.tmp").write_bytes(b"x")
    (tmp_path / "envelopes" / ".b.json.tmp").write_bytes(b"x")
    assert [envelope.key for envelope in Outbox(tmp_path).waiting()] == ["a"]
    assert Outbox(tmp_path).keys() == ("a",)
    for junk in (
        b"",
        b"[]",
        b"{}",
        b'{"sender":"x"}',
        b'{"sender":"","left":3}',
        b'{"sender":"","left":[],"failed":[]}',
    ):
        (tmp_path / "envelopes" / "a.json").write_bytes(junk)
        assert box.envelope("a") is None
        assert list(box.waiting()) == []


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_letters_are_for_their_owner(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "post")
    box.queue("a", LETTER, "", TO)
    box.note(Envelope("a", "", TO).sending(TO).gone())
    box.rest(NOW, "x")
    assert {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_file()} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_dir()} == {0o700}


def test_a_server_that_is_not_there_is_asked_less_and_less(box: Outbox, tmp_path: Path) -> None:
    assert box.resting(NOW) == ""
    waits, now = [], NOW
    for _ in range(6):
        box.rest(now, "it cannot be reached")
        assert box.resting(now) == "it cannot be reached"
        following = datetime.fromisoformat(json.loads((tmp_path / "smtp.json").read_text())["next"])
        waits.append((following - now) // timedelta(minutes=1))
        assert box.resting(following - timedelta(seconds=1)) != ""
        assert box.resting(following) == ""
        now = following
    assert waits == [1, 5, 15, 60, 60, 60]
    box.awake()
    box.awake()
    assert box.resting(now) == ""
    assert files(tmp_path) == []


ADDRESSES = st.lists(st.sampled_from(["a@b.c", "d@e.f", "g@h.i"]), min_size=1, unique=True).map(tuple)


@settings(max_examples=60, deadline=None)
@given(
    ADDRESSES,
    st.lists(st.tuples(st.sampled_from(["take", "refuse", "later", "fall", "anew"]), ADDRESSES), max_size=8),
)
def test_whatever_happens_each_recipient_is_in_one_place(
    tmp_path_factory: pytest.TempPathFactory, to: tuple[str, ...], steps: list[tuple[str, tuple[str, ...]]]
) -> None:
    box = Outbox(tmp_path_factory.mktemp("box"))
    box.queue("k", LETTER, "", to)
    for step, of in steps:
        envelope = box.envelope("k")
        assert envelope is not None
        some = [one for one in envelope.left if one in of]
        if step == "take" and some:
            box.note(envelope.sending(some).gone())
        elif step == "refuse":
            box.note(envelope.refused(some, "550 é"))
        elif step == "later" and envelope.left:
            box.note(envelope.later(NOW, "451"))
        elif step == "fall" and some:
            box.note(envelope.sending(some))
        elif step == "anew":
            box.again("k")
    end = box.envelope("k")
    assert end is not None
    assert sorted([*end.left, *end.sent, *end.failed]) == sorted(to)
    assert set(end.doubt) <= set(end.left)
    place = OUT if end.state == HELD else end.state
    assert files(box.folder) == ["envelopes/k.json", f"{place}/k.eml"]


def test_killed_while_a_letter_is_queued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    post = tmp_path / "post"

    def begin() -> None:
        shutil.rmtree(post, ignore_errors=True)

    def act() -> None:
        Outbox(post).queue("a", LETTER, "", TO)

    def look() -> None:
        box = Outbox(post)
        assert [box.letter(envelope.key) for envelope in box.due(NOW)] in ([], [LETTER])
        act()
        assert [Outbox(post).letter(envelope.key) for envelope in Outbox(post).due(NOW)] == [LETTER]
        assert files(post) == ["envelopes/a.json", "out/a.eml"]

    assert everywhere(monkeypatch, act, begin, look) >= 12


@pytest.mark.parametrize("state", [SENT, FAILED])
def test_killed_while_a_letter_is_put_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    post, seen = tmp_path / "post", set()
    after = Envelope("a", "", TO).sending(TO)
    after = after.gone() if state == SENT else after.refused(TO, "550")

    def begin() -> None:
        shutil.rmtree(post, ignore_errors=True)
        Outbox(post).queue("a", LETTER, "", TO)

    def look() -> None:
        box = Outbox(post)
        waiting = [envelope.state for envelope in box.waiting()]
        seen.add(tuple(waiting))
        if waiting:
            assert waiting == [OUT]
            return
        assert box.envelope("a") == after
        assert files(post) == ["envelopes/a.json", f"{state}/a.eml"]

    assert everywhere(monkeypatch, lambda: Outbox(post).note(after), begin, look) >= 8
    assert seen == {(), (OUT,)}


def test_killed_while_a_letter_is_let_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    post = tmp_path / "post"

    def begin() -> None:
        shutil.rmtree(post, ignore_errors=True)
        Outbox(post).queue("a", LETTER, "", TO)
        Outbox(post).note(Envelope("a", "", TO).refused(TO, "550"))

    def look() -> None:
        box = Outbox(post)
        if not list(box.due(NOW)):
            assert files(post) == ["envelopes/a.json", "failed/a.eml"]
            assert box.again("a")
        assert [envelope.left for envelope in Outbox(post).due(NOW)] == [TO]

    assert everywhere(monkeypatch, lambda: Outbox(post).again("a"), begin, look) >= 6


def test_thousands_of_letters_are_known_without_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "envelopes").mkdir()
    for number in range(10_000):
        (tmp_path / "envelopes" / f"turn-{number}.json").touch()
    box = Outbox(tmp_path)
    read: list[Path] = []
    monkeypatch.setattr(Path, "read_text", lambda self, *_: read.append(self))
    assert all(box.knows(f"turn-{number}") for number in range(10_000))
    assert not read

"""Fetching from a real server on this machine: each letter once, none lost, nothing changed there before it
is finished here.
"""

from __future__ import annotations

import imaplib
import json
import re
import shutil
import socket
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from killing import each_step
from msgspec.structs import replace
from servers import HOST, PASSWORD, Dovecot, Wire, scripted

from pbem.post.offices.office import Account, Credential
from pbem.store import disk, imap, imapline, library, net
from pbem.store.imap import Fetched, Mailbox
from pbem.store.imapline import quoted
from pbem.store.net import Trouble
from pbem.store.passwords import Secret
from pbem.store.postbag import Postbag, identify
from pbem.store.spool import MOST

NOW = "2030-01-01T00:00:00Z"
SECRET = Secret(PASSWORD)
_number = count()

Lay = Callable[..., Wire]


@pytest.fixture
def user() -> str:
    """Return the name of a user whom no other test has."""
    return f"user{next(_number)}"


def at(port: int, user: str, **more: str) -> Account:
    return Account(HOST, port, user, more.pop("security", "none"), **more)  # type: ignore[arg-type]


def letter(name: str, size: int = 0) -> bytes:
    return (
        f"From: bob@example.org\r\nMessage-ID: <{name}@example.org>\r\nSubject: {name}\r\n\r\ntext\r\n"
        f"{'x' * size}\r\n"
    ).encode()


def fetch(account: Account, folder: Path, now: str = NOW) -> Fetched:
    with Mailbox(account, SECRET) as box:
        return box.fetch(Postbag(folder), folder, now)


def subjects(folder: Path) -> list[str]:
    return [re.search(rb"Subject: (\S+)", kept.data)[1].decode() for kept in Postbag(folder).waiting()]  # type: ignore[index]


def finish(folder: Path, *names: str) -> None:
    bag = Postbag(folder)
    for kept in list(bag.waiting()):
        if not names or re.search(rb"Subject: (\S+)", kept.data)[1].decode() in names:  # type: ignore[index]
            bag.finish(kept, {})


@contextmanager
def by_hand(dovecot: Dovecot, user: str, folder: str = "INBOX") -> Iterator[imaplib.IMAP4]:
    """Open a folder as its owner's mail program does."""
    line = imaplib.IMAP4(HOST, dovecot.imap)
    line.login(user, PASSWORD)
    line.select(folder)
    yield line
    line.logout()


def lies(dovecot: Dovecot, user: str, folder: str = "INBOX") -> dict[str, str]:
    """Return what lies in a folder: subjects with their flags."""
    with by_hand(dovecot, user, folder) as line:
        found: dict[str, str] = {}
        there = line.uid("SEARCH", "ALL")[1][0].replace(b" ", b",").decode()  # type: ignore[union-attr]
        for part in (
            line.uid("FETCH", there, "(FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)])")[1] if there else []
        ):
            if isinstance(part, tuple):
                flags = re.search(rb"FLAGS \(([^)]*)\)", part[0])
                assert flags is not None
                found[part[1].split()[1].decode()] = flags[1].decode().replace(r"\Recent", "").strip()
        return found


def words(problem: object) -> str:
    assert problem is not None
    said = library.common_words().problem(problem.code, problem.args)  # type: ignore[attr-defined]
    assert not said.startswith(problem.code)  # type: ignore[attr-defined]
    assert PASSWORD not in said + repr(problem)
    assert said.isprintable()
    return said


# --- fetching


def test_letters_are_fetched_once_and_stay_as_they_are(dovecot: Dovecot, user: str, tmp_path: Path) -> None:
    account = at(dovecot.imap, user)
    assert fetch(account, tmp_path) == Fetched()
    dovecot.deliver(user, letter("one"), letter("two"))
    assert fetch(account, tmp_path) == Fetched(2, 0)
    one, two = Postbag(tmp_path).waiting()
    assert one.data.endswith(letter("one"))
    assert one.data.startswith(b"Return-Path: ")
    assert one.arrived[:4] == time.strftime("%Y", time.gmtime())
    assert one.source == f"{user}@127.0.0.1:{dovecot.imap}/INBOX {one.source.split()[1].split('.')[0]}.1"
    assert two.source.endswith(".2")
    assert fetch(account, tmp_path) == Fetched()
    dovecot.deliver(user, letter("three"))
    assert fetch(account, tmp_path) == Fetched(1, 0)
    assert subjects(tmp_path) == ["one", "two", "three"]
    assert lies(dovecot, user) == {"one": "", "two": "", "three": ""}
    page = next(iter(json.loads((tmp_path / "imap.json").read_text()).values()))
    assert (page["last"], page["wanted"], page["after"]) == (3, {}, {})
    assert (tmp_path / "imap.json").stat().st_mode & 0o777 == 0o600


def test_a_book_that_is_gone_or_broken_does_no_harm(dovecot: Dovecot, user: str, tmp_path: Path) -> None:
    account = at(dovecot.imap, user)
    dovecot.deliver(user, letter("one"), letter("two"))
    fetch(account, tmp_path)
    finish(tmp_path, "one")
    book = tmp_path / "imap.json"
    whole = json.loads(book.read_text())
    name = next(iter(whole))
    for data in (
        None,
        "",
        "[]",
        "{",
        '{"x": 1}',
        json.dumps({name: 7}),
        json.dumps({name: {**whole[name], "wanted": [1]}}),
    ):
        book.unlink() if data is None else book.write_text(data)
        assert fetch(account, tmp_path) == Fetched(0, 2), data
    assert subjects(tmp_path) == ["two"]


def test_numbers_that_mean_other_letters_now(dovecot: Dovecot, user: str, tmp_path: Path) -> None:
    account = at(dovecot.imap, user, after="seen")
    dovecot.deliver(user, letter("one"), letter("two"))
    fetch(account, tmp_path)
    book = tmp_path / "imap.json"
    whole = json.loads(book.read_text())
    (page,) = whole.values()
    page |= {"validity": page["validity"] - 1, "last": 99, "wanted": {"7": 1}, "after": {"1": "f" * 32}}
    book.write_text(json.dumps(whole))
    dovecot.deliver(user, letter("three"))
    assert fetch(account, tmp_path) == Fetched(1, 2)
    (page,) = json.loads(book.read_text()).values()
    assert (page["last"], page["wanted"], sorted(page["after"])) == (3, {}, ["1", "2", "3"])


def test_two_accounts_keep_books_of_their_own(dovecot: Dovecot, user: str, tmp_path: Path) -> None:
    other = f"{user}b"
    dovecot.deliver(user, letter("one"))
    dovecot.deliver(other, letter("one"), letter("two"))
    assert fetch(at(dovecot.imap, user), tmp_path) == Fetched(1, 0)
    assert fetch(at(dovecot.imap, other), tmp_path).new == 2
    assert fetch(at(dovecot.imap, user), tmp_path) == Fetched()
    assert len(json.loads((tmp_path / "imap.json").read_text())) == 2


def test_many_letters_come_in_portions(
    dovecot: Dovecot, user: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(net, "effect", lambda kind, what, act: (asked.append(kind), act())[1])
    monkeypatch.setattr(imapline, "effect", net.effect)
    names = [f"letter{number}" for number in range(230)]
    dovecot.deliver(user, *(letter(name) for name in names))
    assert fetch(at(dovecot.imap, user), tmp_path) == Fetched(230, 0)
    assert subjects(tmp_path) == names
    # listed 200 and 30, fetched 50, 50, 50, 50 and 30
    assert asked.count("imap-fetch") == 7
    assert asked.count("imap-search") == 1


def test_memory_does_not_grow_with_the_mailbox(dovecot: Dovecot, user: str, tmp_path: Path) -> None:
    account = at(dovecot.imap, user)
    dovecot.deliver(user, *(letter(f"l{number}", 200_000) for number in range(60)))
    tracemalloc.start()
    assert fetch(account, tmp_path) == Fetched(60, 0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 9_000_000


def test_a_letter_that_is_too_long_is_not_fetched_whole(
    dovecot: Dovecot, user: str, tmp_path: Path, wire: Lay
) -> None:
    between = wire(dovecot.imap)
    dovecot.deliver(user, letter("small"), letter("big", 6_000_000), letter("other"))
    assert fetch(at(between.port, user), tmp_path) == Fetched(3, 0)
    assert between.passed < 300_000
    sizes = sorted((one.size, len(one.data)) for one in Postbag(tmp_path).waiting())
    assert len(sizes) == 3
    assert sizes[2][0] > 6_000_000
    assert sizes[2][1] == MOST + 1


def test_letters_that_go_away_meanwhile_are_nobodys_loss(
    dovecot: Dovecot, user: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dovecot.deliver(user, letter("one"), letter("two"), letter("three"))
    real = imapline.Line.ask

    def without_two(self: imapline.Line, command: str, *rest: str) -> tuple[str, list[object]]:
        code, said = real(self, command, *rest)
        return code, [part for part in said if not (isinstance(part, bytes) and b"UID 2 RFC822.SIZE" in part)]

    with monkeypatch.context() as patch:
        patch.setattr(imapline.Line, "ask", without_two)
        assert fetch(at(dovecot.imap, user), tmp_path) == Fetched(2, 0)
    assert fetch(at(dovecot.imap, user), tmp_path) == Fetched()
    assert subjects(tmp_path) == ["one", "three"]


# --- ways in


@pytest.mark.usefixtures("trusted")
def test_every_way_to_a_mailbox(
    dovecot: Dovecot, user: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wire: Lay
) -> None:
    dovecot.deliver(user, letter("one"))
    monkeypatch.setenv("ORDERS_PASSWORD", PASSWORD)
    by_name = Credential("password_env", "ORDERS_PASSWORD")
    by_token = Credential("token_command", f"echo {dovecot.token(user)}")
    plain = wire(dovecot.imap, change=lambda data: data.replace(b"AUTH=PLAIN", b"AUTH=NONE"))
    bearer = wire(dovecot.imap, change=lambda data: data.replace(b"AUTH=XOAUTH2", b"AUTH=XOTHER"))
    ways = [
        Account("localhost", dovecot.imaps, user, "tls", by_name),
        Account("localhost", dovecot.imaps, user, "tls", by_token),
        Account(HOST, dovecot.imap, user, "starttls", by_name),
        Account(HOST, dovecot.imap, user, "starttls", by_token),
        Account(HOST, plain.port, user, "none", by_name),
        Account(HOST, bearer.port, user, "none", by_token),
    ]
    for number, account in enumerate(ways):
        folder = tmp_path / str(number)
        with Mailbox(account) as box:
            assert box.fetch(Postbag(folder), folder, NOW) == Fetched(1, 0), account
    assert any(b"LOGIN " in data for data in plain.seen)
    assert any(b"AUTHENTICATE OAUTHBEARER" in data for data in bearer.seen)


@pytest.mark.usefixtures("trusted")
def test_who_is_not_let_in_is_told(dovecot: Dovecot, user: str) -> None:
    for secret in (Secret("hunter2"), Secret("hunter2", is_token=True), Secret("hünter2")):
        with pytest.raises(Trouble) as failed:
            Mailbox(Account("localhost", dovecot.imaps, user), secret)
        assert failed.value.problem.code == "imap.login"
        said = words(failed.value.problem)
        assert said.startswith(f"localhost rejected the login of {user}: ")
        assert "nter2" not in said


def test_what_is_not_private_is_not_used(dovecot: Dovecot, user: str, wire: Lay) -> None:
    for account in (
        Account("localhost", dovecot.imaps, user),
        Account("localhost", dovecot.imap, user, "starttls"),
    ):
        with pytest.raises(Trouble) as failed:
            Mailbox(account, SECRET)
        assert "its certificate is not trusted: " in words(failed.value.problem)
    with pytest.raises(Trouble, match=r"office\.plain-far"):
        Mailbox(Account("imap.example.org", dovecot.imap, user, "none"), SECRET)
    stripped = wire(dovecot.imap, change=lambda data: data.replace(b"STARTTLS", b"STARTNOT"))
    with pytest.raises(Trouble, match=r"imap\.no-tls"):
        Mailbox(Account("localhost", stripped.port, user, "starttls"), SECRET)
    assert not any(b"LOGIN" in data or b"AUTHENTICATE" in data for data in stripped.seen)


@pytest.mark.usefixtures("trusted")
def test_what_a_stranger_says_before_tls_is_no_answer(dovecot: Dovecot, user: str, wire: Lay) -> None:
    def inject(data: bytes) -> bytes:
        if b"Begin TLS" not in data:
            return data
        return data + b"* CAPABILITY IMAP4rev1 LOGINDISABLED INJECTED\r\n"

    between = wire(dovecot.imap, change=inject)
    with Mailbox(Account("localhost", between.port, user, "starttls"), SECRET) as box:
        assert "INJECTED" not in box._line.knows
        assert "UIDPLUS" in box._line.knows


def test_no_way_to_log_in(dovecot: Dovecot, user: str, wire: Lay) -> None:
    def change(data: bytes) -> bytes:
        return (
            data.replace(b"AUTH=PLAIN", b"AUTH=OTHER LOGINDISABLED")
            .replace(b"AUTH=XOAUTH2", b"X")
            .replace(b"AUTH=OAUTHBEARER", b"X")
        )

    between = wire(dovecot.imap, change=change)
    for secret in (SECRET, Secret("t", is_token=True)):
        with pytest.raises(Trouble, match=r"imap\.no-login"):
            Mailbox(at(between.port, user), secret)


def test_a_folder_that_is_not_there(dovecot: Dovecot, user: str, tmp_path: Path) -> None:
    (problem,) = fetch(at(dovecot.imap, user, folder="Törnament & co"), tmp_path).problems
    assert problem.code == "imap.folder"
    assert words(problem).startswith("127.0.0.1 did not open the folder Törnament & co: ")


def test_a_folder_with_a_name_in_any_letters(dovecot: Dovecot, user: str, tmp_path: Path) -> None:
    name = 'Züge & "so"'
    with by_hand(dovecot, user) as line:
        assert line.create(quoted(name))[0] == "OK"
        assert line.append(quoted(name), "", '"05-Mar-2026 10:00:00 +0200"', letter("one"))[0] == "OK"
    account = at(dovecot.imap, user, folder=name)
    assert fetch(account, tmp_path) == Fetched(1, 0)
    (kept,) = Postbag(tmp_path).waiting()
    assert kept.arrived == "2026-03-05T08:00:00Z"
    assert kept.data == letter("one")


def test_names_of_folders() -> None:
    assert quoted("INBOX") == '"INBOX"'
    assert quoted("a&b") == '"a&-b"'
    assert quoted("~peter/mail/台北/日本語") == '"~peter/mail/&U,BTFw-/&ZeVnLIqe-"'
    assert quoted('a"b\\c') == '"a\\"b\\\\c"'
    assert quoted("😀") == '"&2D3eAA-"'


@pytest.mark.parametrize(
    "kind", ["absent", "hangs up", "silent", "noise", "endless", "bye", "long", "literal", "lies"]
)
def test_servers_that_are_none(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net, "PATIENCE", 0.5)
    monkeypatch.setattr(imapline, "_ANSWER", 1_000_000)

    def script(line: socket.socket) -> None:
        if kind == "hangs up":
            line.close()
        if kind == "noise":
            line.sendall(b"220 smtp.example.org\r\n")
        if kind == "endless":
            while True:
                line.sendall(b"* OK more\r\n" * 1000)
        if kind == "bye":
            line.sendall(b"* BYE too busy\x1b[2J " + PASSWORD.encode() + b"\r\n")
        if kind == "long":
            while True:
                line.sendall(b"* OK " + b"x" * 100_000)
        if kind == "literal":
            line.sendall(b"* OK hi\r\n")
            line.recv(100)
            line.sendall(b"* X {99999999}\r\n")
        if kind == "lies":
            line.sendall(b"* OK [CAPABILITY \xff\x00\r\n")
            line.recv(100)
            line.sendall(b"* CAPABILITY\r\n+ what\r\n* 5\r\nnonsense {2}\r\n)(\r\n")

    with socket.socket() as unused:
        unused.bind((HOST, 0))
        with scripted(script) as port, pytest.raises(Trouble) as failed:
            Mailbox(at(unused.getsockname()[1] if kind == "absent" else port, "x"), SECRET)
    assert failed.value.problem.code == "imap.unreachable"
    assert len(words(failed.value.problem)) < 300


# --- lines that are cut


def test_cut_anywhere_what_came_stays_and_the_next_run_goes_on(
    dovecot: Dovecot, user: str, tmp_path: Path, wire: Lay
) -> None:
    names = ["one", "two", "three", "four"]
    dovecot.deliver(user, *(letter(name, 900_000) for name in names))
    between = wire(dovecot.imap)
    assert fetch(at(between.port, user), tmp_path / "whole").new == 4
    total = between.passed
    seen: set[int] = set()
    for cut in [*range(50, 3000, 450), *range(3000, total, 250_000)]:
        folder = tmp_path / str(cut)
        account = at(wire(dovecot.imap, cut_after=cut).port, user)
        try:
            got = fetch(account, folder)
        except Trouble:
            got = Fetched(problems=(), whole=False)
        else:
            assert got.problems or got.new == 4
        assert got.whole is (got.new == 4), cut
        kept = subjects(folder)
        assert kept == names[: len(kept)]
        seen.add(len(kept))
        rest = fetch(replace(account, port=dovecot.imap), folder)
        # another port is another account: what is known is not kept twice
        assert (rest.new, rest.known, rest.whole) == (4 - len(kept), len(kept), True)
        assert subjects(folder) == names
    assert {0, 2} <= seen


def test_a_letter_at_which_the_server_always_hangs_up_stops_no_other(
    dovecot: Dovecot, user: str, tmp_path: Path, wire: Lay
) -> None:
    dovecot.deliver(user, letter("one"), letter("poison"), letter("three"), letter("four"))
    between = wire(dovecot.imap)

    def cut(data: bytes) -> bytes:
        if b"Subject: poison" in data:
            between.cut_after = 0
        return data

    between.change = cut
    account = at(between.port, user)
    kept = []
    for hours in range(5):
        between.cut_after = None
        got = fetch(account, tmp_path, f"2030-01-01T{hours:02}:00:00Z")
        assert not got.whole
        kept.append(len(subjects(tmp_path)))
        assert [problem.code for problem in got.problems] == ["imap.unreachable"]
    assert kept == [0, 1, 3, 3, 3]
    assert subjects(tmp_path) == ["one", "three", "four"]
    between.cut_after = None
    assert not fetch(account, tmp_path, "2030-01-01T23:59:59Z").whole
    between.cut_after = None
    assert fetch(account, tmp_path, "2030-01-02T00:00:00Z").whole
    between.cut_after, between.change = None, None
    assert fetch(account, tmp_path).new == 1
    assert sorted(subjects(tmp_path)) == ["four", "one", "poison", "three"]


def test_a_letter_that_the_server_does_not_give_out(
    dovecot: Dovecot, user: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dovecot.deliver(user, letter("one"), letter("two"), letter("three"))
    real = imapline.Line.ask

    def refuse(self: imapline.Line, command: str, *rest: str) -> tuple[str, list[object]]:
        if rest[:1] == ("FETCH",) and "BODY" in rest[2] and "2" in rest[1].split(","):
            return "NO", [b"[SERVERBUG] internal\x1b error"]
        return real(self, command, *rest)

    account = at(dovecot.imap, user)
    with monkeypatch.context() as patch:
        patch.setattr(imapline.Line, "ask", refuse)
        for run in range(8):
            got = fetch(
                account, tmp_path, f"2030-01-01T{run * 4:02}:00:00Z" if run < 6 else "2030-01-02T00:00:00Z"
            )
            assert got.new == (2 if run == 0 else 0)
            assert [words(problem) for problem in got.problems] == [
                "letter 2 could not be fetched from 127.0.0.1: [SERVERBUG] internal· error; "
                "it stays there, and the others do not wait for it"
            ]
            assert got.whole is (run >= 6)
        dovecot.deliver(user, letter("four"))
        assert fetch(account, tmp_path).new == 1
    assert fetch(account, tmp_path) == Fetched(1, 0)
    assert fetch(account, tmp_path) == Fetched()


def test_a_server_that_gives_nothing_out_for_a_while(
    dovecot: Dovecot, user: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dovecot.deliver(user, letter("one"), letter("two"))
    real = imapline.Line.ask

    def refuse(self: imapline.Line, command: str, *rest: str) -> tuple[str, list[object]]:
        return ("NO", [b"[UNAVAILABLE] later"]) if "BODY" in str(rest) else real(self, command, *rest)

    account = at(dovecot.imap, user)
    with monkeypatch.context() as patch:
        patch.setattr(imapline.Line, "ask", refuse)
        for _ in range(10):
            got = fetch(account, tmp_path)
            assert not got.whole
            assert got.problems
    assert fetch(account, tmp_path) == Fetched(2, 0)
    assert subjects(tmp_path) == ["one", "two"]


@pytest.mark.parametrize("word", ["SEARCH", "RFC822.SIZE", "STORE", "MOVE"])
def test_a_server_that_refuses_is_told(
    dovecot: Dovecot, user: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    account = at(dovecot.imap, user, after="seen" if word == "STORE" else "move:Done")
    dovecot.deliver(user, letter("one"))
    assert fetch(account, tmp_path).new == 1
    finish(tmp_path)
    dovecot.deliver(user, letter("two"))
    real = imapline.Line.ask

    def refuse(self: imapline.Line, command: str, *rest: str) -> tuple[str, list[object]]:
        return ("NO", [b"not today"]) if word in str(rest) else real(self, command, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(imapline.Line, "ask", refuse)
        if word in ("STORE", "MOVE"):
            with Mailbox(account, SECRET) as box, pytest.raises(Trouble) as failed:
                box.settle(Postbag(tmp_path), tmp_path)
            problem = failed.value.problem
        else:
            got = fetch(account, tmp_path)
            assert (got.new, got.whole) == (0, False)
            (problem,) = got.problems
        assert words(problem) == "127.0.0.1 rejected the command: not today"
    with Mailbox(account, SECRET) as box:
        assert box.settle(Postbag(tmp_path), tmp_path) == 1
        assert box.fetch(Postbag(tmp_path), tmp_path, NOW) == Fetched(1, 0)


def test_killed_before_each_step_of_a_fetch(
    dovecot: Dovecot, user: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dovecot.deliver(user, letter("one"), letter("two"))
    account, folder = at(dovecot.imap, user, after="seen"), tmp_path / "post"
    steps = []
    for step in each_step(lambda: fetch(account, folder), monkeypatch, disk, net, imapline):
        steps.append(step)
        before = subjects(folder)
        assert before == ["one", "two"][: len(before)]
        got = fetch(account, folder)
        assert got.whole
        assert got.problems == ()
        assert subjects(folder) == ["one", "two"], step
        (page,) = json.loads((folder / "imap.json").read_text()).values()
        assert sorted(page["after"].values()) == sorted(kept.id for kept in Postbag(folder).waiting())
        shutil.rmtree(folder)
    assert {
        "imap-connect",
        "imap-login",
        "imap-examine",
        "imap-search",
        "imap-fetch",
        "imap-logout",
        "rename",
        "sync-folder",
    } <= set(steps)
    assert lies(dovecot, user) == {"one": "", "two": ""}


# --- afterwards


@pytest.mark.parametrize("after", ["seen", "move:Done & dusted", "keep"])
def test_only_what_is_finished_is_marked_or_moved(
    dovecot: Dovecot, user: str, tmp_path: Path, after: str
) -> None:
    account = at(dovecot.imap, user, after=after)
    dovecot.deliver(user, letter("one"), letter("two"), letter("three"))
    fetch(account, tmp_path)
    with Mailbox(account, SECRET) as box:
        assert box.settle(Postbag(tmp_path), tmp_path) == 0
        finish(tmp_path, "one", "three")
        assert lies(dovecot, user) == {"one": "", "two": "", "three": ""}
        assert box.settle(Postbag(tmp_path), tmp_path) == (0 if after == "keep" else 2)
        assert box.settle(Postbag(tmp_path), tmp_path) == 0
        dovecot.deliver(user, letter("four"))
        assert box.fetch(Postbag(tmp_path), tmp_path, NOW) == Fetched(1, 0)
    if after == "seen":
        assert lies(dovecot, user) == {"one": r"\Seen", "two": "", "three": r"\Seen", "four": ""}
    elif after == "keep":
        assert lies(dovecot, user) == {"one": "", "two": "", "three": "", "four": ""}
    else:
        assert lies(dovecot, user) == {"two": "", "four": ""}
        assert lies(dovecot, user, quoted("Done & dusted")) == {"one": "", "three": ""}
    finish(tmp_path)
    with Mailbox(account, SECRET) as box:
        assert box.settle(Postbag(tmp_path), tmp_path) == (0 if after == "keep" else 2)
    assert fetch(account, tmp_path) == Fetched()


def test_moving_where_the_server_can_only_copy(
    dovecot: Dovecot, user: str, tmp_path: Path, wire: Lay
) -> None:
    between = wire(dovecot.imap, change=lambda data: data.replace(b" MOVE", b" NOPE"))
    account = at(between.port, user, after="move:Done")
    dovecot.deliver(user, letter("one"), letter("two"))
    with by_hand(dovecot, user) as line:
        line.store("2", "+FLAGS", r"(\Deleted)")
    fetch(account, tmp_path)
    finish(tmp_path, "one")
    with Mailbox(account, SECRET) as box:
        assert box.settle(Postbag(tmp_path), tmp_path) == 1
    assert lies(dovecot, user) == {"two": r"\Deleted"}
    assert lies(dovecot, user, "Done") == {"one": ""}
    assert any(b"UID EXPUNGE 1\r\n" in data for data in between.seen)
    poor = wire(
        dovecot.imap, change=lambda data: data.replace(b" MOVE", b" NOPE").replace(b"UIDPLUS", b"NOPLUS")
    )
    finish(tmp_path)
    account = at(poor.port, user, after="move:Done")
    fetch(account, tmp_path)
    with Mailbox(account, SECRET) as box, pytest.raises(Trouble, match=r"imap\.no-move"):
        box.settle(Postbag(tmp_path), tmp_path)
    assert lies(dovecot, user) == {"two": r"\Deleted"}


def test_killed_while_letters_are_moved(
    dovecot: Dovecot, user: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, folder, number = at(dovecot.imap, user, after="move:Done"), tmp_path / "post", 0

    def settle() -> None:
        with Mailbox(account, SECRET) as box:
            box.settle(Postbag(folder), folder)

    names: list[str] = []

    def begin() -> None:
        nonlocal number
        number += 1
        names.append(f"letter{number}")
        dovecot.deliver(user, letter(names[-1]))
        assert fetch(account, folder).new == 1
        finish(folder)

    begin()
    for _ in each_step(settle, monkeypatch, disk, net, imapline):
        settle()
        assert lies(dovecot, user) == {}
        assert sorted(lies(dovecot, user, "Done")) == sorted(names)
        begin()
    assert len(names) > 9


def test_numbers_of_another_folder_are_never_moved(dovecot: Dovecot, user: str, tmp_path: Path) -> None:
    account = at(dovecot.imap, user, after="seen")
    dovecot.deliver(user, letter("one"))
    fetch(account, tmp_path)
    finish(tmp_path)
    book = tmp_path / "imap.json"
    whole = json.loads(book.read_text())
    for validity in (0, 5):
        for page in whole.values():
            page["validity"] = validity
        book.write_text(json.dumps(whole))
        with Mailbox(account, SECRET) as box:
            assert box.settle(Postbag(tmp_path), tmp_path) == 0
    assert lies(dovecot, user) == {"one": ""}


# --- waiting


@pytest.mark.parametrize("idle", [True, False])
def test_waiting_ends_when_a_letter_comes(
    dovecot: Dovecot, user: str, tmp_path: Path, wire: Lay, idle: bool
) -> None:
    between = wire(dovecot.imap, change=None if idle else lambda data: data.replace(b" IDLE", b" NOPE"))
    account = at(between.port, user)
    with Mailbox(account, SECRET) as box:
        assert box.fetch(Postbag(tmp_path), tmp_path, NOW) == Fetched()
        begun = time.monotonic()
        assert not box.wait(0.4, sleep=lambda seconds: time.sleep(min(seconds, 0.1)))
        assert 0.4 <= time.monotonic() - begun < 10
        for name in ("one", "two"):
            timer = threading.Timer(0.3, dovecot.deliver, (user, letter(name)))
            timer.start()
            begun = time.monotonic()
            assert box.wait(20, sleep=lambda seconds: time.sleep(min(seconds, 0.1)))
            assert 0.2 < time.monotonic() - begun < 10
            timer.join()
            assert box.fetch(Postbag(tmp_path), tmp_path, NOW) == Fetched(1, 0)
        dovecot.deliver(user, letter("three"))
        assert box.wait(20)
        assert box.fetch(Postbag(tmp_path), tmp_path, NOW) == Fetched(1, 0)
    assert subjects(tmp_path) == ["one", "two", "three"]
    assert any(b" IDLE\r\n" in data for data in between.seen) is idle


def test_waiting_begins_anew_before_the_server_hangs_up(
    dovecot: Dovecot, user: str, tmp_path: Path, wire: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap, "_IDLE", 0.2)
    between = wire(dovecot.imap)
    with Mailbox(at(between.port, user), SECRET) as box:
        box.fetch(Postbag(tmp_path), tmp_path, NOW)
        assert not box.wait(0.7)
        assert 2 <= sum(data.count(b"DONE\r\n") for data in between.seen) <= 4  # fewer on a busy machine
        assert box.fetch(Postbag(tmp_path), tmp_path, NOW) == Fetched()


def test_a_server_that_says_it_can_wait_and_cannot(
    dovecot: Dovecot, user: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    with Mailbox(at(dovecot.imap, user), SECRET) as box:
        monkeypatch.setattr(box._line, "idle", lambda seconds: None)
        assert not box.wait(0.3, sleep=lambda seconds: (slept.append(seconds), time.sleep(0.1)))
        assert len(slept) >= 2
        assert max(slept) <= 0.3


def test_news_that_comes_in_pieces_and_with_other_things() -> None:
    def script(line: socket.socket) -> None:
        line.sendall(b"* OK hi\r\n")
        buffer = line.makefile("rb")
        while command := buffer.readline():
            tag, _, rest = command.partition(b" ")
            if rest.startswith(b"CAPABILITY"):
                line.sendall(b"* CAPABILITY IMAP4rev1 IDLE\r\n")
            elif rest.startswith(b"EXAMINE"):
                line.sendall(b"* 0 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n")
            elif rest.startswith(b"UID SEARCH"):
                line.sendall(b"* SEARCH\r\n")
            elif rest.startswith(b"IDLE"):
                for piece in (
                    b"* 0 RECENT\r\n+ idl",
                    b"ing\r\n* OK still here\r\n* 3 FETCH (X {4}\r\n",
                    b"* 9 ",
                    b"EXISTS)\r\n* 1 EX",
                ):
                    line.sendall(piece)
                    time.sleep(0.05)
                line.sendall(b"ISTS\r\n")
                assert buffer.readline() == b"DONE\r\n"
                line.sendall(b"* 1 RECENT\r\n")
            line.sendall(tag + b" OK done\r\n")

    with scripted(script) as port, Mailbox(at(port, "x"), SECRET) as box:
        begun = time.monotonic()
        assert box.wait(10)
        assert time.monotonic() - begun > 0.15
        assert not box._line.imap._unread


@pytest.mark.parametrize("end", [b"* BYE shutting down\r\n", b""])
def test_a_server_that_says_goodbye_while_we_wait(end: bytes) -> None:
    def script(line: socket.socket) -> None:
        line.sendall(b"* OK hi\r\n")
        buffer = line.makefile("rb")
        while command := buffer.readline():
            tag, _, rest = command.partition(b" ")
            if rest.startswith(b"CAPABILITY"):
                line.sendall(b"* CAPABILITY IMAP4rev1 IDLE\r\n")
            elif rest.startswith(b"IDLE"):
                line.sendall(b"+ idling\r\n" + end)
                break
            line.sendall(tag + b" OK done\r\n")
        buffer.close()
        line.shutdown(socket.SHUT_RDWR)

    with scripted(script) as port, pytest.raises(Trouble) as failed, Mailbox(at(port, "x"), SECRET) as box:
        box.wait(10)
    assert words(failed.value.problem) == "the mailbox at 127.0.0.1 cannot be reached: it hangs up"


def test_a_server_that_goes_away_while_we_wait(dovecot: Dovecot, user: str, wire: Lay) -> None:
    between = wire(dovecot.imap)
    with pytest.raises(Trouble) as failed, Mailbox(at(between.port, user), SECRET) as box:
        threading.Timer(0.3, between.stop).start()
        box.wait(20)
    assert failed.value.problem.code == "imap.unreachable"


def test_what_is_kept_is_known_by_its_bytes(dovecot: Dovecot, user: str, tmp_path: Path) -> None:
    dovecot.deliver(user, letter("one"))
    with by_hand(dovecot, user) as line:
        line.append("INBOX", "", '"05-Mar-2026 10:00:00 +0200"', letter("copy"))
        line.append("INBOX", "", '"06-Mar-2026 10:00:00 +0200"', letter("copy"))
    assert fetch(at(dovecot.imap, user), tmp_path) == Fetched(2, 1)
    assert Postbag(tmp_path).knows(identify(letter("copy")))

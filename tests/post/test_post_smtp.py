"""Sending to a real server on this machine: each letter once, whatever the server does, and whenever the
program ends.
"""

from __future__ import annotations

import json
import shutil
import socket
import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from killing import each_step
from msgspec.structs import replace
from servers import HOST, PASSWORD, TOKEN, MailServer, scripted

from pbem.post.offices.office import Account, Credential
from pbem.store import disk, library, net, smtp
from pbem.store.net import Trouble
from pbem.store.outbox import FAILED, HELD, OUT, SENT, Envelope, Outbox
from pbem.store.passwords import Secret

NOW = datetime(2026, 3, 1, 18, tzinfo=UTC)
OWN = "orders@example.org"
BOB, ANN, EVE = "bob@example.org", "ann@example.org", "eve@example.org"

Start = Callable[..., MailServer]


def letter(name: str) -> bytes:
    return (
        f"From: {OWN}\r\nMessage-ID: <{name}@example.org>\r\nSubject: {name}\r\n"
        "\r\n.hidden\r\n..two\r\ntext\r\n"
    ).encode()


def plain(server: MailServer) -> Account:
    return Account(HOST, server.port, security="none")


def send(box: Outbox, account: Account, now: datetime = NOW, **options: object) -> list[tuple[str, str]]:
    return [(envelope.key, envelope.state) for envelope in smtp.deliver(box, account, OWN, now, **options)]  # type: ignore[arg-type]


def filled(folder: Path, *names: str, to: tuple[str, ...] = (BOB,)) -> Outbox:
    box = Outbox(folder)
    for name in names:
        box.queue(name, letter(name), OWN, to)
    return box


def words(trouble: pytest.ExceptionInfo[Trouble]) -> str:
    problem = trouble.value.problem
    said = library.common_words().problem(problem.code, problem.args)
    assert not said.startswith(problem.code)
    assert PASSWORD not in said + repr(trouble.value) + repr(problem)
    assert TOKEN not in said + repr(problem)
    return said


# --- the way there


def test_letters_arrive_as_they_were_queued(tmp_path: Path, smtp_server: Start) -> None:
    server = smtp_server()
    box = filled(tmp_path, "one", to=(BOB, ANN))
    box.queue("two", b"Subject: two\n.\nno end", "", (EVE,))
    assert send(box, plain(server)) == [("one", SENT), ("two", SENT)]
    one, two = server.got
    assert (one.sender, one.to, one.data) == (OWN, (BOB, ANN), letter("one"))
    assert (two.sender, two.to, two.data) == ("", (EVE,), b"Subject: two\r\n.\r\nno end\r\n")
    assert server.connections == 1
    assert send(Outbox(tmp_path), plain(server)) == []
    assert server.connections == 1
    assert len(server.got) == 2


def test_letters_that_are_not_ascii(tmp_path: Path, smtp_server: Start) -> None:
    server = smtp_server()
    box = Outbox(tmp_path)
    data = "Subject: x\r\n\r\nGrüße\r\n".encode()
    box.queue("a", data, OWN, (BOB, "jürgen@example.org"))
    assert send(box, plain(server)) == [("a", FAILED)]
    assert [(got.to, got.data) for got in server.got] == [((BOB,), data)]
    envelope = box.envelope("a")
    assert envelope is not None
    assert envelope.failed == {
        "jürgen@example.org": "the address has letters that mail servers do not accept"
    }


@pytest.mark.usefixtures("trusted")
def test_tls_and_each_way_to_log_in(
    tmp_path: Path, smtp_server: Start, server_tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORDERS_PASSWORD", PASSWORD)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    password = Credential("password_env", "ORDERS_PASSWORD")
    token = Credential("token_command", f"echo {TOKEN}")
    count = 0
    for security, options in (("tls", {"tls": server_tls}), ("starttls", {"starttls": server_tls})):
        for mechanism, credential in (
            ("PLAIN", password),
            ("LOGIN", password),
            ("XOAUTH2", token),
            ("OAUTHBEARER", token),
        ):
            server = smtp_server(login=True, mechanisms=(mechanism,), **options)
            account = Account(
                "localhost" if mechanism != "OAUTHBEARER" else HOST,
                server.port,
                "orders",
                security,
                credential,
            )
            count += 1
            box = filled(tmp_path / str(count), "one")
            assert send(box, account) == [("one", SENT)], (security, mechanism)
            assert server.auths == [mechanism]
            assert len(server.got) == 1


def test_a_certificate_that_nobody_knows_is_not_trusted(
    tmp_path: Path, smtp_server: Start, server_tls: ssl.SSLContext
) -> None:
    for security, options in (("tls", {"tls": server_tls}), ("starttls", {"starttls": server_tls})):
        server = smtp_server(**options)
        box = filled(tmp_path / security, "one")
        with pytest.raises(Trouble) as failed:
            send(box, Account("localhost", server.port, security=security))
        assert "its certificate is not trusted: " in words(failed)
        assert server.got == []
        assert [envelope.state for envelope in box.waiting()] == [OUT]


@pytest.mark.usefixtures("trusted")
def test_a_certificate_for_another_name_is_not_trusted(
    tmp_path: Path, smtp_server: Start, server_tls: ssl.SSLContext
) -> None:
    server = smtp_server(tls=server_tls)
    with pytest.raises(Trouble) as failed:
        smtp.connect(Account("127.0.0.2", server.port), None)
    assert failed.value.problem.code == "smtp.unreachable"


@pytest.mark.usefixtures("trusted")
def test_who_is_not_let_in_is_told_and_asks_later(
    tmp_path: Path, smtp_server: Start, server_tls: ssl.SSLContext
) -> None:
    server = smtp_server(tls=server_tls, login=True)
    account = Account(
        "localhost", server.port, "orders", "tls", Credential("password_command", "echo wrong-password")
    )
    box = filled(tmp_path, "one")
    with pytest.raises(Trouble) as failed:
        send(box, account)
    assert words(failed).startswith("localhost rejected the login of orders: 535 ")
    assert "wrong-password" not in words(failed) + json.dumps(
        json.loads((tmp_path / "smtp.json").read_text())
    )
    tries = len(server.auths)
    with pytest.raises(Trouble) as failed:
        send(box, account, NOW + timedelta(seconds=59))
    assert failed.value.problem.code == "smtp.resting"
    assert "535" in words(failed)
    assert len(server.auths) == tries
    good = replace(account, credential=Credential("password_command", f"echo {PASSWORD}"))
    assert send(box, good, NOW + timedelta(seconds=60)) == [("one", SENT)]
    assert not (tmp_path / "smtp.json").exists()
    for mechanism in ("XOAUTH2", "OAUTHBEARER"):
        server = smtp_server(tls=server_tls, login=True, mechanisms=(mechanism,))
        with pytest.raises(Trouble) as failed:
            smtp.connect(Account(HOST, server.port, "orders"), Secret("no-token", is_token=True))
        assert failed.value.problem.code == "smtp.login"
        assert "no-token" not in words(failed)


def test_a_server_that_offers_too_little(tmp_path: Path, smtp_server: Start) -> None:
    server = smtp_server()
    with pytest.raises(Trouble) as failed:
        send(filled(tmp_path / "a", "one"), Account(HOST, server.port, security="starttls"))
    assert "STARTTLS" in words(failed)
    with pytest.raises(Trouble) as failed:
        smtp.connect(Account(HOST, server.port, "orders", "none"), Secret(PASSWORD))
    assert failed.value.problem.code == "smtp.no-login"
    with pytest.raises(Trouble) as failed:
        smtp.connect(Account("mail.example.org", server.port, "orders", "none"), Secret(PASSWORD))
    assert failed.value.problem.code == "office.plain-far"
    assert server.auths == []


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind((HOST, 0))
        account = Account(HOST, unused.getsockname()[1], security="none")
        box = filled(tmp_path, "one")
        with pytest.raises(Trouble) as failed:
            send(box, account)
    assert "refused" in words(failed)
    assert box.envelope("one") == Envelope("one", OWN, (BOB,), "<one@example.org>")


def test_a_password_that_is_not_to_be_had_is_no_fault_of_the_server(
    tmp_path: Path, smtp_server: Start
) -> None:
    box = filled(tmp_path, "one")
    account = Account(
        HOST, smtp_server().port, "orders", "none", Credential("password_env", "PBEM_NOT_THERE")
    )
    with pytest.raises(Trouble) as failed:
        send(box, account)
    assert failed.value.problem.code == "office.env-empty"
    assert box.resting(NOW) == ""


@pytest.mark.parametrize("kind", ["endless", "long", "noise", "silent", "hangs up", "late", "echo"])
def test_servers_that_are_none(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net, "PATIENCE", 0.5)

    def script(line: socket.socket) -> None:
        if kind == "endless":
            while True:
                line.sendall(b"220-more\r\n" * 1000)
        if kind == "long":
            line.sendall(b"220 " + b"x" * 100_000 + b"\r\n")
        if kind == "noise":
            line.sendall(b"SSH-2.0-OpenSSH\r\n")
        if kind == "hangs up":
            line.close()
        if kind == "late":
            line.sendall(b"421 too busy\x1b[2J\r\n")
        if kind == "echo":
            line.sendall(b"220 hi\r\n")
            line.recv(1000)
            line.sendall(b"250-hi\r\n250 AUTH PLAIN\r\n")
            line.sendall(b"535 your password " + PASSWORD.encode() + b" is wrong\r\n")

    with scripted(script) as port, pytest.raises(Trouble) as failed:
        smtp.connect(Account(HOST, port, "orders", "none"), Secret(PASSWORD))
    assert failed.value.problem.code == ("smtp.login" if kind == "echo" else "smtp.unreachable")
    said = words(failed)
    assert len(said) < 300
    assert said.isprintable()


# --- what a server says of a letter


def test_one_recipient_who_is_refused_stops_no_other(tmp_path: Path, smtp_server: Start) -> None:
    server = smtp_server()
    server.faults.rcpt = {EVE: "550 5.1.1 no such\x1b[31m user", ANN: "451 4.2.1 try later"}
    box = filled(tmp_path, "one", to=(EVE, BOB, ANN))
    box.queue("two", letter("two"), OWN, (BOB,))
    box.queue("three", letter("three"), OWN, (EVE,))
    assert send(box, plain(server)) == [("one", OUT), ("two", SENT), ("three", FAILED)]
    assert [(got.to, got.data) for got in server.got] == [((BOB,), letter("one")), ((BOB,), letter("two"))]
    one = box.envelope("one")
    assert one is not None
    assert (one.left, one.sent, one.failed) == ((ANN,), (BOB,), {EVE: "550 5.1.1 no such·[31m user"})
    assert (one.tries, one.next, one.said) == (1, "2026-03-01T18:01:00Z", "451 4.2.1 try later")
    assert (tmp_path / "failed" / "three.eml").read_bytes() == letter("three")
    server.faults.rcpt = {}
    assert send(box, plain(server), NOW + timedelta(seconds=59)) == []
    assert send(box, plain(server), NOW + timedelta(minutes=1)) == [("one", FAILED)]
    assert server.got[-1].to == (ANN,)
    one = box.envelope("one")
    assert one is not None
    assert (one.left, one.sent) == ((), (BOB, ANN))
    assert box.again("one")
    assert send(box, plain(server), NOW) == [("one", SENT)]
    assert server.got[-1].to == (EVE,)


def test_a_letter_that_is_refused_after_it_was_seen(tmp_path: Path, smtp_server: Start) -> None:
    server = smtp_server()
    server.faults.data = {"Subject: one": "554 5.7.1 spam", "Subject: two": "452 4.3.1 full"}
    box = filled(tmp_path, "one", "two", "three")
    assert send(box, plain(server)) == [("one", FAILED), ("two", OUT), ("three", SENT)]
    one, two = box.envelope("one"), box.envelope("two")
    assert one is not None
    assert two is not None
    assert (one.failed, one.doubt) == ({BOB: "554 5.7.1 spam"}, ())
    assert (two.left, two.doubt, two.said) == ((BOB,), (), "452 4.3.1 full")
    assert [got.data for got in server.got] == [letter("three")]


def test_a_letter_is_given_up_after_days(tmp_path: Path, smtp_server: Start) -> None:
    server = smtp_server()
    server.faults.rcpt = {BOB: "450 busy"}
    box, now, tries = filled(tmp_path, "one"), NOW, 0
    while (envelope := box.envelope("one")) and envelope.state == OUT:
        now = datetime.fromisoformat(envelope.next) if envelope.next else now
        assert send(box, plain(server), now) in ([("one", OUT)], [("one", FAILED)])
        tries += 1
    assert 20 < tries < 50
    assert timedelta(days=5) <= now - NOW < timedelta(days=5, hours=5)


def test_a_sender_whom_the_server_does_not_take(tmp_path: Path, smtp_server: Start) -> None:
    server = smtp_server()
    server.faults.mail = "550 5.7.60 not your address"
    box = filled(tmp_path, "one", "two")
    with pytest.raises(Trouble) as failed:
        send(box, plain(server))
    assert "550 5.7.60 not your address" in words(failed)
    assert [envelope.tries for envelope in box.waiting()] == [0, 0]
    assert box.resting(NOW) == "550 5.7.60 not your address"
    server.faults.mail = "552 5.3.4 too big"
    assert send(box, plain(server), NOW + timedelta(hours=1)) == [("one", FAILED), ("two", FAILED)]
    server.faults.mail = "451 greylisted"
    box = filled(tmp_path / "other", "one")
    assert send(box, plain(server)) == [("one", OUT)]


def test_a_server_that_takes_no_letter_from_nobody(tmp_path: Path, smtp_server: Start) -> None:
    server = smtp_server()
    server.faults.no_null_sender = "501 no sender"
    box = Outbox(tmp_path)
    box.queue("a", letter("a"), "", (BOB,))
    assert send(box, plain(server)) == [("a", SENT)]
    assert [got.sender for got in server.got] == [OWN]


def test_a_server_that_hangs_up_between_two_letters(tmp_path: Path, smtp_server: Start) -> None:
    server = smtp_server()
    server.faults.drop_at_mail = 3
    names = [f"l{number}" for number in range(6)]
    box = filled(tmp_path, *names)
    assert send(box, plain(server)) == [(name, SENT) for name in names]
    assert [got.data for got in server.got] == [letter(name) for name in names]
    assert server.connections == 3


def test_a_letter_at_which_the_server_always_hangs_up_stops_no_other(
    tmp_path: Path, smtp_server: Start
) -> None:
    server = smtp_server()
    server.faults.drop_at_rcpt = EVE
    box = filled(tmp_path, "one", to=(EVE,))
    for name in ("two", "three"):
        box.queue(name, letter(name), OWN, (BOB,))
    assert send(box, plain(server)) == [("one", OUT), ("two", SENT), ("three", SENT)]
    one = box.envelope("one")
    assert one is not None
    assert (one.tries, one.doubt) == (1, ())
    for number in range(8):
        box.queue(f"eve-{number}", letter("x"), OWN, (EVE,))
    assert len(send(box, plain(server), NOW)) == 4
    assert [envelope.tries for envelope in box.waiting()] == [1, 1, 1, 1, 1, 0, 0, 0, 0]


def test_no_more_than_wanted_go_at_once(tmp_path: Path, smtp_server: Start) -> None:
    server = smtp_server()
    box = filled(tmp_path, "a", "b", "c")
    assert send(box, plain(server), most=2) == [("a", SENT), ("b", SENT)]
    assert send(box, plain(server), most=2) == [("c", SENT)]


def test_a_letter_that_is_gone(tmp_path: Path, smtp_server: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    server = smtp_server()
    box = filled(tmp_path, "a")
    monkeypatch.setattr(Outbox, "letter", lambda self, key: None)
    assert send(box, plain(server)) == [("a", FAILED)]
    assert server.got == []


# --- doubt


@pytest.mark.parametrize("fault", ["drop_after", "silent_after"])
def test_a_letter_that_was_taken_but_not_answered_is_held(
    tmp_path: Path, smtp_server: Start, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault == "silent_after":
        monkeypatch.setattr(net, "PATIENCE", 0.4)
    server = smtp_server()
    setattr(server.faults, fault, "Subject: one")
    box = filled(tmp_path, "one", "two", to=(BOB, ANN))
    assert send(box, plain(server)) == [("one", HELD), ("two", SENT)]
    assert len(server.got) == 2
    (held,) = box.held()
    assert (held.key, held.doubt, held.id) == ("one", (BOB, ANN), "<one@example.org>")
    setattr(server.faults, fault, "")
    for days in range(9):
        assert send(Outbox(tmp_path), plain(server), NOW + timedelta(days=days)) == []
    assert len(server.got) == 2
    assert box.settled("one")
    assert send(box, plain(server), NOW + timedelta(days=9)) == []
    assert [envelope.state for envelope in (box.envelope("one"), box.envelope("two")) if envelope] == [
        SENT,
        SENT,
    ]


def test_an_office_that_sends_again_what_is_in_doubt(tmp_path: Path, smtp_server: Start) -> None:
    server = smtp_server()
    server.faults.drop_after = "Subject: one"
    box = filled(tmp_path, "one")
    assert send(box, plain(server), again=True) == [("one", HELD)]
    assert send(box, plain(server), again=True) == []
    assert box.held() == ()
    server.faults.drop_after = ""
    assert send(box, plain(server), NOW + timedelta(minutes=1), again=True) == [("one", SENT)]
    assert len(server.got) == 2


def test_killed_before_each_step_no_letter_is_lost_and_none_goes_twice(
    tmp_path: Path, smtp_server: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, post = smtp_server(), tmp_path / "post"
    names = ["one", "two", "three"]
    filled(post, *names, to=(BOB, ANN))
    shutil.copytree(post, tmp_path / "before")
    steps: list[str] = []
    doubts: set[str] = set()
    for step in each_step(lambda: send(Outbox(post), plain(server)), monkeypatch, disk, net, smtp):
        steps.append(step)
        server.rest()
        taken = [got.data for got in server.got]
        held = Outbox(post).held()
        assert len(held) <= 1
        doubts |= {step} if held else set()
        # whoever sees the copy settles it; whoever knows that it never came sends it again
        for envelope in held:
            seen = letter(envelope.key) in taken
            assert Outbox(post).settled(envelope.key) if seen else Outbox(post).again(envelope.key)
        send(Outbox(post), plain(server))
        assert sorted(got.data for got in server.got) == sorted(letter(name) for name in names), step
        assert all(got.to == (BOB, ANN) for got in server.got)
        assert [Outbox(post).envelope(name).state for name in names] == [SENT] * 3  # type: ignore[union-attr]
        assert sorted(path.name for path in (post / "sent").iterdir()) == sorted(
            f"{name}.eml" for name in names
        )
        server.got.clear()
        shutil.rmtree(post)
        shutil.copytree(tmp_path / "before", post)
    assert len(steps) > 60
    assert {
        "smtp-connect",
        "smtp-mail",
        "smtp-rcpt",
        "smtp-data",
        "smtp-content",
        "smtp-end",
        "smtp-answer",
        "smtp-quit",
    } <= set(steps)
    assert {"smtp-end", "smtp-answer"} <= doubts
    assert not doubts & {"smtp-connect", "smtp-mail", "smtp-rcpt", "smtp-data", "smtp-content", "smtp-quit"}


def test_held_letters_never_go_again_by_themselves_wherever_the_program_ended(
    tmp_path: Path, smtp_server: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, post = smtp_server(), tmp_path / "post"
    filled(post, "one", "two")
    shutil.copytree(post, tmp_path / "before")
    for step in each_step(lambda: send(Outbox(post), plain(server)), monkeypatch, disk, net, smtp):
        for hour in range(3):
            send(Outbox(post), plain(server), NOW + timedelta(hours=hour))
            server.rest()
        taken = [got.data for got in server.got]
        assert len(set(taken)) == len(taken), step
        missing = (
            {"one", "two"}
            - {envelope.key for envelope in Outbox(post).held()}
            - {data.split(b"<")[1].split(b"@")[0].decode() for data in taken}
        )
        assert not missing, step
        server.got.clear()
        shutil.rmtree(post)
        shutil.copytree(tmp_path / "before", post)

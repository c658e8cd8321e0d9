"""The whole office with real mail servers: letters come by IMAP, go by SMTP, and the program is killed
between any two steps.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path

import pytest
from killing import Killed, Killer
from office_table import ADDRESSES, DEADLINES, OFFICE, OfficeTable
from servers import HOST, PASSWORD, Dovecot, MailServer
from table import pull

from pbem.referee.mail.couriers import courier_of
from pbem.referee.mail.office import settings
from pbem.referee.mail.round_context import Step
from pbem.referee.proving.verify import verify
from pbem.store import imapline, net, smtp

SERVERS = f"""
[imap]
host = "{HOST}"
port = {{imap}}
security = "none"
user = "{{user}}"
password_env = "PBEM_TEST_PASSWORD"
after = "seen"
[smtp]
host = "{HOST}"
port = {{smtp}}
security = "none"
"""


class MailTable(OfficeTable):
    """An office with a mailbox and a way out; what players write is delivered, not kept by hand."""

    def __init__(self, root: Path, dovecot: Dovecot, server: MailServer, user: str) -> None:
        self.dovecot, self.server, self.user, self.ahead = dovecot, server, user, timedelta()
        super().__init__(root, DEADLINES + SERVERS.format(imap=dovecot.imap, smtp=server.port, user=user))

    def clock(self) -> str:
        # The mail server says when a letter came, and its clock is the real one.
        return (datetime.now(UTC) + self.ahead).strftime("%Y-%m-%dT%H:%M:%SZ")

    def later(self, **time: float) -> None:
        self.ahead += timedelta(**time)

    def write(self, seat: str, body: str, number: int) -> bytes:
        return (
            f"From: {ADDRESSES[seat]}\r\nTo: {OFFICE}\r\nSubject: Re: your move (code {self.code(seat)})\r\n"
            f"Message-ID: <{number}@players.example>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{body}"
        ).encode()

    def pass_(self) -> list[Step]:
        with courier_of(self.root, settings(self.root)) as courier:
            return self.round(courier)

    def got(self) -> Counter[str]:
        """Return the letters that the server took, by their ids."""
        return Counter(str(message_from_bytes(one.data)["Message-ID"]) for one in self.server.got)


@pytest.fixture
def mail_table(
    tmp_path: Path, dovecot: Dovecot, smtp_server: Callable[..., MailServer], monkeypatch: pytest.MonkeyPatch
) -> MailTable:
    monkeypatch.setenv("PBEM_TEST_PASSWORD", PASSWORD)
    root = tmp_path / "office"
    root.mkdir()
    return MailTable(root, dovecot, smtp_server(), f"u{tmp_path.name}".replace("_", "")[:40].lower())


def whats(steps: list[Step]) -> list[str]:
    return [f"{step.what} {step.seat}".strip() for step in steps]


def test_a_turn_by_real_mail(mail_table: MailTable) -> None:
    mail_table.started(keyed=(), umpire=True)
    steps = mail_table.pass_()
    assert not [step.said for step in steps if step.what == "trouble"]
    assert whats(steps) == ["told north", "told south", "sent", "sent"], steps
    seat = str(mail_table.open().announced()["waits"][0])
    mail_table.dovecot.deliver(
        mail_table.user, mail_table.write(seat, pull(seat) + "luck: seven drunken herons\r\n", 1)
    )
    steps = whats(mail_table.pass_())
    assert steps == [
        f"taken {seat}",
        f"answered {seat}",
        "locked",
        "resolved",
        "told north",
        "told south",
        "sent",
        "sent",
        "sent",
    ]
    assert mail_table.pass_() == []
    assert max(mail_table.got().values()) == 1
    reply = next(one for one in mail_table.server.got if one.sender == "")
    assert reply.to == (ADDRESSES[seat],)
    # With the real clock the dice are others each time, and some leave a file in force that is not shown yet.
    assert verify(mail_table.game).failures == ()


def test_nobody_is_late_while_the_mailbox_cannot_be_looked_into(mail_table: MailTable) -> None:
    mail_table.started(keyed=(), umpire=True)
    mail_table.pass_()
    mail_table.later(days=30)
    toml = mail_table.root / "pbem.toml"
    whole = toml.read_text()
    toml.write_text(whole.replace(f"port = {mail_table.dovecot.imap}", "port = 9"))
    steps = whats(mail_table.pass_())
    assert "locked" not in steps and "trouble" in steps
    toml.write_text(whole)
    assert "locked" in whats(mail_table.pass_())


# A program that is gone leaves its connections open; here only its tests would be the wiser.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_killed_at_each_step_over_the_network(
    mail_table: MailTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    """Steps on disk are tried in tests/referee/test_referee_round_killed.py, and those of fetching and
    sending by themselves.
    """
    office = mail_table
    office.started(keyed=(), umpire=True)
    office.pass_()
    seat = str(office.open().announced()["waits"][0])
    letters = [
        office.write(seat, "pull:\r\n- nobody pulls\r\n", 1),
        office.write(seat, pull(seat) + "luck: seven drunken herons\r\n", 2),
    ]
    before = tmp_path / "before"
    shutil.copytree(office.root, before)
    count = office.count

    def begin(number: int) -> None:
        shutil.rmtree(office.root)
        shutil.copytree(before, office.root)
        office.count = count
        user = f"{office.user}{number}"
        toml = office.root / "pbem.toml"
        toml.write_text(toml.read_text().replace(f'user = "{office.user}"', f'user = "{user}"'))
        office.dovecot.deliver(user, *letters)
        office.server.got.clear()

    begin(0)
    seen = Killer(10_000)
    with monkeypatch.context() as patch:
        for place in (net, smtp, imapline):
            patch.setattr(place, "effect", seen)
        office.pass_()
    wanted = dict.fromkeys(office.got(), 1)
    assert len(wanted) == 4, wanted
    kinds = seen.seen
    # The first and the last step of each kind: of four letters that go the same way the ones between tell
    # nothing new.
    steps = sorted(
        {kinds.index(kind) + 1 for kind in kinds} | {len(kinds) - kinds[::-1].index(kind) for kind in kinds}
    )
    assert len(steps) > 15
    for at in steps:
        begin(at)
        killer = Killer(at, after=after)
        with monkeypatch.context() as patch:
            for place in (net, smtp, imapline):
                patch.setattr(place, "effect", killer)
            with pytest.raises(Killed):
                office.pass_()
        office.server.rest()
        for _ in range(2):
            office.pass_()
        office.server.rest()
        doubtful = {sent.id for sent in held(office)}
        # Each letter went once; one of which nobody can know was not sent again, and the umpire was told.
        assert {id_: n for id_, n in office.got().items() if n > 1} == {}, (at, killer.seen[-1])
        assert set(wanted) - doubtful <= set(office.got()), (at, killer.seen[-1])
        assert len(doubtful) <= 1
        game = office.open()
        assert [record.record["type"] for record in game.ledger.records] == [
            "manifest",
            "start",
            "lock",
            "result",
        ], (at, killer.seen[-1])
        assert game.ledger.words[seat] == {"seven drunken herons": 1}
        assert verify(office.game).failures == ()


def held(office: MailTable) -> tuple[object, ...]:
    from pbem.store.outbox import Outbox

    return Outbox(office.root / "post").held()

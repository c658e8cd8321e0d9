"""An office at the toy's table: players with addresses, letters as they write them, rounds, and what was
queued for whom.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from msgspec import Struct
from table import Table

from pbem.referee.mail.office import House, open_house
from pbem.referee.mail.round import run
from pbem.referee.mail.round_context import Courier, Step
from pbem.store.postbag import Postbag

ADDRESSES = {"north": "nora@example.org", "south": "sam@example.net"}
OFFICE = "orders@pbem.example"
TOML = f"""
[office]
name = "The tug office"
address = "{OFFICE}"
umpire = "cass@example.org"
zone = "Europe/Berlin"
{{more}}
[players.nora]
name = "North"
address = "{ADDRESSES["north"]}"
[players.sam]
name = "South"
address = "{ADDRESSES["south"]}"
zone = "America/New_York"
"""
DEADLINES = """
[deadlines]
length = "3 days"
time = "21:00"
remind = "1 day"
grace = "6 hours"
"""


class Sent(Struct, frozen=True):
    """A queued letter, read back."""

    key: str
    to: str
    subject: str
    text: str
    message: EmailMessage


class OfficeTable(Table):
    """A table whose game is played by mail; the clock stands still between the rounds."""

    def __init__(self, root: Path, more: str = DEADLINES) -> None:
        super().__init__(root)
        (root / "pbem.toml").write_text(TOML.format(more=more))
        self.letters = 0

    def clock(self) -> str:
        return self.moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    def later(self, **time: float) -> None:
        self.moment += timedelta(**time)

    def house(self) -> House:
        return open_house(self.env, self.root)

    def code(self, seat: str) -> str:
        return next(one.code for one in self.house().seats if one.seat == seat)

    def letter(
        self,
        seat: str,
        body: str,
        subject: str | None = None,
        *,
        sender: str = "",
        id_: str = "",
        arrived: datetime | None = None,
        raw: bool = False,
        **headers: str,
    ) -> bytes:
        """Return a letter as a player writes it, and keep it as if it had come now (or ``arrived``); ``raw``:
        the body has headers too.
        """
        self.letters += 1
        message = EmailMessage(policy=policy.SMTP)
        message["From"] = sender or ADDRESSES[seat]
        message["To"] = OFFICE
        message["Subject"] = f"Re: your move (code {self.code(seat)})" if subject is None else subject
        message["Message-ID"] = id_ or f"<{self.letters}.{seat}@mail.example>"
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        if raw:
            data = message.as_bytes().rstrip() + b"\r\n" + body.replace("\n", "\r\n").encode()
        else:
            message.set_content(body)
            data = message.as_bytes()
        when = (arrived or self.moment).strftime("%Y-%m-%dT%H:%M:%SZ")
        Postbag(self.root / "post").keep(data, when, "test")
        return data

    def round(self, courier: Courier | None = None) -> list[Step]:
        return list(run(self.env, self.root, courier, pictures=False))

    def outbox(self, prefix: str = "") -> list[Path]:
        """Return the files of the letters in the outbox; the name of each is its key."""
        return [
            path
            for path in sorted((self.root / "post").rglob("*.eml"))
            if path.parent.name != "new" and "done" not in path.parts and path.stem.startswith(prefix)
        ]

    def queued(self, prefix: str = "") -> list[Sent]:
        """Return the letters in the outbox, by their keys."""
        found = []
        for path in self.outbox(prefix):
            message = message_from_bytes(path.read_bytes(), policy=policy.default)
            assert isinstance(message, EmailMessage)
            body = message.get_body(("plain",))
            found.append(
                Sent(
                    path.stem,
                    str(message["To"]),
                    str(message["Subject"]),
                    body.get_content() if body else "",
                    message,
                )
            )
        return found

    def newest(self, prefix: str = "") -> Sent:
        """Return the letter that was queued last."""
        path = max(self.outbox(prefix), key=lambda path: path.stat().st_mtime_ns)
        return next(sent for sent in self.queued(path.stem) if sent.key == path.stem)

    def outcomes(self) -> list[dict[str, object]]:
        return [
            json.loads(path.read_text()) for path in sorted((self.root / "post" / "done").rglob("*.json"))
        ]

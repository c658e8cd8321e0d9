"""One letter with orders: read, judged whose it is, checked, stored and answered with a map and a receipt."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from benchmarks.measure import Result, least
from pbem.referee.game.environment import Environment
from pbem.referee.mail.office import open_house
from pbem.referee.mail.taking import TAKEN, take
from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.new import SeatWish, new
from pbem.store.keys import Keyring
from pbem.store.library import example

OFFICE = """
[office]
name = "Orders"
address = "orders@pbem.example"
[deadlines]
length = "3 days"
[players.west]
address = "bob@example.org"
"""
LETTER = """From: Bob <bob@example.org>\r
To: orders@pbem.example\r
Subject: Re: your move (code {code})\r
Message-ID: <{number}@mail.example>\r
Content-Type: text/plain; charset=utf-8\r
\r
Hello,\r
\r
{orders}\r
Bob\r
\r
On Sunday Cass wrote:\r
> pbem: please write above this line\r
> It is your move.\r
"""


def results(seconds: float) -> Iterator[Result]:
    with TemporaryDirectory() as folder, patch("os.fsync", lambda number: None):
        root = Path(folder)
        (root / "pbem.toml").write_text(OFFICE)
        env = Environment(Keyring(root / "home"))
        new(
            env,
            "alder-ford",
            root / "ford",
            [SeatWish("east", "east", "East"), SeatWish("west", "west", "West")],
            umpire=True,
        )
        for seat in ("east", "west"):
            admit_words(env, root / "ford", seat, "yes, I play")
        house = open_house(env, root)
        code = next(one.code for one in house.seats if one.seat == "west")
        orders = (example("alder-ford") / "orders" / "s01-west.yaml").read_text("utf-8").replace("\n", "\r\n")
        numbers, now = itertools.count(), datetime.now(UTC)

        def answer() -> None:
            number = next(numbers)
            raw = LETTER.format(code=code, number=number, orders=orders).encode()
            assert take(env, house, f"{number:032x}", raw, now, now).became == TAKEN

        raw = LETTER.format(code=code, number=0, orders=orders).encode()
        ours, bare = least(answer, lambda: message_from_bytes(raw).get_payload(decode=True), seconds=seconds)
        what = "read and answer a letter, without what the mail library needs"
        yield Result("answer a letter", what, "", ours - bare, None, 50)

"""Whoever has only a mail program and has never seen the game finds in its letters all that a legal and
sensible turn needs.
"""

from __future__ import annotations

import re
from collections import Counter
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from newcomer import Newcomer
from office_table import OFFICE, TOML
from table import Table

from pbem.referee.explain.draw import events_of
from pbem.referee.game.game import open_game
from pbem.referee.mail.round import run
from pbem.referee.turn.new import SeatWish, new
from pbem.store.postbag import Postbag

ADDRESSES = {"North": "nora@example.org", "South": "sam@example.net"}
FIRST = Path(__file__).parent / "first_letter.txt"
"""The first letter of the Alder Ford to the one who begins, but for codes and digests."""
ORDERED = {"Moved": "moves", "Shot": "shots", "Fought": "fights", "BranchTaken": "chances"}
"""Kinds of event, and what was ordered where they happen; a chance is an attack that waits until it is
possible.
"""


class Mailbox:
    """A game between two newcomers: what each of them has been sent, and what comes of what they write."""

    def __init__(self, root: Path, scenario: str, seats: tuple[str, str]) -> None:
        self.table = Table(root)
        self.root = root
        self.names = dict(zip(seats, ADDRESSES, strict=True))
        (root / "pbem.toml").write_text(TOML.format(more=""))
        wishes = [SeatWish(seat, seat, name) for seat, name in self.names.items()]
        new(self.table.env, scenario, self.table.game, wishes, umpire=True, name="newcomers")
        self.sent = 0

    def round(self) -> list[str]:
        return [step.what for step in run(self.table.env, self.root, pictures=False)]

    def letter(self, seat: str, kind: str) -> tuple[str, str]:
        """Return the newest letter of a kind that a seat has got: its subject and its plain text."""
        message = self._newest(seat, kind)
        body = message.get_body(("plain",))
        assert body is not None
        return str(message["Subject"]), body.get_content()

    def _newest(self, seat: str, kind: str) -> EmailMessage:
        mine = ADDRESSES[self.names[seat]].encode()
        found = [
            path for path in (self.root / "post" / "out").glob(f"{kind}-*.eml") if mine in path.read_bytes()
        ]
        newest = max(found, key=lambda path: path.stat().st_mtime_ns)
        message = message_from_bytes(newest.read_bytes(), policy=policy.default)
        assert isinstance(message, EmailMessage)
        return message

    def attached(self, seat: str, kind: str, name: str) -> str:
        """Return a file that came with the newest letter of a kind."""
        return next(
            part for part in self._newest(seat, kind).iter_attachments() if part.get_filename() == name
        ).get_content()

    def said(self, seat: str) -> str:
        """Return what the office answered a seat last."""
        return self.letter(seat, "reply")[1]

    def answer(self, seat: str, subject: str, text: str) -> None:
        """Send what a seat writes above what it answers."""
        message = EmailMessage(policy=policy.SMTP)
        message["From"] = ADDRESSES[self.names[seat]]
        message["To"] = OFFICE
        message["Subject"] = f"Re: {subject}"
        self.sent += 1
        message["Message-ID"] = f"<{self.sent}@mail.example>"
        message.set_content(text)
        Postbag(self.root / "post").keep(message.as_bytes(), self.table.clock(), "test")


@pytest.mark.parametrize(
    ("scenario", "seats", "fights"),
    [("alder-ford", ("east", "west"), 2), ("millers-ladders", ("company", "steward"), 0)],
)
def test_three_turns_from_the_letters_alone(
    tmp_path: Path, scenario: str, seats: tuple[str, str], fights: int
) -> None:
    box = Mailbox(tmp_path, scenario, seats)
    box.round()
    for seat in seats:
        subject, text = box.letter(seat, "invite")
        assert "| yes, I play" in text
        box.answer(seat, subject, "yes, I play\n")
    box.round()
    if scenario == "alder-ford":
        subject, text = box.letter("west", "turn")
        told = re.sub(
            r"(?<=code is )[^;]+|(?<=signed chain: )\S+",
            "…",
            "\n".join(text.partition("The map in words")[0].splitlines()) + "\n",
        )
        assert told == FIRST.read_text("utf-8"), "read the letter aloud before you store it anew"
        assert subject.startswith("[newcomers] Setup, The Reeve of Westry to place")
    done: Counter[tuple[str, str]] = Counter()
    game = open_game(box.table.game)
    while not game.ledger.over and "t4." not in str(game.announced()["phase"]):
        slot = int(game.announced()["slot"])
        for seat in game.announced()["waits"]:
            subject, text = box.letter(seat, "turn")
            box.answer(seat, subject, Newcomer(text).written(f"words of {seat} for {slot}"))
        assert "resolved" in box.round(), box.said(seat)
        game = open_game(box.table.game)
        mover = str(game.ledger.slots[slot].phase).split(".")[1]
        done.update(
            (mover, ORDERED[str(event["type"])])
            for event in events_of(game, slot)
            if str(event["type"]) in ORDERED
        )
    for seat in seats:
        assert done[seat, "moves"] >= 6
        assert done[seat, "shots"] >= 1
        assert done[seat, "fights"] + done[seat, "chances"] >= 3
        assert done[seat, "fights"] >= fights


def test_a_letter_that_is_refused_brings_a_file_that_can_be_sent_again(tmp_path: Path) -> None:
    box = Mailbox(tmp_path, "alder-ford", ("east", "west"))
    box.round()
    for seat in ("east", "west"):
        box.answer(seat, box.letter(seat, "invite")[0], "yes, I play\n")
    box.round()
    subject, _ = box.letter("west", "turn")
    box.answer("west", subject, "setup:\n- meurig at 0607\n- gandalf at 0608\n- tudur at 1409\n")
    assert "refused" in box.round()
    assert "orders-again.yaml" in box.said("west")
    again = box.attached("west", "reply", "orders-again.yaml")
    assert "\n- meurig at 0607\n" in again and "# - gandalf at 0608" in again and "line 3" in again
    box.answer("west", subject, again)
    assert "taken" in box.round(), box.said("west")
    box.answer("west", subject, again.replace("# - tudur at 1409", "- tudur at 0609"))
    assert "taken" in box.round(), box.said("west")
    assert "tudur at 0609" in box.said("west")

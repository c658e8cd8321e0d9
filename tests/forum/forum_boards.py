"""A turn of two posts on its way to one of the forums of ``forum_servers``: what tests of both do, and what
has to be true in the end.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forum_servers import KEY, PASSWORD, START, TOPIC, USER, Clock, DiscourseDoor, PhpbbDoor, World, serving

from pbem.forum.dialects import DIALECTS
from pbem.forum.thread import DISCOURSE, PHPBB, Draft, Upload
from pbem.post.offices.forums import Credential, Forum, Place
from pbem.referee.forum.forum_couriers import Thread, deliver
from pbem.referee.forum.forum_posting import Posting
from pbem.referee.mail.round_context import Step
from pbem.store.discourse import Discourse
from pbem.store.forum_door import Door
from pbem.store.passwords import Secret
from pbem.store.phpbb import PhpBB
from pbem.store.web import Web

PICTURE = Upload("slot-4-map.png", b"\x89PNG picture", 'A map of "the ford"', (10, 10))
MARKS = tuple(f"tug-0a1b2c, slot 4, post {number} of 2, head d873-68ac-617f-b55d" for number in (1, 2))
SMALL = {DISCOURSE: "<small>{}</small>", PHPBB: "[size=85]{}[/size]"}
SHOWN = {
    DISCOURSE: "![A map|10x10](upload://slot-4-map.png)",
    PHPBB: "[attachment=0]slot-4-map.png[/attachment]",
}


def turn(software: str, *, pictures: bool = True) -> Posting:
    """Return a turn of two posts, the first with a picture."""
    texts = (f"The bridge holds.\n\n{SHOWN[software] if pictures else ''}", "Dice: 4, 2, 6. Grüße & <b>[b]")
    drafts = tuple(
        Draft(
            f"Toll, slot 4 ({n} of 2)",
            f"{text}\n\n{SMALL[software].format(mark)}\n",
            (PICTURE,) if n == 1 and pictures else (),
            mark,
        )
        for n, (text, mark) in enumerate(zip(texts, MARKS, strict=True), 1)
    )
    return Posting("tug-0a1b2c", 4, DIALECTS[software], drafts, (PICTURE,))


class Board:
    """One of the two forums with a game's folder beside it; every way to it is a new program."""

    def __init__(self, software: str, url: str, world: World, folder: Path) -> None:
        self.software, self.url, self.world, self.folder = software, url, world, folder
        self.topic, self.secret, self.user, self.path = (
            TOPIC,
            KEY if software == DISCOURSE else PASSWORD,
            USER,
            "",
        )
        self.patience, self.whole, self.most = 0.25, 2.0, 400_000
        self.made = turn(software)

    @property
    def thread(self) -> Thread:
        kind = "key_env" if self.software == DISCOURSE else "password_env"
        return Thread(
            Forum("club", self.software, self.url + self.path, self.user, Credential(kind, "CLUB")),
            Place("club", self.topic),
        )

    def door(self) -> Door:
        clock, thread = self.world.clock, self.thread
        web = Web(thread.forum.url, secrets=(self.secret,), clock=clock.monotonic, sleep=clock.sleep)
        web.patience, web.whole, web.most = self.patience, self.whole, self.most
        if self.software == DISCOURSE:
            return Discourse(thread.forum, self.topic, web, self.secret)
        return PhpBB(thread.forum, self.topic, web, Secret(self.secret))

    def run(self, settle: str = "") -> list[Step]:
        clock = self.world.clock
        steps = list(
            deliver(
                self.folder,
                self.made,
                self.thread,
                self.door(),
                since=START,
                settle=settle,
                now=clock.now,
                sleep=clock.sleep,
            )
        )
        for step in steps:
            assert "hunter2" not in step.said, step
        self.clean()
        return steps

    def whats(self, settle: str = "") -> list[str]:
        return [step.what for step in self.run(settle)]

    def clean(self) -> None:
        """No secret, and nothing of a visit, is in any file."""
        for path in self.folder.rglob("*"):
            if path.is_file():
                assert (
                    b"hunter2" not in path.read_bytes()
                    and b"0123456789abcdef0123456789abcdef" not in path.read_bytes()
                ), path

    def counts(self) -> list[int]:
        """Return how often each post of the turn is in the thread."""
        return [self.world.count(mark) for mark in MARKS]

    def once(self) -> None:
        """Each post is there once, and in order."""
        assert self.counts() == [1, 1]
        order = [
            mark for post in self.world.posts for mark in MARKS if mark in post.text and post.author == USER
        ]
        assert order == list(MARKS)


@contextmanager
def board(software: str) -> Iterator[Board]:
    """Yield a forum with a little talk in its thread."""
    world = World(Clock())
    for number in range(3):
        world.store("Bob" if number % 2 else "Ann", f"move: no. {number}")
    door = DiscourseDoor if software == DISCOURSE else PhpbbDoor
    with tempfile.TemporaryDirectory() as folder, serving(door, world) as url:
        yield Board(software, url, world, Path(folder))


__all__ = ["MARKS", "PICTURE", "Board", "board", "turn"]

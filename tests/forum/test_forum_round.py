"""Forums in the round of an office: a game with one seat in a thread and one by mail, played by rounds alone;
late and early, a thread that cannot be reached, what the umpire did, killed anywhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import datetime
from pathlib import Path
from shutil import copytree, rmtree

import pytest
from forum_servers import KEY, PASSWORD, TOPIC, USER, Clock, DiscourseDoor, PhpbbDoor, World, serving
from killing import Killed, Killer
from office_table import ADDRESSES, OfficeTable
from table import pull
from thorough import tries

from pbem.forum.thread import DISCOURSE, PHPBB
from pbem.referee.forum.forum_round import Threads
from pbem.referee.mail.request_desk import desk
from pbem.referee.mail.round import run
from pbem.referee.mail.round_context import Step
from pbem.referee.mail.umpire_time import extend
from pbem.referee.proving.verify import verify
from pbem.referee.turn.undo import undo
from pbem.store import disk, net

FORUM = """
[forums.club]
software = "{software}"
url = "{url}"
user = "cass"
{key}_env = "CLUB_SECRET"
between = 1
pictures = 0

[games.tug-0a1b2c]
forum = "club"
topic = {topic}
authors = {{ {thread} = "Bob" }}
"""
DOORS = {DISCOURSE: DiscourseDoor, PHPBB: PhpbbDoor}


class TableClock(Clock):
    """The clock of the table, for the forum too."""

    def __init__(self, table: OfficeTable) -> None:
        super().__init__()
        self.table = table

    def now(self) -> datetime:
        return self.table.moment


class Mixed:
    """An office of one game: one seat writes in a thread, the other one letters."""

    def __init__(self, software: str, url: str, world: World, table: OfficeTable, thread: str) -> None:
        self.world, self.table, self.game = world, table, table.game
        self.software, self.thread = software, thread
        self.writes = "north" if thread == "south" else "south"
        key = "key" if software == DISCOURSE else "password"
        said = FORUM.format(software=software, url=url, key=key, topic=TOPIC, thread=thread)
        path = table.root / "pbem.toml"
        text = path.read_text().replace(f'name = "{thread.capitalize()}"', 'name = "Somebody else"')
        path.write_text(text + said)

    def round(self) -> list[Step]:
        table = self.table
        return list(run(table.env, table.root, None, pictures=False, boards=Threads()))

    def whats(self) -> list[str]:
        return [f"{step.what} {step.seat}".strip() for step in self.round()]

    def bob(self, text: str) -> None:
        self.table.later(minutes=1)
        self.world.store("Bob", text)

    def ours(self) -> list[str]:
        """Return the posts of our account, without marks of their forum's own."""
        return [post.text for post in self.world.posts[1:] if post.author == USER]


@pytest.fixture(params=[DISCOURSE, PHPBB])
def mixed(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mixed]:
    yield from set_up(request.param, tmp_path, monkeypatch)


def set_up(
    software: str, root: Path, monkeypatch: pytest.MonkeyPatch, thread: str = "south"
) -> Iterator[Mixed]:
    root.mkdir(exist_ok=True)
    table = OfficeTable(root)
    table.count = 2  # with these secrets nobody is asked anything in between
    world = World(TableClock(table))
    world.store(USER, "A thread for our game.")
    monkeypatch.setattr(time, "sleep", world.clock.sleep)
    monkeypatch.setenv("CLUB_SECRET", KEY if software == DISCOURSE else PASSWORD)
    with serving(DOORS[software], world) as url:
        yield Mixed(software, url, world, table, thread)


def begun(mixed: Mixed) -> str:
    """Begin the game by a letter and a post; return whose move it is."""
    mixed.table.new(keyed=(), umpire=True)
    mixed.round()
    mixed.table.letter(mixed.writes, "Yes, I play!\n")
    mixed.bob("Count me in!")
    mixed.round()
    return str(mixed.table.open().announced()["waits"][0])


def move(mixed: Mixed, seat: str, words: str) -> None:
    """Send a final move, each seat in its own way."""
    orders = pull(seat) + f"luck: {words}\n"
    if seat == mixed.thread:
        mixed.bob(f"```\n{orders}```\n" if mixed.software == DISCOURSE else f"[code]\n{orders}[/code]")
    else:
        mixed.table.later(hours=1)
        mixed.table.letter(seat, orders)


def test_one_seat_in_a_thread_and_one_by_mail(mixed: Mixed) -> None:
    mixed.table.new(keyed=(), umpire=True)
    assert mixed.whats() == ["invited north", "posted"]
    (first,) = mixed.ours()
    assert "yes, I play" in first and "Wanted: North and South" in first and "slot 0, post 1 of 1" in first
    assert mixed.whats() == []
    mixed.table.letter("north", "Yes, I play!\n")
    mixed.bob("Count me in!")
    assert mixed.whats() == [
        "joined south",
        "joined north",
        "answered north",
        "told north",
        "posted",
        "posted",
    ]
    _, answer, start = mixed.ours()
    assert "this answers your post" in answer and "note " in answer
    assert "the game begins" in start and "Wednesday 4 February 2026, 21:00 (CET)" in start
    seats = []
    for number in range(1, 4):
        seat = str(mixed.table.open().announced()["waits"][0])
        seats.append(seat)
        before = len(mixed.ours())
        move(mixed, seat, f"seven drunken herons {number}")
        steps = mixed.whats()
        told = [f"taken {seat}", *([f"answered {seat}"] if seat == "north" else [])]
        assert steps[: len(told)] == told
        assert "resolved" in steps and "told north" in steps
        posts = mixed.ours()[before:]
        assert f"slot {number}, post 1 of 1, head" in posts[-1]
        assert len(posts) == (1 if seat == "north" else 2)
    assert set(seats) == {"north", "south"}
    assert verify(mixed.game).failures == ()
    assert mixed.whats() == []


def test_who_is_in_time_in_the_thread_is_not_overtaken_by_a_late_letter(mixed: Mixed) -> None:
    seat = begun(mixed)
    other = "south" if seat == "north" else "north"
    mixed.table.later(days=3)
    move(mixed, seat, "just in time with this")
    mixed.table.later(days=1)
    if other == "north":
        mixed.table.letter("north", pull("north") + "luck: much too early for this\n")
    else:
        mixed.bob("Where is everybody?")
    steps = mixed.whats()
    assert steps[0] == f"taken {seat}" and "resolved" in steps, steps
    assert not [record for record in mixed.table.open().ledger.records if record.record.get("missing")]


def test_a_late_post_is_answered_and_a_letter_in_time_counts(mixed: Mixed) -> None:
    seat = begun(mixed)
    mixed.table.later(days=5)
    move(mixed, seat, "much too late for this")
    steps = mixed.whats()
    assert "locked" in steps and f"taken {seat}" not in steps, steps
    if seat == "south":
        assert any("too late" in " ".join(text.split()) for text in mixed.ours())


def test_nobody_is_late_while_the_thread_cannot_be_reached(mixed: Mixed) -> None:
    begun(mixed)
    before = mixed.table.open().ledger.head
    mixed.table.later(days=6)
    for route in ("GET /t/ID.json", "GET viewtopic.php"):
        mixed.world.faults[route] = ["500:"] * 40
    steps = mixed.whats()
    assert "trouble" in steps and "locked" not in steps
    assert mixed.table.open().ledger.head == before
    mixed.world.faults.clear()
    assert "locked" in mixed.whats()


def test_a_new_deadline_a_reminder_and_an_undo_stand_in_the_thread(mixed: Mixed) -> None:
    seat = begun(mixed)
    before = len(mixed.ours())
    extend(mixed.table.env, mixed.game, "Bob moves house", by=3 * 1440)
    assert "posted" in mixed.whats()
    (told,) = mixed.ours()[before:]
    assert "Bob moves house" in told and "7 February 2026" in told
    assert mixed.table.code("south") not in told
    assert mixed.whats() == []
    mixed.table.later(days=5, hours=12)
    steps = mixed.whats()
    if seat == "south":
        assert "posted" in steps and "reminded south" not in steps
        assert "tomorrow" in mixed.ours()[-1] or "in 1 day" in mixed.ours()[-1] or "hours" in mixed.ours()[-1]
    else:
        assert steps == ["reminded north"]
    move(mixed, seat, "seven drunken herons again")
    mixed.round()
    undo(mixed.table.env, mixed.game, 1, "the bridge was drawn wrongly")
    assert "posted" in mixed.whats()
    assert any("the bridge was drawn wrongly" in text for text in mixed.ours())
    assert mixed.whats() == []


def test_what_is_for_the_umpire_is_passed_on_and_talk_is_not(mixed: Mixed) -> None:
    begun(mixed)
    before = len(mixed.ours())
    mixed.bob("Nice map! Where did you get it?")
    assert mixed.whats() == []
    mixed.bob("Could I have three more days please? I am moving house.")
    steps = mixed.whats()
    assert "talk south" in steps and "posted" in steps
    (answer,) = mixed.ours()[before:]
    assert "You ask for 3 days more" in answer and "passed on to the umpire" in answer
    (letter,) = mixed.table.queued("decide-")
    assert "three more days" in " ".join(letter.text.split()) and "South" in letter.subject
    assert mixed.whats() == []
    with desk(mixed.table.env, mixed.table.root) as found:
        found.decide(next(found.waiting()).id, yes=False, why="the season ends")
    mixed.round()
    assert "the umpire has said no" in mixed.ours()[-1]
    mixed.bob("I resign. Well played!")
    assert "talk south" in mixed.whats()
    assert "has gone to the umpire" in mixed.ours()[-1] and not mixed.table.open().ledger.over
    assert "Nothing has happened yet" in mixed.ours()[-1] and not mixed.table.queued("confirm-")
    (letter,) = mixed.table.queued("umpire-forum-")
    assert "I resign" in letter.text and "Bob" in letter.text
    assert mixed.whats() == []


def test_who_resigns_in_a_thread_is_asked_by_letter_whether_he_means_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for mixed in set_up(DISCOURSE, tmp_path, monkeypatch):
        path = mixed.table.root / "pbem.toml"
        path.write_text(path.read_text() + 'seats = { south = "sam" }\n')
        begun(mixed)
        mixed.bob("I resign. Well played!")
        mixed.round()
        assert "a letter to your own address asks you" in " ".join(mixed.ours()[-1].split())
        (ask,) = mixed.table.queued("confirm-")
        assert ADDRESSES["south"] in ask.to and "Do you want to resign?" in ask.subject
        token = ask.subject.rpartition("(answer ")[2].rstrip(")")
        # Whoever has his account has not his mailbox: neither a yes in the thread nor a code there counts.
        for text in ("Yes", f"yes (answer {token})", f"Yes, I resign. {mixed.table.code('south')} {token}"):
            mixed.bob(text)
            mixed.round()
            assert not mixed.table.open().ledger.over
        mixed.table.letter("south", "yes\n", f"Re: {ask.subject}")
        mixed.round()
        assert mixed.table.open().ledger.over and not verify(mixed.game).failures


def test_without_an_account_the_thread_is_read_and_a_person_posts(mixed: Mixed) -> None:
    path = mixed.table.root / "pbem.toml"
    lines = [
        line
        for line in path.read_text().splitlines()
        if "CLUB_SECRET" not in line and line != 'user = "cass"'
    ]
    path.write_text("\n".join(lines))
    mixed.table.new(keyed=(), umpire=True)
    mixed.round()
    mixed.bob("Count me in!")
    steps = mixed.round()
    assert [step.what for step in steps if step.seat == "south"] == ["joined", "to paste"]
    pasted = next(step for step in steps if step.what == "to paste")
    assert Path(pasted.said).is_file() and mixed.ours() == []
    assert any("without an account" in letter.text for letter in mixed.table.queued("trouble-"))


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_killed_anywhere_every_post_is_made_once(
    after: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before, or right after, steps on disk or over the network of the round that plays a turn, the
    next rounds do the rest and nothing twice. The longer check tries more of them.
    """
    at, steps = 1, []
    for mixed in set_up(DISCOURSE, tmp_path / "office", monkeypatch, "north"):
        assert begun(mixed) == "north"
        before = len(mixed.world.posts)
        move(mixed, "north", "seven drunken herons at last")
        again = laid_out(mixed, tmp_path / "before")
        while True:
            again()
            killer = Killer(at, after=after)
            with monkeypatch.context() as patch:
                patch.setattr(disk, "effect", killer)
                patch.setattr(net, "effect", killer)
                try:
                    mixed.round()
                except Killed:
                    pass
                else:
                    killer.at = -1
            # Whoever does nothing changes nothing, so a further round would do nothing either.
            assert [] in (mixed.round() for _ in range(4)), (at, "a round that has nothing left to do")
            made = [post.text.splitlines()[-1] for post in mixed.world.posts[before + 1 :]]
            assert len(set(made)) == len(made) == 2, (at, made)
            assert len(mixed.table.queued("turn-tug-0a1b2c-s0001")) == 1
            assert verify(mixed.game).failures == ()
            if killer.at < 0:
                break
            steps.append(killer.seen[at - 1])
            at += tries(11, 3)
    assert len(steps) > 5


def laid_out(mixed: Mixed, kept: Path) -> Callable[[], None]:
    """Return what lays an office and its thread out again as they are now."""
    table, world = mixed.table, mixed.world
    copytree(table.root, kept, symlinks=True)
    posts, count, moment = deepcopy(world.posts), table.count, table.moment

    def again() -> None:
        rmtree(table.root)
        copytree(kept, table.root, symlinks=True)
        world.posts[:] = deepcopy(posts)
        table.count, table.moment = count, moment

    return again

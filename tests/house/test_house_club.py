"""Twenty-one days of a club: thirteen games, eight players, letters that are late, wrong, asking, resigning,
away; a thread; an umpire who pauses, grants, substitutes, corrects. Nothing is lost, nothing is silent.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from club import PLAYERS, STANDING, UMPIRE, Club, Sent, chance
from msgspec.structs import replace
from table import pull

from pbem.proof.history import LedgerRecord
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.request_desk import desk
from pbem.referee.mail.succession import Deputed, deputy, takeover
from pbem.referee.mail.umpire_time import extend, pause, resume
from pbem.referee.mail.umpire_word import end, say, substitute
from pbem.referee.proving.verify import verify
from pbem.referee.turn.ruling import correct
from pbem.referee.turn.undo import undo
from pbem.store.keys import Keyring
from pbem.store.postbag import Postbag

sys.path.append(str(Path(__file__).resolve().parents[1] / "forum"))
from forum_servers import KEY, TOPIC, USER, Clock, DiscourseDoor, World, serving

DAYS, HOURS = 21, 6
SIDES = ("north", "south")
PAIRS = [
    ("ann", "bob"), ("cem", "dora"), ("eli", "fay"), ("gus", "hal"), ("bob", "cem"), ("dora", "eli"), ("fay", "gus"),
    ("hal", "ann"), ("ann", "cem"), ("bob", "dora"), ("eli", "gus"), ("fay", "hal"), ("dora", "ann"),
]  # fmt: skip
IN_THREAD = "game12"
"""In which dora plays in a thread, and ann by letters."""
FORUM = """
[forums.club]
software = "discourse"
url = "{url}"
user = "cass"
key_env = "CLUB_SECRET"
between = 1
pictures = 0

[games.{game}]
forum = "club"
topic = {topic}
authors = {{ north = "Dora" }}
"""
TOLD = frozenset({"start", "result", "undo", "rule", "correct", "rekey", "time", "word"})
"""Records that players have to be told of at once."""


class Season:
    """The days as they pass: what players and the umpire do, and what everybody was told of it."""

    def __init__(self, club: Club, world: World) -> None:
        self.club, self.world = club, world
        self.typed = Counter[str]()
        self.known = Counter[str]()
        self.ids: dict[str, str] = {}
        self.codes: dict[tuple[str, str], str] = {}
        self.heard: set[str] = set()
        self.posts = 0
        self.tried: dict[str, int] = {}
        self.steps = Counter[str]()

    def day(self) -> float:
        return (self.club.moment - self.began).total_seconds() / 86_400

    began = datetime(2026, 2, 1, 6, 0, 0)

    def begin(self, number: int) -> None:
        folder = f"game{number:02}"
        self.club.begin(folder, *PAIRS[number])
        self.ids[folder] = self.club.at(folder).id

    def running(self) -> list[str]:
        """Return the games that are played by letter, and of which something is open."""
        found = []
        for folder in self.club.games:
            ledger = self.club.at(folder).ledger
            if folder != IN_THREAD and ledger.started and not ledger.over:
                found.append(folder)
        return found

    def played(self) -> str:
        """Return a game of which a turn was played and none waits for dice."""
        ledgers = {folder: self.club.at(folder).ledger for folder in self.running()}
        return next(name for name, one in ledgers.items() if one.state_slot and one.locked is None)

    def corrected(self) -> None:
        """Play the newest turn of a game again, as if its side had done nothing: with the same dice."""
        for folder in self.running():
            ledger = self.club.at(folder).ledger
            slot = ledger.slots.get(ledger.state_slot)
            if (
                slot is None
                or ledger.locked is not None
                or ledger.next is None
                or ledger.next.get("questions")
            ):
                continue
            files = {seat: (f"{seat}.yaml", b"nobody: true\n") for seat in slot.waits[:1]}
            where, why = self.club.root / folder, "he had written that he rests"
            with suppress(Refused):  # where nothing would come out otherwise
                correct(self.club.env, where, slot.number, files, why)
                self.typed["correct"] += 1
                return
        raise AssertionError("there is no turn to correct")

    def paused(self) -> str:
        return next(served.game.where.name for served in self.club.house().games.values() if served.held)

    # --- players

    def players_write(self) -> None:
        """Let everybody who is waited for write, each in his manner."""
        house = self.club.house()
        self.codes = {(one.game, one.seat): one.code for one in house.seats}
        games = {served.game.where.name: served.game for served in house.games.values()}
        for folder, sides in self.club.games.items():
            game = games[folder]
            if game.ledger.over:
                continue
            for seat, player in zip(SIDES, sides, strict=True):
                if not game.ledger.started:
                    if seat in game.not_joined:
                        self.says(folder, seat, player, "Yes, I play!\n")
                elif house.games[game.id].waits_for(seat) and not house.games[game.id].held:
                    self.moves(folder, game, seat, player)

    def moves(self, folder: str, game: Game, seat: str, player: str) -> None:
        slot = (game.ledger.locked.number if game.ledger.locked else game.ledger.open_slot) or 0
        nth = self.tried.get(f"{folder} {slot} {seat}", 0)
        self.tried[f"{folder} {slot} {seat}"] = nth + 1
        luck = f"luck: {player} rolls barrel {slot} of {folder} {nth}\n"
        if game.ledger.locked is not None:
            self.says(folder, seat, player, luck)
            return
        mood = chance(folder, slot, seat)
        rests = 2 + int(9 * chance(player, slot))
        if nth < rests or (mood < 0.06 and nth < 16):
            return  # he takes his time, or misses the deadline
        wrong = 0.06 <= mood < 0.2 and nth == rests
        orders = "pull:\n- nobody pulls\n" if wrong else STANDING + pull(seat)
        if game.questions:
            orders = "answers: {q1: hold}\n"
        self.says(folder, seat, player, orders + luck)

    def says(self, folder: str, seat: str, player: str, body: str, subject: str = "") -> None:
        if folder == IN_THREAD and seat == "north":
            box = f"```\n{body}```\n" if ":" in body else body
            self.world.store("Dora", box)
            return
        self.club.write(f"{player}@example.net", body, subject or self.subject(folder, seat))

    def subject(self, folder: str, seat: str) -> str:
        """Answer the newest letter of a game: its subject bears the code."""
        id_ = self.ids[folder]
        return f"Re: [{id_}] your move (code {self.codes[id_, seat]})"

    def needs_time(self, text: str, *, and_takes_it: bool = True) -> None:
        """Let somebody who is waited for ask for time, and take it; or move all the same."""
        house = self.club.house()
        for folder in self.running():
            game = self.club.at(folder)
            slot = game.ledger.open_slot or 0
            for seat, player in zip(SIDES, self.club.games[folder], strict=True):
                if slot and house.games[game.id].waits_for(seat) and not house.games[game.id].held:
                    self.tried[f"{folder} {slot} {seat}"] = -4 if and_takes_it else 40
                    self.codes = {(one.game, one.seat): one.code for one in house.seats}
                    self.says(folder, seat, player, text)
                    return
        raise AssertionError("nobody is waited for")

    # --- the umpire

    def umpire(self, what: str, act: Callable[[], object]) -> None:
        self.typed[what] += 1
        act()

    def grants(self) -> None:
        """Say yes to everything that waits for the umpire."""
        with desk(self.club.env, self.club.root) as found:
            for row in [one for one in found.waiting() if not one.waits_for]:
                self.umpire("grant", partial(found.decide, row.id, yes=True))

    # --- nothing is silent

    def round(self) -> None:
        for step in self.club.round():
            self.steps[step.what] += 1
            assert "fault of pbem" not in step.said, step
        letters = self.club.letters()
        fresh = [one for key, one in letters.items() if key not in self.heard]
        games = {served.game.where.name: served.game for served in self.club.house().games.values()}
        posts = [post.text for post in self.world.posts[self.posts :] if post.author == USER]
        for folder in self.club.games:
            self.told(games[folder], [one for one in fresh if self.ids[folder] in one.subject], posts)
        self.heard, self.posts = set(letters), len(self.world.posts)

    def told(self, game: Game, fresh: list[Sent], posts: list[str]) -> None:
        """Hold what happened in a game against what each of its players was told of it in this round."""
        folder = game.where.name
        records = game.ledger.records[self.known[folder] :]
        self.known[folder] = len(game.ledger.records)
        changed = [one for one in records if self.matters(one)]
        if not changed or not game.ledger.started:
            return
        for seat, player in zip(SIDES, self.club.games[folder], strict=True):
            if folder == IN_THREAD and seat == "north":
                assert any(game.id in text for text in posts), (folder, [one.path for one in changed])
                continue
            mine = [one for one in fresh if f"{player}@example.net" in one.to]
            assert mine, (folder, seat, player, self.day(), [one.path for one in changed])

    @staticmethod
    def matters(one: LedgerRecord) -> bool:
        """Tell whether a record has to be told at once; a lock is with its result, or by the question for words."""
        return one.record["type"] in TOLD


@pytest.fixture
def season(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Season]:
    club = Club(tmp_path)
    club.moment = Season.began

    class ClubClock(Clock):  # type: ignore[misc]
        def now(self) -> datetime:
            return club.moment

    world = World(ClubClock())
    world.store(USER, "A thread for our game.")
    monkeypatch.setattr(time, "sleep", world.clock.sleep)
    monkeypatch.setenv("CLUB_SECRET", KEY)
    with serving(DiscourseDoor, world) as url:
        made = Season(club, world)
        for number in range(5):
            made.begin(number)
        path = tmp_path / "pbem.toml"
        path.write_text(path.read_text() + FORUM.format(url=url, topic=TOPIC, game=IN_THREAD))
        yield made


def test_twenty_one_days_of_a_club(season: Season) -> None:
    club = season.club

    shares: list[Deputed] = []

    def words(what: str, act: Callable[[Path], object], nth: int = 0) -> Callable[[], object]:
        return lambda: season.umpire(what, lambda: act(club.root / season.running()[nth]))

    def asks(folder: str, seat: str, text: str) -> Callable[[], object]:
        return lambda: season.says(
            folder, seat, dict(zip(SIDES, club.games[folder], strict=True))[seat], text
        )

    def stand_in() -> None:
        folder = season.running()[-1]
        north, south = club.games[folder]
        other = next(name for name in PLAYERS if name not in (north, south))
        season.umpire(
            "substitute", lambda: substitute(club.env, club.root / folder, "he is ill", "south", other)
        )
        club.games[folder] = (north, other)

    def named() -> None:
        season.umpire(
            "deputy", lambda: shares.append(deputy(club.env, club.root, "Uma", "if Cass falls ill"))
        )

    def takes_over() -> None:
        """The umpire's computer is lost with all his keys; the deputy has the folder, and her share."""
        club.env = replace(club.env, keyring=Keyring(club.root / "home of uma"))
        (share,) = shares
        for folder in [*season.running(), IN_THREAD]:
            where = club.root / folder
            season.umpire(
                "takeover", partial(takeover, club.env, where, share.share, share.code, "Uma", "Cass is ill")
            )

    def last_day() -> None:
        for folder in [*season.running(), IN_THREAD]:
            where = club.root / folder
            season.umpire(
                "adjudicate", partial(end, club.env, where, "the season is over", "adjudicated", "draw")
            )

    happens: dict[float, Callable[[], object]] = {
        1.0: lambda: season.needs_time("Could I have three more days please?\n"),
        1.25: lambda: season.needs_time("Could I have two more days please?\n", and_takes_it=False),
        1.5: words("pause", lambda where: pause(club.env, where, "the club house floods")),
        2.0: asks("game02", "north", "Uma, what does yield mean?\n"),
        2.5: lambda: season.umpire(
            "undo", lambda: undo(club.env, club.root / season.played(), 1, "the wrong rope")
        ),
        3.5: lambda: season.umpire(
            "resume", lambda: resume(club.env, club.root / season.paused(), "it is dry again")
        ),
        4.0: asks("game04", "south", "I resign. Well played!\n"),
        5.0: words("say", lambda where: say(club.env, where, "the next season begins in May")),
        6.0: asks(
            "game05",
            "north",
            f"I am away from {(Season.began + timedelta(8)):%d %B} to {(Season.began + timedelta(10)):%d %B}.\n",
        ),
        7.0: stand_in,
        7.5: season.corrected,
        12.0: season.corrected,
        8.0: words("extend", lambda where: extend(club.env, where, "exams", by=2880)),
        10.0: lambda: season.needs_time("I need two more days, sorry.\n"),
        13.0: named,
        16.0: takes_over,
        14.0: asks(IN_THREAD, "north", "Umpire, could I have two more days?"),
        20.5: last_day,
    }
    for _ in range(DAYS * 24 // HOURS):
        now = season.day()
        for number in range(len(club.games), len(PAIRS)):
            if now >= 1.1 * (number - 4):
                season.begin(number)
        for at in [at for at in happens if at <= now]:
            happens.pop(at)()
        season.players_write()
        confirm(season)
        season.round()
        season.grants()
        club.later(hours=HOURS)
    season.round()
    assert not happens and len(club.games) == 13
    whole(season)


def confirm(season: Season) -> None:
    """Answer what the office asks players to confirm, as they do: with yes, to that letter."""
    for key, one in season.club.letters().items():
        if key.startswith("confirm-") and f"answered {key}" not in season.tried:
            season.tried[f"answered {key}"] = 1
            who = next(name for name in PLAYERS if f"{name}@example.net" in one.to)
            season.club.write(f"{who}@example.net", "yes\n", f"Re: {one.subject}")


def whole(season: Season) -> None:
    club = season.club
    for folder in club.games:
        game = club.at(folder)
        assert verify(club.root / folder).failures == (), folder
        assert game.ledger.over, (folder, game.ledger.next)
    assert not list(Postbag(club.root / "post").waiting()), "a letter was not read"
    to_umpire = [one for one in club.letters().values() if UMPIRE in one.to]
    assert any("what does yield mean" in one.text for one in to_umpire)
    assert {"locked", "resolved", "told", "refused", "reminded", "missed", "posted", "lapsed"} <= set(
        season.steps
    ), season.steps
    assert season.typed["correct"] == 2 and season.typed["takeover"] >= 2
    assert season.typed["grant"] >= 2 and sum(season.typed.values()) <= 30, season.typed
